#include "support/binary.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

extern char** environ;  // NOLINT: POSIX

namespace pawl::test {
namespace {

using SteadyClock = std::chrono::steady_clock;

[[noreturn]] void give_up(const std::string& what, int error_number) {
  throw std::runtime_error(what + ": " + std::strerror(error_number));
}

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) give_up("pipe", errno);
  return {ends[0], ends[1]};
}

// A terminal's two ends: what the test reads, and what the process writes to.
Pipe make_terminal() {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 128> name{};
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0 ||
      ::ptsname_r(master, name.data(), name.size()) != 0) {
    give_up("pseudo-terminal", errno);
  }
  return {master, ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

bool is_ours_to_set(std::string_view entry) {
  return entry.starts_with("PAWL_") || entry.starts_with("NO_COLOR=") || entry.starts_with("TERM=") ||
         entry.starts_with("XDG_");
}

std::vector<std::string> environment(const RunOptions& options) {
  std::vector<std::string> env;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = is_ours_to_set(text);
    for (const std::string& own : options.env) {
      const std::size_t name = own.find('=') + 1;
      replaced = replaced || text.substr(0, name) == std::string_view(own).substr(0, name);
    }
    if (!replaced) env.emplace_back(text);
  }
  env.insert(env.end(), options.env.begin(), options.env.end());
  return env;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Appends what there is; false at the end. A terminal whose process is gone answers EIO.
bool drain(int& fd, std::string& to) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(fd, buffer.data(), buffer.size());
  if (got > 0) to.append(buffer.data(), static_cast<std::size_t>(got));
  if (got > 0 || (got < 0 && errno == EINTR)) return true;
  close_fd(fd);
  return false;
}

}  // namespace

Child::Child(const std::string& program, const std::vector<std::string>& args, const RunOptions& options)
    : input_(options.input), timeout_ms_(options.timeout_ms) {
  ::signal(SIGPIPE, SIG_IGN);  // a process may end without reading its stdin; the child gets the default back
  Pipe in = make_pipe(), err = make_pipe(), out;
  using Stdout = RunOptions::Stdout;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (!options.cwd.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, options.cwd.c_str());
  ::posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  if (!options.out_path.empty()) {
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.out_path.c_str(), O_WRONLY | O_CREAT, 0600);
  } else if (options.out == Stdout::closed) {
    ::posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
  } else {
    out = options.out == Stdout::terminal ? make_terminal() : make_pipe();
    if (options.out == Stdout::deaf) close_fd(out.read);
    ::posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t standard;
  ::sigemptyset(&standard);
  ::sigaddset(&standard, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &standard);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = {program};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<std::string> env = environment(options);
  const int failed =
      ::posix_spawnp(&pid_, program.c_str(), &actions, &attributes, pointers(words).data(), pointers(env).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);
  in_ = in.write;
  out_ = out.read;
  err_ = err.read;
  if (failed != 0) give_up("cannot start " + program, failed);
  ::fcntl(in_, F_SETFL, O_NONBLOCK);
  if (input_.empty()) close_fd(in_);
}

Child::~Child() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
  reap();
  close_fd(in_);
  close_fd(out_);
  close_fd(err_);
}

void Child::send(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

bool Child::pump(int timeout_ms) {
  std::array<pollfd, 3> waiting = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}, {in_, POLLOUT, 0}}};
  if (out_ < 0 && err_ < 0) return false;
  if (::poll(waiting.data(), waiting.size(), timeout_ms) <= 0) return true;
  if (waiting[0].revents != 0) drain(out_, ran_.out);
  if (waiting[1].revents != 0) drain(err_, ran_.err);
  if (waiting[2].revents != 0) {
    const ssize_t sent = ::write(in_, input_.data(), input_.size());
    if (sent > 0) input_.erase(0, static_cast<std::size_t>(sent));
    if (input_.empty() || (sent < 0 && errno != EAGAIN && errno != EINTR)) close_fd(in_);
  }
  return true;
}

bool Child::wait_for(std::string_view text, int timeout_ms) {
  const auto deadline = SteadyClock::now() + std::chrono::milliseconds(timeout_ms);
  while (ran_.out.find(text) == std::string::npos) {
    if (out_ < 0 || SteadyClock::now() > deadline || !pump(50)) return false;
  }
  return true;
}

void Child::reap() {
  if (pid_ <= 0) return;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ran_.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
}

Ran Child::finish() {
  const auto deadline = SteadyClock::now() + std::chrono::milliseconds(timeout_ms_);
  while (pump(50)) {
    if (SteadyClock::now() <= deadline) continue;
    ran_.err += "\n(killed by the test: it took too long)\n";
    send(SIGKILL);
    break;
  }
  reap();
  return ran_;
}

Ran run_program(const std::string& program, const std::vector<std::string>& args, const RunOptions& options) {
  return Child(program, args, options).finish();
}

bool ends(pid_t pid, int timeout_ms) {
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return errno == ESRCH;
  pollfd waiting{fd, POLLIN, 0};
  const bool ended = ::poll(&waiting, 1, timeout_ms) == 1;
  ::close(fd);
  return ended;
}

Ran run_pawl(const std::vector<std::string>& args, const RunOptions& options) {
  return run_program(PAWL_BINARY, args, options);
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace pawl::test

#include "world/agent.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr int kAskEveryMs = 500;
constexpr std::int64_t kGraceMs = 5'000;  // between "please" and the end

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

struct Pipe {
  Fd reading, writing;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(io_error("make", "a pipe", errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

void do_not_block(const Fd& fd) { fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

// Between fork and exec: nothing here allocates.
[[noreturn]] void become(const AgentCall& call, char* const* argv, char* const* environment, const Pipe& in,
                         const Pipe& out, const Pipe& trouble, const sigset_t& signals, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
  dup2(in.reading.get(), 0);
  dup2(out.writing.get(), 1);
  dup2(out.writing.get(), 2);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  if (call.folder.empty() || chdir(call.folder.c_str()) == 0) execvpe(argv[0], argv, environment);
  const int why = errno;
  [[maybe_unused]] const ssize_t told = write(trouble.writing.get(), &why, sizeof why);
  _exit(127);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// The agent while it runs.
class Running {
 public:
  Running(const AgentCall& call, StopSignals& stop, pid_t pid, Fd input, Fd output)
      : call_(call), stop_(stop), pid_(pid), input_(std::move(input)), output_(std::move(output)) {
    do_not_block(input_);
    do_not_block(output_);
    exited_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (call.input.empty()) input_.reset();
  }

  AgentRan finish() {
    while (!step()) {
    }
    while (read_some()) {  // what it left in the pipe; a child of its that lives on is not waited for
    }
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (ran_.end != AgentEnd::exited) kill(-pid_, SIGKILL);  // what is left of its group
    ran_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran_.took_ms = now_ms() - began_;
    return ran_;
  }

 private:
  // True once it has exited.
  bool step() {
    std::array<pollfd, 4> fds{{{exited_.get(), POLLIN, 0},
                               {stop_.fd(), POLLIN, 0},
                               {output_.get(), POLLIN, 0},
                               {input_.get(), POLLOUT, 0}}};  // one that is closed is -1, and left out
    const int ready = poll(fds.data(), fds.size(), wait_ms());
    if (ready < 0 && errno != EINTR) return true;
    if (fds[2].revents != 0 && !read_some()) output_.reset();  // closed, as something was to be read
    if (fds[3].revents != 0) write_some();
    while (const auto signal = stop_.next()) end(AgentEnd::stopped, *signal);
    if (call_.limit_ms > 0 && now_ms() - began_ >= call_.limit_ms) end(AgentEnd::too_long, SIGTERM);
    if (now_ms() - asked_ >= kAskEveryMs) {
      asked_ = now_ms();
      if (!call_.wanted()) end(AgentEnd::unwanted, SIGTERM);
    }
    if (ending_since_ != 0 && now_ms() - ending_since_ >= kGraceMs) kill(-pid_, SIGKILL);
    return fds[0].revents != 0;
  }

  [[nodiscard]] int wait_ms() const {
    std::int64_t wait = asked_ + kAskEveryMs - now_ms();
    if (call_.limit_ms > 0 && ending_since_ == 0) wait = std::min(wait, began_ + call_.limit_ms - now_ms());
    return static_cast<int>(std::max<std::int64_t>(wait, 0));
  }

  // Asked once politely; asked to stop twice, at once.
  void end(AgentEnd why, int signal) {
    if (ending_since_ != 0) {
      if (why == AgentEnd::stopped) kill(-pid_, SIGKILL);
      return;
    }
    ending_since_ = now_ms();
    ran_.end = why;
    if (why == AgentEnd::stopped) ran_.stop_signal = signal;
    kill(-pid_, SIGTERM);
  }

  // False: nothing is there (any more).
  bool read_some() {
    std::array<char, 65536> buffer;
    const ssize_t got = read(output_.get(), buffer.data(), buffer.size());
    if (got <= 0) return got < 0 && errno == EINTR;
    call_.output({buffer.data(), static_cast<std::size_t>(got)});
    return true;
  }

  void write_some() {
    const std::string_view rest = std::string_view(call_.input).substr(written_);
    const ssize_t wrote = write(input_.get(), rest.data(), rest.size());
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (wrote > 0) written_ += static_cast<std::size_t>(wrote);
    if (wrote <= 0 || written_ == call_.input.size()) input_.reset();  // it need not read what it does not want
  }

  const AgentCall& call_;
  StopSignals& stop_;
  pid_t pid_;
  Fd input_, output_, exited_;
  AgentRan ran_;
  std::size_t written_ = 0;
  std::int64_t began_ = now_ms();
  std::int64_t asked_ = began_;
  std::int64_t ending_since_ = 0;
};

}  // namespace

Result<AgentRan> run_agent(const AgentCall& call, StopSignals& stop) {
  PAWL_ASSIGN(Pipe in, make_pipe());
  PAWL_ASSIGN(Pipe out, make_pipe());
  PAWL_ASSIGN(Pipe trouble, make_pipe());
  const std::vector<char*> argv = pointers_to(call.argv);
  std::vector<char*> environment = inherited_environment(call.tokens == Tokens::kept_back);
  const std::vector<char*> added = pointers_to(call.environment);
  // The first of a name counts.
  environment.insert(environment.begin(), added.begin(), added.end() - 1);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return tl::unexpected(io_error("start", call.argv.front(), errno));
  if (pid == 0) become(call, argv.data(), environment.data(), in, out, trouble, stop.before(), parent);
  setpgid(pid, pid);  // whoever is first
  in.reading.reset();
  out.writing.reset();
  trouble.writing.reset();
  int why = 0;
  ssize_t got = 0;
  while ((got = read(trouble.reading.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got > 0) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return tl::unexpected(io_error("start", call.argv.front(), why));
  }
  return Running(call, stop, pid, std::move(in.writing), std::move(out.reading)).finish();
}

std::string filled(std::string_view word, std::string_view name, std::string_view value) {
  const std::string mark = cat("{", name, "}");
  std::string out;
  while (true) {
    const std::size_t at = word.find(mark);
    out += word.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += value;
    word.remove_prefix(at + mark.size());
  }
}

}  // namespace pawl

#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <limits>

#include "base/file.h"
#include "base/text.h"

extern char** environ;

namespace pawl {
namespace {

constexpr std::size_t kProcFile = 4096;
constexpr std::size_t kParentField = 1, kStartedField = 19;  // behind the name

// The ids of this process's PID and time namespaces. "" without /proc, or with the /proc of another PID namespace, in
// which a number means another process.
std::string own_namespaces() {
  char self[32];
  const ssize_t length = readlink("/proc/self", self, sizeof self);
  if (length <= 0 || std::string_view(self, static_cast<std::size_t>(length)) != std::to_string(getpid())) return {};
  struct stat pid {
  }, time{};
  if (stat("/proc/self/ns/pid", &pid) != 0) return {};
  const bool has_time = stat("/proc/self/ns/time", &time) == 0;  // Linux 5.6
  return cat(pid.st_ino, ",", has_time ? time.st_ino : 0);
}

struct Seen {
  Life life = Life::unknown;
  std::int64_t parent = 0, started = 0;
};

// What the kernel and /proc tell of a number.
Seen look_at(std::int64_t pid) {
  if (pid <= 0 || pid > std::numeric_limits<pid_t>::max()) return {Life::ended, 0, 0};
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return {Life::ended, 0, 0};
  if (own_namespaces().empty()) return {};
  const auto image = read_file(cat("/proc/", pid, "/stat"), kProcFile);
  if (!image || !image->exists) {  // hidden, or it has just ended
    const bool gone = kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
    return {gone ? Life::ended : Life::unknown, 0, 0};
  }
  // The name is in brackets and may hold anything; what follows the last one is plain.
  const std::size_t name_end = image->bytes.rfind(')');
  if (name_end == std::string::npos) return {};
  const auto fields = split(std::string_view(image->bytes).substr(name_end + 2), ' ');
  if (fields.size() <= kStartedField) return {};
  if (fields[0] == "Z" || fields[0] == "X") return {Life::ended, 0, 0};
  const auto number = [&](std::size_t field) {
    std::int64_t value = 0;
    std::from_chars(fields[field].data(), fields[field].data() + fields[field].size(), value);
    return value;
  };
  return {Life::alive, number(kParentField), number(kStartedField)};
}

// Those of `git rev-parse --local-env-vars` but for GIT_CONFIG…, by which a user may have said that a folder is safe.
bool ties_git(std::string_view variable) {
  constexpr std::array<std::string_view, 10> kNames = {
      "GIT_DIR=",        "GIT_WORK_TREE=",        "GIT_INDEX_FILE=",
      "GIT_COMMON_DIR=", "GIT_OBJECT_DIRECTORY=", "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
      "GIT_PREFIX=",     "GIT_NAMESPACE=",        "GIT_SHALLOW_FILE=",
      "GIT_GRAFT_FILE="};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) { return variable.starts_with(name); });
}

constexpr std::string_view kKey = "PAWL_BLOCK_KEY=";

// Tokens; and what in GitHub Actions is as good as one: files by which a step speaks to those after it.
bool is_secret(std::string_view variable) {
  constexpr std::array<std::string_view, 12> kNames = {"PAWL_GITHUB_TOKEN=",
                                                       "GH_TOKEN=",
                                                       "GITHUB_TOKEN=",
                                                       "GH_ENTERPRISE_TOKEN=",
                                                       "GITHUB_ENTERPRISE_TOKEN=",
                                                       "ACTIONS_RUNTIME_TOKEN=",
                                                       "ACTIONS_ID_TOKEN_REQUEST_TOKEN=",
                                                       "GITHUB_ENV=",
                                                       "GITHUB_PATH=",
                                                       "GITHUB_OUTPUT=",
                                                       "GITHUB_STATE=",
                                                       "GITHUB_STEP_SUMMARY="};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) { return variable.starts_with(name); });
}

}  // namespace

std::vector<char*> inherited_environment(Secrets secrets, GitVariables git, const std::vector<std::string>& also) {
  std::vector<char*> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view one = *at;
    if (one.starts_with(kKey)) continue;
    if ((secrets == Secrets::dropped && is_secret(one)) || (git == GitVariables::dropped && ties_git(one))) continue;
    const auto replaces = [&](const std::string& other) {
      return one.starts_with(std::string_view(other).substr(0, other.find('=') + 1));
    };
    if (std::none_of(also.begin(), also.end(), replaces)) variables.push_back(*at);
  }
  for (const std::string& one : also) variables.push_back(const_cast<char*>(one.c_str()));
  variables.push_back(nullptr);
  return variables;
}

Result<pid_t> start_program(const std::vector<std::string>& argv, const Streams& streams,
                            const std::vector<char*>& environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto give = [&](int as, int file) {
    if (file >= 0) {
      posix_spawn_file_actions_adddup2(&actions, file, as);
    } else {
      posix_spawn_file_actions_addopen(&actions, as, "/dev/null", as == 0 ? O_RDONLY : O_WRONLY, 0);
    }
  };
  give(0, streams.in);
  give(1, streams.out);
  give(2, streams.errors);
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t pid = 0;
  // Signals that this process has blocked, to take them when it is ready to, are not for others.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawnp(&pid, pointers.front(), &actions, &attributes, pointers.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return tl::unexpected(io_error("start", argv.front(), error));
  return pid;
}

Result<Ran> run_program(const std::vector<std::string>& argv, std::size_t max_bytes, StandardError errors,
                        GitVariables git, int timeout_ms, Secrets secrets, const std::vector<std::string>& also) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return tl::unexpected(io_error("start", argv.front(), errno));
  const Fd reading(ends[0]);
  Fd writing(ends[1]);
  const int told = errors == StandardError::dropped ? -1 : writing.get();
  PAWL_ASSIGN(const pid_t pid,
              start_program(argv, {-1, writing.get(), told}, inherited_environment(secrets, git, also)));
  writing.reset();

  Ran ran;
  bool too_much = false, too_long = false;
  char buffer[65536];
  const auto began = std::chrono::steady_clock::now();
  while (true) {
    if (timeout_ms >= 0) {
      const auto passed =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
      pollfd waiting{reading.get(), POLLIN, 0};
      const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(timeout_ms - passed, 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) {
        too_long = true;
        kill(pid, SIGKILL);
        break;
      }
    }
    const ssize_t got = read(reading.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    too_much = too_much || ran.out.size() + static_cast<std::size_t>(got) > max_bytes;
    if (!too_much) ran.out.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (too_long) return fail(ErrorCode::busy, cat(argv.front(), " did not answer in ", timeout_ms / 1000, " s"));
  if (too_much) return fail(ErrorCode::io, cat(argv.front(), " printed more than ", max_bytes, " bytes"));
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

// Forked twice: the one in between is waited for, so that nobody is left to wait for the one that stays.
Done start_detached(const std::vector<std::string>& argv, const std::string& folder) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return tl::unexpected(io_error("start", argv.front(), errno));
  const Fd reading(ends[0]);
  Fd writing(ends[1]);
  const pid_t between = fork();
  if (between < 0) return tl::unexpected(io_error("start", argv.front(), errno));
  if (between == 0) {  // only what is safe after a fork from a process with threads
    setsid();
    const pid_t stays = fork();
    if (stays != 0) _exit(stays < 0 ? 1 : 0);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nothing, stream);
    if (chdir(folder.c_str()) == 0) execvp(pointers.front(), pointers.data());
    const int why = errno;
    [[maybe_unused]] const ssize_t told = write(writing.get(), &why, sizeof why);
    _exit(127);
  }
  writing.reset();
  int status = 0;
  while (waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  int why = 0;
  ssize_t told = 0;
  do {
    told = read(reading.get(), &why, sizeof why);  // nothing, once exec has closed the other end
  } while (told < 0 && errno == EINTR);
  if (told == sizeof why || status != 0)
    return tl::unexpected(io_error("start", argv.front(), why == 0 ? EAGAIN : why));
  return done();
}

ProcessIdentity identify_process(std::int64_t pid) { return {pid, look_at(pid).started, boot_id(), own_namespaces()}; }

ProcessIdentity this_process() { return identify_process(getpid()); }

Json to_json(const ProcessIdentity& process) {
  return {
      {"pid", process.pid}, {"started", process.started}, {"boot", process.boot}, {"namespaces", process.namespaces}};
}

ProcessIdentity process_in(const Json& object) {
  return {integer_or(object, "pid"), integer_or(object, "started"), string_or(object, "boot"),
          string_or(object, "namespaces")};
}

std::int64_t parent_of(std::int64_t pid) { return look_at(pid).parent; }

bool may_exist(std::int64_t pid) { return look_at(pid).life != Life::ended; }

bool restarted_since(const ProcessIdentity& process) {
  const std::string boot = boot_id();
  return !boot.empty() && !process.boot.empty() && boot != process.boot;
}

Life life_of(const ProcessIdentity& process, Held lock) {
  if (process.pid == 0 || restarted_since(process)) return Life::ended;
  if (lock == Held::yes) return Life::alive;
  const Life unseen = lock == Held::no ? Life::ended : Life::unknown;
  if (process.started == 0 || process.namespaces.empty() || process.namespaces != own_namespaces()) return unseen;
  const Seen now = look_at(process.pid);
  if (now.life != Life::alive) return now.life == Life::ended ? Life::ended : unseen;
  return now.started == process.started ? Life::alive : Life::ended;
}

bool ends_within(const ProcessIdentity& process, int ms) {
  const Fd handle(static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process.pid), 0)));
  const Life life = life_of(process);
  if (life != Life::alive) return life == Life::ended;
  if (!handle.valid()) return life_of(process) == Life::ended;  // it ended between the two, or there are no pidfds
  pollfd waiting{handle.get(), POLLIN, 0};
  return poll(&waiting, 1, ms) > 0;
}

bool is_in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return true;  // a path is looked for where the program will be
  const char* const path = getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    if (!folder.empty() && access(cat(folder, "/", program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string boot_id() {
  const auto image = read_file("/proc/sys/kernel/random/boot_id", kProcFile);
  return image && image->exists ? image->bytes.substr(0, 36) : std::string();
}

}  // namespace pawl

#include "base/traced_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace pawl {
namespace {

// --- The architecture: how a stopped call is changed. arm64 needs the same three (NT_ARM_SYSTEM_CALL for the number).
// ---

#if defined(__x86_64__)
constexpr bool kCanChangeCalls = true;

void poke(pid_t thread, std::size_t offset, std::uint64_t value) {
  // A thread that was killed meanwhile cannot be changed, and does not need to be.
  (void)ptrace(PTRACE_POKEUSER, thread, offset, value);
}
void forget_call(pid_t thread) { poke(thread, offsetof(user_regs_struct, orig_rax), ~std::uint64_t{0}); }
void set_third_argument(pid_t thread, std::uint64_t value) { poke(thread, offsetof(user_regs_struct, rdx), value); }
void set_result(pid_t thread, std::int64_t value) {
  poke(thread, offsetof(user_regs_struct, rax), static_cast<std::uint64_t>(value));
}
#else
constexpr bool kCanChangeCalls = false;
void forget_call(pid_t) {}
void set_third_argument(pid_t, std::uint64_t) {}
void set_result(pid_t, std::int64_t) {}
#endif

// --- Starting ---

// Output goes to memory, not to a pipe: a pipe that nobody empties would stop the program for ever.
int capture_file(const char* name) { return memfd_create(name, MFD_CLOEXEC); }

std::string captured(const Fd& file) {
  struct stat facts {};
  if (fstat(file.get(), &facts) != 0) return {};
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  const ssize_t got = pread(file.get(), text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

struct Start {
  char* const* arguments;
  char* const* environment;
  const char* folder;  // nullptr: stay
  int in, out, err;
};

constexpr int kTracingRefused = 255;  // above every errno

// Whoever was started without a standard descriptor gets its number for a file of their own; dup2 then changes nothing.
bool becomes(int fd, int wanted) { return (fd == wanted ? fcntl(fd, F_SETFD, 0) : dup2(fd, wanted)) >= 0; }

// vfork, since a fork of a large parent costs more than the whole life of the child. The child lives in our memory
// until it execs, so it only makes system calls; its exit code tells what refused.
[[gnu::noinline]] pid_t start_stopped(const Start& start) {
  const pid_t child = vfork();
  if (child != 0) return child;
  // A group of its own: its threads can then be waited for without touching other children of ours.
  setpgid(0, 0);
  if (!becomes(start.in, 0) || !becomes(start.out, 1) || !becomes(start.err, 2)) _exit(errno);
  if (start.folder != nullptr && chdir(start.folder) != 0) _exit(errno);
  // Last, as a signal would now stop the child for a tracer that waits for its exec.
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(kTracingRefused);
  execve(start.arguments[0], start.arguments, start.environment);
  _exit(errno);
}

Error cannot_start(const std::string& program, int status) {
  const int why = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (why == kTracingRefused) {
    return {ErrorCode::unavailable, "this machine does not let one process trace another (ptrace)",
            "in a container allow the SYS_PTRACE capability; a debugger or strace around this program excludes it too"};
  }
  if (why == ENOENT) return {ErrorCode::not_found, cat("no program to trace at ", program), {}};
  return io_error("start", program, why);
}

// Ends the program when its time is over. A thread of ours, since a tracer that waits for stops can wait for nothing
// else.
class TimeLimit {
 public:
  TimeLimit(pid_t leader, std::chrono::microseconds limit) {
    if (limit.count() == 0) return;
    Fd process(static_cast<int>(syscall(SYS_pidfd_open, leader, 0)));
    if (!process.valid()) return;
    thread_ = std::thread([own = std::move(process), limit] {
      constexpr std::int64_t kSecond = 1'000'000;
      const timespec wait{limit.count() / kSecond, limit.count() % kSecond * 1000};
      pollfd ended{own.get(), POLLIN, 0};
      if (ppoll(&ended, 1, &wait, nullptr) == 0) syscall(SYS_pidfd_send_signal, own.get(), SIGKILL, nullptr, 0);
    });
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

// --- Following ---

class Tracer {
 public:
  Tracer(pid_t leader, const CallWatch& watch)
      : leader_(leader), watch_(watch), way_(watch.entering || watch.left ? PTRACE_SYSCALL : PTRACE_CONT) {
    threads_[leader];
  }

  // Until the program's end; its wait status.
  Result<int> follow() {
    resume(leader_, 0);
    while (true) {
      int status = 0;
      const pid_t who = waitpid(-leader_, &status, __WALL);
      if (who < 0) {
        if (errno == EINTR) continue;
        ::kill(leader_, SIGKILL);
        return tl::unexpected<Error>(io_error("follow", "the traced program", errno));
      }
      if (WIFSTOPPED(status)) {
        resume(who, signal_to_deliver(who, status));
      } else if (who == leader_) {
        return status;  // a leader is reported when all its threads are gone
      } else {
        threads_.erase(who);
      }
    }
  }

 private:
  struct Thread {
    bool inside = false;
    SystemCall call;
    CallVerdict verdict;
  };

  void resume(pid_t thread, int signal) { (void)ptrace(way_, thread, nullptr, signal); }

  int signal_to_deliver(pid_t who, int status) {
    const int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      at_call(who);
      return 0;
    }
    if ((status >> 16) != 0) return 0;  // an event (a thread was made, a program replaced itself), not a signal
    const bool is_new = !threads_.contains(who);
    threads_[who];
    return is_new && signal == SIGSTOP ? 0 : signal;  // the kernel's way of presenting a new thread
  }

  void at_call(pid_t who) {
    if (killed_) return;
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, who, sizeof info, &info) <= 0) return;
    Thread& thread = threads_[who];
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      thread.inside = true;
      thread.call.thread = who;
      thread.call.number = static_cast<long>(info.entry.nr);
      std::copy(std::begin(info.entry.args), std::end(info.entry.args), thread.call.args.begin());
      thread.call.result = 0;
      thread.verdict = watch_.entering ? watch_.entering(thread.call) : CallVerdict::proceed();
      prepare(who, thread.verdict);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && thread.inside) {
      thread.inside = false;
      thread.call.result = info.exit.rval;
      conclude(who, thread);
      if (watch_.left) watch_.left(thread.call);
    }
  }

  void prepare(pid_t who, const CallVerdict& verdict) {
    using enum CallVerdict::Kind;
    if (verdict.kind == kill || verdict.kind == answer) forget_call(who);
    if (verdict.kind == shorten) set_third_argument(who, verdict.count);
    if (verdict.kind == kill) {
      killed_ = true;
      ::kill(leader_, SIGKILL);
    }
  }

  void conclude(pid_t who, Thread& thread) {
    using enum CallVerdict::Kind;
    const bool late = thread.verdict.kind == fail_late && thread.call.result >= 0;
    if (thread.verdict.kind == answer || late) {
      thread.call.result = thread.verdict.told;
      set_result(who, thread.call.result);
    }
    // The compiler counts on a system call leaving its arguments alone.
    if (thread.verdict.kind == shorten) set_third_argument(who, thread.call.args[2]);
  }

  const pid_t leader_;
  const CallWatch& watch_;
  const __ptrace_request way_;
  std::map<pid_t, Thread> threads_;
  bool killed_ = false;
};

}  // namespace

Result<TracedExit> run_traced(const TracedCommand& command, const CallWatch& watch) {
  if (!kCanChangeCalls) return fail(ErrorCode::unavailable, "tracing is written for x86-64 only");
  if (command.arguments.empty()) return fail(ErrorCode::invalid_argument, "no program to trace");
  const Fd in(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd out(capture_file("stdout")), err(capture_file("stderr"));
  if (in.get() < 0 || out.get() < 0 || err.get() < 0) {
    return tl::unexpected<Error>(io_error("capture the output of", command.arguments.front(), errno));
  }
  const std::vector<char*> arguments = pointers(command.arguments), environment = pointers(command.environment);
  const pid_t child =
      start_stopped({arguments.data(), environment.data(), command.folder.empty() ? nullptr : command.folder.c_str(),
                     in.get(), out.get(), err.get()});
  if (child < 0) return tl::unexpected<Error>(io_error("start", command.arguments.front(), errno));

  int status = 0;
  while (waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
  }
  if (!WIFSTOPPED(status)) return tl::unexpected<Error>(cannot_start(command.arguments.front(), status));
  constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SETOPTIONS, child, nullptr, kOptions) != 0) {
    const int why = errno;
    kill(child, SIGKILL);
    waitpid(child, &status, __WALL);
    return tl::unexpected<Error>(io_error("trace", command.arguments.front(), why));
  }
  {
    const TimeLimit limit(child, command.limit);
    PAWL_ASSIGN(status, Tracer(child, watch).follow());
  }

  TracedExit end;
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.out = captured(out);
  end.err = captured(err);
  return end;
}

std::optional<std::string> read_traced(pid_t thread, std::uint64_t address, std::size_t size) {
  std::string bytes(size, '\0');
  iovec here{bytes.data(), bytes.size()};
  iovec there{reinterpret_cast<void*>(address), size};  // an address in the program, not in ours
  if (size != 0 && process_vm_readv(thread, &here, 1, &there, 1, 0) != static_cast<ssize_t>(size)) return std::nullopt;
  return bytes;
}

std::optional<std::string> read_traced_text(pid_t thread, std::uint64_t address) {
  constexpr std::uint64_t kPage = 4096;  // never more than up to the page's end: the next one may not exist
  std::string text;
  while (text.size() < PATH_MAX) {
    const auto piece = read_traced(thread, address, kPage - address % kPage);
    if (!piece) return std::nullopt;
    const std::size_t end = piece->find('\0');
    text.append(*piece, 0, end);
    if (end != std::string::npos) return text;
    address += piece->size();
  }
  return std::nullopt;
}

}  // namespace pawl

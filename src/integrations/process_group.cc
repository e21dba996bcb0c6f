#include "integrations/process_group.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace pawl {
namespace {

struct Pipe {
  Fd reading, writing;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(io_error("make", "a pipe", errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Between fork and exec, and in the guard: nothing allocates.
[[noreturn]] void guard(int leash) {
  setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) ::signal(signal, SIG_IGN);
  dup2(leash, 0);
  syscall(SYS_close_range, 1U, ~0U, 0U);
  char byte = 0;
  while (read(0, &byte, 1) < 0 && errno == EINTR) {
  }
  kill(0, SIGKILL);
  _exit(0);
}

[[noreturn]] void become(const ProgramStart& program, pid_t group, int trouble, pid_t parent) {
  setpgid(0, group);
  prctl(PR_SET_PDEATHSIG, SIGKILL);     // the guard does that too, but not at once
  if (getppid() != parent) _exit(127);  // it died before the line above
  dup2(program.input, 0);
  dup2(program.output, 1);
  dup2(program.errors, 2);
  sigprocmask(SIG_SETMASK, program.signals, nullptr);
  if (program.folder == nullptr || chdir(program.folder) == 0)
    execvpe(program.argv.front(), program.argv.data(), program.environment.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t told = write(trouble, &why, sizeof why);
  _exit(127);
}

}  // namespace

Result<ProcessGroup> ProcessGroup::start(const ProgramStart& program) {
  PAWL_ASSIGN(Pipe leash, make_pipe());
  PAWL_ASSIGN(Pipe trouble, make_pipe());
  const pid_t parent = getpid();
  ProcessGroup group;
  group.guard_ = fork();
  if (group.guard_ == 0) guard(leash.reading.get());
  if (group.guard_ < 0) return tl::unexpected(io_error("start", program.argv.front(), errno));
  setpgid(group.guard_, group.guard_);  // whoever is first
  group.leash_ = std::move(leash.writing);
  group.program_ = fork();
  if (group.program_ == 0) become(program, group.guard_, trouble.writing.get(), parent);
  if (group.program_ < 0) return tl::unexpected(io_error("start", program.argv.front(), errno));
  setpgid(group.program_, group.guard_);
  trouble.writing.reset();
  int why = 0;
  ssize_t got = 0;
  while ((got = read(trouble.reading.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got > 0) return tl::unexpected(io_error("start", program.argv.front(), why));
  group.exited_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, group.program_, 0)));
  if (!group.exited_.valid()) return tl::unexpected(io_error("watch", program.argv.front(), errno));
  return group;
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept
    : guard_(std::exchange(other.guard_, -1)),
      program_(std::exchange(other.program_, -1)),
      leash_(std::move(other.leash_)),
      exited_(std::move(other.exited_)) {}

ProcessGroup::~ProcessGroup() {
  if (guard_ < 0) return;
  kill(-guard_, SIGKILL);
  if (program_ > 0) reap(program_);
  reap(guard_);
}

void ProcessGroup::send(int signal) const { kill(-guard_, signal); }

int ProcessGroup::finish(bool with_children) {
  if (with_children) {
    kill(-guard_, SIGKILL);
  } else {
    kill(guard_, SIGKILL);
  }
  const int status = reap(std::exchange(program_, -1));
  reap(std::exchange(guard_, -1));
  return status;
}

}  // namespace pawl

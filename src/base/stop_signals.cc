#include "base/stop_signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace pawl {

StopSignals::StopSignals() {
  sigset_t taken;
  sigemptyset(&taken);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // What whoever started us ignores (nohup) stays ignored.
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    sigaddset(&taken, signal);
  }
  sigprocmask(SIG_BLOCK, &taken, &before_);
  fd_ = Fd(signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd_.valid()) sigprocmask(SIG_SETMASK, &before_, nullptr);  // nobody would ever take them
}

StopSignals::~StopSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> StopSignals::next() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

void StopSignals::put_back(int signal) { kill(getpid(), signal); }

bool StopSignals::come_within(int ms) const {
  pollfd waiting{fd_.get(), POLLIN, 0};
  return poll(&waiting, 1, ms) > 0;
}

}  // namespace pawl

#include "base/writers.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "base/again_on_eintr.h"
#include "base/file.h"

namespace pawl {

Writers writers_of_at(int folder, const std::string& name) {
  constexpr int kPatienceMs = 100;
  // Where one writer takes longer, the others are not waited for either, for a while.
  constexpr std::int64_t kGiveUpNs = 5'000'000'000;
  static std::atomic<std::int64_t> gave_up_ns = 0;
  const auto now_ns = [] {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return in_ns(now);
  };
  const bool gave_up = gave_up_ns != 0 && now_ns() - gave_up_ns < kGiveUpNs;
  const Fd fd(
      again_on_eintr([&] { return openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
  if (!fd.valid()) return errno == ENOENT ? Writers::none : Writers::unknown;
  // A server grants leases by its own rules, and knows of writers on other machines; so does a FUSE server.
  if (!network_file_system(fd.get()).empty()) return Writers::unknown;
  // The kernel grants a read lease only while nobody has the file open for writing. If somebody opens it while we hold
  // the lease, a SIGIO comes, which would end the process; so the signal is blocked.
  sigset_t io, old;
  sigemptyset(&io);
  sigaddset(&io, SIGIO);
  pthread_sigmask(SIG_BLOCK, &io, &old);
  const f_owner_ex this_thread{F_OWNER_TID, gettid()};  // the signal must not reach a thread that does not block it
  fcntl(fd.get(), F_SETOWN_EX, &this_thread);
  Writers found = Writers::unknown;
  for (int waited = 0;; ++waited) {
    const bool granted = again_on_eintr([&] { return fcntl(fd.get(), F_SETLEASE, F_RDLCK); }) == 0;
    if (granted) fcntl(fd.get(), F_SETLEASE, F_UNLCK);
    found = granted ? Writers::none : errno == EAGAIN ? Writers::some : Writers::unknown;
    if (found != Writers::some || gave_up) break;
    if (waited == kPatienceMs) {
      gave_up_ns = now_ns();
      break;
    }
    poll(nullptr, 0, 1);
  }
  const timespec at_once{};
  sigtimedwait(&io, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return found;
}

bool is_being_written_at(int folder, const std::string& name) {
  constexpr std::int64_t kQuietNs = 2'000'000'000;
  const Writers writers = writers_of_at(folder, name);
  if (writers != Writers::unknown) return writers == Writers::some;
  struct stat info {};
  timespec now{};
  if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  clock_gettime(CLOCK_REALTIME, &now);
  return std::abs(in_ns(now) - in_ns(info.st_mtim)) < kQuietNs;  // a server's clock may be ahead of ours
}

}  // namespace pawl

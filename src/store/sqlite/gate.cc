#include "store/sqlite/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/text.h"
#include "store/sqlite/boot_now.h"
#include "store/sqlite/lock_holder.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace pawl::sqlite {
namespace {

int alarm_signal() { return SIGRTMIN + 7; }

void do_nothing(int /*signal*/) {}

// Wakes this thread, and only it, out of a blocking call when time is up; and again every 10 ms, as the first
// signal may come just before the call begins.
class Alarm {
 public:
  explicit Alarm(std::int64_t after_ms) {
    // Never set back: a signal may still be on its way, and would end a process that does not expect it.
    struct sigaction action {};
    action.sa_handler = &do_nothing;
    sigaction(alarm_signal(), &action, nullptr);
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, alarm_signal());
    pthread_sigmask(SIG_UNBLOCK, &ours, &mask_before_);

    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = alarm_signal();
    event.sigev_notify_thread_id = gettid();
    works_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    if (!works_) return;
    itimerspec when{};
    when.it_value.tv_sec = after_ms / 1000;
    when.it_value.tv_nsec = after_ms % 1000 * 1'000'000 + 1;
    when.it_interval.tv_nsec = 10'000'000;
    timer_settime(timer_, 0, &when, nullptr);
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    if (works_) timer_delete(timer_);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  [[nodiscard]] bool works() const { return works_; }

 private:
  timer_t timer_{};
  sigset_t mask_before_{};
  bool works_ = false;
};

}  // namespace

class GateFile::Held final : public Gate {
 public:
  explicit Held(std::shared_ptr<GateFile> file) : file_(std::move(file)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() override {
    flock(file_->fd_.get(), LOCK_UN);
    file_->held_ = false;
  }

 private:
  std::shared_ptr<GateFile> file_;
};

Done GateFile::open(GateMode mode) {
  const int flags = mode == GateMode::exclusive ? O_RDWR | O_CREAT : O_RDONLY;
  fd_ = Fd(::open(path_.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd_.valid()) return tl::unexpected<Error>(io_error("open", path_, errno));
  in_place_since_ns_ = 0;
  return done();
}

// The file at the path is another one now: whoever comes next locks that one.
// Removing or renaming it changes the inode, so the path need not be walked while that has not changed. (A folder above
// it may be renamed unseen; then the database has moved as well, which is looked at before every write.)
bool GateFile::replaced() {
  struct stat ours {
  }, there{};
  if (fstat(fd_.get(), &ours) != 0 || ours.st_nlink == 0) return true;
  const std::int64_t changed = in_ns(ours.st_ctim);
  if (changed == in_place_since_ns_) return false;
  if (stat(path_.c_str(), &there) != 0 || there.st_ino != ours.st_ino || there.st_dev != ours.st_dev) return true;
  if (is_settled(changed)) in_place_since_ns_ = changed;
  return false;
}

Result<std::unique_ptr<Gate>> GateFile::take(GateMode mode) {
  if (held_) return fail(ErrorCode::internal, "the gate is already held through this store");
  const int operation = mode == GateMode::exclusive ? LOCK_EX : LOCK_SH;
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (!fd_.valid()) PAWL_TRY(open(mode));
    PAWL_TRY(wait(operation));
    if (!replaced()) {
      held_ = true;
      return std::unique_ptr<Gate>(new Held(shared_from_this()));
    }
    fd_.reset();
  }
  return fail(ErrorCode::busy, cat(path_, " is being replaced again and again"), "try again");
}

// The kernel wakes whoever waits for a flock, but whoever has just let go and asks again may be faster. So one passes a
// turnstile first (a lock of another kind on the same file), and lets go of it with the gate in hand: at most one waits
// at the gate itself, and the one that comes back has to queue behind those at the turnstile.
Done GateFile::wait(int operation) {
  const Alarm* alarm = nullptr;
  std::optional<Alarm> ringing;
  const std::int64_t until = boot_now_ms() + busy_ms_;
  struct flock turnstile {};
  turnstile.l_type = operation == LOCK_EX ? F_WRLCK : F_RDLCK;
  turnstile.l_whence = SEEK_SET;
  turnstile.l_len = 1;
  // At once, or blocking until the alarm says that it has been long enough.
  const auto lock = [&](auto&& at_once, auto&& blocking) -> Done {
    if (at_once() == 0) return done();
    if (errno != EWOULDBLOCK && errno != EACCES && errno != EINTR)
      return tl::unexpected<Error>(io_error("lock", path_, errno));
    if (alarm == nullptr) alarm = &ringing.emplace(busy_ms_);
    if (!alarm->works()) return tl::unexpected<Error>(in_use());
    while (blocking() != 0) {
      if (errno != EINTR) return tl::unexpected<Error>(io_error("lock", path_, errno));
      if (boot_now_ms() >= until) return tl::unexpected<Error>(in_use());
    }
    return done();
  };
  const auto range = [&](int command) { return fcntl(fd_.get(), command, &turnstile); };
  PAWL_TRY(lock([&] { return range(F_OFD_SETLK); }, [&] { return range(F_OFD_SETLKW); }));
  const Done locked =
      lock([&] { return flock(fd_.get(), operation | LOCK_NB); }, [&] { return flock(fd_.get(), operation); });
  turnstile.l_type = F_UNLCK;
  range(F_OFD_SETLK);
  return locked;
}

Error GateFile::in_use() const {
  return {ErrorCode::busy, cat("the store is in use by ", lock_holder(path_, "FLOCK")), "try again"};
}

}  // namespace pawl::sqlite

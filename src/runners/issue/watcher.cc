#include "runners/issue/watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/adopt.h"
#include "runners/issue/advice.h"
#include "runners/issue/end.h"
#include "runners/issue/output_log.h"
#include "runners/issue/past.h"

namespace pawl {
namespace {

constexpr std::int64_t kWatcherStartMs = 2'000;  // the same for a watcher
constexpr int kWatcherStepMs = 3;
constexpr std::int64_t kLookAgainMs = 500;    // while it is waited for, or another watcher is
constexpr std::int64_t kWithoutNewsMs = 200;  // where the kernel cannot tell of changes

std::string status_folder(const Engine& engine) {
  return engine.world().roots->absolute(cat(issue::base_dir(engine.settings()), "/.status"));
}

// A full disk gets room again, and a tmux that stands still answers later: whoever watches is needed then.
bool may_pass(const Error& error) { return error.code == ErrorCode::io || error.code == ErrorCode::busy; }

// Whoever began to watch may not know that it had come already.
void tell_of_early(Engine& engine, const issue::Run& run) {
  const auto recorded = read_recorded(RunBook(engine).folder(run));
  if (!recorded || !*recorded) return;
  const std::string_view word = issue::told_too_early((*recorded)->said, run.watched_from.value_or(0));
  if (word.empty()) return;
  engine.note(cat("a marker that says ", word, " stood there before issue ", run.number,
                  " was watched, and does not count\n  pawl issue set ", run.number, " ", word, "  # if it is so"));
}

class Watch {
 public:
  Watch(Engine& engine, std::int64_t number, const WatchOptions& options)
      : engine_(engine), book_(engine), number_(number), options_(options), began_ms_(now_ms()) {}

  Result<WatchEnd> run();

 private:
  [[nodiscard]] std::int64_t now_ms() const { return engine_.clock().now().boot_ms; }
  Done find_run(const Record& record);
  Done listen();
  Result<std::optional<WatchEnd>> look();
  Done keep_recording(const RunSight& sight);
  Done replace_recorder();
  [[nodiscard]] bool recorder_was_killed() const;
  Done wait(std::int64_t at_most_ms);

  Engine& engine_;
  RunBook book_;
  std::int64_t number_;
  const WatchOptions& options_;
  std::int64_t began_ms_;
  issue::Run run_;
  std::optional<Fd> lock_;
  Fd changes_;
  Fd recorder_;  // of the process that keeps the output
  std::int64_t recorder_pid_ = 0;
  std::int64_t unheard_ms_ = 0;
  bool gap_ = false;       // a new recorder was started: what came before it is to be looked for
  bool troubled_ = false;  // the last look failed
  bool told_ = false;      // that something is no signal file
  bool soon_ = false;      // a file that was just made may get its words
};

// Which session it is about. One that has not ended is the run, whatever name the status gives.
Done Watch::find_run(const Record& record) {
  PAWL_ASSIGN(const auto known, book_.find(number_));
  PAWL_ASSIGN(const bool moved, known ? has_moved(engine_, record, *known) : Result<bool>(false));
  PAWL_ASSIGN(const bool about, is_about(engine_, known, record));
  if (about && !moved) {
    run_ = *known;
    return done();
  }
  PAWL_ASSIGN(run_, adopt_session(engine_, record, options_.self));
  gap_ = true;  // between the look at its screen and the recorder's first byte
  return done();
}

Done Watch::listen() {
  PAWL_TRY(book_.make_folder(run_));
  changes_ = Fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  // The log grows all the time and is no news; what is put down beside it is moved into place.
  for (const auto& [folder, what] :
       {std::pair<std::string, std::uint32_t>{book_.folder(run_), IN_MOVED_TO},
        {status_folder(engine_), IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE}}) {
    if (changes_.valid() && inotify_add_watch(changes_.get(), folder.c_str(), what | IN_ONLYDIR) >= 0) continue;
    // A user may have so many of these and no more: then it is looked at again and again.
    log_info("watch", "inotify", io_error("watch", folder, errno).message);
    changes_.reset();
    break;
  }
  return done();
}

// The recorder is not there, and the session is: it gets another one.
Done Watch::keep_recording(const RunSight& sight) {
  if (sight.recorder_lives) {
    unheard_ms_ = 0;
    if (recorder_pid_ != sight.recorded->recorder.pid || !recorder_.valid()) {
      recorder_pid_ = sight.recorded->recorder.pid;
      recorder_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(recorder_pid_), 0)));
    }
    return done();
  }
  recorder_.reset();
  recorder_pid_ = 0;
  const bool starting = !sight.recorded || sight.recorded->recorder.pid == 0 || unheard_ms_ != 0;
  if (unheard_ms_ == 0) unheard_ms_ = now_ms();
  if (starting && now_ms() - unheard_ms_ < kRecorderStartMs) return done();
  unheard_ms_ = now_ms();
  return replace_recorder();
}

// It is gone, and has not said that its pane is.
bool Watch::recorder_was_killed() const {
  pollfd waiting{recorder_.get(), POLLIN, 0};
  if (!lock_ || !recorder_.valid() || poll(&waiting, 1, 0) <= 0) return false;
  const auto recorded = read_recorded(book_.folder(run_));
  return recorded && *recorded && !(*recorded)->ended;
}

// At once, before anything else is asked: what is printed in between is only on the screen, as far back as tmux
// remembers.
Done Watch::replace_recorder() {
  const auto piped = Tmux(run_.socket).record(run_.pane, book_.recorder_command(run_, options_.self));
  if (!piped && piped.error().code != ErrorCode::not_found) return tl::unexpected(piped.error());
  gap_ = true;
  return done();
}

Result<std::optional<WatchEnd>> Watch::look() {
  PAWL_ASSIGN(const Record record, read_issue(engine_, number_));
  if (record.status != issue::kRunning) return std::optional(WatchEnd{record, false});
  PAWL_ASSIGN(const auto known, book_.find(number_));
  PAWL_ASSIGN(const bool moved, has_moved(engine_, record, run_));
  if (moved || (known && known->id != run_.id)) {  // it runs anew, or elsewhere
    lock_.reset();
    recorder_.reset();
    recorder_pid_ = unheard_ms_ = 0;
    gap_ = false;
    PAWL_TRY(find_run(record));
    PAWL_TRY(listen());
  }
  if (!lock_) {
    PAWL_ASSIGN(lock_, book_.lock_as_watcher(run_));
    if (!lock_) return std::optional<WatchEnd>();  // another one watches: its word is waited for
    PAWL_ASSIGN(const auto now, book_.find(number_));
    if (now && now->id == run_.id) run_ = *now;
    if (!run_.watched_from) {
      PAWL_ASSIGN(const std::int64_t logged, recorded_bytes(book_.folder(run_)));
      PAWL_ASSIGN(const auto recorded, read_recorded(book_.folder(run_)));
      run_.watched_from =
          std::max(logged, recorded ? last_place(recorded->said) : 0);  // a full disk loses from the log
      PAWL_TRY(book_.amend(run_, [&](issue::Run& run) { run.watched_from = run_.watched_from; }));
    }
    tell_of_early(engine_, run_);
  }
  if (recorder_was_killed()) {
    PAWL_TRY(replace_recorder());
    recorder_.reset();
    unheard_ms_ = now_ms();
  }
  PAWL_ASSIGN(const RunSight sight, sight_of(engine_, run_, gap_));
  if (sight.recorder_lives) gap_ = false;
  soon_ = sight.signals.words_may_follow;
  if (!sight.signals.ignored.empty() && !std::exchange(told_, true))
    engine_.note(text_of_ignored(sight.signals.ignored));
  if (const auto verdict = issue::judge(sight.seen)) {
    log_info("watch", "issue", number_, "verdict", verdict->status, "why", verdict->why);
    issue::Run ours = run_;
    if (!known) ours.id.clear();  // the store was begun anew, and knows of no run: it is told by its session
    PAWL_ASSIGN(const Record after, conclude(engine_, options_.request, ours, *verdict));
    if (after.status != issue::kRunning) return std::optional(WatchEnd{after, false});
    recorder_.reset();  // one that has ended would wake it at once, again and again
    return std::optional<WatchEnd>();
  }
  PAWL_TRY(keep_recording(sight));
  return std::optional<WatchEnd>();
}

Done Watch::wait(std::int64_t at_most_ms) {
  // It may be set aside and begun anew meanwhile, and memory is better used elsewhere.
  engine_.forget_store();
  std::array<pollfd, 2> waiting = {pollfd{changes_.get(), POLLIN, 0}, pollfd{recorder_.get(), POLLIN, 0}};
  const int ready = poll(waiting.data(), recorder_.valid() ? 2 : 1,
                         static_cast<int>(std::min<std::int64_t>(at_most_ms, std::int64_t{1} << 30U)));
  if (ready < 0 && errno != EINTR) return tl::unexpected(io_error("watch", engine_.workspace().root, errno));
  std::array<char, 16384> drained{};
  while (read(changes_.get(), drained.data(), drained.size()) > 0) {
  }
  return done();
}

Result<WatchEnd> Watch::run() {
  PAWL_ASSIGN(const Record record, read_issue(engine_, number_));
  if (!record.present()) {
    PAWL_ASSIGN(const std::string how, how_to_open(engine_, record));
    return fail(ErrorCode::not_found, cat("issue ", number_, " has no status, so nothing is followed"), how);
  }
  if (record.status != issue::kRunning) return WatchEnd{record, false};
  if (!engine_.left()) engine_.use_despite_left();  // it was at work before, and goes on to its end
  PAWL_TRY(find_run(record));
  PAWL_TRY(listen());
  while (true) {
    // Where the store was begun anew beneath it, that one counts from now on. Was it?
    const auto take_new_store = [&] {
      const auto store = engine_.store();
      if (!store || !(*store)->replaced()) return false;
      engine_.forget_store();
      return true;
    };
    take_new_store();
    auto end = look();
    if (!end && !take_new_store() && !may_pass(end.error())) return tl::unexpected(end.error());
    if (end && *end) return std::move(**end);
    if (!end && !troubled_) engine_.note(cat(end.error().message, "; it is tried again"));
    troubled_ = !end;
    if (!end) {
      recorder_.reset();               // one that has ended would wake it at once, again and again
      poll(nullptr, 0, kLookAgainMs);  // not by news: trying makes some itself
    }
    std::int64_t patience = lock_ && recorder_.valid() && end && !soon_ ? -1 : kLookAgainMs;
    if (!changes_.valid()) patience = kWithoutNewsMs;
    if (options_.timeout_ms >= 0) {
      const std::int64_t left = began_ms_ + options_.timeout_ms - now_ms();
      if (left <= 0) {
        PAWL_ASSIGN(const Record now, read_issue(engine_, number_));
        return WatchEnd{now, now.status == issue::kRunning};
      }
      patience = patience < 0 ? left : std::min(patience, left);
    }
    PAWL_TRY(wait(patience));
  }
}

}  // namespace

Result<WatchEnd> watch_issue(Engine& engine, std::int64_t number, const WatchOptions& options) {
  return Watch(engine, number, options).run();
}

Done start_watcher(Engine& engine, std::int64_t number, const std::string& self) {
  PAWL_TRY(
      start_detached({self, "issue", "watch", std::to_string(number), "--actor", "watcher"}, engine.workspace().root));
  // Until it is at work, or has done it already: whoever looks next shall not find it missing, and what is printed from
  // now on counts.
  const RunBook book(engine);
  for (std::int64_t waited = 0; waited < kWatcherStartMs; waited += kWatcherStepMs) {
    PAWL_ASSIGN(const Record record, read_issue(engine, number));
    if (record.status != issue::kRunning) return done();
    PAWL_ASSIGN(const auto run, book.find(number));
    const bool runs = run && run->ended.empty();
    if (runs && run->watched_from && book.watcher(*run).pid != 0) {
      tell_of_early(engine, *run);
      return done();
    }
    poll(nullptr, 0, kWatcherStepMs);
  }
  return done();
}

}  // namespace pawl

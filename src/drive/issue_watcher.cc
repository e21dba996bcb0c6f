#include "drive/issue_watcher.h"

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
#include "drive/output_log.h"
#include "drive/run_starter.h"
#include "engine/effects.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

constexpr std::int64_t kRecorderStartMs = 5'000;  // how long a recorder may take to say that it is there
constexpr std::int64_t kWatcherStartMs = 2'000;   // the same for a watcher
constexpr int kWatcherStepMs = 3;
constexpr std::int64_t kLookAgainMs = 500;    // while it is waited for, or another watcher is
constexpr std::int64_t kWithoutNewsMs = 200;  // where the kernel can not tell of changes

std::string status_folder(const Engine& engine) {
  return engine.world().roots->absolute(cat(issue::base_dir(engine.settings()), "/.status"));
}

// A full disk gets room again, and a tmux that stands still answers later: whoever watches is needed then.
bool may_pass(const Error& error) { return error.code == ErrorCode::io || error.code == ErrorCode::busy; }

// What is known of the run that the status speaks of; one that has ended is another.
bool is_of(const std::optional<issue::Run>& known, std::string_view session) {
  return known && known->session == session && known->ended.empty();
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

// Which session it is about; the first watcher of a run says from where on its output counts.
Done Watch::find_run(const Record& record) {
  PAWL_ASSIGN(const auto known, book_.find(number_));
  if (is_of(known, string_or(record.doc, "session"))) {
    run_ = *known;
  } else {
    PAWL_ASSIGN(run_, adopt_session(engine_, record, options_.self));
  }
  return done();
}

Done Watch::listen() {
  PAWL_TRY(make_folders(book_.folder(run_), 0700));
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
  const auto piped = Tmux(run_.socket).record(run_.pane, recorder_command(engine_, run_, options_.self));
  if (!piped && piped.error().code != ErrorCode::not_found) return tl::unexpected(piped.error());
  gap_ = true;  // what was printed since the last look and before this is on the screen only
  return done();
}

Result<std::optional<WatchEnd>> Watch::look() {
  PAWL_ASSIGN(const Record record, read_issue(engine_, number_));
  if (record.status != issue::kRunning) return std::optional(WatchEnd{record, false});
  PAWL_ASSIGN(const auto known, book_.find(number_));
  Sessions sessions;
  // It runs anew, elsewhere or in a session of the same name. (As long as its own session is there, another name in the
  // status is only a word.)
  if ((known && known->id != run_.id) ||
      (string_or(record.doc, "session") != run_.session && !sessions.has(run_).value_or(true))) {
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
  }
  PAWL_ASSIGN(const RunSight sight, sight_of(engine_, run_, gap_));
  if (sight.recorder_lives) gap_ = false;
  soon_ = sight.words_may_follow;
  if (!sight.ignored.empty() && !std::exchange(told_, true)) engine_.note(text_of_ignored(sight.ignored));
  if (const auto verdict = issue::judge(sight.seen)) {
    log_info("watch", "issue", number_, "verdict", verdict->status, "why", verdict->why);
    PAWL_ASSIGN(const Record after, conclude(engine_, options_.request, run_, *verdict));
    if (after.status != issue::kRunning) return std::optional(WatchEnd{after, false});
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
  if (!record.present())
    return fail(ErrorCode::not_found, cat("issue ", number_, " has no status, so nothing is under way"),
                cat("pawl issue run ", number_, " starts it"));
  if (record.status != issue::kRunning) return WatchEnd{record, false};
  PAWL_TRY(find_run(record));
  PAWL_TRY(listen());
  while (true) {
    auto end = look();
    if (!end && !may_pass(end.error())) return tl::unexpected(end.error());
    if (end && *end) return std::move(**end);
    if (!end && !troubled_) engine_.note(cat(end.error().message, "; it is tried again"));
    troubled_ = !end;
    if (!end) recorder_.reset();  // one that has ended would wake it at once, again and again
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
    const bool known = is_of(run, string_or(record.doc, "session", issue::session_name(number, engine.settings())));
    if (known && run->watched_from && book.watcher(*run).pid != 0) return done();
    poll(nullptr, 0, kWatcherStepMs);
  }
  return done();
}

std::vector<std::string> recorder_command(Engine& engine, const issue::Run& run, const std::string& self) {
  return {self,
          "-C",
          engine.workspace().store,
          "issue",
          "record",
          std::to_string(run.number),
          "--folder",
          RunBook(engine).folder(run)};
}

Result<issue::Run> adopt_session(Engine& engine, const Record& record, const std::string& self) {
  const std::int64_t number = parse_positive(record.id.key).value_or(0);
  const std::string session_name = string_or(record.doc, "session", issue::session_name(number, engine.settings()));
  RunBook book(engine);
  PAWL_ASSIGN(const Fd lock, book.lock(number));
  PAWL_ASSIGN(const auto known, book.find(number));
  if (is_of(known, session_name)) return *known;  // another one was first
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, number));
  if (cut_off && cut_off->session.name == session_name) {  // started by a command that died before it could say so
    issue::Run run = cut_off->run;
    run.session = cut_off->session.name;
    run.socket = cut_off->session.socket;
    run.pane = cut_off->session.pane;
    PAWL_TRY(book.keep_started(run));
    return run;
  }
  issue::Run run = known.value_or(issue::Run{});  // what is known of the work stays known
  run.number = number;
  run.session = session_name;
  run.started_ms = engine.clock().now().wall_ms;
  run.ended.clear();
  run.watch = true;
  run.watched_from = 0;
  run.socket.clear();
  PAWL_ASSIGN(run.id, new_marker());
  PAWL_TRY(make_folders(book.folder(run), 0700));
  PAWL_ASSIGN(const auto session, Tmux().session(run.session));
  const bool ours = session && (session->run.empty() || (known && session->run == known->id));
  if (session && !ours)
    return fail(ErrorCode::conflict,
                cat("the session ", printable(run.session), " belongs to another run, in ", printable(session->path)),
                "give the issue a session of its own: pawl issue run, or the setting issue.session_prefix");
  if (session) {
    // What is on the screen already is known as said, and does not count.
    issue::MarkerReader reader(number, "");
    PAWL_ASSIGN(const std::string shown, Tmux().history(session->pane));
    reader.feed(shown);
    reader.end();
    issue::Said before;
    before.completes = reader.said().completes;
    before.errors = reader.said().errors;
    PAWL_TRY(write_said_before(book.folder(run), before));
    if (run.worktree.empty()) run.worktree = session->path;
    // Whoever dies behind the mark leaves a session that this finds again, by it.
    PAWL_TRY(book.keep_starting(number, run));
    PAWL_TRY(Tmux().mark(session->pane, run.id));
    PAWL_ASSIGN(const StartedSession piped, Tmux().record(session->pane, recorder_command(engine, run, self)));
    run.pane = piped.pane;
    run.socket = piped.socket;
  }
  PAWL_TRY(book.keep_started(run));
  book.forget_others(run);
  return run;
}

}  // namespace pawl

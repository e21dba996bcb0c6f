#include "drive/issue/on_board.h"

#include <unistd.h>

#include <algorithm>

#include "base/place.h"
#include "base/text.h"
#include "drive/issue/advice.h"
#include "drive/issue/before_start.h"
#include "drive/issue/output_log.h"
#include "drive/issue/past.h"
#include "drive/issue/recorder.h"
#include "drive/issue/run_book.h"
#include "drive/issue/sessions.h"
#include "drive/issue/unfinished.h"
#include "lifecycle/issue/issue.h"

namespace pawl {

namespace {

constexpr int kBoardPatienceMs = 500;  // with a tmux that does not answer
constexpr std::string_view kCutOff = "its start was cut off";

std::string to_attach(std::int64_t number) {
  return cat("pawl issue attach ", number, "  # its session is still there");
}

}  // namespace

IssuesOnBoard::IssuesOnBoard(Engine& engine, const View& view)
    : engine_(engine),
      view_(view),
      sessions_(engine, kBoardPatienceMs),
      any_runs_(access(cat(engine.workspace().store, "/runs").c_str(), F_OK) == 0) {}

Result<AtWork> IssuesOnBoard::at_work(const Record& record) {
  const RunBook book(engine_);
  std::optional<issue::Run> run;
  if (any_runs_) {
    PAWL_ASSIGN(run, book.find(view_.store(), issue::number_of(record)));
  }
  PAWL_ASSIGN(const bool about, is_about(view_.store(), book, run, record));
  AtWork there = about ? at_work(book, *run) : AtWork{};
  if (there.session) there.stop = Tmux(run->socket).how_to_end(run->session);
  if (there.session || there.watched) return there;
  const auto session = session_of(record, run);
  there.session = !session || *session;
  if (session && *session) there.stop = Tmux((*session)->socket).how_to_end((*session)->name);
  return there;
}

AtWork IssuesOnBoard::at_work(const RunBook& book, const issue::Run& run) {
  const auto recorded = read_recorded(book.folder(run));
  return {recorded && *recorded && (*recorded)->recorder_lives(), book.watcher(run).pid != 0};
}

Done IssuesOnBoard::see_running(const Record& record, Placed& row) {
  const RunBook book(engine_);
  std::optional<issue::Run> run;
  if (any_runs_) {
    PAWL_ASSIGN(run, book.find(view_.store(), issue::number_of(record)));
  }
  if (run) row.headline = run->title;
  if (!run || !run->ended.empty()) return see_others(record, run, row);
  if (engine_.clock().now().wall_ms - run->started_ms < kRecorderStartMs) return done();
  const AtWork there_is = at_work(book, *run);
  const bool session = there_is.session, watched = there_is.watched;
  if (watched || (session && !run->watch)) return done();  // where its session is gone, it is about to say so
  if (!session) {
    PAWL_ASSIGN(const bool about, is_about(view_.store(), book, run, record));
    if (!about) return see_others(record, run, row);
  }
  const std::int64_t number = issue::number_of(record);
  if (session) return unwatched(number, row);
  const bool there = has_worktree(number, run->worktree);
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = "stopped: its session is gone, and nobody watches it";
  row.stand.advice = without_session(engine_, number, {there, there || !run->title.empty(), knows_agent(run), true});
  return done();
}

Done IssuesOnBoard::unwatched(std::int64_t number, Placed& row) {
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = "it runs, and its watcher is gone";
  row.stand.advice = cat("pawl issue reconcile ", number, "  # starts another watcher");
  return done();
}

// Of those that have none of their own it is the same for all, and looked for in PATH.
bool IssuesOnBoard::knows_agent(const std::optional<issue::Run>& run) {
  if (run) return has_agent(engine_, run);
  if (!agent_) agent_ = has_agent(engine_, std::nullopt);
  return *agent_;
}

Result<std::optional<TmuxSession>> IssuesOnBoard::session_of(const Record& record,
                                                             const std::optional<issue::Run>& run) {
  const bool listens = sessions_.listens({}) || (run && !run->socket.empty() && sessions_.listens(run->socket));
  return listens ? sessions_.of(record, run) : std::optional<TmuxSession>();
}

std::optional<bool> IssuesOnBoard::has_session(const Record& record, const std::optional<issue::Run>& run) {
  const auto session = session_of(record, run);
  return session ? std::optional(session->has_value()) : std::nullopt;
}

// One that a script has started, or of which nobody knows who said so.
Done IssuesOnBoard::see_others(const Record& record, const std::optional<issue::Run>& run, Placed& row) {
  if (!row.worker.empty()) return done();
  const std::int64_t number = issue::number_of(record);
  const std::int64_t since = row.stand.since_ms != 0 ? row.stand.since_ms : row.heard_ms;
  const std::int64_t now = engine_.clock().now().wall_ms;
  if (now - std::max(since, row.heard_ms) < kRecorderStartMs) return done();  // its session may be about to be started
  // Its end was taken back, and it lives: without a look at tmux, by who keeps its output.
  const bool same = run && run->watch && string_or(record.doc, "session") == run->session;
  if (same && at_work(RunBook(engine_), *run).session) return unwatched(number, row);
  const auto lives = has_session(record, run);
  if (lives == true || (!lives && (since == 0 || now - since < kDayMs))) return done();
  row.stand.place = BoardPlace::needs_person;
  if (!lives) {
    const std::int64_t days = (now - since) / kDayMs;
    row.stand.why = cat("says running for ", days, days == 1 ? " day" : " days", "; pawl did not start it");
    row.stand.advice = cat("pawl issue reconcile ", number, "  # looks, and ends it where it has no session");
    return done();
  }
  const bool there = has_worktree(number, run ? run->worktree : std::string());
  PAWL_ASSIGN(const bool titled, there ? Result<bool>(true) : is_titled(RunBook(engine_), number, run));
  row.stand.why = "its session is gone";
  row.stand.advice = without_session(engine_, number, {there, titled, knows_agent(run)});
  return done();
}

// A folder that can not be looked into is told of where its files are looked for, and hides no board.
bool IssuesOnBoard::has_worktree(std::int64_t number, const std::string& known) {
  if (!known.empty() && !real_path(engine_.world().roots->absolute(known)).empty()) return true;
  if (!worktrees_) {
    worktrees_.emplace();
    const auto folder = engine_.world().roots->find_folder(issue::base_dir(engine_.settings()), false);
    const auto names = folder && *folder ? names_in((*folder)->get()) : std::vector<std::string>();
    for (const std::string& name : names ? *names : std::vector<std::string>()) {
      if (const auto of = issue::issue_of_worktree(name)) worktrees_->insert(*of);
    }
  }
  return worktrees_->contains(number);
}

Result<bool> IssuesOnBoard::is_titled(const RunBook& book, std::int64_t number, const std::optional<issue::Run>& run) {
  if (run && !run->title.empty()) return true;
  PAWL_ASSIGN(const auto former, book.former(view_.store(), number));
  return former && !former->title.empty();
}

Result<std::vector<issue::Run>> IssuesOnBoard::cut_off() {
  if (!any_runs_) return std::vector<issue::Run>();
  if (!cut_off_) {
    PAWL_ASSIGN(cut_off_, cut_off_starts(engine_, view_.store()));
  }
  return *cut_off_;
}

Done IssuesOnBoard::see_cut_off(const issue::Run& run, Placed& row) {
  const bool session = at_work(RunBook(engine_), run).session;
  const bool worktree = has_worktree(run.number, run.worktree);
  row.stand.why = session ? cat(kCutOff, ", and its agent is at work") : std::string(kCutOff);
  row.stand.advice = how_to_take_up(run, worktree || session);
  return done();
}

Result<std::vector<Placed>> IssuesOnBoard::without_status() {
  std::vector<Placed> out;
  PAWL_ASSIGN(const auto starts, cut_off());
  for (const issue::Run& run : starts) {
    Placed row;
    PAWL_ASSIGN(row.record, view_.load(issue::id_of(run.number, engine_.settings())));
    if (row.record.present() && row.record.status != issue::kComplete) continue;  // it has a row that says so
    row.record.status = issue::kRunning;
    row.headline = run.title;
    row.stand.place = BoardPlace::needs_person;
    PAWL_TRY(see_cut_off(run, row));
    row.heard_ms = run.started_ms;
    out.push_back(std::move(row));
  }
  return out;
}

Done IssuesOnBoard::advise(Placed& row) {
  const std::int64_t number = issue::number_of(row.record);
  const RunBook book(engine_);
  PAWL_ASSIGN(const auto run, book.find(view_.store(), number));
  if (run) row.headline = run->title;
  PAWL_ASSIGN(const auto starts, cut_off());
  for (const issue::Run& start : starts) {
    if (start.number == number) return see_cut_off(start, row);
  }
  const issue::WayOn way = issue::way_on(row.record);
  if (way == issue::WayOn::another_agent) return done();
  const bool there = has_worktree(number, run ? run->worktree : std::string());
  if (way == issue::WayOn::read_output && run && recorded_bytes(book.folder(*run)).value_or(0) > 0) {
    // One that is still at its prompt is no one's to end.
    if (at_work(book, *run).session)
      row.stand.advice += cat("\n", to_attach(number));
    else if (there)
      row.stand.advice += cat("\n", resume_command(engine_, number, knows_agent(run)), "  # goes on with it");
    return done();
  }
  if (way == issue::WayOn::resume && there) {
    if (!knows_agent(run)) row.stand.advice = cat(resume_command(engine_, number, false), "  # goes on with it");
    return done();
  }
  PAWL_ASSIGN(const bool titled, there ? Result<bool>(true) : is_titled(book, number, run));
  const std::string forget = cat("pawl issue remove ", number, "  # forgets it");
  // A script's session that told of its error may be open still: another one would not be begun beside it.
  if (has_session(row.record, run) == true) {
    row.stand.advice = cat(to_attach(number), "\n", forget);
    return done();
  }
  row.stand.advice = engine_.workspace().git_dir.empty()
                         ? forget
                         : cat(again_command(engine_, number, titled),
                               there ? "  # goes on in its worktree\n" : "  # begins anew\n", forget);
  return done();
}

}  // namespace pawl

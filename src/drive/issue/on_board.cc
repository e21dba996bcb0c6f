#include "drive/issue/on_board.h"

#include <unistd.h>

#include "base/place.h"
#include "base/text.h"
#include "drive/issue/advice.h"
#include "drive/issue/output_log.h"
#include "drive/issue/recorder.h"
#include "drive/issue/run_book.h"
#include "drive/issue/sessions.h"
#include "lifecycle/issue/issue.h"

namespace pawl {

IssuesOnBoard::IssuesOnBoard(Engine& engine, const View& view)
    : engine_(engine), view_(view), any_runs_(access(cat(engine.workspace().store, "/runs").c_str(), F_OK) == 0) {}

Result<AtWork> IssuesOnBoard::at_work(const Record& record) const {
  if (!any_runs_) return AtWork{};
  const RunBook book(engine_);
  PAWL_ASSIGN(const auto run, book.find(view_.store(), issue::number_of(record)));
  if (!run || !run->ended.empty() || !is_about(run, record)) return AtWork{};
  return at_work(book, *run);
}

AtWork IssuesOnBoard::at_work(const RunBook& book, const issue::Run& run) {
  const auto recorded = read_recorded(book.folder(run));
  return {recorded && *recorded && (*recorded)->recorder_lives(), book.watcher(run).pid != 0};
}

Done IssuesOnBoard::see_running(const Record& record, Placed& row) const {
  const RunBook book(engine_);
  std::optional<issue::Run> run;
  if (any_runs_) {
    PAWL_ASSIGN(run, book.find(view_.store(), issue::number_of(record)));
  }
  if (!run || !run->ended.empty() || !is_about(run, record)) {
    see_others(row);
    return done();
  }
  if (engine_.clock().now().wall_ms - run->started_ms < kRecorderStartMs) return done();
  const auto [session, watched] = at_work(book, *run);
  if (session && (watched || !run->watch)) return done();
  if (session) {
    row.stand.why = "its watcher is gone: pawl issue reconcile starts another";
    return done();
  }
  if (watched) return done();  // it is about to say how it ended
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = "stopped: its session is gone, and nobody watches it";
  row.stand.advice = "pawl issue reconcile says how it ended";
  return done();
}

// Of a session that pawl did not start nothing is known without asking tmux. One that says so for days is doubted.
void IssuesOnBoard::see_others(Placed& row) const {
  constexpr std::int64_t kDayMs = 86'400'000;
  const std::int64_t since = row.stand.since_ms != 0 ? row.stand.since_ms : row.heard_ms;
  const std::int64_t now = engine_.clock().now().wall_ms;
  if (since == 0 || now - since < kDayMs || !row.worker.empty()) return;
  const std::int64_t days = (now - since) / kDayMs;
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = cat("says running for ", days, days == 1 ? " day" : " days", "; pawl did not start it");
  row.stand.advice = "pawl issue reconcile looks, and ends it where it has no session";
}

Result<bool> IssuesOnBoard::has_worktree(std::int64_t number, const std::string& known) {
  if (!known.empty() && !real_path(engine_.world().roots->absolute(known)).empty()) return true;
  if (!worktrees_) {
    worktrees_.emplace();
    PAWL_ASSIGN(const auto folder, engine_.world().roots->find_folder(issue::base_dir(engine_.settings()), false));
    if (!folder) return false;
    PAWL_ASSIGN(const auto names, names_in(folder->get()));
    for (const std::string& name : names) {
      if (const auto of = issue::issue_of_worktree(name)) worktrees_->insert(*of);
    }
  }
  return worktrees_->contains(number);
}

Done IssuesOnBoard::advise(Placed& row) {
  const std::int64_t number = issue::number_of(row.record);
  const RunBook book(engine_);
  PAWL_ASSIGN(const auto run, book.find(view_.store(), number));
  const issue::WayOn way = issue::way_on(row.record);
  if (way == issue::WayOn::another_agent) return done();
  if (way == issue::WayOn::read_output && run && recorded_bytes(book.folder(*run)).value_or(0) > 0) return done();
  PAWL_ASSIGN(const bool there, has_worktree(number, run ? run->worktree : std::string()));
  if (way == issue::WayOn::resume && there) return done();
  PAWL_ASSIGN(const auto former, book.former(view_.store(), number));
  const bool titled = there || (run && !run->title.empty()) || (former && !former->title.empty());
  const std::string forget = cat("pawl issue remove ", number, " forgets it");
  row.stand.advice = engine_.workspace().git_dir.empty()
                         ? forget
                         : cat(again_command(engine_, number, titled), " begins anew; ", forget);
  return done();
}

}  // namespace pawl

#include "runners/issue/on_board.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/place.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/before_start.h"
#include "runners/issue/output_log.h"
#include "runners/issue/past.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sessions.h"
#include "runners/issue/unfinished.h"

namespace pawl {

namespace {

constexpr int kBoardPatienceMs = 500;  // with a tmux that does not answer
constexpr std::string_view kCutOff = "its start was cut off";

std::string to_attach(std::int64_t number) {
  return cat("pawl issue attach ", number, "  # its session is still there");
}

}  // namespace

struct IssuesOnBoard::Elsewhere {
  std::unique_ptr<Engine> engine;
  IssuesOnBoard board;
};

IssuesOnBoard::IssuesOnBoard(Engine& engine, const View& view)
    : engine_(engine),
      view_(view),
      sessions_(engine, kBoardPatienceMs),
      any_runs_(access(cat(engine.workspace().store, "/runs").c_str(), F_OK) == 0) {}

IssuesOnBoard::~IssuesOnBoard() = default;

// Its settings are those of here, but for the folder; its store is never asked for: the view has it open.
Result<IssuesOnBoard*> IssuesOnBoard::elsewhere(const Record& record) {
  if (record.id.scope == issue::id_of(1, engine_.settings()).scope) return nullptr;
  auto& there = elsewhere_[record.id.scope];
  if (!there) {
    EngineOptions options;
    options.dir = engine_.workspace().root;
    options.lifecycles = &engine_.lifecycles();
    options.clock = &engine_.clock();
    options.over = {{"issue.base_dir", issue::base_dir_of(record.id)}};
    PAWL_ASSIGN(auto engine, Engine::open(options));
    Engine& opened = *engine;
    there.reset(new Elsewhere{std::move(engine), {opened, view_}});
  }
  return &there->board;
}

Result<AtWork> IssuesOnBoard::at_work(const Record& record) {
  PAWL_ASSIGN(IssuesOnBoard* const there_only, elsewhere(record));
  if (there_only != nullptr) return there_only->at_work(record);
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
  return {recorded && *recorded && (*recorded)->recorder_lives, book.watcher(run).pid != 0};
}

Done IssuesOnBoard::see_running(const Record& record, Placed& row) {
  PAWL_ASSIGN(IssuesOnBoard* const there_only, elsewhere(record));
  if (there_only != nullptr) return there_only->see_running(record, row);
  const RunBook book(engine_);
  std::optional<issue::Run> run;
  if (any_runs_) {
    PAWL_ASSIGN(run, book.find(view_.store(), issue::number_of(record)));
  }
  if (run) row.headline = run->title;
  if (!run || !run->ended.empty()) return see_others(record, run, row);
  if (engine_.clock().now().wall_ms - run->started_ms < kRecorderStartMs) return done();
  const AtWork there_is = at_work(book, *run);
  const std::int64_t number = issue::number_of(record);
  if (there_is.watched) return done();  // where its session is gone, it is about to say so
  if (there_is.session) return run->watch ? unwatched(number, row) : done();
  PAWL_ASSIGN(const bool about, is_about(view_.store(), book, run, record));
  if (!about) return see_others(record, run, row);
  // Whoever kept its output was killed, or its session is gone: only tmux knows.
  const auto lives = has_session(record, run);
  if (lives == true)
    return run->watch ? unwatched(number, row, "who watched it and who kept its output are gone") : done();
  if (!lives) {
    row.stand.place = BoardPlace::needs_person;
    row.stand.why = "nobody watches it, and tmux does not say whether its session is there";
    row.stand.advice = cat("pawl issue reconcile ", number, "  # looks again, once tmux answers");
    return done();
  }
  const bool there = has_worktree(number, run->worktree);
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = "stopped: its session is gone, and nobody watches it";
  row.stand.advice = without_session(engine_, number, {there, there || !run->title.empty(), knows_agent(run), true});
  return done();
}

Done IssuesOnBoard::unwatched(std::int64_t number, Placed& row, std::string_view gone) {
  row.stand.place = BoardPlace::needs_person;
  row.stand.why = cat("it runs, and ", gone);
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

// A folder that cannot be looked into is told of where its files are looked for, and hides no board.
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
  if (!any_runs_) return out;
  PAWL_ASSIGN(const auto numbers, RunBook(engine_).numbers());
  for (const std::int64_t number : numbers) {
    const bool told = std::any_of(starts.begin(), starts.end(), [&](const auto& one) { return one.number == number; });
    PAWL_ASSIGN(auto row, told ? Result<std::optional<Placed>>(std::nullopt) : without_its_status(number));
    if (row) out.push_back(std::move(*row));
  }
  return out;
}

Result<std::optional<Placed>> IssuesOnBoard::without_its_status(std::int64_t number) {
  const RunBook book(engine_);
  Placed row;
  PAWL_ASSIGN(row.record, view_.load(issue::id_of(number, engine_.settings())));
  if (row.record.present()) return std::optional<Placed>();
  PAWL_ASSIGN(const auto run, book.find(view_.store(), number));
  if (!run || !run->ended.empty()) return std::optional<Placed>();
  if (!at_work(book, *run).session && has_session(row.record, run) != true) return std::optional<Placed>();
  PAWL_ASSIGN(const auto event, view_.store().event_at(row.record.id, std::numeric_limits<std::int64_t>::max()));
  const bool known = event && !event->after.present() && !view_.unrecorded(row.record.id);
  PAWL_ASSIGN(const auto operation,
              known ? view_.store().operation(event->operation) : Result<std::optional<Operation>>(std::nullopt));
  row.record.status = issue::kUnknown;
  row.headline = run->title;
  row.heard_ms = operation ? operation->at_ms : run->started_ms;
  row.stand.place = BoardPlace::needs_person;
  row.stand.why =
      cat(operation && operation->outside ? "its status file was removed outside pawl" : "its status was removed",
          ", and its agent is at work");
  row.stand.advice = cat("pawl issue reconcile ", number, "  # has it running again, and watched\n",
                         operation ? cat("pawl undo ", operation->id, "  # brings its status back as it was\n") : "",
                         "pawl issue stop ", number, "  # ends it");
  return std::optional(std::move(row));
}

Done IssuesOnBoard::advise(Placed& row) {
  PAWL_ASSIGN(IssuesOnBoard* const there_only, elsewhere(row.record));
  if (there_only != nullptr) return there_only->advise(row);
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

#include "runners/issue/sight.h"

#include "base/text.h"
#include "lifecycles/issue/issue.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxExit = 64;

// What came while nobody kept the output is still on the screen, or has scrolled off it: more markers there than were
// recorded means that one was missed.
Done look_back(const issue::Run& run, const std::string& folder, RunSight& sight) {
  PAWL_ASSIGN(const std::string shown, Tmux(run.socket).history(run.pane));
  PAWL_ASSIGN(const issue::Said on_screen, said_in(run.number, folder, shown));
  issue::Said& said = sight.seen.said;
  const issue::Said before = sight.recorded ? sight.recorded->said : issue::Said{};
  if (on_screen.completes > before.completes) said.complete = sight.seen.watched_from + 1;
  if (on_screen.errors > before.errors) {
    said.error = sight.seen.watched_from + 1;
    said.message = on_screen.message;
    said.message_open = false;
  }
  return done();
}

// While it lives, so does the pane.
Done look_at_recorder(const issue::Run& run, const std::string& folder, bool gap, RunSight& sight) {
  PAWL_ASSIGN(sight.recorded, read_recorded(folder));
  if (sight.recorded) sight.seen.said = sight.recorded->said;
  sight.recorder_lives = sight.recorded && sight.recorded->recorder_lives;
  if (!sight.recorder_lives) return done();
  sight.pane_lives = true;
  return gap ? look_back(run, folder, sight) : done();
}

}  // namespace

Result<RunSight> sight_of(Engine& engine, const issue::Run& run, bool gap) {
  const std::string folder = RunBook(engine).folder(run);
  RunSight sight;
  PAWL_ASSIGN(sight.signals, read_signals(engine, run.number));
  sight.seen.signal_complete = sight.signals.complete;
  sight.seen.signal_error = sight.signals.error;
  sight.seen.watched_from = run.watched_from.value_or(0);
  PAWL_TRY(look_at_recorder(run, folder, gap, sight));
  if (sight.recorder_lives) return sight;
  Sessions sessions(engine);
  PAWL_ASSIGN(const bool session, sessions.has(run));
  if (session) {
    PAWL_ASSIGN(sight.pane_lives, Tmux(run.socket).has_pane(run.pane));
  }
  // Between the first look and this one it may have begun, or put down its last words and ended. One that lives reads
  // on: what its session printed before it went is still to come.
  PAWL_TRY(look_at_recorder(run, folder, gap, sight));
  if (sight.recorder_lives) return sight;
  // One that has just begun may not have said that it is there.
  const bool unheard = !sight.recorded || sight.recorded->recorder.pid == 0;
  const bool starting = unheard && engine.clock().now().wall_ms - run.started_ms < kRecorderStartMs;
  if (sight.pane_lives && !starting) PAWL_TRY(look_back(run, folder, sight));
  sight.pane_lives = sight.pane_lives || starting;
  if (sight.pane_lives) return sight;
  sight.seen.gone = true;
  sight.seen.said.message_open = false;  // nobody will say more
  PAWL_ASSIGN(const FileImage exit, read_file(cat(folder, "/exit"), kMaxExit));
  if (exit.exists) sight.seen.exit = static_cast<int>(parse_positive(trim(exit.bytes)).value_or(0));
  return sight;
}

Result<Record> read_issue(Engine& engine, std::int64_t number) {
  const RecordId id = issue::id_of(number, engine.settings());
  Look look;
  look.records.push_back(id);
  Record found;
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.load(id));
    return done();
  }));
  return found;
}

Result<std::vector<Record>> read_issues(Engine& engine) {
  Query query;
  query.kind = issue::kKind;
  query.scope = issue::id_of(1, engine.settings()).scope;
  Look look;
  look.kinds.emplace_back(issue::kKind);
  std::vector<Record> found;
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.list(query));
    return done();
  }));
  return found;
}

}  // namespace pawl

#include "drive/run_sight.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxSignal = std::size_t{1} << 20U;
constexpr std::int64_t kRecorderStartMs = 5'000;
constexpr std::int64_t kWordsMayFollowMs = 400;  // an empty file that tells of an error is younger than this

// Where a signal file stands. Only a regular file is one: what a link leads to is somebody else's, and a folder or a
// pipe says nothing.
struct SignalFile {
  std::optional<Fd> folder;  // none: there is no such file
  std::string name, path;
  bool odd = false;  // something else stands there
  std::int64_t changed_ms = 0;
};

Result<SignalFile> signal_file(const Engine& engine, std::string_view kind, std::int64_t number) {
  const std::string folder = cat(issue::base_dir(engine.settings()), "/.status");
  SignalFile file{std::nullopt, cat("signal-", kind, "-", number), {}, false, 0};
  file.path = cat(folder, "/", file.name);
  PAWL_ASSIGN(auto opened, engine.world().roots->find_folder(folder, false));
  struct stat info {};
  if (!opened || fstatat(opened->get(), file.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return file;
  file.odd = !S_ISREG(info.st_mode);
  file.changed_ms = info.st_mtim.tv_sec * 1'000 + info.st_mtim.tv_nsec / 1'000'000;
  if (!file.odd) file.folder = std::move(opened);
  return file;
}

// What the signal file says; nullopt when there is none.
Result<std::optional<std::string>> signal(const Engine& engine, std::string_view kind, std::int64_t number,
                                          RunSight& sight) {
  PAWL_ASSIGN(const SignalFile file, signal_file(engine, kind, number));
  if (file.odd) sight.ignored.push_back(file.path);
  if (!file.folder) return std::optional<std::string>();
  PAWL_ASSIGN(const FileImage image, read_file_at(file.folder->get(), file.name, kMaxSignal));
  if (!image.exists) return std::optional<std::string>();
  // A shell makes the file first and writes its words into it then.
  const std::int64_t age_ms = engine.clock().now().wall_ms - file.changed_ms;
  if (kind == issue::kError && image.bytes.empty() && age_ms >= 0 && age_ms < kWordsMayFollowMs) {
    sight.words_may_follow = true;
    return std::optional<std::string>();
  }
  return std::optional(image.bytes);
}

// What came while nobody kept the output is still on the screen, or has scrolled off it: more markers there than were
// recorded means that one was missed.
Done look_back(const issue::Run& run, RunSight& sight) {
  PAWL_ASSIGN(const std::string shown, Tmux(run.socket).history(run.pane));
  issue::MarkerReader reader(run.number, "");
  reader.leave_out(run.title);
  reader.feed(shown);
  reader.end();
  issue::Said& said = sight.seen.said;
  const issue::Said before = sight.recorded ? sight.recorded->said : issue::Said{};
  if (reader.said().completes > before.completes) said.complete = sight.seen.watched_from + 1;
  if (reader.said().errors > before.errors) {
    said.error = sight.seen.watched_from + 1;
    said.message = reader.said().message;
    said.message_open = false;
  }
  return done();
}

}  // namespace

Result<std::vector<TmuxSession>> Sessions::on(const std::string& socket) {
  const auto known = known_.find(socket);
  if (known != known_.end()) return known->second;
  auto found = Tmux(socket, patience_ms_).sessions();
  if (!found && found.error().code == ErrorCode::unavailable) found = std::vector<TmuxSession>{};
  return known_.emplace(socket, std::move(found)).first->second;
}

Result<std::optional<TmuxSession>> Sessions::find(const issue::Run& run) {
  PAWL_ASSIGN(const auto sessions, on(run.socket));
  for (const TmuxSession& session : sessions) {
    if (!run.id.empty() && session.run == run.id) return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Result<bool> Sessions::has(const issue::Run& run) {
  PAWL_ASSIGN(const auto session, find(run));
  return session.has_value();
}

Result<std::optional<TmuxSession>> Sessions::of(const Record& record, const std::optional<issue::Run>& run) {
  const std::string name = string_or(record.doc, "session");
  if (run && run->session == name) {
    PAWL_ASSIGN(auto own, find(*run));
    if (own) return own;
  }
  PAWL_ASSIGN(const auto sessions, on({}));
  for (const TmuxSession& session : sessions) {
    if (session.name == name && session.run.empty()) return std::optional(session);
  }
  return std::optional<TmuxSession>();
}

Done check_gone(Engine& engine, const issue::Run& run) {
  constexpr int kLastWordsMs = 2'000;
  PAWL_ASSIGN(const auto recorded, read_recorded(RunBook(engine).folder(run)));
  if (!recorded || !recorded->recorder_lives() || ends_within(recorded->recorder, kLastWordsMs)) return done();
  const std::int64_t server = parent_of(recorded->recorder.pid);
  return fail(
      ErrorCode::conflict,
      cat("the session of issue ", run.number, " is still at work, but tmux does not find it at ",
          run.socket.empty() ? std::string("its socket") : printable(run.socket)),
      server > 1 ? cat("was the socket removed? kill -USR1 ", server, " has tmux make it anew") : std::string());
}

Result<RunSight> sight_of(Engine& engine, const issue::Run& run, bool gap) {
  const std::string folder = RunBook(engine).folder(run);
  RunSight sight;
  PAWL_ASSIGN(sight.seen.signal_complete, signal(engine, "complete", run.number, sight));
  PAWL_ASSIGN(sight.seen.signal_error, signal(engine, "error", run.number, sight));
  sight.seen.watched_from = run.watched_from.value_or(0);
  PAWL_ASSIGN(sight.recorded, read_recorded(folder));
  if (sight.recorded) sight.seen.said = sight.recorded->said;
  sight.recorder_lives = sight.recorded && sight.recorded->recorder_lives();
  if (sight.recorder_lives) {
    sight.pane_lives = true;
    if (gap) PAWL_TRY(look_back(run, sight));
    return sight;
  }
  Sessions sessions;
  PAWL_ASSIGN(const bool session, sessions.has(run));
  if (session) {
    PAWL_ASSIGN(sight.pane_lives, Tmux(run.socket).has_pane(run.pane));
  }
  // Between the first look and this one it may have begun, or put down its last words and ended. One that lives reads
  // on: what its session printed before it went is still to come.
  PAWL_ASSIGN(sight.recorded, read_recorded(folder));
  if (sight.recorded) sight.seen.said = sight.recorded->said;
  sight.recorder_lives = sight.recorded && sight.recorded->recorder_lives();
  if (sight.recorder_lives) {
    sight.pane_lives = true;
    return sight;
  }
  // One that has just begun may not have said that it is there.
  const bool unheard = !sight.recorded || sight.recorded->recorder.pid == 0;
  const bool starting = unheard && engine.clock().now().wall_ms - run.started_ms < kRecorderStartMs;
  if (sight.pane_lives && !starting) PAWL_TRY(look_back(run, sight));
  sight.pane_lives = sight.pane_lives || starting;
  if (sight.pane_lives) return sight;
  sight.seen.gone = true;
  sight.seen.said.message_open = false;  // nobody will say more
  sight.seen.agent_ended = access(cat(folder, "/exit").c_str(), F_OK) == 0;
  return sight;
}

Result<Record> conclude(Engine& engine, const Request& request, const issue::Run& run, const issue::Verdict& verdict) {
  const RunBook book(engine);
  const RecordId id = issue::id_of(run.number, engine.settings());
  Request by = request;
  by.reason = verdict.why;
  Look look;
  look.records.push_back(id);
  Record after;
  bool ours = false;
  PAWL_TRY(engine.change(by, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(after, view.load(id));
    Decision decision;
    PAWL_ASSIGN(auto known, book.find(view.store(), run.number));
    // Somebody else has said how it ended, or runs it anew, perhaps in a session of the same name.
    ours = after.status == issue::kRunning && string_or(after.doc, "session") == run.session &&
           (run.id.empty() || (known && known->id == run.id));
    if (!ours) return decision;
    issue::SetStatus command{run.number, verdict.status, run.session, std::nullopt, verdict.why};
    if (!verdict.message.empty()) command.message = verdict.message;
    PAWL_ASSIGN(Change change, issue::decide(after, command, now, engine.settings()));
    after = change.after;
    decision.changes.push_back(std::move(change));
    if (run.id.empty()) return decision;
    known->ended = verdict.ended;
    book.keep(decision, *known);
    return decision;
  }));
  if (!ours) return after;
  PAWL_TRY(remove_signals(engine, run.number));
  return after;
}

Result<Record> conclude_stopped(Engine& engine, const Request& request, const Record& record,
                                const std::optional<issue::Run>& known) {
  if (record.status != issue::kRunning) return record;
  issue::Run run = known.value_or(issue::Run{});
  run.number = parse_positive(record.id.key).value_or(0);
  run.session = string_or(record.doc, "session", issue::session_name(run.number, engine.settings()));
  const issue::Verdict verdict{std::string(issue::kError), std::string(issue::kStopped),
                               request.reason.empty() ? std::string(issue::kStopped) : request.reason,
                               std::string(issue::kStoppedByHand)};
  return conclude(engine, request, run, verdict);
}

std::string text_of_ignored(const std::vector<std::string>& ignored) {
  std::string names;
  for (const std::string& path : ignored) names += cat(names.empty() ? "" : ", ", printable(path));
  return cat(names, ignored.size() == 1 ? " is no file" : " are no files", ": no signal is read from there; remove ",
             ignored.size() == 1 ? "it" : "them");
}

Done remove_signals(Engine& engine, std::int64_t number) {
  for (const std::string_view kind : {issue::kComplete, issue::kError}) {
    PAWL_ASSIGN(const SignalFile file, signal_file(engine, kind, number));
    if (file.folder) PAWL_TRY(remove_at(file.folder->get(), file.name));
  }
  return done();
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

#include "runners/issue/adopt.h"

#include "base/text.h"
#include "engine/effects.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/past.h"
#include "runners/issue/recorder.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sessions.h"

namespace pawl {
namespace {

// A session of that name that is none of this issue's would be watched for it.
Done check_free(const std::string& name) {
  PAWL_ASSIGN(const auto there, Tmux().session(name));
  if (!there) return done();
  return fail(ErrorCode::conflict,
              cat("the session ", printable(name), " belongs to another run or project, in ", printable(there->path)),
              "another issue.session_prefix in pawl.toml keeps the names apart");
}

// What is on the screen already is known as said, and does not count.
Done note_what_is_shown(const issue::Run& run, const std::string& folder, const TmuxSession& session) {
  if (!run.title.empty()) {
    PAWL_ASSIGN(const Fd opened, open_real_folder(folder));
    PAWL_TRY(write_synced_at(opened.get(), "title", run.title, {0600, {}}));
  }
  PAWL_ASSIGN(const std::string shown, Tmux(session.socket).history(session.pane));
  PAWL_ASSIGN(const issue::Said on_screen, said_in(run.number, folder, shown));
  issue::Said before;
  before.completes = on_screen.completes;
  before.errors = on_screen.errors;
  return write_said_before(folder, before);
}

}  // namespace

Result<issue::Run> adopt_session(Engine& engine, const Record& record, const std::string& self) {
  const std::int64_t number = issue::number_of(record);
  RunBook book(engine);
  PAWL_ASSIGN(const Fd lock, book.lock(number));
  PAWL_ASSIGN(const auto known, book.find(number));
  PAWL_ASSIGN(const bool moved, known ? has_moved(engine, record, *known) : Result<bool>(false));
  PAWL_ASSIGN(const bool about, is_about(engine, known, record));
  if (about && !moved) return *known;  // another one was first
  PAWL_ASSIGN(const auto cut_off, find_cut_off(engine, number));
  if (cut_off) {  // started by a command that died before it could say so
    issue::Run run = cut_off->run;
    run.session = cut_off->session.name;
    run.socket = cut_off->session.socket;
    run.pane = cut_off->session.pane;
    run.revision = record.revision;
    PAWL_TRY(book.keep_started(run));
    return run;
  }
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.of(record, known));
  if (carries(session, known)) {
    issue::Run run = *known;
    run.ended.clear();
    run.revision = record.revision;
    run.watch = true;
    PAWL_TRY(book.keep_started(run));
    return run;
  }
  issue::Run run = known.value_or(issue::Run{});  // what is known of the work stays known
  run.number = number;
  run.session = string_or(record.doc, "session", issue::session_name(number, engine.settings()));
  run.started_ms = engine.clock().now().wall_ms;
  run.ended.clear();
  run.revision = record.revision;
  run.watch = true;
  run.watched_from = 0;
  run.socket.clear();
  PAWL_ASSIGN(std::string id, new_marker());
  issue::go_on_as(run, std::move(id));
  PAWL_TRY(book.make_folder(run));
  if (!session) {
    PAWL_TRY(check_free(run.session));
    PAWL_TRY(book.keep_started(run));  // it may be about to be started
    return run;
  }
  run.adopted = session->run.empty() || run.adopted;
  PAWL_TRY(note_what_is_shown(run, book.folder(run), *session));
  const std::string folder_name = session->path.substr(session->path.rfind('/') + 1);
  if (run.worktree.empty() && issue::issue_of_worktree(folder_name) == number) run.worktree = session->path;
  // Whoever dies behind the mark leaves a session that this finds again, by it.
  PAWL_TRY(book.keep_starting(number, run));
  const Tmux tmux(session->socket);
  PAWL_TRY(tmux.mark(session->pane, run.id, engine.workspace().store));
  PAWL_ASSIGN(const StartedSession piped, tmux.record(session->pane, book.recorder_command(run, self)));
  run.session = piped.name;
  run.pane = piped.pane;
  run.socket = piped.socket;
  PAWL_TRY(book.keep_started(run));
  book.forget_others(run);
  return run;
}

}  // namespace pawl

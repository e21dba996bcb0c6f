#include "runners/issue/starter.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "core/placeholder.h"
#include "engine/effects.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/copied_files.h"
#include "runners/issue/run_seal.h"
#include "runners/issue/sessions.h"
#include "runners/issue/signal_file.h"
#include "runners/issue/unfinished.h"
#include "runners/issue/watcher.h"

namespace pawl {
namespace {

// What the agent is run by: a shell that notes how it ended, so that an agent which ended is told from one which was
// cut off. It outlives the Ctrl-C that a person sends to the agent.
std::vector<std::string> with_exit_noted(const std::string& folder, const std::vector<std::string>& command) {
  std::vector<std::string> words = {"sh", "-c", "unset PAWL_BLOCK_KEY; trap : INT QUIT; \"$@\"; echo \"$?\" >\"$0\"",
                                    cat(folder, "/exit")};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::vector<std::string> files_to_copy(const Engine& engine) {
  std::vector<std::string> files;
  for (const std::string_view file : split(engine.settings().text("issue.copy_files"), '\n')) {
    if (!file.empty()) files.emplace_back(file);
  }
  return files;
}

}  // namespace

// Those that run, and those that a living process is about to start. Decided under the store's gate, so that two do not
// both take the last place.
Result<std::int64_t> Starter::intend(bool limited) {
  const RecordId id = issue::id_of(run_.number, engine_.settings());
  const std::int64_t limit = limited ? parse_positive(engine_.settings().text("issue.max_concurrent")).value_or(0) : 0;
  if (limit > 0) {  // tmux is asked before the gate is taken: others would wait for it
    PAWL_ASSIGN(room_.without_session, issues_without_session(engine_));
  }
  Look look;
  look.records.push_back(id);
  PAWL_ASSIGN(const Outcome outcome,
              engine_.change(request_, look, [&](const View& view, const Now&) -> Result<Decision> {
                if (limit > 0) {
                  PAWL_ASSIGN(const auto under_way, issues_under_way(view, id, room_));
                  const Done free = issue::check_limit(under_way, limit);
                  room_.full = !free.has_value();
                  PAWL_TRY(free);
                }
                Effect effect;
                effect.record = id;
                effect.kind = kSessionEffect;
                effect.marker = run_.id;
                effect.request = run_.json();
                Decision decision;
                decision.effects.push_back(std::move(effect));
                book_.keep_starting(decision, run_);
                return decision;
              }));
  return outcome.effects.at(0);
}

// What is about to be made is noted with the intent: after a crash it tells what was made, and what is still missing.
Done Starter::plan(const std::string& base) {
  struct stat info {};
  run_.begins_at = base;
  run_.started_ms = engine_.clock().now().wall_ms;
  PAWL_ASSIGN(cut_off_, book_.starting(run_.number));
  run_.unready = lstat(run_.worktree.c_str(), &info) != 0 ||
                 (cut_off_ && cut_off_->unready && cut_off_->worktree == run_.worktree);
  run_.made_worktree = run_.made_worktree || run_.unready;
  PAWL_ASSIGN(const bool has_branch, git_has_branch(engine_.workspace().root, run_.branch));
  if (!has_branch || (cut_off_ && cut_off_->made_branch == run_.branch)) run_.made_branch = run_.branch;
  return done();
}

Done Starter::make_worktree(const std::string& base) {
  PAWL_ASSIGN(const auto folder, engine_.world().roots->find_folder(issue::base_dir(engine_.settings()), true));
  PAWL_ASSIGN(made_,
              git_worktree_for(engine_.workspace().root, {run_.worktree, run_.branch, base, run_.unready && cut_off_}));
  if (made_.made || run_.base.empty()) run_.base = made_.base;
  if (!made_.made && !run_.unready) return done();
  PAWL_ASSIGN(const auto copied, copy_files(*engine_.world().roots, files_to_copy(engine_), run_.worktree,
                                            [&](std::string_view text) { engine_.note(text); }));
  for (const auto& [file, mark] : copied) run_.copied[file] = mark;
  run_.unready = false;
  return done();
}

// What was made for it goes again, as nobody has been in it yet; unless tmux does not tell whether somebody is.
Done Starter::unmake_worktree(const Error& why) {
  if (why.code == ErrorCode::busy) return done();
  if (made_.made) PAWL_TRY(git_remove_worktree(engine_.workspace().root, run_.worktree));
  if (made_.made_branch) PAWL_TRY(git_delete_branch(engine_.workspace().root, run_.branch));
  return book_.keep_starting(run_.number, cut_off_);
}

Result<StartedSession> Starter::open_session() {
  const std::string folder = book_.folder(run_);
  PAWL_ASSIGN(const Fd opened, book_.make_folder(run_));
  const std::string& wanted = engine_.settings().trusted("issue.prompt") ? engine_.settings().text("issue.prompt") : "";
  const std::string prompt = issue::prompt_for(run_, wanted, resumed_);
  const std::map<std::string, std::string> values = {{"number", std::to_string(run_.number)},
                                                     {"title", run_.title},
                                                     {"branch", run_.branch},
                                                     {"worktree", run_.worktree},
                                                     {"prompt", prompt},
                                                     {"prompt_file", cat(folder, "/prompt.md")}};
  SessionPlan plan;
  plan.name = run_.session;
  plan.run = run_.id;
  plan.store = engine_.workspace().store;
  plan.folder = run_.worktree;
  std::vector<std::string> command;
  std::string echo = prompt;  // all that a screen may repeat
  for (const std::string& word : run_.command) {
    command.push_back(filled_in(word, values));
    echo += cat("\n", command.back());
  }
  PAWL_TRY(write_synced_at(opened.get(), "prompt.md", prompt, {0600, {}}));
  PAWL_TRY(write_synced_at(opened.get(), "prompt", echo, {0600, {}}));
  PAWL_TRY(write_synced_at(opened.get(), "title", run_.title, {0600, {}}));
  plan.command = with_exit_noted(folder, command);
  plan.environment = {{"PAWL_ISSUE", std::to_string(run_.number)},
                      {"PAWL_TITLE", run_.title},
                      {"PAWL_BRANCH", run_.branch},
                      {"PAWL_WORKTREE", run_.worktree},
                      {"PAWL_PROMPT_FILE", cat(folder, "/prompt.md")},
                      {"PAWL_BLOCK_KEY", ""}};  // a server that somebody else has started may have it
  if (resumed_) plan.environment.emplace_back("PAWL_RESUMED", "1");
  plan.recorder = book_.recorder_command(run_, self_);
  const auto started = Tmux().start(plan);
  if (started || started.error().code != ErrorCode::already_exists) return started;
  PAWL_ASSIGN(const auto there, Tmux().session(run_.session));
  return fail(ErrorCode::conflict,
              cat("there is a tmux session called ", printable(run_.session), " already",
                  there ? cat(", in ", printable(there->path)) : std::string()),
              cat(Tmux().how_to_end(run_.session),
                  "  # ends it, if it is not needed\nanother issue.session_prefix in pawl.toml avoids it"));
}

Result<Json> Starter::act(const std::string& base) {
  const auto begun = [&]() -> Result<StartedSession> {
    PAWL_TRY(make_worktree(base));
    PAWL_TRY(remove_signals(engine_, run_.number));
    run_.started_ms = engine_.clock().now().wall_ms;
    run_.watched_from = run_.watch ? std::optional<std::int64_t>(0) : std::nullopt;
    PAWL_TRY(book_.keep_starting(run_.number, run_));
    return open_session();
  }();
  if (!begun) {
    if (const Done gone = unmake_worktree(begun.error()); !gone)
      log_info("worktree stays", "why", gone.error().message);
    return tl::unexpected(begun.error());
  }
  run_.session = begun->name;
  run_.socket = begun->socket;
  run_.pane = begun->pane;
  PAWL_TRY(say_running());
  return Json{{"session", run_.session}, {"worktree", run_.worktree}};
}

Done Starter::say_running() {
  run_.begins_at.clear();
  const RecordId id = issue::id_of(run_.number, engine_.settings());
  Look look;
  look.records.push_back(id);
  PAWL_TRY(engine_.change(request_, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(id));
    const issue::SetStatus command{run_.number, std::string(issue::kRunning), run_.session, std::nullopt,
                                   request_.reason};
    PAWL_ASSIGN(Change change, issue::decide(current, command, now, engine_.settings()));
    run_.revision = current.revision + 1;
    Decision decision;
    decision.changes.push_back(std::move(change));
    book_.keep_started(decision, run_);
    return decision;
  }));
  return done();
}

Result<Started> Starter::start(bool limited, const std::string& base) {
  PAWL_TRY(issue::check_command(run_));
  PAWL_TRY(check_copy_files(files_to_copy(engine_)));
  PAWL_TRY(close_unfinished(engine_, run_.number));
  PAWL_TRY(plan(base));
  run_.seal = seal_of(run_);
  run_.socket.clear();
  run_.pane.clear();
  const auto intended = intend(limited);
  if (!intended) return tl::unexpected(intended.error());
  const EffectHandler handler{[&](const Effect&) { return act(base); }, {}};
  const auto acted = carry_out(engine_, *intended, handler);
  if (!acted) {
    if (const Done forgotten = close_unfinished(engine_, run_.number); !forgotten)
      log_info("intent stays", "why", forgotten.error().message);
    return tl::unexpected(acted.error());
  }
  return leave_running();
}

Result<Started> Starter::finish(const TmuxSession& session) {
  run_.session = session.name;
  run_.socket = session.socket;
  run_.pane = session.pane;
  PAWL_TRY(say_running());
  PAWL_TRY(close_unfinished(engine_, run_.number));
  return leave_running();
}

Result<Started> Starter::leave_running() {
  book_.forget_others(run_);
  if (run_.watch) PAWL_TRY(start_watcher(engine_, run_.number, self_));
  return Started{run_, false, std::nullopt};
}

}  // namespace pawl

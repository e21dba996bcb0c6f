#include "drive/run_starter.h"
#include "drive/run_seal.h"

#include <algorithm>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "drive/copied_files.h"
#include "drive/issue_watcher.h"
#include "engine/effects.h"
#include "engine/watcher.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

constexpr std::string_view kSessionEffect = "session";
constexpr int kWaitStepMs = 2'000;  // a process that died while it started a run leaves no sign in a file

// What the agent is run by: a shell that notes how it ended, so that an agent which ended is told from one which was
// cut off. It outlives the Ctrl-C that a person sends to the agent.
std::vector<std::string> with_exit_noted(const std::string& folder, const std::vector<std::string>& command) {
  std::vector<std::string> words = {"sh", "-c", "trap : INT QUIT; \"$@\"; echo \"$?\" >\"$0\"", cat(folder, "/exit")};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace

// Those that run, and those that a living process is about to start. Decided under the store's gate, so that two do not
// both take the last place.
Result<std::int64_t> Starter::intend(bool limited) {
  const RecordId id = issue::id_of(run_.number, engine_.settings());
  const std::int64_t limit = limited ? parse_positive(engine_.settings().text("issue.max_concurrent")).value_or(0) : 0;
  Look look;
  look.records.push_back(id);
  PAWL_ASSIGN(
      const Outcome outcome, engine_.change(request_, look, [&](const View& view, const Now&) -> Result<Decision> {
        if (limit > 0) {
          Query query;
          query.kind = issue::kKind;
          query.scope = id.scope;
          query.status = issue::kRunning;
          PAWL_ASSIGN(const auto running, view.list(query));
          PAWL_ASSIGN(const auto waiting, view.store().effects_in(EffectState::intended));
          const auto starting = std::count_if(waiting.begin(), waiting.end(), [&](const Effect& effect) {
            return effect.kind == kSessionEffect && effect.record.scope == id.scope && effect_is_under_way(effect) &&
                   std::none_of(running.begin(), running.end(), [&](const Record& r) { return r.id == effect.record; });
          });
          PAWL_TRY(issue::check_limit(static_cast<std::int64_t>(running.size()) + starting, limit));
        }
        Effect effect;
        effect.record = id;
        effect.kind = kSessionEffect;
        effect.marker = run_.id;
        effect.request = run_.json();
        Decision decision;
        decision.effects.push_back(std::move(effect));
        return decision;
      }));
  return outcome.effects.at(0);
}

// What a command that died has left. Its session is looked for by the id; one that is not there was never started.
Done Starter::forget_unfinished() {
  const RecordId id = issue::id_of(run_.number, engine_.settings());
  Sessions sessions;
  const EffectHandler handler{
      [](const Effect&) -> Result<Json> { return fail(ErrorCode::not_found, "it was never started"); },
      [&](const Effect& effect) -> Result<std::optional<Json>> {
        PAWL_ASSIGN(const bool there, sessions.has(issue::Run::from(effect.request)));
        return there ? std::optional<Json>(Json{{"session", string_or(effect.request, "session")}}) : std::nullopt;
      }};
  const auto settled = settle(engine_, [&](const Effect& effect) {
    return effect.kind == kSessionEffect && effect.record == id ? &handler : nullptr;
  });
  if (!settled && settled.error().code != ErrorCode::not_found) return tl::unexpected(settled.error());
  return done();
}

Done Starter::make_worktree(const std::string& base) {
  PAWL_ASSIGN(const auto folder, engine_.world().roots->find_folder(issue::base_dir(engine_.settings()), true));
  PAWL_ASSIGN(made_, git_worktree_for(engine_.workspace().root, {run_.worktree, run_.branch, base}));
  if (made_.made || run_.base.empty()) run_.base = made_.base;
  if (made_.made_branch) run_.made_branch = run_.branch;
  if (!made_.made) return done();
  std::vector<std::string> files;
  for (const std::string_view file : split(engine_.settings().text("issue.copy_files"), '\n')) {
    if (!file.empty()) files.emplace_back(file);
  }
  PAWL_ASSIGN(run_.copied, copy_files(*engine_.world().roots, files, run_.worktree,
                                      [&](std::string_view text) { engine_.note(text); }));
  return done();
}

Result<StartedSession> Starter::open_session() {
  const std::string folder = book_.folder(run_);
  PAWL_TRY(make_folders(folder, 0700));
  PAWL_ASSIGN(const Fd opened, open_real_folder(folder));
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
  plan.folder = run_.worktree;
  std::vector<std::string> command;
  std::string echo = prompt;  // all that a screen may repeat
  for (const std::string& word : run_.command) {
    command.push_back(issue::filled_in(word, values));
    echo += cat("\n", command.back());
  }
  PAWL_TRY(write_synced_at(opened.get(), "prompt.md", prompt, {0600, {}}));
  PAWL_TRY(write_synced_at(opened.get(), "prompt", echo, {0600, {}}));
  plan.command = with_exit_noted(folder, command);
  plan.environment = {{"PAWL_ISSUE", std::to_string(run_.number)}, {"PAWL_PROMPT_FILE", cat(folder, "/prompt.md")}};
  if (resumed_) plan.environment.emplace_back("PAWL_RESUMED", "1");
  plan.recorder = recorder_command(engine_, run_, self_);
  const auto started = Tmux().start(plan);
  if (!started && started.error().code == ErrorCode::already_exists) {
    return fail(ErrorCode::conflict, cat("there is a tmux session called ", printable(run_.session), " already"),
                "pawl doctor tells whose it is; another issue.session_prefix avoids it");
  }
  return started;
}

Result<Json> Starter::act(const std::string& base) {
  PAWL_TRY(make_worktree(base));
  PAWL_TRY(remove_signals(engine_, run_.number));
  run_.started_ms = engine_.clock().now().wall_ms;
  run_.watched_from = run_.watch ? std::optional<std::int64_t>(0) : std::nullopt;
  PAWL_TRY(book_.keep(run_));
  const auto session = open_session();
  if (!session) {
    // What was made for it goes again, where nothing was in it before.
    if (made_.made && git_remove_worktree(engine_.workspace().root, run_.worktree) && made_.made_branch) {
      if (const Done gone = git_delete_branch(engine_.workspace().root, run_.branch); !gone)
        log_info("branch stays", "why", gone.error().message);
    }
    return tl::unexpected(session.error());
  }
  run_.session = session->name;
  run_.socket = session->socket;
  run_.pane = session->pane;
  PAWL_TRY(book_.keep(run_));
  PAWL_TRY(book_.forget_others(run_));
  return Json{{"session", run_.session}, {"worktree", run_.worktree}};
}

Done Starter::say_running() {
  const RecordId id = issue::id_of(run_.number, engine_.settings());
  Look look;
  look.records.push_back(id);
  PAWL_TRY(engine_.change(request_, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(id));
    const issue::SetStatus command{run_.number, std::string(issue::kRunning), run_.session, std::nullopt,
                                   request_.reason};
    PAWL_ASSIGN(Change change, issue::decide(current, command, now, engine_.settings()));
    Decision decision;
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return done();
}

Result<Started> Starter::start(bool limited, bool wait, const std::string& base) {
  PAWL_TRY(forget_unfinished());
  run_.seal = seal_of(run_);
  std::int64_t effect = 0;
  while (true) {
    const auto intended = intend(limited);
    if (intended) {
      effect = *intended;
      break;
    }
    if (!wait || intended.error().code != ErrorCode::busy) return tl::unexpected(intended.error());
    PAWL_ASSIGN(ChangeWaiter waiter, ChangeWaiter::open(engine_));
    PAWL_TRY(waiter.wait(engine_, kWaitStepMs));
  }
  const EffectHandler handler{[&](const Effect&) { return act(base); }, {}};
  const auto acted = carry_out(engine_, effect, handler);
  if (!acted) {
    if (const Done forgotten = forget_unfinished(); !forgotten)
      log_info("intent stays", "why", forgotten.error().message);
    return tl::unexpected(acted.error());
  }
  return finish();
}

Result<Started> Starter::finish() {
  PAWL_TRY(forget_unfinished());
  PAWL_TRY(say_running());
  if (run_.watch) PAWL_TRY(start_watcher(engine_, run_.number, self_));
  return Started{run_, false, std::nullopt};
}

}  // namespace pawl

#include "runners/issue/before_start.h"

#include <unistd.h>

#include "base/process.h"
#include "base/text.h"
#include "integrations/git_worktree.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/sessions.h"
#include "runners/issue/watcher.h"

namespace pawl {

Done must_be_in_git(const Engine& engine) {
  if (!engine.workspace().git_dir.empty()) return done();
  return fail(ErrorCode::not_found, cat(printable(engine.workspace().root), " is not in a git repository"),
              "an issue is worked on in a git worktree: go to a repository, or make one with git init");
}

Result<std::vector<std::string>> command_in(const Settings& settings, std::string_view key) {
  const std::string& text = settings.text(key);
  if (!settings.trusted(key))
    return fail(ErrorCode::untrusted, cat(key, " in pawl.toml names a command, and nobody has said that it is trusted"),
                "pawl trust  # once you have read pawl.toml");
  std::vector<std::string> words;
  for (const std::string_view word : split(text, '\n')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

Done find_program(const Engine& engine, const issue::Run& run, const std::string& start) {
  if (run.command.empty())
    return fail(ErrorCode::invalid_argument, "there is no command to run", cat(start, " -- AGENT"));
  const std::string& program = run.command.front();
  if (program.find('{') != std::string::npos) return done();
  const bool is_path = program.find('/') != std::string::npos;
  if (is_path && (!program.starts_with('/') || access(program.c_str(), X_OK) == 0)) return done();
  if (!is_path && is_in_path(program)) return done();
  const bool standard = engine.settings().source("issue.agent") == SettingSource::standard;
  return fail(ErrorCode::not_found,
              is_path ? cat(printable(program), " is not there, or cannot be run: issue ", run.number,
                            " has no agent to be started")
                      : cat("no program called ", printable(program), " is in PATH: issue ", run.number,
                            " has no agent to be started"),
              cat(start, " -- AGENT  # with another agent\n",
                  standard ? "or set issue.agent in pawl.toml" : "or change issue.agent in pawl.toml",
                  is_path ? "" : "; or give PATH the folder that it is in (cron has a short PATH of its own)"));
}

bool has_agent(const Engine& engine, const std::optional<issue::Run>& run) {
  issue::Run resumed = run.value_or(issue::Run{});
  const auto wanted = command_in(engine.settings(), "issue.resume_agent");
  if (!wanted) return false;
  if (!wanted->empty()) resumed.command = *wanted;
  if (resumed.command.empty()) {  // only then is it asked for: one that nobody trusts keeps no other from going on
    const auto agent = command_in(engine.settings(), "issue.agent");
    if (!agent) return false;
    resumed.command = *agent;
  }
  return find_program(engine, resumed, "").has_value();
}

Result<std::optional<Started>> already_running(Engine& engine, const Record& record,
                                               const std::optional<issue::Run>& known, const std::string& self) {
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.of(record, known));
  if (!session) return std::optional<Started>();
  issue::Run run = known.value_or(issue::Run{});
  run.number = issue::number_of(record);
  run.session = session->name;
  if (session->run.empty()) run.socket = session->socket;
  const bool to_watch = known && known->watch && (known->ended.empty() || carries(session, known));
  if (to_watch && RunBook(engine).watcher(*known).pid == 0) PAWL_TRY(start_watcher(engine, run.number, self));
  return std::optional(Started{run, true, std::nullopt});
}

Done check_may_begin(Engine& engine, const StartOptions& options, const std::optional<issue::Run>& known) {
  const std::int64_t number = options.number;
  if (known && known->ended.empty() && RunBook(engine).watcher(*known).pid != 0)
    return fail(ErrorCode::conflict,
                cat("the session of issue ", number, " is gone, and its watcher is about to say how it ended"),
                cat("pawl issue wait ", number, "  # until it has"));
  if (options.again) return done();
  PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number));
  PAWL_ASSIGN(const bool untitled, needs_title(engine, number));
  return fail(ErrorCode::conflict, cat("issue ", number, " is running, as its status says, but its session is gone"),
              worktree.empty() ? cat(again_command(engine, number, !untitled), "  # begins anew\npawl issue remove ",
                                     number, "  # forgets it")
                               : cat(resume_command(engine, number, has_agent(engine, known)),
                                     "  # goes on with it\npawl issue cleanup ", number, "  # takes it away"));
}

Result<std::string> put_back(Engine& engine, const std::optional<issue::Run>& known, std::string worktree) {
  if (!known || known->worktree.empty() || !same_place(worktree, cat(known->worktree, kLeaving))) return worktree;
  PAWL_TRY(git_move_worktree(engine.workspace().root, worktree, known->worktree));
  return known->worktree;
}

Done end_former(Engine& engine, const issue::Run& run) {
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto session, sessions.to_end(run.number, run));
  return session ? Tmux(session->socket).end(session->name) : check_gone(engine, run);
}

}  // namespace pawl

// What is looked at before a run begins or goes on, and what is taken out of its way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"
#include "runners/issue/run_issue.h"

namespace pawl {

[[nodiscard]] Done must_be_in_git(const Engine& engine);

// The words of a setting that names a command. untrusted: nobody has said that it may be run.
[[nodiscard]] Result<std::vector<std::string>> command_in(const Settings& settings, std::string_view key);

// Whether the agent's program is there: before anything is made for it. The session gets this command's PATH, as tmux
// hands a new session that of whoever asks for it, also where its server was started with another. A path that is not
// absolute is looked for in the worktree, which may not be there yet. `start`: what starts it with another agent.
[[nodiscard]] Done find_program(const Engine& engine, const issue::Run& run, const std::string& start);

// Whether `pawl issue resume` would find an agent: the one that the run had, or that the settings name.
[[nodiscard]] bool has_agent(const Engine& engine, const std::optional<issue::Run>& run);

// What runs already, with a watcher: whoever started it may have died before it left one behind.
[[nodiscard]] Result<std::optional<Started>> already_running(Engine& engine, const Record& record,
                                                             const std::optional<issue::Run>& known,
                                                             const std::string& self);

// One that says running, and whose session is not there. Nobody must be about to say how it ended, and whoever starts
// it must have said that it is to begin anew.
[[nodiscard]] Done check_may_begin(Engine& engine, const StartOptions& options, const std::optional<issue::Run>& known);

// A cleanup that was cut off has moved the worktree aside: it gets its name back.
[[nodiscard]] Result<std::string> put_back(Engine& engine, const std::optional<issue::Run>& known,
                                           std::string worktree);

// The session of a run that has ended, or of a status that was removed.
[[nodiscard]] Done end_former(Engine& engine, const issue::Run& run);

}  // namespace pawl

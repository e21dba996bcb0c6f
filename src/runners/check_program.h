// Can the command of a check be run at all? One that cannot be run has no verdict: the work neither passed nor failed,
// and no agent is paid to mend it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integrations/agent.h"

namespace pawl {

// Why it cannot be run, where that is known before; nothing: it can, or only running it tells. A program without a path
// is looked for in PATH. A relative path is looked for in `folder` ("": not at all); what is not there may still be
// written by an agent, so only a file that is there and is no program counts.
[[nodiscard]] std::optional<std::string> why_it_cannot_run(const std::vector<std::string>& argv,
                                                           const std::string& folder);
// The same of a line for /bin/sh. Only of a plain command: what a line with quotes, pipes or variables before its
// program starts is the shell's to say.
[[nodiscard]] std::optional<std::string> why_line_cannot_run(const std::string& line, const std::string& folder);

// By how it ended: with the exit codes that a shell and its like have for a command that could not be run.
[[nodiscard]] std::optional<std::string> why_it_did_not_run(const AgentRan& ran);

}  // namespace pawl

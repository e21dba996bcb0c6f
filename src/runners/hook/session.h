// A session begins, or goes on: it learns who it is, and where its work stands.
#pragma once

#include <string>

#include "engine/engine.h"

namespace pawl::hook {

// `export PAWL_SESSION=…` at the end of the file that Claude Code reads a session's environment from.
[[nodiscard]] Done hand_over_session(const std::string& env_file, const std::string& session);

// A few lines: its loop, and of every other kind what is under way. "" where there is nothing.
[[nodiscard]] Result<std::string> where_work_stands(Engine& engine, const std::string& session);

}  // namespace pawl::hook

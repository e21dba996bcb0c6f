// State files in the linked worktree that a command is run in. What is in step are those of the main checkout: a tool
// that keeps its state beside the work, in the worktree, is not seen there, and is told so.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

// Of what belongs to a session, from the worktree's root. Issues, stories and reviews have one place by their formats.
[[nodiscard]] Result<std::vector<std::string>> unguarded_here(const Engine& engine);

}  // namespace pawl

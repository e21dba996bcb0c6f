// What pawl has made in git for stories and issues, and is still there: worktrees, branches, and what cleanups
// have put into the stash. Whoever leaves is told.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

struct LeftInGit {
  std::string path;  // of a worktree; or a branch, or "stash@{0}"
  std::string what;
};

// Nothing where git cannot be asked.
[[nodiscard]] Result<std::vector<LeftInGit>> left_in_git(Engine& engine, const View& view);

}  // namespace pawl

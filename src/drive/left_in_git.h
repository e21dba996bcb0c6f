// What pawl has made in git for stories and issues, and is still there: worktrees and branches. Whoever leaves is told.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

struct LeftInGit {
  std::string path;  // of a worktree; or a branch
  std::string what;
};

// Nothing where git can not be asked.
[[nodiscard]] Result<std::vector<LeftInGit>> left_in_git(Engine& engine, const View& view);

}  // namespace pawl

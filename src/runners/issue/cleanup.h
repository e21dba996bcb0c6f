// Taking away what a run has left: session, worktree, branch, status, in an order that can be taken up again after any
// interruption. Work that nobody else has stops it; moved out of the way it stays in the repository.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "runners/worktree_removal.h"

namespace pawl {

using CleanupOptions = RemovalOptions;

struct CleanedUp : Cleaned {
  std::int64_t number = 0;
};

[[nodiscard]] Result<CleanedUp> clean_up_issue(Engine& engine, std::int64_t number, const CleanupOptions& options);

// Which issues there are to clean up.
[[nodiscard]] Result<std::vector<std::int64_t>> orphaned_issues(Engine& engine);
[[nodiscard]] Result<std::vector<std::int64_t>> complete_issues(Engine& engine);
// Not running, and not touched for so long.
[[nodiscard]] Result<std::vector<std::int64_t>> stale_issues(Engine& engine, std::int64_t older_than_ms);

}  // namespace pawl

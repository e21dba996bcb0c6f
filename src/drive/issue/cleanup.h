// Taking away what a run has left: session, worktree, branch, status, in an order that can be taken up again after any
// interruption. Work that nobody else has stops it; moved out of the way it stays in the repository.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "world/git_work.h"

namespace pawl {

struct CleanupOptions {
  bool force = false;   // put work aside, and go on
  bool branch = false;  // the branch too, also when it is not merged
  bool dry_run = false;
  Request request;
};

struct CleanedUp {
  std::int64_t number = 0;
  std::vector<std::string> did;  // sentences: what was done, or would be
  WorkLeft work;                 // what stopped it
  bool stopped = false;
};

[[nodiscard]] Result<CleanedUp> clean_up_issue(Engine& engine, std::int64_t number, const CleanupOptions& options);

// Which issues there are to clean up.
[[nodiscard]] Result<std::vector<std::int64_t>> orphaned_issues(Engine& engine);
[[nodiscard]] Result<std::vector<std::int64_t>> complete_issues(Engine& engine);
// Not running, and not touched for so long.
[[nodiscard]] Result<std::vector<std::int64_t>> stale_issues(Engine& engine, std::int64_t older_than_ms);

}  // namespace pawl

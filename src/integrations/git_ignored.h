// What git ignores in a worktree. Nothing of git's shows it unasked, and it is in no commit: whoever takes the worktree
// away takes the only copy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct IgnoredFiles {
  std::int64_t count = 0;
  std::vector<std::string> places;  // "out/" for a folder of which git ignores all, ".env" for a file

  [[nodiscard]] bool empty() const { return count == 0; }
};

// `ours`: files that somebody has another copy of, relative to the worktree; they are not counted.
[[nodiscard]] Result<IgnoredFiles> git_ignored(const std::string& worktree, const std::vector<std::string>& ours);

// "3 ignored files"
[[nodiscard]] std::string ignored_count(const IgnoredFiles& ignored);
// "out/, .env and 2 more"
[[nodiscard]] std::string ignored_places(const IgnoredFiles& ignored);

}  // namespace pawl

// What work is in a worktree that would go with it: also where git status does not look, as in submodules, behind
// marks that hide a change, and in repositories that git ignores.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "integrations/git_ignored.h"
#include "integrations/git_worktree.h"

namespace pawl {

// Work that would be lost, or that nobody else has.
struct WorkLeft {
  std::vector<std::string> uncommitted;  // "?? new.txt", as git status prints them
  std::vector<std::string> hidden;       // of these the files that git was told not to look at
  std::vector<std::string> unpushed;     // "abc1234 subject"
  std::vector<std::string> by_hand;      // what cannot be put aside, each with what to do about it
  std::string under_way;                 // "rebase": something that has to be finished or aborted first
  IgnoredFiles ignored;                  // stops nothing, and goes with the worktree: it is said

  [[nodiscard]] bool empty() const { return can_be_put_aside() && uncommitted.empty() && unpushed.empty(); }
  [[nodiscard]] bool can_be_put_aside() const { return by_hand.empty() && under_way.empty(); }
};

// `ours`: files that need not be looked at, relative to the worktree. `bases`: commits that are in them count as kept.
// conflict, where the folder is not that worktree. Of a worktree whose folder is gone: what git still keeps for it
// alone.
[[nodiscard]] Result<WorkLeft> git_work_left(const std::string& repository, const Worktree& worktree,
                                             const std::vector<std::string>& bases,
                                             const std::vector<std::string>& ours);

// Lets git look at these files again, so that the stash takes them.
[[nodiscard]] Done git_unhide(const std::string& worktree, const std::vector<std::string>& files);

}  // namespace pawl

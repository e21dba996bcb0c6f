// Worktrees of a repository: making one for an issue, seeing what work is in it, and taking it away without losing any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct Worktree {
  std::string path;
  std::string head;    // a commit
  std::string branch;  // "feature/…"; "" where none is checked out
  bool gone = false;   // git knows it, but its folder is not there
};

[[nodiscard]] Result<std::vector<Worktree>> git_worktrees(const std::string& repository);

struct WorktreePlan {
  std::string path;
  std::string branch;
  std::string base;  // for a branch that does not exist yet; empty: what is checked out
};

struct MadeWorktree {
  std::string base;   // the commit that a new branch began at
  bool made = false;  // else it was there, and is used
  bool made_branch = false;
};

// What is there already is used where it is the issue's; anything else that stands in the way is an error that says so.
[[nodiscard]] Result<MadeWorktree> git_worktree_for(const std::string& repository, const WorktreePlan& plan);

// Work that would be lost, or that nobody else has.
struct WorkLeft {
  std::vector<std::string> uncommitted;  // "?? new.txt", as git status prints them
  std::vector<std::string> unpushed;     // "abc1234 subject"
  std::string under_way;                 // "rebase": something that has to be finished or aborted first

  [[nodiscard]] bool empty() const { return uncommitted.empty() && unpushed.empty() && under_way.empty(); }
};

// `ours`: files that need not be looked at, relative to the worktree. `bases`: commits that are in them count as kept.
[[nodiscard]] Result<WorkLeft> git_work_left(const Worktree& worktree, const std::vector<std::string>& bases,
                                             const std::vector<std::string>& ours);

// Puts what is not committed into the stash; not_found when there was nothing. Returns what it is called there.
[[nodiscard]] Result<std::string> git_stash(const std::string& worktree, const std::string& message);
// Gives commits a name under refs/pawl/, so that they stay.
[[nodiscard]] Result<std::string> git_keep(const std::string& repository, const std::string& commit,
                                           const std::string& name);

// Takes the folder away; what git ignores goes with it. Refuses where there is something else than git ignores.
[[nodiscard]] Done git_remove_worktree(const std::string& repository, const std::string& path);
// Forgets a worktree whose folder is not there any more.
[[nodiscard]] Done git_prune_worktrees(const std::string& repository);

[[nodiscard]] Result<bool> git_is_merged(const std::string& repository, const std::string& branch,
                                         const std::string& base);
[[nodiscard]] Result<bool> git_has_branch(const std::string& repository, const std::string& branch);
[[nodiscard]] Done git_delete_branch(const std::string& repository, const std::string& branch);
// The commit that a name stands for; not_found when it stands for none.
[[nodiscard]] Result<std::string> git_commit_of(const std::string& repository, const std::string& name);

}  // namespace pawl

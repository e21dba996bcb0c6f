// Worktrees of a repository: making one for an issue, and taking it away.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace pawl {

struct Worktree {
  std::string path;
  std::string head;                                  // a commit
  std::string branch;                                // "feature/…"; "" where none is checked out
  bool gone = false;                                 // git knows it, but its folder is not there
  std::optional<std::string> locked = std::nullopt;  // why, or ""
};

// git writes down what it keeps of a worktree file by file, and another git that reads that just then fails ("failed to
// read …/commondir", "bad object worktrees/…/HEAD"). So pawl's own take turns: while this is held, none of them makes,
// moves or removes a worktree.
[[nodiscard]] Result<Fd> git_worktrees_settled(const std::string& repository);
[[nodiscard]] Result<std::vector<Worktree>> git_worktrees(const std::string& repository);
// The one at this path, however it is spelled: git knows folders by where links lead.
[[nodiscard]] const Worktree* worktree_at(const std::vector<Worktree>& worktrees, const std::string& path);

struct WorktreePlan {
  std::string path;
  std::string branch;
  std::string base;      // for a branch that does not exist yet; empty: what is checked out
  bool cut_off = false;  // an earlier command was making it when it died
};

struct MadeWorktree {
  std::string base;   // the commit that a new branch began at
  bool made = false;  // else it was there, and is used
  bool made_branch = false;
};

// What is there already is used where it is the issue's; anything else that stands in the way is an error that says so.
[[nodiscard]] Result<MadeWorktree> git_worktree_for(const std::string& repository, const WorktreePlan& plan);

// Whether the folder is the worktree that git's list has there. In one without its .git, or with that of another, git
// would act on another checkout: conflict, and nothing was run in it.
[[nodiscard]] Done git_check_worktree(const std::string& repository, const std::string& path);

// Puts what is not committed into the stash; not_found when there was nothing. Returns what it is called there.
[[nodiscard]] Result<std::string> git_stash(const std::string& worktree, const std::string& message);
// Gives commits a name under refs/pawl/, so that they stay.
[[nodiscard]] Result<std::string> git_keep(const std::string& repository, const std::string& commit,
                                           const std::string& name);

// Takes the folder away with all that is in it (integrations/git_work.h looks first); one whose folder is gone is
// forgotten.
[[nodiscard]] Done git_remove_worktree(const std::string& repository, const std::string& path);
// Fails where there are submodules in it: git moves none of these.
[[nodiscard]] Done git_move_worktree(const std::string& repository, const std::string& from, const std::string& to);
// What git keeps for a worktree whose folder is gone; "" where it keeps nothing.
[[nodiscard]] Result<std::string> git_dir_of_gone(const std::string& repository, const std::string& path);

// Whether a branch, tag or other name leads to the commit; one branch can be left out.
[[nodiscard]] Result<bool> git_is_kept(const std::string& repository, const std::string& commit,
                                       const std::string& but = {});
// The branch, here or of a remote, that a name stands for: "refs/heads/main". "": none, as where a commit is checked
// out.
[[nodiscard]] Result<std::string> git_branch_called(const std::string& repository, const std::string& name);
// `base`: a branch as above.
[[nodiscard]] Result<bool> git_is_merged(const std::string& repository, const std::string& branch,
                                         const std::string& base);
// Whether git leaves out a path of the repository that no commit has.
[[nodiscard]] Result<bool> git_ignores(const std::string& repository, const std::string& path);
[[nodiscard]] Result<bool> git_has_branch(const std::string& repository, const std::string& branch);
[[nodiscard]] Done git_delete_branch(const std::string& repository, const std::string& branch);
// The commit that a name stands for; not_found when it stands for none.
[[nodiscard]] Result<std::string> git_commit_of(const std::string& repository, const std::string& name);

}  // namespace pawl

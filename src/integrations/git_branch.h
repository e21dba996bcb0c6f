// A branch as work goes on in it: where it is checked out, what is not committed there, what the remote has of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct CheckedOut {
  std::string folder;
  std::string branch;
  std::string commit;
  std::vector<std::string> dirty;  // paths that differ from the commit or are new, and what git does not see (below)
};

// What git would not tell of, each with why: files that it was told not to look at (assume-unchanged, skip-worktree),
// and folders that are repositories of their own, whose content no commit has. What is ignored stays ignored.
[[nodiscard]] Result<std::vector<std::string>> git_unseen(const std::string& folder,
                                                          const std::vector<std::string>& ours);

// Files of pawl's own in one checkout: what stands under these names in another is as any other file.
struct KeptFiles {
  std::string folder;
  std::vector<std::string> paths;  // relative to it; folders with a slash behind

  // Those that do not count in this checkout.
  [[nodiscard]] const std::vector<std::string>& in(const std::string& checkout) const;
};

// `ours`: what does not count. not_found, with what to do: there is no such branch, or it is checked out nowhere.
[[nodiscard]] Result<CheckedOut> git_checked_out(const std::string& repository, const std::string& branch,
                                                 const KeptFiles& ours);
// `ours`: files, and folders with a slash behind, that do not count, relative to the folder.
[[nodiscard]] Result<std::vector<std::string>> git_dirty(const std::string& folder,
                                                         const std::vector<std::string>& ours);

// Commits all that is there but for `ours`; nothing where there is nothing to commit.
[[nodiscard]] Result<std::optional<std::string>> git_commit_all(const std::string& folder, const std::string& message,
                                                                const std::vector<std::string>& ours);
// Takes away all that is not in the commit that is checked out, but for what is ignored: changes are put back, new
// files and repositories removed. Only for a folder that nobody works in by hand.
[[nodiscard]] Done git_put_back(const std::string& folder);
// The newest commit from HEAD back to, but without, `after` whose message has this text.
[[nodiscard]] Result<std::optional<std::string>> git_commit_with(const std::string& folder, const std::string& after,
                                                                 const std::string& text);
// Whether this branch is checked out in the folder: it itself, and not another one by its name.
[[nodiscard]] Result<bool> git_is_on(const std::string& folder, const std::string& branch);
// Whether it has commits that no other branch has, here or as a remote's; its own there does not count.
[[nodiscard]] Result<bool> git_has_own_commits(const std::string& repository, const std::string& branch);
// Whether `older` is in the history of `newer`.
[[nodiscard]] Result<bool> git_is_ancestor(const std::string& repository, const std::string& older,
                                           const std::string& newer);

// --- over the network; unavailable: the remote did not answer ---

// What the remote has under this name; nothing where it has no such branch.
[[nodiscard]] Result<std::optional<std::string>> git_remote_commit(const std::string& repository,
                                                                   const std::string& remote,
                                                                   const std::string& branch);
// Forward only. conflict: the remote has commits that are not in this one. gate_failed: it refuses, and says why.
[[nodiscard]] Done git_push(const std::string& repository, const std::string& remote, const std::string& branch,
                            const std::string& commit);
// The remote's commit of a branch, fetched; the local branch stays as it is.
[[nodiscard]] Result<std::string> git_fetch(const std::string& repository, const std::string& remote,
                                            const std::string& branch);
// Moves the branch that is checked out in the folder forward; conflict where that would lose something.
[[nodiscard]] Done git_forward(const std::string& folder, const std::string& commit);
// The branch that the remote calls its main one; not_found where it does not say.
[[nodiscard]] Result<std::string> git_main_branch(const std::string& repository, const std::string& remote);

}  // namespace pawl

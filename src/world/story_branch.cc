#include "world/story_branch.h"

#include <algorithm>

#include "base/text.h"
#include "world/git_command.h"
#include "world/git_worktree.h"

namespace pawl {
namespace {

// The folder in which the branch is checked out; "" where it is in none.
Result<std::string> folder_of(const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const auto worktrees, git_worktrees(repository));
  for (const Worktree& worktree : worktrees) {
    if (worktree.branch == branch && !worktree.gone) return worktree.path;
  }
  return std::string();
}

// Paths from `git status --porcelain -z`, whose entries of renames have the old name behind them.
std::vector<std::string> changed_paths(const std::string& status) {
  std::vector<std::string> paths;
  const auto entries = lines_of(status, '\0');
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].size() < 4) continue;
    paths.push_back(entries[i].substr(3));
    if (entries[i][0] == 'R' || entries[i][0] == 'C') ++i;
  }
  return paths;
}

}  // namespace

Result<Json> story_branch_facts(const std::string& repository, const std::string& branch,
                                const std::vector<std::string>& ours) {
  Json facts = Json::object();
  if (!branch.empty()) facts["branch"] = branch;
  const auto commit = git_commit_of(repository, branch.empty() ? std::string("HEAD") : cat("refs/heads/", branch));
  if (!commit) {
    facts["lacks"] = branch.empty() ? std::string("there is no commit yet") : cat("there is no branch ", branch);
    return facts;
  }
  facts["commit"] = *commit;
  std::string folder = repository;
  if (!branch.empty()) {
    PAWL_ASSIGN(folder, folder_of(repository, branch));
  }
  facts["dirty"] = Json::array();
  if (folder.empty()) return facts;  // checked out nowhere: nothing of it can be uncommitted
  PAWL_ASSIGN(const std::string status,
              ask_git(folder, {"status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=none"}));
  for (std::string& path : changed_paths(status)) {
    if (std::find(ours.begin(), ours.end(), path) == ours.end()) facts["dirty"].push_back(std::move(path));
  }
  return facts;
}

}  // namespace pawl

#include "world/git_worktree.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{16} << 20U;
constexpr int kCheckoutMs = 600'000;  // of a large repository
constexpr std::size_t kMostListed = 50;

struct GitRan {
  int exit_code = 0;
  std::string out;
};

Result<GitRan> run_git(const std::string& folder, std::vector<std::string> words,
                       StandardError errors = StandardError::with_output) {
  words.insert(words.begin(), {"git", "-C", folder});
  PAWL_ASSIGN(Ran ran, run_program(words, kMaxOutput, errors, GitVariables::dropped, kCheckoutMs));
  return GitRan{ran.exit_code, std::move(ran.out)};
}

Result<std::string> ask(const std::string& folder, std::vector<std::string> words,
                        StandardError errors = StandardError::dropped) {
  const std::string verb = words.front();
  PAWL_ASSIGN(const GitRan ran, run_git(folder, std::move(words), errors));
  if (ran.exit_code == 0) return ran.out;
  return fail(ErrorCode::io, cat("git ", verb, " failed in ", printable(folder),
                                 ran.out.empty() ? std::string() : cat(": ", printable(trim(ran.out), true))));
}

std::vector<std::string> lines_of(std::string_view text, char separator = '\n') {
  std::vector<std::string> out;
  for (const std::string_view line : split(text, separator)) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

std::string real(const std::string& path) {
  char* found = realpath(path.c_str(), nullptr);
  std::string out = found == nullptr ? path : found;
  free(found);
  return out;
}

bool is_empty_folder(const std::string& path) {
  const auto folder = open_folder(path);
  const auto names =
      folder ? names_in(folder->get()) : Result<std::vector<std::string>>(tl::unexpected(folder.error()));
  return names && names->empty();
}

std::string under_way_in(const std::string& git_dir) {
  struct Sign {
    std::string_view file, name;
  };
  constexpr std::array kSigns = {Sign{"rebase-merge", "rebase"}, Sign{"rebase-apply", "rebase"},
                                 Sign{"MERGE_HEAD", "merge"},    Sign{"CHERRY_PICK_HEAD", "cherry-pick"},
                                 Sign{"REVERT_HEAD", "revert"},  Sign{"BISECT_LOG", "bisect"}};
  for (const Sign& sign : kSigns) {
    if (access(cat(git_dir, "/", sign.file).c_str(), F_OK) == 0) return std::string(sign.name);
  }
  return {};
}

}  // namespace

Result<std::vector<Worktree>> git_worktrees(const std::string& repository) {
  PAWL_ASSIGN(const std::string text, ask(repository, {"worktree", "list", "--porcelain", "-z"}));
  std::vector<Worktree> found;
  for (const std::string_view line : split(text, '\0')) {
    const auto value = [&](std::string_view name) { return std::string(line.substr(name.size())); };
    if (line.starts_with("worktree ")) {
      found.push_back({value("worktree "), {}, {}, false});
      found.back().gone = access(found.back().path.c_str(), F_OK) != 0;
    } else if (found.empty()) {
      continue;
    } else if (line.starts_with("HEAD ")) {
      found.back().head = value("HEAD ");
    } else if (line.starts_with("branch refs/heads/")) {
      found.back().branch = value("branch refs/heads/");
    }
  }
  return found;
}

Result<std::string> git_commit_of(const std::string& repository, const std::string& name) {
  PAWL_ASSIGN(const GitRan ran,
              run_git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", cat(name, "^{commit}")},
                      StandardError::dropped));
  if (ran.exit_code != 0)
    return fail(ErrorCode::not_found, cat("“", printable(name), "” names no commit in ", printable(repository)));
  return std::string(trim(ran.out));
}

Result<bool> git_has_branch(const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const GitRan ran, run_git(repository, {"show-ref", "--verify", "--quiet", cat("refs/heads/", branch)}));
  return ran.exit_code == 0;
}

Result<MadeWorktree> git_worktree_for(const std::string& repository, const WorktreePlan& plan) {
  {
    PAWL_ASSIGN(const GitRan legal, run_git(repository, {"check-ref-format", "--branch", plan.branch}));
    if (legal.exit_code != 0 || plan.branch.starts_with('-'))
      return fail(ErrorCode::invalid_argument, cat("“", printable(plan.branch), "” can not be the name of a branch"));
  }
  PAWL_ASSIGN(const auto known, git_worktrees(repository));
  const std::string path = real(plan.path);
  for (const Worktree& worktree : known) {
    if (worktree.gone) continue;
    const bool here = real(worktree.path) == path;
    if (here && worktree.branch == plan.branch) return MadeWorktree{worktree.head, false, false};
    if (here) {
      return fail(
          ErrorCode::conflict,
          cat(printable(plan.path), " is there with ",
              worktree.branch.empty() ? std::string("no branch") : cat("the branch ", printable(worktree.branch)),
              " checked out, not ", printable(plan.branch)),
          worktree.branch.empty() ? std::string("check a branch out there, or name another with --branch")
                                  : cat("--branch ", printable(worktree.branch), " goes on with that one"));
    }
    if (worktree.branch == plan.branch) {
      return fail(ErrorCode::conflict,
                  cat("the branch ", printable(plan.branch), " is checked out in ", printable(worktree.path)),
                  "a branch can be in one place only: name another with --branch");
    }
  }
  struct stat info {};
  if (lstat(plan.path.c_str(), &info) == 0 && !(S_ISDIR(info.st_mode) && is_empty_folder(plan.path))) {
    return fail(ErrorCode::conflict, cat(printable(plan.path), " is in the way: it is no worktree of this repository"),
                "move it elsewhere, or give the issue another title");
  }
  MadeWorktree made;
  made.made = true;
  PAWL_ASSIGN(const bool has_branch, git_has_branch(repository, plan.branch));
  // --force: a folder that git still has on its list is not there any more, or this would not be reached.
  std::vector<std::string> words = {"worktree", "add", "--force", "--quiet"};
  if (has_branch) {
    PAWL_ASSIGN(made.base, git_commit_of(repository, cat("refs/heads/", plan.branch)));
    words.insert(words.end(), {"--", plan.path, plan.branch});
  } else {
    const std::string base = plan.base.empty() ? "HEAD" : plan.base;
    const auto commit = git_commit_of(repository, base);
    if (!commit && plan.base.empty())
      return fail(ErrorCode::not_found, cat(printable(repository), " has no commit yet"),
                  "commit something first: a branch begins at a commit");
    if (!commit) return tl::unexpected(commit.error());
    made.base = *commit;
    made.made_branch = true;
    words.insert(words.end(), {"--no-track", "-b", plan.branch, "--", plan.path, made.base});
  }
  PAWL_ASSIGN(const GitRan ran, run_git(repository, words));
  if (ran.exit_code != 0)
    return fail(ErrorCode::io,
                cat("git could not make the worktree ", printable(plan.path), ": ", printable(trim(ran.out), true)));
  return made;
}

Result<WorkLeft> git_work_left(const Worktree& worktree, const std::vector<std::string>& bases,
                               const std::vector<std::string>& ours) {
  WorkLeft left;
  PAWL_ASSIGN(const std::string git_dir, ask(worktree.path, {"rev-parse", "--absolute-git-dir"}));
  left.under_way = under_way_in(std::string(trim(git_dir)));
  PAWL_ASSIGN(const std::string status,
              ask(worktree.path, {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"}));
  for (std::string& line : lines_of(status, '\0')) {
    const bool known = line.size() > 3 && std::find(ours.begin(), ours.end(), line.substr(3)) != ours.end();
    if (!known) left.uncommitted.push_back(std::move(line));
  }
  std::vector<std::string> words = {"log", "--format=%h %s", cat("--max-count=", kMostListed), "HEAD"};
  if (!worktree.branch.empty()) words.push_back(cat("refs/heads/", worktree.branch));
  words.insert(words.end(), {"--not", "--remotes"});
  for (const std::string& base : bases) {
    if (git_commit_of(worktree.path, base)) words.push_back(base);
  }
  words.emplace_back("--");
  PAWL_ASSIGN(const std::string commits, ask(worktree.path, words));
  left.unpushed = lines_of(commits);
  return left;
}

Result<std::string> git_stash(const std::string& worktree, const std::string& message) {
  PAWL_ASSIGN(const GitRan ran, run_git(worktree, {"stash", "push", "--include-untracked", "--message", message}));
  if (ran.exit_code != 0)
    return fail(ErrorCode::io, cat("git stash failed in ", printable(worktree), ": ", printable(trim(ran.out), true)));
  if (ran.out.find("No local changes") != std::string::npos)
    return fail(ErrorCode::not_found, "there was nothing to put into the stash");
  PAWL_ASSIGN(const std::string commit, git_commit_of(worktree, "refs/stash"));
  return commit;
}

Result<std::string> git_keep(const std::string& repository, const std::string& commit, const std::string& name) {
  const std::string ref = cat("refs/pawl/", name);
  PAWL_TRY(ask(repository, {"update-ref", "-m", "kept by pawl", ref, commit}, StandardError::with_output));
  return ref;
}

Done git_remove_worktree(const std::string& repository, const std::string& path) {
  // --force is for what git ignores and for copies; what is work was looked for before.
  PAWL_TRY(ask(repository, {"worktree", "remove", "--force", "--", path}, StandardError::with_output));
  return done();
}

Done git_prune_worktrees(const std::string& repository) {
  PAWL_TRY(ask(repository, {"worktree", "prune"}, StandardError::with_output));
  return done();
}

Result<bool> git_is_merged(const std::string& repository, const std::string& branch, const std::string& base) {
  PAWL_ASSIGN(const GitRan ran, run_git(repository, {"merge-base", "--is-ancestor", cat("refs/heads/", branch), base}));
  return ran.exit_code == 0;
}

Done git_delete_branch(const std::string& repository, const std::string& branch) {
  PAWL_TRY(ask(repository, {"branch", "-D", "--", branch}, StandardError::with_output));
  return done();
}

}  // namespace pawl

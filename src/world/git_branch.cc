#include "world/git_branch.h"

#include <algorithm>

#include "base/process.h"
#include "base/text.h"
#include "world/git_command.h"
#include "world/git_worktree.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{16} << 20U;
constexpr int kNetworkMs = 600'000;
constexpr std::size_t kShown = 600;

// What the network needs: nobody can be asked for a password, and the user's own helper may want the token.
Result<Ran> ask_remote(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"env", "GIT_TERMINAL_PROMPT=0", "git", "-C", folder});
  auto ran =
      run_program(words, kMaxOutput, StandardError::with_output, GitVariables::dropped, kNetworkMs, Secrets::kept);
  if (!ran) return fail(ErrorCode::unavailable, cat("git ", words[5], " did not end: ", ran.error().message));
  return ran;
}

// The end of what git said; that is where the reason is.
std::string said(const Ran& ran) {
  const std::string_view text = trim(ran.out);
  return printable(text.size() <= kShown ? text : text.substr(text.size() - kShown), true);
}

std::string ref_of(const std::string& branch) { return cat("refs/heads/", branch); }

}  // namespace

Result<std::vector<std::string>> git_dirty(const std::string& folder, const std::vector<std::string>& ours) {
  PAWL_ASSIGN(const std::string text,
              ask_git(folder, {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"}));
  std::vector<std::string> dirty;
  for (const std::string& line : lines_of(text, '\0')) {
    if (line.size() < 4) continue;
    std::string path = line.substr(3);
    const bool is_ours = std::any_of(ours.begin(), ours.end(), [&](const std::string& one) {
      return one.ends_with('/') ? path.starts_with(one) : path == one;
    });
    if (!is_ours) dirty.push_back(std::move(path));
  }
  return dirty;
}

Result<CheckedOut> git_checked_out(const std::string& repository, const std::string& branch,
                                   const std::vector<std::string>& ours) {
  const auto commit = git_commit_of(repository, ref_of(branch));
  if (!commit)
    return fail(ErrorCode::not_found,
                cat("there is no branch “", printable(branch), "” in ", printable(repository), ", or it has no commit"),
                "name the branch that has the work with --branch");
  PAWL_ASSIGN(const auto worktrees, git_worktrees(repository));
  for (const Worktree& one : worktrees) {
    if (one.branch != branch || one.gone) continue;
    CheckedOut out{one.path, branch, *commit, {}};
    PAWL_ASSIGN(out.dirty, git_dirty(one.path, ours));
    return out;
  }
  return fail(ErrorCode::not_found, cat("the branch “", printable(branch), "” is checked out nowhere"),
              cat("git worktree add FOLDER ", printable(branch)));
}

Result<std::optional<std::string>> git_commit_all(const std::string& folder, const std::string& message,
                                                  const std::vector<std::string>& ours) {
  PAWL_ASSIGN(const auto dirty, git_dirty(folder, ours));
  if (dirty.empty()) return std::optional<std::string>();
  // Paths are names, not patterns; all in one call, so that no list can be too long for a command line.
  std::vector<std::string> add = {"add", "--all", "--", ":/"};
  for (const std::string& one : ours) add.push_back(cat(":(top,exclude,literal)", one));
  PAWL_TRY(ask_git(folder, add, StandardError::with_output));
  // What the agent had put there of pawl's files stays out as well.
  std::vector<std::string> reset = {"reset", "--quiet", "--"};
  for (const std::string& one : ours) reset.push_back(cat(":(top,literal)", one));
  if (!ours.empty()) PAWL_TRY(ask_git(folder, reset, StandardError::with_output));
  PAWL_ASSIGN(const Ran ran, run_git(folder, {"commit", "--quiet", "--cleanup=verbatim", "--message", message}));
  if (ran.exit_code != 0) {
    // A commit that was under way when its pawl was killed may have come in between.
    PAWL_ASSIGN(const auto left, git_dirty(folder, ours));
    if (left.empty()) return std::optional<std::string>();
    return fail(ErrorCode::gate_failed, cat("git commit was refused: ", said(ran)));
  }
  PAWL_ASSIGN(std::string commit, git_commit_of(folder, "HEAD"));
  return std::optional(std::move(commit));
}

Result<std::optional<std::string>> git_commit_with(const std::string& folder, const std::string& after,
                                                   const std::string& text) {
  PAWL_ASSIGN(const std::string found, ask_git(folder, {"log", "--max-count=1", "--format=%H", "--fixed-strings",
                                                        cat("--grep=", text), cat(after, "..HEAD")}));
  const std::string commit(trim(found));
  return commit.empty() ? std::optional<std::string>() : std::optional(commit);
}

Result<bool> git_is_ancestor(const std::string& repository, const std::string& older, const std::string& newer) {
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"merge-base", "--is-ancestor", older, newer}));
  return ran.exit_code == 0;
}

Result<std::optional<std::string>> git_remote_commit(const std::string& repository, const std::string& remote,
                                                     const std::string& branch) {
  PAWL_ASSIGN(const Ran ran, ask_remote(repository, {"ls-remote", "--", remote, ref_of(branch)}));
  if (ran.exit_code != 0)
    return fail(ErrorCode::unavailable, cat("git could not ask the remote ", printable(remote), ": ", said(ran)),
                cat("try: git -C ", printable(repository), " ls-remote ", printable(remote)));
  for (const std::string& line : lines_of(ran.out)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos && line.substr(tab + 1) == ref_of(branch)) return std::optional(line.substr(0, tab));
  }
  return std::optional<std::string>();
}

Done git_push(const std::string& repository, const std::string& remote, const std::string& branch,
              const std::string& commit) {
  PAWL_ASSIGN(const Ran ran,
              ask_remote(repository, {"push", "--porcelain", "--", remote, cat(commit, ":", ref_of(branch))}));
  if (ran.exit_code == 0) return done();
  if (ran.out.find("non-fast-forward") != std::string::npos || ran.out.find("fetch first") != std::string::npos)
    return fail(ErrorCode::conflict,
                cat("the branch ", printable(branch), " has commits on ", printable(remote), " that are not here"),
                "somebody else pushed to it; nothing was overwritten");
  const bool refused =
      ran.out.find("[rejected]") != std::string::npos || ran.out.find("[remote rejected]") != std::string::npos;
  return fail(refused ? ErrorCode::gate_failed : ErrorCode::unavailable,
              cat(printable(remote), refused ? " refuses the branch " : " did not take the branch ", printable(branch),
                  ": ", said(ran)));
}

Result<std::string> git_fetch(const std::string& repository, const std::string& remote, const std::string& branch) {
  PAWL_ASSIGN(const Ran ran, ask_remote(repository, {"fetch", "--quiet", "--no-tags", "--", remote, ref_of(branch)}));
  if (ran.exit_code != 0)
    return fail(ErrorCode::unavailable,
                cat("git could not fetch ", printable(branch), " from ", printable(remote), ": ", said(ran)));
  return git_commit_of(repository, "FETCH_HEAD");
}

Done git_forward(const std::string& folder, const std::string& commit) {
  PAWL_ASSIGN(const Ran ran, run_git(folder, {"merge", "--ff-only", "--quiet", commit}));
  if (ran.exit_code == 0) return done();
  return fail(ErrorCode::conflict,
              cat("the branch in ", printable(folder), " and the remote's went different ways: ", said(ran)),
              "bring them together by hand");
}

Result<std::string> git_main_branch(const std::string& repository, const std::string& remote) {
  PAWL_ASSIGN(const Ran ran, ask_remote(repository, {"ls-remote", "--symref", "--", remote, "HEAD"}));
  constexpr std::string_view kBefore = "ref: refs/heads/", kBehind = "\tHEAD";
  for (const std::string& line : lines_of(ran.out)) {
    if (ran.exit_code == 0 && line.starts_with(kBefore) && line.ends_with(kBehind))
      return line.substr(kBefore.size(), line.size() - kBefore.size() - kBehind.size());
  }
  return fail(ErrorCode::not_found, cat("the remote ", printable(remote), " does not say which branch is its main one"),
              "say it: story.base in pawl.toml");
}

}  // namespace pawl

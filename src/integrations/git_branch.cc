#include "integrations/git_branch.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/clock.h"
#include "base/hex.h"
#include "base/process.h"
#include "base/text.h"
#include "integrations/git_command.h"
#include "integrations/git_worktree.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxCommitted = std::size_t{16} << 20U;
constexpr int kNetworkMs = 600'000;
constexpr std::size_t kShown = 600;

// What the network needs: nobody can be asked for a password, and the user's own helper may want the token.
Result<Ran> ask_remote(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"env", "GIT_TERMINAL_PROMPT=0", "git", "-C", folder});
  auto ran =
      run_program(words, kMaxCommitted, StandardError::with_output, GitVariables::dropped, kNetworkMs, Secrets::kept);
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

namespace {

bool is_one_of(const std::vector<std::string>& ours, const std::string& path) {
  return std::any_of(ours.begin(), ours.end(),
                     [&](const std::string& one) { return one.ends_with('/') ? path.starts_with(one) : path == one; });
}

// Folders below with a .git of their own, relative; none within those that are left out. One that is a submodule by
// .gitmodules is not meant.
Result<std::vector<std::string>> nested_in(const std::string& folder, const std::vector<std::string>& ours) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->symlink_status(ignored).type() != fs::file_type::directory) continue;
    const std::string path = at->path().string().substr(folder.size() + 1);
    if (at->path().filename() == ".git" || is_one_of(ours, cat(path, "/"))) {
      at.disable_recursion_pending();
    } else if (fs::exists(fs::symlink_status(at->path() / ".git", ignored))) {
      at.disable_recursion_pending();
      found.push_back(path);
    }
  }
  if (error) return fail(ErrorCode::io, cat("cannot look through ", printable(folder), ": ", error.message()));
  if (found.empty()) return found;
  PAWL_ASSIGN(const Ran listed,
              run_git(folder, {"config", "--file", ".gitmodules", "--null", "--get-regexp", "^submodule\\..*\\.path$"},
                      StandardError::dropped));
  std::vector<std::string> submodules;
  for (const std::string& line : lines_of(listed.out, '\0')) submodules.push_back(line.substr(line.find('\n') + 1));
  std::vector<std::string> out;
  for (std::string& path : found) {
    if (std::find(submodules.begin(), submodules.end(), path) != submodules.end()) continue;
    PAWL_ASSIGN(const Ran ignored, run_git(folder, {"check-ignore", "--quiet", "--", path}));
    if (ignored.exit_code != 0) out.push_back(std::move(path));
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> git_unseen(const std::string& folder, const std::vector<std::string>& ours) {
  std::vector<std::string> unseen;
  PAWL_ASSIGN(const std::string listed, ask_git(folder, {"ls-files", "-v", "-z"}));
  for (const std::string& line : lines_of(listed, '\0')) {  // "h NAME"
    const bool hidden = line.size() > 2 && (line[0] == 'S' || (line[0] >= 'a' && line[0] <= 'z'));
    if (hidden && !is_one_of(ours, line.substr(2)))
      unseen.push_back(cat(line.substr(2), " (git was told not to look at it: git update-index --no-",
                           line[0] == 'S' || line[0] == 's' ? "skip-worktree" : "assume-unchanged", ")"));
  }
  PAWL_ASSIGN(const auto nested, nested_in(folder, ours));
  for (const std::string& path : nested)
    unseen.push_back(cat(path, " (a repository of its own: what is in it is in no commit of this one)"));
  return unseen;
}

Result<std::vector<std::string>> git_dirty(const std::string& folder, const std::vector<std::string>& ours) {
  PAWL_ASSIGN(const std::string text,
              ask_git(folder, {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"}));
  std::vector<std::string> dirty;
  for (const std::string& line : lines_of(text, '\0')) {
    if (line.size() < 4) continue;
    std::string path = line.substr(3);
    if (!is_one_of(ours, path)) dirty.push_back(std::move(path));
  }
  return dirty;
}

const std::vector<std::string>& KeptFiles::in(const std::string& checkout) const {
  static const std::vector<std::string> kNone;
  std::error_code error;
  return std::filesystem::equivalent(folder, checkout, error) && !error ? paths : kNone;
}

Result<CheckedOut> git_checked_out(const std::string& repository, const std::string& branch, const KeptFiles& kept) {
  const auto commit = git_commit_of(repository, ref_of(branch));
  if (!commit)
    return fail(ErrorCode::not_found,
                cat("there is no branch “", printable(branch), "” in ", printable(repository), ", or it has no commit"),
                "name the branch that has the work with --branch");
  PAWL_ASSIGN(const auto worktrees, git_worktrees(repository));
  for (const Worktree& one : worktrees) {
    if (one.branch != branch || one.gone) continue;
    CheckedOut out{one.path, branch, *commit, {}};
    const std::vector<std::string>& ours = kept.in(one.path);
    PAWL_ASSIGN(out.dirty, git_dirty(one.path, ours));
    PAWL_ASSIGN(const auto unseen, git_unseen(one.path, ours));
    out.dirty.insert(out.dirty.end(), unseen.begin(), unseen.end());
    return out;
  }
  return fail(ErrorCode::not_found, cat("the branch “", printable(branch), "” is checked out nowhere"),
              "git worktree add FOLDER BRANCH");  // others may have written its name: nothing to paste
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

Done git_put_back(const std::string& folder) {
  PAWL_TRY(ask_git(folder, {"reset", "--hard", "--quiet"}, StandardError::with_output));
  // Twice -f: what was cloned there is a repository of its own.
  PAWL_TRY(ask_git(folder, {"clean", "-ff", "-d", "--quiet"}, StandardError::with_output));
  return done();
}

Result<std::optional<std::string>> git_commit_with(const std::string& folder, const std::string& after,
                                                   const std::string& text) {
  PAWL_ASSIGN(const std::string found, ask_git(folder, {"log", "--max-count=1", "--format=%H", "--fixed-strings",
                                                        cat("--grep=", text), cat(after, "..HEAD")}));
  const std::string commit(trim(found));
  return commit.empty() ? std::optional<std::string>() : std::optional(commit);
}

Result<bool> git_is_on(const std::string& folder, const std::string& branch) {
  PAWL_ASSIGN(const Ran head, run_git(folder, {"symbolic-ref", "--quiet", "HEAD"}));
  if (head.exit_code != 0 || trim(head.out) != ref_of(branch)) return false;
  PAWL_ASSIGN(const Ran itself, run_git(folder, {"symbolic-ref", "--quiet", ref_of(branch)}));
  return itself.exit_code != 0;
}

Result<bool> git_has_own_commits(const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const std::string commit,
              ask_git(repository, {"rev-list", "--max-count=1", ref_of(branch), "--not", cat("--exclude=", branch),
                                   "--branches", cat("--exclude=*/", branch), "--remotes"}));
  return !trim(commit).empty();
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

namespace {

constexpr std::string_view kFetchedRefs = "refs/pawl/fetched/";

constexpr std::int64_t kFetchedForMs = 3'600'000;

// A name that no other process gives, in whichever container it is: FETCH_HEAD is everybody's, and another fetch may be
// under way. It begins with its time.
std::string new_fetched_ref(std::int64_t now_ms) {
  std::array<char, 8> bytes{};
  [[maybe_unused]] const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);  // so few are never cut short
  return cat(kFetchedRefs, now_ms, "-", in_hex({bytes.data(), bytes.size()}));
}

// What a process that was killed in between fetched, and nobody reads any more.
void drop_old_fetched_refs(const std::string& repository, std::int64_t now_ms) {
  const auto names = run_git(repository, {"for-each-ref", "--format=%(refname)", std::string(kFetchedRefs)});
  if (!names) return;
  for (const std::string_view name : split(names->out, '\n')) {
    if (!name.starts_with(kFetchedRefs)) continue;
    const std::string_view rest = name.substr(kFetchedRefs.size());
    const auto made_ms = parse_positive(std::string(rest.substr(0, rest.find('-'))));
    if (made_ms && now_ms - *made_ms > kFetchedForMs)
      (void)run_git(repository, {"update-ref", "-d", std::string(name)});
  }
}

}  // namespace

Result<std::string> git_fetch(const std::string& repository, const std::string& remote, const std::string& branch) {
  const std::int64_t now_ms = SystemClock().now().wall_ms;
  const std::string name = new_fetched_ref(now_ms);
  drop_old_fetched_refs(repository, now_ms);
  const auto fetch = [&] {
    return ask_remote(repository, {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", remote,
                                   cat("+", ref_of(branch), ":", name)});
  };
  PAWL_ASSIGN(Ran ran, fetch());
  if (ran.exit_code != 0 && ran.out.find("worktrees/") != std::string::npos) {
    // It reads what every worktree has checked out, and came upon one that was being made. Once more, while none is;
    // not so at once, or whoever wants a worktree would wait for the network.
    PAWL_ASSIGN(const Fd settled, git_worktrees_settled(repository));
    PAWL_ASSIGN(ran, fetch());
  }
  if (ran.exit_code != 0)
    return fail(ErrorCode::unavailable,
                cat("git could not fetch ", printable(branch), " from ", printable(remote), ": ", said(ran)));
  auto commit = git_commit_of(repository, name);
  PAWL_TRY(run_git(repository, {"update-ref", "-d", name}));
  return commit;
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

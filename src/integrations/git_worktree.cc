#include "integrations/git_worktree.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "integrations/git_command.h"

namespace pawl {
namespace {

constexpr std::string_view kFilling = "initializing";

bool is_empty_folder(const std::string& path) {
  const auto folder = open_folder(path);
  const auto names =
      folder ? names_in(folder->get()) : Result<std::vector<std::string>>(tl::unexpected(folder.error()));
  return names && names->empty();
}

constexpr std::size_t kMaxLink = 65'536;
constexpr std::string_view kLinkWord = "gitdir: ";

// Where a file of git's leads that holds a path; "" where there is none. A link instead of the file leads nowhere.
std::string linked_by(const std::string& folder, const std::string& file, std::string_view word = {}) {
  const auto link = read_file(cat(folder, "/", file), kMaxLink);
  if (!link || !link->exists || link->too_large || !link->bytes.starts_with(word)) return {};
  std::string_view text = std::string_view(link->bytes).substr(word.size());
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.empty() || text.starts_with('/')) return std::string(text);
  return cat(folder, "/", text);  // worktree.useRelativePaths
}

Result<std::string> common_dir(const std::string& repository) {
  PAWL_ASSIGN(std::string text, ask_git(repository, {"rev-parse", "--path-format=absolute", "--git-common-dir"}));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// Whoever changes what all worktrees share, their list or the stash, is alone with it. The lock is on git's folder
// itself, and leaves nothing behind.
Result<Fd> turn_at_shared(const std::string& repository, int how) {
  constexpr int kLockPatienceMs = 60'000;
  PAWL_ASSIGN(const std::string common, common_dir(repository));
  PAWL_ASSIGN(Fd folder, open_folder(common));
  PAWL_ASSIGN(const bool locked, lock_within(folder.get(), how, kLockPatienceMs, common));
  if (!locked)
    return fail(
        ErrorCode::busy,
        cat("another command has been changing the worktrees or the stash of ", printable(repository), " for a minute"),
        "try again when it has ended");
  return folder;
}

// The folders that git keeps for worktrees at this path: one, unless somebody has written into them.
Result<std::vector<std::string>> kept_for(const std::string& repository, const std::string& path) {
  PAWL_ASSIGN(const std::string common, common_dir(repository));
  const std::string folder = cat(common, "/worktrees");
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path link = linked_by(entry.path().string(), "gitdir");
    if (link.filename() == ".git" && same_place(link.parent_path().string(), path))
      found.push_back(entry.path().string());
  }
  if (error) return fail(ErrorCode::io, cat("cannot read ", printable(folder), ": ", error.message()));
  return found;
}

}  // namespace

Result<Fd> git_worktrees_settled(const std::string& repository) { return turn_at_shared(repository, LOCK_SH); }

Result<std::vector<Worktree>> git_worktrees(const std::string& repository) {
  PAWL_ASSIGN(const Fd turn, git_worktrees_settled(repository));
  PAWL_ASSIGN(const std::string text, ask_git(repository, {"worktree", "list", "--porcelain", "-z"}));
  std::vector<Worktree> found;
  for (const std::string_view line : split(text, '\0')) {
    const auto value = [&](std::string_view name) { return std::string(line.substr(name.size())); };
    if (line.starts_with("worktree ")) {
      found.push_back({value("worktree "), {}, {}, false, std::nullopt});
      found.back().gone = access(found.back().path.c_str(), F_OK) != 0;
    } else if (found.empty()) {
      continue;
    } else if (line.starts_with("HEAD ")) {
      found.back().head = value("HEAD ");
    } else if (line == "locked" || line.starts_with("locked ")) {
      found.back().locked = line == "locked" ? std::string() : value("locked ");
    } else if (line.starts_with("branch refs/heads/")) {
      found.back().branch = value("branch refs/heads/");
    }
  }
  return found;
}

const Worktree* worktree_at(const std::vector<Worktree>& worktrees, const std::string& path) {
  const auto found = std::find_if(worktrees.begin(), worktrees.end(),
                                  [&](const Worktree& worktree) { return same_place(worktree.path, path); });
  return found == worktrees.end() ? nullptr : &*found;
}

Result<std::string> git_commit_of(const std::string& repository, const std::string& name) {
  PAWL_ASSIGN(const Ran ran,
              run_git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", cat(name, "^{commit}")},
                      StandardError::dropped));
  if (ran.exit_code != 0)
    return fail(ErrorCode::not_found, cat("“", printable(name), "” names no commit in ", printable(repository)));
  return std::string(trim(ran.out));
}

Result<bool> git_ignores(const std::string& repository, const std::string& path) {
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"check-ignore", "--quiet", "--", path}));
  return ran.exit_code == 0;
}

Result<bool> git_has_branch(const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"show-ref", "--verify", "--quiet", cat("refs/heads/", branch)}));
  return ran.exit_code == 0;
}

Result<MadeWorktree> git_worktree_for(const std::string& repository, const WorktreePlan& plan) {
  {
    PAWL_ASSIGN(const Ran legal, run_git(repository, {"check-ref-format", "--branch", plan.branch}));
    if (legal.exit_code != 0 || plan.branch.starts_with('-'))
      return fail(ErrorCode::invalid_argument, cat("“", printable(plan.branch), "” cannot be the name of a branch"));
  }
  PAWL_ASSIGN(const auto known, git_worktrees(repository));
  for (const Worktree& worktree : known) {
    // git locks it while it fills it, and was itself cut off: nobody has been in it.
    if (plan.cut_off && worktree.locked == kFilling && same_place(worktree.path, plan.path)) {
      PAWL_ASSIGN(const Fd turn, turn_at_shared(repository, LOCK_EX));
      PAWL_TRY(ask_git(repository, {"worktree", "remove", "--force", "--force", "--", worktree.path},
                       StandardError::with_output));
      continue;
    }
    if (worktree.gone) continue;
    const bool here = same_place(worktree.path, plan.path);
    if (here) PAWL_TRY(git_check_worktree(repository, worktree.path));
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
                "move it elsewhere: the worktree is to be made there");
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
  PAWL_ASSIGN(const Fd turn, turn_at_shared(repository, LOCK_EX));
  PAWL_ASSIGN(const Ran ran, run_git(repository, words));
  if (ran.exit_code == 0) return made;
  // A hook's "no" comes when all of it is made; nobody has been in it yet.
  const bool hook = lstat(plan.path.c_str(), &info) == 0;
  if (hook) PAWL_TRY(run_git(repository, {"worktree", "remove", "--force", "--force", "--", plan.path}));
  if (hook && made.made_branch) PAWL_TRY(run_git(repository, {"branch", "-D", "--", plan.branch}));
  const std::string_view said = trim(ran.out);
  return fail(ErrorCode::io,
              cat("git could not make the worktree ", printable(plan.path), ": ",
                  said.empty() ? cat("it ended with ", ran.exit_code, " and said nothing") : printable(said, true)),
              hook ? "the repository's hook post-checkout may have refused it" : "");
}

Result<std::string> git_stash(const std::string& worktree, const std::string& message) {
  PAWL_ASSIGN(const Fd turn, turn_at_shared(worktree, LOCK_EX));  // until it is known which entry is this one
  PAWL_ASSIGN(const Ran ran, run_git(worktree, {"stash", "push", "--include-untracked", "--message", message}));
  if (ran.exit_code != 0)
    return fail(ErrorCode::io, cat("git stash failed in ", printable(worktree), ": ", printable(trim(ran.out), true)));
  if (ran.out.find("No local changes") != std::string::npos)
    return fail(ErrorCode::not_found, "there was nothing to put into the stash");
  PAWL_ASSIGN(const std::string commit, git_commit_of(worktree, "refs/stash"));
  return commit;
}

Result<std::string> git_keep(const std::string& repository, const std::string& commit, const std::string& name) {
  std::string ref = cat("refs/pawl/", name);
  // What an earlier one kept under this name stays.
  for (int next = 2;; ++next) {
    const auto there = git_commit_of(repository, ref);
    if (there && *there == commit) return ref;
    if (!there) break;
    ref = cat("refs/pawl/", name, "-", next);
  }
  PAWL_TRY(ask_git(repository, {"update-ref", "-m", "kept by pawl", ref, commit, ""}, StandardError::with_output));
  return ref;
}

Done git_remove_worktree(const std::string& repository, const std::string& path) {
  // --force is for what git ignores and for copies; what is work was looked for before.
  PAWL_ASSIGN(const Fd turn, turn_at_shared(repository, LOCK_EX));
  PAWL_TRY(ask_git(repository, {"worktree", "remove", "--force", "--", path}, StandardError::with_output));
  return done();
}

Done git_move_worktree(const std::string& repository, const std::string& from, const std::string& to) {
  PAWL_ASSIGN(const Fd turn, turn_at_shared(repository, LOCK_EX));
  PAWL_TRY(ask_git(repository, {"worktree", "move", "--", from, to}, StandardError::with_output));
  return done();
}

// git tells no more of it than its name; the folder that it keeps for it says where it was.
Result<std::string> git_dir_of_gone(const std::string& repository, const std::string& path) {
  PAWL_ASSIGN(const auto found, kept_for(repository, path));
  return found.empty() ? std::string() : found.front();
}

// By its files first: git itself, run in a folder with another's .git, may note that the other has moved there.
Done git_check_worktree(const std::string& repository, const std::string& path) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::conflict, cat(printable(path), " is not the worktree that git has there: ", why),
                "nothing was touched; git worktree repair mends a worktree that was moved, else move the folder "
                "elsewhere, then: git worktree prune");
  };
  const std::string git_dir = linked_by(path, ".git", kLinkWord);
  if (git_dir.empty()) return refuse("its file .git is missing, or is not what git has written");
  PAWL_ASSIGN(const std::string common, common_dir(repository));
  const std::filesystem::path real = real_path(git_dir);
  if (real.empty() || !same_place(real.parent_path().string(), cat(common, "/worktrees")))
    return refuse(cat("its file .git leads to ", printable(git_dir), ", which is not of this repository"));
  PAWL_ASSIGN(const auto kept, kept_for(repository, path));
  if (kept.size() != 1 || !same_place(kept.front(), git_dir))
    return refuse(cat("its file .git leads to ", printable(git_dir), ", which is of another worktree"));
  PAWL_ASSIGN(std::string top, ask_git(path, {"rev-parse", "--show-toplevel"}));
  if (top.ends_with('\n')) top.pop_back();
  if (!same_place(top, path)) return refuse(cat("git works on ", printable(top), " from there"));
  return done();
}

Result<bool> git_is_kept(const std::string& repository, const std::string& commit, const std::string& but) {
  PAWL_ASSIGN(const std::string names,
              ask_git(repository, {"for-each-ref", "--contains", commit, "--format=%(refname)"}));
  for (const std::string& name : lines_of(names)) {
    if (but.empty() || name != cat("refs/heads/", but)) return true;
  }
  return false;
}

Result<std::string> git_branch_called(const std::string& repository, const std::string& name) {
  PAWL_ASSIGN(
      const Ran ran,
      run_git(repository, {"rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", name},
              StandardError::dropped));
  for (const std::string& line : lines_of(ran.out)) {
    if (ran.exit_code == 0 && (line.starts_with("refs/heads/") || line.starts_with("refs/remotes/"))) return line;
  }
  return std::string();
}

Result<bool> git_is_merged(const std::string& repository, const std::string& branch, const std::string& base) {
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"merge-base", "--is-ancestor", cat("refs/heads/", branch), base}));
  return ran.exit_code == 0;
}

Done git_delete_branch(const std::string& repository, const std::string& branch) {
  PAWL_ASSIGN(const Fd turn, turn_at_shared(repository, LOCK_EX));
  PAWL_TRY(ask_git(repository, {"branch", "-D", "--", branch}, StandardError::with_output));
  return done();
}

}  // namespace pawl

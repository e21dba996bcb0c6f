#include "integrations/git_work.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "integrations/git_command.h"

namespace pawl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListed = 50;
constexpr std::size_t kMostAtOnce = 200;  // files in one command line

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

Result<std::string> status_of(const std::string& folder) {
  return ask_git(
      folder, {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"});
}

bool is_unmerged(std::string_view line) {
  const std::string_view state = line.substr(0, 2);
  return state.find('U') != std::string_view::npos || state == "AA" || state == "DD";
}

// No link to one. A file may be gone since it was listed.
bool is_folder(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.symlink_status(error).type() == fs::file_type::directory;
}

bool is_bare_repository(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "HEAD", error) && fs::is_directory(folder / "objects", error) &&
         fs::is_directory(folder / "refs", error);
}

// Folders below this one that are repositories or worktrees of their own, also where git ignores them. What cannot be
// read might hide one, and is an error.
Result<std::vector<std::string>> repositories_below(const std::string& root) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(root, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path& path = at->path();
    const bool folder = is_folder(*at);
    if (path.filename() == ".git") {
      if (folder) at.disable_recursion_pending();
      if (at.depth() > 0) found.push_back(path.parent_path().string());
    } else if (folder && is_bare_repository(path)) {
      at.disable_recursion_pending();
      found.push_back(path.string());
    }
  }
  if (error)
    return fail(ErrorCode::io, cat("cannot look through ", printable(root), " for work: ", error.message()),
                "make it readable, or remove what cannot be read");
  std::sort(found.begin(), found.end());
  return found;
}

// The repositories of submodules, which lie in the worktree's own folder of git and go with it.
Result<std::vector<std::string>> submodules_kept_in(const std::string& git_dir) {
  std::error_code error;
  if (!fs::exists(git_dir + "/modules", error)) return std::vector<std::string>{};
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(git_dir + "/modules", error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (!is_folder(*at)) continue;
    if (is_bare_repository(at->path())) found.push_back(at->path().string());
    const std::string name = at->path().filename().string();
    // A submodule can be called objects/x, but not within another's own store.
    if ((name == "objects" || name == "refs" || name == "logs") && is_bare_repository(at->path().parent_path()))
      at.disable_recursion_pending();
  }
  if (error) return fail(ErrorCode::io, cat("cannot read ", printable(git_dir), "/modules: ", error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

// Commits of a submodule in any branch, tag, stash or checkout that none of its remotes has.
Result<bool> has_commits_of_its_own(const std::string& git_dir) {
  // --work-tree: the folder that the repository names may be gone, and git would not start.
  const std::vector<std::string> git = {cat("--git-dir=", git_dir), "--work-tree=/"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), git.begin(), git.end());
    return words;
  };
  std::vector<std::string> words = with({"rev-list", "--max-count=1", "--all"});
  PAWL_ASSIGN(const Ran head, run_git("/", with({"rev-parse", "--verify", "--quiet", "HEAD"}), StandardError::dropped));
  if (head.exit_code == 0) words.emplace_back("HEAD");
  words.insert(words.end(), {"--not", "--remotes", "--"});
  PAWL_ASSIGN(const Ran commits, run_git("/", words, StandardError::dropped));
  PAWL_ASSIGN(const Ran stash, run_git("/", with({"rev-parse", "--verify", "--quiet", "refs/stash"})));
  return commits.exit_code != 0 || !commits.out.empty() || stash.exit_code == 0;
}

class Looking {
 public:
  Looking(const Worktree& worktree, std::string git_dir) : worktree_(worktree), git_dir_(std::move(git_dir)) {}

  Done look(const std::vector<std::string>& ours);
  Done look_at_submodules();
  WorkLeft take() { return std::move(left_); }

 private:
  [[nodiscard]] std::string inside(const std::string& path) const { return path.substr(worktree_.path.size() + 1); }
  Done look_at_repositories();
  Done look_at_hidden();
  Done compare_hidden(const std::vector<std::pair<std::string, std::string>>& files);
  void differs(const std::string& file) {
    left_.hidden.push_back(file);
    left_.uncommitted.push_back(cat(" M ", file));
  }

  const Worktree& worktree_;
  std::string git_dir_;
  std::vector<std::string> submodules_;  // that are checked out, relative to the worktree
  WorkLeft left_;
};

Done Looking::look_at_repositories() {
  PAWL_ASSIGN(const auto found, repositories_below(worktree_.path));
  for (const std::string& path : found) {
    PAWL_ASSIGN(const Ran ran, run_git(path, {"rev-parse", "--absolute-git-dir"}, StandardError::dropped));
    if (ran.exit_code != 0 || !trim(ran.out).starts_with(git_dir_ + "/modules/")) {
      left_.by_hand.push_back(cat(inside(path), " is a repository or worktree of its own: move it elsewhere"));
      continue;
    }
    submodules_.push_back(inside(path));
    PAWL_ASSIGN(const std::string status, status_of(path));
    if (!status.empty())
      left_.by_hand.push_back(cat(inside(path), " is a submodule with work that is not committed: commit and push it"));
  }
  return done();
}

Done Looking::look_at_submodules() {
  PAWL_ASSIGN(const auto found, submodules_kept_in(git_dir_));
  for (const std::string& path : found) {
    PAWL_ASSIGN(const bool own, has_commits_of_its_own(path));
    if (!own) continue;
    const std::string name = path.substr(git_dir_.size() + std::string_view("/modules/").size());
    left_.by_hand.push_back(cat("the submodule ", name,
                                " has commits or a stash that none of its remotes has: push them",
                                worktree_.gone ? cat(" from ", path) : std::string()));
  }
  return done();
}

// Files that git was told not to look at (assume-unchanged, skip-worktree), and that are not as the index has them.
Done Looking::look_at_hidden() {
  PAWL_ASSIGN(const std::string listed, ask_git(worktree_.path, {"ls-files", "-v", "-s", "-z"}));
  std::vector<std::pair<std::string, std::string>> files;  // with the object that the index has
  for (const std::string& line : lines_of(listed, '\0')) {
    // "h 100644 OBJECT 0\tNAME"
    const bool is_hidden = line[0] == 'S' || (line[0] >= 'a' && line[0] <= 'z');
    const std::size_t tab = line.find('\t');
    if (!is_hidden || tab == std::string::npos) continue;
    const auto words = split(std::string_view(line).substr(0, tab), ' ');
    if (words.size() < 4 || words[1] == "160000") continue;  // submodules are looked at as such
    const std::string file = line.substr(tab + 1);
    struct stat info {};
    if (lstat(cat(worktree_.path, "/", file).c_str(), &info) != 0) continue;  // as in a sparse checkout
    if (S_ISREG(info.st_mode) && words[1] != "120000") {
      files.emplace_back(file, std::string(words[2]));
      continue;
    }
    std::error_code error;
    const std::string target = fs::read_symlink(cat(worktree_.path, "/", file), error).string();
    const auto was = ask_git(worktree_.path, {"cat-file", "blob", std::string(words[2])});
    if (error || words[1] != "120000" || !was || *was != target) differs(file);
  }
  return compare_hidden(files);
}

Done Looking::compare_hidden(const std::vector<std::pair<std::string, std::string>>& files) {
  for (std::size_t from = 0; from < files.size(); from += kMostAtOnce) {
    const std::size_t to = std::min(files.size(), from + kMostAtOnce);
    std::vector<std::string> words = {"hash-object", "--"};
    for (std::size_t i = from; i < to; ++i) words.push_back(files[i].first);
    PAWL_ASSIGN(const std::string text, ask_git(worktree_.path, words));
    const auto hashes = lines_of(text);
    for (std::size_t i = from; i < to; ++i) {
      if (i - from >= hashes.size() || hashes[i - from] != files[i].second) differs(files[i].first);
    }
  }
  return done();
}

Done Looking::look(const std::vector<std::string>& ours) {
  left_.under_way = under_way_in(git_dir_);
  PAWL_TRY(look_at_repositories());
  PAWL_TRY(look_at_submodules());
  PAWL_ASSIGN(const std::string status, status_of(worktree_.path));
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (std::string& line : lines_of(status, '\0')) {
    if (line.size() <= 3) continue;
    const std::string name = line.substr(3);
    if (is_in(ours, name)) continue;
    if (is_in(submodules_, name))  // the stash does not take it
      left_.by_hand.push_back(cat(name, " is a submodule that is not as it was committed: commit it, or put it back"));
    else if (is_unmerged(line) && left_.under_way.empty())
      left_.by_hand.push_back(cat(name, " has conflicts: resolve them, then git add"));
    else
      left_.uncommitted.push_back(std::move(line));
  }
  return look_at_hidden();
}

}  // namespace

Result<WorkLeft> git_work_left(const std::string& repository, const Worktree& worktree,
                               const std::vector<std::string>& bases, const std::vector<std::string>& ours) {
  if (worktree.gone) {
    PAWL_ASSIGN(const std::string git_dir, git_dir_of_gone(repository, worktree.path));
    Looking looking(worktree, git_dir);
    if (!git_dir.empty()) PAWL_TRY(looking.look_at_submodules());
    return looking.take();
  }
  PAWL_TRY(git_check_worktree(repository, worktree.path));
  PAWL_ASSIGN(const std::string git_dir, ask_git(worktree.path, {"rev-parse", "--absolute-git-dir"}));
  Looking looking(worktree, std::string(trim(git_dir)));
  PAWL_TRY(looking.look(ours));
  WorkLeft left = looking.take();
  // Names of this worktree alone, which go with it.
  PAWL_ASSIGN(const std::string own, ask_git(worktree.path, {"for-each-ref", "--format=%(refname)", "refs/worktree"}));
  for (const std::string& name : lines_of(own)) {
    PAWL_ASSIGN(const std::string commit, git_commit_of(worktree.path, name));
    PAWL_ASSIGN(const bool kept, git_is_kept(repository, commit, ""));
    if (!kept)
      left.by_hand.push_back(cat(name, " is a name of this worktree alone: git branch NAME ", commit.substr(0, 12)));
  }
  std::vector<std::string> words = {"log", "--format=%h %s", cat("--max-count=", kMostListed), "HEAD"};
  if (!worktree.branch.empty()) words.push_back(cat("refs/heads/", worktree.branch));
  words.insert(words.end(), {"--not", "--remotes"});
  for (const std::string& base : bases) {
    if (git_commit_of(worktree.path, base)) words.push_back(base);
  }
  words.emplace_back("--");
  PAWL_ASSIGN(const std::string commits, ask_git(worktree.path, words));
  left.unpushed = lines_of(commits);
  PAWL_ASSIGN(left.ignored, git_ignored(worktree.path, ours));
  return left;
}

Done git_unhide(const std::string& worktree, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    for (const char* mark : {"--no-assume-unchanged", "--no-skip-worktree"})
      PAWL_TRY(ask_git(worktree, {"update-index", mark, "--", file}, StandardError::with_output));
  }
  return done();
}

}  // namespace pawl

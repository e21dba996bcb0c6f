#include "runners/story_place.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "engine/left.h"
#include "integrations/git.h"
#include "integrations/git_command.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"

namespace pawl {
namespace {

std::string worktrees_folder(const Engine& engine) {
  return engine.world().roots->absolute(engine.settings().text("story.worktrees"));
}

Result<bool> is_tracked(const std::string& folder, const std::string& path) {
  PAWL_ASSIGN(const Ran ran, run_git(folder, {"ls-files", "--error-unmatch", "--", path}));
  return ran.exit_code == 0;
}

// What `pawl leave` has written out, as long as nobody has committed any of it.
Done add_left_folders(const std::string& root, std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root, none)) {
    const std::string name = entry.path().filename();
    if (!is_left_folder_name(name) || entry.symlink_status(none).type() != fs::file_type::directory ||
        !fs::is_regular_file(entry.path() / kLeftLog, none))
      continue;
    PAWL_ASSIGN(const bool tracked, is_tracked(root, name));
    if (!tracked) paths.push_back(cat(name, "/"));
  }
  return done();
}

}  // namespace

Result<std::string> story_repository(const Engine& engine) {
  const std::string& named = engine.settings().text("story.repo");
  if (named.empty()) return engine.workspace().root;
  if (!engine.settings().trusted("story.repo"))
    return fail(ErrorCode::untrusted,
                cat("pawl.toml says that the code is in ", printable(named), ", and nobody has trusted it"),
                "read pawl.toml, then: pawl trust");
  return engine.world().roots->absolute(named);
}

Done must_be_repository(const Engine& engine, const std::string& repository) {
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"rev-parse", "--git-dir"}));
  if (ran.exit_code == 0) return done();
  return fail(
      ErrorCode::not_found, cat(printable(repository), " is no git repository, so there is no commit to check"),
      std::string(engine.settings().text("story.repo").empty() ? "git init  # makes it one" : story::kRepositoryToSet));
}

Result<std::string> story_remote(const Engine& engine, const std::string& repository) {
  const std::string& remote = engine.settings().text("story.remote");
  if (remote.starts_with('-')) return fail(ErrorCode::invalid_argument, "story.remote is no name of a remote");
  if (engine.settings().trusted("story.remote")) return remote;
  // Git takes any other word for an address, or for a folder.
  PAWL_ASSIGN(const Ran known, run_git(repository, {"config", "--get", cat("remote.", remote, ".url")}));
  if (known.exit_code == 0) return remote;
  return fail(ErrorCode::untrusted,
              cat("pawl.toml says that branches are pushed to ", printable(remote),
                  ", which is no remote of this repository, and nobody has trusted it"),
              "read pawl.toml, then: pawl trust; or git remote add it, and say its name");
}

Result<KeptFiles> files_kept_in_step(Engine& engine) {
  KeptFiles kept{engine.workspace().root, {}};
  std::vector<std::string>& paths = kept.paths;
  for (const char* folder : {"story.worktrees", "issue.base_dir"}) {
    const std::string& path = engine.settings().text(folder);
    if (!path.empty() && !path.starts_with('/') && !path.starts_with('~')) paths.push_back(cat(path, "/"));
  }
  // What `pawl init` has just written is no part of anybody's work; once it is committed it is a file like others.
  PAWL_ASSIGN(const bool tracked, is_tracked(engine.workspace().root, "pawl.toml"));
  if (!tracked) paths.emplace_back("pawl.toml");
  PAWL_TRY(add_left_folders(engine.workspace().root, paths));
  if (!engine.has_store()) return kept;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const MirrorFormat* format : engine.lifecycles().formats()) {
      PAWL_ASSIGN(const auto rows, view.store().mirrors(format->name(), MirrorPart::without_bytes));
      for (const MirrorRow& row : rows) {
        if (!row.path.starts_with('/') && !row.path.starts_with('~')) paths.push_back(row.path);
      }
    }
    return done();
  }));
  return kept;
}

std::string story_worktree(const Engine& engine, const RecordId& story) {
  return cat(worktrees_folder(engine), "/", kStoryFolder, story::file_name_of(story));
}

bool is_named_for_a_story(const Engine& engine, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path path(folder);
  std::error_code error;
  if (!path.filename().string().starts_with(kStoryFolder)) return false;
  if (!fs::equivalent(path.parent_path(), worktrees_folder(engine), error) || error) return false;
  // Never where somebody's own checkout is called so.
  return !fs::equivalent(path, engine.workspace().root, error);
}

bool is_called_as_bots(const Engine& engine, const RecordId& story, const std::string& folder) {
  if (!is_named_for_a_story(engine, folder)) return false;
  const std::string name = std::filesystem::path(folder).filename(),
                    own = cat(kStoryFolder, story::file_name_of(story));
  const std::string_view behind = name.starts_with(own) ? std::string_view(name).substr(own.size()) : "?";
  const bool numbered = behind.size() > 1 && behind[0] == '-' &&
                        std::all_of(behind.begin() + 1, behind.end(), [](char c) { return c >= '0' && c <= '9'; });
  return behind.empty() || numbered;
}

Result<bool> is_bots_worktree(const Engine& engine, const RecordId& story, const std::string& folder) {
  if (!is_called_as_bots(engine, story, folder)) return false;
  PAWL_ASSIGN(const std::string repository, story_repository(engine));
  std::error_code error;
  if (std::filesystem::equivalent(folder, repository, error)) return false;
  // Nor where git would act on another one.
  return git_check_worktree(repository, folder).has_value();
}

Result<std::string> branch_for(const Engine& engine, const Record& story, const std::optional<std::string>& wanted) {
  if (wanted && !wanted->empty()) return *wanted;
  if (const std::string named = string_or(story.doc, "branchName"); !named.empty()) return named;
  if (const std::string made = story::note_of(story.doc).branch; !made.empty()) {
    PAWL_ASSIGN(const std::string repository, story_repository(engine));
    PAWL_ASSIGN(const bool there, git_has_branch(repository, made));
    if (there) return made;
  }
  auto here = git_branch(engine.workspace().here);
  if (here) return here;
  if (here.error().code != ErrorCode::not_found) return here;
  return fail(
      ErrorCode::not_found,
      cat("story ", printable(story.id.key), " names no branch, and none is checked out here (the head is detached)"),
      "name the one that has the work with --branch");
}

Result<bool> is_shared_branch(const Engine& engine, const std::string& branch) {
  if (const std::string& base = engine.settings().text("story.base"); !base.empty()) return branch == base;
  PAWL_ASSIGN(const std::string repository, story_repository(engine));
  const std::string head = cat("refs/remotes/", engine.settings().text("story.remote"), "/");
  PAWL_ASSIGN(const Ran ran, run_git(repository, {"symbolic-ref", "--quiet", cat(head, "HEAD")}));
  if (ran.exit_code != 0) return branch == "main" || branch == "master";
  return trim(ran.out) == cat(head, branch);
}

Result<CheckedOut> story_checkout(Engine& engine, const Record& story, const std::optional<std::string>& branch) {
  PAWL_ASSIGN(const std::string repository, story_repository(engine));
  PAWL_TRY(must_be_repository(engine, repository));
  PAWL_ASSIGN(const std::string name, branch_for(engine, story, branch));
  PAWL_ASSIGN(const auto ours, files_kept_in_step(engine));
  return git_checked_out(repository, name, ours);
}

Result<CheckedOut> clean_checkout(Engine& engine, const Record& story, const std::optional<std::string>& branch) {
  PAWL_ASSIGN(CheckedOut at, story_checkout(engine, story, branch));
  if (at.dirty.empty()) return at;
  return fail(ErrorCode::gate_failed,
              cat("something in ", printable(at.folder), " is not committed: ", first_few(at.dirty, 5)),
              "commit it, or let .gitignore name it: what is checked is a commit");
}

}  // namespace pawl

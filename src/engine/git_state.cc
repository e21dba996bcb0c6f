#include "engine/git_state.h"

#include <unistd.h>

#include <array>

#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxTracked = std::size_t{128} << 20U;

bool merge_under_way(const std::string& git_dir) {
  constexpr std::array kSigns = {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"};
  for (const char* sign : kSigns) {
    if (access(cat(git_dir, "/", sign).c_str(), F_OK) == 0) return true;
  }
  return false;
}

// In this repository, whichever one the caller's hook was run for.
Result<Ran> run_git(const Workspace& workspace, const std::vector<std::string>& words) {
  std::vector<std::string> argv = {"git", "-C", workspace.root};
  argv.insert(argv.end(), words.begin(), words.end());
  return run_program(argv, kMaxTracked, StandardError::dropped, GitVariables::dropped);
}

// The file's content at a commit, as a checkout would write it; nothing when the commit does not have it.
std::optional<std::string> content_at(const Workspace& workspace, const std::string& commit, const std::string& path) {
  const auto ran = run_git(workspace, {"cat-file", "--filters", cat(commit, ":", path)});
  if (!ran || ran->exit_code != 0) return std::nullopt;
  return ran->out;
}

bool tracked(const Workspace& workspace, const std::string& path) {
  const auto ran = run_git(workspace, {"ls-files", "--error-unmatch", "--", path});
  return ran && ran->exit_code == 0;
}

}  // namespace

bool has_conflict_markers(std::string_view bytes) {
  bool ours = false;
  for (const std::string_view line : split(bytes, '\n')) {
    if (line.starts_with("<<<<<<< ")) ours = true;
    if (ours && line.starts_with(">>>>>>> ")) return true;
  }
  return false;
}

bool is_gits(const Workspace& workspace, const std::string& path, const FileImage& image, const MirrorRow& row) {
  if (row.state == "git") return true;  // until it is accepted, restored, or in step again
  if (image.exists && has_conflict_markers(image.bytes)) return true;
  if (workspace.git_dir.empty() || path.starts_with('/') || path.starts_with("~/")) return false;
  const bool merging = merge_under_way(workspace.git_dir);
  const bool moved = !row.head.empty() && head_moved_since(workspace.git_dir, row.head);
  if (merging && tracked(workspace, path)) return true;
  if (!moved || only_committed_since(workspace.git_dir, row.head)) return false;
  const auto at_head = content_at(workspace, "HEAD", path);
  if (image.exists) return at_head == image.bytes;
  // Gone: git took it away where the commit before had it and this one has not.
  return !at_head && content_at(workspace, commit_in_mark(row.head), path).has_value();
}

}  // namespace pawl

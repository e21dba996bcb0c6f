#include "engine/git_state.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "base/text.h"

namespace pawl {
namespace {

bool merge_under_way(const std::string& git_dir) {
  constexpr std::array kSigns = {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"};
  for (const char* sign : kSigns) {
    if (access(cat(git_dir, "/", sign).c_str(), F_OK) == 0) return true;
  }
  return false;
}

// A file as commits have it: as a checkout would write it, but for one with a filter, which nobody is to run. Of that
// one the contents of commits can be compared with each other, and with nothing else.
class InCommits {
 public:
  InCommits(AskedGit& git, const std::string& path) : git_(git), path_(path), filtered_(git.has_filter(path)) {}

  [[nodiscard]] bool filtered() const { return filtered_; }
  // Nothing when the commit does not have it.
  [[nodiscard]] std::optional<std::string> at(const std::string& commit) const {
    return filtered_ ? git_.as_committed(commit, path_) : git_.as_checked_out(commit, path_);
  }

 private:
  AskedGit& git_;
  const std::string& path_;
  const bool filtered_;
};

// At work, or done so short a time ago that HEAD may not have followed. A time that is far ahead tells nothing: it is
// of another clock.
bool is_at_work(const std::string& git_dir) {
  constexpr std::int64_t kFarNs = 10'000'000'000;
  if (has_index_lock(git_dir) || access(cat(git_dir, "/HEAD.lock").c_str(), F_OK) == 0) return true;
  struct stat index {};
  return stat(cat(git_dir, "/index").c_str(), &index) == 0 && !is_settled(in_ns(index.st_mtim)) &&
         is_settled(in_ns(index.st_mtim) - kFarNs);
}

// `git checkout -- FILE` and `git restore FILE` bring back what HEAD has, and had all the while, and HEAD stays where
// it is. Then git has noted the file in its index after it wrote it, and nobody has written there since. Whoever writes
// the same bytes by hand has edited the file; so has who commits what he wrote.
bool came_from_head(const Workspace& workspace, AskedGit& git, const std::string& path, const FileImage& image,
                    const HeadMoves& moves) {
  if (!image.exists) return false;
  struct stat index {
  }, file{};
  if (stat(cat(workspace.git_dir, "/index").c_str(), &index) != 0 ||
      lstat(cat(workspace.root, "/", path).c_str(), &file) != 0)
    return false;
  if (in_ns(index.st_mtim) < in_ns(file.st_mtim) || !git.wrote(path, file)) return false;
  const InCommits committed(git, path);
  if (committed.filtered() || committed.at("HEAD") != image.bytes) return false;
  const auto heads = moves.moved() ? moves.heads() : std::vector<std::string>();
  return std::all_of(heads.begin(), heads.end(),
                     [&](const auto& commit) { return committed.at(commit) == image.bytes; });
}

}  // namespace

bool has_index_lock(const std::string& git_dir) { return access(cat(git_dir, "/index.lock").c_str(), F_OK) == 0; }

GitWork wait_for_git(const Workspace& workspace) {
  constexpr std::int64_t kPatienceNs = 1'000'000'000;
  constexpr int kStepMs = 5;
  // One that goes on is waited for once, not for each file: a merge may wait for a person, a lock for a git that died.
  static std::atomic<std::int64_t> given_up_ns = 0;
  if (workspace.git_dir.empty() || !is_at_work(workspace.git_dir)) return GitWork::none;
  const auto now_ns = [] {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return in_ns(now);
  };
  const std::int64_t began = now_ns();
  if (given_up_ns != 0 && began - given_up_ns < 5 * kPatienceNs) return GitWork::goes_on;
  while (now_ns() - began < kPatienceNs) {
    poll(nullptr, 0, kStepMs);
    if (!is_at_work(workspace.git_dir)) return GitWork::looked_too_soon;
  }
  given_up_ns = now_ns();
  return GitWork::goes_on;
}

bool has_conflict_markers(std::string_view bytes) {
  bool ours = false;
  for (const std::string_view line : split(bytes, '\n')) {
    if (line.starts_with("<<<<<<< ")) ours = true;
    if (ours && line.starts_with(">>>>>>> ")) return true;
  }
  return false;
}

bool is_gits(const Workspace& workspace, AskedGit& git, const std::string& path, const FileImage& image,
             const MirrorRow& row) {
  if (row.state == kLeftToGit) return true;  // until it is accepted, restored, or in step again
  if (image.exists && has_conflict_markers(image.bytes)) return true;
  if (workspace.git_dir.empty() || path.starts_with('/') || path.starts_with("~/")) return false;
  if (merge_under_way(workspace.git_dir) && git.tracks(path)) return true;
  if (row.head.empty()) return false;
  const std::optional<std::string>& left = row.state == kWaits ? row.before : row.bytes;
  const HeadMoves moves = git.head_moves_since(row.head);
  if (!moves.moved() || moves.only_committed())
    return left != image.content() && came_from_head(workspace, git, path, image, moves);
  const InCommits committed(git, path);
  const auto at_head = committed.at("HEAD");
  const auto as_known = [&] { return committed.at(moves.from); };
  if (committed.filtered() && image.exists) {
    // Commits can be compared with each other all the same: git brought nothing of this file.
    if (const auto brought = brought_before_commits(moves); brought && committed.at(brought->commit) == as_known())
      return false;
    if (!at_head || at_head != as_known()) return at_head.has_value();
    const auto heads = moves.heads();
    return std::any_of(heads.begin(), heads.end(), [&](const auto& commit) { return committed.at(commit) != at_head; });
  }
  // git brought nothing of this file, and what the commits since then have of it came from the worktree.
  if (const auto brought = brought_before_commits(moves)) {
    const auto there = committed.at(brought->commit);
    const bool kept = brought->by_checkouts && image.exists && there != image.bytes && there == as_known();
    if (there == left || kept) return false;
  }
  // As git has it; or changed on top of what git brought, which would come in with that change.
  if (image.exists) return at_head == image.bytes || (at_head && at_head != left && at_head != as_known());
  // Gone: git took it away where a commit before had it and this one has not; or into the stash, with all else that
  // it does not track.
  if (at_head) return false;
  for (const std::string& commit : moves.heads()) {
    if (committed.at(commit)) return true;
  }
  return left && committed.at("refs/stash^3") == left;
}

}  // namespace pawl

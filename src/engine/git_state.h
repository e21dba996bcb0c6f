// Whether a change in a file is git's doing: a checkout, a stash, a hard reset, a merge or a rebase. Such a change is
// nobody's wish about the work, so it is neither taken over nor undone.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "engine/asked_git.h"
#include "engine/workspace.h"
#include "store/store.h"

namespace pawl {

// The file changed since `row` was written. Costs a few stats; git itself is asked only when HEAD has moved, or a
// merge or rebase is under way.
[[nodiscard]] bool is_gits(const Workspace& workspace, AskedGit& git, const std::string& path, const FileImage& image,
                           const MirrorRow& row);

// git writes files one by one under .git/index.lock, and moves HEAD after them: until then nobody can tell whose a
// change is. Waits a moment for the end of what is under way. looked_too_soon: it has ended meanwhile, so look again.
enum class GitWork { none, looked_too_soon, goes_on };
[[nodiscard]] GitWork wait_for_git(const Workspace& workspace);
[[nodiscard]] bool has_index_lock(const std::string& git_dir);

[[nodiscard]] bool has_conflict_markers(std::string_view bytes);

}  // namespace pawl

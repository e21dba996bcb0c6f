// Whether a change in a file is git's doing: a checkout, a merge or a rebase. Such a change is nobody's wish about
// the work, so it is neither taken over nor undone.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "engine/workspace.h"
#include "store/store.h"

namespace pawl {

// The file changed since `row` was written. Costs a few stats; git itself is asked only when HEAD has moved, or a
// merge or rebase is under way.
[[nodiscard]] bool is_gits(const Workspace& workspace, const std::string& path, const FileImage& image,
                           const MirrorRow& row);

[[nodiscard]] bool has_conflict_markers(std::string_view bytes);

}  // namespace pawl

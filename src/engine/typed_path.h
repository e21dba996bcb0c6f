// A path that a person typed. pawl prints paths from the workspace's root, wherever it was asked, and whoever is in a
// folder below it, or in a linked worktree, pastes them there.
#pragma once

#include <string>

#include "engine/engine.h"

namespace pawl {

// As the roots spell it: from the current folder; or, where nothing stands there by that name, from the root, if that
// is a file that pawl keeps in step or a copy that it kept.
[[nodiscard]] std::string typed_path(const Engine& engine, const std::string& typed);

}  // namespace pawl

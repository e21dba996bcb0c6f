// A path that a person typed. pawl prints paths from the workspace's root, wherever it was asked, and whoever is in a
// folder below it, or in a linked worktree, pastes them there.
#pragma once

#include <string>

#include "engine/engine.h"

namespace pawl {

// As the roots spell it: from the current folder; or, where nothing stands there by that name and pawl knows of nothing
// that did, from the root, if that is a file that pawl keeps in step or a copy that it kept.
[[nodiscard]] Result<std::string> typed_path(const Engine& engine, const View& view, const std::string& typed);
[[nodiscard]] Result<std::string> typed_path(Engine& engine, const std::string& typed);

}  // namespace pawl

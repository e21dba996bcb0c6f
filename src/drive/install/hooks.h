// Entering pawl into what agents read at their start, and taking it out again. These files are the user's, and are
// touched only when asked to: nothing of them is kept in the store.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "engine/engine.h"

namespace pawl::install {

enum class Wish { enter, enter_and_drive, remove, would_remove };  // the last only tells, and writes nothing

// {"file", "changed", "drives", "others": ["oh-my-claudecode"]}
[[nodiscard]] Result<Json> claude(const Engine& engine, Wish wish);
[[nodiscard]] Result<Json> opencode(const Engine& engine, Wish wish);
// The guide as a section of AGENTS.md, and of CLAUDE.md where that is a file of its own. One of these for each file.
[[nodiscard]] Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide);

}  // namespace pawl::install

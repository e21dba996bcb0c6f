// Entering pawl into what agents read at their start, and taking it out again.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "drive/install/users_file.h"
#include "engine/engine.h"

namespace pawl::install {

// {"file", "changed", "became", "drives", "others": ["oh-my-claudecode"]}; with "left_over", where a pawl that was
// killed has left something beside the file, and with "why", where pawl's part can not be taken out of it.
[[nodiscard]] Result<Json> claude(const Engine& engine, Wish wish);
[[nodiscard]] Result<Json> opencode(const Engine& engine, Wish wish);
// The guide as a section of AGENTS.md, and of CLAUDE.md where that is a file of its own. One of these for each file.
[[nodiscard]] Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide);

// What was left beside any of these files, and what to say of it.
inline constexpr std::string_view kLeftOver =
    "stood in that file, or was to, when pawl was stopped in the middle of a change; see what it says, then remove it";
[[nodiscard]] std::vector<std::string> left_overs(const Engine& engine);

// Of these two files, those that are links to some other file with the section in it: they are left alone. Name,
// target.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> linked_pages(const Engine& engine);

}  // namespace pawl::install

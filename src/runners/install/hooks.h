// Entering pawl into what agents read at their start, and taking it out again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "engine/engine.h"
#include "runners/install/users_file.h"

namespace pawl::install {

// {"file", "changed", "became", "drives", "others": ["oh-my-claudecode"]}; with "left_over", where a pawl that was
// killed has left something beside the file; with "why", where it was left alone, and pawl has no part in it; with
// "stays", where pawl's part stays in it, as it lies outside. An error when taking out: pawl's part is in it, and
// stays.
[[nodiscard]] Result<Json> claude(const Engine& engine, Wish wish);
[[nodiscard]] Result<Json> opencode(const Engine& engine, Wish wish);
// The guide as a section of AGENTS.md, and of CLAUDE.md where that is a file of its own. One of these for each file.
// Links that stay in the workspace are followed.
[[nodiscard]] Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide);

// The files in which pawl's part stands. What cannot be read is left out.
[[nodiscard]] std::vector<std::string> entered_files(const Engine& engine);
// The commands of hooks in Claude Code's settings that ask pawl and are the user's own: no leaving takes them out.
[[nodiscard]] std::vector<std::string> users_claude_hooks(const Engine& engine);
inline constexpr std::string_view kClaudeFile = ".claude/settings.json";
// How the reason ends why a file was left alone in which pawl's part is.
inline constexpr std::string_view kPartStays = "; pawl's part stays in it";

// What was left beside any of these files, and what to say of it.
inline constexpr std::string_view kLeftOver =
    "stood in that file, or was to, when pawl was stopped in the middle of a change; see what it says, then remove it";
[[nodiscard]] std::vector<std::string> left_overs(const Engine& engine);

}  // namespace pawl::install

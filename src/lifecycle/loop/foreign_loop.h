// A loop that belongs to another tool and is only shown: Anthropic's ralph-loop keeps `.claude/ralph-loop.local.md`,
// front matter and the prompt below it. pawl neither writes nor drives it.
#pragma once

#include <string_view>

#include "base/json.h"

namespace pawl::loop {

inline constexpr std::string_view kForeignLoopFile = ".claude/ralph-loop.local.md";

inline constexpr std::string_view kHowToEndForeign =
    "# if nobody is in it any more, end it there (/cancel-ralph), or remove the file";

// {"active", "iteration", "max_iterations", "completion_promise", "started_at", "prompt"}: as much as there is,
// lenient.
[[nodiscard]] Json read_foreign_loop(std::string_view text);

}  // namespace pawl::loop

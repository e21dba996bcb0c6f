// A loop that belongs to another tool and is only shown: Anthropic's ralph-loop keeps `.claude/ralph-loop.local.md`,
// front matter and the prompt below it. pawl neither writes nor drives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"

namespace pawl::loop {

inline constexpr std::string_view kForeignLoopFile = ".claude/ralph-loop.local.md";

inline constexpr std::string_view kForeignOwner = "Anthropic's ralph-loop";
inline constexpr std::string_view kHowToEndForeign =
    "# if nobody is in it any more, end it there (/cancel-ralph), or remove the file";

struct ForeignLoop {
  Json state = {};  // {"active", "iteration", "max_iterations", "completion_promise", "started_at", "prompt"}: as much
                    // as there is
  bool active = false;
  std::optional<std::int64_t> started_ms = {};

  // Active since more than a day ago. Its file tells only when it began; one that nobody is in any more holds up every
  // session's end all the same.
  [[nodiscard]] bool is_old(std::int64_t now_ms) const;
};
// Lenient.
[[nodiscard]] ForeignLoop read_foreign_loop(std::string_view text);

}  // namespace pawl::loop

// pawl's hooks in Claude Code's settings: `.claude/settings.json`. Pure: a text in, a text out, and no byte of it
// changed but where a hook comes or goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl::install {

inline constexpr std::string_view kClaudeCommand = "pawl hook claude";

enum class Drive { no, yes };  // the Stop hook, by which pawl drives loops

// With pawl's hooks (and where it is not to drive, without its Stop hook), or without them; "" stands for a file that
// is not there. The same when asked twice.
[[nodiscard]] Result<std::string> with_claude_hooks(std::string_view settings, Drive drive);
// nullopt: nothing but what pawl wrote was in it, and it need not be there. `before`: as they were before pawl came,
// where that is known; lists that were there then, and empty, stay.
[[nodiscard]] Result<std::optional<std::string>> without_claude_hooks(std::string_view settings,
                                                                      const std::optional<std::string>& before);
// Are these settings, to the byte, what entering pawl's hooks makes of those?
[[nodiscard]] bool come_of(std::string_view settings, const std::string& before);

// Does it have any hook of pawl's?
[[nodiscard]] bool has_claude_hooks(std::string_view settings);
// The commands of hooks that ask pawl and are somebody's own, with more in them than pawl enters: those stay.
[[nodiscard]] std::vector<std::string> own_hooks_that_ask(std::string_view settings);
// Does it have pawl's Stop hook?
[[nodiscard]] bool drives(std::string_view settings);

// The names of other loop drivers that these settings switch on.
[[nodiscard]] std::vector<std::string> other_drivers(std::string_view settings);
// The commands of Stop hooks that are neither pawl's nor a known driver's: whether they drive, nobody can tell.
[[nodiscard]] std::vector<std::string> unknown_stop_hooks(std::string_view settings);

}  // namespace pawl::install

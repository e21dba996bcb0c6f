// Acts of runs that a command had begun when it died: a session to be started, a worktree to be taken away. Neither is
// done again by itself; it is looked up what came of it, and that is put down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"
#include "runners/worktree_removal.h"

namespace pawl {

inline constexpr std::string_view kSessionEffect = "session";

// The issue's lock must be held.
[[nodiscard]] Done close_unfinished(Engine& engine, std::int64_t number);
// Issues that have such acts which no living process is at.
[[nodiscard]] Result<std::vector<std::int64_t>> unfinished_issues(Engine& engine);

// The same, but for a start that was cut off before there was a session: it stays, for somebody to take up or to
// forget, and is returned.
[[nodiscard]] Result<std::optional<issue::Run>> close_but_start(Engine& engine, std::int64_t number);

// Starts that were cut off, and that nobody is at: an agent may be at work that no status tells of.
[[nodiscard]] Result<std::vector<issue::Run>> cut_off_starts(Engine& engine, Transaction& store);
[[nodiscard]] Result<std::optional<issue::Run>> cut_off_start(Engine& engine, std::int64_t number);

// What a person can do about one. `made`: there is a worktree, or an agent at work.
[[nodiscard]] std::string how_to_take_up(const issue::Run& run, bool made);

}  // namespace pawl

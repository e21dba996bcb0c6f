// A project that comes with stories that nobody can check, because their criteria have no commands or they have none:
// refusing every move of theirs would only be in the way. So they begin with moves that are made and marked unverified,
// and are told how to go on to checks.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/engine.h"

namespace pawl::install {

struct Unchecked {
  std::size_t stories = 0;   // that are not over
  std::size_t criteria = 0;  // of theirs, none of which has a command
};

// Nothing: a criterion has a command, no story waits for one, or somebody has said what is to be done then.
[[nodiscard]] Result<std::optional<Unchecked>> stories_nobody_can_check(Engine& engine);

}  // namespace pawl::install

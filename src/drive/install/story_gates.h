// A project that comes with stories whose criteria nobody can check: refusing every move of theirs would only be in the
// way. So they begin with moves that are made and marked unverified, and are told how to go on to checks.
#pragma once

#include <cstddef>

#include "engine/engine.h"

namespace pawl::install {

// How many acceptance criteria there are of which none has a command, where nobody has said what that means; else 0.
[[nodiscard]] Result<std::size_t> criteria_nobody_can_check(Engine& engine);

}  // namespace pawl::install

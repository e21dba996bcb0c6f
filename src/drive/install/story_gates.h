// A project that comes with stories whose criteria nobody can check: refusing every move of theirs would only be in the
// way. So they begin with moves that are made and marked unverified, and are told how to go on to checks.
#pragma once

#include "base/json.h"
#include "engine/engine.h"

namespace pawl::install {

// Null where it is not so. Else {"criteria": N, "written": …}: pawl.toml says `gates = "record"` for stories now, or
// was there already and is left as it is.
[[nodiscard]] Result<Json> begin_with_recorded_gates(Engine& engine);

}  // namespace pawl::install

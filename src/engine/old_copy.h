// A tool that saves what it had read before pawl's last write, with something edited.
#pragma once

#include "core/mirror_format.h"

namespace pawl {

// Then everything that pawl changed (from `before` to `written`) stands in `now` as it was before, and something else
// differs: that is the edit.
[[nodiscard]] bool is_old_copy(const Shown& before, const Shown& written, const Shown& now);

}  // namespace pawl

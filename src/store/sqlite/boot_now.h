// How long a lock is waited for is no matter of the law, and is measured by the machine's own clock, which does not
// jump.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace pawl::sqlite {

[[nodiscard]] inline std::int64_t boot_now_ms() { return SystemClock().now().boot_ms; }

}  // namespace pawl::sqlite

// The key that blocks are signed with, out of the environment.
#pragma once

#include <string_view>

#include "base/result.h"
#include "lifecycles/pr/trust.h"

namespace pawl {

// Instead of a key: somebody gives up signing, and knows it.
inline constexpr std::string_view kNoKey = "none";

// One key a line: the first signs, those below it are believed beside it.
[[nodiscard]] Result<pr::Mac> mac_of_environment();

}  // namespace pawl

// `pawl init` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include <string_view>

#include "base/json.h"
#include "verbs/verb.h"

namespace pawl {

inline constexpr std::string_view kRunnerSettings = ".pi-runner.yaml", kSettingsFile = "pawl.toml";
inline constexpr std::size_t kMaxSettings = std::size_t{1} << 20U;

// `settings`: what was taken, as {"from", "taken", "left", "written"}; null for nothing.
[[nodiscard]] Result<Reply> init_workspace(Context& context, const Arguments& arguments, Json settings);

}  // namespace pawl

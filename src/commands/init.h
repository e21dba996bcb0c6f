// `pawl init` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include <string_view>

#include "commands/others_settings.h"
#include "commands/verb.h"
#include "runners/install/first_settings.h"

namespace pawl {

inline constexpr std::string_view kSettingsFile = install::kSettingsFile;

[[nodiscard]] Result<Reply> init_workspace(Context& context, const Arguments& arguments, OthersSettings others);

}  // namespace pawl

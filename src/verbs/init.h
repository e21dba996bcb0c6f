// `pawl init` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include <string_view>

#include "drive/install/first_settings.h"
#include "verbs/others_settings.h"
#include "verbs/verb.h"

namespace pawl {

inline constexpr std::string_view kSettingsFile = install::kSettingsFile;

[[nodiscard]] Result<Reply> init_workspace(Context& context, const Arguments& arguments, OthersSettings others);

}  // namespace pawl

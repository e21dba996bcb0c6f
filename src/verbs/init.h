// `pawl init` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include <string_view>
#include <vector>

#include "drive/install/first_settings.h"
#include "verbs/verb.h"

namespace pawl {

inline constexpr std::string_view kSettingsFile = install::kSettingsFile;

struct RunnersSettings {
  std::vector<install::FirstSetting> taken;
  std::vector<std::string> left;   // names of what pawl has no use for
  std::vector<std::string> files;  // that were read
};

[[nodiscard]] Result<Reply> init_workspace(Context& context, const Arguments& arguments, RunnersSettings runners);

}  // namespace pawl

// The settings of other tools that `pawl init` takes from. A link to one inside the workspace is followed; whatever
// else keeps it from being read is said with the way around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "engine/workspace.h"
#include "runners/install/first_settings.h"

namespace pawl {

struct OthersSettings {
  std::vector<install::FirstSetting> taken;
  std::vector<std::string> left;   // names of what pawl has no use for
  std::vector<std::string> files;  // that were read
};

// With what a story bot's config.json says, and without what holds anyway: what `pawl init` takes, and `pawl doctor`
// foresees. An error: that file has a value of the wrong kind.
[[nodiscard]] Result<OthersSettings> with_bot_settings(const Workspace& workspace, const Lifecycles& lifecycles,
                                                       OthersSettings others);

[[nodiscard]] Result<FileImage> read_others_settings(const Workspace& workspace, std::string_view name);

}  // namespace pawl

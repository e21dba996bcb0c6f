// The settings of other tools that `pawl init` takes from. A link to one inside the workspace is followed; whatever
// else keeps it from being read is said with the way around it.
#pragma once

#include <string_view>

#include "base/file.h"
#include "engine/workspace.h"

namespace pawl {

[[nodiscard]] Result<FileImage> read_others_settings(const Workspace& workspace, std::string_view name);

}  // namespace pawl

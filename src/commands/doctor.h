// `pawl doctor` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include "commands/others_settings.h"
#include "commands/verb.h"

namespace pawl {

// `others`: what that one has read, or why `pawl init` would refuse it.
[[nodiscard]] Result<Reply> look_at_workspace(Context& context, const Arguments& arguments,
                                              const Result<OthersSettings>& others);

}  // namespace pawl

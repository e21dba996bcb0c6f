// `pawl doctor` as both executables carry it out: the second one has read another runner's settings before.
#pragma once

#include "verbs/verb.h"

namespace pawl {

[[nodiscard]] Result<Reply> look_at_workspace(Context& context, const Arguments& arguments);

}  // namespace pawl

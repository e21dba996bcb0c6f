// What the verbs of verbs/world.h do.
#pragma once

#include "verbs/verb.h"

namespace pawl {

[[nodiscard]] Result<Reply> run_pr_view(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_practice(Context& context, const Arguments& arguments);

}  // namespace pawl

// What `pawl init` has done where pawl is already or was before, so that it tells that and not what was planned.
#pragma once

#include "base/json.h"
#include "commands/context.h"

namespace pawl {

// What was found otherwise than pawl left it was looked at by this very command.
[[nodiscard]] Done say_what_was_done(Engine& engine, Json& found);

// Of the operations that ended something: those that undo does not take back, so that nobody is told to try.
[[nodiscard]] Json gone_for_good(const Context& context, Engine& engine, const Json& adopted);

}  // namespace pawl

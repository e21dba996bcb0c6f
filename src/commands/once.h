// For verbs that take several steps, each committed by itself: the answer of the whole is kept under the idempotency
// key, so that the same again gets it, and nothing is done twice.
#pragma once

#include <functional>

#include "commands/context.h"
#include "commands/verb.h"
#include "engine/engine.h"

namespace pawl {

// `act` gets the request without the key, for its steps.
[[nodiscard]] Result<Reply> once(Context& context, const std::function<Result<Reply>(const Request&)>& act);

}  // namespace pawl

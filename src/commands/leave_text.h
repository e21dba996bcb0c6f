// What `pawl leave` did, or would do, for a person.
#pragma once

#include <string>

#include "base/json.h"
#include "commands/verb.h"

namespace pawl {

[[nodiscard]] std::string text_of_leave(const Json& data, const TextStyle& style);

}  // namespace pawl

// What `pawl init` says: what it found and took over, what it wrote, and what to type next.
#pragma once

#include <string>

#include "base/json.h"
#include "commands/verb.h"

namespace pawl {

[[nodiscard]] std::string text_of_init(const Json& data, const TextStyle& style);

}  // namespace pawl

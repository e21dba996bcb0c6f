// How work is begun where there is none yet: commands that work as they are when they are pasted there.
#pragma once

#include "base/json.h"

namespace pawl {

class Engine;

// One object for a story, a loop and an issue run each: its `commands`, or what it `needs` first.
[[nodiscard]] Json ways_to_begin(const Engine& engine);
[[nodiscard]] std::string text_of_ways_to_begin(const Json& ways);

}  // namespace pawl

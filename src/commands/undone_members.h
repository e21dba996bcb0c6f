// What an undo changes in a document, where the status tells nothing.
#pragma once

#include <string>

#include "core/event.h"

namespace pawl {

// Member → {"from", "to"}. What pawl notes for itself is none of them.
[[nodiscard]] Json members_of(const Change& change);
// "session “b” → “a”"
[[nodiscard]] std::string text_of_members(const Json& members);

}  // namespace pawl

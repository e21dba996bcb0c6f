// A note that says how to take something back is written before the operation has a number. What stands in for it is
// no printable character, so that no name in a note can be it; the commit fills it in (round.cc).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"

namespace pawl {

inline constexpr std::string_view kItsNumber = " \x1a";
inline constexpr std::string_view kUndoIt = "pawl undo \x1a";

// 0: nothing was recorded, and there is no number.
inline void fill_in_number(std::string& note, std::int64_t operation) {
  const std::string number = operation == 0 ? std::string() : cat(" ", operation);
  for (std::size_t at = note.find(kItsNumber); at != std::string::npos; at = note.find(kItsNumber, at))
    note.replace(at, kItsNumber.size(), number);
}

}  // namespace pawl

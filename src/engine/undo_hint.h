// A note that says how to take something back is written before the operation has a number. What stands in for it is
// no printable character, so that no name in a note can be it, with the place of the change among those that were found
// between two of them; the commit fills it in (round.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/text.h"

namespace pawl {

inline constexpr char kItsNumber = '\x1a';

// `change`: the place of one of those that it takes back.
[[nodiscard]] inline std::string undo_it(std::size_t change) {
  return cat("pawl undo", std::string(1, kItsNumber), change, std::string(1, kItsNumber));
}

// 0: nothing was recorded, and there is no number.
inline void fill_in_number(std::string& note, const std::function<std::int64_t(std::size_t)>& number_of) {
  for (std::size_t at = note.find(kItsNumber); at != std::string::npos; at = note.find(kItsNumber, at)) {
    const std::size_t end = note.find(kItsNumber, at + 1);
    if (end == std::string::npos) return;
    std::size_t change = 0;
    for (std::size_t i = at + 1; i < end; ++i) change = change * 10 + static_cast<std::size_t>(note[i] - '0');
    const std::int64_t operation = number_of(change);
    note.replace(at, end + 1 - at, operation == 0 ? std::string() : cat(" ", operation));
  }
}

}  // namespace pawl

// The board: everything that is under way on one screen. What needs a person stands on top, then what runs, then what
// is next; a few lines of each, and as wide as the terminal is.
#pragma once

#include <string>

#include "commands/verb.h"

namespace pawl {

// From the answer of `pawl status`.
[[nodiscard]] std::string board(const Json& data, const TextStyle& style);
// The same in so many rows of a terminal, folded as it is: where there is no room for all of it, each section keeps its
// first lines, and says how many more there are; what room they leave goes to what to type. Longer only where not even
// the first lines have room.
[[nodiscard]] std::string board_within(const Json& data, const TextStyle& style, std::size_t room);
// How far all is, a line a kind; "" where there is nothing to tell.
[[nodiscard]] std::string board_progress(const Json& data, const TextStyle& style);
// That pawl was left here, or keeps nothing yet; else "".
[[nodiscard]] std::string board_notice(const Json& data, const TextStyle& style);
// How many rows that stand there the board may show: one more than it has lines for is better shown than told of.
[[nodiscard]] std::size_t most_shown(std::string_view stands);
// In a few words, for a prompt or a status bar.
[[nodiscard]] std::string board_line(const Json& data);

}  // namespace pawl

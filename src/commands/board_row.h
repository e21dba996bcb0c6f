// One line of the board, and what stands below it: who it is, how it stands, what is told of it, and what to type.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "commands/verb.h"

namespace pawl {

struct BoardSection {
  std::string_view stands;  // as the answer calls it
  std::string_view title;
  char mark;
  std::string_view color;  // says again what mark and title say
  std::size_t most;        // rows
  std::size_t gives_way;   // before one of a smaller number, where there is no room for all
};
inline constexpr std::array kBoardSections = {
    BoardSection{"needs_person", "Needs you", '!', "\x1b[31m", 8, 1},
    BoardSection{"running", "Running", '>', "\x1b[32m", 7, 1},
    BoardSection{"next", "Next", ' ', "", 5, 2},
    BoardSection{"waiting", "Waiting", ' ', "", 3, 2},
};

// The rows of an answer that stand there, and how many there are in all: of what is not shown there may be no row.
[[nodiscard]] std::vector<const Json*> board_rows(const Json& data, std::string_view stands);
[[nodiscard]] std::size_t board_count(const Json& data, std::string_view stands);

// Of the columns that rows below each other share.
struct BoardWidths {
  std::size_t ref = 0, status = 0, age = 0;
};
[[nodiscard]] BoardWidths board_widths(const std::vector<const Json*>& rows, const TextStyle& style);

// Two lines where the terminal is narrow, else one.
[[nodiscard]] std::size_t board_row_lines(const TextStyle& style);
[[nodiscard]] std::string board_row(const Json& row, const BoardSection& section, const BoardWidths& width,
                                    const TextStyle& style);
// What somebody is to type about it; "" where it is none of those that have any.
[[nodiscard]] std::string board_advice(const Json& row, const BoardSection& section, const TextStyle& style);

// `done` of `of`, as a bar.
[[nodiscard]] std::string board_bar(std::int64_t done, std::int64_t of, std::size_t width, const TextStyle& style);

}  // namespace pawl

// Lines that are too long for a terminal, folded between words: a terminal by itself breaks in the middle of one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

// Each line on its own; what goes on below stands under where it began: behind a first column ("name  words") under the
// second, else four columns further in. What is there to be copied is left whole, however long: a line that is nothing
// but a command of pawl's ("  # what it does" goes below it), and a word such as a path. A word in a script that knows
// no blanks is broken between its signs.
[[nodiscard]] std::string folded(std::string_view text, std::size_t width);

// How many rows of a terminal one line takes, which breaks what is longer than a row.
[[nodiscard]] std::size_t rows_of(std::string_view line, std::size_t width);

}  // namespace pawl

// How wide text is on a terminal: a Chinese character takes two columns, an accent none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::size_t columns_of(std::string_view text);

// How many bytes of it, whole signs, take no more than so many columns.
[[nodiscard]] std::size_t bytes_within(std::string_view text, std::size_t width);

// As much of it as fits, with … where something was left out ("..." without `unicode`).
[[nodiscard]] std::string fitted(std::string_view text, std::size_t width, bool unicode = true);
// The same, and blanks up to the width.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width, bool unicode = true);

}  // namespace pawl

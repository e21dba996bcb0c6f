// Text in columns, for a terminal of eighty.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl::cli {

inline constexpr std::size_t kHelpWidth = 80;

// How many columns it takes, counting a character as one.
[[nodiscard]] std::size_t columns(std::string_view text);

// Paragraphs (an empty line between two) filled and indented, each line with its newline.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent);

// "  --name VALUE    what it is": the second column starts at `column`, on its own line when the first is too long.
[[nodiscard]] std::string entry(std::string_view term, std::string_view meaning, std::size_t column);

}  // namespace pawl::cli

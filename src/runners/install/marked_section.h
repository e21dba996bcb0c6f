// A section of a file that is somebody else's, between two lines that say whose it is. Nothing outside of them is
// touched.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::install {

// Put in place of the one that is there, or at the end. corruption: only one of the two lines is there, or more than
// one of each. Lines in fenced code are somebody's words about them.
[[nodiscard]] Result<std::string> with_section(std::string_view text, std::string_view section);
// nullopt: nothing but the section was there, and the file can go. `before`: the text before the section came, where
// that is known; it tells how many of the line ends above it are the section's own.
[[nodiscard]] Result<std::optional<std::string>> without_section(std::string_view text,
                                                                 const std::optional<std::string>& before);
// The line that begins one, whether or not there is one that ends it.
[[nodiscard]] bool begins_section(std::string_view text);

}  // namespace pawl::install

// A section of a file that is somebody else's, between two lines that say whose it is. Nothing outside of them is
// touched.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::install {

// Put in place of the one that is there, or at the end. corruption: only one of the two lines is there, or more than
// one of each.
[[nodiscard]] Result<std::string> with_section(std::string_view text, std::string_view section);
// nullopt: nothing but the section was there, and the file can go.
[[nodiscard]] Result<std::optional<std::string>> without_section(std::string_view text);

}  // namespace pawl::install

// A short name for a text. It tells texts apart that came about by themselves, and proves nothing against whoever wants
// two of them to have the same.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

// Sixteen signs: FNV-1a.
[[nodiscard]] std::string digest(std::string_view text);

}  // namespace pawl

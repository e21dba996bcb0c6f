// Bytes as text: two digits for each, small letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::string in_hex(std::string_view bytes);
// Nothing of what in_hex did not write.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);

}  // namespace pawl

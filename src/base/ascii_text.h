// pawl's own signs where a terminal has no UTF-8: “word” becomes "word", → becomes ->. What others wrote stays as it
// is: it may be in the terminal's own encoding, and is theirs.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::string in_ascii(std::string_view text);

}  // namespace pawl

// Text that a model wrote and that goes out under the bot's name: what programs would take for the bot's own word is
// spoilt, and what is longer than a comment can be is cut, and says so.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::string as_bots_word(std::string_view text);
// The same of a file that an agent wrote, however long it is; "" where there is none.
[[nodiscard]] std::string bots_word_in(const std::string& path);

}  // namespace pawl

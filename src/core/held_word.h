// A word that is no status, as people are shown it.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace pawl {

// “maybe”, safe to print. Some formats keep a text that stands where none belongs with the quotes that it has in its
// file, so that "active" is not taken for active; these are not shown twice.
[[nodiscard]] inline std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMost = 80;
  if (word.size() > 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
  std::size_t end = std::min(word.size(), kMost);
  while (end > 0 && end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U)
    --end;  // whole letters
  return cat("“", printable(word.substr(0, end)), end < word.size() ? "…" : "", "”");
}

}  // namespace pawl

#include "store/sqlite/difference.h"

#include <algorithm>

namespace pawl::sqlite {

Difference difference(std::string_view text, std::string_view other) {
  const std::size_t shorter = std::min(text.size(), other.size());
  const auto head = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(shorter), other.begin()).first -
      text.begin());
  std::size_t tail = 0;
  while (tail < shorter - head && text[text.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
  return {head, tail, other.substr(head, other.size() - head - tail)};
}

std::optional<std::string> applied(std::string_view text, const Difference& difference) {
  if (difference.same_head > text.size() || difference.same_tail > text.size() - difference.same_head) {
    return std::nullopt;
  }
  std::string other;
  other.reserve(difference.same_head + difference.middle.size() + difference.same_tail);
  other += text.substr(0, difference.same_head);
  other += difference.middle;
  other += text.substr(text.size() - difference.same_tail);
  return other;
}

}  // namespace pawl::sqlite

// Two texts that mostly agree, told as one and where the other differs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::sqlite {

// `other` is the first `same_head` bytes of `text`, then `middle`, then its last `same_tail` bytes.
struct Difference {
  std::size_t same_head = 0;
  std::size_t same_tail = 0;
  std::string_view middle;  // of `other`
};

[[nodiscard]] Difference difference(std::string_view text, std::string_view other);

// nullopt: the numbers do not fit the text; somebody has changed the row.
[[nodiscard]] std::optional<std::string> applied(std::string_view text, const Difference& difference);

}  // namespace pawl::sqlite

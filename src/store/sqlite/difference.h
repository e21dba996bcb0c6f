// Two texts that mostly agree, told as one and where the other differs. An edit often touches two places: a time near
// the beginning, which stays as long as it was, and something further on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::sqlite {

// `other` is the first `same_head` bytes of `text` with what stands `early` in them, then `middle`, then the last
// `same_tail` bytes of `text`.
struct Difference {
  struct Early {
    std::size_t at = 0;
    std::string_view bytes;  // of `other`, in place of as many
  };
  std::size_t same_head = 0;
  std::size_t same_tail = 0;
  std::string_view middle;  // of `other`
  std::vector<Early> early = {};
};

[[nodiscard]] Difference difference(std::string_view text, std::string_view other);

// nullopt: the numbers do not fit the text; somebody has changed the row.
[[nodiscard]] std::optional<std::string> applied(std::string_view text, const Difference& difference);

// As it is stored: "1200 300\n" and the middle; with early ones "1200 300 1\n5 4\ntime" and the middle.
[[nodiscard]] std::string written(const Difference& change);
[[nodiscard]] std::optional<Difference> read_difference(std::string_view text);

}  // namespace pawl::sqlite

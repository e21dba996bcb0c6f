// Where a line of one commit stands in another. Both are told by patches from their common ancestor; where nothing was
// rewritten the first commit is that ancestor, and its patch is empty. A line that was added on both ways (a branch
// that was rebased) is known again by its text and its neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/patch.h"

namespace pawl::review {

class MovedLines {
 public:
  // The patches must outlive this.
  MovedLines(std::string_view to_old, std::string_view to_new)
      : to_old_(diff_lines(to_old)), to_new_(diff_lines(to_new)) {}

  // Nothing: it is not there any more, or was changed.
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t line) const;
  // Where a piece of the file begins now. Nothing: one of its lines is not there any more or was changed, or something
  // came in between.
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t first, std::int64_t last) const;

 private:
  [[nodiscard]] std::optional<std::int64_t> find_text(std::size_t index) const;

  std::vector<DiffLine> to_old_, to_new_;
};

// Do two patches add and remove the same lines, wherever they stand?
[[nodiscard]] bool same_changes(std::string_view one, std::string_view other);

}  // namespace pawl::review

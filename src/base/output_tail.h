// The end of what a program printed, however much that was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

class OutputTail {
 public:
  explicit OutputTail(std::size_t bytes) : bytes_(bytes) {}
  void add(std::string_view more);
  // Without control characters; where something was left out it begins with “…” and a whole line.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::string& raw() const { return text_; }  // at least that much of it, as it was printed

 private:
  std::size_t bytes_;
  std::string text_;
};

// The last line that has something in it, without control characters, and no longer than that.
[[nodiscard]] std::string last_line_of(std::string_view text, std::size_t most_bytes);

}  // namespace pawl

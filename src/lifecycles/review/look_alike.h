// Text in a review's file that a person would take for a finding, and that is read as none: a heading without its sign,
// an entry of a list, a finding that stands in another one's text. It is never guessed what it was meant to be; but
// nothing is approved over it, and it is named until somebody has put it right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::review {

struct LookAlike {
  std::size_t line = 0;
  std::string text;  // of that line, cut where it is long

  friend bool operator==(const LookAlike&, const LookAlike&) = default;
};

// In a state file; none in one that cannot be read, which is told of as such.
[[nodiscard]] std::vector<LookAlike> look_alikes(std::string_view state);
// In an export, which has nothing but findings behind its first line.
[[nodiscard]] std::vector<LookAlike> look_alikes_in_export(std::string_view text);

// What to do about one.
inline constexpr std::string_view kSetRight =
    "write it as ### 🔴 Action Required: TITLE, or enter it with pawl review finding add, or take it out";

// "line 12, “- 🔴 Action Required: x” (and 2 more)". The list is not empty.
[[nodiscard]] std::string named(const std::vector<LookAlike>& list);

}  // namespace pawl::review

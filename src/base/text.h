// Text as people write it and as terminals show it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pawl {

// cat("issue ", 42, ": ", status): one allocation, no format strings.
inline void append_part(std::string& out, std::string_view part) { out += part; }
inline void append_part(std::string& out, char part) { out += part; }
template <class Number>
requires std::is_arithmetic_v<Number>
void append_part(std::string& out, Number part) { out += std::to_string(part); }
template <class... Parts>
[[nodiscard]] std::string cat(const Parts&... parts) {
  std::string out;
  (append_part(out, parts), ...);
  return out;
}

// How many bytes at `at` and behind it are printable ASCII. Most of all texts are that from end to end.
[[nodiscard]] inline std::size_t plain_ascii(std::string_view text, std::size_t at = 0) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= ' ' && text[end] <= '~') ++end;
  return end - at;
}

// The code point at `at` and the bytes it takes; length 0 when they are not UTF-8 (overlong forms and surrogates are
// not).
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;
};
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t at);
void append_utf8(std::string& out, std::uint32_t code_point);

[[nodiscard]] bool is_utf8(std::string_view text);

// A control character other than tab, newline and carriage return, DEL, or a C1 control (U+0080 to U+009F).
[[nodiscard]] bool has_control(std::string_view text);

// What may be printed on a terminal: controls and escapes become visible (\x1b), bytes that are not UTF-8
// become U+FFFD, bidirectional overrides are shown by number. Newlines stay when `lines` is set.
[[nodiscard]] std::string printable(std::string_view text, bool lines = false);

// Terminal escape sequences and control characters taken out, bytes that are not UTF-8 replaced, cut at
// `max_bytes` but never inside a character.
[[nodiscard]] std::string stripped(std::string_view text, std::size_t max_bytes);

// The candidate that was probably meant, if one is near enough.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

// "a, b and 3 more": the first of them, as `word` says each.
template <class List, class Word>
[[nodiscard]] std::string first_few(const List& list, std::size_t most, const Word& word) {
  std::string out;
  std::size_t told = 0;
  for (const auto& one : list) {
    if (told == most) return cat(out, " and ", list.size() - most, " more");
    out += cat(told == 0 ? "" : ", ", word(one));
    ++told;
  }
  return out;
}
// The same of texts that anybody may have written.
[[nodiscard]] std::string first_few(const std::vector<std::string>& list, std::size_t most);

// "a, b or c"
[[nodiscard]] std::string join_or(std::span<const std::string_view> words);

// Without blanks, tabs and line ends at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
// The parts are views: of a text that is gone at the end of the line there would be none.
template <class Text>
requires std::is_same_v<Text, std::string> std::vector<std::string_view> split(Text&& text, char separator)
= delete;

// A word as sh reads it back.
[[nodiscard]] std::string shell_quoted(std::string_view word);

// A positive integer without sign, blank or leading zero, that fits 63 bits.
[[nodiscard]] std::optional<std::int64_t> parse_positive(std::string_view text);

}  // namespace pawl

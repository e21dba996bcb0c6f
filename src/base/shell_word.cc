#include "base/shell_word.h"

#include <array>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./#@+,:=%";

// Bytes that are no UTF-8, and what a terminal would obey.
std::string spelled_out(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const bool valid = is_utf8(word) && printable(word) == word;
  std::string out = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid)) {
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!is_utf8(word) || has_control(word) || printable(word) != word) return spelled_out(word);
  const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
  return plain && !word.starts_with('#') ? std::string(word) : shell_quoted(word);
}

}  // namespace pawl

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "base/letters.h"

namespace pawl {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_control(std::uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c <= 0x9F);
}

// Characters that reorder what stands around them, are not seen, or end a line for some: a message can look like
// another one. Those that join letters and signs (U+200C, U+200D) belong to what people write.
bool misleads(std::uint32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C ||
         c == 0x200B || c == 0x2028 || c == 0x2029 || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF ||
         (c >= 0xE0000 && c <= 0xE007F);
}

// Where a control sequence (after CSI) ends: behind its final byte, or before a control that breaks it off.
std::size_t end_of_control(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] < '@' || text[at] > '~')) {
    if (text[at] == '\x1b' || text[at] == '\x18' || text[at] == '\x1a') return at;
    ++at;
  }
  return std::min(at + 1, text.size());
}

// Where a string (a window's title, a link) ends: behind BEL or ST, or before the escape that breaks it off.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '\a') return at + 1;
    if (text.substr(at).starts_with("\xC2\x9C") || text.substr(at).starts_with("\x1b\\")) return at + 2;
    if (text[at] == '\x1b') return at;
  }
  return at;
}

// Length of the terminal escape sequence that starts at `at`, 0 when none does.
std::size_t escape_length(std::string_view text, std::size_t at) {
  constexpr std::string_view kStrings = "]PX^_";
  const CodePoint c = decode_utf8(text, at);
  std::size_t i = at + c.length;
  char kind = 0;
  if (c.value >= 0x90 && c.value <= 0x9F) {  // the one-character form of ESC and a letter
    kind = static_cast<char>(c.value - 0x40);
    if (kind != '[' && kStrings.find(kind) == std::string_view::npos) return 0;
  } else if (c.value != 0x1B || c.length == 0) {
    return 0;
  } else if (i < text.size()) {
    kind = text[i++];
  } else {
    return 1;
  }
  if (kind == '[') return end_of_control(text, i) - at;
  if (kStrings.find(kind) != std::string_view::npos) return end_of_string(text, i) - at;
  if (kind < ' ' || kind > '~') return 1;  // not an escape, and maybe the first byte of a character
  while (kind >= ' ' && kind <= '/' && i < text.size() && text[i] >= ' ' && text[i] <= '~')
    kind = text[i++];  // ESC ( B
  return i - at;
}

void append_hex(std::string& out, std::string_view prefix, std::uint32_t value, int width) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += prefix;
  for (int shift = (width - 1) * 4; shift >= 0; shift -= 4)
    out += kDigits[(value >> static_cast<unsigned>(shift)) & 0xFU];
}

// Optimal string alignment: a swap of neighbours counts once, as that is how people mistype.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Do the letters of `part` stand in `whole`, in this order?
bool is_part_of(std::string_view part, std::string_view whole) {
  for (const char c : whole) {
    if (!part.empty() && part.front() == c) part.remove_prefix(1);
  }
  return part.empty();
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  std::uint32_t value = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    value = first & 0x1FU;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    value = first & 0x0FU;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    value = first & 0x07U;
  } else {
    return {};
  }
  if (at + length > text.size()) return {};
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = byte(at + i);
    if ((next & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (next & 0x3FU);
  }
  if (length == 3 && (value < 0x800 || (value >= 0xD800 && value <= 0xDFFF))) return {};
  if (length == 4 && (value < 0x10000 || value > 0x10FFFF)) return {};
  return {value, length};
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | (c >> 6U));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | (c >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (c >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  for (std::size_t at = 0; at < text.size();) {
    // Most of most texts is ASCII: eight bytes at a time.
    if (std::uint64_t eight = 0; at + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & kHighBits) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const std::size_t length = decode_utf8(text, at).length;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool has_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if (c.length != 0 && is_control(c.value)) return true;
    at += c.length == 0 ? 1 : c.length;
  }
  return false;
}

std::string printable(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t plain = plain_ascii(text, at); plain != 0) {
      out += text.substr(at, plain);
      at += plain;
      continue;
    }
    const CodePoint c = decode_utf8(text, at);
    if (c.length == 0) {
      out += kReplacement;
      ++at;
      continue;
    }
    if (c.value == '\n' || c.value == '\t') {
      if (lines) {
        out += text[at];
      } else {
        out += c.value == '\n' ? "\\n" : "\\t";
      }
    } else if (c.value == '\r' || is_control(c.value)) {
      append_hex(out, "\\x", c.value, 2);
    } else if (misleads(c.value)) {
      append_hex(out, c.value > 0xFFFF ? "\\U" : "\\u", c.value, c.value > 0xFFFF ? 8 : 4);
    } else {
      out += text.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

std::string stripped(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t escape = escape_length(text, at); escape != 0) {
      at += escape;
      continue;
    }
    const CodePoint c = decode_utf8(text, at);
    const std::string_view piece = c.length == 0 ? kReplacement : text.substr(at, c.length);
    at += c.length == 0 ? 1 : c.length;
    if (c.length != 0 && is_control(c.value)) continue;
    if (out.size() + piece.size() > max_bytes) break;
    out += piece;
  }
  return out;
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > 64) return std::nullopt;
  const std::string meant = ascii_lower(word);
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::string other = ascii_lower(candidate);
    std::size_t d = distance(meant, other);
    if (d >= std::max(meant.size(), other.size())) continue;  // nothing in common
    // "completed" for "complete", "err" for "error": one is the other's beginning.
    const bool begins = other.starts_with(meant) || meant.starts_with(other);
    if (begins && std::min(meant.size(), other.size()) >= 3) d = std::min<std::size_t>(d, 1);
    // Of two that are as near, the one of which letters were only left out.
    const bool left_out =
        d == best_distance && best && is_part_of(meant, other) && !is_part_of(meant, ascii_lower(*best));
    if (d < best_distance || left_out) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string first_few(const std::vector<std::string>& list, std::size_t most) {
  return first_few(list, most, [](const std::string& one) { return printable(one); });
}

std::string join_or(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::int64_t> parse_positive(std::string_view text) {
  if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shell_quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace pawl

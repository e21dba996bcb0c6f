#include "store/sqlite/difference.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/text.h"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kMostEarly = 8;  // more than this is another text
constexpr std::size_t kLongestEarly = 256;
constexpr std::size_t kAgreed = 64;  // so many equal bytes in a row are no coincidence

// How many bytes agree from `from` on, up to `end`: memcmp is many times as fast as a loop.
std::size_t agree_until(std::string_view a, std::string_view b, std::size_t from, std::size_t end) {
  constexpr std::size_t kBlock = 4096;
  while (end - from >= kBlock && std::memcmp(a.data() + from, b.data() + from, kBlock) == 0) from += kBlock;
  const std::size_t stop = std::min(end, from + kBlock);
  while (from < stop && a[from] == b[from]) ++from;
  return from;
}

std::size_t same_end(std::string_view a, std::string_view b, std::size_t most) {
  constexpr std::size_t kBlock = 4096;
  std::size_t same = 0;
  while (most - same >= kBlock &&
         std::memcmp(a.data() + a.size() - same - kBlock, b.data() + b.size() - same - kBlock, kBlock) == 0)
    same += kBlock;
  while (same < most && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
  return same;
}

// Reads a number and the character behind it.
bool read_number(std::string_view& text, std::size_t& value, char& behind) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data() + text.size()) return false;
  behind = *end;
  text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  return true;
}

}  // namespace

Difference difference(std::string_view text, std::string_view other) {
  const std::size_t shorter = std::min(text.size(), other.size());
  Difference out;
  std::size_t head = agree_until(text, other, 0, shorter);
  const std::size_t tail = same_end(text, other, shorter - head);
  const std::size_t end = shorter - tail;
  while (head < end && out.early.size() < kMostEarly) {
    std::size_t length = 0;
    for (std::size_t l = 1; l <= kLongestEarly && head + l + kAgreed <= end; ++l) {
      if (std::memcmp(text.data() + head + l, other.data() + head + l, kAgreed) == 0) {
        length = l;
        break;
      }
    }
    if (length == 0) break;
    out.early.push_back({head, other.substr(head, length)});
    head = agree_until(text, other, head + length, end);
  }
  out.same_head = head;
  out.same_tail = tail;
  out.middle = other.substr(head, other.size() - head - tail);
  return out;
}

std::optional<std::string> applied(std::string_view text, const Difference& difference) {
  if (difference.same_head > text.size() || difference.same_tail > text.size() - difference.same_head) {
    return std::nullopt;
  }
  std::string other;
  other.reserve(difference.same_head + difference.middle.size() + difference.same_tail);
  other += text.substr(0, difference.same_head);
  for (const Difference::Early& early : difference.early) {
    if (early.at > other.size() || early.bytes.size() > other.size() - early.at) return std::nullopt;
    other.replace(early.at, early.bytes.size(), early.bytes);
  }
  other += difference.middle;
  other += text.substr(text.size() - difference.same_tail);
  return other;
}

std::string written(const Difference& change) {
  std::string out = cat(change.same_head, " ", change.same_tail);
  if (!change.early.empty()) out += cat(" ", change.early.size());
  out += "\n";
  for (const Difference::Early& early : change.early) out += cat(early.at, " ", early.bytes.size(), "\n", early.bytes);
  return out.append(change.middle);
}

std::optional<Difference> read_difference(std::string_view text) {
  Difference change;
  char behind = 0;
  if (!read_number(text, change.same_head, behind) || behind != ' ') return std::nullopt;
  if (!read_number(text, change.same_tail, behind)) return std::nullopt;
  std::size_t count = 0;
  if (behind == ' ' && (!read_number(text, count, behind) || count > kMostEarly)) return std::nullopt;
  if (behind != '\n') return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    Difference::Early early;
    std::size_t length = 0;
    if (!read_number(text, early.at, behind) || behind != ' ') return std::nullopt;
    if (!read_number(text, length, behind) || behind != '\n' || length > text.size()) return std::nullopt;
    early.bytes = text.substr(0, length);
    text.remove_prefix(length);
    change.early.push_back(early);
  }
  change.middle = text;
  return change;
}

}  // namespace pawl::sqlite

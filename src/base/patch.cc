#include "base/patch.h"

#include <charconv>

#include "base/text.h"

namespace pawl {
namespace {

// "@@ -12,3 +14,5 @@": 12 and 14.
bool read_hunk(std::string_view line, std::int64_t& left, std::int64_t& right) {
  const std::size_t minus = line.find('-'), plus = line.find('+');
  if (minus == std::string_view::npos || plus == std::string_view::npos) return false;
  const auto number = [&](std::size_t at, std::int64_t& out) {
    return std::from_chars(line.data() + at + 1, line.data() + line.size(), out).ec == std::errc();
  };
  return number(minus, left) && number(plus, right);
}

}  // namespace

std::vector<DiffLine> diff_lines(std::string_view patch) {
  std::vector<DiffLine> lines;
  std::int64_t left = 0, right = 0;
  bool inside = false;
  for (const std::string_view line : split(patch, '\n')) {
    if (line.starts_with("@@")) {
      inside = read_hunk(line, left, right);
    } else if (!inside || line.empty()) {
      continue;
    } else if (line[0] == '+') {
      lines.push_back({'+', 0, right++, line.substr(1)});
    } else if (line[0] == '-') {
      lines.push_back({'-', left++, 0, line.substr(1)});
    } else if (line[0] == ' ') {
      lines.push_back({' ', left++, right++, line.substr(1)});
    }
  }
  return lines;
}

}  // namespace pawl

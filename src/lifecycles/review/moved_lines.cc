#include "lifecycles/review/moved_lines.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::review {
namespace {

// From the right side of a patch to its left, for a line that was there before. `shift` is how many lines more there
// are on the right, up to where the walk is.
std::int64_t back(const std::vector<DiffLine>& patch, std::int64_t right) {
  std::int64_t shift = 0;
  for (const DiffLine& line : patch) {
    const std::int64_t here = line.sign == '-' ? line.left + shift : line.right;
    if (here > right) break;
    if (line.sign == '+') ++shift;
    if (line.sign == '-') --shift;
  }
  return right - shift;
}

// From the left side to the right; nothing when it was removed.
std::optional<std::int64_t> forth(const std::vector<DiffLine>& patch, std::int64_t left) {
  std::int64_t shift = 0;
  for (const DiffLine& line : patch) {
    const std::int64_t here = line.sign == '+' ? line.right - shift : line.left;
    if (here > left) break;
    if (line.sign == '-' && here == left) return std::nullopt;
    if (line.sign == '+') ++shift;
    if (line.sign == '-') --shift;
  }
  return left + shift;
}

// The next line above (-1) or below (1) that is there on the right side.
std::string_view neighbour(const std::vector<DiffLine>& lines, std::size_t at, int step) {
  for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < std::ssize(lines); i += step) {
    if (lines[static_cast<std::size_t>(i)].sign != '-') return lines[static_cast<std::size_t>(i)].text;
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> MovedLines::find_text(std::size_t index) const {
  const std::string_view text = to_old_[index].text;
  if (trim(text).empty()) return std::nullopt;
  std::optional<std::int64_t> best;
  int best_score = -1;
  bool tie = false;
  for (std::size_t i = 0; i < to_new_.size(); ++i) {
    if (to_new_[i].sign == '-' || to_new_[i].text != text) continue;
    const int score = (neighbour(to_new_, i, 1) == neighbour(to_old_, index, 1) ? 1 : 0) +
                      (neighbour(to_new_, i, -1) == neighbour(to_old_, index, -1) ? 1 : 0);
    tie = score == best_score;
    if (score <= best_score) continue;
    best_score = score;
    best = to_new_[i].right;
  }
  return tie ? std::nullopt : best;
}

std::optional<std::int64_t> MovedLines::find(std::int64_t line) const {
  const auto added = std::find_if(to_old_.begin(), to_old_.end(),
                                  [&](const DiffLine& one) { return one.sign == '+' && one.right == line; });
  if (added != to_old_.end()) return find_text(static_cast<std::size_t>(added - to_old_.begin()));
  return forth(to_new_, back(to_old_, line));
}

std::optional<std::int64_t> MovedLines::find(std::int64_t first, std::int64_t last) const {
  const auto begin = find(first);
  const auto goes_along = [&](std::int64_t line) {
    const auto now = find(line);
    return now && *now - *begin == line - first;
  };
  if (!begin || !goes_along(last)) return std::nullopt;
  // Lines that no patch names move with their neighbours, so only those that one does are looked at.
  for (const DiffLine& one : to_old_) {
    if (one.right > first && one.right < last && !goes_along(one.right)) return std::nullopt;
  }
  for (const DiffLine& one : to_new_) {
    if (one.sign != '-') continue;
    const auto line = forth(to_old_, one.left);
    if (line && *line > first && *line < last && !goes_along(*line)) return std::nullopt;
  }
  return begin;
}

bool same_changes(std::string_view one, std::string_view other) {
  const auto changes = [](std::string_view patch) {
    std::vector<std::pair<char, std::string_view>> out;
    for (const DiffLine& line : diff_lines(patch)) {
      if (line.sign != ' ') out.emplace_back(line.sign, line.text);
    }
    return out;
  };
  return changes(one) == changes(other);
}

}  // namespace pawl::review

#include "world/forge.h"

#include <algorithm>

#include <charconv>

#include "base/letters.h"
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

std::string_view word_of(MergeState state) {
  switch (state) {
    case MergeState::clean:
      return "clean";
    case MergeState::unstable:
      return "unstable";
    case MergeState::behind:
      return "behind";
    case MergeState::blocked:
      return "blocked";
    case MergeState::dirty:
      return "dirty";
    case MergeState::draft:
      return "draft";
    case MergeState::has_hooks:
      return "has_hooks";
    case MergeState::unknown:
      break;
  }
  return "unknown";
}

std::string_view word_of(ReviewDecision decision) {
  switch (decision) {
    case ReviewDecision::approved:
      return "approved";
    case ReviewDecision::changes_requested:
      return "changes_requested";
    case ReviewDecision::review_required:
      return "review_required";
    case ReviewDecision::none:
      break;
  }
  return "none";
}

bool same_login(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

bool same_account(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view login) {
    constexpr std::string_view kBot = "[bot]";
    return login.ends_with(kBot) ? login.substr(0, login.size() - kBot.size()) : login;
  };
  return !bare(a).empty() && same_login(bare(a), bare(b));
}

std::string_view word_of(MergeMethod method) {
  switch (method) {
    case MergeMethod::squash:
      return "squash";
    case MergeMethod::rebase:
      return "rebase";
    case MergeMethod::merge:
      break;
  }
  return "merge";
}

std::optional<MergeMethod> merge_method(std::string_view word) {
  for (const MergeMethod method : {MergeMethod::merge, MergeMethod::squash, MergeMethod::rebase}) {
    if (word_of(method) == word) return method;
  }
  return std::nullopt;
}

}  // namespace pawl

#include "lifecycles/review/stray.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace pawl::review {
namespace {

constexpr std::string_view kFile = "**File:**";

// Lines that look like a row of the plan or like a finding's values and are read as neither; with all of a fence and of
// a comment.
struct Strays {
  struct Line {
    std::size_t number = 0;
    std::string_view words;  // without quote signs and the like before them
  };
  std::vector<Line> values;
  std::multimap<std::int64_t, std::size_t> rows;  // a chunk's number, and the line's
};

// Behind blanks, quote signs, signs of a list or a heading, and the beginning of a comment.
std::string_view bare(std::string_view words) {
  const std::size_t begin = words.find_first_not_of(" \t>#<!-");
  return begin == std::string_view::npos ? std::string_view() : trim(words.substr(begin));
}

Strays strays_in(const StateText& state, const ChunkTable& plan) {
  Strays out;
  std::size_t number = 1, finding = 0, row = 0;
  const std::string_view text = state.text;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view words = bare(text.substr(at, end - at));
    while (row < state.chunks.rows.size() && state.chunks.rows[row].line.begin < at) ++row;
    while (finding < state.findings.size() &&
           (!state.findings[finding].location || state.findings[finding].location->begin < at))
      ++finding;
    const bool is_row = row < state.chunks.rows.size() && state.chunks.rows[row].line.begin == at;
    const bool is_value = finding < state.findings.size() && state.findings[finding].location->begin <= end;
    if (words.starts_with(kFile) && !is_value) out.values.push_back({number, words});
    if (!is_row && words.find('|') != std::string_view::npos) {
      if (const auto chunk = chunk_number_in(plan, words)) out.rows.emplace(*chunk, number);
    }
    at = end + 1;
  }
  return out;
}

// The line with its place, as it stands in the file.
std::string_view values_of(const StateText& state, const FindingText& finding) {
  const std::size_t begin = state.text.rfind('\n', finding.location->begin) + 1;
  return bare(state.text.substr(begin, state.text.find('\n', begin) - begin));
}

}  // namespace

std::string strays(const StateText& before, const StateText& now) {
  if (!before.chunks.rows.empty() && now.chunks.rows.empty()) return "the chunk plan has no chunk any more";
  const Strays was = strays_in(before, before.chunks), is = strays_in(now, before.chunks);
  for (const ChunkRow& row : before.chunks.rows) {
    if (now.chunks.find(row.number) != nullptr || is.rows.count(row.number) <= was.rows.count(row.number)) continue;
    return cat("line ", std::prev(is.rows.upper_bound(row.number))->second,
               ": a row of the chunk plan stands outside of its table");
  }
  std::multiset<std::string_view> known, lost;
  for (const Strays::Line& line : was.values) known.insert(line.words);
  for (const FindingText& finding : before.findings) {
    if (finding.location) lost.insert(values_of(before, finding));
  }
  for (const FindingText& finding : now.findings) {
    if (!finding.location) continue;
    if (const auto found = lost.find(values_of(now, finding)); found != lost.end()) lost.erase(found);
  }
  const bool fewer = now.findings.size() < before.findings.size();
  for (const Strays::Line& line : is.values) {
    if (const auto found = known.find(line.words); found != known.end()) {
      known.erase(found);
    } else if (fewer || lost.contains(line.words)) {
      return cat(
          "line ", line.number,
          ": a finding whose heading cannot be read (### 🔴 Action Required, ### 🟡 Recommended or ### 🟢 Minor "
          "begins one)");
    }
  }
  return {};
}

}  // namespace pawl::review

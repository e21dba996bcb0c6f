#include "lifecycles/review/finding_blocks.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::review {
namespace {

// Do only blanks stand between these two places?
bool nothing_between(const StateText& state, std::size_t begin, std::size_t end) {
  return begin <= end && trim(state.text.substr(begin, end - begin)).empty();
}

// Does the finding at `index` begin where the one before it ends, or the line that ends that one?
bool follows_the_last(const StateText& state, std::size_t index) {
  if (index == 0) return false;
  const FindingText& last = state.findings[index - 1];
  return nothing_between(state, last.separator ? last.separator->end : last.end, state.findings[index].begin);
}

// Findings that stand one behind the other, and all go: from the heading of the first to what follows the last.
void take_out_run(const StateText& state, std::size_t first, std::size_t last, std::vector<Edit>& edits) {
  std::size_t begin = state.findings[first].begin, end = state.findings[last].end;
  const auto skip_line_ends = [&](std::size_t at) {
    while (at < state.text.size() && (state.text[at] == '\n' || state.text[at] == '\r')) ++at;
    return at;
  };
  const FindingText* const before = first > 0 ? &state.findings[first - 1] : nullptr;
  if (const auto& rule = state.findings[last].separator) {
    end = skip_line_ends(rule->end);
    // Words of others that follow are not to become those of the finding before.
    const std::size_t next =
        last + 1 < state.findings.size() ? state.findings[last + 1].begin : state.findings_section->end;
    if (before != nullptr && !before->separator && !nothing_between(state, rule->end, next)) end = rule->begin;
  } else if (before != nullptr && before->separator && follows_the_last(state, first)) {
    begin = before->end;  // the line before it separated nothing else
  } else {
    end = skip_line_ends(end);
  }
  edits.push_back({{begin, end}, ""});
}

}  // namespace

void take_out(const StateText& state, std::span<const std::size_t> goes, std::vector<Edit>& edits) {
  for (std::size_t i = 0; i < goes.size(); ++i) {
    const std::size_t first = goes[i];
    while (i + 1 < goes.size() && goes[i + 1] == goes[i] + 1 && follows_the_last(state, goes[i + 1])) ++i;
    take_out_run(state, first, goes[i], edits);
  }
}

std::optional<std::size_t> place_of(const BlockNumbers& numbers, std::int64_t number) {
  // Behind the one that came before it: whoever writes the file may have an order of their own.
  std::optional<std::size_t> last, next;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    if (numbers[i] < number && (!last || numbers[i] > numbers[*last])) last = i;
    if (numbers[i] > number && !next) next = i;
  }
  if (!last) return next;
  return *last + 1 < numbers.size() ? std::optional(*last + 1) : std::nullopt;
}

void insert_finding(const StateText& state, std::size_t before, std::string_view block, std::vector<Edit>& edits) {
  const std::string_view newline = newline_of(state.text);
  const std::size_t at = state.findings[before].begin;
  // In front of whatever is done to that block itself, and behind those that are to stand there before it.
  const auto place =
      std::find_if(edits.begin(), edits.end(), [&](const Edit& e) { return e.span.begin == at && e.span.end > at; });
  edits.insert(place, {{at, at}, cat(block, newline, newline, "---", newline, newline)});
}

void append_findings(const StateText& state, const std::vector<std::string>& blocks, std::vector<Edit>& edits) {
  if (blocks.empty()) return;
  const std::string_view newline = newline_of(state.text);
  const std::string rule = cat(newline, "---", newline, newline);
  std::string joined;
  for (const std::string& block : blocks) joined += cat(joined.empty() ? "" : rule, block, newline);
  if (!state.findings_section) {
    std::size_t at = state.comments_heading.value_or(state.text.size());
    const bool behind = at == state.text.size();
    edits.push_back(
        {{at, at}, cat(behind ? newline : "", "## Findings", newline, newline, joined, behind ? "" : newline)});
    return;
  }
  // Words of others that follow in the section are not to become a finding's.
  const auto and_rule = [&](std::size_t at) {
    const bool more = !trim(state.text.substr(at, state.findings_section->end - at)).empty();
    return more ? cat(newline, "---", newline) : std::string();
  };
  if (state.findings.empty()) {
    const std::size_t at = state.findings_section->begin;
    edits.push_back(
        {{at, at}, cat(at > 0 && state.text[at - 1] != '\n' ? newline : "", newline, joined, and_rule(at))});
    return;
  }
  const FindingText& last = state.findings.back();
  if (!last.separator) {
    edits.push_back({{last.end, last.end}, cat(newline, rule, joined.substr(0, joined.size() - newline.size()))});
    return;
  }
  const std::size_t at = last.separator->end;
  edits.push_back({{at, at}, cat(state.text[at - 1] == '\n' ? "" : newline, newline, joined, and_rule(at))});
}

}  // namespace pawl::review

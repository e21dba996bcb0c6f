#include "lifecycles/review/look_alike.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "lifecycles/review/spoken_line.h"
#include "lifecycles/review/state_text.h"

namespace pawl::review {
namespace {

using Kind = MarkdownLine::Kind;

// Whose text a line is.
enum class Place {
  passed_over,  // read as what it is: values, the chunk plan, comments by file
  findings,     // under “Findings”, and no finding's
  elsewhere,
  body,    // a finding's own
  hidden,  // code, a quotation or a comment, in a finding's text or outside of the findings
};

struct Line {
  std::size_t number = 0;
  Place place = Place::elsewhere;
  bool code = false;
  std::string_view words;
};

// The lines of a text, each with whose it is.
class Lines {
 public:
  Lines(std::string_view text, std::size_t from, std::size_t number, std::span<const FindingText> findings,
        std::optional<Span> section)
      : text_(text), findings_(findings), section_(section), reader_(text, from, number) {}
  void pass_over(Span span) { passed_.push_back(span); }

  std::vector<Line> all() {
    std::sort(passed_.begin(), passed_.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::vector<Line> out;
    MarkdownLine line;
    while (reader_.next(line)) {
      const std::string_view words = line.span.of(text_);
      if (trim(words).empty()) continue;
      const bool code = line.kind == Kind::fenced || line.kind == Kind::fence_opens || line.kind == Kind::fence_closes;
      out.push_back({reader_.number(), place_of(line, code), code, words});
    }
    return out;
  }

 private:
  Place place_of(const MarkdownLine& line, bool code) {
    const std::size_t at = line.span.begin;
    const auto holds = [&](const Span& span) { return span.begin <= at && at < span.end; };
    while (passed_by_ < passed_.size() && passed_[passed_by_].end <= at) ++passed_by_;
    if (passed_by_ < passed_.size() && holds(passed_[passed_by_])) return Place::passed_over;
    while (next_ < findings_.size() && findings_[next_].end <= at) ++next_;
    if (next_ < findings_.size() && findings_[next_].begin <= at) {
      const FindingText& finding = findings_[next_];
      if (finding.body.empty() || at < finding.body.begin) return Place::passed_over;
      return code || line.kind == Kind::comment ? Place::hidden : Place::body;
    }
    if (section_ && holds(*section_)) return Place::findings;
    return code ? Place::hidden : Place::elsewhere;
  }

  std::string_view text_;
  std::span<const FindingText> findings_;
  std::optional<Span> section_;
  MarkdownReader reader_;
  std::vector<Span> passed_;
  std::size_t passed_by_ = 0, next_ = 0;
};

// A line that says what the signs mean has all three of them, or is one of three under a word that says so.
class Legend {
 public:
  [[nodiscard]] bool holds(const SpokenLine& line) {
    if (severities_in(line) == static_cast<int>(kSeverities.size())) return true;
    const Severity* const says = line.sign != nullptr ? line.sign : line.name;
    if (says == nullptr) {
      left_.clear();
      if (line.has("legend") || line.has("severities") || line.has("severity levels")) {
        for (const Severity& one : kSeverities) left_.push_back(&one);
      }
      return false;
    }
    const auto found = std::find(left_.begin(), left_.end(), says);
    if (found == left_.end()) return false;
    left_.erase(found);
    return true;
  }

 private:
  std::vector<const Severity*> left_;
};

// In a text of a finding nearly every line is prose, and is told at a glance.
bool may_begin_one(std::string_view words) {
  const std::size_t first = words.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  if (std::string_view("#*_<>").find(words[first]) != std::string_view::npos) return true;
  const auto is_sign = [](char c) { return static_cast<unsigned char>(c) >= 0x80 || c == '&'; };
  return std::any_of(words.begin(), words.end(), is_sign) || words.find("_circle:") != std::string_view::npos ||
         words.find("arked ") != std::string_view::npos || words.find("onfidence") != std::string_view::npos;
}

bool is_grave(const Severity* severity) { return severity == &kSeverities[0] || severity == &kSeverities[1]; }

class LookAlikes {
 public:
  explicit LookAlikes(std::vector<Line> lines) : lines_(std::move(lines)) {}

  std::vector<LookAlike> all() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].place != Place::passed_over && is_one(i)) add(lines_[i].number, lines_[i].words);
    }
    return std::move(out_);
  }
  void add(std::size_t number, std::string_view words) {
    constexpr std::size_t kMostBytes = 120;
    out_.push_back({number, stripped(trim(words), kMostBytes)});
  }

 private:
  bool is_one(std::size_t index) {
    const Line& line = lines_[index];
    if ((line.place == Place::hidden || line.place == Place::body) && !may_begin_one(line.words)) return false;
    const SpokenLine says = spoken_line(line.words);
    if (line.place == Place::hidden) return is_whole(index);
    if (line.place == Place::body) {
      if (says.set_in || says.comment || says.in_diff) return is_whole(index);
      return says.quoted ? is_whole(index) || is_red(says) : in_body(says, index);
    }
    if (legend_.holds(says)) return false;
    return line.place == Place::findings && !line.code ? under_findings(says) : elsewhere(says);
  }

  static bool is_red(const SpokenLine& says) { return says.sign == &kSeverities[0] && says.name == &kSeverities[0]; }

  // Where nothing but findings is expected.
  static bool under_findings(const SpokenLine& says) {
    const int severities = severities_in(says);
    if (only_counts(says) && (severities > 1 || says.has("0") || says.has("no"))) return false;
    const bool is_signed =
        std::any_of(kSeverities.begin(), kSeverities.end(), [&](const Severity& one) { return says.has(one.sign); });
    return is_signed || calls_for_action(says) || names_place(says) || names_value(says) || says.place ||
           (says.stands_out() && grades(says)) || (says.name != nullptr && says.rest.find(':') != std::string::npos);
  }

  static bool elsewhere(const SpokenLine& says) {
    if (only_counts(says)) return false;
    if (says.sign != nullptr && (says.name != nullptr || says.heading || says.sign == &kSeverities[0])) return true;
    if (says.name == &kSeverities[0]) return says.stands_out() || says.rest.find(':') != std::string::npos;
    return (says.heading && calls_for_action(says)) || says.has("marked for github:");
  }

  // What a person writes into a finding is theirs: only what begins another one is looked for.
  [[nodiscard]] bool in_body(const SpokenLine& says, std::size_t index) const {
    if (says.sign != nullptr && (says.name != nullptr || (says.heading && is_grave(says.sign)))) return true;
    if (says.name == &kSeverities[0] && (says.heading || says.bold)) return true;
    if (says.has("marked for github:") || (names_place(says) && names_value(says))) return true;
    if (!says.heading && !says.bold) return false;
    const Values below = values_below(index);
    return (grades(says) && (below.place || below.value)) || (says.heading && below.place && below.value);
  }

  // A heading as pawl reads one, with the line of its place: nobody writes all of that by chance, and a fence that was
  // not closed takes in whatever follows it.
  [[nodiscard]] bool is_whole(std::size_t index) const {
    const SpokenLine says = spoken_line(lines_[index].words);
    return says.heading && says.sign != nullptr && says.name != nullptr && values_below(index).place;
  }

  struct Values {
    bool place = false, value = false;
  };
  [[nodiscard]] Values values_below(std::size_t index) const {
    constexpr std::size_t kNear = 3;
    Values out;
    for (std::size_t i = index + 1; i < lines_.size() && i <= index + kNear; ++i) {
      const SpokenLine says = spoken_line(lines_[i].words);
      if (lines_[i].place == Place::passed_over || says.heading) break;
      out.place = out.place || (names_place(says) && says.bold);
      out.value = out.value || (names_value(says) && says.bold);
    }
    return out;
  }

  std::vector<Line> lines_;
  std::vector<LookAlike> out_;
  Legend legend_;
};

// Does its heading say something graver than what it is read as?
bool says_graver(std::string_view text, const FindingText& finding) {
  const auto graver = [&](const Severity* one) { return one != nullptr && one < finding.severity; };
  const SpokenLine title = spoken_line(finding.title.of(text));
  const bool named = graver(title.name) && title.rest.substr(title.name->name.size()).starts_with(':');
  return graver(spoken_line(finding.sign.of(text)).sign) || graver(title.sign) || named;
}

std::vector<LookAlike> found_in(std::string_view text, Lines& lines, std::span<const FindingText> findings) {
  LookAlikes out(lines.all());
  for (const FindingText& finding : findings) {
    if (says_graver(text, finding)) out.add(finding.line, Span(finding.begin, finding.heading_end).of(text));
  }
  auto all = out.all();
  std::stable_sort(all.begin(), all.end(), [](const LookAlike& a, const LookAlike& b) { return a.line < b.line; });
  return all;
}

}  // namespace

std::vector<LookAlike> look_alikes(std::string_view state) {
  const auto scanned = scan_state(state);
  if (!scanned) return {};
  Lines lines(state, scanned->front.behind, scanned->front.lines + 1, scanned->findings, scanned->findings_section);
  if (scanned->comments) lines.pass_over(*scanned->comments);
  lines.pass_over(scanned->chunks.header);
  for (const ChunkRow& row : scanned->chunks.rows) lines.pass_over(row.line);
  for (const Span& row : scanned->chunks.other_rows) lines.pass_over(row);
  return found_in(state, lines, scanned->findings);
}

std::vector<LookAlike> look_alikes_in_export(std::string_view text) {
  const auto findings = scan_findings(text, 0);
  if (!findings) return {};
  Lines lines(text, 0, 1, *findings, Span(std::min(text.find('\n'), text.size()), text.size()));
  return found_in(text, lines, *findings);
}

std::string named(const std::vector<LookAlike>& list) {
  const std::size_t more = list.size() - 1;
  return cat("line ", list.front().line, ", “", printable(list.front().text), "”",
             more == 0 ? std::string() : cat(" (and ", more, " more)"));
}

}  // namespace pawl::review

#include "commands/board.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/columns.h"
#include "base/text.h"
#include "commands/board_row.h"
#include "commands/present.h"
#include "engine/left.h"

namespace pawl {
namespace {

constexpr std::size_t kUncut = 2000;
constexpr std::size_t kMostLines = 29;  // a screen, below its prompt
constexpr std::size_t kMostAdvice = 9;  // lines of what to type, so that what runs is still in sight

constexpr std::string_view kAll = "pawl status --all";

// A sentence with a command in it; the command on a line of its own where both do not fit on one.
std::string with_command(std::string_view before, std::string_view between, std::string_view command,
                         std::string_view behind, const TextStyle& style) {
  const std::string whole = cat(before, between, command, behind, "\n");
  if (columns_of(whole) <= style.width) return whole;
  return cat(before, "\n    ", command, "\n");
}

// The order in which rows are given room: the first of each kind before the second of any, so that ten issues that
// failed in one night do not push the loop off the screen that stood still.
std::vector<std::size_t> by_turns(const std::vector<const Json*>& rows) {
  std::set<std::string> kinds;
  std::vector<std::size_t> firsts, others;
  for (std::size_t i = 0; i < rows.size(); ++i)
    (kinds.insert(string_or(*rows[i], "kind")).second ? firsts : others).push_back(i);
  firsts.insert(firsts.end(), others.begin(), others.end());
  return firsts;
}

// One section, in as many rows and lines of what to type as it is given.
class SectionDraft {
 public:
  SectionDraft(const Json& data, const BoardSection& section, const TextStyle& style)
      : section_(section),
        style_(style),
        rows_(board_rows(data, section.stands)),
        turns_(by_turns(rows_)),
        count_(board_count(data, section.stands)),
        all_(data.contains("all")) {
    for (const Json* const row : rows_) advice_.push_back(board_advice(*row, section, style));
    // One more than there is room for is better shown than told of. Of what is not shown there may be no row.
    give(all_ || count_ <= section.most + 1 ? rows_.size() : std::min(rows_.size(), section.most), kMostAdvice);
  }

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // How much of the screen it takes, for how little it matters.
  [[nodiscard]] std::size_t share() const { return shown_.size() * section_.gives_way; }

  // By a line: where all are shown, one that is told of in place of being shown would win none.
  void give_less() {
    const std::size_t fewer = shown_.size() - (shown_.size() == count_ ? 2 : 1);
    give(fewer, std::min(kMostAdvice, fewer + 1));
  }
  [[nodiscard]] bool can_give() const { return shown_.size() > (shown_.size() == count_ ? 2 : 1); }

  // Of all that `text` gives, known without drawing it.
  [[nodiscard]] std::size_t lines() const { return lines_; }

  [[nodiscard]] std::string text() const {
    std::vector<const Json*> seen;
    for (const std::size_t place : shown_) seen.push_back(rows_[place]);
    const BoardWidths width = board_widths(seen, style_);
    std::string out = cat(bold(section_.title, style_), "\n");
    for (const std::size_t place : shown_)
      out += cat(board_row(*rows_[place], section_, width, style_), advised_.contains(place) ? advice_[place] : "");
    return out + rest();
  }

 private:
  void give(std::size_t rows, std::size_t advice_lines) {
    shown_.assign(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(rows));
    advised_.clear();
    advice_left_out_ = false;
    std::size_t lines = 0;
    for (const std::size_t place : shown_) {
      const std::size_t more = lines_in(advice_[place]);
      if (all_ || lines == 0 || lines + more <= advice_lines) {
        advised_.insert(place);
        lines += more;
      } else {
        advice_left_out_ = advice_left_out_ || more > 0;
      }
    }
    std::sort(shown_.begin(), shown_.end());
    lines_ = 1 + shown_.size() * board_row_lines(style_) + lines + lines_in(rest());
  }

  static std::size_t lines_in(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  [[nodiscard]] std::string rest() const {
    if (shown_.size() < count_)
      return with_command(cat("  and ", count_ - shown_.size(), " more"), ": ", kAll, "", style_);
    return advice_left_out_ ? with_command("  what to type for each", ": ", kAll, "", style_) : std::string();
  }

  const BoardSection& section_;
  const TextStyle& style_;
  std::vector<const Json*> rows_;
  std::vector<std::size_t> turns_;
  std::vector<std::string> advice_;
  std::size_t count_;
  bool all_;
  std::vector<std::size_t> shown_;
  std::set<std::size_t> advised_;
  bool advice_left_out_ = false;
  std::size_t lines_ = 0;
};

// Makes them fit in so many lines, with those between them, as far as each keeps a row. What has most gives way, and
// what is next or waits before what needs somebody or runs.
void shrink(std::vector<SectionDraft>& sections, std::size_t room) {
  while (true) {
    std::size_t lines = sections.size() - 1;
    SectionDraft* largest = nullptr;
    for (SectionDraft& one : sections) {
      lines += one.lines();
      if (one.can_give() && (largest == nullptr || one.share() >= largest->share())) largest = &one;
    }
    if (lines <= room || largest == nullptr) return;
    largest->give_less();
  }
}

}  // namespace

std::string board_progress(const Json& data, const TextStyle& style) {
  std::string out;
  std::size_t widest = 0;
  for (const Json& row : data["progress"]) widest = std::max(widest, string_or(row, "kind").size());
  for (const Json& row : data["progress"]) {
    const std::int64_t ended = integer_or(row, "ended"), of = integer_or(row, "of");
    const std::string words = cat(ended, " of ", of, " done");
    const std::size_t taken = 2 + widest + 2 + 2 + words.size();
    const std::size_t room = style.width > taken + 4 ? std::min<std::size_t>(style.width - taken, 40) : 0;
    out += cat("  ", padded(string_or(row, "kind"), widest), "  ",
               room == 0 ? std::string() : cat(board_bar(ended, of, room, style), "  "), words, "\n");
  }
  return out.empty() ? out : cat(bold("Progress", style), "\n", out);
}

std::size_t most_shown(std::string_view stands) {
  for (const BoardSection& section : kBoardSections) {
    if (section.stands == stands) return section.most + 1;
  }
  return SIZE_MAX;
}

namespace {

// Behind the sections: how far all is, and what there is besides.
std::string below(const Json& data, const TextStyle& style) {
  std::string out;
  if (const std::string progress = board_progress(data, style); !progress.empty()) out += cat("\n", progress);
  if (const auto all = board_rows(data, "ended"); !all.empty()) {
    const BoardSection section{"ended", "Done", ' ', "", all.size(), 1};
    out += cat("\n", SectionDraft(data, section, style).text());
  }
  if (const std::int64_t ended = integer_or(data, "ended"); ended > 0)
    out += with_command(ended == 1 ? "1 is done" : cat(ended, " are done"), "; ", kAll,
                        ended == 1 ? " shows it" : " shows them", style);
  return cat(out, board_notice(data, style));
}

}  // namespace

std::string board(const Json& data, const TextStyle& wanted) {
  // What goes to another program is not cut.
  TextStyle style = wanted;
  if (!style.terminal) style.width = kUncut;
  std::vector<SectionDraft> sections;
  for (const BoardSection& section : kBoardSections) {
    if (SectionDraft draft(data, section, style); !draft.empty()) sections.push_back(std::move(draft));
  }
  const std::string behind = below(data, style);
  if (sections.empty()) return cat("nothing is under way\n", behind);
  const auto taken = static_cast<std::size_t>(std::count(behind.begin(), behind.end(), '\n'));
  if (!data.contains("all")) shrink(sections, kMostLines - std::min(taken, kMostLines));
  std::string out;
  for (const SectionDraft& one : sections) out += cat(out.empty() ? "" : "\n", one.text());
  return out + behind;
}

std::string board_notice(const Json& data, const TextStyle& style) {
  if (data.contains("left_at")) {
    const LeftMark left{parse_iso_time(string_or(data, "left_at")).value_or(0), {}};
    return with_command(cat(left_in_words(left, style.now_ms), ", and guards nothing"), "; ", "pawl init",
                        " comes back", style);
  }
  if (data["recorded"] != false) return {};
  return with_command("pawl keeps no history here yet", ": ", "pawl init", " starts it", style);
}

std::string board_line(const Json& data) {
  std::string out;
  const auto add = [&](std::string_view stands, std::string_view words) {
    if (const std::size_t count = board_count(data, stands); count > 0)
      out += cat(out.empty() ? "" : ", ", count, " ", words);
  };
  const bool one = board_count(data, "needs_person") == 1;
  add("needs_person", one ? "needs you" : "need you");
  add("running", "running");
  add("next", "next");
  add("waiting", "waiting");
  return cat(out.empty() ? "nothing under way" : out, "\n");
}

}  // namespace pawl

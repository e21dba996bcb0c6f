#include "verbs/board.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/columns.h"
#include "base/text.h"
#include "engine/left.h"
#include "verbs/board_row.h"
#include "verbs/present.h"

namespace pawl {
namespace {

constexpr std::size_t kUncut = 2000;

constexpr std::string_view kAll = "pawl status --all";

consteval std::array<std::size_t, kBoardSections.size()> most_of_each() {
  std::array<std::size_t, kBoardSections.size()> most{};
  for (std::size_t i = 0; i < most.size(); ++i) most[i] = kBoardSections[i].most;
  return most;
}

// A board is one screen: the largest of these that has no more lines than fit below a prompt is drawn. What to type
// stands with the first of those that need somebody, the newest, so that what runs is still in sight.
constexpr std::size_t kMostLines = 29;
struct BoardSize {
  std::array<std::size_t, kBoardSections.size()> rows;  // of each section
  std::size_t advice;                                   // lines of what to type
};
constexpr std::array kSizes = {
    BoardSize{most_of_each(), 9}, BoardSize{{8, 7, 3, 3}, 9}, BoardSize{{7, 6, 3, 2}, 8}, BoardSize{{6, 5, 3, 2}, 6},
    BoardSize{{5, 4, 2, 2}, 5},   BoardSize{{4, 3, 2, 1}, 4}, BoardSize{{3, 3, 2, 1}, 3},
};

// A sentence with a command in it; the command on a line of its own where both do not fit on one.
std::string with_command(std::string_view before, std::string_view between, std::string_view command,
                         std::string_view behind, const TextStyle& style) {
  const std::string whole = cat(before, between, command, behind, "\n");
  if (columns_of(whole) <= style.width) return whole;
  return cat(before, "\n    ", command, "\n");
}

std::string section_text(const Json& data, const BoardSection& section, std::size_t most, std::size_t advice_lines,
                         const TextStyle& style) {
  const auto rows = board_rows(data, section.stands);
  if (rows.empty()) return {};
  // One more than there is room for is better shown than told of. Of what is not shown there may be no row.
  const std::size_t count = board_count(data, section.stands);
  const bool all = data.contains("all") || count <= most + 1;
  const std::size_t shown = all ? rows.size() : std::min(rows.size(), most);
  const std::vector<const Json*> seen(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown));
  const BoardWidths width = board_widths(seen, style);
  std::string out = cat(bold(section.title, style), "\n");
  std::size_t lines = 0;
  bool left_out = false;
  for (const Json* row : seen) {
    out += board_row(*row, section, width, style);
    const std::string advice = board_advice(*row, section, style);
    const auto more = static_cast<std::size_t>(std::count(advice.begin(), advice.end(), '\n'));
    const bool fits = data.contains("all") || lines == 0 || lines + more <= advice_lines;
    left_out = left_out || (!fits && !advice.empty());
    if (!fits) continue;
    out += advice;
    lines += more;
  }
  if (shown < count)
    out += with_command(cat("  and ", count - shown, " more"), ": ", kAll, "", style);
  else if (left_out)
    out += with_command("  what to type for each", ": ", kAll, "", style);
  return out;
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

std::string board_of_size(const Json& data, const BoardSize& size, const TextStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < kBoardSections.size(); ++i) {
    const std::string text = section_text(data, kBoardSections[i], size.rows[i], size.advice, style);
    if (!text.empty()) out += cat(out.empty() ? "" : "\n", text);
  }
  if (out.empty()) out = "nothing is under way\n";
  if (const std::string progress = board_progress(data, style); !progress.empty()) out += cat("\n", progress);
  if (const auto all = board_rows(data, "ended"); !all.empty()) {
    const BoardSection section{"ended", "Done", ' ', "", all.size()};
    out += cat("\n", section_text(data, section, section.most, size.advice, style));
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
  std::string out;
  for (const BoardSize& size : kSizes) {
    out = board_of_size(data, size, style);
    if (data.contains("all") || std::cmp_less_equal(std::count(out.begin(), out.end(), '\n'), kMostLines)) break;
  }
  return out;
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

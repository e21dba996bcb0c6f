// The board in a terminal of few lines. What needs somebody stands first, but does not push all that runs off the
// screen: each section keeps its first line, and what room is left goes around; then to what to type about the others,
// and to how far all is.
#include <algorithm>
#include <vector>

#include "base/ascii_text.h"
#include "base/fold.h"
#include "base/text.h"
#include "commands/board.h"
#include "commands/board_row.h"
#include "commands/present.h"

namespace pawl {
namespace {

struct SmallPart {
  std::string text;
  bool is_row = true;       // else what to type about the first
  std::string advice = {};  // what to type about a later one
  bool advised = false;     // and it is shown
};

struct SmallSection {
  const BoardSection* section = nullptr;
  std::vector<SmallPart> parts;
  std::size_t count = 0;  // of what stands there, shown or not
  std::size_t shown = 0;  // parts
  bool full = false;      // the next part does not fit
};

std::vector<SmallSection> small_sections(const Json& data, const TextStyle& style) {
  std::vector<SmallSection> out;
  for (const BoardSection& section : kBoardSections) {
    const auto rows = board_rows(data, section.stands);
    if (rows.empty()) continue;
    SmallSection one{&section, {}, board_count(data, section.stands), 0, false};
    const BoardWidths width = board_widths(rows, style);
    for (const Json* const row : rows) {
      std::string advice = board_advice(*row, section, style);
      const bool first = row == rows.front();
      one.parts.push_back({board_row(*row, section, width, style), true, first ? std::string() : advice});
      if (first && !advice.empty()) one.parts.push_back({std::move(advice), false});
    }
    out.push_back(std::move(one));
  }
  return out;
}

// Those of which nothing is shown are counted in the last line.
std::string small_text(const std::vector<SmallSection>& sections, const std::string& behind, const TextStyle& style) {
  std::string out, others;
  for (const SmallSection& one : sections) {
    if (one.shown == 0) {
      others += cat(others.empty() ? "… " : ", ", one.count, " ", one.section->stands);
      continue;
    }
    std::size_t rows = 0;
    std::string lines;
    for (std::size_t i = 0; i < one.shown; ++i) {
      lines += cat(one.parts[i].text, one.parts[i].advised ? one.parts[i].advice : std::string());
      rows += one.parts[i].is_row ? 1 : 0;
    }
    const std::string more = rows < one.count ? faint(cat(" (and ", one.count - rows, " more)"), style) : "";
    out += cat(bold(one.section->title, style), more, "\n", lines);
  }
  if (!others.empty()) out += cat(faint(others, style), "\n");
  return cat(out, behind);
}

std::string small_drawn(const std::string& text, const TextStyle& style) {
  return folded(style.unicode ? text : in_ascii(text), style.width);
}

bool small_fits(const std::string& drawn, std::size_t room, const TextStyle& style) {
  std::size_t rows = 0;
  for (const std::string_view line : split(drawn, '\n')) rows += rows_of(line, style.width);
  return rows - 1 <= room;  // behind the last newline there is nothing
}

}  // namespace

std::string board_within(const Json& data, const TextStyle& style, std::size_t room) {
  const std::string whole = small_drawn(board(data, style), style);
  if (small_fits(whole, room, style)) return whole;
  auto sections = small_sections(data, style);
  std::string progress, notice;
  const auto drawn = [&] { return small_drawn(small_text(sections, cat(progress, notice), style), style); };
  const auto fits = [&] { return small_fits(drawn(), room, style); };
  const auto take = [&](SmallSection& one) {
    ++one.shown;
    if (fits()) return true;
    --one.shown;
    return !(one.full = true);
  };
  for (SmallSection& one : sections) {
    if (!take(one)) break;
  }
  if (sections.empty() || sections.front().shown == 0) return whole;  // not even that: its beginning is better
  notice = board_notice(data, style);
  if (!fits()) notice.clear();
  for (bool taken = true; taken;) {
    taken = false;
    for (SmallSection& one : sections) {
      if (one.shown > 0 && one.shown < one.parts.size() && !one.full) taken = take(one) || taken;
    }
  }
  for (SmallSection& one : sections) {
    for (std::size_t i = 0; i < one.shown; ++i) {
      SmallPart& part = one.parts[i];
      part.advised = !part.advice.empty();
      if (fits()) continue;
      part.advised = false;
      break;  // those below it do not go before
    }
  }
  progress = board_progress(data, style);
  if (!fits()) progress.clear();
  return drawn();
}

}  // namespace pawl

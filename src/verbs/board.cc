#include "verbs/board.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/clock.h"
#include "base/columns.h"
#include "base/text.h"
#include "engine/left.h"
#include "verbs/present.h"

namespace pawl {
namespace {

struct Section {
  std::string_view stands;  // as the answer calls it
  std::string_view title;
  char mark;
  std::string_view color;  // says again what mark and title say
  std::size_t most;        // lines
};
constexpr std::array kSections = {
    Section{"needs_person", "Needs you", '!', "\x1b[31m", 8},
    Section{"running", "Running", '>', "\x1b[32m", 7},
    Section{"next", "Next", ' ', "", 5},
    Section{"waiting", "Waiting", ' ', "", 3},
};

constexpr std::size_t kNarrow = 50;  // below it the words go under the name
constexpr std::size_t kUncut = 2000;
constexpr std::size_t kLongestHeadline = 120;
constexpr std::size_t kBar = 10;

std::vector<const Json*> rows_of(const Json& data, std::string_view stands) {
  std::vector<const Json*> rows;
  for (const Json& row : data["work"]) {
    if (string_or(row, "stands") == stands) rows.push_back(&row);
  }
  return rows;
}

std::size_t count_of(const Json& data, std::string_view stands) {
  return static_cast<std::size_t>(integer_or(data["count"], stands));
}

std::string bar(std::int64_t done, std::int64_t of, std::size_t width, const TextStyle& style) {
  const auto filled = static_cast<std::size_t>(
      std::clamp<double>(static_cast<double>(done) / static_cast<double>(of), 0, 1) * static_cast<double>(width));
  std::string out;
  for (std::size_t i = 0; i < width; ++i) out += style.unicode ? (i < filled ? "█" : "░") : (i < filled ? "#" : "-");
  return out;
}

std::string colored(std::string_view text, std::string_view color, const TextStyle& style) {
  return style.color && !color.empty() ? cat(color, text, "\x1b[0m") : std::string(text);
}

std::string name_of(const Json& row) { return printable(string_or(row, "name", string_or(row, "ref"))); }

std::string status_of(const Json& row) { return row.contains("held") ? "held" : string_or(row, "status"); }

// What is said of a row behind its name and status.
std::string told(const Json& row, const TextStyle& style) {
  std::string out;
  const auto add = [&](std::string_view part) {
    if (!part.empty()) out += cat(out.empty() ? "" : "  ", part);
  };
  const std::string why = string_or(row, "why"), headline = string_or(row, "headline");
  if (const std::int64_t of = integer_or(row, "of"); of > 0) {
    const std::string numbers = cat(integer_or(row, "done"), "/", of);
    const bool said = headline.find(numbers) != std::string::npos;
    add(cat(bar(integer_or(row, "done"), of, kBar, style), said ? "" : cat(" ", numbers)));
  }
  add(printable(why));
  if (row.contains("unverified") && string_or(row, "stands") == "ended") add("unverified");
  // Somebody's whole prompt may stand here; --json has all of it.
  if (why.empty() || headline.find(why) == std::string::npos)
    add(fitted(printable(headline), kLongestHeadline, style.unicode));
  if (const std::string worker = string_or(row, "worker"); !worker.empty()) add(cat("by ", printable(worker)));
  if (row.contains("recorded")) add("(not recorded)");
  return out;
}

struct Widths {
  std::size_t ref = 0, status = 0, age = 0;
};

// How long ago something last happened to it; "" where nobody knows.
std::string age_in(const Json& row, const TextStyle& style) {
  const auto since = parse_iso_time(string_or(row, "since"));
  return since ? age_of(*since, style.now_ms) : std::string();
}

Widths widths(const std::vector<const Json*>& rows, const TextStyle& style) {
  Widths out;
  for (const Json* row : rows) {
    out.ref = std::max(out.ref, columns_of(name_of(*row)));
    out.status = std::max(out.status, columns_of(printable(status_of(*row))));
    out.age = std::max(out.age, columns_of(age_in(*row, style)));
  }
  out.ref = std::min(out.ref, style.width / 3);
  out.status = std::min<std::size_t>(out.status, 12);
  return out;
}

bool is_path(const Json& row) {
  const std::string kind = string_or(row, "kind");
  return kind == "file" || kind == "refused" || kind == "damaged";
}

// Files of one folder differ at their end: that is what stays.
std::string fitted_path(const std::string& path, std::size_t width, bool unicode) {
  if (columns_of(path) <= width) return path;
  const std::string dots = unicode ? "…" : "...";
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    if (columns_of(std::string_view(path).substr(at)) + columns_of(dots) <= width) return cat(dots, path.substr(at));
  }
  return path.substr(path.rfind('/') + 1);
}

// As much of a name as fits: of "review/octo/cat#7" the number tells which it is, and goes last.
std::string fitted_name(const Json& row, std::size_t width, bool unicode) {
  const std::string name = name_of(row);
  if (is_path(row)) return fitted(fitted_path(name, width, unicode), width, unicode);
  const std::size_t number = name.rfind('#');
  if (columns_of(name) <= width || number == std::string::npos) return fitted(name, width, unicode);
  const std::string_view behind = std::string_view(name).substr(number);
  const std::size_t taken = columns_of(behind);
  constexpr std::size_t kLeast = 4;  // of what is before it, or it tells nothing
  if (taken + kLeast > width) return fitted(name, width, unicode);
  return cat(fitted(std::string_view(name).substr(0, number), width - taken, unicode), behind);
}

std::string line_of(const Json& row, const Section& section, const Widths& width, const TextStyle& style) {
  const std::string mark = colored(std::string(1, section.mark), section.color, style);
  const std::string words = told(row, style);
  if (style.width < kNarrow) {
    const std::size_t room = style.width - std::min<std::size_t>(style.width, 2);
    std::string out = cat(mark, " ", bold(fitted_name(row, room, style.unicode), style), "\n");
    out +=
        cat("  ", fitted(cat(printable(status_of(row)), words.empty() ? "" : ": ", words), room, style.unicode), "\n");
    return out;
  }
  std::string out =
      cat(mark, " ", bold(padded(fitted_name(row, width.ref, style.unicode), width.ref, style.unicode), style), "  ",
          padded(printable(status_of(row)), width.status, style.unicode));
  std::size_t used = 2 + width.ref + 2 + width.status;
  if (width.age > 0) {
    out += cat("  ", faint(padded(age_in(row, style), width.age), style));
    used += 2 + width.age;
  }
  if (!words.empty() && used + 2 < style.width) out += cat("  ", fitted(words, style.width - used - 2, style.unicode));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out + "\n";
}

// A line for each thing to type, with what it does behind a #, so that it can be pasted. It is not cut: half a command
// can not be typed; where there is no room, what it does is left out.
std::string advice_lines(std::string_view advice, const TextStyle& style) {
  if (advice.empty()) return {};
  if (const std::size_t end = advice.find('\n'); end != std::string_view::npos)
    return cat(advice_lines(advice.substr(0, end), style), advice_lines(advice.substr(end + 1), style));
  const std::size_t room = style.width - std::min<std::size_t>(style.width, 4);
  // What it does is told where there is room for it.
  if (const std::size_t comment = advice.find("  # ");
      comment != std::string_view::npos && columns_of(printable(advice)) > room)
    advice = advice.substr(0, comment);
  const auto line = [&](std::string_view text) { return cat("    ", faint(printable(text), style), "\n"); };
  const std::size_t between = columns_of(printable(advice)) <= room ? std::string_view::npos : advice.find("; ");
  if (between == std::string_view::npos) return line(advice);
  return cat(line(advice.substr(0, between)), line(advice.substr(between + 2)));
}

constexpr std::string_view kAll = "pawl status --all";

// What to type stands with the first of those that need somebody, the newest, so that what runs is still in sight.
constexpr std::size_t kAdviceLines = 9;

// A sentence with a command in it; the command on a line of its own where both do not fit on one.
std::string with_command(std::string_view before, std::string_view between, std::string_view command,
                         std::string_view behind, const TextStyle& style) {
  const std::string whole = cat(before, between, command, behind, "\n");
  if (columns_of(whole) <= style.width) return whole;
  return cat(before, "\n    ", command, "\n");
}

std::string section_text(const Json& data, const Section& section, const TextStyle& style) {
  const auto rows = rows_of(data, section.stands);
  if (rows.empty()) return {};
  // One more than there is room for is better shown than told of. Of what is not shown there may be no row.
  const std::size_t count = count_of(data, section.stands);
  const bool all = data.contains("all") || count <= section.most + 1;
  const std::size_t shown = all ? rows.size() : std::min(rows.size(), section.most);
  const std::vector<const Json*> seen(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown));
  const Widths width = widths(seen, style);
  std::string out = cat(bold(section.title, style), "\n");
  std::size_t lines = 0;
  bool left_out = false;
  for (const Json* row : seen) {
    out += line_of(*row, section, width, style);
    // (Only those have any that somebody is to type something about.)
    if (section.mark != '!' && section.stands != "waiting" && !row->contains("unverified")) continue;
    const std::string advice = advice_lines(string_or(*row, "advice"), style);
    const auto more = static_cast<std::size_t>(std::count(advice.begin(), advice.end(), '\n'));
    const bool fits = data.contains("all") || lines == 0 || lines + more <= kAdviceLines;
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

std::string progress_text(const Json& data, const TextStyle& style) {
  std::string out;
  std::size_t widest = 0;
  for (const Json& row : data["progress"]) widest = std::max(widest, string_or(row, "kind").size());
  for (const Json& row : data["progress"]) {
    const std::int64_t ended = integer_or(row, "ended"), of = integer_or(row, "of");
    const std::string words = cat(ended, " of ", of, " done");
    const std::size_t taken = 2 + widest + 2 + 2 + words.size();
    const std::size_t room = style.width > taken + 4 ? std::min<std::size_t>(style.width - taken, 40) : 0;
    out += cat("  ", padded(string_or(row, "kind"), widest), "  ",
               room == 0 ? std::string() : cat(bar(ended, of, room, style), "  "), words, "\n");
  }
  return out.empty() ? out : cat(bold("Progress", style), "\n", out);
}

}  // namespace

std::size_t most_shown(std::string_view stands) {
  for (const Section& section : kSections) {
    if (section.stands == stands) return section.most + 1;
  }
  return SIZE_MAX;
}

std::string board(const Json& data, const TextStyle& wanted) {
  // What goes to another program is not cut.
  TextStyle style = wanted;
  if (!style.terminal) style.width = kUncut;
  std::string out;
  for (const Section& section : kSections) {
    const std::string text = section_text(data, section, style);
    if (!text.empty()) out += cat(out.empty() ? "" : "\n", text);
  }
  if (out.empty()) out = "nothing is under way\n";
  if (const std::string progress = progress_text(data, style); !progress.empty()) out += cat("\n", progress);
  if (const auto all = rows_of(data, "ended"); !all.empty()) {
    const Section section{"ended", "Done", ' ', "", all.size()};
    out += cat("\n", section_text(data, section, style));
  }
  if (const std::int64_t ended = integer_or(data, "ended"); ended > 0)
    out += with_command(ended == 1 ? "1 is done" : cat(ended, " are done"), "; ", kAll,
                        ended == 1 ? " shows it" : " shows them", style);
  if (data.contains("left_at")) {
    const LeftMark left{parse_iso_time(string_or(data, "left_at")).value_or(0), {}};
    out += with_command(cat(left_in_words(left, style.now_ms), ", and guards nothing"), "; ", "pawl init",
                        " comes back", style);
  } else if (data["recorded"] == false) {
    out += with_command("pawl keeps no history here yet", ": ", "pawl init", " starts it", style);
  }
  return out;
}

std::string board_line(const Json& data) {
  std::string out;
  const auto add = [&](std::string_view stands, std::string_view words) {
    if (const std::size_t count = count_of(data, stands); count > 0)
      out += cat(out.empty() ? "" : ", ", count, " ", words);
  };
  const bool one = count_of(data, "needs_person") == 1;
  add("needs_person", one ? "needs you" : "need you");
  add("running", "running");
  add("next", "next");
  add("waiting", "waiting");
  return cat(out.empty() ? "nothing under way" : out, "\n");
}

}  // namespace pawl

#include "commands/board_row.h"

#include <algorithm>

#include "base/clock.h"
#include "base/columns.h"
#include "base/local_time.h"
#include "base/text.h"
#include "commands/present.h"

namespace pawl {
namespace {

constexpr std::size_t kNarrow = 50;  // below it the words go under the name
constexpr std::size_t kLongestHeadline = 120;
constexpr std::size_t kBar = 10;

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
    add(cat(board_bar(integer_or(row, "done"), of, kBar, style), said ? "" : cat(" ", numbers)));
  }
  add(printable(why));
  if (row.contains("unverified") && string_or(row, "stands") == "ended") add("unverified");
  // Somebody's whole prompt may stand here; --json has all of it.
  if (why.empty() || headline.find(why) == std::string::npos)
    add(fitted(printable(headline), kLongestHeadline, style.unicode));
  if (const auto until = parse_iso_time(string_or(row, "until"))) add(cat("again from ", local_time(*until)));
  if (const std::string worker = string_or(row, "worker"); !worker.empty()) add(cat("by ", printable(worker)));
  if (row.contains("recorded")) add("(not recorded)");
  return out;
}

// How long ago something last happened to it; "" where nobody knows.
std::string age_in(const Json& row, const TextStyle& style) {
  const auto since = parse_iso_time(string_or(row, "since"));
  return since ? age_of(*since, style.now_ms) : std::string();
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

// A line for each thing to type, with what it does behind a #, so that it can be pasted. It is not cut: half a command
// cannot be typed; where there is no room, what it does is left out.
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
  const std::string_view no_command = advice.starts_with("# ") ? "# " : "";
  return cat(line(advice.substr(0, between)), line(cat(no_command, advice.substr(between + 2))));
}

}  // namespace

std::vector<const Json*> board_rows(const Json& data, std::string_view stands) {
  std::vector<const Json*> rows;
  for (const Json& row : data["work"]) {
    if (string_or(row, "stands") == stands) rows.push_back(&row);
  }
  return rows;
}

std::size_t board_count(const Json& data, std::string_view stands) {
  return static_cast<std::size_t>(integer_or(data["count"], stands));
}

std::string board_bar(std::int64_t done, std::int64_t of, std::size_t width, const TextStyle& style) {
  const auto filled = static_cast<std::size_t>(
      std::clamp<double>(static_cast<double>(done) / static_cast<double>(of), 0, 1) * static_cast<double>(width));
  std::string out;
  for (std::size_t i = 0; i < width; ++i) out += style.unicode ? (i < filled ? "█" : "░") : (i < filled ? "#" : "-");
  return out;
}

BoardWidths board_widths(const std::vector<const Json*>& rows, const TextStyle& style) {
  BoardWidths out;
  for (const Json* row : rows) {
    out.ref = std::max(out.ref, columns_of(name_of(*row)));
    out.status = std::max(out.status, columns_of(printable(status_of(*row))));
    out.age = std::max(out.age, columns_of(age_in(*row, style)));
  }
  out.ref = std::min(out.ref, style.width / 3);
  out.status = std::min<std::size_t>(out.status, 12);
  return out;
}

std::size_t board_row_lines(const TextStyle& style) { return style.width < kNarrow ? 2 : 1; }

std::string board_row(const Json& row, const BoardSection& section, const BoardWidths& width, const TextStyle& style) {
  const std::string mark = colored(std::string(1, section.mark), section.color, style);
  const std::string words = told(row, style);
  if (board_row_lines(style) == 2) {
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

std::string board_advice(const Json& row, const BoardSection& section, const TextStyle& style) {
  if (section.mark != '!' && section.stands != "waiting" && !row.contains("unverified")) return {};
  return advice_lines(string_or(row, "advice"), style);
}

}  // namespace pawl

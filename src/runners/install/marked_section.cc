#include "runners/install/marked_section.h"

#include <vector>

#include "base/markdown.h"
#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::string_view kBegin = "<!-- pawl: kept by `pawl init --agents`; what you write here is replaced -->";
constexpr std::string_view kEnd = "<!-- pawl: end -->";

struct Span {
  std::size_t from, to;  // both marks included, and the newline of the second
};

struct Mark {
  bool begins;
  std::size_t at, next;
  int fence;  // which one it stands in; 0: none, or one that is never closed, and so hides nothing
};

// Marks are whole lines. The first is known by its beginning, as its words may have been others before.
std::vector<Mark> all_marks(std::string_view text) {
  using markdown::MarkdownLine;
  std::vector<Mark> marks;
  markdown::MarkdownReader reader(text);
  int fences = 0, open = 0;
  for (MarkdownLine line; reader.next(line);) {
    if (line.kind == MarkdownLine::Kind::fence_opens) open = ++fences;
    if (line.kind == MarkdownLine::Kind::fence_closes) open = 0;
    std::string_view words = line.span.of(text);
    while (words.ends_with('\r')) words.remove_suffix(1);
    const bool begins = words.starts_with("<!-- pawl: kept by ") && words.ends_with("-->");
    if (begins || words == kEnd) marks.push_back({begins, line.span.begin, line.next, open});
  }
  for (Mark& mark : marks) {
    if (open != 0 && mark.fence == open) mark.fence = 0;
  }
  return marks;
}

// Those of a section. In fenced code they show what one looks like; but where the fence ends in between, it was left
// open above the section, or in it, and they count.
std::vector<Mark> marks_in(std::string_view text) {
  const std::vector<Mark> all = all_marks(text);
  std::vector<Mark> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Mark& mark = all[i];
    const bool apart = mark.begins ? i + 1 < all.size() && !all[i + 1].begins && all[i + 1].fence != mark.fence
                                   : !out.empty() && out.back().begins && out.back().fence != mark.fence;
    if (mark.fence == 0 || apart) out.push_back(mark);
  }
  return out;
}

Result<std::optional<Span>> find(std::string_view text) {
  const std::vector<Mark> marks = marks_in(text);
  if (marks.empty()) return std::nullopt;
  if (marks.size() != 2 || !marks[0].begins || marks[1].begins)
    return fail(ErrorCode::corruption, "the lines that mark pawl's section are not one pair",
                cat("leave one “", kBegin, "” and below it one “", kEnd, "”, or neither"));
  return Span{marks[0].at, marks[1].next};
}

// As the page ends its first line, so does pawl end those of its section.
std::string_view line_end_in(std::string_view text) {
  const std::size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += line_end;
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  return text;
}

// How many line ends set a section off from the text above it.
std::size_t gap_below(std::string_view text) {
  const std::string_view end = line_end_in(text);
  return text.empty() || text.ends_with(cat(end, end)) ? 0 : text.ends_with('\n') ? 1 : 2;
}

}  // namespace

Result<std::string> with_section(std::string_view text, std::string_view section) {
  PAWL_ASSIGN(const auto there, find(text));
  // One that is there already keeps its own: its page may end some lines so and some otherwise.
  const std::string_view end = line_end_in(there ? text.substr(there->from) : text);
  const std::string marked = with_line_ends(cat(kBegin, "\n", section, kEnd, "\n"), end);
  if (there) return cat(text.substr(0, there->from), marked, text.substr(there->to));
  std::string out(text);
  for (std::size_t gap = gap_below(text); gap > 0; --gap) out += end;
  return out + marked;
}

Result<std::optional<std::string>> without_section(std::string_view text, const std::optional<std::string>& before) {
  PAWL_ASSIGN(const auto there, find(text));
  if (!there) return std::string(text);
  std::string_view above = text.substr(0, there->from);
  const std::string_view below = text.substr(there->to);
  std::size_t gap = before ? gap_below(*before) : below.empty() ? 1 : 0;
  if (!below.empty() && gap == 2) gap = 1;  // what somebody wrote below it is no part of the line above
  // As it was set off: a carriage return before that may be the end of the user's own line.
  const std::string_view end = line_end_in(text.substr(there->from));
  if (without_line_end(above).ends_with('\n')) {
    for (; gap > 0; --gap) above = above.ends_with(end) ? above.substr(0, above.size() - end.size()) : above;
  }
  std::string rest = cat(above, below);
  if (!before && trim(rest).empty()) return std::nullopt;
  return rest;
}

bool begins_section(std::string_view text) {
  for (const Mark& mark : marks_in(text)) {
    if (mark.begins) return true;
  }
  return false;
}

}  // namespace pawl::install

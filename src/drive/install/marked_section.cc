#include "drive/install/marked_section.h"

#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::string_view kBegin = "<!-- pawl: kept by `pawl init --agents`; what you write here is replaced -->";
constexpr std::string_view kEnd = "<!-- pawl: end -->";

struct Span {
  std::size_t from, to;  // both marks included, and the newline of the second
};

// Marks are whole lines. The first is known by its beginning, as its words may have been others before.
Result<std::optional<Span>> find(std::string_view text) {
  std::optional<std::size_t> from, to;
  bool twice = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t next = newline == std::string_view::npos ? text.size() : newline + 1;
    std::string_view line = text.substr(at, next - at);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (line == kEnd) {
      twice = twice || to;
      to = next;
    } else if (line.starts_with("<!-- pawl: kept by ") && line.ends_with("-->")) {
      twice = twice || from;
      from = at;
    }
    at = next;
  }
  if (!from && !to) return std::nullopt;
  if (twice || !from || !to || *to < *from)
    return fail(ErrorCode::corruption, "the lines that mark pawl's section are not one pair",
                cat("leave one “", kBegin, "” and below it one “", kEnd, "”, or neither"));
  return Span{*from, *to};
}

}  // namespace

Result<std::string> with_section(std::string_view text, std::string_view section) {
  PAWL_ASSIGN(const auto there, find(text));
  const std::string marked = cat(kBegin, "\n", section, kEnd, "\n");
  if (there) return cat(text.substr(0, there->from), marked, text.substr(there->to));
  const std::string_view gap = text.empty() ? "" : text.ends_with("\n\n") ? "" : text.ends_with('\n') ? "\n" : "\n\n";
  return cat(text, gap, marked);
}

Result<std::optional<std::string>> without_section(std::string_view text) {
  PAWL_ASSIGN(const auto there, find(text));
  if (!there) return std::string(text);
  std::string_view before = text.substr(0, there->from);
  const std::string_view after = text.substr(there->to);
  // The empty line that set it off.
  if (after.empty() && before.ends_with("\n\n")) before.remove_suffix(1);
  std::string rest = cat(before, after);
  if (trim(rest).empty()) return std::nullopt;
  return rest;
}

}  // namespace pawl::install

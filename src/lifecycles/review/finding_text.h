// One finding as it stands in a file: where each of its values is, and how one is written.
//
//   ### 🔴 Action Required Unchecked null dereference
//
//   **File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** 95/100
//   **Marked for GitHub:** true
//
//   The text, with fences, tables, headings and comments of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "lifecycles/review/markdown.h"
#include "lifecycles/review/severity.h"

namespace pawl::review {

// "core/engine.ts:42-45"
struct Location {
  std::string file;
  std::int64_t line = 0;      // 0: none
  std::int64_t end_line = 0;  // 0: one line

  [[nodiscard]] std::string text() const;
  friend bool operator==(const Location&, const Location&) = default;
};
[[nodiscard]] Location location_in(std::string_view text);

// What the file says; the spans are of the whole file. An empty optional: the value is not there.
struct FindingText {
  const Severity* severity = nullptr;
  Span sign, name;
  std::string_view id;  // "H1" where the heading has one
  Span title;
  std::optional<Span> location;  // with its backticks
  std::string_view location_text;
  std::optional<Span> category, confidence, marked, outdated;
  std::optional<std::int32_t> confidence_value;
  std::uint32_t heading_end = 0;           // behind the heading's line
  std::optional<std::uint32_t> meta_end;   // behind the last line of values, without its line end
  std::optional<std::uint32_t> first_end;  // behind the first of them
  Span body;                               // trimmed; empty where there is none
  std::uint32_t begin = 0, end = 0;        // the block: heading to the last line of its text
  std::optional<Span> separator;           // the line `---` behind it, with its line end
  std::uint32_t line = 0;                  // of the heading, for messages
};

// Does this line begin a finding? Fills what the heading says. `line` is a span of `text`.
[[nodiscard]] bool read_finding_heading(std::string_view text, Span line, FindingText& out);
// A line behind the heading, before any other text: is it one of values? `wrong` then says which of them cannot be.
[[nodiscard]] bool read_finding_values(std::string_view text, Span line, FindingText& out, std::string& wrong);

// A record's document, and whether it is marked: what the text says.
[[nodiscard]] Json finding_doc(std::string_view text, const FindingText& finding);
[[nodiscard]] bool is_marked(std::string_view text, const FindingText& finding, std::string_view focus, bool self);

// What a new finding begins as, by its confidence and severity.
[[nodiscard]] bool marked_at_first(std::string_view severity, std::optional<std::int64_t> confidence, bool self);
[[nodiscard]] bool in_focus(std::string_view category, std::string_view focus);

enum class Marks { shown, left_out };
// Without a newline at the end.
[[nodiscard]] std::string write_finding(const Json& doc, bool marked, Marks marks);
// The edits that make the text say `doc`. `was_marked`: what is_marked says of it.
void edit_finding(std::string_view text, const FindingText& finding, const Json& doc, bool was_marked, bool marked,
                  std::vector<Edit>& edits);

// The first suggestion fence of a body: its content, and where the whole fence stands.
struct Suggestion {
  std::string text;    // without its last line end
  bool lines = false;  // else it takes its lines out
  Span fence;
};
[[nodiscard]] std::optional<Suggestion> suggestion_in(std::string_view body);
// The body with that suggestion in place of the one it has, or behind it. A line end at its end is the last line's:
// "\n" is one empty line, "" is none.
[[nodiscard]] std::string with_suggestion(std::string_view body, std::string_view suggestion);
[[nodiscard]] std::string without_suggestion(std::string_view body);

}  // namespace pawl::review

// What a line of Markdown says when its signs are taken off, for telling whether a person would read a finding in it:
// letters small, one blank between words, marks of emphasis gone, a sign of a severity in its one spelling.
#pragma once

#include <string>
#include <string_view>

#include "lifecycles/review/severity.h"

namespace pawl::review {

struct SpokenLine {
  std::string words;                    // behind quote signs, signs of lists and headings, boxes, tags, other pictures
  std::string rest;                     // of them, behind the sign and an id ("H1")
  const Severity* sign = nullptr;       // they begin with it
  const Severity* name = nullptr;       // the rest begins with it
  bool heading = false, bold = false;   // it is made to stand out
  bool listed = false, quoted = false;  // an entry of a list or a cell of a table; of a quotation
  bool set_in = false;                  // by four blanks or more: code, where it stands in a text
  bool in_diff = false;                 // a line of one, with the sign that it begins with
  bool comment = false;                 // begins one
  bool place = false;                   // begins with a line of a file: "core/engine.c:42"

  [[nodiscard]] bool stands_out() const { return heading || bold || listed; }
  [[nodiscard]] bool has(std::string_view what) const { return words.find(what) != std::string::npos; }
};
[[nodiscard]] SpokenLine spoken_line(std::string_view line);

// How many of the three are named in it, by sign or by name.
[[nodiscard]] int severities_in(const SpokenLine& line);
// "Action Required" somewhere in it, also with a letter wrong, and not as something that there is none of.
[[nodiscard]] bool calls_for_action(const SpokenLine& line);
// Only names and numbers: "🔴 Action Required: 2 findings".
[[nodiscard]] bool only_counts(const SpokenLine& line);
// Begins with what other tools call a grave or a small finding: "critical", "[high]", "P1".
[[nodiscard]] bool grades(const SpokenLine& line);
// A line of a finding's values: "**File:**", "**Confidence:** 95/100", "location: a.c:3".
[[nodiscard]] bool names_place(const SpokenLine& line);
[[nodiscard]] bool names_value(const SpokenLine& line);

}  // namespace pawl::review

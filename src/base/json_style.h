// How a JSON file is written, so that what is added to it looks as if its own tool had added it.
#pragma once

#include <bitset>
#include <string>
#include <string_view>

#include "base/json_text.h"

namespace pawl {

struct JsonStyle {
  std::string newline = "\n";
  std::string unit = "  ";  // one level of indentation
  bool multi_line = true;   // some container stands over several lines
  std::string colon = ": ";
  std::string comma = ", ";  // between neighbours on one line
  std::string object_pad;    // between { and the first key on one line
  std::string array_pad;
  bool short_arrays = false;   // arrays of scalars stand on one line, in a file of many lines
  bool short_objects = false;  // the same of objects

  // Escapes that are not needed but that the file uses throughout, as Python (\u00e9), PHP (\/) and Go (\u003c) do.
  bool escape_non_ascii = false;
  bool upper_hex = false;
  bool short_slash = false;
  std::bitset<128> escape_ascii;
};

// Of the white space between two tokens.
[[nodiscard]] inline bool has_newline(std::string_view blank) { return blank.find('\n') != std::string_view::npos; }

// A file that shows nothing of a style (`{}`, `3`) gets jq's: two spaces, a line for each member.
[[nodiscard]] JsonStyle style_of(const JsonText& file);

enum class JsonLayout {
  one_line,  // all of it
  spread,    // the outermost container over several lines
  natural,   // as the file does it with values of this kind
};

// Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view text, const JsonStyle& style);

// `indent` is the white space at the start of the line on which the value begins.
void append_value(std::string& out, const Json& value, const JsonStyle& style, std::string_view indent,
                  JsonLayout layout);

}  // namespace pawl

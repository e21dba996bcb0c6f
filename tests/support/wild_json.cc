#include "support/wild_json.h"

#include <array>

#include "base/json_style.h"

namespace pawl::test {

std::string WildWriter::write(const Json& value) {
  out_.clear();
  if (one_in(8)) out_ += "\xEF\xBB\xBF";
  blank();
  any(value);
  blank();
  return out_;
}

void WildWriter::blank() {
  static const std::array<std::string, 8> kBlanks = {"", "", "", " ", "\n", "\r\n  ", "\t", "\n\n    "};
  out_ += kBlanks[static_cast<std::size_t>(below_(static_cast<int>(kBlanks.size())))];
}

void WildWriter::any(const Json& value) {
  static const std::array<Json, 6> kShadowed = {nullptr, false, 7, 1.5, "x", "pending"};
  if (value.is_string()) return string(value.get<std::string>());
  if (value.is_number()) return number(value);
  if (!value.is_structured()) return out_ += value.dump(), void();
  out_ += value.is_object() ? '{' : '[';
  blank();
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) comma();
    first = false;
    if (value.is_object()) {
      if (one_in(12)) {
        key(item.key());
        any(kShadowed[static_cast<std::size_t>(below_(static_cast<int>(kShadowed.size())))]);
        comma();
      }
      key(item.key());
    }
    any(item.value());
    blank();
  }
  out_ += value.is_object() ? '}' : ']';
}

void WildWriter::comma() {
  blank();
  out_ += ',';
  blank();
}

void WildWriter::key(const std::string& text) {
  string(text);
  blank();
  out_ += ':';
  blank();
}

void WildWriter::number(const Json& value) {
  out_ += value.dump();
  if (value.is_number_integer() && value.get<std::int64_t>() == 42 && one_in(2)) out_ += one_in(2) ? ".0" : "e0";
  if (value.is_number_integer() && value.get<std::int64_t>() == 1 && one_in(2)) out_ += "0E-1";
}

void WildWriter::string(const std::string& text) {
  JsonStyle style;
  style.escape_non_ascii = one_in(3);
  style.upper_hex = one_in(2);
  if (one_in(4)) style.escape_ascii.set('/').set('a');
  style.short_slash = one_in(2);
  append_string(out_, text, style);
}

}  // namespace pawl::test

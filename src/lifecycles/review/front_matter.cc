#include "lifecycles/review/front_matter.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/damaged.h"

namespace pawl::review {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Inside double quotes, up to the closing one; the number of bytes read, 0 when it is not closed or not understood.
std::size_t read_double_quoted(std::string_view text, std::string& out) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return 0;
    std::size_t digits = 0;
    switch (text[i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case '0':
        out += '\0';
        break;
      case 'x':
        digits = 2;
        break;
      case 'u':
        digits = 4;
        break;
      case 'U':
        digits = 8;
        break;
      default:
        out += text[i];
    }
    std::uint32_t code = 0;
    for (std::size_t d = 0; d < digits; ++d) {
      const int value = ++i < text.size() ? hex_digit(text[i]) : -1;
      if (value < 0) return 0;
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    if (digits > 0) append_utf8(out, code);
  }
  return 0;
}

std::size_t read_single_quoted(std::string_view text, std::string& out) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\'' && (i + 1 == text.size() || text[i + 1] != '\'')) return i + 1;
    if (text[i] == '\'') ++i;
    out += text[i];
  }
  return 0;
}

bool is_rest_of_line(std::string_view rest) {
  rest = trim(rest);
  return rest.empty() || rest.starts_with('#');
}

// The value of one line.
void read_value(std::string_view text, Span rest, FrontMatterField& field) {
  std::string_view words = rest.of(text);
  const std::size_t blank = words.find_first_not_of(" \t");
  if (blank == std::string_view::npos) {
    field.value = {rest.begin, rest.begin};
    return;
  }
  rest = Span(rest.begin + blank, rest.end);
  words = rest.of(text);
  const char first = words.front();
  if (first == '"' || first == '\'') {
    const std::size_t length =
        first == '"' ? read_double_quoted(words, field.says) : read_single_quoted(words, field.says);
    field.quoted = true;
    field.scalar = length > 0 && is_rest_of_line(words.substr(length));
    field.value = {rest.begin, rest.begin + (length > 0 ? length : words.size())};
    return;
  }
  const std::size_t comment = words.find(" #");
  const std::string_view plain = trim(words.substr(0, comment));
  field.value = {rest.begin, rest.begin + plain.size()};
  field.says = plain;
  constexpr std::string_view kNotScalar = "&*!|>[{%@`";
  field.scalar = kNotScalar.find(first) == std::string_view::npos && !plain.starts_with("- ");
}

}  // namespace

const FrontMatterField* FrontMatter::find(std::string_view key) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const FrontMatterField& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

Result<FrontMatter> scan_front_matter(std::string_view text) {
  FrontMatter out;
  std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  std::size_t number = 0;
  bool inside = false;
  while (at < text.size()) {
    std::size_t end = text.find('\n', at);
    const std::size_t next = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos) end = text.size();
    if (end > at && text[end - 1] == '\r') --end;
    const std::string_view line = text.substr(at, end - at);
    ++number;
    if (!inside) {
      if (trim(line) != "---") return damaged(number, "the front matter, which begins with ---, is missing");
      inside = true;
    } else if (trim(line) == "---" && !line.starts_with(' ')) {
      out.end = at;
      out.behind = next;
      out.lines = number;
      return out;
    } else if (!line.empty() && line.front() != ' ' && line.front() != '\t' && line.front() != '#') {
      const std::size_t colon = line.find(':');
      if (colon != std::string_view::npos && colon > 0) {
        FrontMatterField field;
        field.key = trim(line.substr(0, colon));
        field.line = number;
        read_value(text, {at + colon + 1, end}, field);
        if (out.find(field.key) != nullptr) return damaged(number, cat(printable(field.key), " is there twice"));
        constexpr std::size_t kMost = 1000;
        if (out.fields.size() == kMost) return damaged(number, "the front matter has more than a thousand lines");
        out.fields.push_back(std::move(field));
      }
    }
    at = next;
  }
  return damaged(number, "the front matter is not closed with ---");
}

std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace pawl::review

#include "base/json_style.h"

#include <optional>

#include "base/json_number.h"
#include "base/text.h"

namespace pawl {
namespace {

std::string_view after_newline(std::string_view blank) { return blank.substr(blank.rfind('\n') + 1); }

// What was seen first, or most often, of each choice.
struct Evidence {
  std::optional<std::string_view> unit, colon, comma, object_pad, array_pad;
  bool any_container = false;
  bool multi_line = false;
  int short_arrays = 0, long_arrays = 0, short_objects = 0, long_objects = 0;
};

void see_first(std::optional<std::string_view>& choice, std::string_view seen) {
  if (!choice && !has_newline(seen)) choice = seen;
}

// A container with something in it.
void see_container(Evidence& seen, const JsonText& file, std::uint32_t index) {
  const std::vector<JsonNode>& nodes = file.nodes();
  const std::string_view text = file.text();
  const auto between = [&](std::uint32_t begin, std::uint32_t end) { return text.substr(begin, end - begin); };
  const JsonNode& container = nodes[index];
  const bool object = container.kind == JsonKind::object;
  const std::string_view head = between(container.begin + 1, nodes[index + 1].begin);
  const bool spread = has_newline(head);
  bool flat = true;
  std::uint32_t last_end = 0;
  for (std::uint32_t at = index + 1; at < container.next; at = nodes[at].next) {
    const std::uint32_t begin = nodes[at].begin;
    if (last_end != 0 && !spread) see_first(seen.comma, between(last_end, begin));
    if (object) {
      const std::uint32_t key_end = nodes[at].end;
      see_first(seen.colon, between(key_end, nodes[++at].begin));
    }
    if (nodes[at].kind == JsonKind::object || nodes[at].kind == JsonKind::array) flat = false;
    last_end = nodes[at].end;
  }
  seen.any_container = true;
  if (spread) {
    seen.multi_line = true;
    const std::string_view tail = between(last_end, container.end - 1);
    const std::string_view inner = after_newline(head), outer = after_newline(tail);
    if (!seen.unit && has_newline(tail) && inner.size() > outer.size() && inner.starts_with(outer)) {
      seen.unit = inner.substr(outer.size());
    }
  } else {
    see_first(object ? seen.object_pad : seen.array_pad, head);
  }
  if (flat)
    ++(object ? (spread ? seen.long_objects : seen.short_objects) : (spread ? seen.long_arrays : seen.short_arrays));
}

// Which characters the file escapes without need, and which of those it does not escape elsewhere.
void see_escapes(JsonStyle& style, const JsonText& file) {
  bool raw_non_ascii = false;
  for (const char c : file.text().substr(file.root().begin())) raw_non_ascii |= static_cast<unsigned char>(c) >= 0x80;
  bool escaped_non_ascii = false, hex_known = false;
  for (const JsonNode& node : file.nodes()) {
    if (node.kind != JsonKind::string || !node.escaped) continue;
    const std::string_view raw = file.text().substr(node.begin, node.end - node.begin);
    for (std::size_t at = raw.find('\\'); at != std::string_view::npos; at = raw.find('\\', at + 2)) {
      if (raw[at + 1] == '/') {
        style.escape_ascii.set('/');
        style.short_slash = true;
      }
      if (raw[at + 1] != 'u') continue;
      const std::string_view digits = raw.substr(at + 2, 4);
      if (const std::size_t letter = digits.find_first_of("abcdefABCDEF");
          letter != std::string_view::npos && !hex_known) {
        hex_known = true;
        style.upper_hex = digits[letter] < 'a';
      }
      const unsigned value = static_cast<unsigned>(std::stoul(std::string(digits), nullptr, 16));
      if (value >= 0x80) escaped_non_ascii = true;
      if (value >= 0x20 && value < 0x7F) style.escape_ascii.set(value);
    }
  }
  style.escape_non_ascii = escaped_non_ascii && !raw_non_ascii;
  style.escape_ascii.reset('"').reset('\\');
  if (style.escape_ascii.none()) return;
  for (const JsonNode& node : file.nodes()) {
    if (node.kind != JsonKind::string) continue;
    for (std::size_t at = node.begin + 1; at + 1 < node.end; ++at) {
      const auto c = static_cast<unsigned char>(file.text()[at]);
      if (c == '\\') {
        ++at;
      } else if (c < 0x80) {
        style.escape_ascii.reset(c);
      }
    }
  }
}

void append_unit(std::string& out, std::uint32_t unit, bool upper) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(unit >> static_cast<unsigned>(shift)) & 0xFU];
}

void append_escape(std::string& out, std::uint32_t c, const JsonStyle& style) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t/", kLetters = "\"\\bfnrt/";
  const std::size_t found = c < 0x80 ? kShort.find(static_cast<char>(c)) : std::string_view::npos;
  if (found != std::string_view::npos && (c != '/' || style.short_slash)) {
    (out += '\\') += kLetters[found];
  } else if (c >= 0x10000) {
    append_unit(out, 0xD800 + ((c - 0x10000) >> 10U), style.upper_hex);
    append_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FFU), style.upper_hex);
  } else {
    append_unit(out, c, style.upper_hex);
  }
}

bool is_flat(const Json& container) {
  for (const Json& inner : container) {
    if (inner.is_structured()) return false;
  }
  return true;
}

}  // namespace

JsonStyle style_of(const JsonText& file) {
  JsonStyle style;
  Evidence seen;
  for (std::uint32_t index = 0; index < file.nodes().size(); ++index) {
    if (file.nodes()[index].next > index + 1) see_container(seen, file, index);
  }
  const std::size_t newline = file.text().find('\n');
  if (newline != std::string_view::npos && newline > 0 && file.text()[newline - 1] == '\r') style.newline = "\r\n";
  if (seen.any_container) {
    style.multi_line = seen.multi_line;
    if (seen.multi_line) style.unit = seen.unit.value_or("");
    // What was not seen follows from the rest: a file that saves one kind of blank saves the other.
    const bool dense = (seen.colon && !seen.colon->ends_with(' ')) || (!seen.colon && seen.comma == ",");
    style.colon = seen.colon.value_or(dense ? ":" : ": ");
    style.comma = seen.comma.value_or(dense ? "," : ", ");
    style.object_pad = seen.object_pad.value_or("");
    style.array_pad = seen.array_pad.value_or("");
    style.short_arrays = seen.short_arrays > seen.long_arrays;
    style.short_objects = seen.short_objects > seen.long_objects;
  }
  see_escapes(style, file);
  return style;
}

void append_string(std::string& out, std::string_view text, const JsonStyle& style) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    const bool broken = c.length == 0;
    if (broken) c = {0xFFFD, 1};
    const bool escape = c.value < 0x80
                            ? c.value < 0x20 || c.value == '"' || c.value == '\\' || style.escape_ascii[c.value]
                            : style.escape_non_ascii;
    if (escape) {
      append_escape(out, c.value, style);
    } else if (broken) {
      append_utf8(out, c.value);
    } else {
      out += text.substr(at, c.length);
    }
    at += c.length;
  }
  out += '"';
}

void append_value(std::string& out, const Json& value, const JsonStyle& style, std::string_view indent,
                  JsonLayout layout) {
  if (value.is_string()) return append_string(out, value.get_ref<const std::string&>(), style);
  if (is_as_written(value)) return out += as_written(value), void();
  if (value.is_discarded()) return out += "null", void();
  if (!value.is_structured()) return out += value.dump(), void();
  const bool object = value.is_object();
  if (value.empty()) return out += object ? "{}" : "[]", void();

  if (layout == JsonLayout::natural) {
    const bool brief = (object ? style.short_objects : style.short_arrays) && is_flat(value);
    layout = style.multi_line && !brief ? JsonLayout::spread : JsonLayout::one_line;
  }
  const bool spread = layout == JsonLayout::spread;
  const std::string inner = spread ? cat(indent, style.unit) : std::string();
  const std::string& pad = object ? style.object_pad : style.array_pad;
  const std::string start = spread ? cat(style.newline, inner) : pad;
  const std::string next = spread ? cat(',', start) : style.comma;
  const JsonLayout inside = spread ? JsonLayout::natural : JsonLayout::one_line;
  bool first = true;
  const auto begin_item = [&] {
    out += first ? start : next;
    first = false;
  };
  if (object) {
    out += '{';
    for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
      begin_item();
      append_string(out, key, style);
      out += style.colon;
      append_value(out, member, style, inner, inside);
    }
  } else {
    out += '[';
    for (const Json& element : value) {
      begin_item();
      append_value(out, element, style, inner, inside);
    }
  }
  out += spread ? cat(style.newline, indent) : pad;
  out += object ? '}' : ']';
}

}  // namespace pawl

#include "base/columns.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/text.h"

namespace pawl {
namespace {

struct Glyph {
  std::size_t bytes, columns;
};

// A byte that is no UTF-8 is shown as one sign.
Glyph first_glyph(std::string_view text) {
  utf8proc_int32_t point = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &point);
  if (bytes <= 0) return {1, 1};
  return {static_cast<std::size_t>(bytes), static_cast<std::size_t>(std::max(0, utf8proc_charwidth(point)))};
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t plain = plain_ascii(text);
    columns += plain;
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t taken = 0, used = 0;
  while (taken < text.size()) {
    const Glyph glyph = first_glyph(text.substr(taken));
    if (used + glyph.columns > width) break;
    used += glyph.columns;
    taken += glyph.bytes;
  }
  return taken;
}

std::string fitted(std::string_view text, std::size_t width, bool unicode) {
  if (columns_of(text) <= width) return std::string(text);
  const std::string_view dots = unicode ? "…" : "...";
  const std::size_t of_dots = unicode ? 1 : 3;
  if (width <= of_dots) return std::string(width, '.');
  std::string out(text.substr(0, bytes_within(text, width - of_dots)));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out.append(dots);
}

std::string padded(std::string_view text, std::size_t width, bool unicode) {
  std::string out = fitted(text, width, unicode);
  return out.append(width - std::min(width, columns_of(out)), ' ');
}

}  // namespace pawl

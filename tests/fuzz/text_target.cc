// What a terminal gets to see, and what is kept of a terminal's output. The first byte is the limit.
#include "base/text.h"

#include "targets.h"

namespace pawl {

void fuzz_text(std::string_view bytes) {
  const std::string shown = printable(bytes), lines = printable(bytes, true);
  fuzz_require(is_utf8(shown) && is_utf8(lines), "printable text is UTF-8");
  fuzz_require(!has_control(shown) && !has_control(lines), "printable text has no controls");
  fuzz_require(shown.find_first_of("\r\n\t") == std::string::npos, "printable text is one line");
  fuzz_require(lines.find('\r') == std::string::npos, "printable lines have no carriage return");
  fuzz_require(printable(shown) == shown, "printable text is printable");

  const std::size_t limit = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
  const std::string whole = stripped(bytes, bytes.size() * 3), cut = stripped(bytes, limit);
  fuzz_require(is_utf8(whole) && is_utf8(cut), "stripped text is UTF-8");
  fuzz_require(!has_control(whole), "stripped text has no controls");
  fuzz_require(cut.size() <= limit && whole.starts_with(cut), "stripped text is cut, not changed");
  fuzz_require(cut.size() + 4 > limit || cut == whole, "stripped text is cut at the last character that fits");
  fuzz_require(stripped(whole, whole.size()) == whole, "stripped text has nothing left to strip");
  if (is_utf8(bytes) && !has_control(bytes)) fuzz_require(whole == bytes, "plain text is not changed");

  std::string joined;
  for (const std::string_view part : split(bytes, ',')) joined += cat(part, ',');
  joined.pop_back();
  fuzz_require(joined == bytes, "split parts make up the whole");
  if (const auto number = parse_positive(bytes)) fuzz_require(std::to_string(*number) == bytes, "a number reads back");
  const std::array<std::string_view, 3> words = {"running", "complete", "error"};
  (void)nearest(bytes, words);
}

}  // namespace pawl

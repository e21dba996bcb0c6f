#include "base/terminal_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pawl {
namespace {

std::vector<std::string> lines_of(std::string_view bytes, std::size_t portion = std::string_view::npos) {
  TerminalLines lines;
  std::vector<std::string> out;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(portion, bytes.size()))
    lines.feed(bytes.substr(at, portion), [&](std::string_view line, bool) { out.emplace_back(line); });
  if (!lines.unfinished().empty()) out.emplace_back(lines.unfinished());
  return out;
}

using Lines = std::vector<std::string>;

struct Case {
  std::string_view name, bytes;
  Lines lines;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"plain", "a\nb\n", {"a", "b"}},
      {"unfinished", "a\nb", {"a", "b"}},
      {"carriage return and newline are one end", "a\r\nb\r\r\nc", {"a", "b", "c"}},
      {"an empty line is a line", "a\r\n\r\nb\n", {"a", "", "b"}},
      {"a return that something follows ends the line", "50%\r100%\n", {"50%", "100%"}},
      {"colour", "\x1b[1;31mred\x1b[0m text\n", {"red text"}},
      {"a title, ended by a bell", "\x1b]0;title\x07text\n", {"text"}},
      {"a title, ended by ST", "\x1b]0;title\x1b\\text\n", {"text"}},
      {"a link", "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\\n", {"here"}},
      {"the cursor goes to a place", "one\x1b[5;3Htwo\x1b[Athree\n", {"one", "two", "three"}},
      {"the cursor goes along the line", "a\x1b[3Cb\n", {"a b"}},
      {"a character set", "\x1b(Btext\x1b)0\n", {"text"}},
      {"erasing", "te\x1b[Kxt\x1b[2J\n", {"text"}},
      {"backspace takes back", "tax\b\bext\n", {"text"}},
      {"a string that nobody ends gives up", "\x1b]0;never\x18text\n", {"text"}},
      {"a sequence cut by a newline", "\x1b[3\ntext\n", {"", "text"}},
      {"tabs stay, other controls go", "a\tb\x01\x02\x7f c\n", {"a\tb c"}},
      {"UTF-8 stays", "テスト\n", {"テスト"}},
  };
  return kCases;
}

TEST(TerminalLines, EachCase) {
  for (const Case& one : cases()) EXPECT_EQ(lines_of(one.bytes), one.lines) << one.name;
}

TEST(TerminalLines, TheSameInAnyPortions) {
  for (const Case& one : cases()) {
    for (std::size_t portion = 1; portion < one.bytes.size(); ++portion)
      EXPECT_EQ(lines_of(one.bytes, portion), one.lines) << one.name << " in portions of " << portion;
  }
}

TEST(TerminalLines, ALineOf100MBCostsWhatALineCosts) {
  TerminalLines lines;
  const std::string portion(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) lines.feed(portion, [](std::string_view, bool) { FAIL() << "it has not ended"; });
  EXPECT_EQ(lines.unfinished().size(), TerminalLines::kMaxLine);
  EXPECT_TRUE(lines.unfinished_cut());
  bool cut = false;
  lines.feed("\n", [&](std::string_view, bool was_cut) { cut = was_cut; });
  EXPECT_TRUE(cut);
  Lines after;
  lines.feed("next\n", [&](std::string_view line, bool was_cut) {
    after.emplace_back(line);
    EXPECT_FALSE(was_cut);
  });
  EXPECT_EQ(after, Lines{"next"});
}

}  // namespace
}  // namespace pawl

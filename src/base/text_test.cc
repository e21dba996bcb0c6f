#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace pawl {
namespace {

using namespace std::string_view_literals;

TEST(Text, CatJoinsTextAndNumbers) {
  EXPECT_EQ(cat("issue ", 42, ": ", std::string("done"), '.'), "issue 42: done.");
  EXPECT_EQ(cat(), "");
  EXPECT_EQ(cat(std::int64_t{-9223372036854775807 - 1}), "-9223372036854775808");
}

TEST(Utf8, OnlyShortestFormsOfRealCharactersAreUtf8) {
  for (const std::string_view good :
       {""sv, "a"sv, "é"sv, "€"sv, "😀"sv, "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv, "\0"sv}) {
    EXPECT_TRUE(is_utf8(good)) << printable(good);
  }
  for (const std::string_view bad :
       {"\x80"sv, "\xC3"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv, "\xF0\x8F\xBF\xBF"sv,
        "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xE2\x82"sv, "a\xFF"sv, "\xE2\x28\xA1"sv}) {
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  }
}

TEST(Utf8, EveryCodePointIsWrittenAndReadBack) {
  for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string text;
    append_utf8(text, c);
    const CodePoint read = decode_utf8(text, 0);
    ASSERT_EQ(read.value, c);
    ASSERT_EQ(read.length, text.size());
  }
}

TEST(Printable, WhatIsNotSeenIsShownByNumber) {
  EXPECT_EQ(printable("a\u200Bb\uFEFFc\u2028d\u2066e"), "a\\u200bb\\ufeffc\\u2028d\\u2066e");
  EXPECT_EQ(printable("\U000E0041"), "\\U000e0041");
  EXPECT_EQ(printable("👩\u200D💻 न\u200C"), "👩\u200D💻 न\u200C");  // joiners belong to what people write
}

TEST(HasControl, TabAndLineEndsAreNone) {
  EXPECT_FALSE(has_control("a\tb\r\nc é"));
  EXPECT_TRUE(has_control("a\x1b"));
  EXPECT_TRUE(has_control("\x7f"));
  EXPECT_TRUE(has_control("\xC2\x9B"));  // U+009B, the one-character CSI
  EXPECT_TRUE(has_control("\xFF\x01"));
  EXPECT_FALSE(has_control("\xFF"));
}

TEST(Printable, EscapesBecomeVisible) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("a\rb"), "a\\x0db");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\x9b");
  EXPECT_EQ(printable("a\0b"sv), "a\\x00b");
  EXPECT_EQ(printable("설계 😀"), "설계 😀");
}

TEST(Printable, NewlinesStayOnlyWhenAskedFor) {
  EXPECT_EQ(printable("a\n\tb"), "a\\n\\tb");
  EXPECT_EQ(printable("a\n\tb", true), "a\n\tb");
  EXPECT_EQ(printable("a\r\nb", true), "a\\x0d\nb");
}

TEST(Printable, WhatReordersTextIsShownByNumber) {
  EXPECT_EQ(printable("a\u202Eb"), "a\\u202eb");
  EXPECT_EQ(printable("\u2066\u2069\u200E\u200F\u061C"), "\\u2066\\u2069\\u200e\\u200f\\u061c");
}

TEST(Printable, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(printable("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(printable("\xE2\x82"), "\uFFFD\uFFFD");
}

TEST(Stripped, EscapeSequencesAreTakenOut) {
  constexpr std::size_t kAll = 1000;
  EXPECT_EQ(stripped("\x1b[1;31mred\x1b[0m", kAll), "red");
  EXPECT_EQ(stripped("\x1b(B\x1b[mplain", kAll), "plain");  // what `tput sgr0` prints
  EXPECT_EQ(stripped("\x1b]0;title\adone", kAll), "done");
  EXPECT_EQ(stripped("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", kAll), "link");
  EXPECT_EQ(stripped("\x1b]0;title\xC2\x9C"
                     "done",
                     kAll),
            "done");
  EXPECT_EQ(stripped("\x1bPq#0\x1b\\done\x1b"
                     "c",
                     kAll),
            "done");
  EXPECT_EQ(stripped("\xC2\x9B"
                     "31mred",
                     kAll),
            "red");
  EXPECT_EQ(stripped("\xC2\x9D"
                     "0;title\adone",
                     kAll),
            "done");
}

TEST(Stripped, BrokenSequenceDoesNotLeaveItsRest) {
  constexpr std::size_t kAll = 1000;
  EXPECT_EQ(stripped("\x1b[31\x1b[0mx", kAll), "x");
  EXPECT_EQ(stripped("\x1b]0;title\x1b[31mx", kAll), "x");
  EXPECT_EQ(stripped("\x1b\x1b[31mx", kAll), "x");
  EXPECT_EQ(stripped("x\x1b", kAll), "x");
  EXPECT_EQ(stripped("x\x1b[", kAll), "x");
  EXPECT_EQ(stripped("x\x1b[31", kAll), "x");
  EXPECT_EQ(stripped("x\x1b]0;title", kAll), "x");
  EXPECT_EQ(stripped("\x1b"
                     "é",
                     kAll),
            "é");
  EXPECT_EQ(stripped("\x1b\nx", kAll), "\nx");
}

TEST(Stripped, ControlsGoAndLineEndsStay) {
  EXPECT_EQ(stripped("a\x01\x7f\xC2\x85"
                     "b\tc\r\nd",
                     100),
            "ab\tc\r\nd");
  EXPECT_EQ(stripped("a\xFF"
                     "b",
                     100),
            "a\uFFFDb");
}

TEST(Stripped, NeverCutsInsideACharacter) {
  const std::string text = "aé€😀\xFFz";
  const std::string whole = stripped(text, 100);
  for (std::size_t max = 0; max <= whole.size() + 1; ++max) {
    const std::string cut = stripped(text, max);
    EXPECT_TRUE(is_utf8(cut)) << max;
    EXPECT_LE(cut.size(), max);
    EXPECT_TRUE(whole.starts_with(cut));
    EXPECT_GT(cut.size() + 4, std::min(max, whole.size()));  // and not more than one character early
  }
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::array statuses = {"running"sv, "complete"sv, "error"sv, "in-progress"sv, "unknown"sv};
  const auto near = [&](std::string_view word) { return nearest(word, statuses).value_or("none"); };
  EXPECT_EQ(near("completed"), "complete");
  EXPECT_EQ(near("compelte"), "complete");
  EXPECT_EQ(near("runing"), "running");
  EXPECT_EQ(near("err"), "error");
  EXPECT_EQ(near("Complete"), "complete");
  EXPECT_EQ(near("IN_PROGRESS"), "in-progress");
  EXPECT_EQ(near("running"), "running");
}

TEST(Nearest, NothingNearIsNone) {
  const std::array statuses = {"running"sv, "complete"sv, "error"sv};
  for (const std::string_view word : {"done"sv, "x"sv, ""sv, "merged"sv, "ru"sv}) {
    EXPECT_FALSE(nearest(word, statuses)) << word << " gave " << *nearest(word, statuses);
  }
  EXPECT_FALSE(nearest(std::string(1000, 'r'), statuses));
  EXPECT_FALSE(nearest("error", {}));
  const std::array letters = {"a"sv, ""sv};
  EXPECT_FALSE(nearest("b", letters));
  EXPECT_FALSE(nearest("abcdef", letters));
}

TEST(JoinOr, ReadsLikeASentence) {
  const std::array words = {"a"sv, "b"sv, "c"sv};
  EXPECT_EQ(join_or(words), "a, b or c");
  EXPECT_EQ(join_or(std::span(words).first(2)), "a or b");
  EXPECT_EQ(join_or(std::span(words).first(1)), "a");
  EXPECT_EQ(join_or({}), "");
}

TEST(Split, EmptyPartsAreParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string_view>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(ParsePositive, TakesOnlyPlainPositiveNumbers) {
  EXPECT_EQ(parse_positive("1"), 1);
  EXPECT_EQ(parse_positive("9223372036854775807"), 9223372036854775807);
  for (const std::string_view bad : {""sv, "0"sv, "01"sv, "-1"sv, "+1"sv, " 1"sv, "1 "sv, "1.0"sv, "1e3"sv, "0x1"sv,
                                     "9223372036854775808"sv, "99999999999999999999"sv, "1\0"sv, "١"sv}) {
    EXPECT_FALSE(parse_positive(bad)) << bad;
  }
}

}  // namespace
}  // namespace pawl

#include "runners/install/marked_section.h"

#include <gtest/gtest.h>

namespace pawl::install {
namespace {

TEST(MarkedSection, IsPutAtTheEndAndTakenOutAgain) {
  for (const std::string_view text : {"# Agents\n\nBe kind.\n", "# Agents\n", "one\r\ntwo\r\n"}) {
    const auto with = with_section(text, "use pawl\n");
    ASSERT_TRUE(with);
    EXPECT_TRUE(with->starts_with(text));
    const auto without = without_section(*with, {});
    ASSERT_TRUE(without && *without);
    EXPECT_EQ(**without, text);
  }
}

TEST(MarkedSection, IsReplacedInItsPlace) {
  const auto first = with_section("above\n", "old\n");
  const auto second = with_section(*first + "below\n", "new\n");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->find("old"), std::string::npos);
  EXPECT_TRUE(second->ends_with("below\n"));
  EXPECT_EQ(*with_section(*second, "new\n"), *second) << "twice is once";
}

TEST(MarkedSection, FileThatWasNothingElseCanGo) {
  const auto with = with_section("", "use pawl\n");
  const auto without = without_section(*with, {});
  ASSERT_TRUE(without);
  EXPECT_FALSE(*without);
}

TEST(MarkedSection, HalfAPairIsRefused) {
  EXPECT_FALSE(with_section("<!-- pawl: end -->\n", "x\n"));
  const auto with = with_section("", "x\n");
  EXPECT_FALSE(without_section(*with + *with, {}));
}

TEST(MarkedSection, TwiceIsOnceWhateverEndsTheLines) {
  for (const std::string before : {"a\rb\r", "a\r\nb\n", "a\nb\r\n", "a\r\nb\r\n"}) {
    const std::string once = with_section(before, "x\n").value_or("?");
    EXPECT_EQ(with_section(once, "x\n").value_or("?"), once);
  }
}

TEST(MarkedSection, WordsWithinALineAreNoMark) {
  const std::string text = "see `<!-- pawl: end -->` above\n";
  EXPECT_EQ(**without_section(text, {}), text);
}

TEST(MarkedSection, TakesTheLineEndsThatItBroughtAndNoOthers) {
  for (const std::string before : {"a", "a\n", "a\n\n", "a\n\n\n", "", "\n", "a\r\nb\n", "a\nb\r\n"}) {
    const std::string with = with_section(before, "x\n").value_or("");
    EXPECT_EQ(without_section(with, before).value_or("?"), before);
    EXPECT_EQ(without_section("top\n" + with, before).value_or("?"), "top\n" + before);
    EXPECT_EQ(without_section(with + "below\n", before).value_or("?"),
              before + (before == "a" ? "\n" : "") + "below\n");
  }
}

TEST(MarkedSection, ALineThatBeginsOneIsFoundOutsideOfCode) {
  for (const std::string before : {"# T\r", "# T\r\r", "\r", "a\n# T\r"})
    EXPECT_EQ(without_section(with_section(before, "x\n").value_or(""), before).value_or("?"), before);
  EXPECT_TRUE(begins_section("<!-- pawl: kept by x -->\n"));
  EXPECT_FALSE(begins_section("<!-- pawl: end -->\n"));
  EXPECT_FALSE(begins_section("```\n<!-- pawl: kept by x -->\n```\n"));
}

TEST(MarkedSection, APageWithItsOwnLineEndsKeepsThem) {
  const std::string page = "# Title\r\ntext\r\n";
  const auto with = with_section(page, "one\ntwo\n");
  ASSERT_TRUE(with);
  for (std::size_t at = with->find('\n'); at != std::string::npos; at = with->find('\n', at + 1))
    EXPECT_EQ((*with)[at - 1], '\r') << at;
  EXPECT_EQ(with_section(*with, "one\ntwo\n").value_or(""), *with);
  EXPECT_EQ(without_section(*with, page).value_or(std::nullopt), page);
}

}  // namespace
}  // namespace pawl::install

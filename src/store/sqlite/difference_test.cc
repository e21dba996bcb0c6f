#include "store/sqlite/difference.h"

#include <gtest/gtest.h>

namespace pawl::sqlite {
namespace {

TEST(Difference, ChangedMiddleIsAllThatIsKept) {
  const Difference change = difference("status: open\n", "status: done\n");
  EXPECT_EQ(change.same_head, 8u);
  EXPECT_EQ(change.same_tail, 1u + 0u);
  EXPECT_EQ(change.middle, "done");
}

TEST(Difference, HeadAndTailDoNotOverlap) {
  // "aaa" and "aaaa" agree from both ends in more bytes than there are.
  for (const auto& [text, other] : {std::pair<std::string, std::string>{"aaa", "aaaa"},
                                    {"aaaa", "aaa"},
                                    {"abab", "ab"},
                                    {"", ""},
                                    {"", "x"},
                                    {"x", ""},
                                    {"same", "same"}}) {
    const Difference change = difference(text, other);
    EXPECT_LE(change.same_head + change.same_tail, std::min(text.size(), other.size()));
    EXPECT_EQ(applied(text, change), other);
  }
}

TEST(Difference, NumbersThatDoNotFitAreNotApplied) {
  EXPECT_EQ(applied("abc", {4, 0, ""}), std::nullopt);
  EXPECT_EQ(applied("abc", {2, 2, ""}), std::nullopt);
  EXPECT_EQ(applied("abc", {SIZE_MAX, 2, ""}), std::nullopt);
  EXPECT_EQ(applied("abc", {1, SIZE_MAX, ""}), std::nullopt);
  EXPECT_EQ(applied("abc", {1, 2, "x"}), "axbc");
}

}  // namespace
}  // namespace pawl::sqlite

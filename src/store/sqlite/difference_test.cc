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

TEST(Difference, TwoPlacesOfOneEditAreTwo) {
  const std::string filler(3000, '.');
  const std::string text = "updated: 10:00\n" + filler + "\nend\n",
                    other = "updated: 11:30\n" + filler + "\nmore\nend\n";
  const Difference change = difference(text, other);
  ASSERT_EQ(change.early.size(), 1U);
  EXPECT_EQ(change.early[0].at, 10U);
  EXPECT_LT(change.middle.size(), 10U);
  EXPECT_EQ(applied(text, change), other);
  const std::string stored = written(change);
  const auto read = read_difference(stored);
  ASSERT_TRUE(read);
  EXPECT_EQ(applied(text, *read), other);
  EXPECT_LT(stored.size(), 60U);
}

TEST(Difference, WhatIsStoredIsReadBackWhateverItHolds) {
  std::uint32_t seed = 7;
  const auto next = [&] { return seed = seed * 1664525U + 1013904223U; };
  for (int round = 0; round < 500; ++round) {
    std::string text(next() % 2000, ' ');
    for (char& c : text) c = "ab \n0"[next() % 5];
    std::string other = text;
    for (std::uint32_t i = next() % 4; i > 0 && !other.empty(); --i) {
      const std::size_t at = next() % other.size();
      other.replace(at, std::min<std::size_t>(next() % 9, other.size() - at), std::string(next() % 9, 'x'));
    }
    const std::string stored = written(difference(text, other));
    const auto read = read_difference(stored);
    ASSERT_TRUE(read) << round;
    ASSERT_EQ(applied(text, *read), other) << round;
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

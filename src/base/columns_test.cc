#include "base/columns.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Columns, WideAndCombiningCharactersAreCountedAsTheyAreShown) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("修正"), 4U);
  EXPECT_EQ(columns_of("e\xCC\x81"), 1U);  // an e, and the accent upon it
  EXPECT_EQ(columns_of("\xFF\xFE"), 2U);
}

TEST(Columns, TextIsCutBetweenCharacters) {
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdef", 5), "abcd…");
  EXPECT_EQ(fitted("abcdef", 5, false), "ab...");
  EXPECT_EQ(fitted("修正する", 6), "修正…");  // the third would need two of the one column left
  EXPECT_EQ(fitted("ab cdef", 4), "ab…");
  EXPECT_EQ(fitted("abcdef", 1), ".");
  EXPECT_EQ(fitted("abcdef", 0), "");
}

TEST(Columns, PaddingFillsWhatIsLeft) {
  EXPECT_EQ(padded("ab", 4), "ab  ");
  EXPECT_EQ(padded("修正する", 6), "修正… ");
  EXPECT_EQ(padded("abcdef", 3), "ab…");
}

}  // namespace
}  // namespace pawl

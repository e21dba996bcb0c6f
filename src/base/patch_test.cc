#include "base/patch.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(DiffLines, AreNumberedOnBothSides) {
  const auto lines =
      diff_lines("@@ -3,3 +3,4 @@ fn()\n same\n-gone\n+new\n+newer\n same\n\\ No newline at end of file\n");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].left, 3);
  EXPECT_EQ(lines[0].right, 3);
  EXPECT_EQ(lines[1].sign, '-');
  EXPECT_EQ(lines[1].left, 4);
  EXPECT_EQ(lines[1].right, 0);
  EXPECT_EQ(lines[3].right, 5);
  EXPECT_EQ(lines[4].left, 5);
  EXPECT_EQ(lines[4].right, 6);
}

TEST(DiffLines, OfSeveralHunksAndOfNone) {
  const auto lines = diff_lines("@@ -1 +1 @@\n-a\n+b\n@@ -10,2 +10 @@\n x\n-y\n");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2].left, 10);
  EXPECT_EQ(lines[3].left, 11);
  EXPECT_TRUE(diff_lines("").empty());
  EXPECT_TRUE(diff_lines("Binary files differ").empty());
  EXPECT_TRUE(diff_lines("@@ nonsense @@\n+x\n").empty());
}

}  // namespace
}  // namespace pawl

#include "lifecycles/review/follow.h"

#include <gtest/gtest.h>

namespace pawl::review {
namespace {

ChangedFile changed(const std::string& path, const std::string& patch) { return {path, "", "modified", 1, patch}; }
ChangedFile renamed(const std::string& from, const std::string& to) { return {to, from, "renamed", 0, ""}; }

Moved straight(std::vector<ChangedFile> ahead) {
  return moved_between({}, Comparison{true, std::move(ahead)}, std::nullopt);
}

TEST(Follow, ARangeGoesWithAllOfItsLinesOrNotAtAll) {
  // Line 5 is replaced, and a line comes in behind line 20.
  const Moved moved = straight({changed("a.c", "@@ -5 +5 @@\n-old\n+new\n@@ -20 +20,2 @@\n x\n+more\n")});
  EXPECT_EQ(followed({"a.c", 1, 4}, moved), (Location{"a.c", 1, 4}));
  EXPECT_EQ(followed({"a.c", 4, 6}, moved), std::nullopt);
  EXPECT_EQ(followed({"a.c", 5, 0}, moved), std::nullopt);
  EXPECT_EQ(followed({"a.c", 19, 21}, moved), std::nullopt);
  EXPECT_EQ(followed({"a.c", 21, 1'000'000'000}, moved), (Location{"a.c", 22, 1'000'000'001}));
}

TEST(Follow, GoesAlongWithARename) {
  EXPECT_EQ(followed({"a.c", 7, 0}, straight({renamed("a.c", "b.c")})), (Location{"b.c", 7, 0}));
  // Renamed on both ways from the ancestor, to different names.
  const Moved moved =
      moved_between({}, Comparison{false, {renamed("x.c", "new.c")}}, Comparison{false, {renamed("x.c", "old.c")}});
  EXPECT_EQ(followed({"old.c", 7, 0}, moved), (Location{"new.c", 7, 0}));
  // And not any more: it has the name it had.
  const Moved back = moved_between({}, Comparison{false, {}}, Comparison{false, {renamed("x.c", "old.c")}});
  EXPECT_EQ(followed({"old.c", 7, 0}, back), (Location{"x.c", 7, 0}));
}

TEST(Follow, WhatIsNotToldIsNotFollowed) {
  const ChangedFile binary{"a.bin", "", "modified", 0, ""}, large{"a.sql", "", "modified", 90'000, ""};
  const Moved moved = straight({binary, large});
  EXPECT_EQ(followed({"a.bin", 3, 0}, moved), std::nullopt);
  EXPECT_EQ(followed({"a.sql", 3, 0}, moved), std::nullopt);
  EXPECT_EQ(followed({"a.sql", 0, 0}, moved), (Location{"a.sql", 0, 0}));
}

// GitHub tells of 300 files: of the others nobody knows whether they changed.
TEST(Follow, AComparisonThatWasCutIsNone) {
  Comparison cut{true, {changed("a.c", "@@ -1 +1 @@\n-a\n+b\n")}};
  cut.cut = true;
  const Moved moved = moved_between({changed("a.c", ""), changed("z.c", "")}, cut, std::nullopt);
  EXPECT_TRUE(moved.lost);
  EXPECT_EQ(moved.changed.size(), 2U);
  EXPECT_EQ(followed({"z.c", 3, 0}, moved), std::nullopt);
}

}  // namespace
}  // namespace pawl::review

#include "lifecycles/pr/dispute.h"

#include <gtest/gtest.h>

namespace pawl::pr {
namespace {

using Places = std::vector<std::size_t>;

const std::vector<Beside> kThree = {
    {11, "x leaks", "zzz.py", 9}, {12, "x leaks memory in y", "zzz.py", 30}, {13, "x leaks", "my_file.py", 9}};

TEST(Dispute, QuotationIsOfTheFindingItQuotesAndNoOther) {
  EXPECT_EQ(spoken_of("> `zzz.py:30`\n>\n> **x leaks memory in y** (8/10)\n\nno way", kThree), Places{1});
  EXPECT_EQ(spoken_of("> `my_file.py:9`\n>\n> **x leaks** (8/10)\n\nno way", kThree), Places{2});
  EXPECT_EQ(spoken_of("> `zzz.py:9`\n>\n> **x leaks** (8/10)\n\nno way", kThree), Places{0});
  // Without its place it is said of both that say the same.
  EXPECT_EQ(spoken_of("> **x leaks**\n\nno way", kThree), (Places{0, 2}));
  // Both are quoted.
  EXPECT_EQ(
      spoken_of("> `zzz.py:9`\n>\n> **x leaks** (8/10)\n\nno\n\n> `zzz.py:30`\n>\n> **x leaks memory in y**\n\nno",
                kThree),
      (Places{0, 1}));
  EXPECT_EQ(spoken_of("> `zzz.py:9`: x leaks.\n\nno way", kThree), Places{0}) << "with a mark behind it";
  EXPECT_EQ(spoken_of("> x leaksome\n\nno way", kThree), Places());
  EXPECT_EQ(spoken_of("x leaks, you say?", kThree), Places());
  EXPECT_EQ(spoken_of("```\n> x leaks\n```", kThree), Places());
}

TEST(Dispute, LinkIsOfTheCommentThatItNames) {
  EXPECT_EQ(spoken_of("see https://github.com/o/r/pull/1#issuecomment-12: no", kThree), Places{1});
  EXPECT_EQ(spoken_of("see #issuecomment-123", kThree), Places());
  const std::vector<Beside> lost = {{0, "x leaks", "zzz.py", 9}};
  EXPECT_EQ(spoken_of("see #issuecomment-0", lost), Places());
}

}  // namespace
}  // namespace pawl::pr

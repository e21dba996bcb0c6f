#include "integrations/review_draft.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// A suggestion takes the place of the lines that its comment is on.
TEST(ReviewDraft, AFindingStandsOnAllOfItsLinesOrOnNone) {
  const std::vector<ChangedFile> files = {
      {"a.c", "", "modified", 4, "@@ -1,2 +1,3 @@\n one\n+two\n three\n@@ -20,2 +21,3 @@\n x\n+y\n z\n"}};
  const auto drafted = [&](int line, int end) {
    const std::vector<Json> findings = {{{"severity", "minor"},
                                         {"title", "t"},
                                         {"file", "a.c"},
                                         {"line", line},
                                         {"end_line", end},
                                         {"body", "```suggestion\nx\n```"}}};
    return draft_review(findings, files, "head", {"COMMENT", ""}, {}, {});
  };
  const DraftedReview whole = drafted(1, 3), apart = drafted(2, 22), half = drafted(10, 22);
  ASSERT_EQ(whole.draft.comments.size(), 1U);
  EXPECT_EQ(whole.draft.comments[0].start_line, 1);
  EXPECT_EQ(whole.draft.comments[0].line, 3);
  EXPECT_EQ(apart.in_line, 0U);
  EXPECT_EQ(apart.in_body, 1U);
  EXPECT_EQ(half.in_body, 1U);
}

}  // namespace
}  // namespace pawl

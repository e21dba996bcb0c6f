#include "lifecycles/review/comments.h"

#include <gtest/gtest.h>

namespace pawl::review {
namespace {

FileComment made(int line, const std::string& body, const std::string& time = "2025-01-01T00:00:00Z") {
  return {"a.c", {{"author", "bob"}, {"line", line}, {"body", body}, {"created_at", time}}};
}

TEST(Comments, TwoThatSayTheSameAreTwo) {
  const std::vector<FileComment> both = {made(3, "same"), made(9, "same")};
  const Json there = with_comments(Json::object(), {}, both);
  ASSERT_EQ(there["a.c"].size(), 2U);
  EXPECT_EQ(with_comments(there, {}, both), there);
}

TEST(Comments, OneThatMovedIsTheSameAndALaterOneIsAnother) {
  const std::vector<FileComment> first = {made(3, "same")};
  const Json there = with_comments(Json::object(), {}, first);
  EXPECT_EQ(with_comments(there, {}, std::vector{made(4, "same")}), there);
  const std::vector<FileComment> more = {made(3, "same"), made(3, "same", "2025-02-02T00:00:00Z")};
  EXPECT_EQ(with_comments(there, {}, more)["a.c"].size(), 2U);
}

TEST(Comments, AnEntryOfOthersStaysAsItIs) {
  const Json there{{"a.c", Json::array({{{"author", "bob"}, {"body", "same"}, {"trust_level", "m"}}})}};
  EXPECT_EQ(with_comments(there, {}, std::vector{made(3, "same")}), there);
}

}  // namespace
}  // namespace pawl::review

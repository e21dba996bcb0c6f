#include "integrations/github/read_json.h"

#include <gtest/gtest.h>

namespace pawl::github {
namespace {

TEST(Comments, KeepAllBitsOfTheirIdsAndAllOfTheirText) {
  std::vector<Comment> comments;
  ASSERT_TRUE(read_comments(
      R"([{"id": 18446744073709551615, "body": "a\u0000b\n\ud83d\ude00", "user": {"login": "ann", "id": 1},
                                "author_association": "MEMBER", "created_at": "2024-01-30T09:00:00Z", "extra": [[{}]]},
                               {"id": 9007199254740993, "body": null, "user": null}])",
      comments));
  ASSERT_EQ(comments.size(), 2U);
  EXPECT_EQ(comments[0].id, 18446744073709551615ULL);
  EXPECT_EQ(comments[0].body, std::string("a\0b\n😀", 8));
  EXPECT_EQ(comments[0].author, "ann");
  EXPECT_EQ(comments[0].association, "MEMBER");
  EXPECT_EQ(comments[1].id, 9007199254740993ULL);
  EXPECT_EQ(comments[1].author, "") << "an account that was deleted";
}

TEST(Comments, OfSeveralPagesFollowEachOther) {
  std::vector<Comment> comments;
  ASSERT_TRUE(read_comments(R"([{"id": 1}])", comments));
  ASSERT_TRUE(read_comments("[]", comments));
  ASSERT_TRUE(read_comments(R"([{"id": 2}, {"id": 3}])", comments));
  ASSERT_EQ(comments.size(), 3U);
  EXPECT_EQ(comments[2].id, 3U);
}

TEST(Comments, ThatAreNoneAreAnError) {
  std::string deep(100'000, '[');
  for (const std::string& text :
       {std::string(""), std::string("{}"), std::string("[{\"id\":\"1\"}]"), std::string("[{\"id\":1}"),
        std::string("[{\"id\":-1}]"), std::string("[{\"id\":1}] x"), std::string("[1]"), std::string("[{}]"),
        std::string("<html>"), deep, deep + std::string(100'000, ']'), std::string("[{\"id\":1,\"user\":{}}]"),
        std::string("[{\"id\":1,\"body\":\"\xff\"}]")}) {
    std::vector<Comment> comments;
    const Done read = read_comments(text, comments);
    ASSERT_FALSE(read) << text.substr(0, 40);
    EXPECT_EQ(read.error().code, ErrorCode::unavailable);
  }
}

TEST(ReviewComments, SayWhereTheyStand) {
  std::vector<ReviewComment> comments;
  ASSERT_TRUE(read_review_comments(
      R"([{"id": 5, "pull_request_review_id": 4, "in_reply_to_id": 3, "path": "a.c", "line": 12, "side": "RIGHT",
           "commit_id": "abc", "body": "x", "user": {"login": "bob"}}, {"id": 6, "line": null}])",
      comments));
  ASSERT_EQ(comments.size(), 2U);
  EXPECT_EQ(comments[0].review, 4U);
  EXPECT_EQ(comments[0].in_reply_to, 3U);
  EXPECT_EQ(comments[0].path, "a.c");
  EXPECT_EQ(comments[0].line, 12);
  EXPECT_EQ(comments[1].line, 0);
}

}  // namespace
}  // namespace pawl::github

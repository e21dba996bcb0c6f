#include "lifecycles/pr/answer.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "lifecycles/pr/block.h"

namespace pawl::pr {
namespace {

TEST(Answer, JsonIsFoundOrRefused) {
  EXPECT_TRUE(answer_in(R"( {"answer": "x"} )"));
  EXPECT_TRUE(answer_in("Here it is:\n```json\n{\"answer\": \"x\"}\n```\n"));
  EXPECT_EQ((*answer_in("```json\n{\"a\": 1}\n```\nor\n```json\n{\"a\": 2}\n```\n"))["a"], 2);
  for (const char* bad :
       {"", "  \n", "I think it is fine.", "{\"answer\": ", "[1]", "3", "```json\n{\n```", "```json\n{\"a\": 1}"}) {
    const auto read = answer_in(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code, ErrorCode::invalid_argument);
  }
}

TEST(Answer, ReviewIsCheckedMemberByMember) {
  const auto parse = [](const char* text) { return review_answer(Json::parse(text)); };
  const auto good =
      parse(R"({"findings": [{"path": "a", "line": 3, "finding": "f", "assessment": "a", "score": 10}]})");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->findings[0].line, 3);
  for (const char* bad : {
           R"({})",
           R"({"findings": {}})",
           R"({"findings": [3]})",
           R"({"findings": [{"finding": "f", "assessment": "a"}]})",
           R"({"findings": [{"finding": "f", "assessment": "a", "score": 0}]})",
           R"({"findings": [{"finding": "f", "assessment": "a", "score": 11}]})",
           R"({"findings": [{"finding": "f", "assessment": "a", "score": 2.5}]})",
           R"({"findings": [{"finding": " ", "assessment": "a", "score": 2}]})",
           R"({"findings": [{"finding": "f", "assessment": 4, "score": 2}]})",
           R"({"findings": [{"finding": "f", "assessment": "a", "score": 2, "line": -1}]})",
           R"({"findings": [{"finding": "f", "assessment": "a", "score": 2, "line": 3}]})",
           R"({"findings": [{"path": "a", "finding": "f", "assessment": "a", "score": 2, "side": "UP"}]})",
           R"({"findings": [], "fixed": "all"})",
           R"({"findings": [], "summary": 3})",
       })
    EXPECT_FALSE(parse(bad)) << bad;
  EXPECT_FALSE(dispute_answer(Json::parse(R"({"outcome": "won", "reply": "x"})")));
  EXPECT_FALSE(dispute_answer(Json::parse(R"({"outcome": "concession"})")));
  EXPECT_FALSE(question_answer(Json::parse(R"({"answer": ""})")));
}

TEST(Answer, TextsThatAreTooLongAreCutAndSaySo) {
  const std::string large(70'000, 'x');
  std::string accents;
  for (int i = 0; i < 70'000; ++i) accents += "\u00e9";
  const auto read =
      review_answer({{"findings",
                      {{{"finding", large}, {"assessment", accents}, {"score", 7}},
                       {{"finding", "f"}, {"assessment", "a"}, {"score", 7}, {"path", large}, {"line", 3}}}},
                     {"summary", large}});
  ASSERT_TRUE(read) << read.error().message;
  const NewFinding& first = read->findings[0];
  EXPECT_LE(characters_in(first.finding), 1'100U);
  EXPECT_NE(first.finding.find("shortened: the agent wrote 70000 characters"), std::string::npos);
  EXPECT_TRUE(is_utf8(first.assessment));
  EXPECT_NE(first.assessment.find("shortened"), std::string::npos);
  EXPECT_NE(read->summary.find("shortened"), std::string::npos);
  EXPECT_EQ(read->findings[1].path, "");
  EXPECT_EQ(read->findings[1].line, 0);
  EXPECT_NE(question_answer({{"answer", large}})->find("shortened"), std::string::npos);
}

Finding open_one(const std::string& path, std::int64_t line, const std::string& sentence) {
  Finding known;
  known.status = kPending;
  known.data = {{"path", path}, {"line", line}, {"finding", sentence}};
  return known;
}

TEST(Answer, DuplicatesOfOpenOnesAreOfPlaceAndSubstance) {
  const NewFinding one{"a.c", 10, 0, "RIGHT", "The pointer p may be null here", "x", 5};
  EXPECT_TRUE(is_duplicate(one, open_one("a.c", 12, "Pointer p may be null")));
  EXPECT_FALSE(is_duplicate(one, open_one("a.c", 40, "Pointer p may be null"))) << "another place";
  EXPECT_FALSE(is_duplicate(one, open_one("a.c", 10, "The loop never ends"))) << "another substance";
  EXPECT_FALSE(is_duplicate(one, open_one("b.c", 10, "The pointer p may be null here"))) << "another file";
}

TEST(Answer, SentencesAboutOtherIdentifiersAreOtherFindings) {
  const struct {
    const char* one;
    const char* other;
    bool same;
  } kTable[] = {
      {"delete_user does not check who asks", "delete_team does not check who asks", false},
      {"`remove` is called without the lock held", "`insert` is called without the lock held", false},
      {"deleteUser does not check who asks", "deleteTeam does not check who asks", false},
      {"remove() may be called twice here", "insert() may be called twice here", false},
      {"`limit = 5` is too small for this", "`limit = 50` is too small for this", false},
      {"delete_user does not check who asks", "`delete_user` does not check at all who asks", true},
      {"delete_user does not check who asks", "The function does not check who asks", true},
      {"delete_user does not check who asks", "delete_user() does not check who asks", true},
      {"copy_all and free_all may be called twice", "copy_all may be called twice", true},
  };
  for (const auto& row : kTable) {
    const NewFinding found{"a.c", 10, 0, "RIGHT", row.one, "x", 5};
    EXPECT_EQ(is_duplicate(found, open_one("a.c", 12, row.other)), row.same) << row.one << " / " << row.other;
  }
}

TEST(Answer, OneReviewSaysTheSameTwiceOnlyWithTheSameWordsInTheSamePlace) {
  const NewFinding one{"a.c", 10, 0, "RIGHT", "The admin route has no check at all", "x", 5};
  NewFinding other = one;
  other.assessment = "y";
  other.score = 9;
  EXPECT_TRUE(is_duplicate(one, other));
  other.line = 12;
  EXPECT_FALSE(is_duplicate(one, other));
  other = one;
  other.finding = "The user route has no check at all";
  EXPECT_FALSE(is_duplicate(one, other));
}

}  // namespace
}  // namespace pawl::pr

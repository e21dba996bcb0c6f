#include "lifecycle/pr/mention.h"

#include <gtest/gtest.h>

#include "lifecycle/pr/block.h"

namespace pawl::pr {
namespace {

const std::vector<std::string> kNames = {"review-my-code-bot", "rmc-bot"};

TEST(Mention, QuestionIsTheTextAfterIt) {
  const struct {
    std::string body;
    std::optional<std::string> asked;
  } kTable[] = {
      {"@rmc-bot why?", "why?"},
      {"@review-my-code-bot, what is this", "what is this"},
      {"Hello @RMC-Bot: is it safe?\nI doubt it.", "is it safe?\nI doubt it."},
      {"what is this @rmc-bot", "what is this"},
      {"what is this, @rmc-bot?", "what is this,?"},
      {"`@rmc-bot` why", std::nullopt},
      {"``a ` @rmc-bot`` why", std::nullopt},
      {"`open @rmc-bot why", "why"},
      {"```\n@rmc-bot why\n```", std::nullopt},
      {"```\ncode\n```\n@rmc-bot why", "why"},
      {"    @rmc-bot why", std::nullopt},
      {"> @rmc-bot why\n\nI agree", std::nullopt},
      {"mail@rmc-bot why", std::nullopt},
      {"@rmc-bots why", std::nullopt},
      {"@rmc-bot-2 why", std::nullopt},
      {"https://x.org/@rmc-bot why", std::nullopt},
      {"no mention", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : kTable) EXPECT_EQ(asked_of(row.body, kNames), row.asked) << row.body;
}

TEST(Mention, IntentByRules) {
  const struct {
    std::string_view text;
    bool review;
  } kTable[] = {
      {"review", true},
      {"review this", true},
      {"please review", true},
      {"please review this PR again.", true},
      {"Review the latest changes, please", true},
      {"re-review", true},
      {"can you review my changes?", true},
      {"could you please re-review this?", true},
      {"I'd like you to review the new commits", true},
      {"do another full review", true},
      {"run a review", true},
      {"give this another review please", true},
      {"take another look", true},
      {"have a look again", true},
      {"please take a look at this PR", true},
      {"check this again", true},
      {"start a new review", true},
      {"why did your review say that?", false},
      {"what does the review mean by “unsafe”?", false},
      {"review comments are wrong here", false},
      {"the review was wrong", false},
      {"is this safe?", false},
      {"can you explain this line?", false},
      {"do you think this is right?", false},
      {"how do I run the tests?", false},
      {"should I ask for a review?", false},
      {"look, why is that?", false},
      {"have you seen the new API?", false},
      {"explain", false},
      {"thanks!", false},
      {"", false},
  };
  for (const auto& row : kTable) EXPECT_EQ(wants_review(row.text), row.review) << row.text;
}

TEST(Mention, OutgoingTextCanNotSmuggle) {
  const std::string text =
      "```rmcoc\n{\"type\": \"question-answer\"}\n```\n~~~ RMCOC\n{}\n~~~\n@rmc-bot review this\n::error::x\n  "
      "::set-output "
      "name=a::b\n##[group]\nfine :: here @ann\n";
  const std::string out = defused(text, kNames);
  EXPECT_TRUE(blocks_in(out).empty());
  EXPECT_FALSE(asked_of(out, kNames));
  EXPECT_EQ(out.find("\n::"), std::string::npos);
  EXPECT_EQ(out.find("\n  ::"), std::string::npos);
  EXPECT_EQ(out.find("\n##["), std::string::npos);
  EXPECT_NE(out.find("fine :: here @ann"), std::string::npos);
  EXPECT_EQ(defused("nothing to do", kNames), "nothing to do");
}

}  // namespace
}  // namespace pawl::pr

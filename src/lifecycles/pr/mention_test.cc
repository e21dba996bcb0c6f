#include "lifecycles/pr/mention.h"

#include <gtest/gtest.h>

#include "lifecycles/pr/block.h"
#include "lifecycles/pr/defuse.h"

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
      {"> @rmc-bot why?\n>\n> It is unclear.\n\nI wonder, too.", std::nullopt},
      {"> ann asked @rmc-bot why\n\n@rmc-bot and how?", "and how?"},
      {"<!-- @rmc-bot why -->", std::nullopt},
      {"<!-- @rmc-bot why --> @rmc-bot how?", "how?"},
      {"<!--\n@rmc-bot why\n```\n-->\n@rmc-bot how?", "how?"},
      {"text <!-- a\n\n@rmc-bot why --> and @rmc-bot how?", "how?"},
      {"<!--\n\n@rmc-bot why", std::nullopt},
      {"a <!-- b @rmc-bot why", "why"},
      {"`<!--` @rmc-bot why `-->`", "why `-->`"},
      {"```\n<!--\n```\n@rmc-bot why -->", "why -->"},
      {"<details><summary>more</summary>\n\n@rmc-bot why?\n</details>", "why?\n</details>"},
      {"- ```\n  @rmc-bot why\n  ```\n", std::nullopt},
      {"- ```\n  @rmc-bot why\n  ```\n\n@rmc-bot how?", "how?"},
      {"1.  ```\n    @rmc-bot why\n    ```\n    @rmc-bot how?", "how?"},
      {"- a\n  - ~~~\n    @rmc-bot why\n    ~~~\n- @rmc-bot how?", "how?"},
      {"- ```\n  @rmc-bot why\n\nthe item has ended, @rmc-bot how?", "how?"},
      {"- a\n\n  ```\n  @rmc-bot why\n  ```", std::nullopt},
      {"- a\n\n      @rmc-bot why", std::nullopt},
      {"- a\n  - b\n\n    @rmc-bot how?", "how?"},
      {"10) @rmc-bot how?", "how?"},
      {"- @rmc-bot how?", "how?"},
      {"a paragraph\n    @rmc-bot goes on", "goes on"},
      {"a `span\n@rmc-bot why\n` goes on", std::nullopt},
      {"a `span\n@rmc-bot why` @rmc-bot how?", "how?"},
      {"a `tick\n\n@rmc-bot how `it` works?", "how `it` works?"},
      {"- a `tick\n- @rmc-bot how `it` works?", "how `it` works?"},
      {"<pre>\n@rmc-bot why\n\n@rmc-bot why\n</pre>", std::nullopt},
      {"<PRE lang=\"c\">@rmc-bot why</PRE> @rmc-bot how?", "how?"},
      {"<pre>\n\n@rmc-bot why", std::nullopt},
      {"<code>@rmc-bot why</code>", std::nullopt},
      {"<pre><code>\n@rmc-bot why\n</code></pre>\n\n@rmc-bot how?", "how?"},
      {"<code> @rmc-bot how?", "how?"},
      {"<codes>@rmc-bot how?</code>", "how?</code>"},
      {"`<pre>` @rmc-bot how?", "how?"},
      {"\\`@rmc-bot how?\\`", "how?\\`"},
      {"`a\\` @rmc-bot how?", "how?"},
      {"_@rmc-bot_ how?", "how?"},
      {"*@rmc-bot* how?", "how?"},
      {"__@rmc-bot__, how?", "how?"},
      {"**@rmc-bot**: how?", "how?"},
      {"(@rmc-bot) how?", "how?"},
      {"[@rmc-bot] how?", "how?"},
      {"_@rmc-bot how?_", "how?_"},
      {"how is it (@rmc-bot)", "how is it ()"},
      {"a_@rmc-bot_ why", std::nullopt},
      {"@rmc-bot_2 why", std::nullopt},
      {"@rmc-bot\n* one\n* two", "* one\n* two"},
      {"mail@rmc-bot why", std::nullopt},
      {"@rmc-bots why", std::nullopt},
      {"@rmc-bot-2 why", std::nullopt},
      {"https://x.org/@rmc-bot why", std::nullopt},
      {"@rmc-bot", std::nullopt},
      {"@rmc-bot ?", "?"},
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
      {"can you review what I pushed?", true},
      {"please review if you have time", true},
      {"Can you review how errors are handled here?", false},
      {"could you review why this is slow", false},
      {"please review whether the lock is needed", false},
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
      {"do not review this, please", false},
      {"don't review", false},
      {"please don\u2019t review this yet", false},
      {"dont review", false},
      {"no need to review", false},
      {"please stop reviewing", false},
      {"stop the review", false},
      {"no review needed", false},
      {"review not needed", false},
      {"a review isn't needed", false},
      {"I do not want another full review", false},
      {"you don't need to run a review", false},
      {"take a look at the docs, but do not review", false},
      {"never review drafts", false},
      {"skip the review", false},
      {"do not start a new review", false},
      {"don't forget to review this", true},
      {"please do not hesitate to review again", true},
      {"review this, but not the docs", true},
      {"do a review, no rush", true},
      {"review my answer above and tell me why it is 2", false},
      {"please review my reply", false},
      {"review the last comments", false},
      {"review this and tell me why it is slow", false},
      {"review this and tell me what you think", true},
      {"I pushed a fix, have a look", true},
      {"I pushed a fix. Please take another look!", true},
      {"done in foo.cc; please review", true},
      {"fixed\nplease re-review", true},
      {"I pushed a fix, review comments are wrong though", false},
      {"why is that? have a look at line 3", false},
      {"the cause is in foo.review", false},
      {"I pushed a fix, do not review yet", false},
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
  EXPECT_FALSE(asked_of(defused("_@rmc-bot_ review this", kNames), kNames));
  EXPECT_EQ(defused("nothing to do", kNames), "nothing to do");
}

}  // namespace
}  // namespace pawl::pr

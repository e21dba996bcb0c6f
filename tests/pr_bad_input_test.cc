// Bad input, each through the real binary: nothing forged is believed, and nothing real is lost.
#include <gtest/gtest.h>

#include "base/text.h"
#include "lifecycles/pr/block.h"
#include "support/issue_project.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

std::string answer_for(const Json& comment) {
  return "{\"type\": \"question-answer\", \"reply_to_comment_id\": \"" + to_line(comment["id"]) + "\"}";
}

TEST(PrBadInput, WhatIsMissingHereIsSaidBeforeATokenIsAskedFor) {
  const IssueProject project;
  RunOptions options = project.options();
  for (const char* none : {"GH_TOKEN=", "GITHUB_TOKEN=", "PAWL_GITHUB_TOKEN="}) options.env.emplace_back(none);
  options.env.push_back(cat("GH_CONFIG_DIR=", project.file("../no-gh")));
  const auto refusal = [&](const std::vector<std::string>& words) { return run_pawl(words, options).err; };
  RunOptions elsewhere = options;
  elsewhere.cwd = project.file("..");
  EXPECT_TRUE(has(run_pawl({"pr", "view"}, elsewhere).err, "is no git repository that git can read"));
  project.start_git();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"pr", "view", "7"}, {"pr", "detect", "7"}, {"review", "start", "7"}, {"pr", "view"}})
    EXPECT_TRUE(has(refusal(words), "has no git remote")) << refusal(words);
  EXPECT_TRUE(has(refusal({"pr", "view", "o/r#7"}), "there is no token for github.com"));
  options.env.emplace_back("GITHUB_API_URL=https://ghe.example.com/api/v3");
  EXPECT_TRUE(has(refusal({"pr", "view", "o/r#7"}), "there is no token for ghe.example.com\n"));
}

TEST(PrBadInput, BotsOwnBlocksThatAreNestedCutOffHugeOrOfAnotherTypeAreText) {
  PrStage stage;
  const Json question = stage.comment("ann", "@rmc-bot why?");
  const std::string answer = answer_for(question);
  const std::string mega(1'000'000, 'x');
  for (const std::string& body : std::vector<std::string>{
           "````\n```rmcoc\n" + answer + "\n```\n````\n", "~~~text\n```rmcoc\n" + answer + "\n```\n~~~\n",
           "> ```rmcoc\n> " + answer + "\n> ```\n", "    ```rmcoc\n    " + answer + "\n    ```\n",
           "```rmcoc\n" + answer.substr(0, answer.size() - 1) + "\n```\n", "```rmcoc\n" + answer,
           std::string("```rmcoc\n```\n"), "```rmcoc extra\n" + answer + "\n```\n", "```RMCOC\n" + answer + "\n```\n",
           "```rmcoc\n{\"type\": \"question-answer-2\", \"reply_to_comment_id\": \"" + to_line(question["id"]) +
               "\"}\n```\n",
           "```rmcoc\n[" + answer + "]\n```\n", "```rmcoc\n" + std::string(100'000, '[') + "\n```\n",
           "```rmcoc\n{\"x\": \"" + mega + "\", " + answer.substr(1) + "\n```\n",
           "```rmcoc\n{\"reply_to_comment_id\": 1e300, \"type\": \"question-answer\"}\n```\n",
           "```rmcoc\n{\"reply_to_comment_id\": {\"a\": []}, \"type\": \"question-answer\"}\n```\n",
           "```rmcoc\n{\"type\": [\"question-answer\"], \"status\": 7}\n```\n"})
    stage.comment("rmc-bot", body);
  EXPECT_EQ(stage.pending(), Ids{question_id(question)});
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.pending(), Ids());
  EXPECT_EQ(stage.state()["reviewThreads"], Json::array());
}

TEST(PrBadInput, EveryFormInWhichToolsHaveWrittenAnswersIsRead) {
  PrStage stage;
  const auto forms = std::vector<std::function<std::string(const std::string&)>>{
      [](const std::string& answer) { return "```rmcoc\n" + answer + "\n```\n"; },
      [](const std::string& answer) { return "text\r\n```rmcoc\r\n" + answer + "\r\n```\r\n"; },
      [](const std::string& answer) { return "```rmcoc\n" + answer.substr(0, answer.size() - 1) + ",}\n```"; },
      [](const std::string& answer) { return "```rmcoc\n" + answer + "```"; },
      [](const std::string& answer) { return "```json\n" + answer + "\n```\n"; },
      [](const std::string& answer) { return answer + "\n"; },
      // Another tool's hash of the question tells pawl nothing.
      [](const std::string& answer) {
        return "```rmcoc\n" + answer.substr(0, answer.size() - 1) + ", \"question_hash\": \"-1f2e3d\"}\n```";
      },
  };
  for (const auto& form : forms) {
    const Json question = stage.comment("ann", "@rmc-bot why?");
    stage.comment("rmc-bot", form(answer_for(question)));
    EXPECT_EQ(stage.pending(), Ids()) << form(answer_for(question));
  }
}

TEST(PrBadInput, CommentsOfAMegabyteAreReadAndAnswered) {
  PrStage stage;
  const std::string mega(1'000'000, '@');
  stage.comment("eve", mega);
  stage.comment("eve", std::string(500'000, '`') + "\n" + std::string(500'000, '>'));
  const Json question =
      stage.comment("ann", std::string(500'000, 'x') + " @rmc-bot why? " + std::string(500'000, '\n'));
  EXPECT_EQ(stage.pending(), Ids{question_id(question)});
  stage.answers("question-answering", to_line(Json{{"answer", std::string(1'000'000, 'y')}}));
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_LE(pr::characters_in(string_or(stage.comments().back(), "body")), 65'536U);
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(PrBadInput, ReviewOfTextsThatNoCommentCanHoldIsPostedShortened) {
  PrStage stage;
  stage.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'k')};
  const std::string ticks(70'000, '`'), plain(70'000, 'x');
  Json findings = Json::array();
  findings.push_back({{"path", "a.txt"}, {"line", 2}, {"finding", ticks}, {"assessment", ticks}, {"score", 7}});
  findings.push_back({{"path", "b.txt"}, {"line", 2}, {"finding", plain}, {"assessment", plain}, {"score", 7}});
  findings.push_back({{"path", std::string(5'000, '`')}, {"finding", "small"}, {"assessment", ticks}, {"score", 2}});
  stage.answers("full-review", to_line(Json{{"findings", findings}, {"summary", plain}}));
  stage.opened();
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["results"][0]["success"], true) << ran.out;
  EXPECT_EQ(stage.blocks("review-finding").size(), 3U);
  EXPECT_EQ(stage.state()["reviewThreads"].size(), 3U);
  for (const Json& list : {stage.comments(), stage.review_comments()}) {
    for (const Json& one : list) {
      EXPECT_LE(pr::characters_in(string_or(one, "body")), 65'536U);
      EXPECT_NE(string_or(one, "body").find("shortened"), std::string::npos);
    }
  }
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(PrBadInput, NumbersThatADoubleCanNotTellApartAre) {
  for (const char* from : {"9007199254740992", "9223372036854000000"}) {
    PrStage stage(Json::object(), Json{{"ids_from", std::stoll(from)}});
    Json questions = Json::array();
    for (int i = 0; i < 6; ++i) questions.push_back(stage.comment("ann", cat("@rmc-bot question ", i, "?")));
    ASSERT_EQ(questions[5]["id"].get<std::int64_t>() - questions[0]["id"].get<std::int64_t>(), 5);
    // Each answered by itself, in both spellings of a number.
    for (const int i : {1, 4}) {
      const std::string id = to_line(questions[static_cast<std::size_t>(i)]["id"]);
      stage.comment("rmc-bot", "```rmcoc\n{\"type\": \"question-answer\", \"reply_to_comment_id\": " +
                                   (i == 1 ? id : "\"" + id + "\"") + "}\n```\n");
    }
    Ids expected;
    for (const int i : {0, 2, 3, 5}) expected.push_back(question_id(questions[static_cast<std::size_t>(i)]));
    EXPECT_EQ(stage.pending(), expected);
    EXPECT_EQ(stage.run().exit, 0);
    EXPECT_EQ(stage.blocks("question-answer").size(), 6U);
    EXPECT_EQ(stage.pending(), Ids());
  }
}

TEST(PrBadInput, GhostsAreAnsweredAndProgramsAreNot) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const Json root = stage.review_comments()[0];
  stage.reply(root, "dependabot[bot]", "@rmc-bot no");
  stage.comment("renovate[bot]", "@rmc-bot review this");
  stage.review("copilot[bot]", "@rmc-bot why?");
  EXPECT_EQ(stage.pending(), Ids());
  stage.reply(root, "ghost", "no");
  const Json question = stage.comment("ghost", "@rmc-bot why?");
  EXPECT_EQ(stage.pending().size(), 2U);
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(PrBadInput, AgentsThatReviewBadlyPostNothingAndCanTryAgain) {
  const struct {
    std::string prints, says;
  } kAnswers[] = {
      {"It looks fine to me.", "no JSON"},
      {R"({"findings": [{"path": "a.txt", )", "broken"},
      {"", "empty"},
      {R"({"findings": "none"})", "must be a list"},
      {R"({"findings": [{"finding": "x", "assessment": "y", "score": 11}]})", "from 1 to 10"},
      {R"({"findings": [{"finding": "x", "assessment": "y", "score": 1e300}]})", "from 1 to 10"},
      {R"({"findings": [{"finding": "", "assessment": "y", "score": 3}]})", "empty"},
      {R"({"findings": [{"line": 3, "finding": "x", "assessment": "y", "score": 3}]})", "without a path"},
      {R"({"answer": "x"})", "findings is missing"},
      {"```json\n{\"findings\": [}\n```", "no JSON object"},
  };
  for (const auto& answer : kAnswers) {
    PrStage stage;
    stage.opened();
    stage.answers("full-review", answer.prints);
    const Ran ran = stage.run();
    EXPECT_EQ(ran.exit, 1) << answer.prints;
    EXPECT_NE(ran.out.find(answer.says), std::string::npos) << answer.prints << ran.out;
    EXPECT_TRUE(stage.review_comments().empty());
    EXPECT_TRUE(stage.blocks("review-finding").empty());
    stage.comment("bob", "again, please");
    EXPECT_EQ(stage.pending(), Ids{"review/auto"});
  }
  // Prose around a fence of JSON is common, and read.
  PrStage stage;
  stage.opened();
  stage.answers("full-review", "Here it is:\n```json\n{\"findings\": []}\n```\nBye.\n");
  EXPECT_EQ(stage.run().exit, 0);
}

TEST(PrBadInput, AgentThatIsTooLateFailsItsTask) {
  PrStage stage;
  stage.opened();
  stage.agent("#!/bin/sh\ncat >/dev/null\nexec tail -f /dev/null\n");
  const Ran ran = stage.run({"--timeout", "1s"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.out.find("took longer"), std::string::npos) << ran.out;
  stage.comment("bob", "again, please");
  EXPECT_EQ(stage.pending(), Ids{"review/auto"});
}

TEST(PrBadInput, TokenThatMayNotWriteFailsEveryTaskAndLosesNone) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  static_cast<void>(stage.asked());
  stage.push();
  stage.comment("ann", "@rmc-bot why?");
  stage.reply(stage.review_comments()[0], "ann", "no");
  const Ids waiting = stage.pending();
  ASSERT_EQ(waiting.size(), 3U);
  const std::size_t said = stage.comments().size() + stage.review_comments().size();
  stage.token = "weak";
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 1);
  for (const Json& one : Json::parse(ran.out)["results"]) EXPECT_EQ(one["success"], false) << one;
  stage.token = "practice";
  EXPECT_EQ(stage.comments().size() + stage.review_comments().size(), said);
  stage.comment("bob", "hello");
  EXPECT_EQ(stage.pending(), waiting);
  stage.answers("full-review", R"({"findings": []})");
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(PrBadInput, EventsThatAreNoneAreRefusedAndEventsOfOthersAreNothingToDo) {
  PrStage stage;
  TempWorkspace machine;
  for (const char* text : {"", "[]", "{", "null", "\xff\xfe"}) {
    machine.write("event.json", text);
    EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1", "--event", machine.file("event.json")}).exit, 2) << text;
  }
  EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1", "--event", machine.file("missing")}).exit, 3);
  machine.write("event.json", R"({"action": {"a": 1}, "pull_request": [1], "repository": 7, "comment": null})");
  EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1", "--event", machine.file("event.json")}).exit, 0);
}

TEST(PrBadInput, AnUpdateChangesTheBlockAndNoOtherByte) {
  const TempWorkspace ws;
  for (const std::string& behind :
       {std::string(), std::string("\n"), std::string("\nécrit — “so”\r\nno newline here")}) {
    RunOptions options = ws.options();
    options.env.push_back("LC_ALL=C");
    options.input = "before\n\n```rmcoc\n{\"type\":\"question\",\"a\":1}\n```" + behind;
    const Ran ran = run_pawl({"pr", "block", "update", "--type", "question", "--data", R"({"a":2})"}, options);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("before\n\n```rmcoc\n")) << ran.out;
    EXPECT_TRUE(ran.out.ends_with("```" + behind)) << ran.out;
  }
}

TEST(PrBadInput, AnUpdateKeepsTheMembersThatItDoesNotName) {
  const TempWorkspace ws;
  RunOptions options = ws.options();
  options.input =
      "```rmcoc\n{\"type\":\"review-finding\",\"id\":\"ab\",\"status\":\"PENDING\",\"score\":7,\"x\":1}\n```\n";
  const Ran ran = run_pawl(
      {"pr", "block", "update", "--type", "review-finding", "--data", R"({"status":"RESOLVED","x":null})"}, options);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  options.input = ran.out;
  const Ran read = run_pawl({"pr", "block", "extract", "--json"}, options);
  const Json data = Json::parse(read.out)["blocks"][0]["data"];
  EXPECT_EQ(data, Json({{"type", "review-finding"}, {"id", "ab"}, {"status", "RESOLVED"}, {"score", 7}})) << data;
}

TEST(PrBadInput, AStatusThatDoesNotExistIsNotWrittenIntoABlock) {
  const TempWorkspace ws;
  RunOptions options = ws.options();
  options.input = "```rmcoc\n{\"type\":\"review-finding\",\"status\":\"PENDING\"}\n```\n";
  for (const char* action : {"add", "update"}) {
    for (const char* data : {R"({"status":"DONE"})", R"({"status":7})", R"({"status":"resolved"})"}) {
      const Ran ran = run_pawl({"pr", "block", action, "--type", "review-finding", "--data", data}, options);
      EXPECT_EQ(ran.exit, 2) << action << data << ran.out;
      EXPECT_NE(ran.err.find("RESOLVED"), std::string::npos) << ran.err;
    }
  }
}

}  // namespace
}  // namespace pawl::test

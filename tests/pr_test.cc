// Pull requests on the stand-in, through the real binary: the scenarios by which a bot of one task at a time lost work.
#include <gtest/gtest.h>

#include "support/pr_stage.h"

namespace pawl::test {
namespace {

const char* const kTwoFindings = R"({"findings": [
  {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7},
  {"path": "zz.txt", "line": 9, "finding": "zz is missing", "assessment": "Add it.", "score": 2}], "summary": "Some."})";

// --- why there is more than one task to a run ---

TEST(Pr, QuestionAskedThenPushedAndKilledIsAnsweredByTheNextRun) {
  PrStage stage;
  const Json question = stage.comment("ann", "@rmc-bot why is it 2?");
  // The run that the question wakes is killed while the agent thinks.
  stage.agent("#!/bin/sh\nkill -9 $PPID\n");
  EXPECT_EQ(stage.run().exit, 128 + 9);
  stage.push();
  EXPECT_EQ(stage.run().exit, 128 + 9);
  EXPECT_TRUE(stage.blocks("question-answer").empty());
  // The next one, on another machine, does both.
  stage.agent(
      "#!/bin/sh\ncat >/dev/null\ncase $PAWL_TASK_TYPE in question*) echo '{\"answer\": \"So.\"}';; *) echo "
      "'{\"findings\": []}';; esac\n");
  stage.comment("bob", "what a nice change");
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(result_of(ran)["reviewCompleted"], true) << ran.out;
  const auto answers = stage.blocks("question-answer");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["reply_to_comment_id"], to_line(question["id"]));
  const auto triggers = stage.blocks("auto-review-trigger");
  ASSERT_EQ(triggers.size(), 1U);
  EXPECT_EQ(triggers[0]["sha"], stage.head());
  EXPECT_TRUE(triggers[0].contains("completedAt"));
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(Pr, QuestionThatComesDuringAReviewIsAnsweredByTheSameRun) {
  PrStage stage;
  stage.opened();
  // The agent itself is where the question comes from: while it reviews, somebody asks.
  stage.agent(
      "#!/bin/sh\ncat >/dev/null\ncase $PAWL_TASK_TYPE in question*) echo '{\"answer\": \"So.\"}';; *)\n"
      "curl -s -d '{\"author\": \"ann\", \"body\": \"@rmc-bot and this?\"}' "
      "\"$GITHUB_API_URL/_practice/repos/o/r/issues/1/comments\" >/dev/null\n"
      "echo '{\"findings\": []}';; esac\n");
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(result_of(ran)["totalTasks"], 2) << ran.out;
  EXPECT_EQ(stage.blocks("question-answer").size(), 1U);
}

TEST(Pr, DisputeGoesBeforeQuestionBeforeReview) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  static_cast<void>(stage.asked());
  const Json finding = stage.review_comments()[0];
  stage.push();  // the review is the oldest
  const Json question = stage.comment("ann", "@rmc-bot is it safe?");
  stage.reply(finding, "ann", "No, it is right as it is.");
  const std::string id = stage.blocks("review-finding")[0]["id"];
  EXPECT_EQ(stage.pending(), (Ids{"dispute/" + id, "question/" + id_of(question, "c"), "review/auto"}));
  stage.answers("full-review", R"({"findings": []})");
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 0) << ran.err << ran.out;
  EXPECT_EQ(stage.asked(), (Ids{"dispute/" + id, "question/" + id_of(question, "c"), "review/auto"}));
}

TEST(Pr, TasksOfOneKindGoByAge) {
  PrStage stage;
  const Json first = stage.comment("ann", "@rmc-bot one?");
  const Json second = stage.thread("bob", "@rmc-bot two?");
  const Json third = stage.comment("ann", "@review-my-code-bot three?");
  EXPECT_EQ(stage.pending(),
            (Ids{"question/" + id_of(first, "c"), "question/" + id_of(second, "r"), "question/" + id_of(third, "c")}));
}

// --- detection ---

TEST(Pr, ReviewsAreTriggeredByThreeActions) {
  for (const char* action : {"opened", "synchronize", "ready_for_review"}) {
    PrStage stage;
    stage.event("pull_request",
                {{"action", action}, {"pull_request", {{"number", 1}}}, {"repository", {{"full_name", "o/r"}}}});
    EXPECT_EQ(stage.plan()["tasks"][0]["triggeredBy"], action);
    EXPECT_EQ(stage.plan()["triggeredBy"], std::string("pull_request.") + action);
  }
  PrStage stage;
  stage.event("pull_request",
              {{"action", "labeled"}, {"pull_request", {{"number", 1}}}, {"repository", {{"full_name", "o/r"}}}});
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(Pr, DraftsWaitUntilTheyAreReady) {
  PrStage stage(Json{{"draft", true}});
  stage.opened();
  EXPECT_EQ(stage.pending(), Ids());
  stage.env = {"PAWL_PR_REVIEW_DRAFTS=true"};
  EXPECT_EQ(stage.pending(), Ids{"review/auto"});
}

TEST(Pr, MentionsInCodeAndQuotationsAreNone) {
  PrStage stage;
  stage.comment("ann", "`@rmc-bot why?`");
  stage.comment("ann", "```\n@rmc-bot why?\n```");
  stage.comment("ann", "> @rmc-bot why?\n\nyes");
  stage.comment("ann", "<!-- @rmc-bot why? -->\nHello.");
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(Pr, EditedQuestionIsAnsweredAgainAndDeletedOneIsNot) {
  PrStage stage;
  const Json first = stage.comment("ann", "@rmc-bot why?"), second = stage.comment("ann", "@rmc-bot how?");
  TempWorkspace machine;
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  EXPECT_EQ(stage.blocks("question-answer").size(), 2U);
  stage.edit(first, "@rmc-bot why not?", "ann");
  EXPECT_EQ(stage.pending(), Ids{"question/" + id_of(first, "c")});
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  EXPECT_EQ(stage.blocks("question-answer").size(), 3U);
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  EXPECT_EQ(stage.blocks("question-answer").size(), 3U);
  const Json third = stage.comment("ann", "@rmc-bot when?");
  EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
  stage.remove(third);
  const Ran after = stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"});
  EXPECT_EQ(result_of(after)["tasks"], Json::array()) << after.out;
}

TEST(Pr, AnswerThatSomebodyDeletedIsNotGivenAgainByWhoGaveIt) {
  PrStage stage;
  stage.comment("ann", "@rmc-bot why?");
  TempWorkspace machine;
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  stage.remove(stage.comments().back());
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  EXPECT_TRUE(stage.blocks("question-answer").empty());
}

TEST(Pr, DisputeInAnOutdatedThreadIsStillOne) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  stage.push({{"a.txt", "quite\nanother\ntext\n"}});
  stage.answers("full-review", R"({"findings": []})");
  EXPECT_EQ(stage.run().exit, 1);
  stage.reply(stage.review_comments()[0], "ann", "this is gone now");
  EXPECT_EQ(stage.pending().size(), 1U);
  EXPECT_EQ(stage.run().exit, 0);
}

TEST(Pr, EditedReplyIsANewDispute) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const Json reply = stage.reply(stage.review_comments()[0], "ann", "yes");
  EXPECT_EQ(stage.run().exit, 1);
  EXPECT_EQ(stage.pending(), Ids());
  stage.edit(reply, "yes, because of this", "ann");
  EXPECT_EQ(stage.pending().size(), 1U);
}

TEST(Pr, DisputesEndInThreeWays) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const Json root = stage.review_comments()[0];
  const auto dispute = [&](const char* outcome) {
    stage.answers("dispute-resolution", std::string(R"({"reply": "Well.", "outcome": ")") + outcome + "\"}");
    stage.reply(root, "ann", "no");
    const int exit = stage.run().exit;
    return std::pair(exit, stage.state()["reviewThreads"][0]);
  };
  auto [exit, finding] = dispute("maintained");
  EXPECT_EQ(exit, 1);
  EXPECT_EQ(finding["status"], "DISPUTED");
  EXPECT_EQ(finding["disputes"], 1);
  std::tie(exit, finding) = dispute("concession");
  EXPECT_EQ(exit, 0);
  EXPECT_EQ(finding["status"], "RESOLVED");
  const Json threads = stage.practice.graphql(
      "{repository(owner: \"o\", name: \"r\") {pullRequest(number: 1) {reviewThreads(first: 5) {nodes "
      "{isResolved}}}}}");
  EXPECT_EQ(threads["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"][0]["isResolved"], true);
}

TEST(Pr, DisputeGoesToPeopleInTheEnd) {
  PrStage stage;
  stage.env = {"PAWL_PR_ESCALATE_AFTER=2"};
  stage.answers("full-review", kBlocking);
  stage.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const Json root = stage.review_comments()[0];
  for (const char* status : {"DISPUTED", "DISPUTED", "ESCALATED"}) {
    stage.reply(root, "ann", "but no");
    EXPECT_EQ(stage.run().exit, 1);
    EXPECT_EQ(stage.state()["reviewThreads"][0]["status"], status);
  }
  stage.reply(root, "ann", "still no");
  EXPECT_EQ(stage.pending(), Ids());
}

// --- findings ---

TEST(Pr, FindingsStandOnTheDiffOrBesideItAndAreNotPostedAgain) {
  PrStage stage;
  stage.answers("full-review", kTwoFindings);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  EXPECT_EQ(stage.review_comments().size(), 1U);
  EXPECT_EQ(stage.review_comments()[0]["line"], 2);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U);
  for (const Json& one : stage.blocks("review-finding")) {
    for (const char* member : {"type", "status", "finding", "assessment", "score"})
      EXPECT_TRUE(one.contains(member)) << member;
  }
  stage.push();
  const Ran again = stage.run();
  EXPECT_EQ(again.exit, 1);
  EXPECT_EQ(result_of(again)["results"][0]["issuesFound"], 2);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U);
}

TEST(Pr, FixedFindingsAreResolvedAndTheirBlocksShortened) {
  PrStage stage;
  stage.answers("full-review", kTwoFindings);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const auto before = stage.blocks("review-finding");
  stage.push();
  stage.answers("full-review",
                to_line(Json{{"findings", Json::array()}, {"fixed", {before[0]["id"], before[1]["id"], "unknown"}}}));
  EXPECT_EQ(stage.run().exit, 0);
  for (const Json& one : stage.blocks("review-finding")) {
    EXPECT_EQ(one["status"], "RESOLVED");
    EXPECT_FALSE(one.contains("assessment"));
  }
  // What people read stays.
  EXPECT_NE(string_or(stage.review_comments()[0], "body").find("Write two."), std::string::npos);
}

TEST(Pr, RunOnAnOlderHeadPostsNothingOverANewerOne) {
  for (const bool force : {false, true}) {
    PrStage stage;
    stage.opened();
    // While the agent reviews the first head for the first time, somebody pushes.
    stage.agent(
        std::string("#!/bin/sh\nhere=$(dirname \"$0\")\ncat >/dev/null\nif mkdir \"$here/once\" 2>/dev/null; then\n"
                    "curl -s -d '{}' \"$GITHUB_API_URL/_practice/repos/o/r/pulls/1/") +
        (force ? "force-push" : "push") + "\" >/dev/null\necho '" + kTwoFindings +
        "'\nelse echo '{\"findings\": []}'; fi\n");
    const Ran ran = stage.run();
    EXPECT_EQ(ran.exit, 0) << ran.err << ran.out;
    EXPECT_TRUE(stage.blocks("review-finding").empty());
    ASSERT_EQ(stage.blocks("auto-review-trigger").size(), 1U);
    EXPECT_EQ(stage.blocks("auto-review-trigger")[0]["sha"], stage.head());
    EXPECT_EQ(stage.pending(), Ids());
  }
}

// --- for those who bring their own reviewer ---

TEST(Pr, StepsByHandAreWhatTheRunDoes) {
  PrStage stage;
  stage.opened();
  TempWorkspace machine;
  const auto pawl = [&](std::vector<std::string> words, const std::string& input = {}) {
    words.insert(words.begin(), "pr");
    return stage.pawl(machine, words, input);
  };
  EXPECT_EQ(pawl({"finish", "review/auto", "--pr", "o/r#1", "--result", "-"}, R"({"findings": []})").exit, 4)
      << "not begun";
  EXPECT_EQ(pawl({"begin", "review/auto", "--pr", "o/r#1"}).exit, 0);
  EXPECT_EQ(pawl({"fail", "review/auto", "--pr", "o/r#1", "--reason", "busy"}).exit, 0);
  EXPECT_EQ(pawl({"begin", "review/auto", "--pr", "o/r#1"}).exit, 0);
  EXPECT_EQ(pawl({"finish", "review/auto", "--pr", "o/r#1", "--result", "-"}, "prose").exit, 2);
  EXPECT_EQ(pawl({"finish", "review/auto", "--pr", "o/r#1", "--result", "-"}, kTwoFindings).exit, 0);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U);
  const Ran late = pawl({"begin", "review/auto", "--pr", "o/r#1"});
  EXPECT_EQ(late.exit, 1);
  EXPECT_NE(late.err.find("finished already: it is COMPLETED"), std::string::npos) << late.err;
  const Json request = stage.comment("ann", "@rmc-bot review again");
  EXPECT_EQ(pawl({"dismiss", "review/" + id_of(request, "c"), "--pr", "o/r#1", "--reason", "by hand"}).exit, 0);
  EXPECT_EQ(stage.blocks("manual-pr-review")[0]["reason"], "by hand");
  const Json question = stage.comment("ann", "@rmc-bot why?");
  EXPECT_EQ(pawl({"dismiss", "question/" + id_of(question, "c"), "--pr", "o/r#1"}).exit, 1);
}

TEST(Pr, DryRunPostsNothing) {
  PrStage stage;
  stage.comment("ann", "@rmc-bot why?");
  const Ran ran = stage.run({"--dry-run"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(result_of(ran)["tasks"].size(), 1U);
  EXPECT_EQ(stage.comments().size(), 1U);
  EXPECT_TRUE(stage.asked().empty());
}

TEST(Pr, AnAgentMayDecideWhatIsWanted) {
  PrStage stage;
  stage.comment("ann", "@rmc-bot shoot");
  TempWorkspace machine;
  machine.write("intent", "#!/bin/sh\ncat >/dev/null\necho x >>\"$0.asked\"\necho '{\"intent\": \"review\"}'\n");
  stage.env = {"PAWL_PR_INTENT_AGENT=sh " + machine.file("intent")};
  for (int i = 0; i < 3; ++i) {
    const Ran ran = stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"});
    EXPECT_EQ(result_of(ran)["tasks"][0]["isManual"], true) << ran.out << ran.err;
  }
  EXPECT_EQ(machine.read("intent.asked"), "x\n");  // once for a text
}

// --- speed ---

TEST(Pr, AFindingAboutNoFileHasNoPlace) {
  PrStage stage;
  stage.opened();
  stage.answers("full-review", R"({"findings": [{"finding": "No tests", "assessment": "None at all.", "score": 3}]})");
  EXPECT_EQ(stage.run().exit, 0);
  const TempWorkspace machine;
  const std::string state = stage.pawl(machine, {"pr", "state", "o/r#1"}).out;
  EXPECT_NE(state.find("3/10  No tests"), std::string::npos) << state;
}

TEST(Pr, DetectionWithNothingNewMakesFewRequests) {
  PrStage stage;
  stage.practice.control("POST", "/repos/o/r/issues/1/comments",
                         {{"author", "bob"}, {"body", "n"}, {"count", 1234}, {"created_at", "2024-01-30T09:00:00Z"}});
  stage.comment("bob", "the newest one");
  TempWorkspace machine;
  const auto requests = [&] {
    stage.practice.control("DELETE", "/requests");
    EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
    return stage.practice.requests().size();
  };
  EXPECT_GT(requests(), 12U);
  EXPECT_LE(requests(), 4U);
  for (int i = 0; i < 101; ++i) stage.thread("bob", "t");
  EXPECT_LE(requests(), 5U);
  EXPECT_LE(requests(), 5U);
  // What is new, what was edited and what is gone are found all the same.
  const Json late = stage.comment("ann", "@rmc-bot why?");
  EXPECT_LE(requests(), 5U);
  EXPECT_EQ(result_of(stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"}))["tasks"].size(), 1U);
  stage.edit(late, "never mind", "ann");
  EXPECT_EQ(result_of(stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"}))["tasks"].size(), 0U);
  stage.edit(late, "@rmc-bot why?", "ann");
  EXPECT_EQ(result_of(stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"}))["tasks"].size(), 1U);
  stage.remove(late);
  EXPECT_EQ(result_of(stage.pawl(machine, {"pr", "detect", "o/r#1", "--json"}))["tasks"].size(), 0U);
  EXPECT_LE(requests(), 5U);
}

}  // namespace
}  // namespace pawl::test

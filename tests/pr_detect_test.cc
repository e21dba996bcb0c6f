// What is found pending, where it is easily overlooked: in the texts of reviews, on drafts, after a run that died
// before it had written anything, and about findings that stand beside the diff.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

const char* const kBeside = R"({"findings": [
  {"path": "zz.txt", "line": 9, "finding": "zz is **missing** here", "assessment": "Add it.", "score": 7}]})";

// --- texts of reviews ---

TEST(PrDetect, EventOfAnotherPullRequestDoesNotCountForTheOneThatIsNamed) {
  PrStage stage;
  TempWorkspace machine;
  const auto event = [](int number, const char* repository) {
    return Json{
        {"action", "opened"}, {"pull_request", {{"number", number}}}, {"repository", {{"full_name", repository}}}};
  };
  const auto detect = [&] {
    return stage.pawl(machine, {"pr", "detect", "o/r#1", "--event", machine.file("event.json"), "--json"});
  };
  for (const auto& [number, repository] : {std::pair{2, "o/r"}, std::pair{1, "o/other"}}) {
    machine.write("event.json", to_line(event(number, repository)));
    const Ran ran = detect();
    EXPECT_EQ(result_of(ran)["tasks"], Json::array()) << ran.out;
    EXPECT_TRUE(has(ran.err, cat("the event is about ", repository, "#", number))) << ran.err;
  }
  stage.event("pull_request", event(2, "o/r"));  // as GitHub Actions tells of it
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(stage.blocks("auto-review-trigger").empty());
  machine.write("event.json", to_line(event(1, "O/R")));
  EXPECT_EQ(result_of(detect())["tasks"].size(), 1U) << "GitHub does not tell names by their case";
}

TEST(PrDetect, MentionInTheTextOfAReviewIsAnsweredOnce) {
  for (const char* key : {"", "k"}) {
    PrStage stage;
    stage.env = {cat("PAWL_BLOCK_KEY=", *key == '\0' ? std::string() : kKey)};
    const Json review = stage.review("bob", "Nearly there.\n\n@rmc-bot why is it 2?");
    const Json plan = stage.plan();
    ASSERT_EQ(plan["tasks"].size(), 1U);
    EXPECT_EQ(plan["tasks"][0]["id"], id_of(review, "question/v"));
    EXPECT_EQ(plan["tasks"][0]["questionContext"]["question"], "why is it 2?");
    EXPECT_EQ(plan["tasks"][0]["questionContext"]["source"], "review");
    EXPECT_EQ(stage.run().exit, 0);
    ASSERT_EQ(stage.blocks("question-answer").size(), 1U);
    EXPECT_EQ(stage.blocks("question-answer")[0]["reply_to_review_id"], to_line(review["id"]));
    EXPECT_EQ(stage.pending(), Ids());
    stage.edit_review(review, "@rmc-bot why is it not 3?", "bob");
    EXPECT_EQ(stage.pending(), Ids{id_of(review, "question/v")});
  }
}

TEST(PrDetect, ReviewAskedForInTheTextOfAReviewIsDoneOrDismissed) {
  PrStage stage;
  const Json first = stage.review("bob", "@rmc-bot please review this again");
  EXPECT_EQ(stage.pending(), Ids{id_of(first, "review/v")});
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.blocks("manual-pr-review")[0]["reply_to_review_id"], to_line(first["id"]));
  EXPECT_EQ(stage.pending(), Ids());
  const Json second = stage.review("bob", "@rmc-bot please review this again");
  stage.push();
  EXPECT_EQ(stage.plan()["dismissedManualReviews"], Json::array({id_of(second, "v")}));
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.state()["manualReviewRequests"][1]["status"], "DISMISSED_BY_AUTO_REVIEW");
}

TEST(PrDetect, EveryReviewIsReadHoweverManyThereAre) {
  PrStage stage;
  const Json first = stage.review("bob", "@rmc-bot one?");
  for (int i = 0; i < 120; ++i) stage.review("bob", "fine");
  const Json last = stage.review("bob", "@rmc-bot two?");
  stage.review("rmc-bot", "@rmc-bot am I asking myself?");
  EXPECT_EQ(stage.pending(), (Ids{id_of(first, "question/v"), id_of(last, "question/v")}));
}

// --- drafts ---

TEST(PrDetect, ReviewsByTheHundredCostNoMoreThanFourRequests) {
  PrStage stage;
  TempWorkspace machine;
  const auto requests = [&] {
    EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
    stage.practice.control("DELETE", "/requests");
    EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
    return stage.practice.requests().size();
  };
  // Each comment in a thread is a review of its own.
  for (int i = 0; i < 99; ++i) stage.thread("bob", "t");
  EXPECT_LE(requests(), 3U);
  int said = 99;
  const auto until = [&](int count) {
    for (; said < count; ++said) stage.review("bob", cat("n", said));
  };
  until(200);
  EXPECT_LE(requests(), 3U) << "both ends meet";
  const Json middle = stage.review("ann", "@rmc-bot why?");
  until(399);
  EXPECT_LE(requests(), 4U);
  EXPECT_EQ(stage.pending(), Ids{id_of(middle, "question/v")});
}

TEST(PrDetect, DraftIsReviewedWhenItIsReadyAndOnlyOnce) {
  PrStage stage(Json{{"draft", true}});
  stage.opened();
  EXPECT_EQ(stage.run().exit, 0);
  stage.push();
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_TRUE(stage.asked().empty()) << "a draft is not reviewed by itself";
  // Whoever asks is answered, on a draft too.
  const Json asked = stage.comment("ann", "@rmc-bot review this");
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.asked(), Ids{id_of(asked, "review/c")});
  stage.ready();
  const Json plan = stage.plan();
  ASSERT_EQ(plan["tasks"].size(), 1U);
  EXPECT_EQ(plan["tasks"][0]["triggeredBy"], "ready_for_review");
  EXPECT_EQ(plan["tasks"][0]["isManual"], false);
  // That run is killed; a comment wakes the next.
  stage.agent("#!/bin/sh\nkill -9 $PPID\n");
  EXPECT_EQ(stage.run().exit, 128 + 9);
  stage.comment("bob", "is it done?");
  const Json resumed = stage.plan();
  ASSERT_EQ(resumed["tasks"].size(), 1U);
  EXPECT_EQ(resumed["tasks"][0]["triggeredBy"], "ready_for_review");
  EXPECT_EQ(resumed["tasks"][0]["resumingCancelled"], true);
  // A draft again, it waits; ready again, it goes on.
  stage.ready(false);
  EXPECT_EQ(stage.pending(), Ids());
  stage.ready();
  stage.agent("#!/bin/sh\ncat >/dev/null\necho '{\"findings\": []}'\n");
  EXPECT_EQ(stage.run().exit, 0);
  stage.ready(false);
  stage.ready();
  EXPECT_EQ(stage.pending(), Ids()) << "this head is reviewed";
}

// --- runs that died before they had written anything ---

TEST(PrDetect, PushWhoseRunNeverReachedGitHubIsNotForgottenByThisMachine) {
  PrStage stage;
  TempWorkspace machine;
  stage.push();
  stage.env = {"GITHUB_API_URL=http://127.0.0.1:1"};
  const Ran unreached = stage.run_on(machine);
  EXPECT_EQ(unreached.exit, 5);
  EXPECT_TRUE(has(unreached.err, " at http://127.0.0.1:1: no answer")) << unreached.err;
  stage.env.clear();
  stage.comment("bob", "hello");
  const Ran ran = stage.run_on(machine);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(stage.asked(), Ids{"review/auto"});
  EXPECT_EQ(stage.blocks("auto-review-trigger")[0]["action"], "synchronize");
  // An event that comes late asks for nothing that is done.
  stage.event("pull_request", {{"action", "synchronize"},
                               {"pull_request", {{"number", 1}, {"head", {{"sha", std::string(40, 'a')}}}}},
                               {"repository", {{"full_name", "o/r"}}}});
  EXPECT_EQ(stage.run_on(machine).exit, 0);
  EXPECT_TRUE(stage.asked().empty());
}

class PrLostPush : public testing::Test {
 protected:
  PrLostPush() {
    stage_.env = {"GITHUB_ACTIONS=true", "GITHUB_WORKFLOW_REF=o/r/.github/workflows/pawl.yml@refs/heads/main"};
  }
  Ids pending_after(const Json& run) {
    stage_.practice.control("POST", "/repos/o/r/pulls/1/runs", run);
    stage_.comment("bob", "hello");
    return stage_.pending();
  }
  PrStage stage_;
};

TEST_F(PrLostPush, RunThatWasCancelledAtOnceIsKnownToGitHubAndItsReviewIsDone) {
  EXPECT_EQ(pending_after({{"path", ".github/workflows/tests.yml"}, {"conclusion", "cancelled"}}), Ids());
  EXPECT_EQ(pending_after({{"path", ".github/workflows/pawl.yml"}, {"conclusion", "success"}}), Ids());
  EXPECT_EQ(pending_after({{"path", ".github/workflows/pawl.yml"}, {"conclusion", "skipped"}}), Ids());
  EXPECT_EQ(
      pending_after({{"path", ".github/workflows/pawl.yml"}, {"event", "issue_comment"}, {"conclusion", "cancelled"}}),
      Ids());
  EXPECT_EQ(pending_after({{"path", ".github/workflows/pawl.yml"}, {"conclusion", "cancelled"}}), Ids{"review/auto"});
  EXPECT_EQ(stage_.run().exit, 0);
  EXPECT_EQ(stage_.asked(), Ids{"review/auto"});
  EXPECT_EQ(stage_.pending(), Ids());
}

TEST_F(PrLostPush, DraftsAreLookedForWhereTheyAreReviewed) {
  stage_.ready(false);
  const Json died = {{"path", ".github/workflows/pawl.yml"}, {"conclusion", "cancelled"}};
  EXPECT_EQ(pending_after(died), Ids());
  stage_.env.emplace_back("PAWL_PR_REVIEW_DRAFTS=true");
  EXPECT_EQ(pending_after(died), Ids{"review/auto"});
}

TEST_F(PrLostPush, TokenThatMayNotSeeRunsIsToldAndStopsNothing) {
  stage_.practice.fault({{"path", "/actions/runs"}, {"kind", "status"}, {"status", 403}, {"times", -1}});
  const Json question = stage_.comment("ann", "@rmc-bot why?");
  const Ran ran = stage_.run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.err.find("actions: read"), std::string::npos) << ran.err;
  EXPECT_EQ(stage_.asked(), Ids{id_of(question, "question/c")});
}

TEST_F(PrLostPush, AskingForRunsStaysWithinFourRequests) {
  stage_.comment("bob", "hello");
  TempWorkspace machine;
  EXPECT_EQ(stage_.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
  stage_.practice.control("DELETE", "/requests");
  EXPECT_EQ(stage_.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
  EXPECT_LE(stage_.practice.requests().size(), 4U);
}

// --- findings beside the diff ---

class PrBeside : public testing::Test {
 protected:
  PrBeside() {
    stage_.env = {"PAWL_BLOCK_KEY=" + kKey};
    stage_.answers("full-review", kBeside);
    stage_.opened();
    EXPECT_EQ(stage_.run().exit, 1);
    EXPECT_TRUE(stage_.review_comments().empty());
    for (const Json& one : stage_.comments()) {
      if (string_or(one, "body").find("zz is") != std::string::npos) finding_ = one;
    }
    id_ = stage_.blocks("review-finding")[0]["id"];
    static_cast<void>(stage_.asked());
  }
  PrStage stage_;
  Json finding_;
  std::string id_;
};

TEST_F(PrBeside, QuotingItDisputesItAndTheAnswerIsGivenOnce) {
  stage_.comment("bob", "zz is missing here, says the bot; I have no opinion");
  EXPECT_EQ(stage_.pending(), Ids());
  const Json reply =
      stage_.comment("ann", "> **zz is missing here** (7/10)\n>\n> Add it.\n\nIt is not needed, @rmc-bot.");
  const Json plan = stage_.plan();
  ASSERT_EQ(plan["tasks"].size(), 1U) << plan.dump();
  EXPECT_EQ(plan["tasks"][0]["id"], "dispute/" + id_);
  EXPECT_EQ(plan["tasks"][0]["priority"], 1);
  EXPECT_EQ(plan["tasks"][0]["conversationHistory"].size(), 2U);
  stage_.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "It is needed."})");
  EXPECT_EQ(stage_.run().exit, 1);
  EXPECT_EQ(stage_.pending(), Ids());
  EXPECT_EQ(stage_.state()["reviewThreads"][0]["status"], "DISPUTED");
  ASSERT_EQ(stage_.blocks("dispute-resolution").size(), 1U);
  EXPECT_EQ(stage_.blocks("dispute-resolution")[0]["reply_to_comment_id"], to_line(reply["id"]));
  // Edited, it is a new one.
  stage_.edit(reply, "> zz is missing here\n\nIt is not needed, because of this.", "ann");
  EXPECT_EQ(stage_.pending(), Ids{"dispute/" + id_});
  stage_.answers("dispute-resolution", R"({"outcome": "concession", "reply": "You are right."})");
  EXPECT_EQ(stage_.run().exit, 0) << "the gate is open";
  EXPECT_EQ(stage_.state()["reviewThreads"][0]["status"], "RESOLVED");
  EXPECT_EQ(stage_.blocks("review-finding")[0]["status"], "RESOLVED");
  stage_.comment("ann", "> zz is missing here\n\nthanks");
  EXPECT_EQ(stage_.pending(), Ids());
}

TEST_F(PrBeside, LinkingToItDisputesIt) {
  const std::string link = "https://github.com/o/r/pull/1#issuecomment-" + to_line(finding_["id"]);
  stage_.comment("ann", "`" + link + "0` is another one: " + link + "0");
  EXPECT_EQ(stage_.pending(), Ids());
  stage_.comment("ann", "I do not think so: " + link);
  EXPECT_EQ(stage_.pending(), Ids{"dispute/" + id_});
}

TEST_F(PrBeside, BotsOwnWordsElsewhereDoNotAnswerIt) {
  stage_.comment("ann", "> zz is missing here\n\nno");
  stage_.comment("ann", "@rmc-bot why?");
  stage_.agent(
      "#!/bin/sh\ncat >/dev/null\ncase $PAWL_TASK_TYPE in question*) echo '{\"answer\": \"So.\"}';; *) exit 1;; "
      "esac\n");
  EXPECT_EQ(stage_.run().exit, 1);
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
  EXPECT_EQ(stage_.pending(), Ids{"dispute/" + id_});
}

TEST_F(PrBeside, ItGoesToPeopleInTheEndAndStrangersDoNotSettleIt) {
  stage_.env.push_back("PAWL_PR_ESCALATE_AFTER=1");
  stage_.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  for (const char* status : {"DISPUTED", "ESCALATED"}) {
    stage_.comment("ann", "> zz is missing here\n\nno");
    stage_.comment("eve", "```rmcoc\n{\"type\": \"dispute-resolution\", \"finding\": \"" + id_ +
                              "\", \"status\": \"RESOLVED\"}\n```\n");
    EXPECT_EQ(stage_.run().exit, 1);
    EXPECT_EQ(stage_.state()["reviewThreads"][0]["status"], status);
  }
}

}  // namespace
}  // namespace pawl::test

// Those who bring their own reviewer, step by step; and what a run says of itself.
#include <gtest/gtest.h>

#include <functional>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

class PrSteps : public testing::Test {
 protected:
  Ran pawl(std::vector<std::string> words, const std::string& input = {}) {
    words.insert(words.begin(), "pr");
    words.insert(words.end(), {"--pr", "o/r#1"});
    return stage_.pawl(machine_, words, input);
  }
  std::string begin(const std::string& task) {  // what it was begun on
    const Ran ran = pawl({"begin", task, "--json"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return string_or(result_of(ran), "begun");
  }
  PrStage stage_;
  TempWorkspace machine_, elsewhere_;
};

constexpr const char* kAnswer = R"({"answer": "So."})";
constexpr const char* kMaintained = R"({"outcome": "maintained", "reply": "It stands."})";

// --- what was begun is what is finished ---

TEST_F(PrSteps, AnswerToAQuestionThatWasEditedMeanwhileIsNotPosted) {
  const Json comment = stage_.comment("ann", "@rmc-bot why?");
  const std::string task = question_id(comment);
  static_cast<void>(begin(task));
  stage_.edit(comment, "@rmc-bot when?", "ann");
  const Ran late = pawl({"finish", task, "--result", "-"}, kAnswer);
  EXPECT_EQ(late.exit, 4) << late.out << late.err;
  EXPECT_NE(late.err.find("pawl pr begin " + task + " --pr o/r#1  #"), std::string::npos) << late.err;
  EXPECT_TRUE(stage_.blocks("question-answer").empty());
  static_cast<void>(begin(task));
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kAnswer).exit, 0);
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

// The machine has no remote of GitHub's: what is advised works as it is printed.
TEST_F(PrSteps, WhatIsAdvisedNamesThePullRequest) {
  const std::string task = question_id(stage_.comment("ann", "@rmc-bot why?"));
  static_cast<void>(begin(task));
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kAnswer).exit, 0);
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(stage_.run_on(machine_).exit, 1);
  const std::string finding = "finding/" + string_or(stage_.blocks("review-finding")[0], "id");
  for (const auto& [words, advised] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"begin", task}, "pawl pr state o/r#1  #"},
           {{"begin", "question/c1"}, "pawl pr state o/r#1  #"},
           {{"dismiss", finding}, "pawl pr dismiss " + finding + " --pr o/r#1 --reason TEXT"},
           {{"dismiss", "finding/0123456789ab", "--reason", "x"}, "pawl pr state o/r#1  #"}}) {
    const Ran ran = pawl(words);
    EXPECT_NE(ran.exit, 0) << ran.out;
    EXPECT_TRUE(has(ran.err, advised)) << ran.err;
  }
  EXPECT_EQ(pawl({"dismiss", finding, "--reason", "so"}).exit, 0);
  const Ran again = pawl({"dismiss", finding, "--reason", "otherwise"});
  EXPECT_EQ(again.exit, 0) << "it is, and stays so";
  EXPECT_TRUE(has(again.out, "dismissed already") && has(again.out, "was not said")) << again.out;
  EXPECT_FALSE(has(pawl({"dismiss", finding}).out, "was not said"));
  for (const auto& [what, why] : {std::pair{std::string("review/auto"), "an automatic review is not opened again"},
                                  std::pair{task, "is a question"}}) {
    const Ran ran = pawl({"reopen", what, "--reason", "x"});
    EXPECT_EQ(ran.exit, 1) << ran.err;
    EXPECT_TRUE(has(ran.err, why)) << ran.err;
  }
}

TEST_F(PrSteps, AnswerSaysWhichQuestionItIsTo) {
  const Json comment = stage_.comment("ann", "@rmc-bot why is it 2? @bob may know.\nMore words.");
  const std::string task = question_id(comment);
  static_cast<void>(begin(task));
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kAnswer).exit, 0);
  const std::string body = string_or(stage_.comments().back(), "body");
  EXPECT_TRUE(body.starts_with("> ")) << body;
  EXPECT_NE(body.find("why is it 2?"), std::string::npos) << body;
  EXPECT_NE(body.find("\n\nSo."), std::string::npos) << body;
  EXPECT_EQ(body.find("@bob"), std::string::npos) << "nobody is called again";
  EXPECT_EQ(body.find("More words"), std::string::npos) << body;
}

TEST_F(PrSteps, AnswerToADisputeThatWentOnMeanwhileIsNotPosted) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(stage_.run_on(machine_).exit, 1);
  const Json root = stage_.review_comments()[0];
  const std::string id = string_or(stage_.blocks("review-finding")[0], "id"), task = "dispute/" + id;
  const Json first = stage_.reply(root, "ann", "no");
  // By the name that `pawl pr state` shows too, and by the one that `pawl pr dismiss` takes.
  ASSERT_TRUE(has(stage_.pawl(machine_, {"pr", "state", "o/r#1"}).out, "pr-finding/" + id));
  for (const std::string& name : {"finding/" + id, "pr-finding/" + id}) static_cast<void>(begin(name));
  stage_.edit(first, "no, for another reason", "ann");
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kMaintained).exit, 4);
  static_cast<void>(begin(task));
  stage_.reply(root, "bob", "look here");
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kMaintained).exit, 4);
  EXPECT_TRUE(stage_.blocks("dispute-resolution").empty());
  static_cast<void>(begin(task));
  EXPECT_EQ(pawl({"finish", task, "--result", "-"}, kMaintained).exit, 0);
  EXPECT_EQ(stage_.blocks("dispute-resolution").size(), 1U);
}

// Two reviewers at once, the second on a newer head: the first one's answer is about code that is no more.
TEST_F(PrSteps, AnswerOfAnEarlierBeginIsNotPostedOverALaterOne) {
  stage_.opened();
  const std::string before = begin("review/auto");
  ASSERT_NE(before, "");
  stage_.push();
  const std::string after = begin("review/auto");
  EXPECT_NE(before, after);
  const Ran late = pawl({"finish", "review/auto", "--begun", before, "--result", "-"}, kBlocking);
  EXPECT_EQ(late.exit, 4) << late.out << late.err;
  EXPECT_TRUE(stage_.blocks("review-finding").empty());
  const Ran ran = pawl({"finish", "review/auto", "--begun", after, "--result", "-"}, R"({"findings": []})");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(stage_.pending(), Ids());
}

// --- what is said is true ---

TEST_F(PrSteps, DismissedByAPersonSaysSo) {
  const Json request = stage_.comment("ann", "@rmc-bot please review");
  EXPECT_EQ(pawl({"dismiss", "review/" + id_of(request, "c"), "--reason", "reviewed by hand"}).exit, 0);
  EXPECT_EQ(stage_.blocks("manual-pr-review").at(0)["dismissedBy"], "person");
  EXPECT_EQ(stage_.blocks("manual-pr-review").at(0)["reason"], "reviewed by hand");
  for (const TempWorkspace& where : {std::cref(machine_), std::cref(elsewhere_)}) {
    const Ran shown = stage_.pawl(where, {"pr", "state", "o/r#1"});
    EXPECT_TRUE(has(shown.out, "(dismissed by a person: reviewed by hand)")) << shown.out;
  }
  const Json request_shown = stage_.state()["manualReviewRequests"][0];
  EXPECT_EQ(request_shown["status"], "DISMISSED_BY_AUTO_REVIEW");
  EXPECT_EQ(request_shown["dismissedBy"], "person");
}

TEST_F(PrSteps, DismissedByAReviewOfNoNewCommitsDoesNotSpeakOfThem) {
  stage_.comment("ann", "@rmc-bot please review");
  stage_.opened();
  EXPECT_EQ(stage_.run().exit, 0);
  const Json block = stage_.blocks("manual-pr-review").at(0);
  EXPECT_EQ(block["dismissedBy"], "auto-review");
  EXPECT_EQ(string_or(block, "reason").find("commits"), std::string::npos) << block;
}

TEST_F(PrSteps, RunWithoutAResultSaysWhy) {
  stage_.opened();
  // Whatever is reviewed is not the head any more when the review is done.
  stage_.agent(
      "#!/bin/sh\ncat >/dev/null\ncurl -s -d '{}' \"$GITHUB_API_URL/_practice/repos/o/r/pulls/1/push\" >/dev/null\n"
      "echo '{\"findings\": []}'\n");
  stage_.env = {"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + machine_.file("summary")};
  const Ran ran = stage_.pawl(machine_, {"pr", "run", "o/r#1"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.out, "::error::the head is not reviewed yet\nthe head is not reviewed yet\n");
  const std::string summary = machine_.read("summary").value_or("");
  EXPECT_EQ(summary.find("nothing was pending"), std::string::npos) << summary;
  EXPECT_NE(summary.find("the head is not reviewed yet"), std::string::npos) << summary;
}

TEST_F(PrSteps, RunWhoseTaskAnotherOneDidSaysSo) {
  const Json question = stage_.comment("ann", "@rmc-bot why?");
  // While the agent thinks, somebody takes the question back.
  stage_.agent(cat("#!/bin/sh\ncat >/dev/null\ncurl -s -X DELETE -H 'Authorization: Bearer practice' ",
                   "\"$GITHUB_API_URL/repos/o/r/issues/comments/", to_line(question["id"]), "\" >/dev/null\necho '",
                   kAnswer, "'\n"));
  const Ran ran = stage_.pawl(machine_, {"pr", "run", "o/r#1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "what was pending has changed or was done by another run\n");
}

TEST_F(PrSteps, WarningOfARequestedReviewIsNotGivenForAnother) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(stage_.run().exit, 1);
  // The next one finds it again, while somebody disputes it; the same run concedes.
  stage_.push();
  const Json reply = {{"to", stage_.review_comments()[0]["id"]}, {"author", "ann"}, {"body", "it is meant so"}};
  stage_.agent(cat("#!/bin/sh\nhere=$(dirname \"$0\")\ncat >/dev/null\n", "case $PAWL_TASK_TYPE in full*) curl -s -d '",
                   to_line(reply), "' \"$GITHUB_API_URL/_practice/repos/o/r/pulls/1/replies\" >/dev/null;; esac\n",
                   "exec cat \"$here/answer-$PAWL_TASK_TYPE\"\n"));
  const Ran ran = stage_.run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(result_of(ran)["totalTasks"], 2) << ran.out;
  EXPECT_EQ(ran.err.find("asked for"), std::string::npos) << ran.err;
}

// --- a review that somebody asked for, and the gate ---

TEST_F(PrSteps, RequestedReviewThatFindsAKnownFindingGraverShutsTheGate) {
  stage_.answers("full-review", scored(2));
  stage_.opened();
  EXPECT_EQ(stage_.run().exit, 0);
  stage_.answers("full-review", scored(9));
  stage_.comment("ann", "@rmc-bot please review again");
  EXPECT_EQ(stage_.run().exit, 1);
  ASSERT_EQ(stage_.blocks("review-finding").size(), 1U);
  EXPECT_EQ(stage_.blocks("review-finding")[0]["score"], 9);
  EXPECT_EQ(stage_.blocks("review-finding")[0]["origin"], "auto");
  // It is listed, too: deleting its comment does not open the gate.
  stage_.remove(stage_.review_comments()[0]);
  stage_.comment("bob", "hello");
  EXPECT_EQ(stage_.run().exit, 1);
}

TEST_F(PrSteps, RequestedReviewDoesNotOpenTheGateForWhatLostItsComment) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(stage_.run().exit, 1);
  stage_.remove(stage_.review_comments()[0]);
  stage_.answers("full-review", scored(2));
  stage_.comment("ann", "@rmc-bot please review again");
  EXPECT_EQ(stage_.run().exit, 1) << "posted anew, it is as grave as it was, and still an automatic review's";
  ASSERT_EQ(stage_.blocks("review-finding").size(), 1U);
  EXPECT_EQ(stage_.blocks("review-finding")[0]["score"], 7);
  EXPECT_EQ(stage_.blocks("review-finding")[0]["origin"], "auto");
  stage_.comment("bob", "hello");
  EXPECT_EQ(stage_.run().exit, 1);
}

// What a person decides about a finding is no answer to what others say of it.
TEST_F(PrSteps, AnObjectionOutlivesADismissalThatWasAMistake) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(stage_.run_on(machine_).exit, 1);
  const std::string id = string_or(stage_.blocks("review-finding")[0], "id"), finding = "finding/" + id;
  for (const bool before : {true, false}) {
    if (before) stage_.reply(stage_.review_comments()[0], "ann", "Really, it is fine.");
    EXPECT_EQ(pawl({"dismiss", finding, "--reason", "mistyped"}).exit, 0);
    if (!before) stage_.reply(stage_.review_comments()[0], "ann", "But it is fine.");
    EXPECT_EQ(pawl({"reopen", finding, "--reason", "that was another's"}).exit, 0);
    EXPECT_EQ(stage_.pending(), Ids({"dispute/" + id})) << before;
    stage_.answers("dispute-resolution", kMaintained);
    EXPECT_EQ(stage_.run_on(machine_).exit, 1);
    EXPECT_EQ(stage_.pending(), Ids());
  }
}

}  // namespace
}  // namespace pawl::test

// What keeps a pull request from being merged, and what becomes of a review that was asked for: the special cases.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

TEST(Pr, AutomaticReviewDismissesTheOneThatWasAskedForAndSaysWhy) {
  PrStage stage;
  const Json request = stage.comment("ann", "@rmc-bot please review");
  EXPECT_EQ(stage.pending(), Ids{"review/" + id_of(request, "c")});
  stage.push();
  const Json plan = stage.plan();
  ASSERT_EQ(plan["tasks"].size(), 1U);
  EXPECT_EQ(plan["tasks"][0]["isManual"], false);
  EXPECT_EQ(plan["tasks"][0]["triggeredBy"], "synchronize");
  EXPECT_EQ(plan["dismissedManualReviews"], Json::array({id_of(request, "c")}));
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_EQ(stage.asked(), Ids{"review/auto"});
  const auto blocks = stage.blocks("manual-pr-review");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0]["status"], "DISMISSED_BY_AUTO_REVIEW");
  EXPECT_NE(string_or(blocks[0], "reason"), "");
  EXPECT_EQ(stage.state()["manualReviewRequests"][0]["status"], "DISMISSED_BY_AUTO_REVIEW");
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(Pr, MergeGateIsKeptOverCancelledRuns) {
  PrStage stage;
  stage.opened();
  stage.agent("#!/bin/sh\nkill -TERM $PPID\nexec cat\n");  // the runner is asked to stop
  EXPECT_EQ(stage.run().exit, 128 + 15);
  stage.comment("bob", "a comment wakes the next run");
  const Json plan = stage.plan();
  ASSERT_EQ(plan["tasks"].size(), 1U);
  EXPECT_EQ(plan["tasks"][0]["resumingCancelled"], true);
  stage.agent("#!/bin/sh\ncat >/dev/null\necho '" + std::string(kBlocking) + "'\n");
  EXPECT_EQ(stage.run().exit, 1);
  // Nothing is pending; the gate stays shut until the finding is settled.
  EXPECT_EQ(stage.run().exit, 1);
  stage.reply(stage.review_comments()[0], "ann", "it is meant so");
  stage.agent("#!/bin/sh\ncat >/dev/null\necho '{\"outcome\": \"concession\", \"reply\": \"I see.\"}'\n");
  EXPECT_EQ(stage.run().exit, 0);
}

TEST(Pr, ManualReviewWithBlockingFindingsWarnsAndExitsZero) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.comment("ann", "@rmc-bot review this please");
  const Ran ran = stage.run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.err.find("blocking"), std::string::npos) << ran.err;
  EXPECT_EQ(result_of(ran)["results"][0]["blockingIssues"], 1);
  EXPECT_EQ(stage.blocks("manual-pr-review")[0]["status"], "COMPLETED");
  EXPECT_EQ(stage.pending(), Ids());
}

// It does not keep from merging, so it is not said to be open as if it did.
TEST(Pr, WhatWasAskedForIsNotToldAsIfItKeptTheGateShut) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.comment("ann", "@rmc-bot review this please");
  const TempWorkspace machine;
  const Ran ran = stage.pawl(machine, {"pr", "run", "o/r#1", "--agent", stage.agent_command()});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "1 blocking\n")) << ran.out;
  EXPECT_FALSE(has(ran.out, "open")) << ran.out;
}

TEST(Pr, WhatAnAutomaticReviewFindsTooBlocksThoughAPersonHadAskedFirst) {
  PrStage stage;
  stage.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'k')};
  stage.answers("full-review", R"({"findings": [
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7},
    {"path": "zz.txt", "line": 9, "finding": "zz is missing", "assessment": "Add it.", "score": 8}]})");
  stage.comment("ann", "@rmc-bot review this please");
  EXPECT_EQ(stage.run().exit, 0);
  stage.push();
  EXPECT_EQ(stage.run().exit, 1);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U) << "not posted again";
  stage.comment("bob", "hello");
  EXPECT_EQ(stage.run().exit, 1) << "it stays shut";
  EXPECT_EQ(stage.state()["metadata"]["blockingFindings"], 2);
}

std::string output_of(const TempWorkspace& machine, const std::string& name) {
  const std::string all = machine.read("out").value_or("");
  const std::size_t at = all.rfind(name + "=");
  return at == std::string::npos ? "" : all.substr(at + name.size() + 1, all.find('\n', at) - at - name.size() - 1);
}

class PrGraver : public testing::TestWithParam<bool> {};

TEST_P(PrGraver, KnownFindingThatIsFoundGraverShutsTheGate) {
  PrStage stage;
  TempWorkspace kept;
  const auto run = [&] {
    TempWorkspace fresh;
    const TempWorkspace& machine = GetParam() ? kept : fresh;
    stage.env = {"GITHUB_ACTIONS=true", "GITHUB_OUTPUT=" + machine.file("out")};
    const Ran ran = stage.run_on(machine);
    return std::pair(ran.exit, output_of(machine, "review_status"));
  };
  stage.answers("full-review", scored(2));
  stage.opened();
  EXPECT_EQ(run(), std::pair(0, std::string("passed")));
  stage.answers("full-review", scored(9));
  stage.push();
  EXPECT_EQ(run(), std::pair(1, std::string("has_blocking_issues")));
  ASSERT_EQ(stage.blocks("review-finding").size(), 1U) << "not posted again";
  EXPECT_EQ(stage.blocks("review-finding")[0]["score"], 9);
  const std::string shown = string_or(stage.review_comments()[0], "body");
  EXPECT_NE(shown.find("**2 is not two** (9/10)"), std::string::npos) << "and people see it: " << shown;
  stage.comment("bob", "hello");
  EXPECT_EQ(run(), std::pair(1, std::string("has_blocking_issues"))) << "it stays shut";
  EXPECT_EQ(stage.state()["metadata"]["blockingFindings"], 1);
  // Found milder it is as grave as it was.
  stage.answers("full-review", scored(1));
  stage.push();
  EXPECT_EQ(run().first, 1);
}
INSTANTIATE_TEST_SUITE_P(Machines, PrGraver, testing::Bool());

TEST(Pr, OfWhatAReviewSaysTwiceTheGraverCounts) {
  PrStage stage;
  stage.answers("full-review", R"({"findings": [
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 2},
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 9}]})");
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  ASSERT_EQ(stage.blocks("review-finding").size(), 1U);
  EXPECT_EQ(stage.blocks("review-finding")[0]["score"], 9);
}

TEST(Pr, HeadThatIsPushedOverAndOverIsNotPassedUnreviewed) {
  PrStage stage;
  stage.opened();
  // Whatever is reviewed is not the head any more when the review is done.
  stage.agent(
      "#!/bin/sh\ncat >/dev/null\ncurl -s -d '{}' \"$GITHUB_API_URL/_practice/repos/o/r/pulls/1/push\" >/dev/null\n"
      "echo '{\"findings\": []}'\n");
  EXPECT_EQ(stage.run().exit, 1);
  stage.agent("#!/bin/sh\ncat >/dev/null\necho '{\"findings\": []}'\n");
  EXPECT_EQ(stage.run().exit, 0);
}

}  // namespace
}  // namespace pawl::test

// A finding lives in a comment that others may delete or change. What keeps a pull request from being merged outlives
// that, until it is fixed, conceded or dismissed; and what was conceded is not raised again.
#include <gtest/gtest.h>

#include "base/text.h"
#include "lifecycles/pr/block.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

constexpr const char* kNoFindings = R"({"findings": []})";

struct Where {
  bool one_machine;  // else each run is on a fresh one
  bool key;
};

class PrLost : public testing::TestWithParam<Where> {
 protected:
  PrLost() {
    if (GetParam().key) stage_.env = {"PAWL_BLOCK_KEY=" + kKey};
    stage_.answers("full-review", kBlocking);
    stage_.opened();
    EXPECT_EQ(run().exit, 1);
    id_ = string_or(stage_.blocks("review-finding").at(0), "id");
  }
  Ran run() { return GetParam().one_machine ? stage_.run_on(kept_) : stage_.run(); }
  Ran run_again() {
    stage_.comment("bob", "a comment wakes the next run");
    return run();
  }
  std::string fixed() const { return R"({"findings": [], "fixed": [")" + id_ + "\"]}"; }
  std::int64_t blocking() { return integer_or(stage_.state()["metadata"], "blockingFindings"); }

  PrStage stage_;
  TempWorkspace kept_;
  std::string id_;
};

// What only the machine knows that did it.
class PrLostHere : public PrLost {};

TEST_P(PrLost, RunThatEndsBetweenPostingAnewAndSayingSoLeavesNoSecond) {
  stage_.remove(stage_.review_comments()[0]);
  stage_.push();
  // The comment on the review is written when it begins, and not any more when it is done.
  stage_.practice.control(
      "POST", "/faults",
      {{"method", "PATCH"}, {"path", "/issues/comments/"}, {"kind", "status"}, {"status", 403}, {"after", 1}});
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.review_comments().size(), 1U) << "posted anew";
  EXPECT_EQ(run_again().exit, 1);
  EXPECT_EQ(stage_.review_comments().size(), 1U);
  EXPECT_EQ(blocking(), 1) << stage_.state();
}

TEST_P(PrLost, DeletedCommentDoesNotOpenTheGateAndAFixDoes) {
  stage_.remove(stage_.review_comments()[0]);
  const Ran ran = run_again();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("deleted or changed"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("pawl pr dismiss finding/" + id_), std::string::npos) << ran.err;
  const Json state = stage_.state();
  ASSERT_EQ(state["reviewThreads"].size(), 1U);
  EXPECT_EQ(state["reviewThreads"][0]["lost"], true);
  EXPECT_EQ(state["reviewThreads"][0]["finding"], "2 is not two");
  EXPECT_EQ(blocking(), 1);
  const Ran shown = stage_.pawl(TempWorkspace(), {"pr", "state", "o/r#1"});
  EXPECT_NE(shown.out.find("its comment was deleted or changed"), std::string::npos) << shown.out;
  // A push after which the reviewer says nothing of it changes nothing.
  stage_.answers("full-review", kNoFindings);
  stage_.push();
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(run_again().exit, 1);
  stage_.answers("full-review", fixed());
  stage_.push();
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(run_again().exit, 0);
  EXPECT_EQ(blocking(), 0);
}

TEST_P(PrLostHere, WhatIsDismissedWithoutItsCommentIsStillListed) {
  stage_.remove(stage_.review_comments()[0]);
  const Ids words = {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1", "--reason", "by design"};
  ASSERT_EQ(stage_.pawl(kept_, words).exit, 0);
  const Ran shown = stage_.pawl(kept_, {"pr", "state", "o/r#1"});
  EXPECT_TRUE(shown.out.find(id_) != std::string::npos && shown.out.find("(dismissed)") != std::string::npos)
      << shown.out;
  const std::size_t comments = stage_.comments().size();
  const Ran again = stage_.pawl(kept_, words);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(stage_.comments().size(), comments) << "it is said once";
  stage_.answers("full-review", kNoFindings);
  stage_.push();
  EXPECT_EQ(run().exit, 0) << "it does not shut the gate again";
}

TEST_P(PrLostHere, LostAnswerToADismissalIsLookedFor) {
  stage_.practice.fault({{"method", "POST"}, {"path", "/replies"}, {"kind", "lost"}});
  const Ids words = {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1", "--reason", "by design"};
  const Ran lost = stage_.pawl(kept_, words);
  EXPECT_EQ(lost.exit, 0) << "it had arrived, and was found: " << lost.err;
  EXPECT_EQ(stage_.review_comments().size(), 2U) << "it is said once on GitHub";
  const Ran again = stage_.pawl(kept_, words);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(stage_.review_comments().size(), 2U) << "it is said once on GitHub";
  const Ran shown = stage_.pawl(kept_, {"show", "pr-finding/" + id_});
  EXPECT_NE(shown.out.find("(dismissed)"), std::string::npos) << shown.out;
  const Ran well = stage_.pawl(kept_, {"doctor"});
  EXPECT_EQ(well.out.find("it is not known whether"), std::string::npos) << well.out;
  const Json settled = stage_.review_comments();
  EXPECT_EQ(stage_.pawl(kept_, words).exit, 0) << "the same again";
  EXPECT_EQ(stage_.review_comments(), settled) << "and nothing is written anew";
}

// Behind the reply: what of it was not done yet is done by the same command, which does not refuse it as done.
TEST_P(PrLostHere, ADismissalThatWasCutOffBehindItsReplyIsFinishedByTheSameCommand) {
  const Ids words = {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1", "--reason", "by design"};
  for (const char* const path : {"/pulls/comments/", "/issues/comments/"}) {
    stage_.practice.fault({{"method", "PATCH"}, {"path", path}, {"kind", "status"}, {"status", 502}, {"times", -1}});
    const Ran failed = stage_.pawl(kept_, words);
    EXPECT_EQ(failed.exit, 5) << path << failed.out << failed.err;
    EXPECT_NE(failed.err.find("the same again looks first"), std::string::npos) << path << failed.err;
    stage_.practice.control("DELETE", "/faults");
  }
  const Ran again = stage_.pawl(kept_, words);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(stage_.review_comments().size(), 2U) << "it is said once on GitHub";
  EXPECT_EQ(string_or(stage_.blocks("review-finding").at(0), "status"), "RESOLVED");
  EXPECT_EQ(blocking(), 0);
  const Ran well = stage_.pawl(kept_, {"doctor"});
  EXPECT_EQ(well.out.find("it is not known whether"), std::string::npos) << well.out;
}

TEST_P(PrLost, ChangedCommentDoesNotOpenTheGate) {
  const Json root = stage_.review_comments()[0];
  std::string forged = string_or(root, "body");
  forged.replace(forged.find("PENDING"), 7, "RESOLVED");
  if (GetParam().key) {  // without one the bot's account is the only proof
    stage_.edit(root, forged);
    EXPECT_EQ(run_again().exit, 1);
  }
  stage_.edit(root, "never mind");
  EXPECT_EQ(run_again().exit, 1);
  EXPECT_EQ(blocking(), 1);
  // Brought back it is an ordinary one again.
  stage_.edit(root, forged.replace(forged.find("RESOLVED"), 8, "PENDING"));
  EXPECT_EQ(run_again().exit, 1);
  EXPECT_FALSE(stage_.state()["reviewThreads"][0].contains("lost"));
  stage_.reply(root, "ann", "it is meant so");
  EXPECT_EQ(run().exit, 0);
}

TEST_P(PrLost, QuotingItDisputesItAndAConcessionOpensTheGate) {
  stage_.remove(stage_.review_comments()[0]);
  EXPECT_EQ(run_again().exit, 1);
  stage_.comment("ann", "> 2 is not two\n\nIt is meant so.");
  EXPECT_EQ(stage_.pending(), Ids{"dispute/" + id_});
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(run_again().exit, 0);
  EXPECT_EQ(blocking(), 0);
  EXPECT_EQ(stage_.pending(), Ids());
  EXPECT_EQ(stage_.blocks("auto-review-trigger").at(0)["openFindings"], Json::array());
}

// Conceded by the agent or dismissed by a person, when nothing was left but the list.
TEST_P(PrLost, WhatIsGivenUpWithoutItsCommentIsNotRaisedAgainAndCanBeReopened) {
  const Ids reopen = {"pr", "reopen", "finding/" + id_, "--pr", "o/r#1", "--reason", "the bot was right"};
  for (const char* const how : {"concession", "dismissed"}) {
    const Json comments = stage_.review_comments();
    if (!comments.empty()) stage_.remove(comments[0]);
    if (how == std::string("concession")) {
      stage_.comment("ann", "> 2 is not two\n\nIt is meant so.");
      EXPECT_EQ(run().exit, 0);
    } else {
      const Ids words = {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1", "--reason", "by design"};
      EXPECT_EQ(stage_.pawl(kept_, words).exit, 0);
    }
    const Json state = stage_.state();
    ASSERT_EQ(state["reviewThreads"].size(), 1U) << state;
    EXPECT_EQ(state["reviewThreads"][0]["outcome"], how);
    EXPECT_EQ(state["reviewThreads"][0]["lost"], true);
    stage_.push();
    const Ran ran = run();
    EXPECT_EQ(ran.exit, 0) << how << ran.out << ran.err;
    EXPECT_TRUE(has(ran.err, "1 finding had been conceded or dismissed")) << ran.err;
    EXPECT_TRUE(stage_.review_comments().empty()) << how;
    const Ran reopened = stage_.pawl(kept_, reopen);
    EXPECT_EQ(reopened.exit, 0) << how << reopened.err;
    EXPECT_EQ(run_again().exit, 1) << how;
    EXPECT_EQ(blocking(), 1) << how;
  }
  // A fix ends that on every machine, whatever was said before.
  stage_.answers("full-review", fixed());
  stage_.push();
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(run_again().exit, 0);
  EXPECT_EQ(blocking(), 0);
}

TEST_P(PrLost, WhatWasConcededWithoutItsCommentIsRaisedWhenItsLinesChange) {
  stage_.remove(stage_.review_comments()[0]);
  stage_.comment("ann", "> 2 is not two\n\nIt is meant so.");
  EXPECT_EQ(run().exit, 0);
  stage_.push({{"a.txt", "one\n22\nthree\nfour\nfive\n"}});
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.review_comments().size(), 1U);
}

TEST_P(PrLost, FoundAgainItIsPostedAnewAndCountsOnce) {
  stage_.remove(stage_.review_comments()[0]);
  stage_.push();
  EXPECT_EQ(run().exit, 1);
  ASSERT_EQ(stage_.review_comments().size(), 1U);
  EXPECT_EQ(blocking(), 1);
  stage_.reply(stage_.review_comments()[0], "ann", "it is meant so");
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(run_again().exit, 0);
}

TEST_P(PrLost, PersonMayDismissItAndThatHoldsEverywhere) {
  stage_.remove(stage_.review_comments()[0]);
  EXPECT_EQ(run_again().exit, 1);
  TempWorkspace elsewhere;
  const Ran ran = stage_.pawl(elsewhere, {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1", "--reason", "by design"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(string_or(stage_.comments().back(), "body").find("by design"), std::string::npos);
  EXPECT_EQ(run_again().exit, 0);
  EXPECT_EQ(stage_.run().exit, 0);
  const std::size_t before = stage_.comments().size();
  EXPECT_EQ(stage_.pawl(elsewhere, {"pr", "dismiss", "finding/" + id_, "--pr", "o/r#1"}).exit, 0);
  EXPECT_EQ(stage_.comments().size(), before) << "it is dismissed already";
}

TEST_P(PrLost, WhatWasConcededStaysSoWhenItsThreadIsDeleted) {
  stage_.reply(stage_.review_comments()[0], "ann", "it is meant so");
  EXPECT_EQ(run().exit, 0);
  const Json comments = stage_.review_comments();
  for (auto one = comments.rbegin(); one != comments.rend(); ++one) stage_.remove(*one);
  EXPECT_EQ(run_again().exit, 0);
  EXPECT_EQ(stage_.run().exit, 0);
}

std::string where_of(const testing::TestParamInfo<Where>& one) {
  return std::string(one.param.one_machine ? "OneMachine" : "FreshMachines") +
         (one.param.key ? "WithKey" : "WithoutKey");
}
INSTANTIATE_TEST_SUITE_P(Where, PrLostHere, testing::Values(Where{true, false}, Where{true, true}), where_of);
INSTANTIATE_TEST_SUITE_P(Where, PrLost,
                         testing::Values(Where{false, false}, Where{false, true}, Where{true, false},
                                         Where{true, true}),
                         where_of);

TEST(PrLostToo, FindingBesideTheDiffIsKeptAndMildOnesGoWithTheirComments) {
  PrStage stage;
  stage.answers("full-review", R"({"findings": [
    {"path": "zz.txt", "line": 9, "finding": "zz is missing", "assessment": "Add it.", "score": 8},
    {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 2}]})");
  stage.opened();
  TempWorkspace machine;
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  for (const Json& one : stage.comments()) {
    if (pr::block_of(string_or(one, "body"), "review-finding")) stage.remove(one);
  }
  stage.remove(stage.review_comments()[0]);
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  EXPECT_EQ(stage.run().exit, 1);
  ASSERT_EQ(stage.state()["reviewThreads"].size(), 1U);
  EXPECT_EQ(stage.state()["reviewThreads"][0]["path"], "zz.txt");
}

TEST(PrLostToo, FindingBesideTheDiffThatWasConcededStaysSoWithoutItsComment) {
  PrStage stage;
  stage.answers("full-review", R"({"findings": [
    {"path": "zz.txt", "line": 9, "finding": "zz is missing", "assessment": "Add it.", "score": 8}]})");
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  stage.comment("ann", "> zz is missing\n\nIt is not needed.");
  EXPECT_EQ(stage.run().exit, 0);
  for (const Json& one : stage.comments()) {
    if (pr::block_of(string_or(one, "body"), "review-finding")) stage.remove(one);
  }
  ASSERT_EQ(stage.state()["reviewThreads"].size(), 1U);
  EXPECT_EQ(stage.state()["reviewThreads"][0]["outcome"], "concession");
  stage.push();
  EXPECT_EQ(stage.run().exit, 0);
  EXPECT_TRUE(stage.blocks("review-finding").empty());
}

// Only what came after a finding can be about it, also when its comment is gone.
TEST(PrLostToo, WhatWasSaidBeforeAFindingIsNoDisputeOfIt) {
  for (const bool reviewed_twice : {false, true}) {
    PrStage stage;
    stage.comment("mallory", "> 2 is not two\n\nis what they said elsewhere");
    stage.answers("full-review", kBlocking);
    stage.opened();
    EXPECT_EQ(stage.run().exit, 1);
    if (reviewed_twice) {
      stage.push();
      EXPECT_EQ(stage.run().exit, 1);
    }
    stage.remove(stage.review_comments()[0]);
    EXPECT_EQ(stage.pending(), Ids());
    Json data = stage.blocks("auto-review-trigger").at(0);
    for (Json& one : data["openFindings"]) {
      EXPECT_TRUE(one.contains("after")) << one;
      one.erase("after");
    }
    for (const Json& one : stage.comments()) {
      const std::string body = string_or(one, "body");
      if (pr::block_of(body, "auto-review-trigger"))
        stage.edit(one, *pr::with_block_changed(body, "auto-review-trigger", data));
    }
    EXPECT_EQ(stage.pending(), Ids()) << "nor by a list from before that was written down";
    EXPECT_EQ(stage.run().exit, 1);
    stage.comment("ann", "> 2 is not two\n\nIt is meant so.");
    EXPECT_EQ(stage.run().exit, 0);
  }
}

TEST(PrLostToo, TriggerFromBeforeThereWasAListIsRead) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  TempWorkspace machine;
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  const Json trigger = stage.comments().back();
  Json data = stage.blocks("auto-review-trigger").at(0);
  data.erase("openFindings");
  stage.edit(trigger, *pr::with_block_changed(string_or(trigger, "body"), "auto-review-trigger", data));
  EXPECT_EQ(stage.pending(), Ids());
  EXPECT_EQ(stage.run().exit, 1);
  stage.remove(stage.review_comments()[0]);
  EXPECT_EQ(stage.run_on(machine).exit, 1) << "the machine that posted it knows";
}

// --- concessions ---

class PrConceded : public testing::TestWithParam<bool> {};  // on one machine, or each time on a fresh one

TEST_P(PrConceded, IsNotRaisedAgainWhileTheCodeIsTheSame) {
  PrStage stage;
  TempWorkspace kept;
  const auto run = [&] { return GetParam() ? stage.run_on(kept) : stage.run(); };
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(run().exit, 1);
  stage.reply(stage.review_comments()[0], "ann", "it is meant so");
  EXPECT_EQ(run().exit, 0);
  // Another line has changed, and the reviewer says the same in other words, and graver.
  stage.answers("full-review", R"({"findings": [
    {"path": "a.txt", "line": 3, "finding": "2 is really not two", "assessment": "Write two.", "score": 9, "start_line": 3}]})");
  stage.push({{"a.txt", "zero\none\n2\nthree\nfour\nfive\n"}});
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("1 finding had been conceded"), std::string::npos) << ran.err;
  EXPECT_EQ(stage.blocks("review-finding").size(), 1U);
  EXPECT_EQ(result_of(ran)["results"][0]["issuesFound"], 0);
  // The line itself has changed: what was conceded was about something else.
  stage.push({{"a.txt", "zero\none\n22\nthree\nfour\nfive\n"}});
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U);
}
INSTANTIATE_TEST_SUITE_P(Machines, PrConceded, testing::Bool());

TEST(PrConcededToo, WhatWasFixedAndCameBackIsRaisedAgain) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  stage.answers("full-review",
                R"({"findings": [], "fixed": [")" + string_or(stage.blocks("review-finding")[0], "id") + "\"]}");
  stage.push();
  EXPECT_EQ(stage.run().exit, 0);
  stage.answers("full-review", kBlocking);
  stage.push();
  EXPECT_EQ(stage.run().exit, 1);
  EXPECT_EQ(stage.blocks("review-finding").size(), 2U);
}

}  // namespace
}  // namespace pawl::test

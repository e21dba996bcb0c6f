// Two runs at once on one machine; what the board says of a pull request; and a run without the key that others have.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

// An agent that waits at one type of task until the test lets it go on, the first time that it is asked.
class Held {
 public:
  Held(PrStage& stage, const std::string& type, const std::string& answer) : stage_(stage) {
    EXPECT_EQ(mkfifo(door().c_str(), 0600), 0);
    stage.agent(cat("#!/bin/sh\ncat >/dev/null\nhere=$(dirname \"$0\")\nif [ \"$PAWL_TASK_TYPE\" = ", type,
                    " ] && mkdir ", place_.file("taken"), " 2>/dev/null; then read word <", door(), "; echo '", answer,
                    "'; exit; fi\nexec cat \"$here/answer-$PAWL_TASK_TYPE\"\n"));
    const RunOptions how = stage.options(machine);
    stage.practice.control("DELETE", "/events");
    child_ = std::make_unique<Child>(PAWL_BINARY, Ids{"pr", "run", "o/r#1", "--json"}, how);
    fd_ = open(door().c_str(), O_WRONLY | O_CLOEXEC);  // waits for the agent
  }
  Ran let_go() {
    EXPECT_EQ(write(fd_, "go\n", 3), 3);
    close(fd_);
    return child_->finish();
  }
  TempWorkspace machine;

 private:
  [[nodiscard]] std::string door() const { return place_.file("door"); }
  PrStage& stage_;
  TempWorkspace place_;
  std::unique_ptr<Child> child_;
  int fd_ = -1;
};

TEST(PrTwoRuns, WhatTheOtherHasDoneIsNoFailure) {
  PrStage stage;
  stage.comment("bob", "@rmc-bot why?");
  stage.comment("bob", "@rmc-bot please review this");
  Held first(stage, "question-answering", R"({"answer": "So."})");
  const Ran second = stage.run_on(first.machine);
  EXPECT_EQ(second.exit, 0) << second.out << second.err;
  const Ran ran = first.let_go();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("done by another run meanwhile"), std::string::npos) << ran.err;
  EXPECT_EQ(stage.blocks("question-answer").size(), 1U);
  EXPECT_EQ(stage.pending(), Ids());
}

TEST(PrTwoRuns, WhoComesSecondForTheReviewSaysThatAnotherIsAtIt) {
  PrStage stage;
  stage.opened();
  Held first(stage, "full-review", R"({"findings": []})");
  stage.env = {"GITHUB_ACTIONS=true", "GITHUB_OUTPUT=" + first.machine.file("out"),
               "GITHUB_STEP_SUMMARY=" + first.machine.file("summary")};
  const Ran second = stage.pawl(first.machine, {"pr", "run", "o/r#1"});
  EXPECT_EQ(second.exit, 1) << "the head is not reviewed yet: " << second.err;
  EXPECT_FALSE(has(second.err, "review/auto: begun")) << second.err;
  EXPECT_TRUE(has(second.out, "review/auto: another run is at it")) << second.out;
  EXPECT_TRUE(has(second.out, "::error::the head is not reviewed yet: another run is at it")) << second.out;
  EXPECT_TRUE(has(first.machine.read("summary").value_or(""), "| review/auto | another run is at it"));
  EXPECT_TRUE(has(first.machine.read("out").value_or(""), "review_status=failed"));
  EXPECT_EQ(first.let_go().exit, 0);
}

TEST(PrTwoRuns, ALookLeavesWhatTheOtherHasBegun) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run().exit, 1);
  const Json finding = stage.review_comments()[0];
  stage.reply(finding, "bob", "it is right as it is");
  Held first(stage, "dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  stage.pawl(first.machine, {"pr", "detect", "o/r#1"});
  const std::string id = string_or(stage.blocks("review-finding")[0], "id");
  const Json shown = result_of(stage.pawl(first.machine, {"show", "pr-finding/" + id, "--json"}));
  EXPECT_EQ(shown["status"], "DISPUTED") << shown;
  EXPECT_EQ(first.let_go().exit, 1);
}

Json row_of(PrStage& stage, const TempWorkspace& machine, std::string_view kind) {
  const Json board = result_of(stage.pawl(machine, {"status", "--json"}));
  for (const Json& row : board["work"]) {
    if (row["kind"] == kind) return row;
  }
  return {};
}

TEST(PrOnBoard, AFindingStandsByWhoseTurnItIs) {
  PrStage stage;
  stage.answers("full-review", kBlocking);
  stage.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  stage.opened();
  const TempWorkspace machine;
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  EXPECT_EQ(row_of(stage, machine, "pr-finding")["stands"], "needs_person");
  stage.reply(stage.review_comments()[0], "bob", "it is right as it is");
  stage.pawl(machine, {"pr", "detect", "o/r#1"});
  EXPECT_EQ(row_of(stage, machine, "pr-finding")["stands"], "next") << row_of(stage, machine, "pr-finding");
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  // Maintained: it keeps from merging as before, and nothing is left for the bot to do.
  const Json row = row_of(stage, machine, "pr-finding");
  EXPECT_EQ(row["status"], "DISPUTED");
  EXPECT_EQ(row["stands"], "needs_person") << row;
}

TEST(PrOnBoard, WhatSomebodyAskedForIsSaid) {
  PrStage stage;
  stage.comment("bob", "@rmc-bot please review the parser");
  const TempWorkspace machine;
  stage.pawl(machine, {"pr", "detect", "o/r#1"});
  EXPECT_NE(string_or(row_of(stage, machine, "pr-manual-review"), "headline").find("review the parser"),
            std::string::npos);
}

TEST(PrKey, ARunWithoutTheKeyBelievesNothingAndSaysSo) {
  PrStage stage;
  const TempWorkspace machine;
  stage.env = {"PAWL_BLOCK_KEY=" + kKey};
  stage.answers("full-review", kBlocking);
  stage.opened();
  EXPECT_EQ(stage.run_on(machine).exit, 1);
  const std::string id = string_or(stage.blocks("review-finding")[0], "id");
  // Somebody who may edit comments takes the signature out, and says that it is settled.
  stage.edit(stage.review_comments()[0],
             with("", "review-finding", {{"id", id}, {"status", "RESOLVED"}, {"updatedAt", "2099-01-01T00:00:00Z"}}),
             "eve");
  stage.env = {"PAWL_BLOCK_KEY="};
  stage.comment("bob", "hello");
  const TempWorkspace fresh;
  for (const TempWorkspace* where : {&machine, &fresh}) {
    const Ran ran = stage.run_on(*where);
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_NE(ran.err.find("PAWL_BLOCK_KEY is not set"), std::string::npos) << ran.err;
    const Ran look = stage.pawl(*where, {"pr", "state", "o/r#1"});
    EXPECT_EQ(look.exit, 0) << look.err;
    EXPECT_NE(look.err.find("is not written down"), std::string::npos) << look.err;
  }
  stage.env = {"PAWL_BLOCK_KEY=" + kKey};
  EXPECT_EQ(stage.run_on(machine).exit, 1) << "what was looked at without the key is not remembered";
  stage.env = {"PAWL_BLOCK_KEY=none"};
  EXPECT_EQ(stage.pawl(machine, {"pr", "detect", "o/r#1"}).exit, 0);
}

TEST(PracticeWorld, ABotIsCalledSo) {
  const TempWorkspace machine;
  machine.write("world.json", R"({"users": [{"login": "review-my-code-bot", "type": "Bot"}]})");
  const Ran ran = machine.run({"practice", "--world", "world.json"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE(ran.err.find("ends in [bot]"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pawl::test

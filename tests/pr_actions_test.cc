// `pawl pr run` as GitHub Actions starts it: without arguments, its results where GitHub reads them.
#include <gtest/gtest.h>

#include "base/text.h"
#include "runners/pr/actions.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

class PrActions : public testing::Test {
 protected:
  Ran run() {
    RunOptions options = stage_.options(machine_);
    options.env.insert(options.env.end(),
                       {"GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=o/r", "GITHUB_OUTPUT=" + machine_.file("out"),
                        "GITHUB_STEP_SUMMARY=" + machine_.file("summary")});
    return machine_.run({"pr", "run"}, options);
  }
  PrStage stage_;
  TempWorkspace machine_;
};

TEST_F(PrActions, ResultsAreWhereGitHubReadsThem) {
  stage_.answers("full-review", to_line(Json::parse(R"({"findings": [
    {"path": "a.txt", "line": 2, "finding": "two | <b>bad</b>\n::error::no", "assessment": "x", "score": 7},
    {"path": "a.txt", "line": 5, "finding": "five", "assessment": "x", "score": 2}]})")));
  stage_.opened();
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(machine_.read("out"),
            "review_status=has_blocking_issues\nissues_found=2\nblocking_issues=1\ntasks_executed=1\n");
  const std::string summary = machine_.read("summary").value_or("");
  EXPECT_NE(summary.find("| review/auto | 2 findings, 1 blocking | 2 | 1 |"), std::string::npos) << summary;
  EXPECT_EQ(summary.find("<b>"), std::string::npos);
  EXPECT_NE(ran.out.find("::error file=a.txt,line=2::two | <b>bad</b>%0A::error::no (7/10)\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("::warning file=a.txt,line=5::five (2/10)\n"), std::string::npos) << ran.out;
}

TEST_F(PrActions, WhatTheAgentPrintsIsNoCommand) {
  stage_.comment("ann", "@rmc-bot why?");
  stage_.agent("#!/bin/sh\ncat >/dev/null\necho '::set-output name=x::y' >&2\necho '{\"answer\": \"So.\"}'\n");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const std::size_t stop = ran.out.find("::stop-commands::"), said = ran.out.find("::set-output");
  ASSERT_NE(stop, std::string::npos) << ran.out;
  ASSERT_NE(said, std::string::npos);
  const std::string token = ran.out.substr(stop + 17, ran.out.find('\n', stop) - stop - 17);
  EXPECT_LT(stop, said);
  EXPECT_GT(ran.out.find("\n::" + token + "::\n"), said);
}

constexpr const char* kRefused = "review_status=failed\nissues_found=0\nblocking_issues=0\ntasks_executed=0\n";

// As a fork's: it gets no secrets.
TEST_F(PrActions, RunWithoutTheKeyIsSaidToHaveFailedAndKeepsTheKey) {
  stage_.env = {"PAWL_BLOCK_KEY=" + kKey};
  stage_.comment("ann", "@rmc-bot why?");
  EXPECT_EQ(stage_.run().exit, 0);
  stage_.env = {};
  stage_.comment("ann", "@rmc-bot when?");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "PAWL_BLOCK_KEY is not set") && has(ran.err, "block-key")) << ran.err;
  EXPECT_FALSE(has(ran.err, "PAWL_BLOCK_KEY=none")) << "it would be switched off for all runs: " << ran.err;
  EXPECT_EQ(machine_.read("out"), kRefused);
  EXPECT_TRUE(has(machine_.read("summary").value_or(""), "PAWL_BLOCK_KEY is not set"));
}

TEST_F(PrActions, RunWithATokenThatIsNoneIsSaidToHaveFailed) {
  stage_.comment("ann", "@rmc-bot why?");
  stage_.token = "gho_bad";
  const Ran ran = run();
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_EQ(machine_.read("out"), kRefused);
}

TEST_F(PrActions, CommentOnAnIssueIsNothingToDo) {
  stage_.event("issue_comment", {{"action", "created"},
                                 {"issue", {{"number", 5}}},
                                 {"comment", {{"body", "@rmc-bot hi"}}},
                                 {"repository", {{"full_name", "o/r"}}}});
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.err.find("not about a pull request"), std::string::npos) << ran.err;
  EXPECT_EQ(machine_.read("out"), "review_status=none\nissues_found=0\nblocking_issues=0\ntasks_executed=0\n");
}

// A gate that cannot tell what it is about is shut.
TEST_F(PrActions, EventThatDoesNotSayWhatItIsAboutFails) {
  stage_.event("pull_request", {{"action", "opened"}, {"repository", {{"full_name", "o/r"}}}});
  for (const std::string& file : {std::string(), "GITHUB_EVENT_PATH=" + machine_.file("no-event")}) {
    if (!file.empty()) stage_.env = {file};
    machine_.write("out", "");
    const Ran ran = run();
    EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
    EXPECT_FALSE(has(ran.out, "nothing was pending")) << ran.out;
    EXPECT_EQ(machine_.read("out"), kRefused);
  }
}

TEST(PrActionsText, ValuesAreEscaped) {
  EXPECT_EQ(command_data("100%\r\nx:y,z"), "100%25%0D%0Ax:y,z");
  EXPECT_EQ(command_property("a:b,c%"), "a%3Ab%2Cc%25");
}

}  // namespace
}  // namespace pawl::test

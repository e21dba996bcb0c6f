// Asked to stop, a run ends at once, whatever it waits for, and the next one goes on where it was. Every wait here
// would be longer than the test may take.
#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

class PrStop : public testing::TestWithParam<int> {
 protected:
  PrStop() { stage_.env = {"PAWL_GITHUB_MAX_WAIT=1h", "PAWL_GITHUB_TIMEOUT=1h"}; }
  // Runs until `there`, sends the signal and tells how it ended.
  Ran stopped_when(const std::function<bool()>& there, const std::vector<std::string>& words = {"pr", "run", "o/r#1"}) {
    Child child(PAWL_BINARY, words, stage_.options(machine_));
    while (!there() && ::kill(child.pid(), 0) == 0) {
      if (child.wait_for("\x01", 1)) break;  // reads what it says; false after a millisecond
    }
    child.send(GetParam());
    return child.finish();
  }
  bool has_asked(const std::string& path, int status) const {
    for (const Json& one : stage_.practice.requests()) {
      if (string_or(one, "path").find(path) != std::string::npos && (status == 0 || one["status"] == status))
        return true;
    }
    return false;
  }
  PrStage stage_;
  TempWorkspace machine_;
};

TEST_P(PrStop, WhileTheAgentThinks) {
  const Json question = stage_.comment("ann", "@rmc-bot why?");
  stage_.agent("#!/bin/sh\ncat >/dev/null\necho begun >>\"$(dirname \"$0\")/asked\"\nexec tail -f /dev/null\n");
  std::size_t asked = 0;
  const Ran ran = stopped_when([&] { return (asked += stage_.asked().size()) > 0; });
  EXPECT_EQ(ran.exit, 128 + GetParam()) << ran.err;
  EXPECT_EQ(ran.out, "stopped; the next run goes on from here\n");
  EXPECT_TRUE(stage_.blocks("question-answer").empty());
  EXPECT_EQ(stage_.pending(), Ids{"question/c" + to_line(question["id"])});
  stage_.agent("#!/bin/sh\ncat >/dev/null\necho '{\"answer\": \"So.\"}'\n");
  EXPECT_EQ(stage_.run_on(machine_).exit, 0);  // nothing is held by the one that was stopped
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

TEST_P(PrStop, WhileTheCommandThatTellsRequestsFromQuestionsThinks) {
  const Json question = stage_.comment("ann", "@rmc-bot why?");
  machine_.write("intent", "#!/bin/sh\ncat >/dev/null\necho x >\"$0.asked\"\nexec tail -f /dev/null\n");
  stage_.env.push_back("PAWL_PR_INTENT_AGENT=exec sh " + machine_.file("intent"));
  const auto asked = [&] { return machine_.read("intent.asked").has_value(); };
  for (const std::vector<std::string>& words : {std::vector<std::string>{"pr", "run", "o/r#1"},
                                                {"pr", "detect", "o/r#1"},
                                                {"pr", "begin", question_id(question), "--pr", "o/r#1"}}) {
    const Ran ran = stopped_when(asked, words);
    EXPECT_EQ(ran.exit, 128 + GetParam()) << words[1] << ran.out << ran.err;
    EXPECT_EQ(ran.err.find("did not answer"), std::string::npos) << ran.err;
    EXPECT_EQ(::unlink(machine_.file("intent.asked").c_str()), 0);
  }
  EXPECT_TRUE(stage_.asked().empty()) << "nothing is done about what nobody has decided";
  stage_.env.pop_back();
  EXPECT_EQ(stage_.run_on(machine_).exit, 0);
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

TEST_P(PrStop, WhileGitHubAsksToWaitBeforeTheFirstLook) {
  stage_.comment("ann", "@rmc-bot why?");
  stage_.practice.fault({{"kind", "rate"}, {"retry_after", 1800}});
  const Ran ran = stopped_when([&] { return has_asked("/graphql", 403); });
  EXPECT_EQ(ran.exit, 128 + GetParam()) << ran.err;
  EXPECT_EQ(stage_.run_on(machine_).exit, 0);
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

TEST_P(PrStop, WhileGitHubAsksToWaitBeforeTheAnswerIsPosted) {
  const Json question = stage_.comment("ann", "@rmc-bot why?");
  stage_.practice.fault({{"method", "POST"}, {"path", "/comments"}, {"kind", "secondary"}, {"retry_after", 1800}});
  const Ran ran = stopped_when([&] { return has_asked("/issues/1/comments", 403); });
  EXPECT_EQ(ran.exit, 128 + GetParam()) << ran.err;
  EXPECT_EQ(stage_.pending(), Ids{"question/c" + to_line(question["id"])});
  EXPECT_EQ(stage_.run_on(machine_).exit, 0);
  EXPECT_EQ(stage_.blocks("question-answer").size(), 1U);
}

TEST_P(PrStop, WhileGitHubDoesNotAnswer) {
  stage_.opened();
  stage_.practice.fault({{"method", "GET"}, {"path", "/files"}, {"kind", "never"}});
  const Ran ran = stopped_when([&] { return has_asked("/files", 0); });
  EXPECT_EQ(ran.exit, 128 + GetParam()) << ran.err;
  stage_.comment("bob", "hello");
  const Json plan = stage_.plan();
  ASSERT_EQ(plan["tasks"].size(), 1U) << plan.dump();
  EXPECT_EQ(plan["tasks"][0]["resumingCancelled"], true);
  EXPECT_EQ(stage_.run().exit, 0);
  EXPECT_EQ(stage_.blocks("auto-review-trigger").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Signals, PrStop, testing::Values(SIGINT, SIGTERM), [](const auto& which) {
  return std::string(which.param == SIGINT ? "Interrupt" : "Terminate");
});

}  // namespace
}  // namespace pawl::test

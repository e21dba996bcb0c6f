// What the bot merges, and what counts as merged: through the real binary, a real remote and the stand-in for GitHub.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

class StoryBotMerge : public testing::Test {
 protected:
  // A story whose pull request has an approval.
  void approve() {
    project.stories({BotProject::story("US-1")});
    project.carry();
    pull = project.pull_number("story/US-1");
    project.review(pull, "APPROVED");
  }
  void break_merges(const Json& how) const {
    Json fault{{"method", "PUT"}, {"path", "/merge"}};
    fault.update(how);
    project.practice().fault(fault);
  }
  // One that GitHub did not answer: nobody knows whether it happened, and it did not.
  void lose_a_merge() {
    approve();
    break_merges({{"kind", "status"}, {"status", 502}, {"times", -1}});
    const std::string told = project.carry({"--once"});
    EXPECT_TRUE(has(told, "put off")) << told;
    ASSERT_EQ(project.status("US-1"), "pushed") << told;
    project.practice().control("DELETE", "/faults");
  }
  void expect_not_merged(const std::string& told) const {
    EXPECT_EQ(project.status("US-1"), "pushed") << told;
    EXPECT_EQ(project.on_remote("main", "US-1.txt"), "") << told;
  }
  BotProject project;
  int pull = 0;
};

TEST_F(StoryBotMerge, OneThatDidNotArriveIsDecidedAnew) {
  lose_a_merge();
  project.agent("echo \"$PAWL_TASK\" > \"$PAWL_STORY.txt\"; exit 1\n");  // nobody answers bob meanwhile
  project.review(pull, "CHANGES_REQUESTED", "wait, please", "bob");
  expect_not_merged(project.carry({"--once"}));
}

TEST_F(StoryBotMerge, OneThatDidNotArriveIsNotMadeUpForWithoutTheSetting) {
  lose_a_merge();
  project.settings("merge = false\n");
  const std::string told = project.carry();
  expect_not_merged(told);
  EXPECT_TRUE(has(told, "ready to merge")) << told;
}

TEST_F(StoryBotMerge, OneThatDidNotArriveIsNotMadeUpForWhilePaused) {
  lose_a_merge();
  project.must({"story", "pause", "US-1", "--reason", "not before Monday"});
  expect_not_merged(project.carry());
  project.must({"story", "retry", "US-1"});
  project.carry();
  EXPECT_EQ(project.status("US-1"), "merged");
}

// Whatever becomes of the answer, it is merged once and the story ends.
TEST_F(StoryBotMerge, LostAnswerIsLookedFor) {
  for (const char* kind : {"lost", "cut", "garbage", "html"}) {
    SCOPED_TRACE(kind);
    BotProject other;
    other.stories({BotProject::story("US-1")});
    other.carry();
    other.review(other.pull_number("story/US-1"), "APPROVED");
    other.practice().fault({{"method", "PUT"}, {"path", "/merge"}, {"kind", kind}});
    other.carry();
    other.carry();  // nobody knew; now it is looked for
    EXPECT_EQ(other.status("US-1"), "merged");
    const Ran merges = run_program("git", {"-C", other.remote(), "log", "--merges", "--format=%s", "main"});
    EXPECT_EQ(split(trim(merges.out), '\n').size(), 1U) << merges.out;
    EXPECT_FALSE(other.json({"story", "show", "US-1"}).contains("failures"));
  }
}

}  // namespace
}  // namespace pawl::test

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

// By a person, and elsewhere than stories go: that is no end of the story's.
TEST_F(StoryBotMerge, MergedIntoAnotherBranchIsNotMerged) {
  ASSERT_EQ(run_program("git", {"-C", project.remote(), "branch", "release", "main"}).exit, 0);
  approve();
  ASSERT_EQ(project.practice().request("PATCH", cat("/repos/o/r/pulls/", pull), {{"base", "release"}}).status, 200);
  ASSERT_EQ(project.practice().request("PUT", cat("/repos/o/r/pulls/", pull, "/merge"), Json::object()).status, 200);
  const Ran moved = project.pawl({"story", "move", "US-1", "merged"});
  EXPECT_EQ(moved.exit, 1) << moved.out;
  EXPECT_TRUE(has(moved.err, "was merged into release, and stories go into main")) << moved.err;
  const std::string told = project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_TRUE(has(project.not_picked("US-1"), "merged into release")) << project.not_picked("US-1");
  EXPECT_TRUE(has(project.carry({"--dry-run"}), "left alone"));
  project.settings("base = \"release\"\n");
  project.must({"story", "retry", "US-1"});
  project.carry();
  EXPECT_EQ(project.status("US-1"), "merged");
}

TEST(StoryBotFork, BranchOfTheSameNameInAForkIsNotTheStorys) {
  BotProject project(Json{{"pulls", Json::array({Json{{"number", 3},
                                                      {"title", "Mine"},
                                                      {"author", "mallory"},
                                                      {"head", "story/US-1"},
                                                      {"head_owner", "mallory"},
                                                      {"files", {{"evil.txt", {{"after", "x\n"}}}}}}})}});
  project.stories({BotProject::story("US-1")});
  project.carry();
  project.review(3, "APPROVED");
  Json root = Json::parse(project.prd());
  root["stories"][0]["prNumber"] = 3;  // whoever may write the file
  project.write(kPrd, root.dump(2));
  const std::string told = project.carry();
  EXPECT_EQ(project.on_remote("main", "evil.txt"), "") << told;
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_TRUE(has(project.not_picked("US-1"), "a branch of another repository")) << told;
  for (const char* to : {"merged", "invalid"}) {
    const Ran moved = project.pawl({"story", "move", "US-1", to, "--pr", "3"});
    EXPECT_EQ(moved.exit, 1) << moved.out;
    EXPECT_TRUE(has(moved.err, "another repository")) << moved.err;
  }
}

}  // namespace
}  // namespace pawl::test

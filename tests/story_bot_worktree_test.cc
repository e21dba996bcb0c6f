// Which branch and which files are a story's: a branch of an earlier life with the same id is not, and what stands in
// its worktree is, whatever it is called.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

// Projects number their stories alike.
class StoryBotSameId : public testing::Test {
 protected:
  void expect_held_and_untouched(const std::string& told, const std::string& tip) {
    EXPECT_EQ(project.status("US-1"), "pending") << told;
    EXPECT_TRUE(has(project.not_picked("US-1"), "it was not made for US-1")) << project.not_picked("US-1");
    EXPECT_EQ(project.git({"rev-parse", "story/US-1"}), tip) << told;
    EXPECT_EQ(project.pulls().size(), 1U) << told;
    // With a branch of its own it goes on, from the base.
    project.edit_prd("\"id\": \"US-1\",", "\"id\": \"US-1\", \"branchName\": \"fresh\",");
    project.must({"story", "retry", "US-1"});
    const std::string again = project.carry();
    EXPECT_EQ(project.status("US-1"), "pushed") << again;
    EXPECT_EQ(project.on_remote("fresh", "US-1.txt"), "implement\n") << again;
    EXPECT_EQ(project.commits("fresh").size(), 1U) << again;
  }
  void first_life() {
    project.stories({BotProject::story("US-1")});
    project.carry();
    ASSERT_EQ(project.status("US-1"), "pushed");
  }
  [[nodiscard]] std::string tip() const { return project.git({"rev-parse", "story/US-1"}); }
  BotProject project;
};

TEST_F(StoryBotSameId, NextProjectsStoryDoesNotGoOnWithARejectedBranch) {
  first_life();
  project.close(project.pull_number("story/US-1"));
  project.carry();
  ASSERT_EQ(project.status("US-1"), "invalid");
  const std::string was = tip();
  project.write(kPrd,
                Json{{"project", "Next"}, {"stories", {BotProject::story("US-1", 1, {{"title", "Other"}})}}}.dump(2));
  expect_held_and_untouched(project.carry(), was);
}

TEST_F(StoryBotSameId, StoryThatWasDroppedAndAddedAnewDoesNotGoOnWithItsPullRequest) {
  first_life();
  const std::string was = tip();
  project.must({"story", "drop", "US-1", "--reason", "another approach"});
  project.must({"story", "add", "US-1", "--title", "Other", "--criterion", "works"});
  expect_held_and_untouched(project.carry(), was);
}

TEST_F(StoryBotSameId, ResetStoryGoesOnWithItsOwn) {
  first_life();
  project.must({"story", "reset", "US-1", "--reason", "again"});
  const std::string told = project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_EQ(project.pulls().size(), 1U);
}

TEST(StoryBotWorktree, FilesOfPawlsNameInItAreTheBranchs) {
  for (const bool ignored : {false, true}) {
    SCOPED_TRACE(ignored ? "ignored by git" : "seen by git");
    BotProject project;
    if (!ignored) project.write(".git/info/exclude", ".pawl\n.worktrees\n");
    if (!ignored) {
      project.git({"add", "pawl.toml"});
      project.git({"commit", "--quiet", "-m", "settings"});
      project.git({"push", "--quiet", "origin", "main"});
    }
    project.agent("echo x > \"$PAWL_STORY.txt\"; echo '# agents' > pawl.toml; echo '{\"stories\": []}' > prd.json\n");
    project.stories({BotProject::story("US-1")});
    const std::string told = project.carry();
    EXPECT_EQ(project.status("US-1"), "pushed") << told;
    EXPECT_EQ(project.on_remote("story/US-1", "US-1.txt"), "x\n") << told;
    EXPECT_EQ(project.on_remote("story/US-1", "pawl.toml"), ignored ? "" : "# agents\n") << told;
    EXPECT_EQ(project.on_remote("story/US-1", "prd.json"), ignored ? "" : "{\"stories\": []}\n") << told;
    EXPECT_FALSE(has(told, "could not be settled")) << told;
  }
}

TEST(StoryBotWorktree, WithoutCriteriaNoAgentIsRun) {
  BotProject project;
  project.agent("echo ran > ran; exit 1\n");
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", Json::array()}})});
  const std::string told = project.carry();
  EXPECT_TRUE(has(project.not_picked("US-1"), "no acceptance criteria")) << told;
  EXPECT_FALSE(project.exists(".worktrees/story-US-1")) << told;
}

TEST(StoryBotWorktree, DoneElsewhereIsSomewhere) {
  BotProject project;
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2)});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "Already done in #9999.");
  project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << "there is no #9999";
  project.comment(pull, cat("Already done in #", project.pull_number("story/US-2"), "."));
  project.carry();
  EXPECT_EQ(project.status("US-1"), "invalid");
}

}  // namespace
}  // namespace pawl::test

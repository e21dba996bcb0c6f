// Where the bot stops: what is not pushed, whom it does not work for any more, what it says it would do.
#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

TEST(StoryBotLimits, CommitAtWhichNothingWasCheckedIsNotPushed) {
  BotProject project;
  project.settings("max_failures = 1\n");
  project.stories({BotProject::story("US-1")});
  project.carry({"--max", "1"});
  ASSERT_EQ(project.status("US-1"), "committed");
  // Somebody goes on where the checks have been.
  const std::string worktree = project.path() + "/.worktrees/story-US-1";
  ASSERT_EQ(run_program("git", {"-C", worktree, "rm", "--quiet", "US-1.txt"}).exit, 0);
  ASSERT_EQ(run_program("git", {"-C", worktree, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit",
                                "--quiet", "-m", "tidy up"})
                .exit,
            0);
  const std::string told = project.carry();
  EXPECT_EQ(project.status("US-1"), "committed") << told;
  EXPECT_TRUE(project.pulls().empty()) << told;
  EXPECT_NE(run_program("git", {"-C", project.remote(), "rev-parse", "--verify", "--quiet", "story/US-1"}).exit, 0);
  EXPECT_TRUE(has(project.not_picked("US-1"), "“works” failed")) << project.not_picked("US-1");
}

TEST(StoryBotLimits, AgentOfADroppedStoryIsEnded) {
  BotProject project;
  const std::string began = project.home() + "/began";
  ASSERT_EQ(run_program("mkfifo", {began}).exit, 0);
  project.agent(cat("echo $$ > ", began, "; exec tail -f /dev/null\n"));
  project.stories({BotProject::story("US-1")});
  Child bot(PAWL_BINARY, {"story", "run", "--until-idle"}, project.with_github());
  const Ran agent = run_program("cat", {began});  // until it says so
  project.must({"story", "drop", "US-1", "--reason", "not needed"});
  const auto pid = parse_positive(trim(agent.out));
  ASSERT_TRUE(pid) << agent.out;
  EXPECT_TRUE(ends(static_cast<pid_t>(*pid)));
  const Ran ran = bot.finish();
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

}  // namespace
}  // namespace pawl::test

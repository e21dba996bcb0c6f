// What somebody stumbles over who lets the bot work for the first time, through the real binary.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

// --- what checks leave behind ---

TEST(StoryBotStumble, WhatAFailedCheckLeftIsNotInTheNextCommit) {
  BotProject project;
  // It fails for what it leaves behind, once; then it leaves nothing.
  project.settings("max_failures = 3\n",
                   "\"works\" = [\"sh\", \"-c\", \"if [ ! -e '" + project.home() + "/once' ]; then touch '" +
                       project.home() +
                       "/once'; mkdir -p cache/deep; echo x > cache/deep/left; echo y >> README.md; rm check.sh; git "
                       "init --quiet nested; fi\"]\n");
  project.stories({BotProject::story("US-1")});
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "it left changes behind")) << told;
  ASSERT_EQ(project.status("US-1"), "pushed") << told;
  const std::string folder = ".worktrees/story-US-1";
  EXPECT_FALSE(project.exists(folder + "/cache")) << told;
  EXPECT_FALSE(project.exists(folder + "/nested")) << told;
  EXPECT_EQ(project.on_remote("story/US-1", "cache/deep/left"), "") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "README.md"), "a project\n") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "check.sh"), "test -f \"$PAWL_STORY.txt\"\n") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "US-1.txt"), "implement\nimplement\n") << told;
}

TEST(StoryBotStumble, WhatIsIgnoredStaysAndEachCheckIsJudgedByItself) {
  BotProject project;
  project.write(".git/info/exclude", "prd.json\npawl.toml\n.pawl\n.worktrees\nkept\n");
  project.settings("max_failures = 1\n",
                   "\"dirty\" = [\"sh\", \"-c\", \"echo x > left; echo x > kept\"]\n\"clean\" = [\"true\"]\n");
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", {"dirty", "clean"}}})});
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "failed  dirty")) << told;
  EXPECT_TRUE(has(told, "passed  clean")) << told;
  EXPECT_TRUE(project.exists(".worktrees/story-US-1/kept")) << told;
  EXPECT_FALSE(project.exists(".worktrees/story-US-1/left")) << told;
}

TEST(StoryBotStumble, InSomebodysOwnCheckoutNothingIsPutBack) {
  BotProject project;
  project.settings("", "\"works\" = [\"sh\", \"-c\", \"echo x > left; echo y >> README.md\"]\n");
  project.stories({BotProject::story("US-1")});
  const auto expect_left = [&](const std::string& branch, const std::string& folder) {
    const Ran ran = project.run({"story", "check", "US-1", "--branch", branch});
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out + ran.err, "it left changes behind")) << ran.out << ran.err;
    EXPECT_TRUE(project.exists(folder + "left"));
    EXPECT_EQ(project.read(folder + "README.md").value_or(""), "a project\ny\n");
  };
  expect_left("main", "");
  project.git({"worktree", "add", "--quiet", ".worktrees/mine", "-b", "mine", "origin/main"});
  expect_left("mine", ".worktrees/mine/");
}

TEST(StoryBotStumble, WhatACheckLeftWhenTheBotWasKilledIsNotInTheNextCommit) {
  BotProject project;
  const std::string once = project.home() + "/once";
  // The first time it kills the bot that runs it.
  project.settings("", "\"works\" = [\"sh\", \"-c\", \"if [ ! -e '" + once + "' ]; then touch '" + once +
                           "'; echo x > left; echo y >> README.md; kill -9 $PPID; fi\"]\n");
  project.stories({BotProject::story("US-1")});
  const Ran killed = project.pawl({"story", "run", "--until-idle"});
  ASSERT_NE(killed.exit, 0) << killed.out << killed.err;
  ASSERT_TRUE(project.exists(".worktrees/story-US-1/left")) << killed.out << killed.err;
  const std::string told = project.carry();
  ASSERT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "left"), "") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "README.md"), "a project\n") << told;
  EXPECT_EQ(project.commits("story/US-1").size(), 1U) << told;
  EXPECT_TRUE(has(project.git({"stash", "list"}), "left by checks of US-1")) << "somebody may have been there since";
}

// --- which branch is meant ---

TEST(StoryBotStumble, AttestAndCheckMeanTheBotsBranch) {
  BotProject project;
  project.settings("", "\"works\" = [\"true\"]\n");
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", {"looks good", "works"}}})});
  const std::string told = project.carry();
  ASSERT_TRUE(has(project.not_picked("US-1"), "waits for somebody to attest it")) << told;
  ASSERT_TRUE(has(project.out({"status"}), "    pawl story attest US-1 'looks good' --evidence TEXT --actor NAME\n"));
  const std::string tip = project.git({"rev-parse", "story/US-1"});
  ASSERT_NE(tip, project.git({"rev-parse", "main"}));
  const Ran checked = project.run({"story", "check", "US-1", "--only", "works", "--json"});
  EXPECT_EQ(string_or(Json::parse(checked.out, nullptr, false), "branch"), "story/US-1") << checked.out << checked.err;
  const Json said = project.json({"story", "attest", "US-1", "looks good", "--evidence", "seen", "--actor", "ann"});
  EXPECT_EQ(string_or(said, "branch"), "story/US-1");
  EXPECT_TRUE(tip.starts_with(string_or(said, "commit"))) << said;
  project.must({"story", "retry", "US-1"});
  const std::string again = project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << again;
}

// --- the agent, as it is typed ---

TEST(StoryBotStumble, TypedAgentIsRunAndNeedsNoTrust) {
  BotProject project;
  project.agent("echo of pawl.toml > \"$PAWL_STORY.txt\"\n");
  project.stories({BotProject::story("US-1")});
  const std::string told =
      project.carry({"--until-idle", "--", "sh", "-c", "echo typed $0 > \"$PAWL_STORY.txt\"", "--max"});
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "US-1.txt"), "typed --max\n") << told;

  BotProject fresh;
  fresh.write("pawl.toml", "[story]\npause = \"0ms\"\nrecheck = \"0ms\"\ngates = \"record\"\n");
  fresh.stories({BotProject::story("US-1")});
  const Ran none = fresh.pawl({"story", "run", "--until-idle"});
  EXPECT_TRUE(has(none.err, "pawl story run -- claude -p")) << none.err;
  const Ran would = fresh.pawl({"story", "run", "--dry-run"});
  EXPECT_TRUE(has(would.out + would.err, "but not yet: no agent is named")) << would.out << would.err;
  const std::string also = fresh.carry({"--until-idle", "--", "sh", "-c", "echo typed > \"$PAWL_STORY.txt\""});
  EXPECT_EQ(fresh.on_remote("story/US-1", "US-1.txt"), "typed\n") << also;
  // --- and what nobody showed is said ---
  EXPECT_TRUE(has(also, ", unverified: “works” not shown\n")) << also;
  EXPECT_TRUE(has(also, "implemented; committed at ")) << also;
}

// --- an agent that writes into the list what it has done ---

TEST(StoryBotStumble, AStoryThatItsAgentCallsCommittedIsCarriedOn) {
  for (const bool shown : {true, false}) {
    BotProject project;
    if (shown) {
      project.settings("gates = \"record\"\n");
    } else {
      project.settings("gates = \"record\"\n", "");  // nothing shows the criterion
    }
    project.agent(cat("sed -i 's/\"status\": \"pending\"/\"status\": \"committed\"/' '", project.path(), "/prd.json'\n",
                      PAWL_BINARY, " -C '", project.path(),
                      "' story show US-1 > /dev/null\necho x > \"$PAWL_STORY.txt\"\n"));
    project.stories({BotProject::story("US-1")});
    const std::string first = project.carry({"--max", "1"});
    EXPECT_FALSE(has(first, "failed") || has(first, "held")) << first;
    EXPECT_TRUE(has(first, "implemented; committed at ")) << first;
    EXPECT_EQ(has(first, ", unverified: “works” not shown"), !shown) << first;
    const Json story = Json::parse(project.out({"story", "show", "US-1", "--json"}), nullptr, false);
    EXPECT_EQ(story.value("branchName", ""), "story/US-1") << story;
    EXPECT_EQ(story.value("unverified", false), !shown) << story;
    const std::string told = project.carry();
    EXPECT_EQ(project.status("US-1"), "pushed") << told;
    EXPECT_EQ(project.commits("story/US-1").size(), 1U) << told;
  }
}

// One that nobody works on: what mends it is said.
TEST(StoryBotStumble, ACommittedStoryWithoutABranchIsAdvisedWhatMendsIt) {
  BotProject project;
  project.settings("gates = \"record\"\n");
  project.stories({BotProject::story("US-1", 1, {{"status", "committed"}})});
  const std::string would = project.pawl({"story", "run", "--dry-run"}).out;
  EXPECT_TRUE(has(would, "US-1  would be held: it names no branch")) << would;
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "names no branch") && has(told, "pawl story reset US-1 --reason R")) << told;
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "once the branch that has its work is its branchName in prd.json")) << board;
}

// A pull request of another branch is none of a story that names no branch: what is missing is that.
TEST(StoryBotStumble, APushWithoutABranchAsksForIt) {
  BotProject project;
  project.stories({BotProject::story("US-1")});
  project.carry();
  ASSERT_EQ(project.status("US-1"), "pushed");
  const std::string number = std::to_string(project.pull_number("story/US-1"));
  project.write(kPrd, R"({"project": "Other", "stories": [{"id": "B", "title": "b", "status": "committed"}]})");
  project.must({"accept", "prd.json"});
  const Ran refused = project.pawl({"story", "move", "B", "pushed", "--pr", number});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_TRUE(has(refused.err, "it names no branch\n") && has(refused.err, "--branch B names")) << refused.err;
  EXPECT_FALSE(has(refused.err, "git push")) << refused.err;
}

// Of one that passes, what to type has a status that it can have.
TEST(StoryBotStumble, AForeignBranchOfAStoryThatPassesIsAdvisedItsOwnStatus) {
  BotProject project;
  Json one = BotProject::story("P-1");
  one.erase("status");
  one["passes"] = false;
  project.stories({one});
  project.git({"branch", "story/P-1"});
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "pawl story move P-1 passed --branch story/P-1")) << told;
}

// --- suggested checks ---

TEST(StoryBotStumble, SuggestedChecksLeaveTheFileWhole) {
  BotProject project;
  project.write("pawl.toml", "[story]\ngates = \"record\"\n");
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", {"one"}}})});
  const auto append = [&] {
    const std::string more = project.out({"story", "checks", "--suggest"});
    project.write("pawl.toml", project.read("pawl.toml").value_or("") + more);
    const Ran ran = project.run({"story", "checks", "US-1"});
    EXPECT_EQ(ran.exit, 0) << ran.err << more;
    return more;
  };
  EXPECT_TRUE(append().starts_with("[story.checks]\n\"one\" = "));
  project.edit_prd("\"one\"", "\"one\", \"two\"");
  const std::string second = append();
  EXPECT_FALSE(has(second, "\n[story.checks]")) << second;
  EXPECT_TRUE(has(second, "\n\"two\" = [\"false\"]")) << second;
  EXPECT_FALSE(has(project.out({"story", "checks", "US-1"}), "has no command"));
  // Another table stands behind it: there they would be something else.
  project.write("pawl.toml", project.read("pawl.toml").value_or("") + "[agent]\ncommand = [\"true\"]\n");
  project.edit_prd("\"one\"", "\"one\", \"three\"");
  const std::string third = append();
  EXPECT_TRUE(has(third, "under [story.checks]")) << third;
  EXPECT_TRUE(has(third, "\n# \"three\" = ")) << third;
}

// --- what a run says at its end ---

TEST(StoryBotStumble, RunSaysWhatIsLeftAndWhen) {
  BotProject project;
  const std::string settings = project.read("pawl.toml").value_or("");
  project.write("pawl.toml", replaced(replaced(settings, "pause = \"0ms\"", "pause = \"1h\""), "recheck = \"0ms\"",
                                      "recheck = \"1h\""));
  project.trust();
  project.agent("test \"$PAWL_STORY\" != US-2; test \"$PAWL_STORY\" != US-3; echo x > \"$PAWL_STORY.txt\"\n");
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2), BotProject::story("US-3", 3),
                   BotProject::story("US-4", 4, {{"acceptanceCriteria", Json::array()}}),
                   BotProject::story("US-5", 5, {{"dependsOn", {"US-2"}}})});
  const std::string told = project.carry();
  const std::string last = told.substr(0, told.find('\n'));  // stdout comes first
  EXPECT_TRUE(has(last, "; 2 failed, tried again from ")) << told;
  EXPECT_TRUE(has(last, "; 1 needs you (pawl status)")) << told;
  EXPECT_TRUE(has(last, "; 1 waits for its reviewer, looked at again at ")) << told;
  EXPECT_TRUE(has(last, "(pawl story retry ID looks now)")) << told;
  EXPECT_TRUE(has(last, "; 1 waits for others (pawl story list)")) << told;
  EXPECT_FALSE(has(last, "nothing is left")) << told;

  // The same by --dry-run: none is due, and the run after it does nothing.
  const std::string plan = project.carry({"--dry-run"});
  EXPECT_FALSE(has(plan, "would")) << plan;
  EXPECT_TRUE(has(plan, "US-2  failed 1×, and is tried again from ")) << plan;
  EXPECT_TRUE(has(plan, "US-1  is looked at again at ")) << plan;
  EXPECT_TRUE(has(project.carry(), "0 iterations; 2 failed"));

  // And by whoever looks meanwhile.
  const std::string list = project.out({"story", "list"});
  EXPECT_TRUE(has(list, "(failed 1×; again in ")) << list;
  EXPECT_TRUE(has(list, cat("(pull request ", project.pull_number("story/US-1"), " waits for a reviewer; looked at")))
      << list;
  const std::string status = project.out({"status"});
  EXPECT_TRUE(has(status, "(failed 1×)  again from ")) << status;
  EXPECT_TRUE(has(status, cat("(pull request ", project.pull_number("story/US-1"), " waits for a reviewer)")))
      << status;

  project.must({"story", "retry", "US-2"});
  EXPECT_TRUE(has(project.carry({"--dry-run"}), "US-2  would make the branch"));
}

TEST(StoryBotStumble, RunOfWhichNothingIsLeftSaysSo) {
  BotProject project;
  project.stories({BotProject::story("US-1")});
  project.carry();
  project.review(project.pull_number("story/US-1"), "APPROVED");
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "iterations; nothing is left to do\n") || has(told, "iteration; nothing is left to do\n"))
      << told;
}

// Whoever mistypes the agent's name has no story that failed.
TEST(StoryBotStumble, AnAgentThatIsNotThereIsToldBeforeTheFirstStory) {
  BotProject project;
  project.stories({BotProject::story("US-1"), BotProject::story("US-2")});
  for (const char* agent : {"no-such-agent", "../no-such-agent", "/no/such/agent"}) {
    for (const std::vector<std::string>& how : {std::vector<std::string>{"--until-idle"}, {"--dry-run"}}) {
      std::vector<std::string> args = {"story", "run"};
      args.insert(args.end(), how.begin(), how.end());
      args.insert(args.end(), {"--", agent});
      const Ran ran = project.pawl(args);
      EXPECT_EQ(ran.exit, 3) << agent << ran.out << ran.err;
      EXPECT_TRUE(has(ran.err, agent)) << ran.err;
    }
  }
  EXPECT_FALSE(has(project.out({"story", "list"}), "failed")) << project.out({"story", "list"});
}

TEST(StoryBotStumble, UnignoredWorktreesAreToldOf) {
  BotProject project;
  project.stories({BotProject::story("US-1")});
  EXPECT_FALSE(has(project.carry({"--once"}), "git does not ignore"));
  project.write(".git/info/exclude", "prd.json\npawl.toml\n.pawl\n");
  const std::string told = project.carry({"--once"});
  EXPECT_TRUE(has(told, "git does not ignore .worktrees: add a line .worktrees/ to .gitignore")) << told;
}

}  // namespace
}  // namespace pawl::test

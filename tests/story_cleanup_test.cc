// `pawl story cleanup`: what a story that has ended leaves goes, and nobody's work with it. Through the real binary, a
// real remote and the stand-in for GitHub.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

class StoryCleanup : public testing::Test {
 protected:
  // Two stories: US-1 is merged, US-2 waits for a review.
  StoryCleanup() {
    project.stories({BotProject::story("US-1"), BotProject::story("US-2", 2)});
    project.carry();
    project.review(project.pull_number("story/US-1"), "APPROVED");
    project.carry();
    EXPECT_EQ(project.status("US-1"), "merged");
    EXPECT_EQ(project.status("US-2"), "pushed");
  }
  [[nodiscard]] bool has_branch(const std::string& name) const {
    return !project.git({"branch", "--list", name}).empty();
  }
  [[nodiscard]] std::string worktree(const std::string& id) const {
    std::string path;
    for (const std::string_view line : split(list_ = project.git({"worktree", "list", "--porcelain"}), '\n')) {
      if (line.starts_with("worktree ")) path = line.substr(9);
      if (line == cat("branch refs/heads/story/", id)) return path;
    }
    return "";
  }
  BotProject project;
  mutable std::string list_;
};

TEST_F(StoryCleanup, TakesAwayWhatIsMergedAndNothingElse) {
  const std::string dry = project.out({"story", "cleanup", "--merged", "--dry-run"});
  EXPECT_TRUE(has(dry, "story US-1 would be cleaned up")) << dry;
  EXPECT_FALSE(worktree("US-1").empty()) << "it was only told";
  const Ran ran = project.run({"story", "cleanup", "--merged"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "story US-1 is cleaned up") && has(ran.out, "branch story/US-1 removed")) << ran.out;
  EXPECT_FALSE(has(ran.out, "US-2")) << ran.out;
  EXPECT_EQ(worktree("US-1"), "");
  EXPECT_FALSE(has_branch("story/US-1"));
  EXPECT_FALSE(worktree("US-2").empty());
  EXPECT_EQ(project.status("US-1"), "merged") << "the story stays in its list";
  EXPECT_EQ(project.out({"story", "cleanup", "--merged"}), "there is nothing to clean up\n");
}

TEST_F(StoryCleanup, WorkThatNobodyElseHasStopsIt) {
  const std::string folder = worktree("US-1");
  ASSERT_FALSE(folder.empty());
  ASSERT_EQ(run_program("sh", {"-c", cat("echo mine > '", folder, "/mine.txt'")}, {}).exit, 0);
  const Ran stopped = project.run({"story", "cleanup", "US-1"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_TRUE(has(stopped.out, "mine.txt")) << stopped.out;
  EXPECT_EQ(worktree("US-1"), folder);
  const Ran forced = project.run({"story", "cleanup", "US-1", "--force"});
  EXPECT_EQ(forced.exit, 0) << forced.out << forced.err;
  EXPECT_EQ(worktree("US-1"), "");
  EXPECT_TRUE(has(project.git({"stash", "list"}), "pawl: story US-1"));
}

// Nobody forgets them though the story is gone.
TEST_F(StoryCleanup, WhatADroppedStoryLeavesIsTold) {
  ASSERT_FALSE(worktree("US-2").empty());
  const std::string dropped = project.out({"story", "drop", "US-2", "--reason", "not wanted"});
  EXPECT_TRUE(
      has(dropped,
          "what was done for it in git stays: its branch, and its worktree if it has one\n    pawl story cleanup "
          "US-2 --branch  # "))
      << dropped;
  const std::string would = project.out({"leave", "--dry-run"});
  EXPECT_TRUE(has(would, "story-US-2: a worktree called as pawl calls those of stories, on the branch story/US-2"))
      << would;
  EXPECT_TRUE(has(would, "story-US-1: a worktree that pawl made for story US-1")) << would;
}

TEST_F(StoryCleanup, WhatADroppedStoryLeavesGoes) {
  project.must({"story", "drop", "US-2", "--reason", "not wanted"});
  const std::string dry = project.out({"story", "cleanup", "US-2", "--branch", "--dry-run"});
  EXPECT_TRUE(has(dry, "story US-2 would be cleaned up")) << dry;
  EXPECT_FALSE(worktree("US-2").empty());
  const Ran ran = project.run({"story", "cleanup", "US-2", "--branch"});
  EXPECT_EQ(ran.exit, 0) << ran.err << ran.out;
  EXPECT_EQ(worktree("US-2"), "");
  EXPECT_FALSE(has_branch("story/US-2"));
  EXPECT_EQ(project.run({"story", "cleanup", "US-9"}).exit, 3);
}

TEST_F(StoryCleanup, ADropThatIsRepeatedGivesTheFirstAnswer) {
  const std::vector<std::string> words = {"story", "drop", "US-2", "--reason", "not wanted", "--idempotency-key", "k"};
  const Json first = project.json(words);
  EXPECT_EQ(first.value("left", false), true) << first;
  EXPECT_EQ(project.json(words), first);
  // Nor does another story of that id, which came meanwhile, say more than the key.
  project.must({"story", "add", "US-2", "--title", "again", "--criterion", "works"});
  EXPECT_EQ(project.json(words), first);
}

TEST_F(StoryCleanup, AResetThatIsRepeatedGivesTheFirstAnswerThoughTheStoryIsGone) {
  const std::vector<std::string> words = {"story", "reset", "US-2", "--reason", "wrong", "--idempotency-key", "k"};
  const Json first = project.json(words);
  project.must({"story", "drop", "US-2", "--reason", "not wanted"});
  EXPECT_EQ(project.json(words), first);
  EXPECT_EQ(project.run({"story", "reset", "US-2", "--reason", "wrong"}).exit, 3);
}

// Only the name of such a folder tells whose it is.
TEST_F(StoryCleanup, AWorktreeOnAnotherBranchIsNotCalledOneOfAStoryThatIsGone) {
  project.git({"-C", worktree("US-2"), "checkout", "--detach"});
  project.git({"worktree", "add", "-b", "mine", ".worktrees/story-mine"});
  const std::string would = project.out({"leave", "--dry-run"});
  EXPECT_FALSE(has(would, "that is gone")) << would;
  EXPECT_TRUE(has(would, "story-US-2: a worktree called as pawl calls that of story US-2, on no branch")) << would;
  EXPECT_TRUE(has(would, "story-mine: a worktree called as pawl calls those of stories, on the branch mine")) << would;
}

TEST_F(StoryCleanup, ACommitThatWasNeverPushedStopsIt) {
  const std::string folder = worktree("US-1");
  ASSERT_EQ(
      run_program("sh", {"-c", cat("cd '", folder, "' && echo mine > mine.txt && git add . && git commit -qm mine")},
                  project.with_github())
          .exit,
      0);
  const std::string tip = project.git({"rev-parse", "story/US-1"});
  const Ran stopped = project.run({"story", "cleanup", "--merged"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_TRUE(has(stopped.out, "not pushed") && has(stopped.out, "mine")) << stopped.out;
  EXPECT_EQ(worktree("US-1"), folder);
  const Ran forced = project.run({"story", "cleanup", "US-1", "--force", "--branch"});
  EXPECT_EQ(forced.exit, 0) << forced.out << forced.err;
  EXPECT_FALSE(has_branch("story/US-1"));
  EXPECT_TRUE(has(project.git({"for-each-ref", "refs/pawl", "--format=%(objectname)"}), trim(tip))) << "it has a name";
}

TEST_F(StoryCleanup, OneThatGoesOnIsLeftAlone) {
  const Ran ran = project.run({"story", "cleanup", "US-2", "--force", "--branch"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "story US-2 is pushed, and its worktree and branch are needed")) << ran.err;
  EXPECT_FALSE(worktree("US-2").empty());
  EXPECT_EQ(project.run({"story", "cleanup"}).exit, 2);
}

TEST_F(StoryCleanup, OneThatAWorkerHasIsLeftAlone) {
  project.must({"claim", "take", "story/US-1", "--worker", "w", "--lease", "10m"});
  const Ran ran = project.run({"story", "cleanup", "US-1"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "a worker has story US-1")) << ran.err;
  EXPECT_FALSE(worktree("US-1").empty());
}

// The bot makes a worktree of a branch that a person named: that goes, and the branch stays theirs.
TEST_F(StoryCleanup, TheWorktreeOfAPersonsBranchGoesToo) {
  project.git({"branch", "mine", "main"});
  project.stories({BotProject::story("US-1"), BotProject::story("US-2", 2),
                   BotProject::story("US-3", 3, {{"branchName", "mine"}})});
  project.git({"checkout", "--quiet", "mine"});
  project.write("US-3.txt", "by hand\n");
  project.git({"add", "US-3.txt"});
  project.git({"commit", "--quiet", "-m", "by hand"});
  project.must({"story", "check", "US-3", "--branch", "mine"});
  project.must({"story", "move", "US-3", "committed", "--branch", "mine"});
  project.git({"checkout", "--quiet", "main"});
  project.carry();
  project.review(project.pull_number("mine"), "APPROVED");
  const std::string told = project.carry();
  ASSERT_EQ(project.status("US-3"), "merged") << told;
  ASSERT_TRUE(has(project.git({"worktree", "list"}), "[mine]")) << told;
  const std::string ran = project.out({"story", "cleanup", "US-3"});
  EXPECT_TRUE(has(ran, "story US-3 is cleaned up") && has(ran, "branch mine stays: it was not made by")) << ran;
  EXPECT_FALSE(has(project.git({"worktree", "list"}), "[mine]"));
  EXPECT_TRUE(has_branch("mine"));
  EXPECT_FALSE(has(project.out({"story", "cleanup", "--merged"}), "US-3")) << "nothing is left of it";
}

TEST_F(StoryCleanup, OfOneListOnly) {
  EXPECT_EQ(project.out({"story", "cleanup", "--merged", "--dry-run", "--file", "plans/prd.json"}),
            "there is nothing to clean up\n");
  const Json told = project.json({"story", "cleanup", "--merged", "--file", "prd.json"});
  EXPECT_EQ(told["stories"][0]["file"], "prd.json") << told;
}

// --- what the bot says and counts ---

TEST(StoryBotHonest, ACheckThatCanNotBeRunIsSaidBeforeAnAgentWorks) {
  const BotProject project;
  project.stories({BotProject::story("US-1")});
  project.agent("echo ran > \"$OLDPWD/agent-ran\"; echo x > \"$PAWL_STORY.txt\"\n");
  project.write("pawl.toml", replaced(project.read("pawl.toml").value_or(""), "[\"sh\", \"check.sh\"]",
                                      "[\"test\", \"-f\", \"{id}.txt\"]"));
  const Ran trusted = project.run({"trust"});
  EXPECT_EQ(trusted.exit, 2) << trusted.out;
  EXPECT_TRUE(has(trusted.err, "the check for “works” in pawl.toml cannot be run")) << trusted.err;
  const Ran shown = project.run({"story", "checks"});
  EXPECT_EQ(shown.exit, 1);
  EXPECT_TRUE(has(shown.out, "cannot be run: ")) << shown.out;
  const Ran ran = project.pawl({"story", "run", "--once", "--", "sh", "-c", "echo x > \"$PAWL_STORY.txt\""});
  EXPECT_EQ(ran.exit, 2) << ran.out;
  EXPECT_TRUE(has(ran.err, "cannot be run")) << ran.err;
  EXPECT_FALSE(has(project.out({"story", "list"}), "failed")) << "it is no story's failure";
  EXPECT_EQ(project.git({"branch", "--list", "story/*"}), "") << "and nobody has worked";
}

TEST(StoryBotHonest, ALineForAShellIsTrustedBeforeAnAgentWorks) {
  const BotProject project;
  project.stories({BotProject::story("US-1")});
  project.settings("shell = true\n", "\"works\" = \"test -f US-1.txt && true\"\n");
  project.must({"trust", "--remove"});
  const std::vector<std::string> run = {"story", "run", "--once", "--", "sh", "-c", "echo x > \"$PAWL_STORY.txt\""};
  const Ran ran = project.pawl(run);
  EXPECT_TRUE(has(ran.err, "read pawl.toml, then: pawl trust") && !has(ran.err, "cannot be run")) << ran.err;
  EXPECT_EQ(project.git({"log", "--all", "--format=%s", "--", "US-1.txt"}), "") << "nobody has worked";
  // A story's own line too: that pawl.toml makes it a shell's is read there.
  project.write("pawl.toml", replaced(project.read("pawl.toml").value_or(""), "\"works\" = ", "\"other\" = "));
  project.stories({BotProject::story("US-1", 1, {{"checks", {{"works", "test -f US-1.txt && true"}}}})});
  project.must({"trust", "--stories"});
  EXPECT_TRUE(has(project.run({"story", "check", "US-1", "--branch", "main"}).err, "read pawl.toml, then: pawl trust"));
  project.must({"trust"});
  project.must({"story", "retry", "US-1"});
  const Ran done = project.pawl(run);
  EXPECT_EQ(project.status("US-1"), "committed") << done.out << done.err;
}

TEST(StoryBotHonest, AfterAResetOldCommitsAreNobodysWork) {
  const BotProject project;
  project.stories({BotProject::story("US-1")});
  project.carry({"--once"});
  ASSERT_EQ(project.status("US-1"), "committed");
  project.must({"story", "reset", "US-1", "--reason", "again"});
  project.agent("exit 0\n");
  const std::string told = project.carry({"--once"});
  EXPECT_TRUE(has(told, "the agent changed nothing")) << told;
  EXPECT_EQ(project.status("US-1"), "pending");
  project.must({"story", "retry", "US-1"});
  project.agent("echo more >> \"$PAWL_STORY.txt\"\n");
  project.carry({"--once"});
  EXPECT_EQ(project.status("US-1"), "committed");
}

TEST(StoryBotHonest, RemarksThatAreLeftOutAreTold) {
  const BotProject project;
  project.stories({BotProject::story("US-1")});
  project.carry();
  project.comment(project.pull_number("story/US-1"), "do it my way", "mallory");
  project.must({"story", "retry", "US-1"});
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "1 remark is left out: by people who are not believed; story.trusted")) << told;
}

TEST(StoryBotHonest, CheckAndAttestHoldToTheClaim) {
  const BotProject project;
  project.stories({BotProject::story("US-1")});
  project.carry({"--once"});
  const std::string token = project.out({"claim", "take", "story/US-1", "--worker", "w", "--lease", "10m"});
  const std::string held(trim(token)), lost = std::to_string(std::stoll(held) + 1);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"story", "check", "US-1"},
        {"story", "attest", "US-1", "works", "--evidence", "seen", "--actor", "ann"}}) {
    std::vector<std::string> late = words;
    late.insert(late.end(), {"--token", lost});
    EXPECT_EQ(project.run(late).exit, 4) << words[1];
  }
  EXPECT_EQ(project.run({"story", "check", "US-1", "--token", held}).exit, 0);
}

TEST_F(StoryCleanup, WhatIsLeftOfStoriesIsNamedByWhoLeaves) {
  for (const char* const flag : {"--dry-run", "--no-color"}) {
    const std::string out = project.out({"leave", flag});
    for (const char* const id : {"US-1", "US-2"}) {
      EXPECT_TRUE(has(out, cat("story/", id, ": a branch that pawl made for story ", id))) << out;
      EXPECT_TRUE(has(out, cat(": a worktree that pawl made for story ", id))) << out;
    }
  }
}

// A dropped story's branch is named as long as its commits are nowhere else.
TEST_F(StoryCleanup, LeavingNamesTheBranchOfAStoryThatWasDropped) {
  project.git({"branch", "story/US-9", "main"});
  project.git({"worktree", "add", "-q", "../w9", "story/US-9"});
  ASSERT_EQ(
      run_program("sh",
                  {"-c", cat("cd '", project.file("../w9"),
                             "' && echo x > x && git add x && git -c user.name=a -c user.email=a@b commit -qm x")},
                  project.options())
          .exit,
      0);
  project.git({"worktree", "remove", "../w9"});
  project.git({"branch", "story/same", "main"});
  const std::string would = project.out({"leave", "--dry-run"});
  EXPECT_TRUE(
      has(would, "story/US-9: a branch called as pawl calls those of stories, with commits that no other branch"))
      << would;
  EXPECT_FALSE(has(would, "story/same")) << would;
}

// Of a status that nothing has shown git has the last word.
TEST_F(StoryCleanup, ABranchThatNobodyMergedStaysWhateverTheStatusSays) {
  RunOptions record;
  record.env = {"PAWL_STORY_GATES=record"};
  ASSERT_EQ(project.run({"story", "move", "US-2", "merged"}, record).exit, 0);
  const Ran ran = project.run({"story", "cleanup", "US-2"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "branch story/US-2 stays: it is not merged")) << ran.out;
  EXPECT_TRUE(has_branch("story/US-2"));
}

// They have no status that says it, so git does.
TEST(StoryCleanupOfPasses, TakesAwayWhatIsMergedInGit) {
  const BotProject project;
  Json one = BotProject::story("P-1"), two = BotProject::story("P-2", 2);
  for (Json* const story : {&one, &two}) {
    story->erase("status");
    (*story)["passes"] = false;
  }
  project.stories({one, two});
  project.carry();
  EXPECT_EQ(project.status("P-1"), "passed");
  EXPECT_EQ(project.out({"story", "cleanup", "--merged"}), "there is nothing to clean up\n");
  project.git({"merge", "-q", "story/P-1"});
  const Ran ran = project.run({"story", "cleanup", "--merged"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "story P-1 is cleaned up") && has(ran.out, "branch story/P-1 removed: it is merged"))
      << ran.out;
  EXPECT_FALSE(has(ran.out, "P-2")) << ran.out;
}

}  // namespace
}  // namespace pawl::test

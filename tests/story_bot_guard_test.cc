// What the bot must not do, and whom it believes: through the real binary, a real remote and the stand-in for GitHub.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

TEST(StoryBotGuard, OnlyTheExpectedBranchIsMergedInto) {
  BotProject project;
  ASSERT_EQ(run_program("git", {"-C", project.remote(), "branch", "release", "main"}).exit, 0);
  project.stories({BotProject::story("US-1")});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  ASSERT_EQ(project.practice().request("PATCH", cat("/repos/o/r/pulls/", pull), {{"base", "release"}}).status, 200);
  project.review(pull, "APPROVED");
  project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed");
  EXPECT_EQ(project.on_remote("release", "US-1.txt"), "");
  EXPECT_TRUE(has(project.out({"story", "log", "US-1"}), "it would be merged into release, and stories go into main"));
  project.settings("base = \"release\"\n");  // unless that is where stories go
  project.carry();
  EXPECT_EQ(project.status("US-1"), "merged");
}

TEST(StoryBotGuard, NewcomerThatSaysPushedIsNotMerged) {
  BotProject project(Json{{"pulls", Json::array({Json{{"number", 3},
                                                      {"title", "Somebody's"},
                                                      {"author", "bob"},
                                                      {"head", "somebodys"},
                                                      {"files", {{"a.txt", {{"after", "x\n"}}}}}}})}});
  project.stories({BotProject::story("US-1")});
  project.carry({"--once"});
  project.review(3, "APPROVED");
  Json root = Json::parse(project.prd());
  root["stories"].push_back(
      BotProject::story("US-2", 1, {{"status", "pushed"}, {"branchName", "somebodys"}, {"prNumber", 3}}));
  project.write(kPrd, root.dump(2));
  project.carry();
  EXPECT_EQ(project.on_remote("main", "a.txt"), "") << "nobody has moved that story to pushed";
  EXPECT_EQ(project.json({"story", "show", "US-2"})["held"], true);
}

TEST(StoryBotGuard, AgentThatGoesToAnotherBranchGetsNothingCommittedThere) {
  for (const char* away : {"git checkout -q main", "git symbolic-ref HEAD refs/heads/main"}) {
    BotProject project;
    ASSERT_EQ(run_program("git", {"-C", project.path(), "checkout", "-q", "-b", "dev"}).exit, 0);
    const std::string before = run_program("git", {"-C", project.path(), "rev-parse", "main"}).out;
    project.agent(cat("echo x > work.txt\n", away, "\n"));
    project.stories({BotProject::story("US-1")});
    project.carry({"--once"});
    EXPECT_EQ(run_program("git", {"-C", project.path(), "rev-parse", "main"}).out, before) << away;
    EXPECT_TRUE(has(project.out({"story", "log", "US-1"}), "nothing was committed")) << away;
  }
}

TEST(StoryBotGuard, BranchThatOnlyTheRemoteHasIsNoStorys) {
  BotProject project;
  ASSERT_EQ(run_program("git", {"-C", project.remote(), "branch", "production", "main"}).exit, 0);
  const std::string before = run_program("git", {"-C", project.remote(), "rev-parse", "production"}).out;
  project.stories({BotProject::story("US-1", 1, {{"branchName", "production"}})});
  project.carry();
  EXPECT_EQ(run_program("git", {"-C", project.remote(), "rev-parse", "production"}).out, before);
  EXPECT_TRUE(has(project.out({"status"}), "has a branch “production” already"));
}

TEST(StoryBotGuard, LongReplyIsCutAndPosted) {
  BotProject project;
  project.agent(
      "echo \"$PAWL_TASK\" >> \"$PAWL_STORY.txt\"\n"
      "[ \"$PAWL_TASK\" = implement ] || head -c 300000 /dev/zero | tr '\\000' x > \"$PAWL_REPLY_FILE\"\n");
  project.stories({BotProject::story("US-1")});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "why?");
  project.carry();
  ASSERT_EQ(project.comments(pull).size(), 2U);
  const std::string body = string_or(project.comments(pull)[1], "body");
  EXPECT_TRUE(has(body, "cut here")) << body.substr(body.size() - 200);
  EXPECT_LE(body.size(), 65'536U);
  EXPECT_GT(body.size(), 50'000U);
}

TEST(StoryBotGuard, RepositoryWithinTheWorktreeIsNotPushedWithoutItsContent) {
  BotProject project;
  project.settings("max_failures = 1\n");
  project.agent("echo x > \"$PAWL_STORY.txt\"; git init --quiet part; echo y > part/file\n");
  project.stories({BotProject::story("US-1")});
  const std::string told = project.carry();
  EXPECT_TRUE(has(told, "part (a repository of its own")) << told;
  EXPECT_EQ(project.status("US-1"), "pending");
  EXPECT_TRUE(has(project.not_picked("US-1"), "part")) << project.not_picked("US-1");
  EXPECT_TRUE(project.pulls().empty());
}

TEST(StoryBotGuard, HeldStoryWhosePullRequestAPersonMergesIsMerged) {
  BotProject project;
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2)});
  project.carry();
  for (const char* id : {"US-1", "US-2"}) project.must({"story", "pause", id, "--reason", "on holiday"});
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "still there?");
  project.carry();
  EXPECT_EQ(project.commits("story/US-1").size(), 1U) << "nobody works on it";
  ASSERT_EQ(project.practice().request("PUT", cat("/repos/o/r/pulls/", pull, "/merge"), Json::object()).status, 200);
  project.close(project.pull_number("story/US-2"));
  project.carry();
  EXPECT_EQ(project.status("US-1"), "merged");
  EXPECT_EQ(project.status("US-2"), "invalid");
}

TEST(StoryBotGuard, WhatWasAnsweredStaysAnsweredAfterAReset) {
  BotProject project;
  project.agent(
      "echo \"$PAWL_TASK\" >> \"$PAWL_STORY.txt\"\n"
      "[ \"$PAWL_TASK\" = implement ] || echo so > \"$PAWL_REPLY_FILE\"\n");
  project.stories({BotProject::story("US-1")});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "why?");
  project.carry();
  ASSERT_EQ(project.comments(pull).size(), 2U);
  project.must({"story", "reset", "US-1", "--reason", "another approach"});
  project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed");
  EXPECT_EQ(project.comments(pull).size(), 2U) << "the same remark is not answered again";
}

TEST(StoryBotGuard, WhoIsTrustedBesidesWritersIsASetting) {
  BotProject project(Json{{"organizations", Json::array({Json{{"login", "crew"}, {"members", {"carl"}}}})}});
  project.stories({BotProject::story("US-1")});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "one", "carl");
  project.comment(pull, "two", "Dora");
  project.carry();
  EXPECT_EQ(project.commits("story/US-1").size(), 1U) << "neither is anybody yet";
  project.settings("trusted = [\"dora\"]\n");
  project.carry();
  EXPECT_EQ(project.commits("story/US-1").size(), 2U);
  project.comment(pull, "three", "carl");
  project.settings("trusted_org = \"crew\"\n");
  project.carry();
  EXPECT_EQ(project.commits("story/US-1").size(), 3U);
  // From a file that nobody has trusted neither counts: a move by hand asks whom to believe, and runs nothing.
  project.settings("trusted = [\"dora\"]\ntrusted_org = \"crew\"\n");
  project.must({"trust", "--remove"});
  project.comment(pull, "Already done in 1a2b3c4.", "Dora");
  project.comment(pull, "Already done in 1a2b3c4.", "carl");
  const Ran nobody = project.pawl({"story", "move", "US-1", "invalid"});
  EXPECT_EQ(nobody.exit, 1) << nobody.out;
  EXPECT_TRUE(has(nobody.err, "no trusted reviewer said")) << nobody.err;
  project.trust();
  const Ran somebody = project.pawl({"story", "move", "US-1", "invalid"});
  EXPECT_EQ(somebody.exit, 0) << somebody.err;
}

TEST(StoryBotGuard, StoriesOfTheOtherDialectAreCarriedToPassed) {
  BotProject project;
  project.write(kPrd, R"({"userStories": [
  {"id": "P-1", "title": "one", "acceptanceCriteria": ["works"], "priority": 1, "passes": false},
  {"id": "P-2", "title": "two", "acceptanceCriteria": ["works"], "priority": 2, "passes": false}
]}
)");
  project.must({"init"});
  RunOptions alone = project.with_github();
  std::erase_if(alone.env, [](const std::string& one) { return one.starts_with("GITHUB") || one.starts_with("GH_"); });
  const Ran ran = run_pawl({"story", "run", "--until-idle"}, alone);  // GitHub is not needed for it
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  for (const char* id : {"P-1", "P-2"}) {
    EXPECT_EQ(project.status(id), "passed") << ran.out << ran.err;
    EXPECT_EQ(project.in_file(id), "true");
    EXPECT_EQ(project.git({"show", cat("story/", id, ":", id, ".txt")}), "implement\n");
  }
  EXPECT_TRUE(project.pulls().empty());
}

// The list in one repository, the code in another.
TEST(StoryBotGuard, CodeMayBeInAnotherRepository) {
  BotProject project;
  const std::string code = project.home() + "/code";
  ASSERT_EQ(run_program("git", {"clone", "--quiet", project.remote(), code}).exit, 0);
  ASSERT_EQ(
      run_program("git", {"-C", code, "config", "url." + project.remote() + ".insteadOf", "git@github.com:o/r.git"})
          .exit,
      0);
  ASSERT_EQ(run_program("git", {"-C", code, "remote", "set-url", "origin", "git@github.com:o/r.git"}).exit, 0);
  const std::string before = project.git({"for-each-ref", "refs/heads"});
  project.settings(cat("repo = \"", code, "\"\n"));
  project.stories({BotProject::story("US-1")});
  const std::string told = project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "US-1.txt"), "implement\n");
  EXPECT_EQ(project.git({"for-each-ref", "refs/heads"}), before) << "nothing was done in the list's own repository";
  EXPECT_TRUE(has(run_program("git", {"-C", code, "branch", "--list", "story/US-1"}).out, "story/US-1"));
  // Only from a file that somebody has trusted.
  project.must({"trust", "--remove"});
  const Ran moved = project.pawl({"story", "move", "US-1", "pushed"});  // runs no command, and looks at the branch
  EXPECT_EQ(moved.exit, 1) << moved.out;
  EXPECT_TRUE(has(moved.err, "says that the code is in")) << moved.err;
}

// A pawl.toml that came with a clone sends nobody's work elsewhere.
TEST(StoryBotGuard, AnAddressInPlaceOfARemoteWantsTrust) {
  BotProject project;
  project.stories({BotProject::story("US-1")});
  const std::string elsewhere = project.home() + "/elsewhere.git";
  project.git({"init", "--quiet", "--bare", elsewhere});
  project.settings("remote = \"" + elsewhere + "\"\n");
  project.must({"trust", "--remove"});
  const Ran ran = project.pawl({"story", "run", "--once", "--", "sh", project.home() + "/agent.sh"});
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_TRUE(has(ran.err, "is no remote of this repository, and nobody has trusted it")) << ran.err;
  EXPECT_EQ(project.git({"--git-dir", elsewhere, "for-each-ref"}), "");
}

}  // namespace
}  // namespace pawl::test

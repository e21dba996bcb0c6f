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

TEST(StoryBotLimits, AfterLeavingNoOtherStoryIsTakenUp) {
  BotProject project;
  const std::string began = project.home() + "/began", go = project.home() + "/go";
  ASSERT_EQ(run_program("mkfifo", {began, go}).exit, 0);
  project.agent(cat("echo \"$PAWL_STORY\" >> ", project.home(),
                    "/taken\n[ \"$PAWL_STORY\" = US-1 ] || exit 1\necho x > ", began, "; read line < ", go,
                    "\necho x > US-1.txt\n"));
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2)});
  Child bot(PAWL_BINARY, {"story", "run", "--until-idle"}, project.with_github());
  ASSERT_EQ(run_program("cat", {began}).exit, 0);  // the first is under way
  project.must({"leave"});
  write_all(go, "go\n");
  const Ran ran = bot.finish();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out + ran.err, "pawl was left here: no other story is taken up")) << ran.out << ran.err;
  EXPECT_EQ(read_all(project.home() + "/taken"), "US-1\n");
}

TEST(StoryBotLimits, TwoListsWithOneIdDoNotMeet) {
  BotProject project;
  project.agent("echo \"$PAWL_BRANCH\" > \"$PAWL_STORY.txt\"; pwd > \"$PAWL_REPLY_FILE\"\n");
  project.write("data/prd.json",
                Json{{"stories", Json::array({BotProject::story("US-1", 2, {{"branchName", "second"}})})}}.dump(2));
  project.stories({BotProject::story("US-1", 1, {{"branchName", "first"}})});
  const std::string told = project.carry();
  EXPECT_EQ(project.on_remote("first", "US-1.txt"), "first\n") << told;
  EXPECT_EQ(project.on_remote("second", "US-1.txt"), "second\n") << told;
  for (const char* file : {"prd.json", "data/prd.json"})
    EXPECT_EQ(string_or(project.json({"story", "show", "US-1", "--file", file}), "status"), "pushed") << told;
  std::set<std::string> logs;
  for (const char* file : {"prd.json", "data/prd.json"}) {
    const std::string log = project.json({"story", "log", "US-1", "--file", file}).dump();
    const std::size_t at = log.find("/logs/story-"), end = log.find("-agent.log", at);
    ASSERT_NE(end, std::string::npos) << log;
    logs.insert(log.substr(at, end - at));
  }
  EXPECT_EQ(logs.size(), 2U) << "each has a log of its own";
}

TEST(StoryBotLimits, DuplicateIsAnotherAndByATrustedHand) {
  const auto pull = [](int number, const char* author, const char* head, Json more = Json::object()) {
    Json one{{"number", number},   {"title", "Make it fast"},
             {"body", "Fixes #5"}, {"author", author},
             {"head", head},       {"files", {{cat("f", number), {{"after", "x\n"}}}}}};
    one.update(more);
    return one;
  };
  BotProject project(
      Json{{"issues", Json::array({Json{{"number", 5}, {"title", "it is slow"}}})},
           {"pulls", Json::array({pull(6, "bob", "story/US-1"), pull(7, "mallory", "hers", {{"head_owner", "mallory"}}),
                                  pull(8, "bob", "his")})}});
  project.stories({BotProject::story("US-1", 1, {{"issueNumber", 5}})});
  const auto skip = [&](const char* number) {
    return project.pawl({"story", "move", "US-1", "skipped", "--pr", number});
  };
  const Ran own = skip("6");
  EXPECT_EQ(own.exit, 1) << own.out;
  EXPECT_TRUE(has(own.err, "pull request 6 is the story's own")) << own.err;
  const Ran hers = skip("7");
  EXPECT_EQ(hers.exit, 1) << hers.out;
  EXPECT_TRUE(has(hers.err, "pull request 7 is open, and mallory is nobody whose word counts here")) << hers.err;
  EXPECT_EQ(project.status("US-1"), "pending");
  const Ran his = skip("8");
  EXPECT_EQ(his.exit, 0) << his.err;
}

TEST(StoryBotLimits, LettersOfAReplyAreCountedNotBytes) {
  BotProject project;
  project.agent(
      "echo \"$PAWL_TASK\" >> \"$PAWL_STORY.txt\"\n"
      "[ \"$PAWL_TASK\" = implement ] || head -c 50000 /dev/zero | sed 's/\\x00/ä/g' > \"$PAWL_REPLY_FILE\"\n");
  project.stories({BotProject::story("US-1")});
  project.carry();
  const int pull = project.pull_number("story/US-1");
  project.comment(pull, "why?");
  project.carry();
  ASSERT_EQ(project.comments(pull).size(), 2U);
  const std::string body = string_or(project.comments(pull)[1], "body");
  EXPECT_FALSE(has(body, "cut here"));
  EXPECT_GT(body.size(), 100'000U);
}

TEST(StoryBotLimits, HeldStoryWithoutAPullRequestIsLookedAtNowAndThen) {
  BotProject project;
  project.write("pawl.toml",
                replaced(project.read("pawl.toml").value_or(""), "recheck = \"0ms\"", "recheck = \"10m\""));
  project.trust();
  project.stories({BotProject::story("US-1", 1, {{"status", "pushed"}, {"branchName", "nowhere"}}),
                   BotProject::story("US-2", 2), BotProject::story("US-3", 3)});
  project.must({"story", "pause", "US-1"});
  project.practice().control("DELETE", "/requests");
  project.carry();
  ASSERT_EQ(project.status("US-3"), "pushed");
  int asked = 0;
  for (const Json& request : project.practice().requests()) asked += has(request.dump(), "nowhere") ? 1 : 0;
  EXPECT_EQ(asked, 1) << "once in ten minutes";
}

// --- what it would do ---

TEST(StoryBotDryRun, SaysWhatTheRunWouldDo) {
  BotProject project(Json{{"pulls", Json::array({Json{{"number", 3},
                                                      {"title", "Another"},
                                                      {"author", "bob"},
                                                      {"head", "another"},
                                                      {"files", {{"a.txt", {{"after", "x\n"}}}}}}})}});
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2)});
  project.carry();
  project.review(3, "APPROVED");
  project.review(project.pull_number("story/US-2"), "APPROVED");
  Json root = Json::parse(project.prd());
  root["stories"][0]["prNumber"] = 3;
  root["stories"].push_back(BotProject::story("US-3", 3, {{"dependsOn", "US-1"}}));
  root["stories"].push_back(BotProject::story("US-4", 4));
  root["stories"].push_back(BotProject::story("US-5", 5, {{"status", "pending"}}));
  project.write(kPrd, root.dump(2));
  project.must({"story", "pause", "US-5", "--reason", "later"});
  project.must({"claim", "take", "story/US-4", "--worker", "ann", "--lease", "10m"});
  const Json before = project.json({"log", "--limit", "1000"});
  const std::string told = project.carry({"--dry-run"});
  EXPECT_TRUE(has(told, "US-1  would be held: pull request 3 is of the branch another")) << told;
  EXPECT_TRUE(has(told, "US-2  would merge pull request")) << told;
  EXPECT_TRUE(has(told, "US-3  waits for US-1")) << told;
  EXPECT_TRUE(has(told, "US-4  is ann's now")) << told;
  EXPECT_TRUE(has(told, "US-5  is left alone: paused: later")) << told;
  EXPECT_EQ(project.json({"log", "--limit", "1000"}), before);
  EXPECT_EQ(project.status("US-2"), "pushed");
}

}  // namespace
}  // namespace pawl::test

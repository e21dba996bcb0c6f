// The bot among others: two of them at once, and one that is killed again and again.
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

TEST(StoryBot, TwoShareTheWork) {
  BotProject project;
  std::vector<Json> list;
  for (int i = 1; i <= 6; ++i) list.push_back(BotProject::story("US-" + std::to_string(i), i));
  project.stories(list);
  Child one(PAWL_BINARY, {"story", "run", "--until-idle"}, project.with_github());
  Child two(PAWL_BINARY, {"story", "run", "--until-idle"}, project.with_github());
  for (Child* bot : {&one, &two}) {
    const Ran ran = bot->finish();
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_FALSE(has(ran.out + ran.err, "failed") || has(ran.out + ran.err, "put off")) << ran.out << ran.err;
  }
  project.carry();  // one may have been idle while the other had the last
  for (int i = 1; i <= 6; ++i) {
    const std::string id = "US-" + std::to_string(i);
    EXPECT_EQ(project.status(id), "pushed");
    EXPECT_EQ(project.commits("story/" + id).size(), 1U) << id;
    EXPECT_NE(project.pull_number("story/" + id), 0) << id;
    EXPECT_EQ(project.on_remote("story/" + id, id + ".txt"), "implement\n");
  }
}

// git writes a worktree's HEAD as zeros before it writes the commit, and a fetch that reads it then fails. Here one is
// half made whenever somebody may make one, and none is while a bot has had the list to itself.
TEST(StoryBot, FetchBesideAHalfMadeWorktreeIsMadeAgainWhenNoneIs) {
  BotProject project;
  project.stories({BotProject::story("US-1", 1)});
  const std::string half = project.file(".git/worktrees/half");
  project.write(
      "half-made.sh",
      cat("if flock --nonblock --exclusive '", project.file(".git"), "' true; then\n", "  mkdir -p '", half, "'; cd '",
          half, "'\n", "  echo ../.. > commondir; echo /nowhere/.git > gitdir; echo ", std::string(40, '0'),
          " > HEAD\n  echo met >> '", project.file(".git/half.log"), "'\n", "else rm -rf '", half, "'; echo alone >> '",
          project.file(".git/half.log"), "'; fi\nexec git upload-pack \"$@\"\n"));
  project.git({"config", "remote.origin.uploadpack", cat("sh ", project.file("half-made.sh"))});
  const std::string told = project.carry();
  EXPECT_FALSE(has(told, "put off")) << told;
  EXPECT_EQ(project.status("US-1"), "pushed");
  EXPECT_TRUE(has(project.read(".git/half.log").value_or(""), "met\nalone\n"));
}

// Five stories, from pending to their ends, while the bot is killed again and again. The agent may be run again for
// what it had not finished: it does the same again, as a file that is there already shows.
TEST(StoryBot, KilledAgainAndAgainItCarriesFiveStories) {
  BotProject project(Json{{"issues", Json::array({Json{{"number", 5}, {"title", "it is slow"}}})},
                          {"pulls", Json::array({Json{{"number", 6},
                                                      {"title", "Make it fast"},
                                                      {"body", "Fixes #5"},
                                                      {"author", "bob"},
                                                      {"head", "fast"},
                                                      {"files", {{"a.txt", {{"after", "x\n"}}}}}}})}});
  project.agent(
      "if [ \"$PAWL_TASK\" = implement ]; then echo one > \"$PAWL_STORY.txt\"; "
      "else echo two > \"$PAWL_STORY.txt\"; echo thank you > \"$PAWL_REPLY_FILE\"; fi\n");
  project.stories({BotProject::story("US-1", 1), BotProject::story("US-2", 2), BotProject::story("US-3", 3),
                   BotProject::story("US-4", 4), BotProject::story("US-5", 5, {{"issueNumber", 5}})});
  const auto seed = std::random_device{}();
  SCOPED_TRACE(cat("seed ", seed));
  std::mt19937 random(seed);
  bool asked = false, approved = false, closed = false, late = false;
  int kills = 0, runs = 0;
  const auto over = [&] {
    return project.status("US-1") == "merged" && project.status("US-2") == "merged" &&
           project.status("US-3") == "merged" && project.status("US-4") == "invalid" &&
           project.status("US-5") == "skipped";
  };
  for (; runs < 400 && !over(); ++runs) {
    Child bot(PAWL_BINARY, {"story", "run", "--until-idle"}, project.with_github());
    // Lives grow, so that a slow machine gets there too.
    std::uniform_int_distribution<int> life(20, 400 + 20 * runs);
    const bool killed = !ends(bot.pid(), life(random));
    if (killed) {
      bot.send(9);
      ++kills;
    }
    const Ran ran = bot.finish();
    // One that was let live ends well, whatever those before it have left.
    EXPECT_TRUE(ran.exit == 0 || (killed && ran.exit == 128 + 9)) << ran.exit << "\n" << ran.err;
    EXPECT_FALSE(has(ran.out + ran.err, "held until")) << ran.out << ran.err;
    const auto pushed = [&](const std::string& id) { return project.status(id) == "pushed"; };
    if (!asked && pushed("US-1")) {
      project.review(project.pull_number("story/US-1"), "CHANGES_REQUESTED", "two, please");
      asked = true;
    }
    if (asked && !approved && project.on_remote("story/US-1", "US-1.txt") == "two\n" && pushed("US-2")) {
      project.review(project.pull_number("story/US-1"), "APPROVED");
      project.review(project.pull_number("story/US-2"), "APPROVED");
      approved = true;
    }
    if (!closed && pushed("US-4")) {
      project.close(project.pull_number("story/US-4"));
      closed = true;
    }
    // Nobody looks at US-3 until all others have ended.
    if (!late && project.status("US-1") == "merged" && project.status("US-2") == "merged" &&
        project.status("US-4") == "invalid" && pushed("US-3")) {
      project.review(project.pull_number("story/US-3"), "APPROVED");
      late = true;
    }
  }
  ASSERT_TRUE(over()) << "after " << runs << " runs, " << kills << " killed\n" << project.out({"story", "list"});
  RecordProperty("kills", kills);
  EXPECT_GT(kills, 5);
  EXPECT_EQ(project.pulls().size(), 5U) << "bob's and four more";
  for (const char* id : {"US-1", "US-2", "US-3", "US-4"}) EXPECT_NE(project.pull_number(cat("story/", id)), 0);
  EXPECT_EQ(project.comments(project.pull_number("story/US-1")).size(), 1U) << "one answer to one remark";
  const auto all = [&](const std::string& id) {
    const Ran ran = run_program(
        "git", {"-C", project.remote(), "log", "--no-merges", "--format=%s", "--grep=^" + id + ":", "story/" + id});
    return split(trim(ran.out), '\n').size();
  };
  EXPECT_EQ(all("US-1"), 2U) << "one commit for each task";
  for (const char* id : {"US-2", "US-3", "US-4"}) EXPECT_EQ(all(id), 1U) << id;
  // The log shows every gate's evidence.
  const std::string log = project.out({"log", "story/US-1", "--limit", "1000", "--json"});
  for (const char* part : {"\"criteria\"", "\"published\"", "\"merge\"", "\"approved_by\"", "check.sh"})
    EXPECT_TRUE(has(log, part)) << part;
}

}  // namespace
}  // namespace pawl::test

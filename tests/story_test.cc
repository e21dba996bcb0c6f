// The lifecycle of stories through the real binary: every pair of statuses, the gates, a person's overrides.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "support/story_project.h"

namespace pawl::test {
namespace {

constexpr std::array<std::string_view, 6> kSix = {"pending", "committed", "pushed", "merged", "skipped", "invalid"};

// The seed's table: which gate stands before which move.
const std::map<std::pair<std::string, std::string>, std::string> kTable = {
    {{"pending", "committed"}, "criteria"}, {{"pending", "skipped"}, "duplicate"},
    {{"committed", "pushed"}, "published"}, {{"pushed", "pushed"}, "criteria"},
    {{"pushed", "merged"}, "merge"},        {{"pushed", "invalid"}, "closed"}};

std::vector<Json> one_of_each() {
  std::vector<Json> list;
  for (const std::string_view status : kSix)
    list.push_back(StoryProject::story("S-" + std::string(status), std::string(status)));
  return list;
}

class Story : public testing::Test {
 protected:
  [[nodiscard]] Ran move(const std::string& id, const std::string& to, std::vector<std::string> more = {}) const {
    std::vector<std::string> args = {"story", "move", id, to};
    args.insert(args.end(), more.begin(), more.end());
    return project.run(args);
  }
  StoryProject project;
};

TEST_F(Story, EveryPairOfStatusesIsAsTheTableSays) {
  project.stories(one_of_each());
  const std::string before = project.prd();
  for (const std::string_view from : kSix) {
    for (const std::string_view to : kSix) {
      const std::string id = "S-" + std::string(from);
      const Ran moved = move(id, std::string(to));
      SCOPED_TRACE(std::string(from) + " → " + std::string(to) + ": " + moved.err);
      EXPECT_NE(moved.exit, 0);
      const auto row = kTable.find({std::string(from), std::string(to)});
      // The message names where it is; where it can go; and, where it could, what is missing.
      EXPECT_TRUE(has(moved.err, "story " + id + " is " + std::string(from)));
      EXPECT_TRUE(has(moved.err, "from " + std::string(from) + " it can become"));
      for (const auto& [pair, gate] : kTable) {
        if (pair.first != from) continue;
        EXPECT_TRUE(has(moved.err, pair.second + " (needs " + gate));
      }
      EXPECT_EQ(has(moved.err, "it needs “"), row != kTable.end());
      EXPECT_TRUE(row == kTable.end() || has(moved.err, "“" + row->second + "”"));
      EXPECT_EQ(project.status(id), from);
    }
  }
  EXPECT_EQ(project.prd(), before);
}

TEST_F(Story, WithRecordedGatesTheTableStandsAndWhatLackedIsSaid) {
  for (const std::string_view from : kSix) {
    for (const std::string_view to : kSix) {
      const StoryProject one;
      one.record_gates();
      const std::string id = "S-1";
      one.stories({StoryProject::story(id, std::string(from))});
      const Ran moved = one.run({"story", "move", id, std::string(to), "--json"});
      SCOPED_TRACE(std::string(from) + " → " + std::string(to) + ": " + moved.err);
      const auto row = kTable.find({std::string(from), std::string(to)});
      if (row == kTable.end()) {
        EXPECT_EQ(moved.exit, 1);
        EXPECT_EQ(one.in_file(id), from);
        continue;
      }
      ASSERT_EQ(moved.exit, 0);
      const Json answer = Json::parse(moved.out);
      EXPECT_EQ(answer["status"], to);
      EXPECT_EQ(answer["unverified"], true);
      EXPECT_FALSE(string_or(answer["lacked"], row->second).empty()) << answer;
      EXPECT_EQ(one.in_file(id), to);
      const Json log = one.json({"story", "log", id});
      const Json& event = log.back()["events"][0];
      EXPECT_EQ(event["unverified"], true);
      EXPECT_EQ(event["evidence"]["missing"][0], row->second);
    }
  }
}

// The same pairs, written into the file by somebody else.
TEST_F(Story, AFileMakesNoMoveThatACommandCouldNotMake) {
  for (const bool record : {false, true}) {
    for (const std::string_view from : kSix) {
      for (const std::string_view to : kSix) {
        if (from == to) continue;
        const StoryProject one;
        if (record) one.record_gates();
        one.stories({StoryProject::story("S-1", std::string(from))});
        one.edit_prd("\"" + std::string(from) + "\"", "\"" + std::string(to) + "\"");
        const Ran seen = one.run({"story", "show", "S-1", "--json"});
        SCOPED_TRACE(std::string(from) + " → " + std::string(to) + (record ? " recorded: " : ": ") + seen.err);
        const bool moves = record && kTable.contains({std::string(from), std::string(to)});
        const std::string_view is = moves ? to : from;
        EXPECT_EQ(string_or(Json::parse(seen.out), "status"), is);
        EXPECT_EQ(one.in_file("S-1"), is);
        EXPECT_EQ(has(seen.err, "was put back"), !moves);
      }
    }
  }
}

TEST_F(Story, AnInventedStatusIsPutBackAndTheSixWordsAreTold) {
  project.stories(one_of_each());
  const std::string before = project.prd();
  project.edit_prd("\"status\": \"pending\"", "\"status\": \"done\"");
  const Ran seen = project.run({"story", "list"});
  EXPECT_EQ(seen.exit, 0);
  for (const std::string_view word : kSix) EXPECT_TRUE(has(seen.err, word)) << seen.err;
  EXPECT_TRUE(has(seen.err, "“done”"));
  EXPECT_EQ(project.prd(), before);
  const Ran moved = move("S-pending", "pr_created");
  EXPECT_EQ(moved.exit, 1);
  for (const std::string_view word : kSix) EXPECT_TRUE(has(moved.err, word)) << moved.err;
}

TEST_F(Story, ResetIsAPersonsWordWithAReason) {
  project.stories(one_of_each());
  for (const std::string_view from : kSix) {
    const std::string id = "S-" + std::string(from);
    SCOPED_TRACE(id);
    const Ran without = project.run({"story", "reset", id});
    EXPECT_EQ(without.exit, 1);
    EXPECT_TRUE(from == "pending" || has(without.err, "--reason")) << without.err;
    const Ran with = project.run({"story", "reset", id, "--reason", "begun wrongly", "--actor", "ann"});
    EXPECT_EQ(with.exit, from == "pending" ? 1 : 0) << with.err;
    EXPECT_EQ(project.status(id), "pending");
    EXPECT_EQ(project.in_file(id), "pending");
    if (from == "pending") continue;
    const Json last = project.json({"story", "log", id}).back();
    EXPECT_EQ(last["actor"], "ann");
    EXPECT_EQ(last["events"][0]["evidence"]["reason"], "begun wrongly");
  }
}

TEST_F(Story, AHeldWordIsFixedByAPersonAndByNoFile) {
  project.write(kPrd, R"({"stories": [{"id": "A", "title": "a", "status": "in_review"}]})");
  project.write("pawl.toml", "gates = \"require\"\n");
  const Ran adopted = project.run({"init"});
  EXPECT_TRUE(has(adopted.out, "it has “in_review” for a status, which is none of pending")) << adopted.out;
  EXPECT_TRUE(has(project.run({"status"}).out, "“in_review” is not a status"));
  EXPECT_EQ(project.next(), "");
  EXPECT_TRUE(has(move("A", "committed").err, "pawl story fix A"));
  project.edit_prd("in_review", "merged");
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "only a person gives it one"));
  EXPECT_TRUE(has(project.prd(), "in_review"));
  EXPECT_EQ(project.run({"story", "fix", "A", "pushed"}).exit, 1);
  EXPECT_EQ(project.run({"story", "fix", "A", "done", "--reason", "r"}).exit, 1);
  EXPECT_EQ(project.run({"story", "fix", "A", "pushed", "--reason", "it has a pull request"}).exit, 0);
  EXPECT_EQ(project.prd(), R"({"stories": [{"id": "A", "title": "a", "status": "pushed"}]})");
  EXPECT_EQ(project.run({"story", "fix", "A", "pending", "--reason", "r"}).exit, 1);
}

TEST_F(Story, StoriesAreAddedDroppedAndBroughtBack) {
  const Ran added = project.run({"story", "add", "US-1", "--title", "Log in \"now\"", "--criterion", "Tests pass",
                                 "--criterion", "Lint passes", "--priority", "2", "--description", "d"});
  EXPECT_EQ(added.exit, 0) << added.err;
  const Json file = Json::parse(project.prd());
  EXPECT_EQ(file["stories"][0]["acceptanceCriteria"].size(), 2U);
  EXPECT_EQ(file["stories"][0]["status"], "pending");
  EXPECT_EQ(project.run({"story", "add", "US-1", "--title", "again"}).exit, 1);
  EXPECT_EQ(project.run({"story", "add", "US-2", "--title", "second"}).exit, 0);
  const std::string before = project.prd();
  const Ran why = project.run({"story", "drop", "US-1"});
  EXPECT_EQ(why.exit, 1);
  EXPECT_TRUE(has(why.err, "--reason")) << why.err;
  EXPECT_EQ(project.in_file("US-1"), "pending");
  EXPECT_EQ(project.run({"story", "drop", "US-1", "--reason", "not wanted"}).exit, 0);
  EXPECT_TRUE(has(project.out({"story", "log", "US-1"}), "because: not wanted"))
      << project.out({"story", "log", "US-1"});
  EXPECT_EQ(project.in_file("US-1"), "(missing)");
  EXPECT_EQ(project.run({"story", "show", "US-1"}).exit, 3);
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 3);
  project.must({"undo"});
  EXPECT_EQ(project.prd(), before);
}

TEST_F(Story, ThePassesDialectHasTwoStatusesAndTheSameVerbs) {
  project.write(kPrd, R"({"userStories": [
  {"id": "US-1", "title": "one", "acceptanceCriteria": ["Tests pass"], "priority": 2, "passes": false},
  {"id": "US-2", "title": "two", "acceptanceCriteria": ["Tests pass"], "priority": 1, "passes": false},
  {"id": "US-3", "title": "three", "priority": 0, "passes": true}
]}
)");
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  EXPECT_EQ(project.next(), "US-2");
  EXPECT_EQ(project.status("US-3"), "passed");
  const Ran refused = move("US-2", "passed");
  EXPECT_TRUE(has(refused.err, "story US-2 is pending; to become passed it needs “criteria”")) << refused.err;
  EXPECT_TRUE(has(move("US-2", "merged").err, "pending or passed"));
  project.edit_prd(R"("priority": 1, "passes": false)", R"("priority": 1, "passes": true)");
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "was put back"));
  EXPECT_EQ(project.in_file("US-2"), "false");
  // Another member does not make it another story.
  project.edit_prd(R"("priority": 1, "passes": false)", R"("priority": 1, "status": "merged")");
  static_cast<void>(project.run({"story", "list"}));
  EXPECT_EQ(project.status("US-2"), "pending");
  project.record_gates();
  EXPECT_EQ(move("US-1", "passed").exit, 0);
  EXPECT_EQ(project.in_file("US-1"), "true");
  EXPECT_EQ(project.run({"story", "reset", "US-1", "--reason", "r"}).exit, 0);
  EXPECT_EQ(project.in_file("US-1"), "false");
  EXPECT_EQ(project.run({"story", "add", "US-4", "--title", "four"}).exit, 0);
  EXPECT_EQ(project.in_file("US-4"), "false");
}

TEST_F(Story, ActivityIsOfPushedStoriesAndMakesThemUrgent) {
  project.stories(one_of_each());
  EXPECT_TRUE(has(project.run({"story", "activity", "S-pending", "bot"}).err, "is pending; who went last"));
  EXPECT_EQ(project.run({"story", "activity", "S-pushed", "someone"}).exit, 2);
  EXPECT_EQ(project.run({"story", "activity", "S-pushed", "reviewer"}).exit, 0);
  EXPECT_EQ(project.json({"story", "next"})["tier"], "urgent");
  EXPECT_TRUE(has(project.prd(), "\"lastActivityBy\": \"reviewer\""));
  EXPECT_EQ(project.run({"story", "activity", "S-pushed", "bot"}).exit, 0);
  EXPECT_EQ(project.json({"story", "next"})["tier"], "high");
}

TEST_F(Story, LogShowStatusDoctorAndUndoKnowStories) {
  project.stories({StoryProject::story("A"), StoryProject::story("B", "merged")});
  EXPECT_TRUE(has(project.run({"status"}).out, "story/A  pending  Title of A")) << project.run({"status"}).out;
  EXPECT_TRUE(has(project.run({"status"}).out, "1 is done"));
  EXPECT_TRUE(has(project.run({"show", "story/A"}).out, "in prd.json"));
  EXPECT_TRUE(has(project.run({"doctor"}).out, "1 file is in step"));
  project.must({"story", "pause", "A", "--reason", "later"});
  const std::string board = project.run({"status"}).out;
  EXPECT_TRUE(has(board, "Waiting\n  story/A  pending") && has(board, "paused: later  Title of A")) << board;
  EXPECT_EQ(project.next(), "");
  EXPECT_FALSE(has(project.run({"show", "story/A"}).out, "_pawl"));
  const std::string undone = project.out({"undo"});
  EXPECT_TRUE(has(undone, "not picked “paused: later” → nothing") && !has(undone, "_pawl")) << undone;
  EXPECT_EQ(project.next(), "A");
  EXPECT_TRUE(has(project.run({"log", "story/A"}).out, "story/A: pending (paused)"));
  const Ran life = project.run({"story", "log", "A"});
  EXPECT_LT(life.out.find("adopted"), life.out.find("paused")) << life.out;
}

TEST_F(Story, RunWithoutARemoteSaysThatBeforeItAsksForAToken) {
  project.start_git();
  project.stories({StoryProject::story("A")});
  RunOptions nobody;
  nobody.env = {"GH_TOKEN=", "GITHUB_TOKEN=", "GH_CONFIG_DIR=/nowhere"};
  const auto run = [&] { return run_pawl({"story", "run", "--once"}, project.options(nobody)); };
  const Ran nowhere = run();
  EXPECT_EQ(nowhere.exit, 3) << nowhere.err;
  EXPECT_TRUE(has(nowhere.err, "has no git remote")) << nowhere.err;
  EXPECT_TRUE(has(nowhere.err, "git remote add origin URL")) << nowhere.err;
  EXPECT_FALSE(has(nowhere.err, "token")) << nowhere.err;
  project.git({"remote", "add", "origin", "git@github.com:o/r.git"});
  const Ran stranger = run();
  EXPECT_EQ(stranger.exit, 1) << stranger.err;
  EXPECT_TRUE(has(stranger.err, "there is no token for github.com")) << stranger.err;
  EXPECT_TRUE(has(stranger.err, "export GH_TOKEN=TOKEN, or run: gh auth login")) << stranger.err;
}

}  // namespace
}  // namespace pawl::test

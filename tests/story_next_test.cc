// What is next: the seed's tiers, priorities, who was looked at, the file's order, dependencies; and claims on it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "support/story_project.h"

namespace pawl::test {
namespace {

using Of = StoryProject;

class StoryNext : public testing::Test {
 protected:
  StoryProject project;
};

const Json kReviewer{{"lastActivityBy", "reviewer"}}, kBot{{"lastActivityBy", "bot"}},
    kNobody{{"lastActivityBy", nullptr}};

TEST_F(StoryNext, TiersAreTheSeeds) {
  project.stories({Of::story("pending", "pending", 0), Of::story("merged", "merged", 0),
                   Of::story("committed", "committed", 1), Of::story("waiting", "pushed", 2, kBot),
                   Of::story("fresh", "pushed", 3, kNobody), Of::story("answer", "pushed", 9, kReviewer),
                   Of::story("skipped", "skipped", 0)});
  const std::vector<std::pair<std::string, std::string>> order = {
      {"answer", "urgent"}, {"waiting", "high"}, {"fresh", "high"}, {"committed", "medium"}, {"pending", "normal"}};
  for (const auto& [id, tier] : order) {
    const Json next = project.json({"story", "next"});
    EXPECT_EQ(next["id"], id);
    EXPECT_EQ(next["tier"], tier);
    EXPECT_FALSE(string_or(next, "why").empty());
    project.must({"story", "pause", id});
  }
  const Ran nothing = project.run({"story", "next"});
  EXPECT_EQ(nothing.exit, 3);
  EXPECT_TRUE(has(nothing.out, "nothing is to be done")) << nothing.out;
}

TEST_F(StoryNext, TheOtherOrderIsASetting) {
  project.stories({Of::story("pending"), Of::story("waiting", "pushed", 1, kBot), Of::story("committed", "committed"),
                   Of::story("answer", "pushed", 9, kReviewer)});
  project.write("pawl.toml", "[story]\norder = \"new-work-before-waiting\"\n");
  for (const char* id : {"answer", "committed", "pending", "waiting"}) {
    EXPECT_EQ(project.next(), id);
    project.must({"story", "pause", id});
  }
}

TEST_F(StoryNext, EqualsGoByPriorityThenTheLookThenTheFile) {
  project.stories({Of::story("Z", "pending", 2), Of::story("Y", "pending", 1), Of::story("A", "pending", 1),
                   Of::story("M", "pending", 1)});
  // Looking alone does not count.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(project.next(), "Y");
  EXPECT_EQ(string_or(project.take("one"), "id"), "Y");
  EXPECT_EQ(string_or(project.take("two"), "id"), "A");
  EXPECT_EQ(string_or(project.take("three"), "id"), "M");
  EXPECT_EQ(string_or(project.take("four"), "id"), "Z");
  const Json nothing = project.take("five");
  EXPECT_TRUE(nothing["id"].is_null());
  EXPECT_TRUE(has(string_or(nothing, "why"), "Y is held by one")) << nothing;
  // Free again, the one that was looked at first comes first.
  for (const Json& claim : project.json({"claim", "list"}))
    project.must({"claim", "release", string_or(claim, "ref"), "--token", claim["token"].dump()});
  EXPECT_EQ(project.next(), "Y");
}

TEST_F(StoryNext, ManyEqualsGoByTheFile) {
  std::vector<Json> list;
  for (int i = 60; i > 0; --i) list.push_back(Of::story("S-" + std::to_string(i)));
  project.stories(list);
  EXPECT_EQ(project.next(), "S-60");
  EXPECT_EQ(string_or(project.take("a"), "id"), "S-60");
  EXPECT_EQ(string_or(project.take("b"), "id"), "S-59");
}

// The board reads only the front of a long list; it says the same as whoever asks for the next one.
TEST_F(StoryNext, TheBoardOfALongListShowsTheFirstOfTheFile) {
  const auto on_board = [&] {
    const std::string text = project.run({"status"}).out;
    std::vector<std::string> ids;
    for (std::size_t at = text.find("Next\n"); (at = text.find("\n  story/", at)) != std::string::npos; ++at)
      ids.push_back(text.substr(at + 9, text.find(' ', at + 9) - at - 9));
    return ids;
  };
  const std::string filler(400, 'x');
  std::vector<Json> stories;
  for (int i = 0; i < 300; ++i)  // those of the first priority stand far behind the front, by ids in another order
    stories.push_back(Of::story(cat("S", 900 - i), "pending", i >= 250 && i % 2 == 0 ? 1 : 2, {{"notes", filler}}));
  project.stories(stories);
  EXPECT_EQ(on_board(), (std::vector<std::string>{"S650", "S648", "S646", "S644", "S642"}));
  EXPECT_EQ(project.next(), "S650");
  // Of two lists in one file the second name counts, wherever it stands.
  Json prd = Json::parse(project.prd());
  prd["userStories"] = Json::array({Of::story("U2", "pending", 5), Of::story("U1", "pending", 5)});
  project.write("prd.json", to_pretty(prd) + "\n");
  EXPECT_EQ(on_board().front(), project.next());
  // The first of equals are near the front.
  for (std::size_t i = 0; i < stories.size(); ++i) stories[i]["priority"] = 3;
  std::reverse(stories.begin(), stories.end());
  project.stories(stories);
  EXPECT_EQ(on_board(), (std::vector<std::string>{"S601", "S602", "S603", "S604", "S605"}));
  EXPECT_EQ(project.next(), "S601");
}

TEST_F(StoryNext, AWaitingStoryIsLeftAloneUntilItIsDue) {
  project.stories({Of::story("waiting", "pushed", 1, kBot), Of::story("new", "pending", 5)});
  project.write("pawl.toml", "[story]\nrecheck = \"1h\"\n");
  const Json first = project.take("w");
  EXPECT_EQ(first["id"], "waiting");
  project.must({"claim", "release", "story/waiting", "--token", first["claim"]["token"].dump()});
  EXPECT_EQ(project.next(), "new");
  EXPECT_FALSE(string_or(project.json({"story", "show", "waiting"}), "due_at").empty());
  // A reviewer's word does not wait.
  project.must({"story", "activity", "waiting", "reviewer"});
  EXPECT_EQ(project.next(), "waiting");
  project.must({"story", "activity", "waiting", "bot"});
  const Json second = project.take("w");
  EXPECT_EQ(second["id"], "waiting");
  project.must({"claim", "release", "story/waiting", "--token", second["claim"]["token"].dump()});
  EXPECT_EQ(project.next(), "new");
  // Nor does a person.
  project.must({"story", "retry", "waiting"});
  EXPECT_EQ(project.next(), "waiting");
}

TEST_F(StoryNext, WhatIsDueComesBackInItsTier) {
  project.stories({Of::story("waiting", "pushed", 1, kBot), Of::story("new", "pending", 5)});
  project.write("pawl.toml", "[story]\nrecheck = \"1ms\"\n");
  for (int i = 0; i < 3; ++i) {
    const Json taken = project.take("w");
    EXPECT_EQ(taken["id"], "waiting") << i;
    project.must({"claim", "release", "story/waiting", "--token", taken["claim"]["token"].dump()});
  }
}

TEST_F(StoryNext, DependenciesAreWaitedForAndCyclesNamed) {
  project.stories(
      {Of::story("A", "pending", 1, {{"dependsOn", {"B"}}}), Of::story("B", "pending", 2, {{"blockedBy", "C"}}),
       Of::story("C", "pending", 3, {{"dependencies", {"D", "nowhere"}}}), Of::story("D", "merged", 4),
       Of::story("X", "pending", 0, {{"dependsOn", {"Y"}}}), Of::story("Y", "pending", 0, {{"dependsOn", {"X"}}})});
  const Ran next = project.run({"story", "next", "--json"});
  const Json answer = Json::parse(next.out);
  EXPECT_EQ(answer["id"], "C");
  EXPECT_EQ(answer["cycles"][0].dump(), R"(["X","Y","X"])");
  EXPECT_TRUE(has(next.err, "X → Y → X")) << next.err;
  EXPECT_TRUE(has(next.err, "nowhere")) << next.err;
  const Ran list = project.run({"story", "list"});
  EXPECT_TRUE(has(list.out, "waits for B")) << list.out;
  EXPECT_TRUE(has(list.out, "X → Y → X")) << list.out;
  project.record_gates();
  project.must({"story", "move", "C", "skipped"});
  EXPECT_EQ(project.next(), "B");
}

TEST_F(StoryNext, AClaimIsFencedByItsToken) {
  project.stories({Of::story("A", "pushed", 1, kBot)});
  const Json taken = project.take("one");
  const std::string token = taken["claim"]["token"].dump();
  EXPECT_EQ(project.run({"story", "activity", "A", "bot", "--token", token}).exit, 0);
  EXPECT_EQ(project.take("one", {"--lease", "10m"})["id"].is_null(), true);  // it waits now
  project.must({"claim", "release", "story/A", "--token", token});
  const Ran lost = project.run({"story", "activity", "A", "reviewer", "--token", token});
  EXPECT_EQ(lost.exit, 4);
  EXPECT_TRUE(has(lost.err, "is lost")) << lost.err;
  project.record_gates();
  EXPECT_EQ(project.run({"story", "move", "A", "merged", "--token", token}).exit, 4);
  EXPECT_EQ(project.in_file("A"), "pushed");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--claim"},
                                                {"--worker", "w"},
                                                {"--lease", "1m"},
                                                {"--claim", "--worker", "w", "--pid", "99999999"}}) {
    std::vector<std::string> args = {"story", "next"};
    args.insert(args.end(), wrong.begin(), wrong.end());
    EXPECT_NE(project.run(args).exit, 0);
  }
}

TEST_F(StoryNext, ADeadWorkersStoryIsFreeAtOnce) {
  project.stories({Of::story("A")});
  RunOptions options = project.options();
  Child worker("tail", {"-f", "/dev/null"}, options);
  EXPECT_EQ(string_or(project.take("one", {"--pid", std::to_string(worker.pid())}), "id"), "A");
  EXPECT_TRUE(project.take("two")["id"].is_null());
  worker.send(SIGKILL);
  static_cast<void>(worker.finish());
  EXPECT_EQ(string_or(project.take("two"), "id"), "A");
}

// Eight workers take forty stories; each is given once.
TEST_F(StoryNext, RacingWorkersNeverGetTheSameStory) {
  constexpr int kStories = 40, kWorkers = 8;
  std::vector<Json> list;
  for (int i = 0; i < kStories; ++i) list.push_back(Of::story("S-" + std::to_string(i), "pending", i % 3));
  project.stories(list);
  std::vector<std::vector<std::string>> got(kWorkers);
  std::vector<std::thread> workers;
  for (int w = 0; w < kWorkers; ++w) {
    workers.emplace_back([&, w] {
      for (int turn = 0;; ++turn) {
        const Json taken = project.take("w" + std::to_string(w) + "-" + std::to_string(turn));
        if (!taken.is_object() || taken["id"].is_null()) return;
        got[w].push_back(string_or(taken, "id"));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::set<std::string> once;
  std::size_t all = 0;
  for (const auto& some : got) {
    all += some.size();
    once.insert(some.begin(), some.end());
  }
  EXPECT_EQ(all, static_cast<std::size_t>(kStories));
  EXPECT_EQ(once.size(), static_cast<std::size_t>(kStories));
}

// Killed wherever it is: what pawl tells and what the file says are the same, and either all of it happened or nothing.
TEST_F(StoryNext, KilledAnywhereNothingIsHalf) {
  project.stories({Of::story("A", "pushed", 1, kBot), Of::story("B", "pending", 2)});
  int killed = 0;
  for (const long call : {SYS_flock, SYS_pwrite64, SYS_fdatasync, SYS_write, SYS_renameat2, SYS_unlinkat}) {
    SCOPED_TRACE(call);
    for (const char* by : {"reviewer", "bot"}) {
      killed += project.killed_at(call, {"story", "activity", "A", by}) ? 1 : 0;
      const Json story = project.json({"story", "show", "A"});
      const Json file = Json::parse(project.prd());
      EXPECT_EQ(file["stories"][0]["lastActivityBy"], story["lastActivityBy"]);
      project.must({"story", "activity", "A", by});
    }
    if (call == SYS_renameat2 || call == SYS_unlinkat) continue;  // a look writes no file
    // A claim and its look are one.
    killed += project.killed_at(call, {"story", "next", "--claim", "--worker", "w", "--lease", "1h"}) ? 1 : 0;
    const Json claims = project.json({"claim", "list"});
    const bool looked = project.json({"story", "show", "A"}).contains("due_at");
    EXPECT_EQ(claims.size() == 1, looked) << claims;
    if (!claims.empty()) project.must({"claim", "release", "story/A", "--token", claims[0]["token"].dump()});
    project.must({"story", "retry", "A"});
  }
  if (killed == 0) GTEST_SKIP() << "tracing is not to be had here";
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

}  // namespace
}  // namespace pawl::test

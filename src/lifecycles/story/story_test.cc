#include "lifecycles/story/story.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/text.h"
#include "lifecycles/story/checks.h"
#include "lifecycles/story/depends.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/prd_file.h"
#include "lifecycles/story/rank.h"

namespace pawl::story {
namespace {

const Now kNow{1'000'000, 5'000};

Record record_of(std::string status, Json doc = Json::object()) {
  Record record;
  record.id = {std::string(kKind), "", "US-1"};
  record.status = std::move(status);
  record.doc = std::move(doc);
  record.revision = 1;
  return record;
}

Json check(bool ok, const std::string& commit) {
  return {{"ok", ok}, {"commit", commit}, {"command", "make test"}, {"exact", "make test"}, {"exit", ok ? 0 : 1}};
}

Record with_checks(const Json& checks) {
  Json doc{{"acceptanceCriteria", {"Tests pass", "Lint passes"}}};
  Own own;
  own.checks = checks;
  set_own(doc, own);
  return record_of("pending", doc);
}

// The board asks the rank first: wherever that answers, the document would say the same.
TEST(StoryBoard, RankSaysWhereAStoryStands) {
  std::vector<Json> docs = {Json::object(), {{"lastActivityBy", "reviewer"}}, {{"lastActivityBy", "bot"}}};
  for (const bool stuck : {false, true}) {
    Own own;
    if (stuck) set_stuck(own, Stuck::paused, "paused");
    own.due_ms = 5;
    docs.push_back({{"priority", 2}});
    set_own(docs.back(), own);
  }
  int answered = 0;
  for (const Lifecycle* lifecycle : {&story::lifecycle(), &passes_lifecycle()}) {
    for (const Status& status : lifecycle->machine->statuses) {
      for (const Json& doc : docs) {
        Record record = record_of(std::string(status.name), doc);
        record.id.kind = lifecycle->kind;
        record.rank = rank(record);
        const BoardPlace place = lifecycle->stand(record).place;
        record.doc = Doc::left_in_the_store();
        const auto by_rank = lifecycle->stand_by_rank(record);
        if (!by_rank) continue;
        EXPECT_EQ(by_rank->place, place) << status.name << " " << to_line(doc);
        ++answered;
      }
    }
  }
  EXPECT_GE(answered, 30) << "and it answers for all but those that nobody picks";
}

// What is lacking comes before another try.
TEST(StoryBoard, AdviceIsWhatHelps) {
  const auto advice = [](Stuck why, const Json& criteria, const std::string& attest = {}) {
    Json doc{{"acceptanceCriteria", criteria}};
    Own own;
    set_stuck(own, why, "words; touch /tmp/OWNED");
    own.attest = attest;
    own.printed = "pawl story retry US-1; touch /tmp/OWNED";
    set_own(doc, own);
    const std::string line = story::lifecycle().stand(record_of("pending", doc)).advice;
    EXPECT_EQ(line.find("OWNED"), std::string::npos) << line;
    return line;
  };
  const Json some = Json::array({"Tests pass"}), none = Json::array();
  EXPECT_TRUE(advice(Stuck::failed, some).starts_with("pawl story retry US-1  # "));
  EXPECT_TRUE(advice(Stuck::criteria, none).ends_with("# once its acceptanceCriteria are in prd.json"));
  EXPECT_TRUE(advice(Stuck::criteria, some).ends_with("# lets it be picked again")) << "they have been written";
  EXPECT_EQ(advice(Stuck::attest, some, "Looks nice"),
            "pawl story attest US-1 'Looks nice' --evidence TEXT --actor NAME");
  for (const char* const odd : {"", "it's; touch /tmp/OWNED", "-x", "$(id)", "a\nb", "`id`"})
    EXPECT_EQ(advice(Stuck::attest, some, odd), "pawl story attest US-1 CRITERION --evidence TEXT --actor NAME") << odd;
  EXPECT_EQ(advice(Stuck::paused, some), "") << "whoever paused it knows";
}

// What an earlier pawl kept, and words that nobody wrote.
TEST(StoryBoard, WhyNobodyPicksItIsKeptAsAWord) {
  for (const Stuck why : {Stuck::paused, Stuck::attest, Stuck::criteria, Stuck::person, Stuck::failed, Stuck::trust}) {
    Json doc = Json::object();
    Own own;
    set_stuck(own, why, "w");
    set_own(doc, own);
    EXPECT_EQ(own_of(doc).stuck_for, why) << word_of(why);
  }
  EXPECT_EQ(own_of(Json{{std::string(kOwn), Json{{"stuck", "paused"}}}}).stuck_for, Stuck::person);
  EXPECT_EQ(own_of(Json{{std::string(kOwn), Json{{"stuck_for", "failed"}}}}).stuck_for, Stuck::no);
}

TEST(StoryGates, AllCriteriaMustPassAtThisCommitInACleanTree) {
  const Json exact{{"Tests pass", "make test"}, {"Lint passes", "make test"}};
  const Json facts{{"commit", "abc"}, {"dirty", Json::array()}, {"exact", exact}};
  const auto lacks = [](const Record& record, const Json& given) { return judge(kCriteria, record, given).lacks; };
  const Record good = with_checks({{"Tests pass", check(true, "abc")}, {"Lint passes", check(true, "abc")}});
  const Verdict verdict = judge(kCriteria, good, facts);
  EXPECT_TRUE(verdict.met) << verdict.lacks;
  EXPECT_EQ(verdict.evidence["criteria"].size(), 2U);
  EXPECT_EQ(verdict.evidence["criteria"][0]["command"], "make test");

  EXPECT_NE(lacks(good, {{"commit", "abd"}, {"exact", exact}}), "");  // checked at another commit
  EXPECT_NE(lacks(good, {{"commit", "abc"}, {"dirty", {"a.cc"}}, {"exact", exact}}), "");
  Json others = exact;
  others["Lint passes"] = "make lint";
  EXPECT_NE(lacks(good, {{"commit", "abc"}, {"exact", others}}), "") << "another command stands for it now";
  others["Lint passes"] = Json();
  EXPECT_NE(lacks(good, {{"commit", "abc"}, {"exact", others}}), "") << "or none, so that somebody has to attest it";
  EXPECT_NE(lacks(good, Json::object()), "");
  EXPECT_NE(lacks(good, Json()), "");
  EXPECT_NE(lacks(with_checks({{"Tests pass", check(true, "abc")}}), facts), "");
  EXPECT_NE(lacks(with_checks({{"Tests pass", check(true, "abc")}, {"Lint passes", check(false, "abc")}}), facts), "");
  EXPECT_NE(
      lacks(with_checks({{"Tests pass", check(true, "abc")}, {"Lint passes", {{"ok", "true"}, {"commit", "abc"}}}}),
            facts),
      "");
  EXPECT_NE(lacks(record_of("pending"), facts), "");  // nothing to show
}

TEST(StoryGates, FactsOfAPullRequestDecide) {
  const Record story = record_of("pushed");
  const auto met = [&](std::string_view gate, const Json& facts) { return judge(gate, story, facts).met; };
  EXPECT_TRUE(met(kPublished, {{"on_remote", "abc"}, {"pr", 7}, {"state", "open"}}));
  EXPECT_FALSE(met(kPublished, {{"pr", 7}, {"state", "open"}}));
  EXPECT_FALSE(met(kPublished, {{"on_remote", "abc"}, {"state", "open"}}));
  EXPECT_FALSE(met(kPublished, {{"on_remote", "abc"}, {"pr", 7}, {"state", "closed"}}));
  EXPECT_TRUE(met(kMergedGate, {{"pr", 7}, {"state", "merged"}}));
  EXPECT_FALSE(met(kMergedGate, {{"pr", 7}, {"state", "open"}}));
  EXPECT_TRUE(met(kClosed, {{"pr", 7}, {"state", "closed"}}));
  EXPECT_TRUE(met(kClosed, {{"pr", 7}, {"state", "open"}, {"done_elsewhere", {{"by", "ann"}}}}));
  EXPECT_FALSE(met(kClosed, {{"pr", 7}, {"state", "open"}, {"done_elsewhere", {{"by", ""}}}}));
  EXPECT_FALSE(met(kClosed, {{"pr", 7}, {"state", "merged"}}));
  EXPECT_TRUE(met(kDuplicate, {{"pr", 7}, {"state", "open"}, {"confirmed", "it closes #3"}}));
  EXPECT_FALSE(met(kDuplicate, {{"pr", 7}, {"state", "open"}}));
  EXPECT_FALSE(met(kDuplicate, {{"state", "open"}, {"confirmed", "so"}}));
}

TEST(StoryMove, EvidenceGoesIntoTheEventAndWhatIsBroughtIntoTheDocument) {
  MoveStory command;
  command.to = "pushed";
  command.evidence[std::string(kPublished)] = {{"on_remote", "abc"}, {"pr", 7}, {"url", "u"}, {"state", "open"}};
  const auto change = decide(record_of("committed"), command, kNow);
  ASSERT_TRUE(change) << change.error().message;
  EXPECT_EQ(change->after.doc["prNumber"], 7);
  EXPECT_EQ(change->after.doc["lastActivityBy"], "bot");
  EXPECT_EQ(change->evidence["published"]["on_remote"], "abc");
  EXPECT_FALSE(change->unverified);
  command.branch = "--upload-pack=x";
  EXPECT_EQ(decide(record_of("committed"), command, kNow).error().code, ErrorCode::invalid_argument);
}

TEST(StoryRank, EarlierIsSmaller) {
  const auto rank_with = [](std::string status, Json doc) {
    return rank(record_of(std::move(status), std::move(doc)));
  };
  EXPECT_LT(rank_with("pending", {{"priority", -2}}), rank_with("pending", {{"priority", 0}}));
  EXPECT_LT(rank_with("pending", {{"priority", 2}}), rank_with("pending", {{"priority", 10}}));
  EXPECT_LT(rank_with("pending", {{"priority", 1.2}}), rank_with("pending", {{"priority", 1.5}}));
  EXPECT_EQ(rank_with("pending", {{"priority", "3"}}), rank_with("pending", {{"priority", 3}}));
  EXPECT_EQ(rank_with("pending", {{"priority", "high"}}), rank_with("pending", {{"priority", 999}}));
  EXPECT_EQ(rank_with("pending", Json::object()), rank_with("pending", {{"priority", 999}}));
  EXPECT_LT(rank_with("pending", {{"priority", 1e300}}), "s");
  EXPECT_EQ(rank_with("merged", {{"priority", 1}}), "z");
}

TEST(StoryDepends, EveryFormIsReadAndCyclesAreFound) {
  EXPECT_EQ(depends_on({{"dependsOn", {"a", 2}}, {"blockedBy", "a"}, {"dependencies", {{{"id", "c"}}}}}),
            (std::vector<std::string>{"a", "2", "c"}));
  const std::map<std::string, std::vector<std::string>> graph = {
      {"a", {"b"}}, {"b", {"c", "d"}}, {"c", {}}, {"d", {"b"}}, {"e", {"e"}}};
  std::map<std::string, int> asked;
  const auto waits_for = [&](const std::string& id) {
    ++asked[id];
    return graph.at(id);
  };
  KnownCycles known, far;
  const auto way = [&](const std::string& id) { return cycle_from(id, waits_for, known)->from(id); };
  EXPECT_EQ(way("a"), (std::vector<std::string>{"b", "d", "b"}));
  EXPECT_FALSE(cycle_from("a", waits_for, known)->has("a"));
  EXPECT_EQ(way("e"), (std::vector<std::string>{"e", "e"}));
  EXPECT_EQ(cycle_from("c", waits_for, known), nullptr);
  EXPECT_EQ(way("d"), (std::vector<std::string>{"d", "b", "d"})) << "told from itself";
  EXPECT_EQ(way("a"), (std::vector<std::string>{"b", "d", "b"}));
  for (const auto& [id, times] : asked) EXPECT_EQ(times, 1) << id << " was gone to again";
  // As long as a file may be.
  const auto chain = [](const std::string& id) {
    const int at = std::stoi(id);
    return at < 100'000 ? std::vector<std::string>{std::to_string(at + 1)} : std::vector<std::string>{"0"};
  };
  EXPECT_EQ(cycle_from("0", chain, far)->from("0").size(), 100'002U);
  EXPECT_EQ(cycle_from("7", chain, far)->from("7", 2), (std::vector<std::string>{"7", "8"})) << "cut, and not closed";
  EXPECT_EQ(cycle_from("7", chain, far)->in_words("7"), "7 → 8 → 9 → 10 → 11 → 12 → 99995 more → 7");
  EXPECT_EQ(cycle_from("7", chain, far), cycle_from("99", chain, far)) << "found once";
}

using Waits = std::map<std::string, std::vector<std::string>>;

TEST(StoryDepends, ACircleIsSeenAlsoWhereItLeadsIntoAnother) {
  const Waits graph = {{"X", {"Z", "Y"}}, {"Y", {"X"}}, {"Z", {"W"}}, {"W", {"Z"}}, {"V", {"X"}}};
  for (const auto& [first, unused] : graph) {
    KnownCycles known;
    const auto cycle = [&](const std::string& id) {
      return cycle_from(
          id, [&](const std::string& one) { return graph.at(one); }, known);
    };
    (void)cycle(first);
    EXPECT_EQ(cycle("X")->from("X"), (std::vector<std::string>{"X", "Y", "X"})) << first;
    EXPECT_EQ(cycle("Y")->from("Y"), (std::vector<std::string>{"Y", "X", "Y"})) << first;
    EXPECT_EQ(cycle("W")->from("W"), (std::vector<std::string>{"W", "Z", "W"})) << first;
    EXPECT_EQ(cycle("X"), cycle("Y"));
    EXPECT_EQ(cycle("Z"), cycle("W"));
    EXPECT_NE(cycle("X"), cycle("Z"));
    EXPECT_EQ(cycle("V"), cycle("X"));
  }
}

// Each that is told is a way that can be gone: whatever waits for whatever.
TEST(StoryDepends, EachOfACircleIsToldARingThroughItself) {
  constexpr std::size_t kStories = 5;
  std::mt19937 chance(20'240'607);
  for (int round = 0; round < 2'000; ++round) {
    Waits graph;
    for (std::size_t a = 0; a < kStories; ++a) {
      std::vector<std::string>& waits = graph[std::to_string(a)];
      for (std::size_t b = 0; b < kStories; ++b) {
        if (chance() % 4 == 0) waits.push_back(std::to_string(b));
      }
    }
    std::map<std::string, std::set<std::string>> reaches;
    for (std::size_t step = 0; step <= kStories; ++step) {
      for (const auto& [id, waits] : graph) {
        for (const std::string& next : waits) {
          reaches[id].insert(next);
          reaches[id].insert(reaches[next].begin(), reaches[next].end());
        }
      }
    }
    KnownCycles known;
    for (const auto& [id, waits] : graph) {
      const auto cycle = cycle_from(
          id, [&](const std::string& one) { return graph.at(one); }, known);
      ASSERT_EQ(cycle && cycle->has(id), reaches[id].contains(id)) << "round " << round << ", " << id;
      const bool comes = std::any_of(reaches[id].begin(), reaches[id].end(),
                                     [&](const std::string& other) { return reaches[other].contains(other); });
      ASSERT_EQ(cycle != nullptr, comes) << "round " << round << ", " << id;
      if (!cycle) continue;
      const auto ring = cycle->from(id);
      ASSERT_EQ(ring.front(), ring.back());
      ASSERT_TRUE(!cycle->has(id) || ring.front() == id);
      ASSERT_EQ(std::set<std::string>(ring.begin(), ring.end()).size(), ring.size() - 1) << "none is passed twice";
      for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
        const auto& next = graph.at(ring[i]);
        ASSERT_NE(std::find(next.begin(), next.end(), ring[i + 1]), next.end()) << "round " << round << ", " << id;
      }
    }
  }
}

TEST(StoryBranch, NamesThatGitWouldTakeForSomethingElseAreNone) {
  for (const char* good : {"us-1", "feature/us-1", "ralph/café", "a.b"}) EXPECT_TRUE(is_branch_name(good)) << good;
  for (const char* bad : {"",
                          "-x",
                          "--upload-pack=x",
                          "a..b",
                          "a b",
                          "a~1",
                          "a^",
                          "a:b",
                          "HEAD",
                          "@",
                          "a@{1}",
                          "a/",
                          "/a",
                          "a//b",
                          ".a",
                          "a/.b",
                          "a.lock",
                          "a.",
                          "a\nb",
                          "a\x1b[0m",
                          "a*",
                          "refs/heads/main",
                          "heads/main",
                          "tags/v1",
                          "remotes/origin/main",
                          "origin/main",
                          "FETCH_HEAD"})
    EXPECT_FALSE(is_branch_name(bad)) << bad;
}

TEST(StoryList, ALoopIsToldWhatIsLeft) {
  const auto list =
      summary_of(R"({"userStories":[{"id":1,"passes":true},{"id":"b","title":"x\ny","passes":false,"priority":2},
      {"id":"c","status":"committed","priority":3},{"id":"d","status":"skipped"}]})");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->stories, 4U);
  EXPECT_EQ(list->left, 2U);
  EXPECT_EQ(list->next_id, "b");
  EXPECT_EQ(list->next_title, "x");
  EXPECT_FALSE(summary_of("{}"));
}

}  // namespace
}  // namespace pawl::story

#include "lifecycles/loop/stop.h"

#include <gtest/gtest.h>

#include "core/runner_stopped.h"
#include "lifecycles/loop/ralph.h"

namespace pawl::loop {
namespace {

constexpr std::int64_t kStart = 1'700'000'000'000;

Record active(std::int64_t max = 50) {
  StartRalph start;
  start.session = "s1";
  start.prompt = "p";
  start.max_iterations = max;
  Record record = absent_record({std::string(kRalph), "", "s1@x"});
  record.revision = 1;
  record.status = "active";
  record.doc = new_ralph(start, Now{kStart, 0});
  return record;
}

StopDecision decided(const Record& loop, const StopFacts& facts, std::int64_t after_ms = 1000) {
  const auto decision = decide_stop(loop, facts, Now{kStart + after_ms, 0});
  EXPECT_TRUE(decision) << decision.error().message;
  return decision.value_or(StopDecision{});
}

TEST(Stop, OrdinarilyHoldsAndCountsAnIteration) {
  const StopDecision stop = decided(active(), {});
  ASSERT_TRUE(stop.change);
  EXPECT_TRUE(stop.hold);
  EXPECT_EQ(stop.change->after.doc["iteration"], 1);
  EXPECT_EQ(blocks_in(stop.change->evidence), 1);
}

TEST(Stop, WithThePromiseGivenCompletesTheLoop) {
  StopFacts facts;
  facts.promised = true;
  const StopDecision stop = decided(active(), facts);
  EXPECT_FALSE(stop.hold);
  EXPECT_EQ(stop.change->after.status, "complete");
}

TEST(Stop, AtTheMaximumExhaustsTheLoop) {
  Record loop = active(3);
  Json doc = loop.doc;
  doc["iteration"] = 3;
  loop.doc = doc;
  const StopDecision stop = decided(loop, {});
  EXPECT_FALSE(stop.hold);
  EXPECT_EQ(stop.change->after.status, "exhausted");
}

TEST(Stop, AfterTwoHoursOfNothingLetsGoAndSaysSoOnce) {
  EXPECT_TRUE(decided(active(), {}, kMostIdleMs).hold);
  const StopDecision stop = decided(active(), {}, kMostIdleMs + 1);
  EXPECT_FALSE(stop.hold);
  EXPECT_NE(stop.why, "");
  ASSERT_TRUE(stop.change);
  EXPECT_EQ(stop.change->after.status, "active");
  EXPECT_EQ(Json(stop.change->after.doc), Json(active().doc));  // the file stays as it is
  StopFacts told;
  told.let_go_for = string_or(stop.change->evidence, kStoppedWhy);
  EXPECT_FALSE(decided(active(), told, kMostIdleMs + 1).change);
  StopFacts worked;
  worked.progressed = true;
  EXPECT_TRUE(decided(active(), worked, kMostIdleMs + 1).hold);  // a long turn, full of work
}

TEST(Stop, WithAFullContextLetsGo) {
  StopFacts facts;
  facts.context_full = true;
  const StopDecision stop = decided(active(), facts);
  EXPECT_FALSE(stop.hold);
  ASSERT_TRUE(stop.change);
  EXPECT_EQ(stop.change->after.status, "active");
  facts.let_go_for = string_or(stop.change->evidence, kStoppedWhy);
  EXPECT_FALSE(decided(active(), facts).change) << "once";
}

TEST(Stop, HeldSevenTimesWithoutProgressLetsGoAndProgressBeginsAnew) {
  StopFacts facts;
  facts.progressed = false;
  for (std::int64_t blocks = 0; blocks < kMostBlocks; ++blocks) {
    facts.blocks = blocks;
    const StopDecision stop = decided(active(), facts);
    EXPECT_TRUE(stop.hold) << blocks;
    EXPECT_EQ(blocks_in(stop.change->evidence), blocks + 1);
  }
  facts.blocks = kMostBlocks;
  EXPECT_FALSE(decided(active(), facts).hold);
  facts.progressed = true;
  const StopDecision stop = decided(active(), facts);
  EXPECT_TRUE(stop.hold);
  EXPECT_EQ(blocks_in(stop.change->evidence), 1);
}

TEST(Stop, EvidenceOfAnythingElseCountsAsNone) {
  for (const char* text : {"null", "[]", "{}", "{\"held_in_a_row\": -3}", "{\"held_in_a_row\": \"7\"}"}) {
    EXPECT_EQ(blocks_in(parse_json(text).value_or(Json())), 0) << text;
  }
}

}  // namespace
}  // namespace pawl::loop

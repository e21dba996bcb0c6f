// include/pawl/loop.h: the seed's functions, as a program uses them.
#include <gtest/gtest.h>

#include "base/json.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

class LoopLibrary : public testing::Test {
 protected:
  LoopLibrary() : client(open()) {}
  Client open() const {
    ClientOptions options;
    options.dir = ws.path();
    auto opened = Client::open(options);
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }
  Json file(std::string_view name) const { return parse_json(ws.read(name).value_or("null")).value_or(Json()); }

  TempWorkspace ws;
  Client client;
};

TEST_F(LoopLibrary, RalphGoesTheSeedsWay) {
  EXPECT_FALSE(read_ralph_state(client)->has_value());
  RalphState state = create_ralph_state("s1", "task");
  EXPECT_EQ(state.max_iterations, 50);
  EXPECT_EQ(state.iteration, 0);
  EXPECT_TRUE(state.prd_mode);
  EXPECT_FALSE(state.current_story_id);
  EXPECT_FALSE(ws.exists(".omc")) << "creating a state writes nothing";
  ASSERT_TRUE(write_ralph_state(client, state));
  ++state.iteration;
  ASSERT_TRUE(update_ralph_state_iteration(client, state, "US-1"));
  EXPECT_EQ(file(".omc/ralph-state.json")["iteration"], 1);
  EXPECT_EQ(file(".omc/ralph-state.json")["current_story_id"], "US-1");
  const auto read = read_ralph_state(client, "s1");
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->iteration, 1);
  EXPECT_EQ((*read)->revision, state.revision);
  ASSERT_TRUE(mark_ralph_state_complete(client, state));
  EXPECT_EQ(state.status, "complete");
  EXPECT_EQ(file(".omc/ralph-state.json")["active"], false);
  EXPECT_TRUE(*clear_ralph_state(client, "s1"));
  EXPECT_FALSE(*clear_ralph_state(client, "s1"));
  EXPECT_FALSE(ws.exists(".omc/ralph-state.json"));
}

TEST_F(LoopLibrary, WriteWithAPriorReadIsCheckedAndWithoutOneReplaces) {
  RalphState mine = create_ralph_state("s1", "task");
  ASSERT_TRUE(write_ralph_state(client, mine));
  RalphState stale = mine;
  ++mine.iteration;
  ASSERT_TRUE(write_ralph_state(client, mine));
  stale.iteration = 9;
  const auto refused = write_ralph_state(client, stale);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  stale.revision = 0;
  EXPECT_TRUE(write_ralph_state(client, stale));
  EXPECT_EQ(file(".omc/ralph-state.json")["iteration"], 9);
  RalphState another = create_ralph_state("s2", "other");
  EXPECT_TRUE(write_ralph_state(client, another));
  EXPECT_EQ(file(".omc/ralph-state.json")["session_id"], "s2");
}

TEST_F(LoopLibrary, EndedLoopIsNotWrittenActiveAgain) {
  RalphState state = create_ralph_state("s1", "task");
  ASSERT_TRUE(write_ralph_state(client, state));
  ASSERT_TRUE(client.call("ralph cancel", {}));
  RalphState again = state;
  EXPECT_EQ(write_ralph_state(client, again).error().code, ErrorCode::conflict);
  again.revision = 0;
  EXPECT_EQ(write_ralph_state(client, again).error().code, ErrorCode::illegal_move);
  ASSERT_TRUE(clear_ralph_state(client, "s1"));
  EXPECT_EQ(write_ralph_state(client, again).error().code, ErrorCode::illegal_move);
  EXPECT_FALSE(ws.exists(".omc/ralph-state.json"));
}

TEST_F(LoopLibrary, ReadThenWriteKeepsWhatItDoesNotKnow) {
  ws.write(".omc/ralph-state.json", "{\"active\": true, \"mine\": [1, 2], \"started_at\": \"2026-01-01T00:00:00Z\"}\n");
  auto state = read_ralph_state(client);
  ASSERT_TRUE(state && *state);
  ++(*state)->iteration;
  ASSERT_TRUE(update_ralph_state_iteration(client, **state));
  EXPECT_NE(ws.read(".omc/ralph-state.json")->find("\"mine\": [1, 2]"), std::string::npos);
}

TEST_F(LoopLibrary, CompleteAtTheMaximumIsComplete) {
  RalphState state = create_ralph_state("s1", "task", 1, false);
  state.iteration = 1;
  ASSERT_TRUE(write_ralph_state(client, state));
  ASSERT_TRUE(mark_ralph_state_complete(client, state));
  EXPECT_EQ(state.status, "complete");
}

TEST_F(LoopLibrary, UltraworkCountsAndClears) {
  UltraworkState state = create_ultrawork_state("s1", "fix");
  ASSERT_TRUE(write_ultrawork_state(client, state));
  ASSERT_TRUE(update_ultrawork_state_checked(client, state));
  EXPECT_EQ(file(".omc/ultrawork-state.json")["reinforcement_count"], 1);
  const auto read = read_ultrawork_state(client, "s1");
  ASSERT_TRUE(read && *read);
  EXPECT_FALSE((*read)->global);
  EXPECT_EQ((*read)->reinforcement_count, 1);
  EXPECT_TRUE(*clear_ultrawork_state(client));
  EXPECT_FALSE(ws.exists(".omc/ultrawork-state.json"));
}

TEST_F(LoopLibrary, VerificationIsApprovedOnlyByAnApproval) {
  VerificationState state = create_verification_state("s1", "task", "claim", 2);
  ASSERT_TRUE(write_verification_state(client, state));
  ASSERT_TRUE(update_verification_attempt(client, state, "no", false));
  EXPECT_EQ(state.status, "pending");
  ASSERT_TRUE(update_verification_attempt(client, state, "no", false));
  EXPECT_EQ(state.status, "exhausted");
  EXPECT_TRUE(state.pending);
  EXPECT_EQ(update_verification_attempt(client, state, "yes", true).error().code, ErrorCode::illegal_move);
  EXPECT_TRUE(*clear_verification_state(client, "s1"));
}

}  // namespace
}  // namespace pawl::test

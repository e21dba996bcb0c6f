// The same key and arguments give the first answer; the same key with other arguments is a conflict.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

class Idempotency : public testing::Test {
 protected:
  Ran set(const std::string& number, const std::string& status, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"issue", "set", number, status, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return ws.run(args);
  }
  std::size_t operations() {
    const auto log = parse_json(ws.run({"log", "--json", "--limit", "1000"}).out);
    return log ? log->size() : 0;
  }
  std::string status_of(const std::string& number) { return ws.run({"issue", "get", number}).out; }

  TempWorkspace ws;
};

TEST_F(Idempotency, RepeatedCommandGivesTheFirstAnswerAndDoesNothing) {
  const Ran first = set("42", "running", {"--session", "s", "--idempotency-key", "k1"});
  ASSERT_EQ(first.exit, 0) << first.err;
  const std::string file = ws.read(".worktrees/.status/42.json").value_or("");
  const Ran again = set("42", "running", {"--session", "s", "--idempotency-key", "k1"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(operations(), 1U);
  EXPECT_EQ(ws.read(".worktrees/.status/42.json"), file);
}

TEST_F(Idempotency, RepeatedCommandDoesNotTakeBackWhatCameAfterIt) {
  const Ran first = set("42", "running", {"--idempotency-key", "k1"});
  ASSERT_EQ(set("42", "complete").exit, 0);
  const Ran again = set("42", "running", {"--idempotency-key", "k1"});
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(status_of("42"), "complete\n");
}

TEST_F(Idempotency, AnswerAsTextIsTheFirstToo) {
  const std::vector<std::string> args = {"issue", "set", "42", "running", "--idempotency-key", "k1"};
  const Ran first = ws.run(args);
  EXPECT_EQ(ws.run(args).out, first.out);
  EXPECT_EQ(operations(), 1U);
}

TEST_F(Idempotency, SameKeyWithOtherArgumentsIsAConflict) {
  ASSERT_EQ(set("42", "running", {"--idempotency-key", "k1"}).exit, 0);
  for (const auto& other : std::vector<std::vector<std::string>>{{"issue", "set", "43", "running"},
                                                                 {"issue", "set", "42", "error"},
                                                                 {"issue", "set", "42", "running", "--session", "x"},
                                                                 {"issue", "remove", "42"}}) {
    std::vector<std::string> args = other;
    args.insert(args.end(), {"--idempotency-key", "k1"});
    const Ran ran = ws.run(args);
    EXPECT_EQ(ran.exit, 4) << testing::PrintToString(args) << ran.err;
    EXPECT_NE(ran.err.find("k1"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(ws.run({"issue", "list"}).out, "42\trunning\n");
  EXPECT_EQ(operations(), 1U);
}

// The boundaries of the arguments are part of them.
TEST_F(Idempotency, ArgumentsThatRunTogetherAreNotTheSame) {
  ASSERT_EQ(set("42", "error", {"--session", "a;message=1:b", "--message", "c", "--idempotency-key", "k1"}).exit, 0);
  EXPECT_EQ(set("42", "error", {"--session", "a", "--message", "b;c", "--idempotency-key", "k1"}).exit, 4);
}

TEST_F(Idempotency, OrderOfTheFlagsDoesNotMatter) {
  ASSERT_EQ(set("42", "error", {"--session", "s", "--message", "m", "--idempotency-key", "k1"}).exit, 0);
  EXPECT_EQ(set("42", "error", {"--idempotency-key", "k1", "--message", "m", "--session", "s"}).exit, 0);
  EXPECT_EQ(operations(), 1U);
}

TEST_F(Idempotency, RefusalIsNotRemembered) {
  ASSERT_EQ(set("42", "complete").exit, 0);
  ASSERT_EQ(set("42", "error", {"--idempotency-key", "k1"}).exit, 1) << "complete is corrected only with a reason";
  ASSERT_EQ(set("42", "running").exit, 0);
  EXPECT_EQ(set("42", "error", {"--idempotency-key", "k1"}).exit, 0);
  EXPECT_EQ(status_of("42"), "error\n");
}

TEST_F(Idempotency, CommandThatChangedNothingIsRememberedToo) {
  const std::vector<std::string> remove = {"issue", "remove", "42", "--json", "--idempotency-key", "k1"};
  const Ran first = ws.run(remove);
  ASSERT_EQ(first.exit, 0) << first.err;
  ASSERT_EQ(set("42", "running").exit, 0);
  EXPECT_EQ(ws.run(remove).out, first.out);
  EXPECT_EQ(status_of("42"), "running\n") << "the first answer was that there was none";
}

TEST_F(Idempotency, UndoWithAKeyUndoesOnce) {
  ASSERT_EQ(set("42", "running").exit, 0);
  ASSERT_EQ(set("42", "complete").exit, 0);
  const std::vector<std::string> undo = {"undo", "--idempotency-key", "u1", "--json"};
  const Ran first = ws.run(undo);
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(status_of("42"), "running\n");
  const Ran again = ws.run(undo);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(status_of("42"), "running\n") << "the repeated undo went a step further back";
}

// A worker that asked twice, as its first answer got lost, holds one claim.
TEST_F(Idempotency, ClaimTakenTwiceByOneWorkerIsOneClaim) {
  ASSERT_EQ(set("42", "running").exit, 0);
  const std::vector<std::string> take = {"claim",   "take", "issue/42",          "--worker", "w",
                                         "--lease", "10m",  "--idempotency-key", "c1"};
  const Ran first = ws.run(take);
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(ws.run(take).out, first.out);
}

TEST_F(Idempotency, KeyThatClaimedOneThingDoesNotClaimAnother) {
  ASSERT_EQ(set("42", "running").exit, 0);
  ASSERT_EQ(set("43", "running").exit, 0);
  ASSERT_EQ(ws.run({"claim", "take", "issue/42", "--worker", "w", "--lease", "10m", "--idempotency-key", "c1"}).exit,
            0);
  EXPECT_EQ(ws.run({"claim", "take", "issue/43", "--worker", "w", "--lease", "10m", "--idempotency-key", "c1"}).exit,
            4);
}

TEST_F(Idempotency, KeysSurviveCompaction) {
  ASSERT_EQ(set("42", "running", {"--idempotency-key", "k1"}).exit, 0);
  ASSERT_EQ(set("42", "complete").exit, 0);
  ASSERT_EQ(ws.run({"compact", "--keep", "90d"}).exit, 0);
  ASSERT_EQ(set("42", "running", {"--idempotency-key", "k1"}).exit, 0);
  EXPECT_EQ(status_of("42"), "complete\n");
}

}  // namespace
}  // namespace pawl::test

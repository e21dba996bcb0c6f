// What pawl tells of itself: PAWL_LOG on stderr, and who, when and why in `pawl log`.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <limits>
#include <map>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

class OperationLog : public testing::Test {
 protected:
  Ran run(const std::vector<std::string>& args, std::vector<std::string> env = {}) {
    RunOptions options;
    options.env = std::move(env);
    return ws.run(args, options);
  }
  // The operations as JSON, newest first.
  Json operations(std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"log", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = ws.run(args);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return parse_json(ran.out).value_or(Json::array());
  }
  TempWorkspace ws;
};

// The line on which a step is told, or nothing.
std::string line_of(const std::string& err, std::string_view step) {
  for (const std::string_view line : split(err, '\n')) {
    for (const std::string_view word : split(line, ' ')) {
      if (word == step || word.ends_with(cat("=", step))) return std::string(line);
    }
  }
  return {};
}

// Of a clock that was set back, and forth again.
TEST_F(OperationLog, SinceGoesOnPastAnOlderTime) {
  for (const char* issue : {"1", "2", "3"}) ASSERT_EQ(run({"issue", "set", issue, "running"}).exit, 0);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(ws.file(".pawl/pawl.db").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, "UPDATE operation SET at_ms=at_ms-86400000 WHERE id=2", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(db);
  EXPECT_EQ(operations({"--since", "1h"}).size(), 2U);
}

TEST_F(OperationLog, WhatWasHeldDidNotComeFromNothing) {
  ws.write(".worktrees/.status/7.json", R"({"issue": 7, "status": "done"})");
  ASSERT_EQ(run({"init"}).exit, 0);
  ASSERT_EQ(run({"issue", "set", "7", "complete"}).exit, 0);
  const std::string log = run({"log"}).out;
  EXPECT_TRUE(has(log, "issue/7: held “done” → complete")) << log;
  EXPECT_TRUE(has(log, "issue/7: absent → held “done” (adopted)")) << log;
}

// A list that is taken over is one thing that happened, and reads as one.
TEST_F(OperationLog, ManyThatWentTheSameWayAreOneLine) {
  Json stories = Json::array();
  for (int i = 1; i <= 9; ++i)
    stories.push_back({{"id", cat("US-", i)}, {"title", "a"}, {"status", i == 4 ? "skipped" : "pending"}});
  ws.write("prd.json", to_pretty(Json{{"project", "p"}, {"stories", std::move(stories)}}));
  ASSERT_EQ(run({"init"}).exit, 0);
  const std::string log = run({"log"}).out;
  EXPECT_TRUE(has(log, "    story/US-1 … US-9 (8): absent → pending (adopted)\n")) << log;
  EXPECT_TRUE(has(log, "    story/US-4: absent → skipped (adopted)\n")) << log;
  EXPECT_EQ(operations()[0]["events"].size(), 9U) << "--json has each";
  for (int i = 8; i <= 12; ++i)
    ws.write(cat(".worktrees/.status/", i, ".json"), cat(R"({"issue": )", i, R"(, "status": "complete"})"));
  ASSERT_EQ(run({"issue", "list"}).exit, 0);
  EXPECT_TRUE(has(run({"log", "--limit", "1"}).out, "    issue/8 … 12 (5): absent → complete (adopted)\n"))
      << run({"log", "--limit", "1"}).out;
}

TEST_F(OperationLog, DebugTellsEachStepWithItsFields) {
  const Ran ran = run({"issue", "set", "42", "running"}, {"PAWL_LOG=debug"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "issue 42 is running\n");
  std::size_t last = 0;
  for (const std::string_view step : {"open", "gate", "absorb", "decide", "commit", "project"}) {
    const std::string line = line_of(ran.err, step);
    ASSERT_NE(line, "") << step << " is not told:\n" << ran.err;
    EXPECT_TRUE(has(line, "us=")) << line;
    EXPECT_GE(ran.err.find(line), last) << "the steps are told in their order";
    last = ran.err.find(line);
  }
  EXPECT_TRUE(has(line_of(ran.err, "absorb"), "files=1"));
  EXPECT_TRUE(has(line_of(ran.err, "decide"), "changes=1"));
  EXPECT_TRUE(has(line_of(ran.err, "commit"), "files=1"));
  EXPECT_TRUE(has(line_of(ran.err, "open"), cat("workspace=", ws.path())));
}

TEST_F(OperationLog, InfoTellsLessAndNothingIsToldWithoutIt) {
  const Ran debug = run({"issue", "set", "42", "running"}, {"PAWL_LOG=debug"});
  const Ran info = run({"issue", "set", "42", "running"}, {"PAWL_LOG=info"});
  const Ran verbose = run({"issue", "set", "42", "running", "-v"});
  EXPECT_EQ(run({"issue", "set", "42", "running"}).err, "");
  EXPECT_EQ(run({"issue", "set", "42", "running"}, {"PAWL_LOG=off"}).err, "");
  EXPECT_NE(info.err, "");
  EXPECT_LT(split(info.err, '\n').size(), split(debug.err, '\n').size());
  EXPECT_EQ(split(info.err, '\n').size(), split(verbose.err, '\n').size()) << "-v is info";
  EXPECT_TRUE(has(info.err, "verb=\"issue set\"") && has(info.err, "outcome=ok")) << info.err;
}

TEST_F(OperationLog, FailureIsToldWithItsCode) {
  const Ran ran = run({"issue", "show", "42"}, {"PAWL_LOG=info"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "outcome=not_found")) << ran.err;
}

TEST_F(OperationLog, WrongLevelIsSaidAndNoReasonToFail) {
  const Ran ran = run({"issue", "set", "42", "running"}, {"PAWL_LOG=\x1b[31mverbose"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "info or debug")) << ran.err;
  EXPECT_FALSE(has_control(ran.err));
}

TEST_F(OperationLog, FieldsCarryNoEscapesAndOneLineEach) {
  ASSERT_EQ(run({"init"}).exit, 0);
  const Ran ran =
      run({"issue", "set", "42", "error", "--message", "two\nlines", "--reason", "a\nb", "--actor", "x=\"1\""},
          {"PAWL_LOG=debug"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_FALSE(has_control(ran.err));
  for (const std::string_view line : split(ran.err, '\n')) EXPECT_TRUE(line.empty() || has(line, "=")) << line;
}

TEST_F(OperationLog, OperationSaysWhoWhenAndWhy) {
  const std::int64_t before = SystemClock().now().wall_ms;
  ASSERT_EQ(run({"issue", "set", "42", "running", "--actor", "エージェント 7", "--reason", "ticket \"9\"\nsecond line",
                 "--idempotency-key", "key-1"})
                .exit,
            0);
  const Json log = operations();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(string_or(log[0], "actor"), "エージェント 7");
  EXPECT_EQ(string_or(log[0], "reason"), "ticket \"9\"\nsecond line");
  EXPECT_EQ(string_or(log[0], "idempotency_key"), "key-1");
  EXPECT_EQ(string_or(log[0], "verb"), "issue set");
  EXPECT_GE(log[0]["at_ms"].get<std::int64_t>(), before);
  EXPECT_LE(log[0]["at_ms"].get<std::int64_t>(), SystemClock().now().wall_ms);
  const std::string text = run({"log"}).out;
  EXPECT_TRUE(has(text, "エージェント 7") && has(text, "ticket \"9\"") && has(text, "issue/42: absent → running"))
      << text;
}

TEST_F(OperationLog, ActorComesFromFlagThenEnvironmentThenUser) {
  ASSERT_EQ(run({"issue", "set", "1", "running", "--actor", "flag"}, {"PAWL_ACTOR=environment"}).exit, 0);
  ASSERT_EQ(run({"issue", "set", "2", "running"}, {"PAWL_ACTOR=environment"}).exit, 0);
  ASSERT_EQ(run({"issue", "set", "3", "running"}, {"LOGNAME=user"}).exit, 0);
  const Json log = operations();
  EXPECT_EQ(string_or(log[2], "actor"), "flag");
  EXPECT_EQ(string_or(log[1], "actor"), "environment");
  EXPECT_EQ(string_or(log[0], "actor"), "user");
}

TEST_F(OperationLog, ReasonThatAMoveNeededIsItsEvidence) {
  ASSERT_EQ(run({"issue", "set", "42", "complete"}).exit, 0);
  ASSERT_EQ(run({"issue", "set", "42", "error", "--reason", "the marker lied"}).exit, 0);
  const Json log = operations();
  EXPECT_EQ(string_or(log[0], "reason"), "the marker lied");
  EXPECT_EQ(string_or(log[0]["events"][0]["evidence"], "reason"), "the marker lied");
}

TEST_F(OperationLog, OfOneThingAndOfAsManyAsAsked) {
  for (const char* word : {"running", "error", "running"}) ASSERT_EQ(run({"issue", "set", "1", word}).exit, 0);
  ASSERT_EQ(run({"issue", "set", "2", "running"}).exit, 0);
  EXPECT_EQ(operations().size(), 4U);
  EXPECT_EQ(operations({"issue/1"}).size(), 3U);
  EXPECT_EQ(operations({"1"}).size(), 3U);
  EXPECT_EQ(operations({"issue/1", "--limit", "2"}).size(), 2U);
  EXPECT_EQ(operations({"--limit", "1"})[0]["operation"], 4);
  EXPECT_EQ(operations({"--at", "2"})[0]["operation"], 2) << "as the log stood then";
  EXPECT_EQ(run({"log", "issue/9"}).exit, 3);
  EXPECT_EQ(run({"log", "--at", "99"}).exit, 3) << "there is no such operation";
}

TEST_F(OperationLog, TheLargestNumberShowsAll) {
  const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(operations({"--limit", most}).empty()) << "nothing has happened yet";
  for (const char* word : {"running", "error"}) ASSERT_EQ(run({"issue", "set", "1", word}).exit, 0);
  EXPECT_EQ(operations({"--limit", most}).size(), 2U);
  EXPECT_EQ(operations({"issue/1", "--limit", most}).size(), 2U);
  EXPECT_EQ(operations({"--kind", "issue", "--limit", most}).size(), 2U);
}

// Nobody counts to twenty.
TEST_F(OperationLog, SaysWhenThereIsMoreThanItShows) {
  for (int i = 1; i <= 20; ++i) ASSERT_EQ(run({"issue", "set", std::to_string(i), "running"}).exit, 0);
  EXPECT_EQ(run({"log"}).err, "");
  ASSERT_EQ(run({"issue", "set", "1", "complete"}).exit, 0);
  EXPECT_EQ(run({"log"}).err, "pawl: there is more; --limit 100 shows it\n");
  EXPECT_EQ(operations().size(), 20U);
  EXPECT_EQ(run({"log", "--limit", "20"}).err, "") << "who asked for so many knows";
  EXPECT_EQ(run({"log", "issue/1"}).err, "");
}

TEST_F(OperationLog, ChangesOutsideAreNobodysCommand) {
  ASSERT_EQ(run({"issue", "set", "42", "running"}).exit, 0);
  ws.write(".worktrees/.status/42.json", R"({"issue": 42, "status": "complete"})");
  const Json log = operations();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_TRUE(log[0].contains("outside"));
  EXPECT_EQ(string_or(log[0]["events"][0], "to"), "complete");
  EXPECT_TRUE(has(run({"log"}).out, "outside pawl"));
}

TEST_F(OperationLog, RefusedCommandLeavesNoTrace) {
  ASSERT_EQ(run({"issue", "set", "42", "complete"}).exit, 0);
  EXPECT_EQ(run({"issue", "set", "42", "error"}).exit, 1);
  EXPECT_EQ(run({"issue", "set", "42", "invented"}).exit, 1);
  EXPECT_EQ(operations().size(), 1U);
}

TEST_F(OperationLog, UndoNamesWhatItUndid) {
  ASSERT_EQ(run({"issue", "set", "42", "running"}).exit, 0);
  ASSERT_EQ(run({"undo", "--reason", "a mistake", "--actor", "me"}).exit, 0);
  const Json log = operations();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["undoes"], 1);
  EXPECT_EQ(string_or(log[0], "reason"), "a mistake");
  EXPECT_EQ(string_or(log[0], "actor"), "me");
  EXPECT_TRUE(has(run({"log"}).out, "undo of operation 1"));
}

TEST_F(OperationLog, WhereNothingFitsThatIsSaidInsteadOfThatNothingHappened) {
  ASSERT_EQ(run({"issue", "set", "42", "running"}).exit, 0);
  const Ran ran = run({"log", "--kind", "story"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "nothing that has happened fits")) << ran.err;
}

TEST_F(OperationLog, BeforeAnythingHappenedSaysSo) {
  const Ran ran = run({"log"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "there is nothing to tell\n");
  EXPECT_FALSE(ws.exists(".pawl"));
}

}  // namespace
}  // namespace pawl::test

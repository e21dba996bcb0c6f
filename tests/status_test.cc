// `pawl status`: the board, in a terminal and out of one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/clock.h"
#include "base/columns.h"
#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"
#include "support/terminal.h"

namespace pawl::test {
namespace {

class Board : public testing::Test {
 protected:
  Json json(std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"status", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = ws.run(args);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return parse_json(ran.out).value_or(Json::object());
  }
  Json row(std::string_view ref) {
    const Json all = json({"--all"});
    for (const Json& one : all["work"]) {
      if (string_or(one, "ref").starts_with(ref)) return one;
    }
    return Json::object();
  }
  void set(const std::vector<std::string>& words) {
    std::vector<std::string> args = {"issue", "set"};
    args.insert(args.end(), words.begin(), words.end());
    ASSERT_EQ(ws.run(args).exit, 0);
  }
  TempWorkspace ws;
};

// Whatever stands where commands stand can be pasted.
TEST_F(Board, WhatIsAdvisedAndIsNoCommandBeginsWithAHash) {
  ws.write(".worktrees/.status/8.json", "{\"iss");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  const Ran ran = ws.run({"status"});
  EXPECT_TRUE(has(ran.out, "\n    # mend it, or move it away; pawl takes nothing from it")) << ran.out;
}

TEST_F(Board, WhatNeedsAPersonStandsAboveWhatRuns) {
  set({"42", "running"});
  set({"7", "error", "--message", "tests fail"});
  set({"9", "complete"});
  const std::string out = ws.run({"status"}).out;
  ASSERT_TRUE(has(out, "Needs you\n! issue/7")) << out;
  EXPECT_TRUE(has(out, "tests fail")) << out;
  EXPECT_TRUE(has(out, "pawl issue remove 7")) << out;  // no output was kept
  ASSERT_TRUE(has(out, "Running\n> issue/42")) << out;
  EXPECT_LT(out.find("issue/7"), out.find("issue/42"));
  EXPECT_FALSE(has(out, "issue/9")) << out;
  EXPECT_TRUE(has(out, "1 is done; pawl status --all shows it")) << out;
  EXPECT_TRUE(has(ws.run({"status", "--all"}).out, "issue/9"));
  EXPECT_EQ(ws.run({"status", "--line"}).out, "1 needs you, 1 running\n");
}

TEST_F(Board, WhatToTypeIsNotCutWhereItFitsOnTwoLines) {
  set({"2", "complete"});
  ws.write(".worktrees/.status/2.json", R"({"issue": 2, "status": "error"})");
  RunOptions options = ws.options();
  options.out = RunOptions::Stdout::terminal;
  options.env.push_back("COLUMNS=80");
  const std::string out = run_pawl({"status"}, options).out;
  EXPECT_TRUE(has(out, "pawl accept .pawl/refused/_.worktrees+.status+2.json.")) << out;
  EXPECT_TRUE(has(out, "pawl dismiss .pawl/refused/_.worktrees+.status+2.json.")) << out;
}

TEST_F(Board, HeldIsToldWithTheWordThatIsNoStatus) {
  ws.write(".worktrees/.status/3.json", R"({"issue": 3, "status": "done"})");
  const Json held = row("issue/3");
  EXPECT_EQ(string_or(held, "stands"), "needs_person");
  EXPECT_EQ(string_or(held, "why"), "“done” is not a status");
}

TEST_F(Board, LoopThatNobodyIsInNeedsAPerson) {
  const std::string old = iso_time(SystemClock().now().wall_ms - std::int64_t{9} * 86'400'000, true);
  ws.write(".omc/ralph-state.json", cat(R"({"active": true, "iteration": 4, "max_iterations": 50, "prompt": "x", )",
                                        R"("session_id": "s1", "started_at": ")", old, R"("})"));
  const Json loop = row("ralph/s1@");
  EXPECT_EQ(string_or(loop, "stands"), "needs_person") << loop;
  EXPECT_EQ(string_or(loop, "why"), "nobody has been in it for 9 days");
  EXPECT_EQ(integer_or(loop, "done"), 4);
  // Somebody is in it again.
  ASSERT_EQ(ws.run({"ralph", "tick", "--session", "s1"}).exit, 0);
  EXPECT_EQ(string_or(row("ralph/s1@"), "stands"), "running");
}

// What the board calls it can be typed.
TEST_F(Board, ALoopIsCalledByItsSession) {
  const std::string now = iso_time(SystemClock().now().wall_ms, true);
  ws.write(".omc/ralph-state.json", cat(R"({"active": true, "iteration": 4, "max_iterations": 50, "prompt": "x", )",
                                        R"("session_id": "s1", "started_at": ")", now, R"("})"));
  const std::string out = ws.run({"status"}).out;
  EXPECT_TRUE(has(out, "> ralph/s1  active")) << out;
  EXPECT_EQ(out.find("4/50"), out.rfind("4/50")) << "said once: " << out;
  const Ran shown = ws.run({"show", "ralph/s1"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_TRUE(shown.out.starts_with("ralph/s1@")) << shown.out;
  EXPECT_EQ(ws.run({"show", "s1"}).out, shown.out);
  EXPECT_EQ(ws.run({"show", "ralph/s"}).exit, 3) << "no part of a name";
}

TEST_F(Board, ALongPromptIsCutAlsoInAPipeAndItsCountIsSaidOnce) {
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", std::string(500, 'x')}).exit, 0);
  const std::string text = ws.run({"status"}).out;
  EXPECT_FALSE(has(text, std::string(200, 'x'))) << text;
  EXPECT_EQ(text.find("0/50"), text.rfind("0/50")) << text;
  EXPECT_TRUE(has(string_or(row("ralph/"), "headline"), std::string(500, 'x')));
}

TEST_F(Board, ClaimedByAWorkerRunsAndSaysByWhom) {
  set({"42", "running"});
  ASSERT_EQ(ws.run({"claim", "take", "issue/42", "--worker", "w1", "--lease", "10m"}).exit, 0);
  EXPECT_EQ(string_or(row("issue/42"), "worker"), "w1");
  EXPECT_TRUE(has(ws.run({"status"}).out, "by w1"));
}

// With the first few; where the others' is, is said.
TEST_F(Board, WhatToTypeDoesNotPushTheRestOffTheScreen) {
  for (int i = 1; i <= 8; ++i) set({std::to_string(i), "error", "--message", "no"});
  const std::string board = ws.run({"status"}).out, all = ws.run({"status", "--all"}).out;
  const auto removals = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("pawl issue remove"); at != std::string::npos;
         at = text.find("pawl issue remove", at + 1))
      ++count;
    return count;
  };
  EXPECT_GT(removals(board), 0U) << board;
  EXPECT_LT(removals(board), 8U) << board;
  EXPECT_EQ(removals(all), 8U) << all;
  EXPECT_TRUE(has(board, "what to type for each: pawl status --all")) << board;
  EXPECT_FALSE(has(all, "what to type for each")) << all;
  for (int i = 1; i <= 8; ++i) EXPECT_TRUE(has(board, cat("! issue/", i))) << board;
}

TEST_F(Board, ManyOfOneKindLeaveRoomForTheFirstOfAnother) {
  for (int i = 1; i <= 12; ++i) set({std::to_string(i), "error", "--message", "no network"});
  ws.write(".omc/ralph-state.json",
           R"({"active": true, "iteration": 3, "session_id": "s1", "started_at": "2026-01-28T21:26:00.000Z"})");
  const std::string out = ws.run({"status"}).out;
  EXPECT_TRUE(has(out, "! ralph/s1")) << out;
  EXPECT_TRUE(has(out, "    pawl ralph cancel s1")) << out;
  EXPECT_TRUE(has(out, "! issue/12 ")) << out;
  EXPECT_TRUE(has(out, "  and 5 more: pawl status --all\n")) << out;
}

TEST_F(Board, IsOneScreenAlsoWhereEverySectionIsFull) {
  Json stories = Json::array();
  for (int i = 1; i <= 20; ++i) {
    Json story{{"id", cat("S", i)}, {"title", "T"}, {"status", i == 1 ? "merged" : "pending"}};
    if (i > 10) story["dependsOn"] = {"S5"};
    stories.push_back(std::move(story));
  }
  ws.write("prd.json", to_line(Json{{"stories", stories}}));
  for (int i = 1; i <= 20; ++i) set({std::to_string(i), i % 2 == 0 ? "error" : i < 4 ? "complete" : "running"});
  for (int i = 1; i <= 9; ++i) ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "p", "--session", cat("s", i)}).exit, 0);
  const std::string board = ws.run({"status"}).out;
  EXPECT_LT(std::count(board.begin(), board.end(), '\n'), 30) << board;
  for (const char* title : {"Needs you", "Running", "Next", "Waiting", "Progress"})
    EXPECT_TRUE(has(board, title)) << board;
}

TEST_F(Board, FitsTheTerminalAndAnOrdinaryScreen) {
  for (int i = 1; i <= 60; ++i)
    set({std::to_string(i), i % 3 == 0 ? "error" : "running", "--message",
         cat("とても長い説明です ", std::string(200, 'x'))});
  for (const std::size_t width : {std::size_t{20}, std::size_t{80}, std::size_t{160}}) {
    RunOptions options;
    options.out = RunOptions::Stdout::terminal;
    options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"};
    const Ran ran = run_program(
        "sh", {"-c", cat("cd '", ws.path(), "' && stty cols ", width, " <&1 && exec '", PAWL_BINARY, "' status")},
        options);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    std::size_t lines = 0;
    for (std::string_view line : split(ran.out, '\n')) {
      while (line.ends_with('\r')) line.remove_suffix(1);
      ++lines;
      if (width > 20) {
        EXPECT_LE(columns_of(line), width) << line;
      }
    }
    if (width >= 80) {
      EXPECT_LE(lines, 30U) << ran.out;  // with what is behind the last line end, which is nothing
    }
  }
}

// For the board most stories are only counted, by their rank; --json tells of each. Both must say the same.
TEST_F(Board, CountsAreTheSameAsWhatJsonTellsOf) {
  Json stories = Json::array();
  for (int i = 0; i < 60; ++i) {
    stories.push_back({{"id", cat("US-", i)}, {"title", cat("Part ", i)}, {"priority", i % 3}, {"status", "pending"}});
  }
  for (int i = 0; i < 12; ++i) stories[static_cast<std::size_t>(i)]["status"] = "merged";
  for (int i = 12; i < 20; ++i) stories[static_cast<std::size_t>(i)]["status"] = "pushed";
  stories[20]["status"] = "finished";
  ws.write("prd.json", to_pretty(Json{{"project", "P"}, {"stories", stories}}) + "\n");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ASSERT_EQ(ws.run({"story", "pause", "US-21", "--reason", "later"}).exit, 0);

  const Json all = json({"--all"});
  std::map<std::string, int> told;
  for (const Json& one : all["work"]) ++told[string_or(one, "stands")];
  EXPECT_EQ(told["next"], 46) << "with those whose pull request is to be looked at";
  EXPECT_EQ(told["ended"], 12);
  EXPECT_EQ(told["needs_person"], 1) << "one is held";
  EXPECT_EQ(told["waiting"], 1) << "one is paused";
  for (const auto& [stands, count] : told) EXPECT_EQ(all["count"][stands], count) << stands;
  EXPECT_EQ(json()["count"], all["count"]);

  const std::string out = ws.run({"status"}).out;
  EXPECT_TRUE(has(out, "and 41 more")) << out;
  EXPECT_TRUE(has(out, "12 are done")) << out;
  EXPECT_EQ(ws.run({"status", "--line"}).out, "1 needs you, 46 next, 1 waiting\n");
  const std::string next = out.substr(out.find("Next\n"));
  EXPECT_TRUE(has(next, "story/US-12 ")) << "with its title, and the most urgent first\n" << next;
  EXPECT_TRUE(has(next, "Part 12")) << next;
}

// What needs somebody stands on top: nothing may scroll it away, however small the terminal is.
TEST_F(Board, WatchNeverScrolls) {
  for (int i = 1; i <= 9; ++i) set({std::to_string(i), "error", "--message", "tests fail in a way that takes words"});
  for (const auto& [width, height] : {std::pair{80, 8}, {80, 13}, {80, 14}, {30, 12}, {24, 5}}) {
    SCOPED_TRACE(cat(width, "x", height));
    RunOptions options;
    options.cwd = ws.path();
    options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1", "HOME=" + ws.home()};
    Terminal terminal(
        "sh", {"-c", cat("stty cols ", width, " rows ", height, "; exec '", PAWL_BINARY, "' status --watch")}, options);
    static_cast<void>(terminal.until("\x1b[H"));
    std::string frame = terminal.until("\x1b[H");
    ASSERT_FALSE(frame.empty()) << terminal.shown();
    std::size_t rows = 0;
    for (std::string_view line : split(std::string_view(frame).substr(0, frame.size() - 3), '\n')) {
      for (const std::string_view sign : {"\x1b[K", "\x1b[J"}) {
        if (line.starts_with(sign)) line.remove_prefix(sign.size());
      }
      while (line.ends_with('\r')) line.remove_suffix(1);
      const auto columns = static_cast<int>(columns_of(line));
      rows += static_cast<std::size_t>(std::max(1, (columns + width - 1) / width));
    }
    EXPECT_LE(rows, static_cast<std::size_t>(height)) << frame;
    EXPECT_TRUE(has(frame, "Needs you")) << frame;
    EXPECT_TRUE(has(frame, "more)") || has(frame, "issue/1 ")) << "all of them, or how many more there are\n" << frame;
  }
}

TEST_F(Board, WatchInASingleRowSaysAFewWords) {
  for (int i = 1; i <= 3; ++i) set({std::to_string(i), "error", "--message", "tests fail"});
  set({"4", "running"});
  for (const auto& [width, words] : {std::pair{80, "3 need you, 1 running"}, {20, "3 need you"}}) {
    RunOptions options;
    options.cwd = ws.path();
    options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1", "HOME=" + ws.home()};
    Terminal terminal("sh", {"-c", cat("stty cols ", width, " rows 1; exec '", PAWL_BINARY, "' status --watch")},
                      options);
    static_cast<void>(terminal.until("\x1b[H"));
    const std::string frame = terminal.until("\x1b[H");
    EXPECT_TRUE(has(frame, words)) << frame;
    EXPECT_FALSE(has(frame, "\n")) << "it would scroll the words away\n" << frame;
    EXPECT_LT(columns_of(replaced(replaced(frame, "\x1b[J", ""), "\x1b[H", "")), static_cast<std::size_t>(width));
  }
}

// What needs somebody does not push what runs off the screen: each section keeps its first line.
TEST_F(Board, WatchInAFewRowsShowsSomeOfEach) {
  ws.write("prd.json", R"({"project":"p","branchName":"b","userStories":[
    {"id":"US-1","title":"First","acceptanceCriteria":["x"],"priority":1,"passes":false,"status":"pending"},
    {"id":"US-2","title":"Second","acceptanceCriteria":["x"],"priority":2,"passes":false,"status":"pending"}]})");
  for (int i = 1; i <= 9; ++i) set({std::to_string(i), "error", "--message", "tests fail"});
  for (int i = 20; i <= 22; ++i) set({std::to_string(i), "running"});
  RunOptions options;
  options.cwd = ws.path();
  options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1", "HOME=" + ws.home()};
  const auto frame_in = [&](int width, int height) {
    Terminal terminal(
        "sh", {"-c", cat("stty cols ", width, " rows ", height, "; exec '", PAWL_BINARY, "' status --watch")}, options);
    static_cast<void>(terminal.until("\x1b[H"));
    return terminal.until("\x1b[H");
  };
  const std::string ten = frame_in(80, 10);
  EXPECT_TRUE(has(ten, "Needs you (and ") && has(ten, "! issue/9 ")) << ten;
  EXPECT_TRUE(has(ten, "Running (and ") && has(ten, "> issue/2")) << ten;
  EXPECT_TRUE(has(ten, "Next") && has(ten, "story/US-1 ")) << ten;
  const std::string six = frame_in(80, 6);
  EXPECT_TRUE(has(six, "! issue/9 ") && has(six, "> issue/2") && has(six, "… 2 next")) << six;
  const std::string whole = frame_in(80, 60);
  EXPECT_TRUE(has(whole, "pawl status --all") && !has(whole, "more)")) << whole;
}

// What room the rows leave is filled: with what to type about each, in order, and with how far all is.
TEST_F(Board, WatchFillsTheRoomThatItHas) {
  for (int i = 1; i <= 9; ++i) set({std::to_string(i), "error", "--message", "tests fail"});
  RunOptions options;
  options.cwd = ws.path();
  options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1", "HOME=" + ws.home()};
  Terminal terminal("sh", {"-c", cat("stty cols 80 rows 20; exec '", PAWL_BINARY, "' status --watch")}, options);
  static_cast<void>(terminal.until("\x1b[H"));
  const std::string frame = terminal.until("\x1b[H");
  std::size_t advised = 0, told = 0;
  for (const std::string_view line : split(frame, '\n')) {
    advised += has(std::string(line), "    pawl issue ") ? 1 : 0;
    told += has(std::string(line), "issue") ? 1 : 0;
  }
  EXPECT_GT(advised, 2U) << "about more than the first\n" << frame;
  EXPECT_GE(told, 15U) << frame;
  EXPECT_LE(told, 20U) << frame;
  EXPECT_LT(frame.find("issue/9 "), frame.find("pawl issue ")) << frame;
  EXPECT_TRUE(has(frame, "issue/1 ")) << "rows go before advice\n" << frame;
}

// Files of one folder are told apart where there is little room.
TEST_F(Board, OfAPathItsEndIsShown) {
  set({"1", "running"});
  for (const char* const name : {"7", "8"}) ws.write(cat(".worktrees/.status/", name, ".json"), "{\"iss");
  RunOptions options;
  options.out = RunOptions::Stdout::terminal;
  options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"};
  for (const int width : {60, 36}) {
    const Ran ran = run_program(
        "sh", {"-c", cat("cd '", ws.path(), "' && stty cols ", width, " <&1 && exec '", PAWL_BINARY, "' status")},
        options);
    EXPECT_TRUE(has(ran.out, "/7.json") && has(ran.out, "/8.json")) << ran.out;
  }
}

TEST_F(Board, WatchPrintsABoardWhenSomethingChanges) {
  set({"42", "running"});
  RunOptions options;
  options.cwd = ws.path();
  Child watch(PAWL_BINARY, {"status", "--watch", "--json"}, options);
  ASSERT_TRUE(watch.wait_for(R"("status":"running")"));
  set({"42", "error"});
  EXPECT_TRUE(watch.wait_for(R"("status":"error")"));
}

}  // namespace
}  // namespace pawl::test

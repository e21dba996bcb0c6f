// What `pawl status` says must be so: what is called running is, what is next can be begun, and what it tells a person
// to type works as things stand.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "base/clock.h"
#include "base/columns.h"
#include "base/text.h"
#include "support/review_project.h"
#include "support/run_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;
using Of = StoryProject;

Json row_in(const Json& board, std::string_view ref) {
  for (const Json& row : board["work"]) {
    if (string_or(row, "ref").starts_with(ref)) return row;
  }
  return Json::object();
}

TEST(BoardOfLoops, WhoseRunnerWasKilledNeedsAPersonUntilSomebodyGoesOn) {
  const StoryProject project;
  {
    Child child(PAWL_BINARY,
                {"ralph", "run", "--prompt", "p", "--", "/bin/sh", "-c", "echo ready; exec tail -f /dev/null"},
                project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    EXPECT_EQ(string_or(row_in(project.json({"status"}), "ralph/"), "stands"), "running");
    child.send(SIGKILL);
    (void)child.finish();
  }
  const Json row = row_in(project.json({"status"}), "ralph/");
  EXPECT_EQ(string_or(row, "stands"), "needs_person");
  EXPECT_TRUE(has(string_or(row, "why"), "its runner (ralph run ")) << row;
  EXPECT_TRUE(has(string_or(row, "advice"), "pawl ralph run -- AGENT")) << row;
  const Ran doctor = project.run({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_TRUE(has(doctor.out, "is gone")) << doctor.out;
  // A session's hook that goes on with it is somebody in it.
  project.must({"ralph", "tick"});
  EXPECT_EQ(string_or(row_in(project.json({"status"}), "ralph/"), "stands"), "next") << "nobody drives it";
}

// A hook that lets its session go has not been in the loop: it is as old as before, to the doctor too.
TEST(BoardOfLoops, OneThatLetItsSessionGoIsAsOldAsBefore) {
  const StoryProject project;
  const std::string then = iso_time(SystemClock().now().wall_ms - std::int64_t{20} * 86'400'000, true);
  project.write(kLoopFile,
                cat(R"({"active": true, "iteration": 5, "max_iterations": 50, "prompt": "x", )",
                    R"("session_id": "s1", "started_at": ")", then, R"(", "last_activity_at": ")", then, R"("})"));
  project.must({"init", "--claude"});
  RunOptions stop;
  stop.input = R"({"hook_event_name": "Stop", "session_id": "s1"})";
  EXPECT_EQ(project.run({"hook", "claude"}, stop).exit, 0);
  ASSERT_TRUE(has(project.out({"log"}), "let go"));
  EXPECT_EQ(string_or(row_in(project.json({"status"}), "ralph/"), "why"), "nobody has been in it for 20 days");
  const Ran doctor = project.run({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_TRUE(has(doctor.out, "nobody has been in it for 20 days")) << doctor.out;
}

TEST(BoardOfLoops, AnotherToolsLoopIsUnderWayToo) {
  const StoryProject project;
  const auto loop = [&](std::int64_t hours) {
    project.write(".claude/ralph-loop.local.md",
                  cat("---\nactive: true\niteration: 3\nmax_iterations: 9\nstarted_at: \"",
                      iso_time(SystemClock().now().wall_ms - hours * 3'600'000), "\"\n---\n\nmake it so\n"));
  };
  loop(2);
  const Json row = row_in(project.json({"status"}), ".claude/");
  EXPECT_EQ(string_or(row, "stands"), "running");
  EXPECT_TRUE(has(string_or(row, "headline"), "left to Anthropic's ralph-loop, iteration 3/9: make it so")) << row;
  loop(50);
  EXPECT_EQ(string_or(row_in(project.json({"status"}), ".claude/"), "stands"), "needs_person");
  EXPECT_EQ(project.out({"status", "--line"}), "1 needs you\n");
}

TEST(BoardOfLoops, OfSeveralThatAreNobodysEachIsEndedAsTheBoardSays) {
  const StoryProject project;
  const auto state = [](std::string_view start) {
    return cat(R"({"active": true, "iteration": 1, "prompt": "p", "started_at": ")", start, R"("})");
  };
  project.write(".omc/ralph-state.json", state("2026-01-01T00:00:00.000Z"));
  project.write(".omc/state/ralph-state.json", state("2026-01-02T00:00:00.000Z"));
  project.write(".omc/ultrawork-state.json", state("2026-01-01T00:00:00.000Z"));
  project.write(".omc/state/ultrawork-state.json", state("2026-01-02T00:00:00.000Z"));
  EXPECT_EQ(project.run({"ultrawork", "clear"}).exit, 2);
  int ended = 0;
  const Json board = project.json({"status"});
  for (const Json& row : board["work"]) {
    if (string_or(row, "stands") != "needs_person") continue;
    std::vector<std::string> words;
    std::string advice = string_or(row, "advice");  // for a ralph loop how to go on, and below it how to end it
    if (const std::size_t second = advice.find('\n'); second != std::string::npos) advice = advice.substr(second + 1);
    advice = advice.substr(0, advice.find("  # "));
    for (const std::string_view word : split(advice, ' ')) words.emplace_back(word);
    ASSERT_EQ(words.front(), "pawl") << row;
    words.erase(words.begin());
    project.must(words);
    ++ended;
  }
  EXPECT_EQ(ended, 4);
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 0);
}

TEST(BoardOfIssues, WhoseSessionIsGoneNeedsAPersonAndTheAdviceWorks) {
  const RunProject project;
  project.start(1, "echo ready; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(1, "ready"));
  const auto board = [&] { return parse_json(project.ok({"status", "--json"})).value_or(Json()); };
  EXPECT_EQ(string_or(row_in(board(), "issue/1"), "stands"), "running");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  // Its session lives, and nobody would notice its end. A start is given a few seconds before anybody doubts it.
  Json row;
  for (const std::int64_t until = SystemClock().now().boot_ms + 30'000; SystemClock().now().boot_ms < until;) {
    row = row_in(board(), "issue/1");
    if (string_or(row, "stands") != "running") break;
  }
  EXPECT_EQ(string_or(row, "why"), "it runs, and its watcher is gone") << row;
  EXPECT_EQ(string_or(row, "advice"), "pawl issue reconcile 1  # starts another watcher") << row;
  project.end_server();
  // The output's keeper ends with the pane.
  for (const std::int64_t until = SystemClock().now().boot_ms + 30'000; SystemClock().now().boot_ms < until;) {
    row = row_in(board(), "issue/1");
    if (!has(string_or(row, "why"), "it runs")) break;
  }
  EXPECT_EQ(string_or(row, "stands"), "needs_person") << row;
  EXPECT_TRUE(has(string_or(row, "why"), "its session is gone")) << row;
  EXPECT_EQ(string_or(row, "advice"),
            "pawl issue resume 1  # goes on with it\npawl issue reconcile 1  # says how it ended");
  project.ok({"issue", "reconcile"});
  row = row_in(board(), "issue/1");
  EXPECT_EQ(string_or(row, "status"), "error");
  EXPECT_EQ(string_or(row, "advice"), "pawl issue resume 1");
  fs::remove_all(project.worktree(1));
  row = row_in(board(), "issue/1");
  EXPECT_TRUE(string_or(row, "advice").starts_with("pawl issue run 1 --again -- AGENT")) << row;
}

TEST(BoardOfIssues, LogsAreAdvisedOnlyWhereThereAreSome) {
  const RunProject project;
  const auto advice = [&](std::string_view ref) {
    return string_or(row_in(parse_json(project.ok({"status", "--json"})).value_or(Json()), ref), "advice");
  };
  project.ok({"issue", "set", "9", "error", "--message", "tests fail"});
  EXPECT_TRUE(has(advice("issue/9"), "pawl issue remove 9")) << advice("issue/9");
  EXPECT_FALSE(has(advice("issue/9"), "logs"));
  project.start(2, "echo '###TASK_ERROR_2###'; echo broken; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(2), "error: broken");
  EXPECT_EQ(advice("issue/2"), "pawl issue logs 2\npawl issue attach 2  # its session is still there");
  EXPECT_TRUE(has(project.ok({"issue", "logs", "2"}), "broken"));
}

// Where the agent that told of its error is gone too, there is more to do than to read.
TEST(BoardOfIssues, AnErrorWithoutASessionCanBeResumed) {
  const RunProject project;
  project.start(2, "echo '###TASK_ERROR_2###'; echo broken");
  EXPECT_EQ(project.end_of(2), "error: broken");
  project.end_server();
  for (const pid_t pid : project.processes({"issue", "record", "2"})) ASSERT_TRUE(gone(pid));
  const Json board = parse_json(project.ok({"status", "--json"})).value_or(Json());
  EXPECT_EQ(string_or(row_in(board, "issue/2"), "advice"), "pawl issue logs 2\npawl issue resume 2  # goes on with it");
}

TEST(BoardOfStories, OneThatWaitsForAnotherIsNotNext) {
  const StoryProject project;
  project.stories({Of::story("B", "pending", 1, {{"dependsOn", {"A"}}}), Of::story("A", "pending", 2),
                   Of::story("C", "pending", 3, {{"dependsOn", {"gone"}}})});
  Json board = project.json({"status"});
  EXPECT_EQ(string_or(row_in(board, "story/B"), "stands"), "waiting");
  EXPECT_EQ(string_or(row_in(board, "story/B"), "why"), "waits for A");
  EXPECT_EQ(string_or(row_in(board, "story/A"), "stands"), "next");
  EXPECT_EQ(string_or(row_in(board, "story/C"), "stands"), "next");
  EXPECT_EQ(board["count"]["next"], 2);
  EXPECT_EQ(board["count"]["waiting"], 1);
  const std::string text = project.out({"status"});
  EXPECT_LT(text.find("story/A"), text.find("Waiting")) << text;
  EXPECT_GT(text.find("story/B"), text.find("Waiting")) << text;
}

TEST(BoardOfStories, ThoseThatWaitForEachOtherNeedAPerson) {
  const StoryProject project;
  project.stories(
      {Of::story("A", "pending", 1, {{"dependsOn", {"B"}}}), Of::story("B", "pending", 2, {{"dependsOn", {"A"}}}),
       Of::story("C", "pending", 3, {{"dependsOn", {"C"}}}), Of::story("D", "pending", 4, {{"dependsOn", {"A"}}})});
  const Json board = project.json({"status"});
  for (const char* ref : {"story/A", "story/B", "story/C"}) {
    EXPECT_EQ(string_or(row_in(board, ref), "stands"), "needs_person") << ref;
    EXPECT_TRUE(has(string_or(row_in(board, ref), "why"), "waits for itself: ")) << board;
  }
  EXPECT_EQ(string_or(row_in(board, "story/D"), "stands"), "waiting");
}

// Whoever can write the list could else have the board take all the memory there is: each row had the whole circle in
// it.
TEST(BoardOfStories, ALongCircleIsToldInPart) {
  const StoryProject project;
  constexpr int kMany = 2'000;
  std::vector<Json> ring;
  for (int i = 0; i < kMany; ++i)
    ring.push_back(Of::story(cat("S", i), "pending", 1, {{"dependsOn", {cat("S", (i + 1) % kMany)}}}));
  project.stories(ring);
  const Ran ran = project.run({"status", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_LT(ran.out.size(), std::size_t{kMany} * 1'000);
  EXPECT_EQ(string_or(row_in(Json::parse(ran.out), "story/S7"), "why"),
            "waits for itself: S7 → S8 → S9 → S10 → S11 → S12 → 1994 more → S7");
  const Ran list = project.run({"story", "list", "--json"});
  EXPECT_LT(list.out.size(), std::size_t{kMany} * 5'000);
  EXPECT_LT(project.run({"doctor"}).out.size(), 5'000U);
}

TEST(BoardOfStories, WhatEndedInAListThatWasSetAsideIsNoProgress) {
  const StoryProject project;
  project.stories({Of::story("A", "merged"), Of::story("B", "merged"), Of::story("C", "merged"), Of::story("D")});
  EXPECT_EQ(to_line(project.json({"status"})["progress"]), R"([{"kind":"story","ended":3,"of":4}])");
  Json other = parse_json(project.prd()).value_or(Json());
  other["project"] = "another";
  Json list = Json::array();
  for (int i = 1; i <= 4; ++i) list.push_back(Of::story(cat("X-", i), i == 1 ? "merged" : "pending"));
  other[other.contains("stories") ? "stories" : "userStories"] = list;
  project.write(kPrd, to_line(other));
  project.must({"story", "fix", "X-1", "merged", "--reason", "it is on main"});
  for (const bool all : {false, true}) {
    const Json board =
        project.json(all ? std::vector<std::string>{"status", "--all"} : std::vector<std::string>{"status"});
    EXPECT_EQ(to_line(board["progress"]), R"([{"kind":"story","ended":1,"of":4}])") << all;
  }
}

TEST(BoardOfStories, AListThatWasSetAsideIsNotUnderWay) {
  const StoryProject project;
  project.stories({Of::story("A"), Of::story("B")});
  Json other = parse_json(project.prd()).value_or(Json());
  other["project"] = "another";
  other[other.contains("stories") ? "stories" : "userStories"] = Json::array({Of::story("X-1")});
  project.write(kPrd, to_line(other));
  const Json board = project.json({"status"});
  EXPECT_EQ(string_or(row_in(board, "story/X-1"), "stands"), "next");
  EXPECT_TRUE(row_in(board, "story/A").empty()) << board;
  EXPECT_EQ(board["count"]["waiting"], 0);
  EXPECT_TRUE(has(project.out({"story", "list", "--aside"}), "A"));
}

// The file as somebody left it: all that is in it happened so many days ago.
void leave_review(const ReviewProject& project, int days) {
  const std::string then = iso_time(SystemClock().now().wall_ms - std::int64_t{days} * 86'400'000, false);
  project.write(kStateFile, cat("---\npr_owner: \"octo\"\npr_repo: \"cat\"\npr_number: 7\nhead_sha: \"abc123def456\"\n"
                                "mode: \"full\"\nfocus: \"\"\nself_review: false\nstarted: \"",
                                then, "\"\nupdated: \"", then,
                                "\"\n---\n\n## Chunk Plan\n\n| Chunk | Files | LOC | Status |\n|---|---|---|---|\n"
                                "| 1 | a.ts | 10 | pending |\n\n## Findings\n"));
}

TEST(BoardOfReviews, OneThatNobodyHasBeenInForAWeekNeedsAPersonAndTheAdviceWorks) {
  const ReviewProject project;
  leave_review(project, 6);
  EXPECT_EQ(string_or(row_in(project.json({"status"}), "review/"), "stands"), "running");
  const ReviewProject left;
  leave_review(left, 800);
  const Json row = row_in(left.json({"status"}), "review/");
  EXPECT_EQ(string_or(row, "stands"), "needs_person");
  EXPECT_EQ(string_or(row, "why"), "nobody has been in it for 800 days");
  const std::string advice = string_or(row, "advice");
  ASSERT_TRUE(has(advice, "pawl review continue octo/cat#7  #")) << advice;
  ASSERT_TRUE(has(advice, "pawl review clean --pr octo/cat#7  #")) << advice;
  EXPECT_TRUE(has(left.run({"doctor"}).out, "nobody has been in it for 800 days"));
  left.must({"review", "continue", "octo/cat#7"});
  EXPECT_EQ(string_or(row_in(left.json({"status"}), "review/"), "stands"), "running");
  left.must({"review", "mark", "1", "in-progress"});  // a part of it is it
  EXPECT_EQ(string_or(row_in(left.json({"status"}), "review/"), "stands"), "running");
  left.must({"review", "clean", "--pr", "octo/cat#7"});
}

// What is wrong with a part is said before that nobody has been in it: it is what to begin with.
TEST(BoardOfReviews, AHeldChunkIsToldAlsoOfOneThatWasLeft) {
  const ReviewProject project;
  leave_review(project, 30);
  project.edit_file(kStateFile, "| 10 | pending |", "| 10 | done |");
  const Json row = row_in(project.json({"status"}), "review/");
  EXPECT_EQ(string_or(row, "stands"), "needs_person");
  EXPECT_TRUE(has(string_or(row, "why"), "“done” is not a status")) << row;
  EXPECT_TRUE(has(string_or(row, "advice"), "pawl review mark 1 STATUS")) << row;
}

TEST(BoardOfLoops, ALoopOfAnothersBehindALinkIsNotRead) {
  const IssueProject project;
  project.must({"init"});
  std::filesystem::create_directories(project.home() + "/elsewhere");
  write_all(project.home() + "/elsewhere/ralph-loop.local.md",
            "---\nactive: true\niteration: 1\n---\n\nanother's words\n");
  std::filesystem::create_symlink(project.home() + "/elsewhere", project.file(".claude"));
  for (const char* const verb : {"status", "doctor"}) EXPECT_FALSE(has(project.run({verb}).out, "ralph-loop")) << verb;
  EXPECT_FALSE(has(project.run({"ralph", "list"}).out, "another's words"));
}

TEST(BoardOfRefusals, OneIsDismissedOrAcceptedAndThenGone) {
  const IssueProject project;
  const auto refusals = [&] {
    const Json board = parse_json(project.out({"status", "--json"})).value_or(Json());
    std::vector<Json> out;
    for (const Json& row : board["work"]) {
      if (string_or(row, "kind") == "refused") out.push_back(row);
    }
    return out;
  };
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"done\"");
  project.must({"issue", "get", "1"});
  const std::string copy = project.only_kept("refused");
  ASSERT_EQ(refusals().size(), 1U);
  EXPECT_EQ(string_or(refusals()[0], "advice"), cat("pawl dismiss ", copy, "  # lets it go"));
  project.must({"dismiss", copy});
  EXPECT_TRUE(refusals().empty());
  EXPECT_TRUE(project.exists(".pawl/refused/settled/" + copy.substr(copy.rfind('/') + 1)));
  project.must({"dismiss", copy});  // again does nothing more
  // Two of one second have one name.
  project.write(copy, "{\"issue\": 1, \"status\": \"again\"}\n");
  project.must({"dismiss", copy});
  EXPECT_TRUE(project.exists(".pawl/refused/settled/" + copy.substr(copy.rfind('/') + 1) + "-2"));
  EXPECT_EQ(project.run({"dismiss", ".pawl/refused/none"}).exit, 3);
  EXPECT_EQ(project.run({"dismiss"}).exit, 2);
  // What would go through may be accepted; then nobody is asked about it either.
  project.must({"issue", "set", "2", "complete"});
  project.edit(2, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "2"});
  ASSERT_EQ(refusals().size(), 1U);
  const std::string advice = string_or(refusals()[0], "advice");
  EXPECT_TRUE(has(advice, "pawl accept ") && has(advice, "pawl dismiss ")) << advice;
  project.must({"accept", string_or(refusals()[0], "ref"), "--reason", "it failed"});
  EXPECT_EQ(project.get(2), "error");
  EXPECT_TRUE(refusals().empty());
  EXPECT_TRUE(has(project.out({"dismiss", "--all"}), "nothing waits"));
}

TEST(BoardOfRefusals, OneThatWasAcceptedIsSoWhereverItsCopyLies) {
  const IssueProject project;
  project.must({"issue", "set", "2", "complete"});
  project.edit(2, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "2"});
  const std::string copy = project.only_kept("refused");
  project.write(".pawl/refused/settled", "in the way");
  const Ran ran = project.run({"accept", copy, "--reason", "it failed"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, copy + " stays where it is: ")) << ran.err;
  EXPECT_EQ(project.get(2), "error");
}

// Two of one file are told apart, each with its reason, in the width of a usual terminal.
TEST(BoardOfRefusals, EachSaysWhatItIsAboutAndWhy) {
  const IssueProject project;
  project.write("prd.json", R"({"project":"p","branchName":"b","userStories":[
  {"id":"US-1","title":"First","acceptanceCriteria":["x"],"priority":1,"status":"pending"},
  {"id":"US-2","title":"Second","acceptanceCriteria":["x"],"priority":2,"status":"pending"}]})");
  project.must({"init"});
  const std::string bytes = project.read("prd.json").value_or("");
  const auto edit = [&](const std::string& from, const std::string& to) {
    project.write("prd.json", replaced(bytes, from, to));
    project.must({"story", "list"});
  };
  edit("\"priority\":1,\"status\":\"pending\"", "\"priority\":1,\"status\":\"merged\"");
  edit("\"priority\":2,\"status\":\"pending\"", "\"priority\":2,\"status\":\"done\"");
  RunOptions options = project.options();
  options.out = RunOptions::Stdout::terminal;
  options.env.insert(options.env.end(), {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"});
  const Ran ran = run_program("sh", {"-c", cat("stty cols 80 <&1 && exec '", PAWL_BINARY, "' status")}, options);
  EXPECT_TRUE(has(ran.out, "! story/US-1  refused  ") && has(ran.out, "is pending and cannot become merged"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "! story/US-2  refused  ") && has(ran.out, "“done” is not a status of a story")) << ran.out;
  for (const std::string_view line : split(ran.out, '\n')) {
    if (line.starts_with("! ")) {
      EXPECT_LE(columns_of(trim(line)), 80U) << line;
    }
  }
}

// Refused in one edit, for two reasons: the first one's is not said of the other.
TEST(BoardOfRefusals, AReasonIsSaidOfThoseWhoseItIs) {
  const IssueProject project;
  const std::string list = R"({"project":"p","branchName":"b","userStories":[
  {"id":"A","title":"First","acceptanceCriteria":["x"],"priority":1,"status":"pending"},
  {"id":"B","title":"Second","acceptanceCriteria":["x"],"priority":2,"status":"pending"},
  {"id":"C","title":"Third","acceptanceCriteria":["x"],"priority":3,"status":"pending"}]})";
  const auto board_after = [&](std::string bytes, const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string before = cat("\"priority\":", i + 1, ",\"status\":\"");
      bytes = replaced(bytes, before + "pending", before + words[i]);
    }
    project.write("prd.json", bytes);
    project.must({"story", "list"});
    const std::string out = project.out({"status"});
    project.must({"dismiss", "--all"});
    return out;
  };
  project.write("prd.json", list);
  project.must({"init"});
  const std::string bytes = project.read("prd.json").value_or("");
  const std::string two = board_after(bytes, {"merged", "zzz", "merged"});
  EXPECT_TRUE(has(two, "! story/A, story/C  refused  ")) << two;
  EXPECT_TRUE(has(two, "is pending and cannot become merged; refused too: story/B  in prd.json")) << two;
  const std::string one = board_after(bytes, {"merged", "merged"});
  EXPECT_TRUE(has(one, "! story/A, story/B  refused  ")) << one;
  EXPECT_TRUE(has(one, "is pending and cannot become merged  in prd.json")) << one;
}

}  // namespace
}  // namespace pawl::test

// `pawl init` after `pawl leave`, when files went on meanwhile: they count as they are, and what pawl knew besides them
// (runs, the log, undo) goes on.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/review_project.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

class ComeBack : public testing::Test {
 protected:
  RunProject project;
};

TEST_F(ComeBack, ARunThatWentOnEndsAsItShould) {
  project.start(1, "echo at work; read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  project.ok({"issue", "set", "2", "complete"});
  ASSERT_TRUE(project.says(1, "at work"));
  const std::string left = project.ok({"leave"});
  EXPECT_TRUE(has(left, "issue/1 is running, and goes on; its watcher with it")) << left;
  project.write(".worktrees/.status/2.json", "{\"issue\": 2, \"status\": \"running\"}\n");
  project.write(".worktrees/.status/3.json", "{\"issue\": 3, \"status\": \"error\", \"error_message\": \"x\"}\n");
  const std::string back = project.ok({"init"});
  EXPECT_TRUE(has(back, "files have changed since; pawl took them as they are")) << back;
  EXPECT_TRUE(has(back, ".worktrees/.status/2.json\n")) << back;
  EXPECT_EQ(project.get(2), "running");
  EXPECT_EQ(project.get(3), "error");
  EXPECT_EQ(project.get(1), "running");
  EXPECT_TRUE(has(project.ok({"issue", "logs", "1"}), "at work"));
  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-1:", "go", "Enter"}).exit, 0);
  EXPECT_EQ(project.end_of(1), "complete");
  EXPECT_TRUE(has(project.ok({"log"}), "issue run")) << project.ok({"log"});
}

// Other tools read the file: the watcher that goes on writes how it ended, whether or not anybody comes back.
TEST_F(ComeBack, ARunThatEndsWhilePawlIsLeftSaysSoInItsFile) {
  project.start(1, "echo at work; read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(1, "at work"));
  const std::vector<pid_t> watchers = project.processes({"issue", "watch", "1"});
  ASSERT_EQ(watchers.size(), 1U);
  project.ok({"leave"});
  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-1:", "go", "Enter"}).exit, 0);
  ASSERT_TRUE(gone(watchers.front()));
  const std::string file = project.read(".worktrees/.status/1.json").value_or("");
  EXPECT_TRUE(has(file, "\"complete\"")) << file;
}

// The watcher has the old database open; a new one takes its place, and knows of no run.
TEST_F(ComeBack, ARunThatEndsAfterTheStoreWasBegunAnewSaysSoInTheNewOne) {
  project.start(1, "echo at work; read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(1, "at work"));
  const std::vector<pid_t> watchers = project.processes({"issue", "watch", "1"});
  ASSERT_EQ(watchers.size(), 1U);
  project.ok({"leave"});
  // Another file by that name, as a disk that was restored would have it: the watcher's own is whole, and nobody's.
  project.write(".pawl/broken", std::string(8192, 'x'));
  std::filesystem::rename(project.file(".pawl/broken"), project.file(".pawl/pawl.db"));
  const std::string back = project.ok({"init"});
  ASSERT_TRUE(has(back, "begins anew with the files")) << back;
  ASSERT_EQ(project.get(1), "running");
  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-1:", "go", "Enter"}).exit, 0);
  EXPECT_EQ(project.end_of(1), "complete");
  ASSERT_TRUE(gone(watchers.front())) << "its work is done";
  const std::string log = project.ok({"log"});
  EXPECT_TRUE(has(log, "running → complete")) << log;
}

TEST_F(ComeBack, LeavingSaysWhoIsStillThere) {
  project.start(1, "echo at work; exec tail -f /dev/null", {"--no-watch"});
  project.start(2, "echo at work; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(1, "at work") && project.says(2, "at work"));
  ASSERT_EQ(project.kill_all({"issue", "watch", "2"}), 1U);
  project.end_server();
  for (const pid_t pid : project.processes({"issue", "record"})) ASSERT_TRUE(gone(pid));
  const std::string none = project.ok({"leave", "--dry-run"});
  EXPECT_FALSE(has(none, "goes on")) << none;
  project.ok({"issue", "set", "1", "error"});
  project.start(3, "echo at work; exec tail -f /dev/null", {"--no-watch"});
  ASSERT_TRUE(project.says(3, "at work"));
  const std::string left = project.ok({"leave"});
  EXPECT_TRUE(has(left, "issue/3 is running, and goes on; nobody watches it")) << left;
  EXPECT_TRUE(has(left, "issue/2 says running, and pawl knows of nobody at work on it")) << left;
}

TEST_F(ComeBack, AfterLeavingPsKnowsTheWatcherAndReconcileSaysThatPawlWasLeft) {
  project.start(1, kWaits);
  const std::string left = project.ok({"leave"});
  EXPECT_TRUE(has(left, "scripts that read `pawl shell bash` can set no status here (exit 3)")) << left;
  const std::string ps = project.ok({"issue", "ps"});
  EXPECT_TRUE(has(ps, "#1") && !has(ps, "(not watched)")) << ps;
  const Ran ran = project.pawl({"issue", "reconcile"});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_TRUE(has(ran.err, "pawl init")) << ran.err;
}

TEST_F(ComeBack, AnUndoneStopIsRunningByItsStatusAlone) {
  project.start(1, "echo at work; exec tail -f /dev/null");
  project.ok({"issue", "set", "1", "complete"});
  const Ran there = project.pawl({"undo"});
  EXPECT_FALSE(has(there.err, "no session")) << there.err;
  // What keeps the output may outlive its session; here it does so until tmux is asked.
  const std::vector<pid_t> recorders = project.processes({"issue", "record", "1"});
  ASSERT_EQ(recorders.size(), 1U);
  ASSERT_EQ(::kill(recorders[0], SIGSTOP), 0);
  project.ok({"issue", "stop", "1"});
  const Ran would =
      project.pawl({"undo", "--dry-run"}, {project.before_tmux("kill -CONT " + std::to_string(recorders[0]))});
  EXPECT_TRUE(has(would.err, "issue 1 would be running again by its status alone")) << would.out << would.err;
  const Ran ran = project.pawl({"undo"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "issue 1 is running again by its status alone: there is no session")) << ran.err;
  EXPECT_TRUE(has(ran.err, "  pawl issue resume 1  # goes on with it\n")) << ran.err;
}

TEST_F(ComeBack, LoopsAndStoriesAreAsTheirFilesSay) {
  project.write("prd.json", R"({"stories":[{"id":"A","title":"a","status":"merged"},)"
                            R"({"id":"B","title":"b","status":"pending"},{"id":"C","title":"c","status":"pending"}]})");
  project.ok({"init"});
  project.ok({"ralph", "start", "--prompt", "work", "--session", "s1"});
  auto loop = *parse_json(project.read(".omc/ralph-state.json").value_or(""));
  project.ok({"ralph", "cancel", "--session", "s1"});
  project.ok({"leave"});
  // Back from merged, done without a check, taken out, and new: none of it by a move.
  const std::string list = R"({"stories":[{"id":"A","title":"a","status":"pending"},)"
                           R"({"id":"B","title":"b","status":"merged"},{"id":"D","title":"d","status":"pushed"}]})";
  project.write("prd.json", list);
  // A cancelled loop that is active again.
  loop["iteration"] = 7;
  project.write(".omc/ralph-state.json", cat(to_line(loop), "\n"));
  const std::string back = project.ok({"init"});
  EXPECT_EQ(project.read("prd.json"), list) << back;
  EXPECT_TRUE(has(project.ok({"story", "show", "A"}), "pending")) << project.ok({"story", "show", "A"});
  EXPECT_TRUE(has(project.ok({"story", "show", "B"}), "merged"));
  EXPECT_TRUE(has(project.ok({"story", "show", "D"}), "pushed"));
  EXPECT_NE(project.pawl({"story", "show", "C"}).exit, 0);
  const std::string shown = project.ok({"ralph", "show", "--json"});
  EXPECT_TRUE(has(shown, "\"status\": \"active\"") && has(shown, "\"iteration\": 7")) << shown;
  EXPECT_EQ(project.read("prd.json"), list);
}

// A list that changed does not say by itself what is missing from it.
TEST_F(ComeBack, WhatAListDoesNotShowAnyMoreIsNamed) {
  const std::string a = R"({"id": "A", "title": "a", "status": "pending"})",
                    b = R"({"id": "B", "title": "b", "status": "pushed"})";
  project.write("prd.json", cat("{\"stories\": [", a, ", ", b, "]}\n"));
  project.ok({"init"});
  project.ok({"leave"});
  project.write("prd.json", cat("{\"stories\": [", a, "]}\n"));
  const std::string back = project.ok({"init"});
  EXPECT_TRUE(has(back, "    story/B    pawl undo ")) << back;
  EXPECT_FALSE(has(back, "story/A")) << back;
  const std::size_t at = back.find("pawl undo ") + 10;
  project.ok({"undo", back.substr(at, back.find(' ', at) - at)});
  EXPECT_TRUE(has(project.read("prd.json").value_or(""), "\"B\""));
}

// The file of a session's loop, in a folder of its own.
TEST_F(ComeBack, ALoopOfASessionIsAsItsFileSays) {
  const std::string path = ".omc/state/sessions/s1/ralph-state.json";
  const std::string active =
      R"({"active": true, "iteration": 2, "max_iterations": 9, "prompt": "p", "session_id": "s1", )"
      R"("started_at": "2026-11-01T10:00:00.000Z"})";
  project.write(path, active);
  project.ok({"init"});
  project.ok({"ralph", "cancel", "--session", "s1"});
  project.ok({"leave"});
  project.write(path, active);
  const Ran back = project.pawl({"init"});
  EXPECT_EQ(back.exit, 0);
  EXPECT_FALSE(has(back.out + back.err, "put back")) << back.out << back.err;
  EXPECT_EQ(project.read(path), active);
  EXPECT_FALSE(std::filesystem::exists(project.file(".pawl/refused")));
  EXPECT_TRUE(has(project.ok({"ralph", "show", "--session", "s1", "--json"}), "\"status\": \"active\""));
}

// Counters only grow by the law, and a list may have changed its dialect: the file stays as it is to the byte.
TEST_F(ComeBack, FilesAreTakenToTheByte) {
  const std::string loop =
      R"({"active": true, "iteration": 5, "max_iterations": 9, "prompt": "p", "session_id": "s1", )"
      R"("started_at": "2026-11-01T10:00:00.000Z"})";
  project.write(".omc/ralph-state.json", loop);
  project.write("prd.json", R"({"stories":[{"id":"A","title":"a","passes":false}]})");
  project.ok({"init"});
  project.ok({"leave"});
  const std::string back_to_one = replaced(loop, "\"iteration\": 5", "\"iteration\": 1");
  const std::string list = R"({"stories":[{"id":"A","title":"a","status":"merged"}]})";
  project.write(".omc/ralph-state.json", back_to_one);
  project.write("prd.json", list);
  project.ok({"init"});
  project.ok({"status"});
  EXPECT_EQ(project.read(".omc/ralph-state.json"), back_to_one);
  EXPECT_EQ(project.read("prd.json"), list);
}

// One that git brought and that cannot be read keeps nobody from coming back.
TEST_F(ComeBack, AFileOfGitsThatCanNotBeReadIsLeft) {
  project.write("prd.json", R"({"stories":[{"id":"A","title":"a","status":"pending"}]})");
  project.git({"add", "prd.json"});
  project.git({"commit", "-q", "-m", "a list"});
  project.ok({"init"});
  project.git({"checkout", "-q", "-b", "other"});
  project.write("prd.json", R"({"stories":[{"id":"A","title":"another","status":"pending"}]})");
  project.git({"commit", "-q", "-a", "-m", "theirs"});
  project.git({"checkout", "-q", "-"});
  project.ok({"status"});
  project.git({"checkout", "-q", "other"});
  project.ok({"status"});
  project.ok({"leave"});
  project.write("prd.json", R"({"stories":[{"id":"A","title":"another","status":"pending"},]})");
  const std::string back = project.ok({"init"});
  EXPECT_TRUE(has(back, "prd.json: git changed it, and it cannot be read")) << back;
  project.ok({"status"});
}

TEST_F(ComeBack, ARemovedFileIsRemovedAndADamagedOneIsLeft) {
  project.ok({"issue", "set", "1", "running"});
  project.ok({"issue", "set", "2", "running"});
  project.ok({"leave"});
  std::filesystem::remove(project.file(".worktrees/.status/1.json"));
  project.write(".worktrees/.status/2.json", "{\"issue\": 2, \"sta");
  const std::string back = project.ok({"init"});
  EXPECT_TRUE(has(back, "left alone: .worktrees/.status/2.json: it cannot be read")) << back;
  EXPECT_EQ(project.read(".worktrees/.status/2.json"), "{\"issue\": 2, \"sta");
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_FALSE(project.read(".worktrees/.status/1.json"));
}

TEST_F(ComeBack, OnlyADatabaseThatCanNotBeReadIsSetAside) {
  project.ok({"issue", "set", "1", "running"});
  project.ok({"leave"});
  project.write(".pawl/pawl.db", std::string(8192, 'x'));
  const std::string back = project.ok({"init"});
  EXPECT_TRUE(has(back, "what it kept cannot be read, so it begins anew with the files")) << back;
  EXPECT_EQ(project.get(1), "running");
}

TEST_F(ComeBack, AWordThatIsNoStatusIsHeldOnce) {
  project.ok({"issue", "set", "1", "running"});
  project.ok({"issue", "set", "3", "running", "--session", "q"});
  project.ok({"leave"});
  const std::string weird = "{\"issue\":3,\"status\":\"weird\",\"session\":\"q\"}\n";
  project.write(".worktrees/.status/3.json", weird);
  const Ran back = project.pawl({"init"});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_TRUE(has(back.out, "    .worktrees/.status/3.json\n")) << back.out;
  EXPECT_TRUE(has(back.out, "held: issue/3")) << back.out;
  EXPECT_FALSE(has(back.out, "left alone")) << back.out;
  const Ran next = project.pawl({"issue", "set", "1", "complete"});
  EXPECT_FALSE(has(next.err, "put back")) << next.err;
  const Ran board = project.pawl({"status"});
  EXPECT_TRUE(has(board.out, "issue/3") && !has(board.out, "refused")) << board.out;
  EXPECT_FALSE(has(board.err, "put back")) << board.err;
  EXPECT_TRUE(project.kept("refused").empty());
  EXPECT_EQ(project.read(".worktrees/.status/3.json"), weird);
}

TEST_F(ComeBack, WhatUndoingARunLeavesBehindIsListed) {
  project.start(1, "echo at work; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(1, "at work"));
  for (const char* const flag : {"--dry-run", "--no-color"}) {
    const Ran ran = project.pawl({"undo", flag});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    for (const std::string& part :
         {std::string("What it did outside stays:"), std::string("the session of issue 1: pi-issue-1"),
          std::string("the worktree of issue 1: "), std::string("the branch of issue 1: "),
          std::string("pawl issue cleanup 1")})
      EXPECT_TRUE(has(ran.out, part)) << part << "\nis not in\n" << ran.out << ran.err;
  }
  EXPECT_TRUE(project.has_session("pi-issue-1"));
}

// As git brings one, with the time of then.
TEST(ComeBackToAReview, AnOlderCopyOfItsFileIsTakenToTheByte) {
  const ReviewProject project;
  project.start();
  project.edit_file(kStateFile, cat("updated: \"", string_or(project.state(), "updated")),
                    "updated: \"2024-01-15T10:45:00Z");
  project.must({"review", "status"});
  const std::string old = project.state_file();
  for (const char* status : {"in-progress", "reviewed"}) project.must({"review", "mark", "1", status});
  ASSERT_NE(project.state_file(), old);
  project.must({"leave"});
  project.write(kStateFile, old);
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "pawl took them as they are") && !has(ran.out, "left alone")) << ran.out;
  EXPECT_EQ(project.state_file(), old);
  EXPECT_EQ(project.chunk(1), "pending");
}

// What was ticked off in the state file meanwhile is no reason to begin a review anew.
TEST(ComeBackToAReview, ItIsTheSameReviewAndItsFindingsKeepTheirNumbers) {
  const ReviewProject project;
  project.start();
  project.add("first thing", "recommended", 3, {"--body", "words"});
  const std::string started = string_or(project.state(), "started");
  project.must({"leave"});
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | reviewed |");
  project.edit_file(kStateFile, "Recommended first thing", "Recommended first thing, in other words");
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "not there any more")) << ran.out;
  const Json list = project.json({"review", "finding", "list"});
  ASSERT_EQ(list.size(), 1U) << list;
  EXPECT_EQ(list[0]["id"], "M1");
  EXPECT_EQ(list[0]["title"], "first thing, in other words");
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_EQ(project.state()["chunks"].size(), 3U);
  EXPECT_EQ(string_or(project.state(), "started"), started);
  // Of the review itself nothing has changed, though its file tells when the last of its parts was.
  EXPECT_FALSE(has(project.out({"log"}), "review/octo/cat#7: active (taken as it stands)")) << project.out({"log"});
}

// What goes by one operation comes back by one undo, which is said once.
TEST(ComeBackToAReview, WhatWentTogetherIsToldTogether) {
  const ReviewProject project;
  project.start();
  project.add("first thing", "recommended", 3);
  project.add("second thing", "recommended", 4);
  project.must({"leave"});
  ASSERT_TRUE(std::filesystem::remove(project.file(kStateFile)));
  const std::string back = project.run({"init"}).out;
  EXPECT_TRUE(has(back, "not there any more\n")) << back;
  const std::size_t once = back.find("pawl undo ");
  ASSERT_NE(once, std::string::npos) << back;
  EXPECT_TRUE(has(back, "  # brings all of them back\n")) << back;
  EXPECT_EQ(back.find("pawl undo ", once + 1), std::string::npos) << back;
}

// The same edit on a day on which pawl was there is one edit, and the todo list follows: so it is here.
TEST(ComeBackToAReview, AChunkThatWentOnInTheStateFileOnlyIsOneEdit) {
  for (const char* const status : {"reviewed", "skipped"}) {
    SCOPED_TRACE(status);
    const ReviewProject project;
    project.start();
    project.must({"review", "mark", "1", "in-progress"});
    project.add("first thing", "recommended", 3);
    const std::string unticked = project.todo();
    project.must({"leave"});
    project.edit_file(kStateFile, "| 120 | in-progress |", cat("| 120 | ", status, " |"));
    const std::string edited = project.state_file();
    const Ran ran = project.run({"init"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_FALSE(has(ran.out, "not there any more")) << ran.out;
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(project.state_file(), edited);
    const Json list = project.json({"review", "finding", "list"});
    ASSERT_EQ(list.size(), 1U) << list;
    EXPECT_EQ(list[0]["id"], "M1");
    EXPECT_EQ(project.chunk(1), status);
    EXPECT_TRUE(has(unticked, "[ ] Chunk 1") && has(project.todo(), "[x] Chunk 1")) << project.todo();
    EXPECT_TRUE(project.kept("refused").empty());
  }
}

TEST(ComeBackToAReview, BothFilesMayHaveGoneOn) {
  for (const bool left : {true, false}) {
    SCOPED_TRACE(left ? "left" : "there");
    const ReviewProject project;
    project.start();
    project.must({"review", "mark", "1", "in-progress"});
    project.add("first thing", "recommended", 3);
    if (left) project.must({"leave"});
    project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | reviewed |");
    project.write(kTodoFile, cat(project.todo(), "- [ ] ask Ada\n"));
    const Ran ran = project.run({left ? "init" : "status"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.err, "") << "an empty box in the list says nothing of a chunk that is over in the other file";
    EXPECT_EQ(project.json({"review", "finding", "list"})[0]["id"], "M1");
    EXPECT_EQ(project.chunk(1), "reviewed");
    EXPECT_TRUE(has(project.todo(), "[x] Chunk 1") && has(project.todo(), "- [ ] ask Ada\n")) << project.todo();
    EXPECT_TRUE(project.kept("refused").empty());
  }
}

// What the todo list alone says is an edit like any other: a tick is taken, and one that is taken away is not.
TEST(ComeBackToAReview, ATickInTheTodoListCountsAsEver) {
  const ReviewProject project;
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.add("first thing", "recommended", 3);
  project.must({"leave"});
  project.edit_file(kTodoFile, "[ ] Chunk 1", "[x] Chunk 1");
  project.must({"init"});
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |")) << project.state_file();
  project.must({"leave"});
  project.edit_file(kTodoFile, "[x] Chunk 1", "[ ] Chunk 1");
  const Ran back = project.run({"init"});
  EXPECT_TRUE(has(back.err, "is reviewed and cannot become pending")) << back.err;
  EXPECT_FALSE(has(back.out, "not there any more")) << back.out;
  EXPECT_FALSE(has(back.out, "took them as they are")) << back.out << "it was put back";
  EXPECT_TRUE(has(back.out, "edits in them went by the rules") && has(back.out, "review-todo.md\n")) << back.out;
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_EQ(project.kept("refused").size(), 1U);
  EXPECT_EQ(project.json({"review", "finding", "list"})[0]["id"], "M1");
}

// An older list that git brought back would take back what the state file says: it is not taken, and not said to be.
TEST(ComeBackToAReview, WhatWasPutBackIsNotCalledTaken) {
  for (const char* const outside : {"restore", "flag"}) {
    SCOPED_TRACE(outside);
    const ReviewProject project;
    const auto git = [&](std::vector<std::string> args) {
      args.insert(args.begin(), {"-c", "user.name=a", "-c", "user.email=a@b"});
      ASSERT_EQ(run_program("git", args, project.options()).exit, 0);
    };
    git({"init", "-q"});
    project.write("pawl.toml", cat("outside = \"", outside, "\"\n"));
    project.start();
    git({"add", "-f", std::string(kTodoFile)});
    git({"commit", "-q", "-m", "one"});
    project.must({"review", "mark", "1", "in-progress"});
    project.must({"review", "mark", "1", "reviewed"});
    git({"commit", "-q", "-a", "-m", "two"});
    project.must({"leave"});
    git({"checkout", "-q", "HEAD~1", "--", std::string(kTodoFile)});
    git({"commit", "-q", "-m", "the first again"});
    const Ran back = project.run({"init"});
    EXPECT_EQ(back.exit, 0) << back.err;
    EXPECT_TRUE(has(back.err, "is reviewed and cannot become pending")) << back.err;
    EXPECT_FALSE(has(back.out, "took them as they are")) << back.out;
    EXPECT_TRUE(has(back.out, "edits in them went by the rules") && has(back.out, "review-todo.md\n")) << back.out;
    EXPECT_EQ(project.chunk(1), "reviewed");
  }
}

// The state file is taken as it is, and the tick after it, as on any day: they are not one moment, and what both show
// has the same name afterwards.
TEST(ComeBackToAReview, BothFilesMayTellOfTheSameChunk) {
  for (const bool both : {true, false}) {
    SCOPED_TRACE(both ? "two ticks" : "one tick");
    const ReviewProject project;
    project.start();
    project.must({"review", "mark", "1", "in-progress"});
    project.add("first thing", "recommended", 3);
    const std::string second = project.state_file().substr(project.state_file().find("| 2 |"));
    const std::string row = second.substr(0, second.find('\n'));
    project.must({"leave"});
    project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | reviewed |");
    project.edit_file(kStateFile, row, replaced(row, "pending", "in-progress"));
    if (both) project.edit_file(kTodoFile, "[ ] Chunk 1", "[x] Chunk 1");
    project.edit_file(kTodoFile, "[ ] Chunk 2", "[x] Chunk 2");
    const Ran ran = project.run({"init"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_FALSE(has(ran.out, "not there any more")) << ran.out;
    EXPECT_EQ(project.json({"review", "finding", "list"})[0]["id"], "M1");
    EXPECT_EQ(project.chunk(1), "reviewed");
    EXPECT_EQ(project.chunk(2), "reviewed");
    EXPECT_FALSE(has(project.run({"log"}).out, "→ absent")) << project.run({"log"}).out;
    EXPECT_TRUE(has(ran.out, "chunk/octo/cat#7/2: in-progress in one, reviewed in the other    pawl undo ")) << ran.out;
    const std::size_t at = ran.out.find("pawl undo ") + 10;
    project.must({"undo", ran.out.substr(at, ran.out.find(' ', at) - at)});
    EXPECT_EQ(project.chunk(2), "in-progress");
    EXPECT_TRUE(has(project.todo(), "[ ] Chunk 2")) << project.todo();
  }
}

// Also where no move leads to what the state file says: the box that nobody touched is not one that was emptied.
TEST(ComeBackToAReview, AnEmptyBoxFollowsWhateverElseIsInTheList) {
  const ReviewProject project;
  project.start();
  project.must({"leave"});
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | reviewed |");
  project.write(kTodoFile, cat(project.todo(), "- [ ] ask Ada\n"));
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_TRUE(has(project.todo(), "[x] Chunk 1") && has(project.todo(), "- [ ] ask Ada\n")) << project.todo();
  EXPECT_TRUE(project.kept("refused").empty());
}

TEST(ComeBackToAReview, ATickThatNoMoveLeadsToIsPutBack) {
  const ReviewProject project;
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.add("first thing", "recommended", 3);
  project.must({"leave"});
  project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | reviewed |");
  project.edit_file(kTodoFile, "[ ] Chunk 3", "[x] Chunk 3");
  const std::string edited = project.state_file();
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "not there any more")) << ran.out;
  EXPECT_TRUE(has(ran.err, "was put back")) << ran.err;
  EXPECT_EQ(project.kept("refused").size(), 1U);
  EXPECT_EQ(project.state_file(), edited);
  EXPECT_EQ(project.chunk(3), "pending");
  EXPECT_EQ(project.json({"review", "finding", "list"})[0]["id"], "M1");
}

// What was looked at is what an approval rests on, wherever somebody was when another head was written.
TEST(ComeBackToAReview, AnotherHeadIsPutBackAndSaid) {
  const ReviewProject project;
  project.start();
  const std::string reviewed = string_or(project.state(), "head_sha");
  ASSERT_FALSE(reviewed.empty());
  const std::string other(reviewed.size(), 'e');
  project.must({"leave"});
  project.edit_file(kStateFile, reviewed, other);
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | reviewed |");  // which no move leads to
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, cat("head_sha became “", other, "”. “", reviewed, "”, which was reviewed, was put back")))
      << ran.err;
  EXPECT_EQ(string_or(project.state(), "head_sha"), reviewed);
  EXPECT_TRUE(has(project.state_file(), reviewed) && !has(project.state_file(), other)) << project.state_file();
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_TRUE(has(project.run({"review", "status"}).err, "only pawl review validate changes it"));
}

// A word that is none in one file, and a tick in the other, which gives it a status: it is not told as held.
TEST(ComeBackToAReview, WhatATickSettlesIsNotToldAsHeld) {
  const ReviewProject project;
  project.start();
  project.must({"leave"});
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | done |");
  project.edit_file(kTodoFile, "[ ] Chunk 1", "[x] Chunk 1");
  const Ran ran = project.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_FALSE(has(ran.out, "held: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "chunk/octo/cat#7/1: held “done” in one, reviewed in the other    pawl undo ")) << ran.out;
}

// Without the file the review would end: nobody is told to move it away.
TEST(ComeBackToAReview, WhatIsAdvisedOfADamagedFileLosesNothing) {
  const ReviewProject project;
  project.start();
  project.add("first thing", "recommended", 3);
  const std::string whole = project.state_file();
  project.must({"leave"});
  project.write(kStateFile, whole.substr(0, whole.find("first thing") + 5));
  const Ran ran = project.run({"init"});
  EXPECT_TRUE(has(ran.out, "left alone: ") && !has(ran.out, "move it away")) << ran.out;
  EXPECT_TRUE(has(ran.out, cat("\n    pawl restore ", kStateFile, "  # does that now\n"))) << ran.out;
  project.must({"restore", std::string(kStateFile)});
  EXPECT_EQ(project.state_file(), whole);
  EXPECT_EQ(project.json({"review", "finding", "list"})[0]["id"], "M1");
}

}  // namespace
}  // namespace pawl::test

// What is said about an issue is so, and what is advised can be done: each advice here is followed.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueAdvice : public testing::Test {
 protected:
  Ran refused(const std::vector<std::string>& args) const {
    Ran ran = project.pawl(args);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  void again_without_title(const std::string& number) const {
    project.ok({"issue", "run", number, "--again", "--", "tail", "-f", "/dev/null"});
  }
  RunProject project;
};

TEST_F(IssueAdvice, ABranchThatStayedIsStillTheOneThatRunMade) {
  const std::string commits =
      "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m own; echo done; exec tail -f /dev/null";
  project.start(141, commits);
  ASSERT_TRUE(project.says(141, "done"));
  EXPECT_TRUE(has(project.ok({"issue", "cleanup", "141", "--force"}), "stays: it is not merged"));
  project.start(141, kWaits);
  EXPECT_TRUE(has(project.ok({"issue", "cleanup", "141", "--force"}), "stays: it is not merged"));
  // One that somebody has made in its place is theirs.
  project.git({"branch", "-D", "feature/issue-141-title-141"});
  project.git({"branch", "feature/issue-141-title-141"});
  project.start(141, kWaits);
  EXPECT_TRUE(has(project.ok({"issue", "cleanup", "141", "--force"}), "was not made by pawl issue run"));
}

TEST_F(IssueAdvice, TheTitleComesBackWithTheStatus) {
  project.start(42, kWaits);
  project.ok({"issue", "stop", "42"});
  project.ok({"issue", "cleanup", "42"});
  const Ran undone = project.pawl({"undo"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_TRUE(has(undone.err, "pawl issue run 42 --again -- AGENT starts anew")) << undone.err;
  again_without_title("42");
  EXPECT_TRUE(fs::exists(project.file(".worktrees/issue-42-title-42")));
}

// A script's session, which pawl watched for a while, has no title; what was cleaned up before it had one.
TEST_F(IssueAdvice, AFormerTitleCountsWhereTheLastRunHadNone) {
  project.start(42, kWaits);
  project.ok({"issue", "stop", "42"});
  project.ok({"issue", "cleanup", "42"});
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "mine", "-c", project.path(), "tail", "-f", "/dev/null"}).exit, 0);
  project.ok({"issue", "set", "42", "running", "--session", "mine"});
  EXPECT_NE(project.pawl({"issue", "watch", "42", "--timeout", "1ms"}).exit, 0);
  ASSERT_EQ(project.tmux({"kill-session", "-t", "=mine"}).exit, 0);
  project.ok({"issue", "reconcile"});
  again_without_title("42");
  EXPECT_TRUE(fs::exists(project.file(".worktrees/issue-42-title-42"))) << project.ok({"issue", "show", "42"});
}

TEST_F(IssueAdvice, AttachAdvisesWhatOpensASession) {
  project.start(91, kWaits);
  project.ok({"issue", "stop", "91"});
  EXPECT_TRUE(has(refused({"issue", "attach", "91"}).err, "pawl issue resume 91  # opens one\n"));
  project.ok({"issue", "set", "91", "complete", "--reason", "it was"});
  const Ran complete = refused({"issue", "attach", "91"});
  EXPECT_TRUE(has(complete.err, "pawl issue run 91 --again -- AGENT")) << complete.err;
  again_without_title("91");
  // Nothing tells what it is called: whoever runs it has to.
  project.ok({"issue", "set", "5", "complete"});
  EXPECT_TRUE(has(refused({"issue", "attach", "5"}).err, "pawl issue run 5 --again --title TITLE"));
  EXPECT_TRUE(has(refused({"issue", "attach", "6"}).err, "pawl issue run 6 --title TITLE -- AGENT  # starts it"));
}

TEST_F(IssueAdvice, WhatIsNextIsWhatWorks) {
  const std::string branch = "feature/issue-1-title-1";
  const std::string says = "echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null";
  const auto next = [&] { return project.ok({"issue", "wait", "1"}); };
  project.start(1, says);
  EXPECT_TRUE(
      has(next(), "  nothing was committed on " + branch + ", and no file is changed\n  pawl issue cleanup 1\n"));
  const std::string worktree = project.worktree(1);
  project.write(".worktrees/issue-1-title-1/a", "a\n");
  EXPECT_TRUE(has(next(), "nothing was committed on " + branch + ": 1 file in .worktrees/issue-1-title-1 is not"))
      << next();
  // Committed, and there is nowhere to push it to.
  project.git({"-C", worktree, "add", "a"});
  project.git({"-C", worktree, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"});
  EXPECT_TRUE(has(next(), "its work is on " + branch + "\n  git merge " + branch + "  # ")) << next();
  EXPECT_FALSE(has(next(), "push")) << next();
  // A remote that is no GitHub takes a push; GitHub a pull request too.
  project.git({"remote", "add", "backup", "/srv/backup.git"});
  EXPECT_TRUE(has(next(), "  git push -u backup " + branch + "\n  pawl issue cleanup 1  # once it is merged\n"))
      << next();
  project.git({"remote", "add", "origin", "https://github.com/octo/cat.git"});
  EXPECT_TRUE(has(next(), "  git push -u origin " + branch + "\n  gh pr create --head " + branch + "\n")) << next();
  const std::string shown = project.ok({"issue", "show", "1"});
  EXPECT_TRUE(has(shown, "Next: its work is on " + branch + "\n    git push -u origin " + branch + "\n")) << shown;
  project.git({"merge", "-q", branch});
  EXPECT_TRUE(has(next(), "its work on " + branch + " is merged\n  pawl issue cleanup 1  # ")) << next();
  project.ok({"issue", "cleanup", "1"});
}

TEST_F(IssueAdvice, TheFilesNameCounts) {
  const std::string rest = R"("status": "complete", "session": "s", "timestamp": "2026-01-30T09:00:00Z"})";
  project.write(".worktrees/.status/201.json", R"({"issue": 200, )" + rest);
  project.write(".worktrees/.status/202.json", "{" + rest);
  EXPECT_TRUE(has(project.ok({"issue", "show", "201"}), "Issue #201: complete"));
  EXPECT_TRUE(has(project.ok({"issue", "show", "202"}), "Issue #202: complete"));
  EXPECT_EQ(Json::parse(project.ok({"issue", "show", "201", "--json"}))["issue"], 201);
  const std::string found = project.pawl({"doctor"}).out;
  EXPECT_TRUE(has(found, ".status/201.json says “issue”: 200; the file's name counts")) << found;
  EXPECT_FALSE(has(found, "202.json says")) << found;
  project.ok({"issue", "set", "201", "complete"});
  EXPECT_FALSE(has(project.pawl({"doctor"}).out, "201.json says"));
}

TEST_F(IssueAdvice, AWrongNumberIsMendedWithNothingLost) {
  const std::string file = ".worktrees/.status/7.json";
  const std::string failed = R"({"issue": 8, "status": "error", "error_message": "it burns"})";
  project.write(file, failed);
  project.write(".worktrees/.status/9.json", R"({"issue": 8, "status": "done"})");
  const std::string found = project.pawl({"doctor"}).out;
  EXPECT_FALSE(has(found, "pawl issue set 7") || has(found, "set 9 unknown")) << found;
  EXPECT_TRUE(has(found, "write 7 there; all else in the file stays")) << found;
  EXPECT_TRUE(
      has(found, "pawl issue set 9 STATUS  # writes it right, and gives it a status: running, complete or error"))
      << found;
  project.write(file, std::string(failed).replace(failed.find('8'), 1, "7"));
  project.ok({"issue", "set", "9", "complete"});
  EXPECT_FALSE(has(project.pawl({"doctor"}).out, "json says"));
  EXPECT_TRUE(has(project.ok({"issue", "show", "7"}), "it burns"));
}

TEST_F(IssueAdvice, ATitleThatNobodyKnowsIsToBeSaid) {
  project.ok({"issue", "set", "42", "error", "--message", "Stopped"});
  EXPECT_TRUE(has(project.ok({"status"}), "    pawl issue run 42 --again --title TITLE -- AGENT  # begins anew\n"))
      << project.ok({"status"});
  EXPECT_TRUE(has(refused({"issue", "resume", "42"}).err, "pawl issue run 42 --again --title TITLE"));
  project.ok({"issue", "run", "42", "--again", "--title", "It", "--", "tail", "-f", "/dev/null"});
}

TEST_F(IssueAdvice, RemoveTellsOfASessionThatGoesOn) {
  project.start(140, kWaits);
  const Ran removed = project.pawl({"issue", "remove", "140"});
  EXPECT_EQ(removed.exit, 0);
  EXPECT_TRUE(has(removed.err, "session pi-issue-140 goes on\n  pawl issue stop 140  # ends it\n")) << removed.err;
  project.ok({"issue", "stop", "140"});
  EXPECT_FALSE(project.has_session("pi-issue-140"));
  // A script's is not pawl's to stop.
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "mine", "-c", project.path(), "tail", "-f", "/dev/null"}).exit, 0);
  project.ok({"issue", "set", "7", "running", "--session", "mine"});
  const Ran theirs = project.pawl({"issue", "remove", "7"});
  EXPECT_TRUE(has(theirs.err, "session mine goes on\n  tmux kill-session -t '=mine'  # ends it\n")) << theirs.err;
  project.ok({"issue", "set", "8", "running"});
  EXPECT_FALSE(has(project.pawl({"issue", "remove", "8"}).err, "goes on"));
}

TEST_F(IssueAdvice, WhatIsAdvisedCanBePasted) {
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "my own", "-c", project.path(), "tail", "-f", "/dev/null"}).exit,
            0);
  project.ok({"issue", "set", "7", "running", "--session", "my own"});
  const Ran removed = project.pawl({"issue", "remove", "7"});
  EXPECT_TRUE(has(removed.err, "tmux kill-session -t '=my own'  # ends it")) << removed.err;
  // A name is not cut, however long.
  const std::string branch = "feature/" + std::string(100, 'b');
  project.ok({"issue", "run", "3", "--title", "T", "--branch", branch, "--", "sh", "-c",
              "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m own; echo '###TASK_COMPLETE_3###'; "
              "exec tail -f /dev/null"});
  const std::string next = project.ok({"issue", "wait", "3"});
  EXPECT_TRUE(has(next, "git merge " + branch + "  # takes it over")) << next;
}

TEST_F(IssueAdvice, OneThatCanNotBeMadeDoesNotHideTheBoard) {
  project.ok({"issue", "set", "5", "error", "--message", "Stopped"});
  fs::rename(project.file(".worktrees"), project.file("../elsewhere"));
  fs::create_symlink(project.file("../elsewhere"), project.file(".worktrees"));
  const Ran board = project.pawl({"status"});
  EXPECT_EQ(board.exit, 0) << board.err;
  EXPECT_TRUE(has(board.out, "issue/5")) << board.out;
}

TEST_F(IssueAdvice, ACommandThatIsNotStartedIsNoSuccess) {
  project.start(84, kWaits);
  const Ran second = project.pawl({"issue", "run", "84", "--title", "T", "--", "true"});
  EXPECT_EQ(second.exit, 1);
  EXPECT_TRUE(has(second.err, "the command was not started")) << second.err;
  project.start(84, kWaits);                                // the same again is what was wanted
  EXPECT_EQ(project.pawl({"issue", "run", "84"}).exit, 0);  // that it runs is all that was asked for
}

TEST_F(IssueAdvice, RemoveTakesADamagedFileAway) {
  project.ok({"issue", "set", "1", "running"});
  std::size_t times = 0;
  for (const char* const bytes : {"", "{\"issue\": 49, \"sta"}) {
    project.write(".worktrees/.status/49.json", bytes);
    const Ran removed = project.pawl({"issue", "remove", "49"});
    EXPECT_EQ(removed.exit, 0) << removed.err;
    EXPECT_TRUE(has(removed.out, "issue 49 is removed")) << removed.out;
    EXPECT_FALSE(fs::exists(project.file(".worktrees/.status/49.json")));
    EXPECT_EQ(project.pawl({"issue", "list"}).err, "");
    // One operation, in which it never had a status; undo makes none up, and puts the file back.
    const Json log = Json::parse(project.ok({"log", "issue/49", "--json"}));
    for (const Json& operation : log) {
      EXPECT_EQ(operation["verb"], "issue remove") << log;
      EXPECT_EQ(operation["events"][0]["to"], "absent") << log;
    }
    EXPECT_EQ(log.size(), ++times);
    EXPECT_TRUE(has(project.ok({"undo", "--dry-run"}), "49.json would come back")) << project.ok({"undo", "--dry-run"});
  }
  // A good one in its place is a status as any.
  project.write(".worktrees/.status/49.json", R"({"issue": 49, "status": "complete"})");
  EXPECT_TRUE(has(project.ok({"issue", "get", "49"}), "complete"));
  std::size_t kept = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project.file(".pawl/damaged")))
    kept += entry.is_regular_file();
  EXPECT_GE(kept, 1U);
  EXPECT_TRUE(has(project.ok({"issue", "remove", "50"}), "issue 50 has no status"));
}

TEST_F(IssueAdvice, TheOptionIsNamedAsItIsTyped) {
  project.ok({"issue", "set", "55", "complete"});
  const Ran set = refused({"issue", "set", "55", "error", "--message", "boo"});
  EXPECT_TRUE(has(set.err, "to become error it needs “--reason”")) << set.err;
  EXPECT_TRUE(has(set.err, "--message says what went wrong; why an end is corrected is said with --reason TEXT"));
  project.ok({"issue", "set", "55", "error", "--message", "boo", "--reason", "it was missed"});
}

// Whoever edited a file typed no command that could have had the option.
TEST_F(IssueAdvice, OfAnEditTheCommandIsNamedThatTakesAReason) {
  project.ok({"issue", "set", "43", "complete"});
  project.edit(43, "\"complete\"", "\"error\"");
  const Ran seen = project.pawl({"status"});
  EXPECT_FALSE(has(seen.err, "say why with")) << seen.err;
  EXPECT_TRUE(has(seen.err, "  to take it over after all: pawl accept .pawl/refused/")) << seen.err;
  EXPECT_TRUE(has(seen.err, " --reason TEXT  # says why")) << seen.err;
}

// Damaged it is there, and is told of as that.
TEST_F(IssueAdvice, AStatusThatCanNotBeReadIsNotMissing) {
  project.ok({"init"});
  project.git({"worktree", "add", "-q", "-b", "x", project.file(".worktrees/issue-43-x")});
  project.ok({"leave"});
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, "the worktree of issue 43 is there, and the issue has no status"));
  project.write(".worktrees/.status/43.json", "{\"issue\": 43,\n");
  const Ran doctor = project.pawl({"doctor"});
  EXPECT_TRUE(has(doctor.out, ".worktrees/.status/43.json: it cannot be read")) << doctor.out;
  EXPECT_FALSE(has(doctor.out, "has no status")) << doctor.out;
}

TEST_F(IssueAdvice, OneThatSaysRunningForDaysNeedsSomebody) {
  project.write(".worktrees/.status/47.json",
                R"({"issue": 47, "status": "running", "session": "pi-issue-47", "timestamp": "2024-01-30T09:00:00Z"})");
  project.ok({"issue", "set", "48", "running"});
  const Json work = Json::parse(project.ok({"status", "--json"}))["work"];
  std::string where;
  for (const Json& row : work) where += row["ref"].get<std::string>() + " " + row["stands"].get<std::string>() + "\n";
  EXPECT_EQ(where, "issue/47 needs_person\nissue/48 running\n") << work.dump(1);
  const std::string board = project.ok({"status"});
  EXPECT_TRUE(has(board, "its session is gone")) << board;
  EXPECT_TRUE(has(board, "    pawl issue reconcile 47  # ends it\n")) << board;
  project.ok({"issue", "reconcile"});
  EXPECT_FALSE(has(project.ok({"status"}), "session is gone"));
}

TEST_F(IssueAdvice, ShowOfAnyKindTellsWhereTheWorkIs) {
  project.start(60, kWaits);
  const std::string shown = project.ok({"show", "issue/60"});
  EXPECT_TRUE(has(shown, "issue/60: running  Title 60")) << shown;
  EXPECT_TRUE(has(shown, "  branch: feature/issue-60-title-60\n  worktree: .worktrees/issue-60-title-60\n")) << shown;
}

// An agent that told of its error may be at its prompt still: the board says so, and what it says to type works.
TEST_F(IssueAdvice, ASessionThatIsStillThereIsNamed) {
  project.start(7, "echo '###TASK_ERROR_7###'; echo bad; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(7), "error: bad");
  // A script's, which pawl has not started.
  project.git({"worktree", "add", "--quiet", "-b", "b8", ".worktrees/issue-8-x"});
  ASSERT_EQ(project
                .tmux({"new-session", "-d", "-s", "pi-issue-8", "-c", project.file(".worktrees/issue-8-x"),
                       "exec tail -f /dev/null"})
                .exit,
            0);
  project.put(
      8,
      R"({"issue":8,"status":"error","session":"pi-issue-8","error_message":"m","timestamp":"2026-01-30T09:00:00Z"})");
  project.put(
      9,
      R"({"issue":9,"status":"error","session":"pi-issue-9","error_message":"m","timestamp":"2026-01-30T09:00:00Z"})");
  const std::string board = project.ok({"status", "--all"});
  EXPECT_TRUE(has(board, "pawl issue attach 7  # its session is still there")) << board;
  EXPECT_TRUE(has(board, "pawl issue attach 8  # its session is still there")) << board;
  EXPECT_FALSE(has(board, "pawl issue run 8 --again")) << board << "\nit would be refused";
  EXPECT_FALSE(has(board, "pawl issue attach 9")) << board;
  // Without a terminal it says so, after it has found the session.
  const Ran attached = project.pawl({"issue", "attach", "8"});
  EXPECT_FALSE(has(attached.err, "no session")) << attached.err;
}

TEST_F(IssueAdvice, WhatGoesOnWithAnotherToolsRunIsWhatWorks) {
  project.git({"worktree", "add", "-q", "-b", "feature/issue-43-x", ".worktrees/issue-43-x"});
  project.put(43,
              R"({"issue": 43, "status": "running", "session": "pi-issue-43", "timestamp": "2026-01-30T09:00:00Z"})");
  project.ok({"init"});
  const Ran ran = refused({"issue", "run", "43", "--", "tail", "-f", "/dev/null"});
  EXPECT_FALSE(has(ran.err, "pawl issue resume 43")) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl issue run 43 --again -- AGENT  # goes on with it")) << ran.err;
  again_without_title("43");
}

}  // namespace
}  // namespace pawl::test

// A run whose command was killed between its session's start and its status: the agent is at work, and everybody who
// looks is told so. And one whose end was taken back while its session lives: it goes on, and somebody watches it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

class IssueCutOff : public testing::Test {
 protected:
  // `pawl issue run`, killed once tmux has started the session.
  void start_and_kill(int number, const std::string& script) const {
    const std::string kill =
        "case \"$*\" in *new-session*) $(tail -n 1 \"$0\" | cut -d' ' -f2) \"$@\"; kill -9 $PPID; exit 0;; esac";
    const Ran ran = project.pawl({"issue", "run", std::to_string(number), "--title", "T", "--", "sh", "-c", script},
                                 {project.before_tmux(kill)});
    ASSERT_NE(ran.exit, 0) << ran.out;
    ASSERT_TRUE(project.has_session("pi-issue-" + std::to_string(number)));
  }
  Json row(int number) const {
    const Json board = Json::parse(project.ok({"status", "--json"}));
    for (const Json& one : board["work"]) {
      if (one["ref"] == "issue/" + std::to_string(number)) return one;
    }
    return Json::object();
  }

  // The same, killed when git is about to make the worktree.
  void start_and_kill_early(int number, const std::vector<std::string>& more = {}) const {
    const std::string folder = project.home() + "/early";
    std::filesystem::create_directories(folder);
    const std::string git = run_program("sh", {"-c", "command -v git | tr -d '\\n'"}).out;
    write_all(folder + "/git",
              "#!/bin/sh\ncase \"$*\" in *worktree\\ add*) kill -9 $PPID; exit 1;; esac\nexec " + git + " \"$@\"\n");
    std::filesystem::permissions(folder + "/git", std::filesystem::perms::owner_all);
    std::vector<std::string> words = {"issue", "run", std::to_string(number), "--title", "T"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "sh", "-c", kReadyAndWaits});
    const Ran ran = project.pawl(words, {"PATH=" + folder + ":" + std::string(getenv("PATH"))});
    ASSERT_NE(ran.exit, 0) << ran.out;
    ASSERT_EQ(project.worktree(number), "");
  }

  RunProject project;
};

TEST_F(IssueCutOff, TheBoardPsAndLogsTellOfTheAgent) {
  start_and_kill(3, kReadyAndWaits);
  while (!has(project.pawl({"issue", "logs", "3"}).out, "ready")) {
  }
  EXPECT_EQ(string_or(row(3), "stands"), "needs_person") << row(3);
  EXPECT_EQ(string_or(row(3), "why"), "its start was cut off, and its agent is at work") << row(3);
  EXPECT_EQ(string_or(row(3), "advice"),
            "pawl issue resume 3  # goes on with it\npawl issue cleanup 3  # takes it away");
  EXPECT_TRUE(has(project.ok({"status", "--line"}), "1 needs you")) << project.ok({"status", "--line"});
  const std::string ps = project.ok({"issue", "ps"});
  EXPECT_TRUE(has(ps, "#3") && has(ps, "(its start was cut off)") && has(ps, "ready")) << ps;
  const Ran doctor = project.pawl({"doctor"});
  EXPECT_TRUE(has(doctor.out, "the start of issue 3 was cut off, and its agent is at work")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "pawl issue resume 3  # goes on with it")) << doctor.out;
  EXPECT_FALSE(has(doctor.out, "pawl log issue/3")) << "there is none\n" << doctor.out;
  project.ok({"issue", "resume", "3"});
  EXPECT_EQ(project.get(3), "running");
  EXPECT_EQ(string_or(row(3), "stands"), "running") << row(3);
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "cut off"));
}

TEST_F(IssueCutOff, WhatItMadeIsPawls) {
  start_and_kill(3, kWaits);
  const std::string leave = project.ok({"leave", "--dry-run"});
  EXPECT_TRUE(has(leave, "a branch that pawl made for issue 3") && has(leave, "the worktree of issue 3")) << leave;
  const std::string cleaned = project.ok({"issue", "cleanup", "3"});
  EXPECT_FALSE(has(cleaned, "it was not made by pawl")) << cleaned;
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "") << cleaned;
  EXPECT_FALSE(project.has_session("pi-issue-3"));
  EXPECT_EQ(string_or(row(3), "stands"), "") << row(3);
}

// After a reboot there is no session to take over: what is advised finds the agent that it was started with.
TEST_F(IssueCutOff, WithoutItsSessionItIsResumed) {
  start_and_kill(3, kReadyAndWaits);
  project.end_server();
  const std::string advice = "pawl issue resume 3  # goes on with it";
  EXPECT_TRUE(has(project.ok({"issue", "reconcile"}), advice)) << project.ok({"issue", "reconcile"});
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, advice)) << project.pawl({"doctor"}).out;
  project.ok({"issue", "resume", "3"});
  EXPECT_EQ(project.get(3), "running");
}

constexpr const char* kBeginOrForget = "pawl issue resume 3  # begins it anew\npawl issue remove 3  # forgets it";

TEST_F(IssueCutOff, BeforeItsWorktreeItIsShownAndLeft) {
  start_and_kill_early(3);
  EXPECT_EQ(string_or(row(3), "stands"), "needs_person") << row(3);
  EXPECT_EQ(string_or(row(3), "why"), "its start was cut off") << row(3);
  EXPECT_EQ(string_or(row(3), "advice"), kBeginOrForget);
  const std::string ps = project.ok({"issue", "ps"});
  EXPECT_TRUE(has(ps, "#3") && has(ps, "(not there: its start was cut off)")) << ps;
  const std::string reconciled = project.ok({"issue", "reconcile"});
  EXPECT_TRUE(has(reconciled,
                  "issue 3: its start was cut off before it had a worktree, and is left\n"
                  "  pawl issue resume 3  # begins it anew\n  pawl issue remove 3  # forgets it\n"))
      << reconciled;
  EXPECT_EQ(string_or(row(3), "stands"), "needs_person") << "it is told until somebody decides\n" << row(3);
  const Ran doctor = project.pawl({"doctor"});
  EXPECT_TRUE(has(doctor.out, "the start of issue 3 was cut off before it had a worktree")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "pawl issue resume 3  # begins it anew")) << doctor.out;
}

TEST_F(IssueCutOff, BeforeItsWorktreeItIsBegunAnewAsItWasTo) {
  project.git({"branch", "other"});
  project.write("later", "on main alone\n");
  project.commit_all("later");
  start_and_kill_early(3, {"--branch", "mine", "--base", "other"});
  const Ran resumed = project.pawl({"issue", "resume", "3"});
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_TRUE(has(resumed.err, "the start of issue 3 was cut off before it had a worktree: it begins anew"))
      << resumed.err;
  EXPECT_EQ(project.get(3), "running");
  EXPECT_TRUE(project.says(3, "ready"));
  EXPECT_EQ(project.git({"rev-parse", "mine"}), project.git({"rev-parse", "other"}));
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "cut off"));
  EXPECT_EQ(string_or(row(3), "stands"), "running") << row(3);
}

TEST_F(IssueCutOff, BeforeItsWorktreeItIsForgotten) {
  start_and_kill_early(3);
  const std::string removed = project.ok({"issue", "remove", "3"});
  EXPECT_EQ(removed, "issue 3 is forgotten: its start was cut off before it had a worktree\n");
  EXPECT_EQ(row(3), Json::object());
  EXPECT_EQ(project.ok({"issue", "ps"}), "no issue is running\n");
  EXPECT_EQ(project.ok({"issue", "reconcile"}), "all fits\n");
  EXPECT_NE(project.pawl({"issue", "resume", "3"}).exit, 0);
}

// With a status of before: what was said last is what goes on.
TEST_F(IssueCutOff, OneThatWasToRunAgainIsBegunAnew) {
  project.ok({"issue", "set", "3", "complete"});
  start_and_kill_early(3, {"--again"});
  EXPECT_EQ(string_or(row(3), "advice"), kBeginOrForget);
  project.ok({"issue", "resume", "3"});
  EXPECT_EQ(project.get(3), "running");
}

// Of one that has made something `remove` leaves what it would take to find that again.
TEST_F(IssueCutOff, WithASessionItIsNotForgotten) {
  start_and_kill(3, kWaits);
  const Ran removed = project.pawl({"issue", "remove", "3"});
  EXPECT_TRUE(has(removed.err, "pawl issue cleanup 3  # takes it away")) << removed.out << removed.err;
  project.ok({"issue", "resume", "3"});
  EXPECT_EQ(project.get(3), "running");
}

class IssueReopened : public IssueCutOff {
 protected:
  // It says that it is complete, and once more when something is written into "go".
  void start_twice(int number) const {
    const std::string go = "'" + project.path() + "/go'";
    const std::string says = "echo '###TASK_COMPLETE_" + std::to_string(number) + "###'; ";
    project.start(number, "mkfifo " + go + "; " + says + "read line <" + go + "; " + says + "echo again; " + kWaits);
  }
};

TEST_F(IssueReopened, AnEndThatIsUndoneIsToldOfAndWatchedAgain) {
  start_twice(7);
  ASSERT_EQ(project.end_of(7), "complete");
  const Ran undone = project.pawl({"undo"});
  EXPECT_TRUE(has(undone.err, "issue 7 is running again, and nobody watches it")) << undone.err;
  Json seen;
  for (int look = 0; look < 10'000 && string_or(seen, "stands") != "needs_person"; ++look) seen = row(7);
  EXPECT_EQ(string_or(seen, "why"), "it runs, and its watcher is gone") << seen;
  const Ran doctor = project.pawl({"doctor"});
  EXPECT_TRUE(has(doctor.out, "issue 7 is running, and its watcher is dead")) << doctor.out;
  EXPECT_TRUE(has(project.ok({"issue", "reconcile"}), "nobody watched it; somebody does"));
  EXPECT_EQ(project.get(7), "running") << "what it said before its end was taken back does not end it again";
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "(not watched)"));
  project.write("go", "go\n");
  EXPECT_EQ(project.end_of(7), "complete");
}

// Its log is followed while its session lives, and no longer than it is running.
TEST_F(IssueReopened, ItsLogIsFollowed) {
  start_twice(7);
  ASSERT_EQ(project.end_of(7), "complete");
  project.ok({"undo"});
  Child follower(PAWL_BINARY, {"issue", "logs", "7", "-f"}, project.with_tmux());
  ASSERT_TRUE(follower.wait_for("TASK_COMPLETE"));
  project.write("go", "go\n");
  EXPECT_TRUE(follower.wait_for("again"));
  project.ok({"issue", "set", "7", "complete"});
  EXPECT_EQ(follower.finish().exit, 0);
}

// What came while nobody watched counts.
TEST_F(IssueReopened, AMarkerThatCameMeanwhileEndsIt) {
  start_twice(7);
  ASSERT_EQ(project.end_of(7), "complete");
  project.ok({"undo"});
  project.write("go", "go\n");
  ASSERT_TRUE(project.says(7, "again"));
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.end_of(7), "complete");
}

}  // namespace
}  // namespace pawl::test

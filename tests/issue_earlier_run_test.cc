// What an earlier run printed never decides a later one: a status that was set running after a run had ended, or by
// somebody else, is not about that run.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/run_project.h"

namespace pawl::test {
namespace {

constexpr const char* kGone = "error: Session unexpectedly terminated";

class EarlierRun : public testing::Test {
 protected:
  // An agent that says this when it is first started, and waits when it is resumed.
  static std::string first_says(const std::string& words) {
    return "if [ -z \"$PAWL_RESUMED\" ]; then printf '" + words + "\\n'; else exec tail -f /dev/null; fi";
  }
  std::string now(int number) const {
    const Json content = project.content(number);
    const std::string message = string_or(content, "error_message");
    return string_or(content, "status") + (message.empty() ? "" : ": " + message);
  }
  void by_script(int number, const std::string& script) const {
    const std::string name = "pi-issue-" + std::to_string(number);
    ASSERT_EQ(project.tmux({"new-session", "-d", "-s", name, "-c", project.path(), "sh", "-c", script}).exit, 0);
    project.ok({"issue", "set", std::to_string(number), "running"});
  }
  void type(int number, const std::string& text) const {
    ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-" + std::to_string(number) + ":", text, "Enter"}).exit, 0);
  }
  // With its last session tmux's server goes, a moment later; who starts another in that moment meets the dying one.
  void end_session(int number) const {
    const Ran sessions = project.tmux({"list-sessions", "-F", "#{pid}"});
    const bool last = std::count(sessions.out.begin(), sessions.out.end(), '\n') == 1;
    ASSERT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-" + std::to_string(number)}).exit, 0);
    if (last) {
      EXPECT_TRUE(gone(std::stoi(sessions.out)));
    }
  }
  RunProject project;
};

TEST_F(EarlierRun, ItsMarkerDoesNotEndWhatIsResumed) {
  project.start(540, first_says("###TASK_COMPLETE_540###"));
  project.start(541, first_says("###TASK_ERROR_541###\\nold trouble"));
  EXPECT_EQ(project.end_of(540), "complete");
  EXPECT_EQ(project.end_of(541), "error: old trouble");
  project.ok({"issue", "set", "540", "running"});
  project.ok({"issue", "set", "541", "running"});
  const Json running = Json::parse(project.ok({"issue", "ps", "--json"}));
  ASSERT_EQ(running.size(), 2U);
  EXPECT_EQ(running[0]["last_line"], "") << "what it said last was said of another";
  const std::string one = project.ok({"issue", "resume", "540"});
  EXPECT_TRUE(has(one, "issue 540 runs in session pi-issue-540")) << one;
  const std::string all = project.ok({"issue", "resume", "--all"});
  EXPECT_TRUE(has(all, "issue 541 runs in session pi-issue-541")) << all;
  EXPECT_EQ(now(540), "running");
  EXPECT_EQ(now(541), "running");
}

// The words before a crash are what the one who goes on needs most.
TEST_F(EarlierRun, WhatItPrintedStaysAfterAResume) {
  project.start(75, first_says("the cause is in parser.c\\nline 88"));
  EXPECT_EQ(project.end_of(75), kGone);
  EXPECT_EQ(project.pawl({"issue", "logs", "75"}).err, "");
  project.ok({"issue", "resume", "75"});
  const Ran now = project.pawl({"issue", "logs", "75"});
  EXPECT_FALSE(has(now.out, "parser.c")) << now.out;
  EXPECT_TRUE(has(now.err, "pawl issue logs 75 --earlier  # shows both")) << now.err;
  EXPECT_EQ(project.ok({"issue", "logs", "75", "--earlier"}), "the cause is in parser.c\nline 88\n");
  EXPECT_EQ(project.ok({"issue", "logs", "75", "--earlier", "--tail", "1"}), "line 88\n");
  // Resumed once more it is still there; run anew it is not.
  project.ok({"issue", "stop", "75"});
  project.ok({"issue", "resume", "75"});
  EXPECT_TRUE(has(project.ok({"issue", "logs", "75", "--earlier"}), "parser.c"));
  project.ok({"issue", "stop", "75"});
  project.ok({"issue", "run", "75", "--again", "--", "sh", "-c", kReadyAndWaits});
  EXPECT_TRUE(project.says(75, "ready"));
  EXPECT_EQ(project.ok({"issue", "logs", "75", "--earlier"}), "ready\n");
}

TEST_F(EarlierRun, ItsMarkerDoesNotEndWhatIsReconciled) {
  project.start(1, "echo '###TASK_COMPLETE_1###'");
  project.start(2, "printf '###TASK_ERROR_2###\\nold trouble\\n'");
  EXPECT_EQ(project.end_of(1), "complete");
  EXPECT_EQ(project.end_of(2), "error: old trouble");
  project.ok({"issue", "set", "1", "running"});
  project.ok({"issue", "set", "2", "running"});
  const std::string done = project.ok({"issue", "reconcile"});
  EXPECT_EQ(now(1), kGone) << done;
  EXPECT_EQ(now(2), kGone) << done;
}

// Nobody had said of the run how it ended: somebody had said it of the status.
TEST_F(EarlierRun, AStatusThatWasAnotherInBetweenIsNotAboutIt) {
  project.start(1, "echo '###TASK_COMPLETE_1###'; echo after; exec tail -f /dev/null", {"--no-watch"});
  EXPECT_TRUE(project.says(1, "after"));
  project.ok({"issue", "set", "1", "error", "--message", "by hand"});
  end_session(1);
  project.ok({"issue", "set", "1", "running"});
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(now(1), kGone);
  // The same where the file says so.
  project.start(2, "echo '###TASK_COMPLETE_2###'; echo after; exec tail -f /dev/null", {"--no-watch"});
  EXPECT_TRUE(project.says(2, "after"));
  project.ok({"issue", "set", "2", "complete"});
  end_session(2);
  project.edit(2, "\"complete\"", "\"running\"");
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(now(2), kGone);
}

TEST_F(EarlierRun, AUsersOwnSessionThatDiedIsNotEndedByTheOneBefore) {
  by_script(7, "read go; echo '###TASK_COMPLETE_7###'; exec tail -f /dev/null");
  project.ok({"issue", "watch", "7", "--detach"});
  type(7, "go");
  EXPECT_EQ(project.end_of(7), "complete");
  end_session(7);
  by_script(7, kWaits);
  end_session(7);
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(now(7), kGone);
}

TEST_F(EarlierRun, WhoeverSaysRunningAfterItsOutputEndedSpeaksOfAnother) {
  project.start(1,
                "[ -n \"$PAWL_RESUMED\" ] || { read go; echo '###TASK_COMPLETE_1###'; exit; }; exec tail -f /dev/null");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  type(1, "go");
  for (const pid_t pid : project.processes({"issue", "record", "1"})) EXPECT_TRUE(gone(pid));
  project.ok({"issue", "set", "1", "running"});
  const std::string resumed = project.ok({"issue", "resume", "1"});
  EXPECT_TRUE(has(resumed, "issue 1 runs in session")) << resumed;
  EXPECT_EQ(now(1), "running");
}

// Said while it runs, it cuts nothing off.
TEST_F(EarlierRun, AScriptThatSaysRunningAgainAndAgainMissesNothing) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; echo after; exec tail -f /dev/null");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  project.ok({"issue", "set", "1", "running"});
  project.ok({"issue", "set", "1", "running"});
  type(1, "go");
  EXPECT_TRUE(project.says(1, "after"));
  project.end_server();
  EXPECT_TRUE(has(project.ok({"issue", "resume", "--all"}), "had ended meanwhile: complete"));
}

}  // namespace
}  // namespace pawl::test

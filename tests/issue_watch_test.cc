// The watcher: what it takes for an end, what it does not, and that nothing is missed when it or others are killed.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueWatch : public testing::Test {
 protected:
  // Exit code and output of a watcher that is given a moment.
  Ran watch(int number, const std::string& timeout = "60s") const {
    return project.pawl({"issue", "watch", std::to_string(number), "--timeout", timeout});
  }
  void type(int number, const std::string& text) const {
    ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-" + std::to_string(number) + ":", text, "Enter"}).exit, 0);
  }
  RunProject project;
};

TEST_F(IssueWatch, KilledWatcherFindsWhatCameMeanwhile) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; echo after; exec tail -f /dev/null");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  type(1, "go");
  EXPECT_TRUE(project.says(1, "after"));
  EXPECT_EQ(project.get(1), "running");
  const Ran ran = watch(1);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  // And what there is to do with it.
  EXPECT_TRUE(ran.out.starts_with("issue 1 is complete\n  nothing was committed on feature/issue-1")) << ran.out;
  EXPECT_TRUE(has(project.pawl({"issue", "show", "1"}).out, "Next: nothing was committed on feature/issue-1"));
}

TEST_F(IssueWatch, ManyBytesWhileNobodyWatches) {
  project.start(1,
                "read go; echo '###TASK_COMPLETE_1###'; head -c 12000000 /dev/zero | tr '\\0' 'x' | fold -w 100; echo; "
                "echo after; exec tail -f /dev/null");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  type(1, "go");
  EXPECT_TRUE(project.says(1, "after"));
  EXPECT_EQ(watch(1).exit, 0);  // the marker itself has left the capped log long ago
  std::uintmax_t kept = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project.file(".pawl/runs"))) {
    if (entry.is_regular_file()) kept += entry.file_size();
  }
  EXPECT_LE(kept, std::uintmax_t{4} << 20U | 0xFFFFU);
}

TEST_F(IssueWatch, WhatWasPrintedBeforeWatchingDoesNotCount) {
  project.start(
      1, "echo '###TASK_COMPLETE_1###'; echo ready; read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null",
      {"--no-watch"});
  EXPECT_TRUE(project.says(1, "ready"));
  EXPECT_TRUE(project.processes({"issue", "watch", "1"}).empty());
  const Ran early = watch(1, "300ms");
  EXPECT_EQ(early.exit, 124) << early.out << early.err;
  EXPECT_EQ(early.out, "issue 1 is still running\n");
  EXPECT_TRUE(has(early.err,
                  "a marker that says complete stood there before issue 1 was watched, and does not count\n"
                  "  pawl issue set 1 complete  # if it is so\n"))
      << early.err;
  type(1, "go");
  EXPECT_EQ(watch(1).exit, 0);
}

TEST_F(IssueWatch, SessionThatAScriptStarted) {
  ASSERT_EQ(project
                .tmux({"new-session", "-d", "-s", "pi-issue-5", "-c", project.path(), "sh", "-c",
                       "echo '###TASK_COMPLETE_5###'; read go; printf '###TASK_ERROR_5###\\nby hand\\n'; exec tail -f "
                       "/dev/null"})
                .exit,
            0);
  project.ok({"issue", "set", "5", "running"});
  ASSERT_EQ(project.tmux({"wait-for", "-S", "x"}).exit, 0);
  Child watcher(PAWL_BINARY, {"issue", "watch", "5"}, project.with_tmux());
  EXPECT_EQ(watch(5, "500ms").exit, 124);
  type(5, "go");
  const Ran ran = watcher.finish();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.out, "issue 5 is error: by hand\n");
}

TEST_F(IssueWatch, WhatStandsOnAScriptsScreenAlreadyIsSaidAndNotCounted) {
  ASSERT_EQ(project
                .tmux({"new-session", "-d", "-s", "pi-issue-45", "-c", project.path(), "sh", "-c",
                       "echo '###TASK_COMPLETE_45###'; exec tail -f /dev/null"})
                .exit,
            0);
  while (!has(project.tmux({"capture-pane", "-p", "-t", "=pi-issue-45:"}).out, "###TASK_COMPLETE_45###")) {
  }
  project.ok({"issue", "set", "45", "running"});
  const Ran detached = project.pawl({"issue", "watch", "45", "--detach"});
  EXPECT_EQ(detached.exit, 0) << detached.err;
  EXPECT_TRUE(has(detached.err, "stood there before issue 45 was watched")) << detached.err;
  EXPECT_TRUE(has(detached.err, "\n  pawl issue set 45 complete  # if it is so\n")) << detached.err;
  EXPECT_EQ(project.get(45), "running");
  project.ok({"issue", "set", "45", "complete"});
  EXPECT_EQ(watch(45).exit, 0);
}

TEST_F(IssueWatch, SignalFilesWinAndAreTakenAway) {
  project.start(1, "exec tail -f /dev/null");
  project.write(".worktrees/.status/signal-error-1", "by file\n");
  EXPECT_EQ(project.end_of(1), "error: by file");
  for (const pid_t pid : project.processes({"issue", "watch", "1"})) EXPECT_TRUE(gone(pid));
  EXPECT_FALSE(project.exists(".worktrees/.status/signal-error-1"));
  project.start(2, "exec tail -f /dev/null");
  project.write(".worktrees/.status/signal-complete-2", "");
  EXPECT_EQ(project.end_of(2), "complete");
  // One of an earlier run does not end the next.
  project.write(".worktrees/.status/signal-complete-2", "");
  project.start(2, "exec tail -f /dev/null", {"--again"});
  EXPECT_EQ(watch(2, "300ms").exit, 124);
  // While nobody watches, with a marker beside it.
  project.start(3, "read go; echo '###TASK_COMPLETE_3###'; echo after; exec tail -f /dev/null");
  project.kill_all({"issue", "watch", "3"});
  type(3, "go");
  EXPECT_TRUE(project.says(3, "after"));
  project.write(".worktrees/.status/signal-error-3", "the file wins");
  EXPECT_EQ(project.end_of(3), "error: the file wins");
}

TEST_F(IssueWatch, ASignalFileGetsItsWordsAMomentLater) {
  project.start(1, "exec tail -f /dev/null");
  project.write(".worktrees/.status/signal-error-1", "");
  EXPECT_EQ(project.pawl({"issue", "wait", "1", "--timeout", "100ms"}).exit, 124);
  project.write(".worktrees/.status/signal-error-1", "by file\n");
  EXPECT_EQ(project.end_of(1), "error: by file");
  project.start(2, "exec tail -f /dev/null");
  project.write(".worktrees/.status/signal-error-2", "");  // and nothing more
  EXPECT_EQ(project.end_of(2), "error: Unknown error");
}

// The session goes while its recorder has still to read what it printed, and while a watcher begins to look.
TEST_F(IssueWatch, ARecorderThatReadsOnIsWaitedFor) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  const auto recorders = project.processes({"issue", "record", "1"});
  ASSERT_EQ(recorders.size(), 1U);
  ::kill(recorders[0], SIGSTOP);
  type(1, "go");
  while (project.has_session("pi-issue-1")) {
  }
  std::string said;
  for (const auto& entry : fs::recursive_directory_iterator(project.file(".pawl/runs"))) {
    if (entry.path().filename() == "said.json") said = entry.path().string();
  }
  // It is seen only once tmux has been asked.
  const std::string moved = project.home() + "/said";
  fs::rename(said, moved);
  const std::string look = project.before_tmux("[ ! -e " + moved + " ] || mv " + moved + " " + said);
  const Ran early = project.pawl({"issue", "watch", "1", "--timeout", "300ms"}, {look});
  EXPECT_EQ(early.exit, 124) << early.out << early.err;
  EXPECT_TRUE(fs::exists(said));
  EXPECT_EQ(project.processes({"issue", "record", "1"}), recorders);
  ::kill(recorders[0], SIGCONT);
  EXPECT_TRUE(watch(1).out.starts_with("issue 1 is complete\n"));
}

TEST_F(IssueWatch, MarkersAsTerminalsShowThem) {
  struct Case {
    std::string script, end;
  };
  const std::vector<Case> cases = {
      {"printf '\\033[1;32m###TASK_\\033[0mCOMPLETE_N###\\033[K\\r\\n'", "complete"},
      {"printf '###TASK_COMP'; read go; printf 'LETE_N###\\n'", "complete"},
      {"printf '###TASK_COMPLETE_N###'", "complete"},  // no newline
      {"printf '```\\n###TASK_COMPLETE_N###\\n```\\n###TASK_ERROR_N###\\nafter the fence\\n'",
       "error: after the fence"},
      {"printf 'I print ###TASK_COMPLETE_N### later\\n> ###TASK_COMPLETE_N###\\n###TASK_ERROR_N###\\nno\\n'",
       "error: no"},
      {"head -c 100000000 /dev/zero | tr '\\0' 'x'; printf '\\n###TASK_COMPLETE_N###\\n'", "complete"},
      {"printf '###TASK_ERROR_N###\\n'", "error: Unknown error"},
      {"printf '\\033[5;5H###TASK_COMPLETE_N###\\033[20;1H'", "complete"},
  };
  int number = 10;
  for (const Case& one : cases) {
    ++number;
    std::string script = one.script;
    for (std::size_t at = script.find("_N#"); at != std::string::npos; at = script.find("_N#", at))
      script.replace(at, 3, "_" + std::to_string(number) + "#");
    project.start(number, script + "; exec tail -f /dev/null");
    if (has(script, "read go")) type(number, "");
    EXPECT_EQ(project.end_of(number), one.end) << script;
  }
}

TEST_F(IssueWatch, APromptThatIsTypedInIsNoEnd) {
  project.start(1, "stty echo; PS1='$ ' exec sh -i");
  type(1, "echo print ###TASK_COMPLETE_1### when you are done");
  EXPECT_TRUE(project.says(1, "print ###TASK"));
  EXPECT_EQ(watch(1, "500ms").exit, 124);
  type(1, "echo '###TASK_COMPLETE_''1###'");
  EXPECT_EQ(project.end_of(1), "complete");
}

TEST_F(IssueWatch, NarrowTerminalWraps) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  ASSERT_EQ(project.tmux({"resize-window", "-t", "=pi-issue-1:", "-x", "10", "-y", "5"}).exit, 0);
  type(1, "go");
  EXPECT_EQ(project.end_of(1), "complete");
}

TEST_F(IssueWatch, RecorderIsReplacedAndItsGapLookedAt) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; tmux wait-for -S done; exec tail -f /dev/null");
  ASSERT_EQ(project.kill_all({"issue", "watch", "1"}), 1U);
  ASSERT_EQ(project.kill_all({"issue", "record", "1"}), 1U);
  type(1, "go");
  ASSERT_EQ(project.tmux({"wait-for", "done"}).exit, 0);  // printed while nobody kept it
  EXPECT_EQ(project.end_of(1), "complete");

  project.start(2, "read go; echo '###TASK_COMPLETE_2###'; exec tail -f /dev/null");
  EXPECT_TRUE(project.processes({"issue", "record", "2"}).size() == 1);
  ASSERT_EQ(project.kill_all({"issue", "record", "2"}), 1U);
  type(2, "go");  // the watcher has another one started, or finds it on the screen
  EXPECT_EQ(project.end_of(2), "complete");
}

TEST_F(IssueWatch, ServerKilledAndResumed) {
  for (int number = 1; number <= 3; ++number)
    project.start(number, "echo \"resumed=$PAWL_RESUMED\"; echo work >>work; exec tail -f /dev/null");
  for (int number = 1; number <= 3; ++number) EXPECT_TRUE(project.says(number, "resumed="));
  // One has nobody who sees it, as after a reboot.
  project.kill_all({"issue", "watch", "3"});
  project.end_server();
  EXPECT_EQ(project.end_of(1), "error: Session unexpectedly terminated");
  EXPECT_EQ(project.end_of(2), "error: Session unexpectedly terminated");
  EXPECT_EQ(project.get(3), "running");
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, "issue 3 is running, as its status says, but it has no session"));

  project.ok({"issue", "resume", "--all"});
  EXPECT_EQ(project.ok({"issue", "list"}), "1\trunning\n2\trunning\n3\trunning\n");
  for (int number = 1; number <= 3; ++number) {
    EXPECT_TRUE(project.says(number, "resumed=1"));
    EXPECT_EQ(project.processes({"issue", "watch", std::to_string(number)}).size(), 1U);
  }
  EXPECT_EQ(read_all(project.worktree(1) + "/work"), "work\nwork\n");
  EXPECT_EQ(project.ok({"issue", "resume", "--all"}), "nothing was cut off\n");
}

// Whoever misses one is told why it is as it is.
TEST_F(IssueWatch, ResumeOfAllSaysWhatItLeavesAndWhy) {
  project.start(1, "echo up; exec tail -f /dev/null");
  project.start(2, "echo up; exit 3");
  project.start(3, "echo up; exec tail -f /dev/null");
  project.start(4, "echo '###TASK_COMPLETE_4###'");
  project.start(5, "echo up; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(2), "error: Session unexpectedly terminated");
  EXPECT_EQ(project.end_of(4), "complete");
  project.ok({"issue", "stop", "3"});
  project.ok({"issue", "stop", "5"});
  project.git({"worktree", "remove", "--force", project.worktree(5)});
  const Ran ran = project.pawl({"issue", "resume", "--all"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "nothing was cut off\n");
  EXPECT_TRUE(has(ran.err, "issue 1 is left as it is: it runs in session pi-issue-1\n")) << ran.err;
  EXPECT_TRUE(
      has(ran.err, "issue 2 is left as it is: error, Session unexpectedly terminated\n  pawl issue resume 2  #"))
      << ran.err;
  EXPECT_TRUE(has(ran.err, "issue 3 is left as it is: error, Stopped\n")) << ran.err;
  EXPECT_FALSE(has(ran.err, "issue 4")) << ran.err;
  EXPECT_TRUE(has(ran.err, "issue 5 is left as it is: error, Stopped\n  pawl issue run 5 --again")) << ran.err;
}

TEST_F(IssueWatch, ResumeOfAllKeepsToTheLimit) {
  for (int number = 1; number <= 3; ++number) project.start(number, "echo up; exec tail -f /dev/null");
  for (int number = 1; number <= 3; ++number) EXPECT_TRUE(project.says(number, "up"));
  project.end_server();
  for (int number = 1; number <= 3; ++number)
    EXPECT_EQ(project.end_of(number), "error: Session unexpectedly terminated");
  project.write("pawl.toml", "[issue]\nmax_concurrent = 2\n");
  const Ran some = project.pawl({"issue", "resume", "--all"});
  EXPECT_EQ(some.exit, 1) << "one could not be resumed";
  EXPECT_TRUE(has(some.out, "issue 3 could not be resumed")) << some.out;
  EXPECT_TRUE(has(some.out, "issue.max_concurrent is 2")) << some.out;
  EXPECT_EQ(project.ok({"issue", "list", "--status", "running"}), "1\trunning\n2\trunning\n");
  project.ok({"issue", "stop", "1"});
  // What a person stopped is not lost: it stays, and 3 has its place.
  EXPECT_EQ(project.pawl({"issue", "resume", "--all"}).exit, 0);
  EXPECT_EQ(project.get(1), "error");
  EXPECT_EQ(project.get(3), "running");
}

TEST_F(IssueWatch, ResumeSaysWhenTheAgentsProgramIsNotThere) {
  const std::string agent = project.home() + "/agent";
  write_all(agent, "#!/bin/sh\nexec tail -f /dev/null\n");
  fs::permissions(agent, fs::perms::owner_all);
  project.ok({"issue", "run", "1", "--title", "T", "--", agent});
  project.ok({"issue", "stop", "1"});
  fs::remove(agent);
  const Ran again = project.pawl({"issue", "resume", "1"});
  EXPECT_EQ(again.exit, 3) << again.out;
  EXPECT_TRUE(has(again.err, "is not there, or cannot be run")) << again.err;
  EXPECT_TRUE(has(again.err, "  pawl issue run 1 --again -- AGENT  # with another agent\n")) << again.err;
  EXPECT_EQ(project.get(1), "error");
  project.ok({"issue", "run", "1", "--again", "--", "tail", "-f", "/dev/null"});
}

TEST_F(IssueWatch, ResumeOfWhatHadEndedSaysSo) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; echo after; exec tail -f /dev/null");
  project.kill_all({"issue", "watch", "1"});
  type(1, "go");
  EXPECT_TRUE(project.says(1, "after"));
  project.end_server();
  EXPECT_TRUE(has(project.ok({"issue", "resume", "--all"}), "had ended meanwhile: complete"));
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_NE(project.pawl({"issue", "resume", "1"}).exit, 0);
}

TEST_F(IssueWatch, WaitForAnyAndAll) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  project.start(2, "exec tail -f /dev/null");
  Child any(PAWL_BINARY, {"issue", "wait", "1", "2", "--any"}, project.with_tmux());
  type(1, "go");
  EXPECT_TRUE(any.finish().out.starts_with("issue 1 is complete\n"));
  EXPECT_EQ(project.pawl({"issue", "wait", "1", "2", "--timeout", "200ms"}).exit, 124);
  project.ok({"issue", "stop", "2"});
  EXPECT_EQ(project.pawl({"issue", "wait", "1", "2"}).exit, 1);
  EXPECT_EQ(project.pawl({"issue", "wait", "9"}).exit, 3);
}

TEST_F(IssueWatch, TwoWatchersAndAStatusSetByHand) {
  project.start(1, "exec tail -f /dev/null");
  Child second(PAWL_BINARY, {"issue", "watch", "1"}, project.with_tmux());
  project.ok({"issue", "set", "1", "complete"});
  EXPECT_EQ(second.finish().exit, 0);
  for (const pid_t pid : project.processes({"issue", "watch", "1"})) EXPECT_TRUE(gone(pid));
  EXPECT_EQ(watch(1).exit, 0);
  EXPECT_EQ(watch(9).exit, 3);
}

}  // namespace
}  // namespace pawl::test

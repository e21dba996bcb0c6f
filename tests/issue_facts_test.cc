// What is known of a run and what its status says are one; what a command that died has left is taken up; and what
// only looks like a run's is not taken for it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/table.h"
#include "runners/issue/end.h"
#include "runners/issue/sight.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueFacts : public testing::Test {
 protected:
  std::unique_ptr<Engine> open() const {
    EngineOptions options;
    options.dir = project.path();
    options.lifecycles = &builtin_lifecycles();
    options.clock = &clock_;
    auto engine = Engine::open(options);
    EXPECT_TRUE(engine) << engine.error().message;
    return std::move(*engine);
  }
  Ran refused(const std::vector<std::string>& args) const {
    Ran ran = project.pawl(args);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  RunProject project;
  SystemClock clock_;
};

TEST_F(IssueFacts, TheEndOfOneRunIsNotThatOfTheNext) {
  project.start(1, kReadyAndWaits);
  const auto engine = open();
  const RunBook book(*engine);
  const auto run = book.find(1);
  ASSERT_TRUE(run && *run);
  Request request;
  request.verb = "issue watch";
  request.actor = "watcher";
  const issue::Verdict verdict{std::string(issue::kComplete), "", "it came", std::string(issue::kComplete)};
  issue::Run earlier = **run;  // in a session of the same name
  earlier.id = "pawl-earlier";
  auto after = conclude(*engine, request, earlier, verdict);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->status, issue::kRunning);
  EXPECT_EQ((*book.find(1))->id, (*run)->id);
  EXPECT_EQ((*book.find(1))->ended, "");
  // What a watcher learns of its own run does not reach another either.
  ASSERT_TRUE(book.amend(earlier, [](issue::Run& one) { one.pane = "%99"; }));
  EXPECT_EQ((*book.find(1))->pane, (*run)->pane);

  issue::Run stale = **run;  // the same run, known from before: what was put down since stays
  stale.branch = "another";
  after = conclude(*engine, request, stale, verdict);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->status, issue::kComplete);
  EXPECT_EQ((*book.find(1))->ended, issue::kComplete);
  EXPECT_EQ((*book.find(1))->branch, (*run)->branch);
}

TEST_F(IssueFacts, ARefusedDecisionKeepsNothing) {
  const auto engine = open();
  Request request;
  const RecordId id = issue::id_of(1, engine->settings());
  Look look;
  look.records.push_back(id);
  issue::Run run;
  run.number = 1;
  run.id = "pawl-one";
  const RunBook book(*engine);
  EXPECT_FALSE(engine->change(request, look, [&](const View&, const Now&) -> Result<Decision> {
    Decision decision;
    book.keep(decision, run);
    return fail(ErrorCode::gate_failed, "no");
  }));
  EXPECT_FALSE(book.find(1)->has_value());
  EXPECT_TRUE(engine->change(request, look, [&](const View&, const Now&) -> Result<Decision> {
    Decision decision;
    book.keep(decision, run);
    return decision;
  }));
  EXPECT_EQ((*book.find(1))->id, "pawl-one");
}

TEST_F(IssueFacts, WhatAStartThatWasCutOffHadNotCopiedIsCopied) {
  project.write("pawl.toml", "[issue]\ncopy_files = [\"one.local\", \"two.local\"]\n");
  project.write("one.local", "1\n");
  project.write("two.local", "2\n");
  const std::vector<std::string> run = {"issue", "run", "1", "--title", "T", "--", "sh", "-c", kReadyAndWaits};
  if (!project.killed_at(SYS_linkat, run)) GTEST_SKIP() << "tracing is not to be had here";
  EXPECT_FALSE(fs::exists(project.worktree(1) + "/one.local"));
  // One of them as if it had been copied in time, and not been put down.
  pawl::test::write_all(project.worktree(1) + "/two.local", "2\n");
  project.ok(run);
  EXPECT_EQ(read_all(project.worktree(1) + "/one.local"), "1\n");
  const std::string cleaned = project.ok({"issue", "cleanup", "1", "--branch"});  // copies are no work
  EXPECT_TRUE(has(cleaned, "branch feature/issue-1-t removed")) << cleaned;
  EXPECT_FALSE(has(project.pawl({"doctor"}).out, "it is not known")) << project.pawl({"doctor"}).out;
}

TEST_F(IssueFacts, AStartThatFailsLeavesNothing) {
  project.write("pawl.toml", "[issue]\ncopy_files = [\"../secret\"]\n");
  EXPECT_TRUE(has(refused({"issue", "run", "1", "--title", "T", "--", "true"}).err, "leads out of the workspace"));
  EXPECT_EQ(project.worktree(1), "");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
  // A folder in place of a file is found only while files are copied.
  project.write("pawl.toml", "[issue]\ncopy_files = [\"dir/file\"]\n");
  project.write("dir/file", "x");
  project.write("dir2", "x");
  project.git({"add", "-f", "dir2"});
  fs::remove_all(project.file("dir"));
  fs::create_symlink("/etc", project.file("dir"));
  refused({"issue", "run", "1", "--title", "T", "--", "true"});
  EXPECT_EQ(project.worktree(1), "");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
}

TEST_F(IssueFacts, ASessionOfTheSameNameIsSomebodyElses) {
  project.start(5, kReadyAndWaits);
  project.ok({"issue", "watch", "5", "--detach"});
  EXPECT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-5"}).exit, 0);
  EXPECT_EQ(project.end_of(5), "error: Session unexpectedly terminated");
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "pi-issue-5", "-c", project.home(), "tail -f /dev/null"}).exit, 0);
  ASSERT_EQ(project.tmux({"set-option", "-t", "=pi-issue-5:", "@pawl_run", "pawl-of-another"}).exit, 0);
  project.ok({"issue", "set", "5", "running", "--session", "pi-issue-5"});
  EXPECT_TRUE(has(project.ok({"issue", "ps"}), "(gone)"));
  EXPECT_TRUE(has(refused({"issue", "run", "5", "--", "true"}).err, "its session is gone"));
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, "it has no session"));
  project.ok({"issue", "stop", "5"});
  EXPECT_TRUE(project.has_session("pi-issue-5"));
}

TEST_F(IssueFacts, ARunAfterRemoveDoesNotTakeTheOldSession) {
  project.start(5, kReadyAndWaits);
  project.ok({"issue", "remove", "5"});
  const std::vector<std::string> other = {"issue", "run", "5", "--", "sh", "-c", "echo other; exec tail -f /dev/null"};
  EXPECT_TRUE(has(refused(other).err, "is still at work"));
  EXPECT_EQ(project.get(5), "unknown");
  project.ok({"issue", "stop", "5"});
  EXPECT_FALSE(project.has_session("pi-issue-5"));
  project.ok(other);
  EXPECT_TRUE(project.says(5, "other"));
}

TEST_F(IssueFacts, AnErrorThatGoesOnIsWatchedAgain) {
  project.start(5,
                "printf '###TASK_ERROR_5###\\nwait\\n'; read go; echo '###TASK_COMPLETE_5###'; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(5), "error: wait");
  project.ok({"issue", "set", "5", "running"});
  project.ok({"issue", "watch", "5", "--detach"});
  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-5:", "go", "Enter"}).exit, 0);
  EXPECT_EQ(project.end_of(5), "complete");
}

TEST_F(IssueFacts, ABaseFolderThatIsALink) {
  fs::create_directories(project.file("trees"));
  fs::create_directory_symlink("trees", project.file(".worktrees"));
  project.write(".gitignore", ".worktrees\ntrees\n.pawl\n");
  project.commit_all("trees");
  project.start(1, kReadyAndWaits);
  project.end_server();
  project.ok({"issue", "resume", "--all"});
  EXPECT_EQ(project.get(1), "running");
  project.ok({"issue", "stop", "1"});
  project.ok({"issue", "run", "1", "--again", "--", "sh", "-c", kReadyAndWaits});
  EXPECT_EQ(project.pawl({"doctor"}).exit, 0) << project.pawl({"doctor"}).out;
  const std::string cleaned = project.ok({"issue", "cleanup", "1"});
  EXPECT_TRUE(has(cleaned, "worktree")) << cleaned;
  EXPECT_EQ(project.worktree(1), "");
}

TEST_F(IssueFacts, ATmuxThatStandsStillIsNotWaitedFor) {
  project.start(1, kReadyAndWaits);
  const Ran pid = project.tmux({"display-message", "-p", "#{pid}"});
  const auto server = parse_positive(trim(pid.out));
  ASSERT_TRUE(server) << pid.out;
  ::kill(static_cast<pid_t>(*server), SIGSTOP);
  const auto began = std::chrono::steady_clock::now();
  const Ran ps = project.pawl({"issue", "ps"});
  const auto took = std::chrono::steady_clock::now() - began;
  const Ran doctor = project.pawl({"doctor"});
  ::kill(static_cast<pid_t>(*server), SIGCONT);
  EXPECT_EQ(ps.exit, 0);
  EXPECT_TRUE(has(ps.out, "(tmux does not answer)")) << ps.out;
  EXPECT_TRUE(has(ps.err, "did not answer in 2 s")) << ps.err;
  EXPECT_LT(took, std::chrono::seconds(15));
  EXPECT_TRUE(has(doctor.out, "did not answer")) << doctor.out;
  EXPECT_EQ(project.get(1), "running");
}

// A cleaner of /tmp takes the socket away, and the agent works on.
TEST_F(IssueFacts, ASessionThatTmuxCanNotReachIsNotDoubled) {
  project.start(1, kReadyAndWaits);
  const auto server = parse_positive(trim(project.tmux({"display-message", "-p", "#{pid}"}).out));
  ASSERT_TRUE(server);
  fs::remove(project.home() + "/tmux/tmux-" + std::to_string(getuid()) + "/default");
  for (const std::vector<std::string>& args : {std::vector<std::string>{"issue", "resume", "1"},
                                               {"issue", "stop", "1"},
                                               {"issue", "cleanup", "1", "--force"}}) {
    const Ran ran = refused(args);
    EXPECT_TRUE(has(ran.err, "still at work")) << args[1] << ": " << ran.err;
    EXPECT_TRUE(has(ran.err, "kill -USR1 " + std::to_string(*server))) << ran.err;
  }
  EXPECT_EQ(project.get(1), "running");
  EXPECT_NE(project.worktree(1), "");
  ::kill(static_cast<pid_t>(*server), SIGUSR1);
  while (!project.has_session("pi-issue-1")) {
  }
  project.ok({"issue", "stop", "1"});
}

TEST_F(IssueFacts, ACopiedProjectDoesNotWorkInTheFirstOnes) {
  project.start(1, kReadyAndWaits);
  project.end_server();
  EXPECT_EQ(project.end_of(1), "error: Session unexpectedly terminated");
  fs::copy(project.path(), project.path() + "-copy", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  const Ran ran = refused({"-C", project.path() + "-copy", "issue", "resume", "1"});
  EXPECT_TRUE(has(ran.err, "is not the worktree that git has there")) << ran.err;
  EXPECT_FALSE(project.has_session("pi-issue-1"));
  fs::remove_all(project.path() + "-copy");
}

TEST_F(IssueFacts, AHookThatRefusesTheWorktreeLeavesNothing) {
  project.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 3\n");
  fs::permissions(project.file(".git/hooks/post-checkout"), fs::perms::owner_all);
  const Ran ran = refused({"issue", "run", "1", "--title", "T", "--", "true"});
  EXPECT_TRUE(has(ran.err, "post-checkout")) << ran.err;
  EXPECT_EQ(project.worktree(1), "");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
  fs::remove(project.file(".git/hooks/post-checkout"));
  project.start(1, kReadyAndWaits);
}

TEST_F(IssueFacts, TheFolderOfTheRunsIsNoLink) {
  project.ok({"issue", "set", "9", "error", "--message", "x"});
  fs::create_directories(project.home() + "/elsewhere/5-precious");
  fs::create_directory_symlink(project.home() + "/elsewhere", project.file(".pawl/runs"));
  refused({"issue", "run", "5", "--title", "T", "--", "true"});
  refused({"issue", "cleanup", "9"});
  EXPECT_TRUE(fs::exists(project.home() + "/elsewhere/5-precious"));
  fs::remove(project.file(".pawl/runs"));
}

TEST_F(IssueFacts, APromptThatIsTooLongForTmux) {
  const Ran ran = project.pawl({"issue", "run", "1", "--title", "T", "--", "echo", "{prompt}"},
                               {"PAWL_ISSUE_PROMPT=" + std::string(20'000, 'a')});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(has(ran.err, "{prompt_file}")) << ran.err;
  EXPECT_EQ(project.worktree(1), "");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
}

TEST_F(IssueFacts, TitlesReachTheAgentAndNoShell) {
  const Ran ran = refused({"issue", "run", "1", "--title", "$(touch x)", "--", "sh", "-c", "echo {title}"});
  EXPECT_EQ(ran.exit, 2) << ran.err;
  EXPECT_TRUE(has(ran.err, "\"$PAWL_TITLE\"")) << ran.err;
  EXPECT_EQ(project.worktree(1), "");
  project.ok({"issue", "run", "1", "--title", "a $(touch x)'", "--", "sh", "-c",
              "echo \"[$PAWL_TITLE|$PAWL_BRANCH|$PAWL_WORKTREE]\" >out; echo ready; exec tail -f /dev/null"});
  EXPECT_TRUE(project.says(1, "ready"));
  EXPECT_EQ(read_all(project.worktree(1) + "/out"),
            "[a $(touch x)'|feature/issue-1-a-touch-x|" + project.worktree(1) + "]\n");
}

}  // namespace
}  // namespace pawl::test

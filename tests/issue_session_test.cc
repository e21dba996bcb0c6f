// Whose session it is: a run's own is known by its id, whatever a status calls it; those of other projects, of copies
// and of scripts are told apart; what is lost is taken up, and nothing is started twice.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueSession : public testing::Test {
 protected:
  Ran refused(const std::vector<std::string>& args) const {
    Ran ran = project.pawl(args);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  void by_script(int number, const std::string& folder, const std::string& script = kWaits) const {
    ASSERT_EQ(
        project
            .tmux({"new-session", "-d", "-s", "pi-issue-" + std::to_string(number), "-c", folder, "sh", "-c", script})
            .exit,
        0);
  }
  void type(int number, const std::string& text) const {
    ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-" + std::to_string(number) + ":", text, "Enter"}).exit, 0);
  }
  std::string pane_pid(int number) const {
    return project.tmux({"display-message", "-p", "-t", "=pi-issue-" + std::to_string(number) + ":", "#{pane_pid}"})
        .out;
  }
  RunProject project;
};

TEST_F(IssueSession, AWordInTheStatusDoesNotCutARunOff) {
  project.start(5, "echo early; read go; echo '###TASK_COMPLETE_5###'; exec tail -f /dev/null");
  EXPECT_TRUE(project.says(5, "early"));
  project.ok({"issue", "set", "5", "running", "--session", "other"});
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "(gone)"));
  EXPECT_EQ(project.pawl({"doctor"}).exit, 0) << project.pawl({"doctor"}).out;
  project.kill_all({"issue", "watch", "5"});
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.get(5), "running");
  type(5, "go");
  EXPECT_EQ(project.end_of(5), "complete");
  EXPECT_TRUE(has(project.ok({"issue", "logs", "5"}), "early"));
}

TEST_F(IssueSession, AStartThatFailsEndsOnlyItsOwn) {
  by_script(42, project.path());
  refused({"issue", "run", "42", "--title", "T", "--", "echo", std::string(20'000, 'x')});
  refused({"issue", "run", "42", "--title", "T", "--", "true"});
  EXPECT_TRUE(project.has_session("pi-issue-42"));
}

TEST_F(IssueSession, StaleLeavesAScriptsSessionAlone) {
  by_script(7, project.path());
  project.ok({"issue", "set", "7", "running"});
  const std::string file = project.file(".worktrees/.status/7.json");
  Json status = Json::parse(read_all(file).value_or(""));
  status["timestamp"] = "2024-01-01T00:00:00Z";
  write_all(file, status.dump(2));
  EXPECT_EQ(project.ok({"issue", "cleanup", "--stale", "1"}), "there is nothing to clean up\n");
  EXPECT_TRUE(project.has_session("pi-issue-7"));
  // stop ends it, as it is this project's, and says so.
  EXPECT_TRUE(has(project.ok({"issue", "stop", "7"}), "session pi-issue-7 ended"));
  EXPECT_FALSE(project.has_session("pi-issue-7"));
}

TEST_F(IssueSession, AnotherProjectsSessionIsNotShownAndNotEnded) {
  by_script(9, project.home());
  EXPECT_EQ(refused({"issue", "attach", "9"}).exit, 3);
  project.ok({"issue", "set", "9", "running"});
  EXPECT_EQ(refused({"issue", "attach", "9"}).exit, 3);
  EXPECT_TRUE(has(project.ok({"issue", "stop", "9"}), "had no session"));
  EXPECT_TRUE(project.has_session("pi-issue-9"));
}

TEST_F(IssueSession, AFolderThatAScriptsSessionBeganInIsNoWorktree) {
  by_script(5, project.path());
  project.ok({"issue", "set", "5", "running"});
  EXPECT_EQ(project.pawl({"issue", "watch", "5", "--timeout", "1ms"}).exit, 124);
  project.ok({"issue", "cleanup", "5"});
  EXPECT_FALSE(project.has_session("pi-issue-5"));
  EXPECT_TRUE(project.exists("README"));
}

// The recorder knows what the screen repeats; so must whoever looks at the screen in its place.
TEST_F(IssueSession, AKilledRecorderDoesNotMakeThePromptAMarker) {
  project.write("pawl.toml",
                "[issue]\nprompt = \"Work. At the end print\\n\\n###TASK_COMPLETE_{number}###\\n\"\n"
                "agent = [\"sh\", \"-c\", \"cat \\\"$1\\\"; echo shown; exec tail -f /dev/null\", \"x\", "
                "\"{prompt_file}\"]\n");
  project.ok({"trust"});
  project.ok({"issue", "run", "1", "--title", "T"});
  EXPECT_TRUE(project.says(1, "shown"));
  EXPECT_EQ(project.get(1), "running");
  ASSERT_EQ(project.kill_all({"issue", "record", "1"}), 1U);
  while (project.processes({"issue", "record", "1"}).empty()) {
  }
  EXPECT_EQ(project.pawl({"issue", "wait", "1", "--timeout", "400ms"}).exit, 124);
}

TEST_F(IssueSession, ResumeEndsTheAgentThatToldOfAnErrorAndStayed) {
  project.start(1, "printf '###TASK_ERROR_1###\\nno\\n'; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(1), "error: no");
  const std::string before = pane_pid(1);
  project.ok({"issue", "resume", "1"});
  EXPECT_NE(pane_pid(1), before);
  EXPECT_TRUE(gone(static_cast<pid_t>(std::stol(before))));
}

TEST_F(IssueSession, AfterTheStoreIsLostItsSessionsAreStillThisProjects) {
  project.start(2, kWaits);
  project.kill_all({"issue", "watch", "2"});
  fs::remove_all(project.file(".pawl"));
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "(gone)"));
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.get(2), "running");
  const std::string cleaned = project.ok({"issue", "cleanup", "2"});
  EXPECT_TRUE(has(cleaned, "session pi-issue-2 ended")) << cleaned;
  EXPECT_FALSE(project.has_session("pi-issue-2"));
}

TEST_F(IssueSession, ACopyLeavesTheFirstOnesAgentAlone) {
  project.start(1, kWaits);
  const std::string copy = project.path() + "-copy";
  fs::copy(project.path(), copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"stop", "1"}, {"cleanup", "1", "--force"}, {"reconcile"}}) {
    std::vector<std::string> args = {"-C", copy, "issue"};
    args.insert(args.end(), words.begin(), words.end());
    static_cast<void>(project.pawl(args));
  }
  EXPECT_TRUE(project.has_session("pi-issue-1"));
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.processes({"issue", "watch", "1"}).size(), 1U);
  fs::remove_all(copy);
}

TEST_F(IssueSession, AMovedProjectKeepsItsSessions) {
  project.start(1, kWaits);
  project.kill_all({"issue", "watch", "1"});
  const std::string moved = project.path() + "-moved";
  fs::rename(project.path(), moved);
  RunOptions there = project.with_tmux();
  there.cwd = moved;
  const Ran ps = run_pawl({"issue", "ps"}, there);
  EXPECT_TRUE(has(ps.out, "pi-issue-1") && !has(ps.out, "(gone)")) << ps.out << ps.err;
  fs::rename(moved, project.path());
}

TEST_F(IssueSession, FromInsideItIsNotEnded) {
  project.start(1, std::string(PAWL_BINARY) + " issue stop 1; echo stop=$?; " + PAWL_BINARY +
                       " issue cleanup 1 --force; echo cleanup=$?; exec tail -f /dev/null");
  EXPECT_TRUE(project.says(1, "cleanup=4"));
  EXPECT_TRUE(has(project.ok({"issue", "logs", "1"}), "stop=4"));
  EXPECT_EQ(project.get(1), "running");
}

TEST_F(IssueSession, WaitGoesOnWithoutOneThatIsCleanedUp) {
  project.start(1, "read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  project.start(2, kWaits);
  Child waiter(PAWL_BINARY, {"issue", "wait", "1", "2"}, project.with_tmux());
  project.ok({"issue", "cleanup", "2"});
  type(1, "go");
  const Ran ran = waiter.finish();
  EXPECT_TRUE(has(ran.out, "issue 1 is complete")) << ran.out << ran.err;
}

TEST_F(IssueSession, WaitHasAScriptsSessionWatched) {
  by_script(7, project.path(), "read go; echo '###TASK_COMPLETE_7###'; exec tail -f /dev/null");
  project.ok({"issue", "set", "7", "running"});
  Child waiter(PAWL_BINARY, {"issue", "wait", "7", "--timeout", "60s"}, project.with_tmux());
  while (project.processes({"issue", "record", "7"}).empty()) {
  }
  type(7, "go");
  EXPECT_EQ(waiter.finish().out, "issue 7 is complete\n");
}

TEST_F(IssueSession, AFolderThatGitDoesNotIgnoreIsSaid) {
  project.write(".gitignore", ".pawl\n");
  project.commit_all("ignore less");
  const Ran ran = project.pawl({"issue", "run", "1", "--title", "T", "--", "sh", "-c", kWaits});
  EXPECT_TRUE(has(ran.err, "git does not ignore .worktrees")) << ran.err;
}

}  // namespace
}  // namespace pawl::test

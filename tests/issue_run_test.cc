// `pawl issue run` and its kin with real git and real tmux: agents that complete, fail, are killed and come back.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComplete1 = "echo working; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null";

class IssueRuns : public testing::Test {
 protected:
  Json json(std::vector<std::string> args) const {
    args.emplace_back("--json");
    return Json::parse(project.ok(args), nullptr, false);
  }
  Ran refused(const std::vector<std::string>& args, const std::vector<std::string>& env = {}) const {
    Ran ran = project.pawl(args, env);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  RunProject project;
};

TEST_F(IssueRuns, ThreeSideBySide) {
  project.start(1, "echo working; read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  project.start(2, "read go; printf '###TASK_ERROR_2###\\nテストが失敗しました\\n'; exec tail -f /dev/null");
  project.start(3, "echo three; exec tail -f /dev/null");
  EXPECT_EQ(project.ok({"issue", "list"}), "1\trunning\n2\trunning\n3\trunning\n");
  EXPECT_TRUE(project.says(1, "working"));
  const Json running = json({"issue", "ps"});
  ASSERT_EQ(running.size(), 3U);
  EXPECT_EQ(running[0]["session"], "pi-issue-1");
  EXPECT_EQ(running[0]["session_alive"], true);
  EXPECT_EQ(running[0]["last_line"], "working");
  EXPECT_EQ(running[0]["worktree"], project.file(".worktrees/issue-1-title-1"));

  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-1:", "go", "Enter"}).exit, 0);
  ASSERT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-2:", "go", "Enter"}).exit, 0);
  ASSERT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-3"}).exit, 0);
  EXPECT_EQ(project.end_of(1), "complete");
  EXPECT_EQ(project.end_of(2), "error: テストが失敗しました");
  EXPECT_EQ(project.end_of(3), "error: Session unexpectedly terminated");

  EXPECT_EQ(project.ok({"issue", "list"}), "1\tcomplete\n2\terror\n3\terror\n");
  EXPECT_TRUE(has(project.ok({"issue", "show", "2"}), "Error: テストが失敗しました"));
  EXPECT_EQ(project.content(2)["error_message"], "テストが失敗しました");
  EXPECT_EQ(project.content(2)["session"], "pi-issue-2");
  EXPECT_EQ(project.content(3)["error_message"], "Session unexpectedly terminated");
  EXPECT_FALSE(project.content(1).contains("error_message"));
  EXPECT_EQ(project.ok({"issue", "ps"}), "no issue is running\n");
}

TEST_F(IssueRuns, RunMakesWhatTheSeedNames) {
  project.write(".env", "SECRET=1\n");
  project.ok({"issue", "run", "42", "--title", "Fix: Login!! page", "--", "sh", "-c", "pwd; exec tail -f /dev/null"});
  const std::string worktree = project.file(".worktrees/issue-42-fix-login-page");
  EXPECT_EQ(read_all(worktree + "/README"), "a project\n");
  EXPECT_EQ(read_all(worktree + "/.env"), "SECRET=1\n");
  EXPECT_EQ(project.git({"-C", worktree, "symbolic-ref", "--short", "HEAD"}), "feature/issue-42-fix-login-page\n");
  EXPECT_TRUE(project.has_session("pi-issue-42"));
  EXPECT_TRUE(project.says(42, worktree));
  EXPECT_EQ(project.content(42)["status"], "running");
}

TEST_F(IssueRuns, TitlesWithNothingLeft) {
  project.ok({"issue", "run", "7", "--title", "ログイン画面を直す", "--", "tail", "-f", "/dev/null"});
  EXPECT_TRUE(fs::exists(project.file(".worktrees/issue-7")));
  project.ok({"issue", "run", "8", "--title", "?!…", "--", "tail", "-f", "/dev/null"});
  EXPECT_EQ(project.git({"-C", project.file(".worktrees/issue-8"), "symbolic-ref", "--short", "HEAD"}),
            "feature/issue-8\n");
}

TEST_F(IssueRuns, RunAgainSaysSoOrAsks) {
  project.start(1, "exec tail -f /dev/null");
  EXPECT_TRUE(has(project.ok({"issue", "run", "1", "--title", "T"}), "running already, in session pi-issue-1"));
  EXPECT_EQ(project.processes({"issue", "watch", "1"}).size(), 1U);
  project.ok({"issue", "stop", "1"});
  EXPECT_FALSE(project.has_session("pi-issue-1"));
  EXPECT_EQ(project.content(1)["error_message"], "Stopped");
  const Ran asked = refused({"issue", "run", "1", "--title", "T"});
  EXPECT_TRUE(has(asked.err, "--again")) << asked.err;
  project.start(1, kComplete1, {"--again"});
  EXPECT_EQ(project.end_of(1), "complete");
  // The session of what has ended is still there; once more takes its place.
  EXPECT_TRUE(project.has_session("pi-issue-1"));
  project.start(1, "echo third; exec tail -f /dev/null", {"--again"});
  EXPECT_TRUE(project.says(1, "third"));
  EXPECT_EQ(project.get(1), "running");
}

TEST_F(IssueRuns, BranchAndBase) {
  project.git({"branch", "elsewhere"});
  project.write("second", "2\n");
  project.commit_all("two");
  project.start(1, "exec tail -f /dev/null", {"--base", "elsewhere", "--branch", "mine"});
  EXPECT_EQ(project.git({"-C", project.worktree(1), "symbolic-ref", "--short", "HEAD"}), "mine\n");
  EXPECT_FALSE(fs::exists(project.worktree(1) + "/second"));
  const Ran none = refused({"issue", "run", "2", "--title", "T", "--base", "nowhere", "--", "true"});
  EXPECT_TRUE(has(none.err, "“nowhere” names no commit")) << none.err;
  EXPECT_EQ(project.get(2), "unknown");
  const Ran option = refused({"issue", "run", "2", "--title", "T", "--base=--help", "--", "true"});
  EXPECT_TRUE(has(option.err, "names no commit")) << option.err;
}

TEST_F(IssueRuns, SomethingElseInTheWay) {
  project.write(".worktrees/issue-1-title-1/precious", "mine\n");
  const Ran ran = refused({"issue", "run", "1", "--title", "Title 1", "--", "true"});
  EXPECT_TRUE(has(ran.err, "is in the way")) << ran.err;
  // It is found by its number, whatever the issue is called.
  EXPECT_FALSE(has(ran.err, "another title")) << ran.err;
  EXPECT_TRUE(has(refused({"issue", "run", "1", "--title", "Another", "--", "true"}).err, "is in the way"));
  EXPECT_EQ(project.read(".worktrees/issue-1-title-1/precious"), "mine\n");
  project.git({"worktree", "add", "-q", "-b", "feature/issue-2-title-2", project.file("../other")});
  const Ran branch = refused({"issue", "run", "2", "--title", "Title 2", "--", "true"});
  EXPECT_TRUE(has(branch.err, "is checked out in")) << branch.err;
  EXPECT_EQ(project.get(2), "unknown");
  EXPECT_EQ(refused({"issue", "run", "0", "--title", "T"}).exit, 2);
  EXPECT_EQ(refused({"issue", "run", "abc", "--title", "T"}).exit, 2);
}

TEST_F(IssueRuns, WithoutTmux) {
  fs::create_directories(project.home() + "/bin");
  for (const char* tool : {"git", "sh"})
    fs::create_symlink(run_program("sh", {"-c", std::string("command -v ") + tool + " | tr -d '\\n'"}).out,
                       project.home() + "/bin/" + tool);
  const Ran ran = refused({"issue", "run", "1", "--title", "T", "--", "true"}, {"PATH=" + project.home() + "/bin"});
  EXPECT_TRUE(has(ran.err, "install tmux")) << ran.err;
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_FALSE(project.exists(".worktrees/issue-1-t"));
}

TEST_F(IssueRuns, OutsideOfGit) {
  TempWorkspace outside;
  fs::remove_all(outside.file(".git"));
  const Ran ran = outside.run({"issue", "run", "1", "--title", "T", "--", "true"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "is not in a git repository")) << ran.err;
}

TEST_F(IssueRuns, ARepositoryWithoutACommit) {
  RunProject empty;
  fs::remove_all(empty.file(".git"));
  empty.git({"init", "-q"});
  const Ran ran = empty.pawl({"issue", "run", "1", "--title", "T", "--", "true"});
  EXPECT_TRUE(has(ran.err, "has no commit yet")) << ran.err;
}

TEST_F(IssueRuns, AgentThatEndsAtOnce) {
  project.start(1, "exit 3");
  EXPECT_EQ(project.end_of(1), "error: Session unexpectedly terminated");
  project.start(2, "echo '###TASK_COMPLETE_2###'");
  EXPECT_EQ(project.end_of(2), "complete");
  project.start(3, "printf '###TASK_ERROR_3###\\nlast words'");
  EXPECT_EQ(project.end_of(3), "error: last words");
  project.start(4, "no-such-program");  // which its shell finds out
  EXPECT_EQ(project.end_of(4), "error: the agent's program was not found (exit 127)");
  EXPECT_TRUE(has(project.ok({"status"}), "pawl issue run 4 --again -- AGENT")) << project.ok({"status"});
  EXPECT_TRUE(has(project.ok({"issue", "logs", "4"}), "no-such-program"));
}

TEST_F(IssueRuns, AnAgentThatIsNotThereIsRefusedBeforeAnythingIsMade) {
  for (const std::vector<std::string>& agent :
       {std::vector<std::string>{"--", "no-such-program"}, {"--", "./no-such-program"}, {"--", "/no/such"}}) {
    std::vector<std::string> args = {"issue", "run", "4", "--title", "T"};
    args.insert(args.end(), agent.begin(), agent.end());
    const Ran none = refused(args);
    EXPECT_EQ(none.exit, 3) << none.err;
    EXPECT_TRUE(has(none.err, "issue 4 has no agent to be started")) << none.err;
    EXPECT_TRUE(has(none.err, "  pawl issue run 4 --title TITLE -- AGENT  # with another agent\n")) << none.err;
    EXPECT_TRUE(has(none.err, "issue.agent in pawl.toml")) << none.err;
    EXPECT_EQ(has(none.err, "cron has a short PATH of its own"), agent[1] == "no-such-program") << none.err;
  }
  EXPECT_EQ(project.get(4), "unknown");
  EXPECT_EQ(project.worktree(4), "");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
  // The session's PATH is that of whoever starts it, whatever the server was started with.
  project.start(1, kReadyAndWaits);
  fs::create_directories(project.home() + "/own");
  write_all(project.home() + "/own/own-agent", "#!/bin/sh\necho '###TASK_COMPLETE_5###'\n");
  fs::permissions(project.home() + "/own/own-agent", fs::perms::owner_all);
  const std::string path = "PATH=" + project.home() + "/own:" + std::string(getenv("PATH"));
  const Ran ran = project.pawl({"issue", "run", "5", "--title", "T", "--", "own-agent"}, {path});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.end_of(5), "complete");
}

TEST_F(IssueRuns, ProgramThatIsNamedByAPathIsMeantFromWhereItWasTyped) {
  project.write("agent.sh", "#!/bin/sh\necho '###TASK_COMPLETE_1###'\n");
  ASSERT_EQ(::chmod(project.file("agent.sh").c_str(), 0755), 0);
  const Ran ran = project.pawl({"issue", "run", "1", "--title", "T", "--", "./agent.sh"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.end_of(1), "complete");
  project.write(".worktrees/.status/8.json", R"({"issue": 8, "status": "running"})");
  EXPECT_FALSE(has(project.ok({"issue", "ps"}), "days ago")) << project.ok({"issue", "ps"});
}

TEST_F(IssueRuns, ShowTellsWhereTheWorkIsAndRunThatItDidNotStartAnother) {
  project.start(1, "echo one; echo two; echo three; exec tail -f /dev/null");
  EXPECT_TRUE(project.says(1, "three"));
  const std::string shown = project.ok({"issue", "show", "1"});
  EXPECT_TRUE(has(shown, "Branch: feature/issue-1-title-1\nWorktree: .worktrees/issue-1-title-1\n")) << shown;
  EXPECT_TRUE(has(project.ok({"issue", "ps"}), "  .worktrees/issue-1-title-1\n")) << project.ok({"issue", "ps"});
  const Ran again = project.pawl({"issue", "run", "1", "--", "sh", "-c", "true"});
  EXPECT_TRUE(has(again.err, "the command was not started")) << again.err;
  EXPECT_EQ(project.ok({"issue", "logs", "1", "--tail", "2"}), "two\nthree\n");
}

TEST_F(IssueRuns, WordsOfTheCommandReachItUnchanged) {
  const std::string odd = "a;b 'c' \"d\" $HOME `x` #{session_name} %H ;";
  project.ok({"issue", "run", "1", "--title", "T", "--", "printf", "<%s>\\n", odd, "{number}", "end;"});
  EXPECT_EQ(project.end_of(1), "error: Session unexpectedly terminated");
  EXPECT_EQ(project.ok({"issue", "logs", "1"}), "<" + odd + ">\n<1>\n<end;>\n");
}

TEST_F(IssueRuns, AgentOfTheSettingsNeedsTrust) {
  project.write(
      "pawl.toml",
      "[issue]\nagent = [\"sh\", \"-c\", \"cat \\\"$1\\\"; exec tail -f /dev/null\", \"x\", \"{prompt_file}\"]\n");
  const Ran ran = refused({"issue", "run", "1", "--title", "My title"});
  EXPECT_TRUE(has(ran.err, "pawl trust")) << ran.err;
  project.ok({"trust"});
  project.ok({"issue", "run", "1", "--title", "My title"});
  EXPECT_TRUE(project.says(1, "Work on issue #1: My title"));
  EXPECT_EQ(project.get(1), "running");  // the prompt on its screen names the markers
}

TEST_F(IssueRuns, RefusalsNameWhatCanBeDone) {
  project.start(1, "echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  EXPECT_EQ(project.end_of(1), "complete");
  for (const char* verb : {"run", "resume"}) {
    const Ran ran = refused({"issue", verb, "1"});
    EXPECT_TRUE(has(ran.err, "pawl issue run 1 --again")) << ran.err;
    EXPECT_TRUE(has(ran.err, "pawl issue cleanup 1")) << ran.err;
  }
}

TEST_F(IssueRuns, LimitRefusesOrWaits) {
  project.write("pawl.toml", "[issue]\nmax_concurrent = 2\n");
  project.start(1, "exec tail -f /dev/null");
  project.start(2, "exec tail -f /dev/null");
  const Ran full = refused({"issue", "run", "3", "--title", "T", "--", "tail", "-f", "/dev/null"});
  EXPECT_TRUE(has(full.err, "issues 1, 2 are running, and issue.max_concurrent is 2\n  pawl issue ps  # ")) << full.err;
  EXPECT_TRUE(has(full.err, "\n  --wait waits for one of them to end\n")) << full.err;
  EXPECT_EQ(full.exit, 1);  // refused, and nothing wrong with the store
  EXPECT_FALSE(project.exists(".worktrees/issue-3-t"));
  Child waiting(PAWL_BINARY, {"issue", "run", "3", "--title", "T", "--wait", "--", "tail", "-f", "/dev/null"},
                project.with_tmux());
  project.ok({"issue", "stop", "1"});
  EXPECT_EQ(waiting.finish().exit, 0);
  EXPECT_EQ(project.get(3), "running");
  // It says whom it waits for.
  Child told("sh", {"-c", std::string(PAWL_BINARY) + " issue run 4 --title T --wait -- tail -f /dev/null 2>&1"},
             project.with_tmux());
  ASSERT_TRUE(told.wait_for("issues 2, 3 are running, and issue.max_concurrent is 2: this waits for one of them"));
  project.ok({"issue", "stop", "2"});
  EXPECT_EQ(told.finish().exit, 0);
}

TEST_F(IssueRuns, InAFolderWithAnOddName) {
  const std::string odd = project.file("../o'd #{x} %H $y");
  fs::create_directories(odd);
  project.git({"clone", "-q", project.path(), odd});
  RunOptions options = project.with_tmux();
  options.cwd = odd;
  ASSERT_EQ(
      run_pawl({"issue", "run", "1", "--title", "T", "--", "sh", "-c", "echo '###TASK_COMPLETE_1###'"}, options).exit,
      0);
  const Ran ran = run_pawl({"issue", "wait", "1", "--timeout", "30s"}, options);
  EXPECT_TRUE(ran.out.starts_with("issue 1 is complete\n")) << ran.out << ran.err;
}

TEST_F(IssueRuns, ParallelRunsOfTheSameAndOfOthers) {
  std::vector<std::unique_ptr<Child>> children;
  for (int number = 1; number <= 4; ++number) {
    for (int twice = 0; twice < 2; ++twice) {
      const std::string n = std::to_string(number);
      children.push_back(std::make_unique<Child>(
          PAWL_BINARY,
          std::vector<std::string>{"issue", "run", n, "--title", "T", "--", "sh", "-c",
                                   "echo '###TASK_COMPLETE_" + n + "###'; exec tail -f /dev/null"},
          project.with_tmux()));
    }
  }
  int refusals = 0;
  for (const auto& child : children) {
    const Ran ran = child->finish();
    // The second finds it running already, or complete by then.
    if (ran.exit != 0) {
      ++refusals;
      EXPECT_TRUE(has(ran.err, "--again") || has(ran.err, "the command was not started")) << ran.err;
    }
  }
  EXPECT_LE(refusals, 4);
  for (int number = 1; number <= 4; ++number) EXPECT_EQ(project.end_of(number), "complete");
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}).size(), 4 * std::string("+ feature/issue-1-t\n").size());
}

TEST_F(IssueRuns, LogsAreCappedAndWithoutEscapes) {
  project.start(1, "printf '\\033[31mred\\033[0m\\n'; exec tail -f /dev/null");
  EXPECT_TRUE(project.says(1, "red"));
  EXPECT_EQ(project.ok({"issue", "logs", "1"}), "red\n");
  EXPECT_EQ(refused({"issue", "logs", "2"}).exit, 3);
  EXPECT_TRUE(has(refused({"issue", "attach", "1"}).err, "no terminal"));
  EXPECT_EQ(refused({"issue", "attach", "2"}).exit, 3);
}

}  // namespace
}  // namespace pawl::test

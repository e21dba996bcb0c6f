// Where an issue run's settings and title come from: .pi-runner.yaml by `pawl init`, the title by GitHub.
#include <gtest/gtest.h>

#include <filesystem>

#include "integrations/runner/settings.h"
#include "support/practice.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

TEST(RunnerSettings, TakesWhatPawlHas) {
  const auto taken = read_runner_settings(
      "worktree:\n  base_dir: trees\n  base_branch: \"origin/main\"\n  copy_files:\n    - .env\n    - 'a\"b'\n"
      "multiplexer:\n  type: tmux\n  session_prefix: my\nagent:\n  type: claude\n  args: [--model, x]\n"
      "parallel:\n  max_concurrent: 5\nhooks:\n  on_start: ls\n");
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->toml(),
            "[issue]\nbase_dir = \"trees\"\nsession_prefix = \"my\"\nbase_branch = \"origin/main\"\n"
            "copy_files = [\".env\", \"a\\\"b\"]\nagent = [\"claude\", \"--model\", \"x\", \"--print\", \"{prompt}\"]\n"
            "max_concurrent = 5\n");
  EXPECT_EQ(taken->left, std::vector<std::string>{"hooks"});
}

TEST(RunnerSettings, FormsMetInTheWild) {
  const auto toml = [](std::string_view yaml) {
    const auto taken = read_runner_settings(yaml);
    return taken ? taken->toml() : taken.error().message;
  };
  EXPECT_EQ(toml(""), "");
  EXPECT_EQ(toml("pi:\n  command: /usr/local/bin/pi\n  args:\n    - -x\n"),
            "[issue]\nagent = [\"/usr/local/bin/pi\", \"-x\", \"@{prompt_file}\"]\n");
  EXPECT_EQ(toml("pi:\n  command: npx  pi\n"), "[issue]\nagent = [\"npx\", \"pi\", \"@{prompt_file}\"]\n");
  EXPECT_EQ(toml("pi:\n  command: A=1 \"my pi\"\n"),
            "[issue]\nagent = [\"sh\", \"-c\", \"A=1 \\\"my pi\\\" \\\"$@\\\"\", \"sh\", \"@{prompt_file}\"]\n");
  EXPECT_EQ(toml("tmux:\n  session_prefix: old\n"), "[issue]\nsession_prefix = \"old\"\n");
  EXPECT_EQ(toml("worktree:\n  copy_files: .env .envrc\n"), "[issue]\ncopy_files = [\".env\", \".envrc\"]\n");
  EXPECT_EQ(toml("parallel:\n  max_concurrent: 0\n"), "");
  EXPECT_EQ(toml("agent:\n  type: opencode\n"), "[issue]\nagent = [\"opencode\", \"run\", \"{prompt}\"]\n");
  EXPECT_EQ(toml("agent:\n  type: custom\n  command: my\n  args: [\"it's\"]\n  template: '{{command}} {{args}} < "
                 "\"{{prompt_file}}\"'\n"),
            "[issue]\nagent = [\"sh\", \"-c\", \"my 'it'\\\\''s' < \\\"$PAWL_PROMPT_FILE\\\"\"]\n");
}

TEST(RunnerSettings, WhatIsWrongIsNamed) {
  struct Case {
    std::string_view yaml, part;
  };
  for (const Case& one :
       {Case{"multiplexer:\n  type: zellij\n", "“zellij”"}, Case{"a: [\n", "line 2"}, Case{"- a\n", "sections"},
        Case{"worktree:\n  base_dir: [a]\n", "worktree.base_dir"},
        Case{"worktree:\n  copy_files:\n    - {a: b}\n", "worktree.copy_files"},
        Case{"parallel:\n  max_concurrent: many\n", "“many”"}, Case{"agent:\n  type: robot\n", "“robot”"},
        Case{"worktree:\n  base_dir: \"a\\nb\"\n", "characters"}}) {
    const auto taken = read_runner_settings(one.yaml);
    ASSERT_FALSE(taken) << one.yaml;
    EXPECT_TRUE(has(taken.error().message, one.part)) << taken.error().message;
  }
}

TEST(IssueSettings, InitTakesThemOnceAndTellsIt) {
  RunProject project;
  project.write(".pi-runner.yaml", "worktree:\n  base_dir: trees\nmultiplexer:\n  type: zellij\n");
  const Ran refused = project.pawl({"init"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_TRUE(has(refused.err, "zellij")) << refused.err;
  EXPECT_FALSE(project.exists("pawl.toml"));
  EXPECT_FALSE(project.exists(".pawl"));
  project.ok({"init", "--no-settings"});
  project.write(".pi-runner.yaml", "worktree:\n  base_dir: trees\nagent:\n  type: claude\n");
  const std::string told = project.ok({"init"});
  EXPECT_TRUE(has(told, "base_dir = \"trees\"")) << told;
  EXPECT_TRUE(has(told, "pawl trust")) << told;
  // Each line is explained.
  const std::string toml = project.read("pawl.toml").value_or("");
  EXPECT_TRUE(has(toml, "below it (.pi-runner.yaml)\nbase_dir = \"trees\"\n")) << toml;
  EXPECT_TRUE(has(toml, "agent = [\"claude\", \"--print\", \"{prompt}\"]\n")) << toml;
  EXPECT_EQ(project.ok({"issue", "dir"}), project.file("trees/.status") + "\n");
  project.write("pawl.toml", "[issue]\nbase_dir = \"mine\"\n");
  EXPECT_TRUE(has(project.ok({"init"}), "was left as it is"));
  EXPECT_EQ(project.read("pawl.toml"), "[issue]\nbase_dir = \"mine\"\n");
}

TEST(IssueSettings, BaseFolderPrefixAndFilesOfTheSettings) {
  RunProject project;
  project.write(
      "pawl.toml",
      "[issue]\nbase_dir = \"trees\"\nsession_prefix = \"my.app\"\ncopy_files = [\"conf/local.ini\", \"nowhere\"]\n"
      "base_branch = \"start\"\n");
  project.write("conf/local.ini", "a=1\n");
  project.git({"branch", "start"});
  project.write("later", "x\n");
  project.commit_all("later");
  project.start(3, "echo '###TASK_COMPLETE_3###'; exec tail -f /dev/null");
  EXPECT_EQ(project.read("trees/issue-3-title-3/conf/local.ini"), "a=1\n");
  EXPECT_FALSE(project.exists("trees/issue-3-title-3/later"));
  EXPECT_EQ(project.end_of(3), "complete");  // tmux calls it my_app-issue-3
  EXPECT_TRUE(project.has_session("my_app-issue-3"));
  EXPECT_TRUE(project.exists("trees/.status/3.json"));
  project.write("pawl.toml", "[issue]\ncopy_files = [\"../secret\"]\n");
  const Ran out = project.pawl({"issue", "run", "4", "--title", "T", "--", "true"});
  EXPECT_TRUE(has(out.err, "leads out of the workspace")) << out.err;
}

// Nothing leads to GitHub: what init and the guide say to type runs as it stands.
TEST(IssueSettings, WithoutARemoteOnGitHubItGoesOnWithoutATitle) {
  RunProject project;
  const std::vector<std::string> env = {"GH_TOKEN=", "GITHUB_TOKEN=", "GH_CONFIG_DIR=" + project.home()};
  const Ran ran = project.pawl({"issue", "run", "42", "--", "tail", "-f", "/dev/null"}, env);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "issue 42 has no title")) << ran.err;
  EXPECT_TRUE(has(ran.err, "--title")) << ran.err;
  EXPECT_TRUE(project.exists(".worktrees/issue-42")) << ran.out;
  EXPECT_TRUE(has(ran.out, "feature/issue-42\n")) << ran.out;
  // With one, and no token, it says how to do without.
  project.git({"remote", "add", "origin", "https://github.com/o/r.git"});
  const Ran none = project.pawl({"issue", "run", "43", "--", "tail", "-f", "/dev/null"}, env);
  EXPECT_NE(none.exit, 0);
  EXPECT_TRUE(has(none.err, "--title")) << none.err;
}

TEST(IssueSettings, TitleFromGitHub) {
  RunProject project;
  const Practice github(Json::parse(R"({"token": "t0ken", "login": "me", "repositories": [
    {"owner": "o", "name": "r", "issues": [{"number": 5, "title": "Fix the \u001b[31mlogin", "author": "ann"}]}]})"),
                        Practice::Door::port);
  const std::vector<std::string> env = {"GITHUB_API_URL=" + github.url(), "GH_TOKEN=" + github.token(),
                                        "GH_CONFIG_DIR=" + project.home()};
  project.git({"remote", "add", "origin", "https://github.com/o/r.git"});
  const Ran none = project.pawl({"issue", "run", "6", "--", "tail", "-f", "/dev/null"}, env);
  EXPECT_NE(none.exit, 0);
  EXPECT_TRUE(has(none.err, "--title")) << none.err;
  const Ran ran = project.pawl(
      {"issue", "run", "5", "--", "sh", "-c", "echo '###TASK_COMPLETE_5###'; exec tail -f /dev/null"}, env);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(project.exists(".worktrees/issue-5-fix-the-login")) << ran.out;
  EXPECT_EQ(project.end_of(5), "complete");
  // The worktree tells what it is called: GitHub is not asked again.
  const Ran again = project.pawl({"issue", "run", "5", "--again", "--", "tail", "-f", "/dev/null"},
                                 {"GITHUB_API_URL=http://127.0.0.1:1"});
  EXPECT_EQ(again.exit, 0) << again.err;
  // What is left behind is the small program.
  for (const pid_t pid : project.processes({"issue", "watch", "5"}))
    EXPECT_EQ(std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe").string(), PAWL_BINARY);
}

// An undo that would leave the file as it is undoes nothing.
TEST(IssueOfAnotherFolder, IsUndoneWhereThatFolderIsNamed) {
  TempWorkspace ws;
  RunOptions there;
  there.env = {"PAWL_ISSUE_BASE_DIR=wt"};
  ASSERT_EQ(ws.run({"issue", "set", "42", "error", "--message", "broke"}, there).exit, 0);
  const auto was = ws.read("wt/.status/42.json");
  ASSERT_EQ(ws.run({"issue", "remove", "42"}, there).exit, 0);
  const Ran refused = ws.run({"undo", "2"});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_TRUE(has(refused.err, "issue/42 in wt, which is not looked at now")) << refused.err;
  EXPECT_EQ(ws.run({"undo", "2"}, there).exit, 0);
  EXPECT_EQ(ws.read("wt/.status/42.json"), was);
}

}  // namespace
}  // namespace pawl::test

// Runs under attack: what a clone brings is not obeyed, and what is somebody else's is not touched.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

TEST(RunUnderAttack, AFormatOfTmuxsInASettingIsNeitherRunNorFilledIn) {
  const RunProject project;
  project.write("pawl.toml", cat("[issue]\nbase_dir = \".wt#(touch ", project.home(), "/executed)\"\n"));
  project.start(1, cat("pwd -P > ", project.home(), "/where; ", kReadyAndWaits));
  EXPECT_TRUE(project.says(1, "ready"));
  EXPECT_FALSE(std::filesystem::exists(project.home() + "/executed"));
  EXPECT_TRUE(has(read_all(project.home() + "/where").value_or(""), ".wt#(touch"))
      << read_all(project.home() + "/where").value_or("");
  project.write("pawl.toml", cat("[issue]\nsession_prefix = \"x#(touch ", project.home(), "/executed)\"\n"));
  EXPECT_NE(project.pawl({"issue", "run", "2", "--title", "t", "--", "true"}).exit, 0);
  EXPECT_FALSE(std::filesystem::exists(project.home() + "/executed"));
}

TEST(RunUnderAttack, StopEndsOnlyTheSessionThatTheRunStarted) {
  const RunProject project;
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "precious", "tail -f /dev/null"}).exit, 0);
  project.start(5, kReadyAndWaits);
  project.edit(5, "pi-issue-5", "precious");
  project.ok({"issue", "stop", "5"});
  EXPECT_TRUE(project.has_session("precious"));
  EXPECT_FALSE(project.has_session("pi-issue-5"));
  project.ok({"issue", "set", "6", "running", "--session", "precious"});
  project.ok({"issue", "stop", "6"});
  EXPECT_TRUE(project.has_session("precious"));
}

TEST(RunUnderAttack, WatchDoesNotTakeASessionOfAnotherRun) {
  const RunProject project;
  project.start(5, kReadyAndWaits);
  project.ok({"issue", "set", "6", "running", "--session", "pi-issue-5"});
  const Ran ran = project.pawl({"issue", "watch", "6", "--timeout", "1s"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "belongs to another run")) << ran.err;
  EXPECT_EQ(project.get(5), "running");
}

TEST(RunUnderAttack, ACommandThatCameWithAStoreIsNotResumed) {
  const RunProject project;
  project.start(5, cat("echo x >> ", project.home(), "/ran; ", kReadyAndWaits));
  EXPECT_TRUE(project.says(5, "ready"));
  project.end_server();
  // As if the store came from another machine: its secret is not this one's.
  std::filesystem::remove(project.home() + "/.local/state/pawl/run-secret");
  const Ran ran = project.pawl({"issue", "resume", "5"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "not given on this machine")) << ran.err;
  EXPECT_EQ(read_all(project.home() + "/ran"), "x\n");
}

TEST(RunUnderAttack, WhatIsNoFileIsNoSignal) {
  const RunProject project;
  const std::string status = project.file(".worktrees/.status/");
  project.write("secret", "mine\n");
  project.start(1, kReadyAndWaits);
  project.start(2, kReadyAndWaits);
  project.start(3, kReadyAndWaits);
  std::filesystem::create_directory(status + "signal-complete-1");
  ASSERT_EQ(mkfifo((status + "signal-complete-2").c_str(), 0600), 0);
  std::filesystem::create_symlink(project.file("secret"), status + "signal-error-3");
  // The word of a watcher comes when it has looked: it saw what is there, and goes on.
  for (const std::string n : {"1", "2", "3"}) {
    EXPECT_EQ(project.kill_all({"watch", n}), 1U);
    const Ran ran = project.pawl({"issue", "watch", n, "--timeout", "1s"});
    EXPECT_TRUE(has(ran.err, "no signal is read from there")) << ran.err;
    EXPECT_EQ(ran.err.find("no signal"), ran.err.rfind("no signal")) << ran.err;
    EXPECT_EQ(project.get(std::stoi(n)), "running");
  }
  project.end_server();
  project.ok({"issue", "reconcile"});
  for (const int n : {1, 2, 3}) EXPECT_TRUE(has(project.end_of(n), "error: ")) << project.end_of(n);
  EXPECT_FALSE(has(project.end_of(3), "mine")) << project.end_of(3);
  EXPECT_TRUE(std::filesystem::exists(status + "signal-complete-1"));
  EXPECT_EQ(read_all(project.file("secret")).value_or(""), "mine\n");
}

TEST(RunUnderAttack, TheAgentDoesNotGetTheKey) {
  const RunProject project;
  const std::string key = "PAWL_BLOCK_KEY=" + std::string(64, 'k');
  const std::vector<std::string> with = {key, "GH_TOKEN=the-users-own"};
  const auto run = [&](const std::string& number) {
    const std::string file = project.home() + "/env-" + number;
    const Ran ran = project.pawl({"issue", "run", number, "--title", "t", "--", "sh", "-c",
                                  cat("env >", file, "; cat /proc/$PPID/environ >>", file, "; ", kReadyAndWaits)},
                                 with);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(project.says(std::stoi(number), "ready"));
    return read_all(file).value_or("");
  };
  const std::string first = run("1");
  EXPECT_FALSE(has(first, "kkkk")) << first;
  EXPECT_TRUE(has(first, "GH_TOKEN=the-users-own")) << first;
  EXPECT_FALSE(has(project.tmux({"show-environment", "-g"}).out, "PAWL_BLOCK_KEY"));
  // On a server that somebody has started with it.
  ASSERT_EQ(project.tmux({"set-environment", "-g", "PAWL_BLOCK_KEY", std::string(64, 'k')}).exit, 0);
  const std::string second = run("2");
  EXPECT_FALSE(has(second, "kkkk")) << second;
  EXPECT_FALSE(has(second.substr(0, second.find('\0')), "PAWL_BLOCK_KEY=\n")) << second;
}

TEST(RunUnderAttack, ATitleThatIsAMarkerIsNone) {
  const RunProject project;
  const std::string title = "###TASK_COMPLETE_20###";
  project.ok(
      {"issue", "run", "20", "--title", title, "--", "sh", "-c",
       cat("echo at work; echo \"$PAWL_TITLE\"; echo '###TASK_ERROR_20###'; echo went wrong; ", kReadyAndWaits)});
  EXPECT_EQ(project.end_of(20), "error: went wrong");
}

}  // namespace
}  // namespace pawl::test

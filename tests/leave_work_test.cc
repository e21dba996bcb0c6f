// What goes on when pawl is left: it is named, with what ends it, and nobody is told that nobody is there.
#include <gtest/gtest.h>
#include <signal.h>

#include "base/json.h"
#include "base/text.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

class LeaveWork : public testing::Test {
 protected:
  RunProject project;
};

// The line that ends in "# stops it", without what it does.
std::string to_stop_in(const std::string& text) {
  const std::size_t end = text.find("  # stops it");
  if (end == std::string::npos) return {};
  const std::size_t begin = text.rfind('\n', end) + 1;
  return std::string(trim(text.substr(begin, end - begin)));
}

TEST_F(LeaveWork, ARunnerIsOnTheBoardAndEndsByWhatLeaveSays) {
  Child child(PAWL_BINARY, {"ralph", "run", "--prompt", "long", "--max", "3", "--", "/bin/sh", "-c", kReadyAndWaits},
              project.with_tmux());
  ASSERT_TRUE(child.wait_for("ready"));
  const std::string left = project.ok({"leave"});
  EXPECT_EQ(to_stop_in(left), cat("kill ", child.pid())) << left;
  const std::string board = project.ok({"status"});
  EXPECT_FALSE(has(board, "nobody drives it")) << board;
  EXPECT_TRUE(has(board, cat("ralph run ", child.pid()))) << board;
  EXPECT_EQ(run_program("sh", {"-c", to_stop_in(left)}).exit, 0);
  EXPECT_NE(child.finish().exit, 0);
  EXPECT_TRUE(has(project.ok({"status"}), "nobody drives it"));
}

TEST_F(LeaveWork, ASessionEndsByWhatLeaveSays) {
  project.start(7, kReadyAndWaits);
  ASSERT_TRUE(project.says(7, "ready"));
  const std::string left = project.ok({"leave"});
  EXPECT_TRUE(has(left, "issue/7 is running, and goes on; its watcher with it")) << left;
  ASSERT_TRUE(has(to_stop_in(left), "kill-session")) << left;
  EXPECT_EQ(run_program("sh", {"-c", to_stop_in(left)}, project.with_tmux()).exit, 0);
  EXPECT_FALSE(project.has_session("pi-issue-7"));
}

// Its run has ended, its end was taken back, and the agent is where it was.
TEST_F(LeaveWork, ASessionWhoseEndWasTakenBackIsAtWork) {
  project.start(1, "echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null");
  ASSERT_EQ(project.end_of(1), "complete");
  project.ok({"undo"});
  ASSERT_TRUE(has(project.ok({"issue", "ps"}), "(not watched)"));
  const std::string would = project.ok({"leave", "--dry-run"});
  EXPECT_FALSE(has(would, "nobody at work")) << would;
  EXPECT_TRUE(has(would, "issue/1 is running, and goes on; nobody watches it")) << would;
  EXPECT_TRUE(has(to_stop_in(would), "kill-session")) << would;
  EXPECT_TRUE(has(would, "once nothing runs any more")) << would;
}

TEST_F(LeaveWork, AScriptsSessionIsAtWorkToo) {
  project.ok({"issue", "set", "4", "running"});
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "pi-issue-4", "-c", project.path(), "sh", "-c", kWaits}).exit, 0);
  const std::string would = project.ok({"leave", "--dry-run"});
  EXPECT_TRUE(has(would, "issue/4 is running, and goes on")) << would;
}

// What cleanups leave behind is somebody's work: whoever leaves is told where it is.
TEST_F(LeaveWork, WhatACleanupLeftIsNamed) {
  project.ok({"init"});
  EXPECT_FALSE(has(project.ok({"leave", "--dry-run"}), "stash"));
  project.start(
      3, "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m own; echo done; exec tail -f /dev/null");
  ASSERT_TRUE(project.says(3, "done"));
  project.write(".worktrees/issue-3-title-3/unfinished", "mine\n");
  project.ok({"issue", "cleanup", "3", "--force"});
  const std::string would = project.ok({"leave", "--dry-run"});
  EXPECT_TRUE(has(would, "  feature/issue-3-title-3: a branch that pawl made for issue 3, which was cleaned up, with"))
      << would;
  EXPECT_TRUE(
      has(would, "  stash@{0}: in git's stash, what a cleanup has put aside of issue 3, feature/issue-3-title-3\n"))
      << would;
  EXPECT_TRUE(has(would, "  ~/.local/state/pawl: what all your projects share")) << would;
  project.git({"branch", "-D", "feature/issue-3-title-3"});
  EXPECT_FALSE(has(project.ok({"leave", "--dry-run"}), "which was cleaned up"));
}

}  // namespace
}  // namespace pawl::test

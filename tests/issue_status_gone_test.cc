// A status that is removed while its agent is at work: the loss is seen wherever one looks, and easily undone. And a
// run whose watcher and recorder were killed, of which tmux alone knows that it lives.
#include <gtest/gtest.h>
#include <poll.h>

#include <filesystem>

#include "support/run_project.h"

namespace pawl::test {
namespace {

class StatusGone : public testing::Test {
 protected:
  StatusGone() {
    project.start(42, kReadyAndWaits);
    EXPECT_TRUE(project.says(42, "ready"));
  }
  // As a script does that takes it for an orphan. The watcher sees it first, and ends.
  void remove_file() const {
    project.drop(42);
    for (const pid_t pid : project.processes({"issue", "watch", "42"})) EXPECT_TRUE(gone(pid));
  }
  Json row() const {
    const Json board = Json::parse(project.ok({"status", "--json"}));
    for (const Json& one : board["work"]) {
      if (one["ref"] == "issue/42") return one;
    }
    return Json::object();
  }
  bool is_watched() const { return Json::parse(project.ok({"issue", "ps", "--json"}))[0]["watched"] == true; }
  RunProject project;
};

TEST_F(StatusGone, TheBoardAndPsShowWhatGoesOn) {
  remove_file();
  EXPECT_EQ(string_or(row(), "stands"), "needs_person") << row();
  EXPECT_EQ(string_or(row(), "why"), "its status file was removed outside pawl, and its agent is at work");
  const std::string removal = std::to_string(integer_or(project.log()[0], "operation"));
  EXPECT_EQ(string_or(row(), "advice"), "pawl issue reconcile 42  # has it running again, and watched\npawl undo " +
                                            removal + "  # brings its status back as it was\n" +
                                            "pawl issue stop 42  # ends it");
  const std::string runs = project.ok({"issue", "ps"});
  EXPECT_TRUE(has(runs, "pi-issue-42 (its status was removed)")) << runs;
  for (const char* const verb : {"wait", "watch", "resume"}) {
    const Ran ran = project.pawl({"issue", verb, "42"});
    EXPECT_EQ(ran.exit, 3) << verb;
    EXPECT_TRUE(has(ran.err, "  pawl issue reconcile 42  # its session is at work")) << ran.err;
  }
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, "the session pi-issue-42 belongs to no status"));
  // Ended, it is nobody's to look at.
  project.ok({"issue", "stop", "42"});
  EXPECT_TRUE(row().empty()) << row();
  EXPECT_EQ(project.ok({"issue", "ps"}), "no issue is running\n");
}

TEST_F(StatusGone, ReconcileHasItRunningAndWatched) {
  remove_file();
  project.ok({"issue", "reconcile", "42"});
  EXPECT_EQ(string_or(row(), "stands"), "running") << row();
  EXPECT_TRUE(is_watched());
}

TEST_F(StatusGone, UndoBringsTheFileBackAndSaysHowItIsWatched) {
  project.edit(42, "\"timestamp\"", "\"mine\": 1,\n  \"timestamp\"");
  const std::string before = project.bytes(42);
  project.ok({"status"});
  remove_file();
  const std::string advice = string_or(row(), "advice");
  const std::size_t at = advice.find("pawl undo ") + std::string_view("pawl undo ").size();
  const Ran undone = project.pawl({"undo", advice.substr(at, advice.find("  #", at) - at)});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_EQ(project.bytes(42), before);
  EXPECT_TRUE(has(undone.err, "pawl issue reconcile 42  # starts a watcher")) << undone.err;
  project.ok({"issue", "reconcile", "42"});
  EXPECT_TRUE(is_watched());
}

// Also where its worktree is gone with it, and its session is called otherwise than the settings say by now.
TEST_F(StatusGone, IsFoundByItsRunAlone) {
  project.write("pawl.toml", "[issue]\nsession_prefix = \"other\"\n");
  project.ok({"issue", "remove", "42"});
  project.git({"worktree", "remove", "--force", ".worktrees/issue-42-title-42"});
  EXPECT_EQ(string_or(row(), "why"), "its status was removed, and its agent is at work") << row();
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.get(42), "running");
}

TEST_F(StatusGone, ARunWithoutWatcherAndRecorderStillLives) {
  EXPECT_EQ(project.kill_all({"issue", "watch", "42"}), 1U);
  EXPECT_EQ(project.kill_all({"issue", "record", "42"}), 1U);
  Json seen;  // a start is given a few seconds before anybody doubts it
  for (int look = 0; look < 10'000 && string_or(seen, "stands") != "needs_person"; ++look) seen = row();
  EXPECT_EQ(string_or(seen, "why"), "it runs, and who watched it and who kept its output are gone") << seen;
  EXPECT_EQ(string_or(seen, "advice"), "pawl issue reconcile 42  # starts another watcher");
  EXPECT_TRUE(has(project.pawl({"doctor"}).out, "issue 42 is running, and its watcher is dead"));
  project.ok({"issue", "reconcile", "42"});
  EXPECT_EQ(string_or(row(), "stands"), "running") << row();
  EXPECT_EQ(project.get(42), "running");
  // Of one that is gone it is still said.
  project.kill_all({"issue", "watch", "42"});
  project.end_server();
  for (int look = 0; look < 10'000 && string_or(seen, "why").starts_with("it runs"); ++look) seen = row();
  EXPECT_EQ(string_or(seen, "why"), "stopped: its session is gone, and nobody watches it") << seen;
}

TEST_F(StatusGone, WhoeverWaitsIsNotToldThatItIsComplete) {
  Child wait(PAWL_BINARY, {"issue", "wait", "42"}, project.with_tmux());
  const auto waits = [&] {  // it has an eye on the folders, and sleeps
    std::error_code gone_by_now;
    for (const auto& entry : std::filesystem::directory_iterator(cat("/proc/", wait.pid(), "/fd"), gone_by_now)) {
      if (std::filesystem::read_symlink(entry, gone_by_now) == "anon_inode:inotify")
        return read_all(cat("/proc/", wait.pid(), "/stat")).value_or("").find(") S ") != std::string::npos;
    }
    return false;
  };
  for (int looked = 0; looked < 30'000 && !waits(); ++looked) ::poll(nullptr, 0, 1);
  remove_file();
  const Ran ran = wait.finish();
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "its agent is at work") || has(ran.err, "has no status")) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl issue reconcile 42")) << ran.err;
}

}  // namespace
}  // namespace pawl::test

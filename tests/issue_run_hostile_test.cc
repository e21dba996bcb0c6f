// Runs under attack: what a clone brings is not obeyed, and what is somebody else's is not touched.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

constexpr const char* kWaits = "echo ready; exec tail -f /dev/null";

TEST(RunUnderAttack, AFormatOfTmuxsInASettingIsNeitherRunNorFilledIn) {
  const RunProject project;
  project.write("pawl.toml", cat("[issue]\nbase_dir = \".wt#(touch ", project.home(), "/executed)\"\n"));
  project.start(1, cat("pwd -P > ", project.home(), "/where; ", kWaits));
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
  project.start(5, kWaits);
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
  project.start(5, kWaits);
  project.ok({"issue", "set", "6", "running", "--session", "pi-issue-5"});
  const Ran ran = project.pawl({"issue", "watch", "6", "--timeout", "1s"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "belongs to another run")) << ran.err;
  EXPECT_EQ(project.get(5), "running");
}

TEST(RunUnderAttack, ACommandThatCameWithAStoreIsNotResumed) {
  const RunProject project;
  project.start(5, cat("echo x >> ", project.home(), "/ran; ", kWaits));
  EXPECT_TRUE(project.says(5, "ready"));
  project.end_server();
  // As if the store came from another machine: its secret is not this one's.
  std::filesystem::remove(project.home() + "/.local/state/pawl/run-secret");
  const Ran ran = project.pawl({"issue", "resume", "5"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "not given on this machine")) << ran.err;
  EXPECT_EQ(read_all(project.home() + "/ran"), "x\n");
}

}  // namespace
}  // namespace pawl::test

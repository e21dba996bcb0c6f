// `pawl tour`: the whole of it, with the real binary, in a folder of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Tour, ShowsAllOfItInAMinuteAndLeavesNothing) {
  TempWorkspace ws;
  ws.write("tmp/here", "");
  RunOptions there;
  there.env = {"TMPDIR=" + ws.file("tmp"), "HOME=" + ws.file("home"), "XDG_STATE_HOME="};
  const auto begun = std::chrono::steady_clock::now();
  const Ran tour = run_program(PAWL_BINARY, {"tour"}, ws.options(there));
  ASSERT_EQ(tour.exit, 0) << tour.out.substr(tour.out.size() > 3000 ? tour.out.size() - 3000 : 0) << tour.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(1));
  // The story, whose agent was killed and whose bot was killed with it.
  const std::size_t story = tour.out.find("== A story is carried");
  ASSERT_NE(story, std::string::npos) << tour.out;
  const std::string carried = tour.out.substr(story, tour.out.find("\n== ", story + 1) - story);
  EXPECT_FALSE(has(carried, "left out")) << carried;
  const std::size_t killed = carried.find("pending"), again = carried.find("US-1: pending → committed");
  EXPECT_NE(killed, std::string::npos) << "as the killed run left it\n" << carried;
  EXPECT_NE(again, std::string::npos) << carried;
  EXPECT_LT(killed, again);
  EXPECT_TRUE(has(carried, "US-1: committed → pushed")) << carried;
  EXPECT_TRUE(has(carried, "a mail is sent")) << "the evidence\n" << carried;
  for (const char* part : {"== A loop that is killed", "== A review that was put down", "== An agent on an issue",
                           "== A stranger", "8 writers at once", "== And undone"})
    EXPECT_TRUE(has(tour.out, part)) << part;
  EXPECT_TRUE(tour.out.ends_with("pawl help           the manual\n")) << "what to type next";
  int left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(ws.file("tmp"))) ++left;
  EXPECT_EQ(left, 1) << "only what was there before";
  EXPECT_FALSE(ws.exists("home")) << "nothing of the user's is touched";
}

// Who lacks one of them is told which, and what brings it.
TEST(Tour, SaysWhatIsNotHere) {
  TempWorkspace ws;
  const std::string tools = ws.file("tools");
  std::filesystem::create_directories(tools);
  for (const char* tool : {"git", "sh", "env", "sleep", "cat", "grep", "sed", "mkdir"}) {
    const Ran found = run_program("sh", {"-c", cat("command -v ", tool)});
    ASSERT_EQ(found.exit, 0) << tool;
    std::filesystem::create_symlink(trim(found.out), cat(tools, "/", tool));
  }
  ws.write("tmp/here", "");
  RunOptions there;
  there.env = {"TMPDIR=" + ws.file("tmp"), "HOME=" + ws.file("home"), "XDG_STATE_HOME=", "PATH=" + tools};
  const Ran tour = run_program(PAWL_BINARY, {"tour"}, ws.options(there));
  EXPECT_TRUE(has(tour.out, "tmux is not here")) << tour.out << tour.err;
  EXPECT_TRUE(has(tour.out, "apt-get install tmux")) << tour.out;
}

}  // namespace
}  // namespace pawl::test

// `pawl tour`: the whole of it, with the real binary, in a folder of its own.
#include <gtest/gtest.h>

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "base/text.h"
#include "support/binary.h"
#include "support/paths.h"
#include "support/terminal.h"

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
  const std::string carried = tour.out.substr(story, tour.out.find("\n== A review", story) - story);
  EXPECT_FALSE(has(carried, "left out")) << carried;
  const std::size_t killed = carried.find("pending"), again = carried.find("US-1: pending → committed");
  EXPECT_NE(killed, std::string::npos) << "as the killed run left it\n" << carried;
  EXPECT_NE(again, std::string::npos) << carried;
  EXPECT_LT(killed, again);
  EXPECT_TRUE(has(carried, "US-1: committed → pushed")) << carried;
  EXPECT_TRUE(has(carried, "a mail is sent")) << "the evidence\n" << carried;
  for (const char* part :
       {"== A loop that is killed", "the loop is complete, iteration 3/50", "== A review that was put down",
        "== An agent on an issue", "== A stranger", "8 writers at once", "== And undone"})
    EXPECT_TRUE(has(tour.out, part)) << part;
  EXPECT_TRUE(tour.out.ends_with("pawl help           the manual\n")) << "what to type next";
  int left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(ws.file("tmp"))) ++left;
  EXPECT_EQ(left, 1) << "only what was there before";
  EXPECT_FALSE(ws.exists("home")) << "nothing of the user's is touched";
}

// At a terminal of 24 rows of 80 columns, where it pauses.
class TourAtATerminal : public testing::Test {
 protected:
  TourAtATerminal() : terminal(PAWL_BINARY, {"tour"}, options(), 24, 80) {}
  [[nodiscard]] RunOptions options() const {
    ws.write("tmp/here", "");
    RunOptions options;
    options.env = {"TMPDIR=" + ws.file("tmp"), "HOME=" + ws.file("home"), cat("PATH=", getenv("PATH")), "LANG=C.UTF-8"};
    options.cwd = ws.path();
    return options;
  }
  // All of a chapter, up to the end of the line that asks to go on; nothing when the tour has ended.
  std::string chapter() { return terminal.until("q: end "); }
  void go_to(std::string_view title) {
    while (!has(chapter(), title)) {
      ASSERT_FALSE(terminal.shown().ends_with("the manual\r\n")) << terminal.shown();
      terminal.type("\n");
    }
  }
  // What works in the tour's folder.
  [[nodiscard]] int processes() const {
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::error_code gone;
      const std::string cwd = std::filesystem::read_symlink(entry.path() / "cwd", gone);
      if (cwd.starts_with(ws.file("tmp/pawl-tour-"))) ++found;
    }
    return found;
  }
  void expect_nothing_is_left() const {
    EXPECT_EQ(processes(), 0);
    EXPECT_TRUE(ws.exists("tmp/here"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(ws.file("tmp")), {}), 1) << terminal.shown();
  }

  TempWorkspace ws;
  Terminal terminal;
};

int rows(const std::string& shown) {
  int rows = 0, column = 0;
  bool in_sequence = false;
  for (const char c : shown) {
    if (in_sequence) {
      in_sequence = c != 'm';
    } else if (c == '\x1b') {
      in_sequence = true;
    } else if (c == '\n') {
      ++rows;
      column = 0;
    } else if (c != '\r' && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      if (column == 80) ++rows, column = 0;
      ++column;
    }
  }
  return rows + (column > 0 ? 1 : 0);
}

TEST_F(TourAtATerminal, EachChapterFitsTheScreenAndWaitsForEnter) {
  int chapters = 0;
  for (std::string shown; !(shown = chapter()).empty(); ++chapters) {
    EXPECT_LE(rows(shown), 24) << shown;
    terminal.type("\n");
  }
  EXPECT_EQ(terminal.ended(), 0) << terminal.shown();
  EXPECT_GE(chapters, 10);
  EXPECT_TRUE(has(terminal.shown(), "== What to type next"));
  EXPECT_FALSE(has(terminal.shown(), "left out")) << terminal.shown();
  expect_nothing_is_left();
}

TEST_F(TourAtATerminal, QEndsIt) {
  go_to("== A loop that is killed");
  terminal.type("q\n");
  EXPECT_EQ(terminal.ended(), 0);
  expect_nothing_is_left();
}

TEST_F(TourAtATerminal, CtrlDEndsIt) {
  go_to("== A loop that is killed");
  terminal.type("\x04");
  EXPECT_EQ(terminal.ended(), 0);
  expect_nothing_is_left();
}

TEST_F(TourAtATerminal, CtrlCEndsIt) {
  go_to("== A loop that is killed");
  terminal.type("\x03");
  EXPECT_EQ(terminal.ended(), 128 + SIGINT);
  expect_nothing_is_left();
}

TEST_F(TourAtATerminal, CtrlCDuringAChapterEndsWhatItStartedToo) {
  go_to("== A review");
  terminal.type("\n");
  ASSERT_FALSE(terminal.until("issue 7 runs in session").empty()) << terminal.shown();  // of a tmux server
  terminal.type("\x03");
  EXPECT_EQ(terminal.ended(), 128 + SIGINT);
  expect_nothing_is_left();
}

TEST_F(TourAtATerminal, SignalToTheTourAloneEndsWhatItStartedToo) {
  go_to("== An invented status");
  terminal.type("\n");
  ASSERT_FALSE(terminal.until("== 8 writers at once").empty()) << terminal.shown();
  ASSERT_EQ(kill(terminal.pid(), SIGTERM), 0);
  EXPECT_EQ(terminal.ended(), 128 + SIGTERM);
  expect_nothing_is_left();
}

// Who lacks one of them is told which, and what brings it.
TEST(Tour, SaysWhatIsNotHere) {
  TempWorkspace ws;
  const std::string tools = ws.file("tools");
  std::filesystem::create_directories(tools);
  for (const char* tool : {"sh", "env", "sleep", "cat", "grep", "sed", "mkdir", "git"}) {
    const Ran found = run_program("sh", {"-c", cat("command -v ", tool)});
    ASSERT_EQ(found.exit, 0) << tool;
    std::filesystem::create_symlink(trim(found.out), cat(tools, "/", tool));
  }
  ws.write("tmp/here", "");
  RunOptions there;
  there.env = {"TMPDIR=" + ws.file("tmp"), "HOME=" + ws.file("home"), "XDG_STATE_HOME=", "PATH=" + tools};
  Ran tour = run_program(PAWL_BINARY, {"tour"}, ws.options(there));
  EXPECT_TRUE(has(tour.out, "apt-get install tmux\n")) << tour.out << tour.err;
  std::filesystem::remove(tools + "/git");
  tour = run_program(PAWL_BINARY, {"tour"}, ws.options(there));
  EXPECT_EQ(tour.exit, 0);
  EXPECT_EQ(tour.err, "");
  EXPECT_TRUE(has(tour.out, "apt-get install git\n")) << tour.out;
  EXPECT_TRUE(has(tour.out, "apt-get install git tmux\n")) << tour.out;
}

}  // namespace
}  // namespace pawl::test

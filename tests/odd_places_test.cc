// Where pawl is run that nobody planned for: an empty repository, none at all, a home that cannot be written, a
// terminal of twenty columns or without UTF-8. Through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/columns.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// What a newcomer types first, in this order.
const std::vector<std::vector<std::string>> kFirstDay = {{"doctor"}, {"status"},           {"log"}, {"guide"}, {"init"},
                                                         {"status"}, {"status", "--line"}, {"log"}, {"doctor"}};

// With the home that the options name, where they name one.
Ran in(const TempWorkspace& ws, const std::vector<std::string>& words, RunOptions options) {
  if (options.env.empty()) return ws.run(words, options);
  options.cwd = ws.path();
  return run_pawl(words, options);
}

void expect_all_work(const TempWorkspace& ws, const RunOptions& options) {
  for (const auto& words : kFirstDay) {
    const Ran ran = in(ws, words, options);
    EXPECT_EQ(ran.exit, 0) << words.front() << "\n" << ran.out << ran.err;
    EXPECT_FALSE(ran.out.empty()) << words.front();
  }
}

TEST(OddPlaces, EmptyRepository) {
  TempWorkspace ws;
  fs::remove_all(ws.file(".git"));
  ASSERT_EQ(run_program("git", {"init", "-q", ws.path()}).exit, 0);
  expect_all_work(ws, {});
}

TEST(OddPlaces, NoRepository) {
  TempWorkspace ws;
  fs::remove_all(ws.file(".git"));
  expect_all_work(ws, {});
  EXPECT_FALSE(ws.exists(".pawl")) << "a folder that is no project gets nothing put into it";
}

TEST(OddPlaces, HomeThatCanNotBeWritten) {
  TempWorkspace ws;
  RunOptions options;
  for (const char* home : {"HOME=/proc/1/nothing", "HOME=/dev/null", "HOME="}) {
    options.env = {home, "XDG_STATE_HOME="};
    expect_all_work(ws, options);
  }
  // Where the store itself would be at home, that is said.
  fs::remove_all(ws.file(".git"));
  fs::remove_all(ws.file(".pawl"));
  options.env = {"HOME=/dev/null", "XDG_STATE_HOME="};
  const Ran ran = in(ws, {"init"}, options);
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "/dev/null")) << ran.err;
}

class Terminal : public testing::Test {
 protected:
  Terminal() {
    ws.write("prd.json", R"({"stories": [{"id": "US-1", "title": "a story with a rather long title that goes on and on",
      "status": "done"}, {"id": "US-2", "title": "b", "status": "pending"}]})");
    ws.write(".worktrees/.status/4.json",
             R"({"issue": 4, "status": "error", "error_message": "tests fail: 12 of 40"})");
  }
  // Through a pseudo-terminal; stty gives it its width.
  [[nodiscard]] Ran shown(const std::vector<std::string>& words, int columns, std::vector<std::string> env) const {
    RunOptions options;
    options.env = std::move(env);
    options.env.emplace_back(cat("PAWL=", PAWL_BINARY));
    options.out = RunOptions::Stdout::terminal;
    std::string line = cat("stty cols ", columns, " <&1 && exec \"$PAWL\"");
    for (const std::string& word : words) line += cat(" ", word);
    return run_program("sh", {"-c", line}, ws.options(options));
  }
  TempWorkspace ws;
};

TEST_F(Terminal, TwentyColumnsAreEnoughForTheBoard) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  const Ran ran = shown({"status"}, 20, {"LANG=C.UTF-8", "TERM=xterm", "NO_COLOR=1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "story/US-1")) << ran.out;
  for (const std::string_view line : split(ran.out, '\n')) {
    std::string_view text = line;
    while (text.ends_with('\r')) text.remove_suffix(1);
    if (has(text, "pawl ")) continue;  // what to type is not cut
    EXPECT_LE(columns_of(text), 20U) << text;
  }
}

TEST_F(Terminal, WithoutUtf8NoSignOfPawlsOwnIsBroken) {
  for (const auto& words : kFirstDay) {
    const Ran ran = shown(words, 80, {"LC_ALL=C", "TERM=xterm", "NO_COLOR=1"});
    for (const char c : ran.out) {
      ASSERT_LT(static_cast<unsigned char>(c), 0x80) << words.front() << ":\n" << ran.out;
    }
  }
}

TEST_F(Terminal, NoColorAndADumbTerminalGetNoEscapes) {
  for (const char* wish : {"NO_COLOR=1", "TERM=dumb"}) {
    for (const auto& words : kFirstDay) {
      const Ran ran = shown(words, 80, {"LANG=C.UTF-8", wish});
      EXPECT_FALSE(has(ran.out, "\x1b")) << words.front() << " with " << wish << ":\n" << ran.out;
    }
  }
}

TEST_F(Terminal, AReaderThatWentAwayIsNoFault) {
  RunOptions options;
  options.out = RunOptions::Stdout::deaf;
  for (const auto& words : kFirstDay)
    EXPECT_FALSE(has(ws.run(words, options).err, "could not be written")) << words.front();
}

}  // namespace
}  // namespace pawl::test

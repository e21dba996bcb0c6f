// The example that the README points to, run as its reader will run it: what it does, the command line sees.
#include <gtest/gtest.h>

#include <string>

#include "support/binary.h"

namespace pawl::test {
namespace {

TEST(Example, BoardShowsWhatTheCommandLineShows) {
  const TempWorkspace project;
  const Ran board = run_program(PAWL_EXAMPLE, {project.path()}, project.options());
  ASSERT_EQ(board.exit, 0) << board.err;
  const Ran list = project.run({"issue", "list"});
  ASSERT_EQ(list.exit, 0) << list.err;
  for (const std::string word : {"7", "running", "8", "complete", "9", "error"}) {
    EXPECT_NE(board.out.find(word), std::string::npos) << word << " is not in:\n" << board.out;
    EXPECT_NE(list.out.find(word), std::string::npos) << word << " is not in:\n" << list.out;
  }
  EXPECT_NE(board.out.find("tests fail"), std::string::npos) << board.out;
}

TEST(Example, BoardIsToldWhatIsAllowed) {
  const TempWorkspace project;
  const Ran board = run_program(PAWL_EXAMPLE, {project.path()}, project.options());
  EXPECT_NE(board.out.find("refused: “finished” is not a status of an issue"), std::string::npos) << board.out;
}

}  // namespace
}  // namespace pawl::test

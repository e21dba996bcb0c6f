// Undo and files that pawl did not make: one file's change is taken back without the others', and what somebody wrote
// is not taken away.
#include <gtest/gtest.h>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

std::int64_t undone(const IssueProject& project) {
  return Json::parse(project.out({"undo", "--json"}), nullptr, false).value("undone", std::int64_t{-1});
}

// One look may find many changes; what a note says to undo is the one that it is about.
TEST(UndoOfFiles, OfAFileThatWasRemovedLeavesOtherFilesAlone) {
  const IssueProject project;
  const std::string one = R"({"issue": 1, "status": "complete", "session": "", "timestamp": "2026-01-30T09:00:00Z"})";
  const std::string two = R"({"issue": 2, "status": "error", "session": "s", "error_message": "precious"})";
  for (const bool back : {false, true}) {  // also as what is found when somebody comes back
    project.put(1, one);
    project.put(3, one);
    project.must({"init"});
    if (back) project.must({"leave"});
    project.put(2, two);
    project.edit(3, "\"session\": \"\"", "\"session\": \"theirs\"");
    project.drop(1);
    const Ran ran = project.run(back ? std::vector<std::string>{"init"} : std::vector<std::string>{"issue", "list"});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    const std::size_t at = ran.err.find("pawl undo ");
    ASSERT_NE(at, std::string::npos) << ran.err;
    const std::string number = ran.err.substr(at + 10, ran.err.find(' ', at + 10) - at - 10);
    const std::string said = project.out({"undo", number});
    EXPECT_TRUE(has(said, "issue/1: absent → complete")) << said;
    EXPECT_FALSE(has(said, "issue/2") || has(said, "issue/3")) << said;
    EXPECT_EQ(project.bytes(1), one);
    EXPECT_EQ(project.bytes(2), two);
    EXPECT_EQ(project.content(3)["session"], "theirs");
    project.drop(2);
  }
}

TEST(UndoOfFiles, TakesNoFileAwayThatSomebodyMade) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string two = R"({"issue": 2, "status": "error", "session": "s", "error_message": "precious"})";
  project.put(2, two);
  project.must({"issue", "list"});
  const Ran ran = project.run({"undo", "2"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "took over what somebody wrote into .worktrees/.status/2.json")) << ran.err;
  EXPECT_EQ(undone(project), 1) << "it is stepped over, as what stood there at first is";
  EXPECT_EQ(project.bytes(2), two);
  // What is changed in it later can be taken back.
  project.edit(2, "precious", "other");
  project.must({"undo"});
  EXPECT_EQ(project.bytes(2), two);
}

TEST(UndoOfFiles, PutsAFileBackThatCouldNotBeRead) {
  const IssueProject project;
  project.must({"issue", "set", "5", "running"});
  const std::string cut = R"({"issue": 6, "sta)";
  project.put(6, cut);
  EXPECT_TRUE(has(project.out({"issue", "remove", "6"}), "pawl undo 2  # puts it back"));
  ASSERT_EQ(project.bytes(6), "(none)");
  EXPECT_TRUE(has(project.out({"undo", "--dry-run"}), "6.json would come back as it was"));
  const std::string said = project.out({"undo"});
  EXPECT_TRUE(has(said, "6.json comes back as it was: it cannot be read")) << said;
  EXPECT_EQ(project.bytes(6), cut);
  EXPECT_EQ(project.get(5), "running");
  EXPECT_TRUE(has(project.run({"issue", "list"}).err, "cannot be read")) << "it is what it was";
  EXPECT_EQ(undone(project), 1) << "and again goes further";
  EXPECT_EQ(project.bytes(6), cut);
}

}  // namespace
}  // namespace pawl::test

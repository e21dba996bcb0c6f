// What comes back by a file, and what does not: removed and written again, set aside, dropped, cleaned, undone.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <filesystem>

#include "support/review_project.h"

namespace pawl::test {
namespace {

class ReviewBack : public testing::Test {
 protected:
  void SetUp() override { project.start(); }
  [[nodiscard]] Ran look() const { return project.run({"review", "status"}); }
  [[nodiscard]] std::string all_reviewed() const {
    std::string text = project.state_file();
    for (std::size_t at = 0; (at = text.find("| pending |", at)) != std::string::npos;)
      text.replace(at, 11, "| reviewed |");
    return text;
  }
  ReviewProject project;
};

TEST_F(ReviewBack, AFileThatWasRemovedAndWrittenAgainGoesByTheMoves) {
  const std::string good = project.state_file(), forged = all_reviewed();
  ASSERT_NE(good, forged);
  std::filesystem::remove(project.file(kStateFile));
  EXPECT_EQ(look().exit, 3);
  project.write(kStateFile, forged);
  const Ran ran = look();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "“pending” was put back; what was written is in .pawl/refused/")) << ran.err;
  for (const int number : {1, 2, 3}) EXPECT_EQ(project.chunk(number), "pending");
  EXPECT_EQ(project.state_file(), good);
}

TEST_F(ReviewBack, WrittenAgainAsItWasItGoesOn) {
  project.must({"review", "mark", "1", "in-progress"});
  project.must({"review", "mark", "1", "reviewed"});
  const std::string good = project.state_file();
  std::filesystem::remove(project.file(kStateFile));
  EXPECT_EQ(look().exit, 3);
  project.write(kStateFile, good);
  EXPECT_EQ(look().err, "");
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_EQ(project.state_file(), good);
}

// A row that is taken out and put in again is the same row.
TEST_F(ReviewBack, ARowThatWasTakenOutDoesNotComeBackReviewed) {
  const std::string good = project.state_file();
  const std::size_t begin = good.find("| 1 |"), end = good.find('\n', begin) + 1;
  const std::string row = good.substr(begin, end - begin);
  project.edit_file(kStateFile, row, "");
  EXPECT_TRUE(has(look().err, "no longer shows chunk/octo/cat#7/1"));
  project.edit_file(kStateFile, "| 2 |", replaced(row, "| pending |", "| reviewed |") + "| 2 |");
  EXPECT_TRUE(has(look().err, "“pending” was put back"));
  EXPECT_EQ(project.chunk(1), "pending");
}

// What a person could not have accepted is not advised.
TEST_F(ReviewBack, NoAcceptIsAdvisedThatWouldRefuse) {
  project.must({"review", "mark", "1", "skipped"});
  project.edit_file(kStateFile, "| 120 | skipped |", "| 120 | pending |");
  const Ran ran = look();
  EXPECT_TRUE(has(ran.err, "“skipped” was put back")) << ran.err;
  EXPECT_FALSE(has(ran.err, "pawl accept")) << ran.err;
  EXPECT_NE(project.run({"accept", project.only_kept("refused")}).exit, 0);
}

TEST_F(ReviewBack, ATickForOneThatIsSetAsideIsKeptAndSaid) {
  project.must({"review", "mark", "1", "in-progress"});
  const std::string ticked = replaced(project.todo(), "- [ ] Chunk 1", "- [x] Chunk 1");
  project.start("octo/cat#8", {"--yes"});
  const std::string eight = project.todo();
  project.write(kTodoFile, ticked);
  const Ran ran = project.run({"review", "continue", "octo/cat#7"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err,
                  "chunk/octo/cat#7/1 (“reviewed”) is set aside. Nothing of it was taken over; what was "
                  "written is in .pawl/refused/"))
      << ran.err;
  EXPECT_EQ(project.read(project.only_kept("refused")), ticked);
  EXPECT_EQ(project.chunk(1), "in-progress");
  EXPECT_TRUE(has(project.todo(), "octo/cat#7") && has(project.todo(), "- [ ] Chunk 1")) << project.todo();
  // Where it stays set aside, the file is the other's again.
  project.must({"review", "continue", "octo/cat#8"});
  project.write(kTodoFile, ticked);
  EXPECT_TRUE(has(look().err, "is set aside"));
  EXPECT_EQ(project.todo(), eight);
}

TEST_F(ReviewBack, WhatWasDroppedStaysSoAfterAKillAndAnEdit) {
  project.add("one");
  project.add("two", "minor");
  if (!project.killed_at(SYS_renameat2, {"review", "finding", "drop", "1"}))
    GTEST_SKIP() << "tracing is not to be had here";
  ASSERT_TRUE(has(project.state_file(), "Action Required one"));
  project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords\n\n## Findings");
  const Json left = project.json({"review", "finding", "list"});
  ASSERT_EQ(left.size(), 1U) << left;
  EXPECT_EQ(left[0]["title"], "two");
  EXPECT_FALSE(has(project.state_file(), "Action Required one")) << project.state_file();
  EXPECT_TRUE(has(project.state_file(), "## Mine\n\nwords\n"));
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 1U);
}

TEST_F(ReviewBack, AnUndoIsByteForByte) {
  project.add("one", "action-required", 1, {"--body", "first"});
  project.add("two", "minor", 2, {"--body", "second"});
  project.add("three", "recommended", 3);
  const std::string good = project.state_file();
  project.must({"review", "finding", "drop", "1", "2"});
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), good);
  project.must({"review", "finding", "edit", "3", "--body", "words", "--suggestion", "x = 1"});
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), good);
  // One after the other, too.
  project.must({"review", "finding", "edit", "3", "--body", "words", "--suggestion", "x = 1"});
  project.must({"review", "finding", "edit", "3", "--line", "9"});
  project.must({"undo"});
  project.must({"undo"});
  EXPECT_FALSE(has(project.state_file(), "\n\n\n")) << project.state_file();
}

TEST_F(ReviewBack, WhatIsCleanedWithConflictMarkersInItIsKeptAside) {
  const std::string conflict =
      replaced(project.state_file(), "## Findings", "<<<<<<< HEAD\n## Findings\n=======\n## Finding\n>>>>>>> other");
  project.write(kStateFile, conflict);
  const Ran ran = project.run({"review", "clean"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "had conflict markers in it; as it was it is kept in .pawl/refused/")) << ran.err;
  EXPECT_FALSE(has(ran.err, "left as it is")) << ran.err;
  EXPECT_TRUE(has(ran.out, "Cleaned up review state and todo files."));
  EXPECT_FALSE(project.exists(kStateFile));
  EXPECT_EQ(project.read(project.only_kept("refused")), conflict);
  project.must({"undo"});
  EXPECT_EQ(project.chunk(3), "pending");
  EXPECT_FALSE(has(project.state_file(), "<<<<"));
}

TEST_F(ReviewBack, SarifMayNameAFileByItsWholePath) {
  const auto add = [&](const std::string& uri) {
    RunOptions options;
    options.input = R"({"version": "2.1.0", "runs": [{"results": [{"message": {"text": "m"}, "locations": [
        {"physicalLocation": {"artifactLocation": {"uri": ")" +
                    uri + R"("}}}]}]}]})";
    return project.run({"review", "finding", "add"}, options);
  };
  const std::string root = std::filesystem::canonical(project.file("."));
  EXPECT_EQ(add("file://" + root + "/src/a%20b.c").exit, 0);
  EXPECT_EQ(add("file://localhost" + root + "/src/a.c").exit, 0);
  EXPECT_NE(add("file:///elsewhere/a.c").exit, 0);
  EXPECT_NE(add("file://" + root + "x/a.c").exit, 0);
  const Json all = project.json({"review", "finding", "list"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["file"], "src/a b.c");
  EXPECT_EQ(all[1]["file"], "src/a.c");
}

// Work that was begun is not forgotten because another one has the file.
TEST_F(ReviewBack, OneThatIsSetAsideStandsOnTheBoard) {
  EXPECT_FALSE(has(project.out({"status"}), "set aside"));
  project.start("octo/cat#8", {"--yes"});
  const Json board = project.json({"status"});
  const auto row = std::find_if(board["work"].begin(), board["work"].end(),
                                [](const Json& one) { return one["ref"] == "review/octo/cat#7"; });
  ASSERT_NE(row, board["work"].end()) << board;
  EXPECT_EQ((*row)["stands"], "waiting");
  EXPECT_EQ((*row)["why"], "set aside");
  EXPECT_EQ((*row)["advice"], "pawl review continue octo/cat#7  # takes it up again");
  EXPECT_EQ((*row)["of"], 3) << *row;
  EXPECT_TRUE(has(project.out({"status"}), "\n    pawl review continue octo/cat#7"));
  project.must({"review", "continue", "octo/cat#7"});
  EXPECT_TRUE(has(project.out({"status"}), "\n    pawl review continue octo/cat#8"));
  project.must({"review", "clean", "--pr", "octo/cat#8"});
  EXPECT_FALSE(has(project.out({"status"}), "octo/cat#8"));
}

}  // namespace
}  // namespace pawl::test

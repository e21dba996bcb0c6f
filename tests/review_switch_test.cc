// Another tool goes on to the next pull request: it writes a state file, and perhaps an export and a todo list, over
// those of the review before. What belongs to which is told by what the files say. Through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/review_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kMine = "- [ ] mine\n";

std::string state_of(int pr) {
  return "---\npr_owner: \"o\"\npr_repo: \"r\"\npr_number: " + std::to_string(pr) +
         "\nhead_sha: \"aaaa\"\nstarted: \"2026-11-18T10:30:00Z\"\nupdated: \"2026-11-18T10:45:00Z\"\nmode: \"full\"\n"
         "focus: \"\"\nself_review: false\n---\n\n## Chunk Plan\n\n| Chunk | Files | LOC | Status |\n"
         "|-------|-------|-----|--------|\n| 1 | a.ts | 1 | pending |\n\n## Findings\n\n## Comments by File\n\n"
         "```json\n{}\n```\n";
}

std::string export_of(int pr) { return "# Review Findings: o/r#" + std::to_string(pr) + "\n\n**Total findings:** 0\n"; }

class ReviewSwitch : public testing::Test {
 protected:
  ReviewSwitch() {
    write(1);
    project.write(kTodoFile, kMine);
  }
  void write(int pr) const {
    project.write(kStateFile, state_of(pr));
    project.write(kExportFile, export_of(pr));
  }
  [[nodiscard]] std::string exported() const { return project.read(kExportFile).value_or("(none)"); }
  ReviewProject project;
};

TEST_F(ReviewSwitch, TheExportOfTheOneThatComesIsItsOwn) {
  project.must({"init"});
  write(2);
  EXPECT_FALSE(has(project.run({"doctor"}).out, "damaged"));
  const Ran seen = project.run({"status"});
  EXPECT_FALSE(has(seen.err, "damaged")) << seen.err;
  EXPECT_EQ(exported(), export_of(2));
  EXPECT_FALSE(project.exists(".pawl/damaged"));
  EXPECT_EQ(project.run({"status"}).err, "");
  project.must({"review", "continue", "o/r#1"});
  EXPECT_EQ(exported(), export_of(1));
  EXPECT_EQ(project.todo(), kMine);
  project.must({"review", "continue", "o/r#2"});
  EXPECT_EQ(exported(), export_of(2));
}

TEST_F(ReviewSwitch, UndoBringsTheFilesOfTheOneBeforeAndItsUndoThoseOfTheNext) {
  project.must({"init"});
  write(2);
  project.must({"status"});
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), state_of(1));
  EXPECT_EQ(exported(), export_of(1));
  EXPECT_EQ(project.todo(), kMine);
  project.must({"undo", "3"});
  EXPECT_EQ(project.state_file(), state_of(2));
  EXPECT_EQ(exported(), export_of(2));
}

TEST_F(ReviewSwitch, ComingBackTheExportOfTheOneThatIsThereByNowIsItsOwn) {
  project.must({"init"});
  project.must({"leave"});
  write(2);
  const Ran back = project.run({"init"});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_FALSE(has(back.err + back.out, "damaged")) << back.err << back.out;
  EXPECT_EQ(exported(), export_of(2));
  project.must({"status"});
  EXPECT_EQ(exported(), export_of(2));
}

TEST_F(ReviewSwitch, FilesThatGoWithTheOneBeforeAreSaidWithTheWayBack) {
  project.must({"init"});
  project.edit_file(kStateFile, "pr_number: 1", "pr_number: 2");
  const Ran seen = project.run({"status"});
  for (const std::string_view file : {kExportFile, kTodoFile}) {
    EXPECT_TRUE(has(seen.err, std::string(file) + " was of o/r#1, and is set aside with it\n  pawl review continue "
                                                  "o/r#1  # brings it back as it was"))
        << seen.err;
  }
  EXPECT_EQ(exported(), "(none)");
  EXPECT_EQ(project.run({"status"}).err, "") << "said once";
  const Ran back = project.run({"review", "continue", "o/r#1"});
  EXPECT_FALSE(has(back.err, "is set aside with it")) << "who asks for it knows: " << back.err;
  EXPECT_EQ(exported(), export_of(1));
  EXPECT_EQ(project.todo(), kMine);
}

TEST_F(ReviewSwitch, ADamagedExportOfTheOneBeforeIsNotSaidToBeRestored) {
  project.must({"init"});
  project.write(kStateFile, state_of(2));
  project.write(kExportFile, "what is this\n");
  const Ran seen = project.run({"status"});
  EXPECT_TRUE(has(seen.err, "What it showed before has left it, and was not restored; the damaged one is kept in"))
      << seen.err;
  EXPECT_EQ(exported(), "(none)");
  EXPECT_EQ(project.read(project.only_kept("damaged")), "what is this\n");
}

// --- several files that show one record ---

TEST_F(ReviewSwitch, WhatCameInWithAnExportIsTheFirstLookAndNothingToUndo) {
  project.must({"init"});
  for (const std::vector<std::string>& args : {std::vector<std::string>{"undo"}, {"undo", "1"}}) {
    const Ran ran = project.run(args);
    EXPECT_EQ(ran.exit, 3) << ran.err;
    EXPECT_TRUE(has(ran.err, "there is nothing to undo: operation 1 only took over what stood in the files already"))
        << ran.err;
  }
  EXPECT_EQ(project.state_file(), state_of(1));
  EXPECT_EQ(exported(), export_of(1));
}

TEST_F(ReviewSwitch, AReviewIsCountedOnceThoughTwoFilesShowIt) {
  const std::string before = project.run({"doctor"}).out;
  EXPECT_TRUE(has(before, "pawl init would take over 2 things from 3 files")) << before;
  EXPECT_TRUE(has(before, "review-buddy-findings.md  belongs to what another file shows")) << before;
  project.must({"init"});
  EXPECT_TRUE(has(project.run({"doctor"}).out, "store: 2 records, 1 operation, 2 events"))
      << project.run({"doctor"}).out;
}

TEST_F(ReviewSwitch, EditsInTwoFilesThatShowItAreUndoneTogether) {
  project.must({"init"});
  const std::string edited = export_of(1) + "\nsee above\n";
  project.edit_file(kStateFile, "focus: \"\"", "focus: \"security\"");
  project.write(kExportFile, edited);
  project.must({"status"});
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), state_of(1));
  EXPECT_EQ(exported(), export_of(1));
  project.must({"undo", "3"});
  EXPECT_TRUE(has(project.state_file(), "focus: \"security\"")) << project.state_file();
  EXPECT_EQ(exported(), edited);
}

}  // namespace
}  // namespace pawl::test

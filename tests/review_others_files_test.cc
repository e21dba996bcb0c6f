// A todo list and an export that stood there before pawl did, or that another tool wrote: they are followed, set aside
// and brought back with the review that they belong to, and nothing that others wrote is lost.
#include <gtest/gtest.h>

#include "support/review_examples.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kTheirExport = R"(# Review Findings: owner/repo#123

**Exported:** 2024-01-15T10:45:00Z
**Head SHA:** abc123def456
**Total findings:** 1

---

### 🔴 Action Required Unchecked null dereference in user lookup

**File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** 95/100

The call.
)";

constexpr std::string_view kItems = R"(
- [x] Phase 1: context
- [x] Chunk 1: types.ts, interfaces.ts
- [x] Chunk 2: utils
- [ ] Chunk 3: core/engine.ts
- [ ] Chunk 4: components
- [ ] Chunk 5: tests
- [ ] ask Bob about the flag
)";

std::string their_todo(std::string_view heading) { return std::string(heading) + "\n" + std::string(kItems); }

// With a heading that names the pull request, and with one that does not.
class ReviewOthersFiles : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    project.write(kStateFile, kSeed);
    project.write(kTodoFile, todo);
    project.write(kExportFile, kTheirExport);
  }
  [[nodiscard]] std::string exported() const { return project.read(kExportFile).value_or("(none)"); }
  [[nodiscard]] std::string copies() const {
    std::string all;
    for (const char* folder : {".pawl/refused", ".pawl/kept"}) {
      const Ran ran = run_program("sh", {"-c", "cat " + project.file(folder) + "/* 2>/dev/null; true"});
      all += ran.out;
    }
    return all;
  }
  const std::string todo = their_todo(GetParam());
  ReviewProject project;
};

TEST_P(ReviewOthersFiles, InitChangesNoneOfThem) {
  project.must({"init"});
  EXPECT_EQ(project.state_file(), kSeed);
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(exported(), kTheirExport);
  project.must({"review", "finding", "add", "--file", "x.ts", "--severity", "minor", "--title", "new"});
  EXPECT_EQ(exported(), kTheirExport);
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

TEST_P(ReviewOthersFiles, FirstWritingCommandChangesNoneOfThem) {
  project.must({"review", "mark", "3", "reviewed"});
  EXPECT_EQ(exported(), kTheirExport);
  EXPECT_EQ(project.todo(), replaced(todo, "- [ ] Chunk 3", "- [x] Chunk 3"));
}

TEST_P(ReviewOthersFiles, TheirExportIsKeptWhenOneIsWrittenAndWhenTheReviewEnds) {
  project.must({"init"});
  EXPECT_TRUE(has(project.out({"review", "export"}), "was not written by pawl; it is kept in .pawl/kept/"));
  EXPECT_TRUE(has(copies(), "The call.")) << copies();
  project.must({"undo"});
  EXPECT_EQ(exported(), kTheirExport);
  const Ran ran = project.run({"review", "clean"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(exported(), "(none)");
  EXPECT_TRUE(has(ran.err, "is kept in .pawl/kept/")) << ran.err;
  project.must({"undo"});
  EXPECT_EQ(exported(), kTheirExport);
}

TEST_P(ReviewOthersFiles, OverADamagedStateFileTheExportStays) {
  project.write(kStateFile, "not a review");
  project.start("octo/cat#7");
  EXPECT_EQ(exported(), kTheirExport);
  const Ran ran = project.run({"review", "export"});
  EXPECT_TRUE(has(exported(), "octo/cat#7")) << exported();
  EXPECT_TRUE(has(ran.err, "was not written by pawl")) << ran.err << ran.out;
  EXPECT_TRUE(has(copies(), "The call."));
}

TEST_P(ReviewOthersFiles, ATodoIsSetAsideWithItsReviewAndComesBack) {
  project.must({"init"});
  project.start("octo/cat#7", {"--yes"});
  EXPECT_TRUE(project.todo().starts_with("# Review todo: octo/cat#7\n")) << project.todo();
  EXPECT_FALSE(has(project.todo(), "Bob")) << project.todo();
  project.must({"review", "mark", "1", "in-progress"});
  project.must({"review", "mark", "1", "reviewed"});
  project.must({"review", "continue", "owner/repo#123"});
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(exported(), kTheirExport);
  project.must({"review", "continue", "octo/cat#7"});
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1"));
  project.must({"review", "clean"});
  EXPECT_EQ(project.todo(), "(none)");
  project.must({"review", "continue", "owner/repo#123"});
  EXPECT_EQ(project.todo(), todo);
}

TEST_P(ReviewOthersFiles, CleanTakesTheWholeTodoAndKeepsACopy) {
  project.must({"init"});
  const Ran ran = project.run({"review", "clean"});
  EXPECT_EQ(project.todo(), "(none)");
  EXPECT_TRUE(has(copies(), "ask Bob about the flag")) << ran.err;
  project.must({"undo"});
  EXPECT_EQ(project.todo(), todo);
}

TEST_P(ReviewOthersFiles, AnotherReviewThatIsCleanedTakesNothing) {
  project.must({"init"});
  project.start("octo/cat#7", {"--yes"});
  project.must({"review", "continue", "owner/repo#123"});
  project.must({"review", "clean", "--pr", "octo/cat#7"});
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(exported(), kTheirExport);
}

TEST_P(ReviewOthersFiles, ItsTicksAreWishesAndKeptInStep) {
  project.must({"init"});
  project.edit_file(kTodoFile, "- [ ] Chunk 3", "- [x] Chunk 3");
  EXPECT_EQ(project.chunk(3), "reviewed");
  project.edit_file(kTodoFile, "- [ ] Chunk 5", "- [x] Chunk 5");
  EXPECT_TRUE(has(project.run({"review", "status"}).err, "is pending and cannot become reviewed"));
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 5"));
  project.must({"review", "mark", "4", "in-progress"});
  project.must({"review", "mark", "4", "reviewed"});
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 4"));
  project.must({"undo"});
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 4") && has(project.todo(), "- [x] Chunk 3")) << project.todo();
  // An item that somebody takes out is not missed, and nothing is said to have been put back.
  project.edit_file(kTodoFile, "- [x] Chunk 1: types.ts, interfaces.ts\n", "");
  EXPECT_EQ(project.run({"review", "status"}).err, "");
  EXPECT_FALSE(has(project.todo(), "Chunk 1"));
}

TEST_P(ReviewOthersFiles, ToldApartWhenAnotherToolSwitches) {
  project.must({"init"});
  std::string other = replaced(std::string(kSeed), "pr_number: 123", "pr_number: 124");
  project.write(kStateFile, other);
  const Ran seen = project.run({"review", "status"});
  EXPECT_TRUE(has(seen.err, "pawl review continue owner/repo#123  # takes it up again")) << seen.err;
  EXPECT_FALSE(has(project.todo(), "Bob")) << project.todo();
  project.must({"review", "continue", "owner/repo#123"});
  EXPECT_EQ(project.todo(), todo);
}

TEST_P(ReviewOthersFiles, AListThatDoesNotFitIsSaidAndLeftAtFirstSight) {
  const std::string other =
      replaced(replaced(todo, "- [x] Chunk 1", "- [ ] Chunk 1"), "- [ ] Chunk 3", "- [x] Chunk 3");
  project.write(kTodoFile, other);
  const Ran ran = project.run({"init"});
  EXPECT_TRUE(has(ran.err, "does not fit: chunk/owner/repo#123/1 is reviewed and not pending")) << ran.err;
  EXPECT_EQ(project.todo(), other);
  EXPECT_EQ(project.state_file(), kSeed);
  // What is changed from then on counts.
  project.must({"review", "mark", "3", "reviewed"});
  project.must({"review", "mark", "4", "in-progress"});
  project.edit_file(kTodoFile, "- [ ] Chunk 4", "- [x] Chunk 4");
  EXPECT_EQ(project.chunk(4), "reviewed");
}

INSTANTIATE_TEST_SUITE_P(Headings, ReviewOthersFiles,
                         testing::Values("# Review: owner/repo#123", "# PR review (owner/repo#123), second round",
                                         "# My list"));

TEST(ReviewTodo, TasksOfOthersAreKeptWhenTheReviewEnds) {
  const ReviewProject project;
  project.start();
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] ask Bob\n");
  const Ran ran = project.run({"review", "clean"});
  EXPECT_TRUE(has(ran.err, "is kept in .pawl/kept/")) << ran.err;
  const ReviewProject plain;
  plain.start();
  EXPECT_EQ(plain.run({"review", "clean"}).err, "");
}

TEST(ReviewTodo, AnotherPullRequestsListIsNotUsed) {
  const ReviewProject project;
  const std::string theirs = their_todo("# Review: owner/repo#123");
  project.write(kTodoFile, theirs);
  project.start("octo/cat#7");
  EXPECT_TRUE(project.todo().starts_with("# Review todo: octo/cat#7\n")) << project.todo();
  EXPECT_FALSE(has(project.todo(), "Bob"));
}

TEST(ReviewTodo, AnUndoneStartLeavesAListThatItDidNotChange) {
  const ReviewProject project;
  const std::string theirs = "# Todo\n\n- [ ] Chunk 1: look\n- [x] mine\n";
  project.write(kTodoFile, theirs);
  project.start("octo/cat#7");
  EXPECT_EQ(project.todo(), theirs);
  project.must({"undo"});
  EXPECT_EQ(project.todo(), theirs);
}

TEST(ReviewCutOff, HalfALineOfAFindingIsDamageAtFirstSight) {
  const std::string whole(kSeed);
  for (const std::string_view until : {"**Ma", "### ðŸ”´ Action Required Unch", "**File:** `core/eng"}) {
    const ReviewProject project;
    project.write(kStateFile, whole.substr(0, whole.find(until) + until.size()));
    const Ran ran = project.run({"doctor"});
    EXPECT_TRUE(has(ran.out, "cut off in this finding")) << until << "\n" << ran.out;
  }
  const ReviewProject project;  // a text may end so
  project.write(kStateFile, whole.substr(0, whole.find("```suggestion")) + "the end");
  EXPECT_FALSE(has(project.run({"doctor"}).out, "cut off"));
}

TEST(ReviewOnBoard, WhatStopsItNeedsAPersonAndWhatHappenedLastCounts) {
  const ReviewProject project;
  project.write(kStateFile, kSeed);
  project.must({"init"});
  project.must({"review", "mark", "3", "reviewed"});
  const auto row = [&] { return project.json({"status"})["work"][0]; };
  EXPECT_FALSE(has(string_or(row(), "since"), "2024-01-15")) << row();
  EXPECT_EQ(row()["stands"], "running");
  project.edit_file(kStateFile, "(additional findings", "- [HIGH] core/engine.ts:7 no check\n\n(additional findings");
  EXPECT_EQ(row()["stands"], "needs_person") << row();
  EXPECT_TRUE(has(string_or(row(), "why"), "looks like a finding")) << row();
  project.edit_file(kStateFile, "- [HIGH] core/engine.ts:7 no check\n\n", "");
  EXPECT_EQ(row()["stands"], "running") << row();
  project.edit_file(kStateFile, "head_sha: \"abc123def456\"", "head_sha: \"fffffff\"");
  EXPECT_EQ(row()["stands"], "needs_person") << row();
  EXPECT_TRUE(has(string_or(row(), "why"), "head_sha")) << row();
}

}  // namespace
}  // namespace pawl::test

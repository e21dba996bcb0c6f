// What a person agreed to is what is posted, once; and the head may go where it likes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewPosted : public ReviewOnGithub {
 protected:
  void lose_the_answer() const {
    practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "lost"}});
  }
};

// Between the lost answer and the next run a finding comes in, one is reworded, a note is written.
TEST_F(ReviewPosted, WhatCameSinceTheLostAnswerStays) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Posted");
  add("core/engine.c", 43, "minor", "Unmarked", {"--confidence", "5"});
  add("core/engine.c", 44, "minor", "To be reworded");
  lose_the_answer();
  EXPECT_NE(run({"post", "--yes"}).exit, 0);
  add("ui/form.c", 7, "recommended", "Added since");
  EXPECT_EQ(run({"finding", "edit", "L3", "--title", "Reworded since"}).exit, 0);
  project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords\n\n## Findings");

  const Ran again = run({"post", "--yes"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "it had been posted before") &&
              has(again.out, "not posted, as they were added or changed"))
      << again.out;
  EXPECT_EQ(reviews(1).size(), 1U);
  const Json left = json({"finding", "list"});
  ASSERT_EQ(left.size(), 2U) << left;
  EXPECT_EQ(left[0]["title"], "Reworded since");
  EXPECT_EQ(left[1]["title"], "Added since");
  EXPECT_TRUE(has(project.state_file(), "words")) << project.state_file();
  // And are posted by the next one, which is another.
  const Json rest = json({"post", "--yes"});
  EXPECT_FALSE(rest.contains("already")) << rest;
  EXPECT_EQ(rest["findings"].size(), 2U);
  EXPECT_EQ(reviews(1).size(), 2U);
  EXPECT_FALSE(project.exists(kStateFile));
}

// The board and the review itself say it, not the doctor alone; until somebody has looked.
TEST_F(ReviewPosted, ThatItsOutcomeIsNotKnownIsSaid) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Posted");
  EXPECT_FALSE(json({"status"}).contains("post_unknown"));
  lose_the_answer();
  EXPECT_NE(run({"post", "--yes"}).exit, 0);
  constexpr std::string_view kSaid = "it is not known whether it was posted: GitHub's answer was lost";
  constexpr std::string_view kTyped = "pawl review post --pr o/r#1  # looks for it there first";
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"status"}, {"show"}, {"post", "--dry-run"}, {"status", "--pr", "o/r#1"}}) {
    const Ran ran = run(verb);
    EXPECT_TRUE(has(ran.out, kSaid) && has(ran.out, kTyped)) << ran.out;
  }
  const Ran board = project.run({"status"});
  EXPECT_TRUE(has(board.out, "Needs you") && has(board.out, kSaid) && has(board.out, kTyped)) << board.out;
  // Also of one that was set aside since.
  json({"start", "o/r#2", "--yes"});
  const Ran aside = project.run({"status"});
  EXPECT_TRUE(has(aside.out, "Needs you") && has(aside.out, kTyped)) << aside.out;
  EXPECT_EQ(json({"post", "--pr", "o/r#1", "--yes"})["already"], true);
  EXPECT_FALSE(has(project.run({"status"}).out, "not known"));
  EXPECT_EQ(reviews(1).size(), 1U);
}

TEST_F(ReviewPosted, SaysWhereItIsAndWhatWasNotMarked) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Posted");
  add("core/engine.c", 43, "minor", "Unmarked", {"--confidence", "5"});
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "not marked, and so not said: L2; pawl review toggle marks one")) << dry.out;
  const Ran ran = run({"post", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "posted\n  https://github.com/o/r/pull/1#pullrequestreview-")) << ran.out;
  EXPECT_TRUE(has(ran.out, "not marked, and so not said: L2")) << ran.out;
}

TEST_F(ReviewPosted, AFileWithConflictMarkersGoesToo) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "minor", "Posted");
  const std::string conflict =
      replaced(project.state_file(), "## Findings", "<<<<<<< HEAD\n## Findings\n=======\n## Finding\n>>>>>>> other");
  project.write(kStateFile, conflict);
  const Ran ran = run({"post", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "Cleaned up review state and todo files.")) << ran.out;
  EXPECT_FALSE(project.exists(kStateFile)) << ran.err;
  EXPECT_EQ(project.read(project.only_kept("refused")), conflict);
}

TEST_F(ReviewPosted, WhatWasShownIsWhatIsPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "Shown");
  // While the question stands, somebody adds a finding by hand, and one is reworded.
  const std::string answer = project.file("../answer");
  ASSERT_EQ(mkfifo(answer.c_str(), 0600), 0);
  RunOptions options;
  options.env = env();
  Child asking(
      "sh",
      {"-c", "exec 3<>'" + answer + "'; exec script -qec '" + std::string(PAWL_BINARY) + " review post' /dev/null <&3"},
      project.options(options));
  ASSERT_TRUE(asking.wait_for("Post this review?"));
  project.edit_file(kStateFile, "## Comments by File",
                    "---\n\n### 🔴 Action Required Slipped in\n\n**File:** `core/engine.c:5`\n\n## Comments by File");
  std::ofstream(answer) << "y\n" << std::flush;
  const Ran ran = asking.finish();
  EXPECT_TRUE(has(ran.out, "the review was changed while this was asked; nothing was posted")) << ran.out;
  EXPECT_TRUE(reviews(1).empty());
  EXPECT_EQ(json({"finding", "list"}).size(), 2U);
}

TEST_F(ReviewPosted, ACutExportIsNotPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "one");
  add("core/engine.c", 43, "minor", "two");
  json({"export"});
  const std::string whole = project.read(kExportFile).value_or("(none)");
  project.write("cut.md", whole.substr(0, whole.find("---\n\n### 🟢 Minor two")));
  const Ran cut = run({"post", "--from", "cut.md", "--yes"});
  EXPECT_NE(cut.exit, 0);
  EXPECT_TRUE(has(cut.err, "it says **Total findings:** 2 and has 1") && has(cut.err, "write **Total findings:** 1"))
      << cut.err;
  EXPECT_TRUE(reviews(1).empty());
  project.write("less.md", replaced(*project.read("cut.md"), "findings:** 2", "findings:** 1"));
  EXPECT_EQ(json({"post", "--from", "less.md", "--yes"})["inline"], 1);
}

TEST_F(ReviewPosted, WhatIsOverIsSaid) {
  json({"start", "o/r#1"});
  json({"post", "--yes"});
  for (const std::vector<std::string>& args : {std::vector<std::string>{"comments", "--pr", "o/r#1"},
                                               {"post", "--pr", "o/r#1", "--yes"},
                                               {"export", "--pr", "o/r#1"},
                                               {"continue", "o/r#1"}}) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.exit, 1) << args[0] << ran.err;
    EXPECT_TRUE(has(ran.err, "the review of o/r#1 was posted")) << args[0] << ran.err;
  }
}

// Two processes with one export: the second to be answered finds the first one's review.
TEST_F(ReviewPosted, AnExportIsPostedByOneOfTwoProcesses) {
  const std::string head = string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
  project.write("alone.md", "# Review Findings: o/r#1\n\n**Head SHA:** " + head +
                                "\n\n---\n\n### 🟡 Recommended Alone\n\n**File:** `core/engine.c:5`\n\ntext\n");
  const std::string answer = project.file("../answer");
  ASSERT_EQ(mkfifo(answer.c_str(), 0600), 0);
  RunOptions options;
  options.env = env();
  Child asking("sh",
               {"-c", "exec 3<>'" + answer + "'; exec script -qec '" + std::string(PAWL_BINARY) +
                          " review post --from alone.md' /dev/null <&3"},
               project.options(options));
  ASSERT_TRUE(asking.wait_for("Post this review?"));
  json({"post", "--from", "alone.md", "--yes"});
  std::ofstream(answer) << "y\n" << std::flush;
  const Ran ran = asking.finish();
  EXPECT_TRUE(has(ran.out, "somebody else posted a review meanwhile")) << ran.out;
  EXPECT_EQ(reviews(1).size(), 1U);
}

// After a lost answer the export is edited: what it says since is posted, and what it said is not said again.
TEST_F(ReviewPosted, AnExportThatWasEditedSinceTheLostAnswerIsPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "First");
  json({"export"});
  const std::string shown = run({"post", "--from", std::string(kExportFile), "--dry-run"}).out;
  EXPECT_TRUE(has(shown, "[x] 🟡 core/engine.c:42")) << shown;  // it has no id there, and no gap for one
  lose_the_answer();
  EXPECT_NE(run({"post", "--from", std::string(kExportFile), "--yes"}).exit, 0);
  project.edit_file(kExportFile, "First", "Second");
  const Json posted = json({"post", "--from", std::string(kExportFile), "--yes"});
  EXPECT_EQ(posted["findings"].size(), 1U) << posted;
  EXPECT_EQ(reviews(1).size(), 2U);
  EXPECT_TRUE(has(to_line(inline_comments(1)), "Second"));
}

TEST_F(ReviewPosted, ASecondExportOfAReviewThatIsSetAsideKeepsTheEditedOne) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"export"});
  project.edit_file(kExportFile, "One", "Mine");
  json({"start", "o/r#2", "--yes"});
  const std::string kept = string_or(json({"export", "--pr", "o/r#1"})["replaced"], "copy");
  EXPECT_TRUE(has(project.read(kept).value_or(""), "Mine")) << kept;
}

// Another review's end is no reason to take this one's export away.
TEST_F(ReviewPosted, TheExportStaysWhenAnotherReviewIsCleaned) {
  json({"start", "o/r#1"});
  json({"start", "o/r#2", "--yes"});
  add("b.c", 1, "recommended", "One");
  json({"export"});
  json({"clean", "--pr", "o/r#1"});
  EXPECT_TRUE(project.exists(kExportFile));
}

}  // namespace
}  // namespace pawl::test

// A review's files as other hands leave them: edited, damaged, removed, replaced, in every form that is met.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/review_examples.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

class ReviewFiles : public testing::Test {
 protected:
  [[nodiscard]] Ran look() const { return project.run({"review", "status"}); }
  ReviewProject project;
};

TEST_F(ReviewFiles, EveryFormIsAdoptedAndNotAByteChanges) {
  for (const std::string_view text : {kSeed, kForms}) {
    for (const bool returns : {false, true}) {
      const ReviewProject one;
      std::string bytes(text);
      if (returns) {
        for (std::size_t at = 0; (at = bytes.find('\n', at)) != std::string::npos; at += 2) bytes.insert(at, "\r");
      }
      one.write(kStateFile, bytes);
      one.must({"init"});
      one.must({"review", "status"});
      one.must({"review", "finding", "list"});
      one.must({"review", "export", "--sarif"});
      EXPECT_EQ(one.state_file(), bytes);
      // There and back again is the same but for the time of the last change.
      one.must({"review", "toggle", "1"});
      one.must({"review", "toggle", "1"});
      one.must({"undo"});
      one.must({"undo"});
      const Json state = one.state();
      EXPECT_EQ(state["chunks"].size(), text == kSeed ? 5U : 2U);
      EXPECT_EQ(state["findings"].size(), text == kSeed ? 1U : 3U);
      EXPECT_TRUE(has(one.state_file(), text == kSeed ? "(additional findings" : "Free words at the end"));
    }
  }
}

TEST_F(ReviewFiles, AReviewThatBeginsAnewHasNothingOfTheOneBefore) {
  project.write(kStateFile, kSeed);
  project.must({"init"});
  const std::string pr = string_or(project.state(), "pr_owner") + "/" + string_or(project.state(), "pr_repo") + "#123";
  project.must({"review", "clean"});
  project.start(pr);
  EXPECT_FALSE(has(project.state_file(), "Unchecked null dereference")) << project.state_file();
  EXPECT_FALSE(has(project.state_file(), "interfaces.ts")) << project.state_file();
  EXPECT_TRUE(project.json({"review", "finding", "list"}).empty());
}

TEST_F(ReviewFiles, IdsOfAFileWithoutAnyArePawlsAndStay) {
  project.write(kStateFile, kForms);
  const Json findings = project.json({"review", "finding", "list"});
  EXPECT_EQ(findings[0]["id"], "H1");
  EXPECT_EQ(findings[1]["id"], "M2");
  EXPECT_EQ(findings[2]["id"], "L3");
  project.must({"init"});
  // Edited by hand: title, line and text one after the other.
  project.edit_file(kStateFile, "Damaged on its way", "Another title");
  EXPECT_EQ(project.json({"review", "finding", "show", "L3"})["title"], "Another title");
  project.edit_file(kStateFile, "we|rd.ts:3", "we|rd.ts:33");
  EXPECT_EQ(project.json({"review", "finding", "show", "L3"})["line"], 33);
  project.edit_file(kStateFile, "### 🖼 Visual Evidence", "### 🖼 Seen");
  EXPECT_TRUE(has(string_or(project.json({"review", "finding", "show", "L3"}), "body"), "Seen"));
  // Taken out by hand, it is gone; a new one is another.
  const std::string text = project.state_file();
  const std::size_t begin = text.find("### ðŸŸ¢ Minor Another title"), end = text.find("Free words");
  project.write(kStateFile, text.substr(0, begin) + text.substr(end));
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 2U);
  project.edit_file(kStateFile, "Free words", "### 🟢 Minor New\n\n---\n\nFree words");
  EXPECT_EQ(project.json({"review", "finding", "list"})[2]["id"], "L4");
}

TEST_F(ReviewFiles, WhatPawlDoesNotUnderstandStaysInPlace) {
  project.write(kStateFile, kForms);
  project.must({"review", "mark", "2", "skipped"});
  project.must({"review", "finding", "add", "--file", "x.ts", "--severity", "minor", "--title", "new"});
  project.must({"review", "finding", "drop", "M2"});
  const std::string text = project.state_file();
  for (const char* part : {"# written by another tool", "reviewer: {name: ann, team: [a, b]}",
                           "Some words of the reviewer's own.", "## Notes", "Free words at the end of the section.",
                           "## Something Else", "### 🔴 Action Required this is another section",
                           "pr_number: 7   # the pull request", "<!-- reviewer-internal:"})
    EXPECT_TRUE(has(text, part)) << part;
  EXPECT_TRUE(text.ends_with("The end, without a newline"));
}

TEST_F(ReviewFiles, LegalEditsAreTakenOverAndOthersPutBack) {
  project.start();
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | in-progress |");
  EXPECT_EQ(project.chunk(1), "in-progress");
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 1"));
  project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | reviewed |");
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1"));
  project.edit_file(kStateFile, "| 120 | reviewed |", "| 120 | pending |");
  const Ran back = look();
  EXPECT_TRUE(has(back.err, "“reviewed” was put back")) << back.err;
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |"));
  project.edit_file(kStateFile, "| 450 | pending |", "| 450 | finished |");
  const Ran unknown = look();
  EXPECT_TRUE(has(unknown.err, "pending, in-progress, reviewed or skipped")) << unknown.err;
  EXPECT_EQ(project.chunk(2), "pending");
}

TEST_F(ReviewFiles, TwoInProgressAreOne) {
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kStateFile, "| 450 | pending |", "| 450 | in-progress |");
  const Ran ran = look();
  EXPECT_TRUE(has(ran.err, "no other chunk in progress")) << ran.err;
  EXPECT_EQ(project.chunk(1), "in-progress");
  EXPECT_EQ(project.chunk(2), "pending");
  // Handed on in one edit it is fine.
  project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | reviewed |");
  project.edit_file(kStateFile, "| 450 | pending |", "| 450 | in-progress |");
  EXPECT_EQ(project.chunk(2), "in-progress");
  // In a file that pawl never saw, both are shown and said.
  const ReviewProject other;
  other.write(kStateFile, replaced(std::string(kSeed), "| 200 | pending |", "| 200 | in-progress |"));
  EXPECT_TRUE(has(other.out({"review", "status"}), "chunks 3 and 5 are both in progress"));
  EXPECT_EQ(other.run({"review", "mark", "4", "in-progress", "--strict"}).exit, 1);
  other.must({"review", "mark", "5", "skipped"});
}

TEST_F(ReviewFiles, ATickIsAWish) {
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kTodoFile, "- [ ] Chunk 1", "- [x] Chunk 1");
  EXPECT_EQ(project.chunk(1), "reviewed");
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |"));
  // One that was never begun cannot be reviewed; the tick goes, and it is said how.
  project.edit_file(kTodoFile, "- [ ] Chunk 2", "- [x] Chunk 2");
  const Ran ran = look();
  EXPECT_TRUE(has(ran.err, "is pending and cannot become reviewed")) << ran.err;
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 2"));
  // Nor is one taken back by an empty box.
  project.edit_file(kTodoFile, "- [x] Chunk 1", "- [ ] Chunk 1");
  EXPECT_TRUE(has(look().err, "“reviewed” was put back"));
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1"));
}

TEST_F(ReviewFiles, TasksAndTicksOfOthersAreKept) {
  project.start();
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [x] ask ann\n- [ ] Chunky bacon\n");
  project.edit_file(kTodoFile, "- [ ] Check the findings", "* [X] Check the findings");
  for (const char* number : {"1", "2", "3"}) project.must({"review", "mark", number, "skipped"});
  const std::string todo = project.todo();
  for (const char* part : {"- [x] ask ann\n- [ ] Chunky bacon\n", "* [X] Check the findings", "- [x] Review the chunks",
                           "- [x] Chunk 3: tests/x.test.ts (skipped)"})
    EXPECT_TRUE(has(todo, part)) << part << todo;
  // One of another tool's, which does not say whose it is.
  const ReviewProject other;
  other.write(kStateFile, kSeed);
  other.write(kTodoFile, "# Todo\n\n- [ ] Phase 1\n  - [ ] **Chunk 3**: the engine\n");
  other.must({"init"});
  EXPECT_EQ(other.todo(), "# Todo\n\n- [ ] Phase 1\n  - [ ] **Chunk 3**: the engine\n");
  other.must({"review", "mark", "3", "reviewed"});
  EXPECT_EQ(other.todo(), "# Todo\n\n- [ ] Phase 1\n  - [x] **Chunk 3**: the engine\n");
}

TEST_F(ReviewFiles, WithoutATodoNoneIsMade) {
  project.write(kStateFile, kSeed);
  project.must({"init"});
  project.must({"review", "mark", "3", "reviewed"});
  EXPECT_FALSE(project.exists(kTodoFile));
}

TEST_F(ReviewFiles, DamageIsNamedKeptAsideAndMended) {
  project.start();
  project.add("one");
  const std::string good = project.state_file();
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"pr_number: 7", "pr_number: none"},
                                 {"| Chunk | Files |", "| Chunk | Names |"},
                                 {"---\n\n## Chunk Plan", "## Chunk Plan"},
                                 {"```json", "````json"}}) {
    project.edit_file(kStateFile, from, to);
    const std::string bad = project.state_file();
    const Ran ran = look();
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, "Warning: Review state file is corrupted or has an unexpected format.")) << ran.err;
    EXPECT_TRUE(has(ran.err, "Its last good content was restored; the damaged one is kept in .pawl/damaged/"))
        << ran.err;
    EXPECT_EQ(project.state_file(), good);
    bool found = false;
    for (const std::string& name : project.kept("damaged"))
      found = found || project.read(".pawl/damaged/" + name) == bad;
    EXPECT_TRUE(found);
  }
  project.write(kStateFile, "");
  EXPECT_EQ(look().exit, 0);
  EXPECT_EQ(project.state_file(), good);
}

TEST_F(ReviewFiles, WithoutAnEarlierStateAFreshOneStarts) {
  project.write(kStateFile, "what is this");
  const Ran ran = look();
  EXPECT_EQ(ran.exit, 3);
  const std::string_view warning = "Warning: Review state file is corrupted or has an unexpected format.\n";
  EXPECT_TRUE(has(ran.err, warning)) << ran.err;
  EXPECT_FALSE(has(ran.err, "Starting a fresh")) << ran.err;  // that only looked
  EXPECT_EQ(project.state_file(), "what is this");
  RunOptions options;
  options.input = R"([{"files": ["z.ts"], "loc": 1}])";
  const Ran begun = project.run({"review", "start", "octo/cat#7", "--plan", "-", "--head", "abc123def456"}, options);
  EXPECT_EQ(begun.exit, 0) << begun.err;
  EXPECT_TRUE(has(begun.err, warning) && has(begun.err, "Starting a fresh review session.\n")) << begun.err;
  EXPECT_TRUE(has(project.state_file(), "pr_number: 7"));
  EXPECT_EQ(project.read(project.only_kept("damaged")), "what is this");
}

TEST_F(ReviewFiles, AHugeFileIsLeftAlone) {
  project.start();
  std::filesystem::resize_file(project.file(kStateFile), std::uintmax_t{100} << 20U);
  const Ran ran = look();
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "is larger than") && has(ran.err, "left alone")) << ran.err;
  EXPECT_EQ(std::filesystem::file_size(project.file(kStateFile)), std::uintmax_t{100} << 20U);
}

TEST_F(ReviewFiles, RemovedItEndsAndUndoBringsItBack) {
  project.start();
  project.add("one");
  const std::string state = project.state_file();
  std::filesystem::remove(project.file(kStateFile));
  const Ran ran = look();
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "was removed outside pawl") && has(ran.err, "and 1 more")) << ran.err;
  EXPECT_FALSE(project.exists(kStateFile));
  project.must({"undo"});
  EXPECT_EQ(project.state_file(), state);
}

TEST_F(ReviewFiles, AnotherPullsFileSetsTheFirstAside) {
  project.start();
  project.add("one");
  project.write(kStateFile, kSeed);
  const Ran ran = look();
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(has(ran.out, "owner/repo#123"));
  EXPECT_EQ(project.json({"review", "list"}).size(), 2U);
  EXPECT_EQ(project.state_file(), kSeed);
  project.must({"review", "continue", "octo/cat#7"});
  EXPECT_TRUE(has(project.state_file(), "pr_number: 7") && has(project.state_file(), "Action Required one"));
  project.must({"review", "continue", "owner/repo#123"});
  EXPECT_EQ(project.state_file(), kSeed);
}

// In the same second, too, as scripts do it.
TEST_F(ReviewFiles, BegunAnewAtOnceItHasNothingOfTheOneBefore) {
  for (int i = 0; i < 3; ++i) {  // one of them is within a second
    project.start();
    project.add("of the first");
    project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] ask ann\n");
    project.must({"review", "clean"});
    RunOptions options;
    options.input = R"([{"files": ["z.ts"], "loc": 1}])";
    ASSERT_EQ(project.run({"review", "start", "octo/cat#7", "--plan", "-", "--head", "ffff0000"}, options).exit, 0);
    EXPECT_FALSE(has(project.state_file(), "of the first") || has(project.state_file(), "core/engine.ts"))
        << project.state_file();
    EXPECT_FALSE(has(project.todo(), "Chunk 2")) << project.todo();
    EXPECT_EQ(project.json({"review", "status"})["chunks"].size(), 1U);
    EXPECT_TRUE(project.json({"review", "finding", "list"}).empty());
    project.must({"review", "clean"});
  }
}

// Two findings that say the same are two.
TEST_F(ReviewFiles, TwinsAreTold) {
  project.start();
  project.add("same");
  project.add("same");
  project.add("same");
  project.must({"review", "toggle", "H2"});
  const Json all = project.json({"review", "finding", "list"});
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1]["marked"], false);
  EXPECT_EQ(all[0]["marked"], true);
  project.must({"review", "finding", "drop", "H2"});
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 2U);
  std::size_t count = 0;
  const std::string text = project.state_file();
  for (std::size_t at = 0; (at = text.find("Required same", at)) != std::string::npos; ++at) ++count;
  EXPECT_EQ(count, 2U);
}

// What the log shows of a text ends at a character, and what pawl notes for itself is none of it. A review's own time
// is not that of its findings.
TEST(ReviewFilesInTheLog, AnExportIsToldOfInWholeLetters) {
  const ReviewProject project;
  project.start();
  project.write(kExportFile,
                "# Review Findings: octo/cat#7\n\n**Total findings:** 1\n\n### \U0001F534 Action Required x\n");
  const std::string log = project.run({"log", "--limit", "1"}).out;
  EXPECT_TRUE(has(log, "export nothing → “# Review Findings: octo/cat#7")) << log;
  EXPECT_TRUE(has(log, "### …”\n")) << log;
  EXPECT_FALSE(has(project.run({"show", "review/octo/cat#7"}).out, "updated:"));
}

// Whichever go at once, the file shows those that stay and no other: one that stayed there came back with the next
// edit, and was posted.
TEST(ReviewFilesDropped, EverySubsetIsGoneFromTheFile) {
  constexpr unsigned kFindings = 4;
  for (unsigned goes = 1; goes < 1U << kFindings; ++goes) {
    const ReviewProject project;
    project.start();
    for (unsigned i = 1; i <= kFindings; ++i) project.add("title " + std::to_string(i));
    const std::string before = project.state_file();
    std::vector<std::string> drop = {"review", "finding", "drop"};
    for (unsigned i = 1; i <= kFindings; ++i) {
      if ((goes >> (i - 1) & 1U) != 0) drop.push_back("H" + std::to_string(i));
    }
    project.must(drop);
    const std::string after = project.state_file();
    for (unsigned i = 1; i <= kFindings; ++i)
      EXPECT_EQ(has(after, "title " + std::to_string(i)), (goes >> (i - 1) & 1U) == 0) << goes << "\n" << after;
    // What an agent edits next brings nothing back.
    project.edit_file(kStateFile, "| 120 | pending |", "| 120 | in-progress |");
    EXPECT_EQ(project.json({"review", "finding", "list"}).size(),
              kFindings - static_cast<unsigned>(__builtin_popcount(goes)))
        << goes;
    EXPECT_EQ(project.run({"doctor"}).exit, 0);
    project.must({"undo"});
    project.must({"undo"});
    EXPECT_EQ(project.state_file(), before) << goes;
  }
}

// One that says nothing of where it is comes back as it was.
TEST(ReviewFilesDropped, WithoutAPlaceComesBackByUndo) {
  for (const char* const values : {"", "**Category:** bug\n\n", "**File:** \n\n", "**Note:** so\n\n"}) {
    const ReviewProject project;
    project.start();
    const std::string block = cat("### \xF0\x9F\x94\xB4 Action Required one\n\n", values, "Some words.\n\n");
    project.edit_file(kStateFile, "## Comments by File", cat(block, "## Comments by File"));
    project.must({"review", "finding", "list"});
    const std::string before = project.state_file();
    project.must({"review", "finding", "drop", "H1"});
    project.must({"undo"});
    EXPECT_TRUE(has(project.state_file(), "Action Required one")) << values << project.state_file();
    EXPECT_TRUE(has(project.out({"review", "finding", "show", "H1"}), "Some words.")) << values;
  }
}

TEST(ReviewFilesEdited, AFindingWithValuesAndWithoutAPlaceIsGivenOne) {
  const ReviewProject project;
  project.start();
  const std::string block =
      "### \xF0\x9F\x94\xB4 Action Required one\n\n**Category:** bug | **Confidence:** 95/100\n\ntext\n\n";
  const std::string other =
      "---\n\n### \xF0\x9F\x9F\xA1 Recommended: two\n\n**Category:** bug\n**File:** `core/e.ts:3`\n**Author:** "
      "me\n\nhm\n\n";
  project.edit_file(kStateFile, "## Comments by File", cat(block, other, "## Comments by File"));
  project.must({"review", "finding", "list"});
  const std::string before = project.state_file();
  project.must({"review", "finding", "edit", "H1", "--file", "core/e.ts", "--line", "2"});
  const std::string after = project.state_file();
  EXPECT_TRUE(has(after, "**Category:** bug | **Confidence:** 95/100 | **File:** `core/e.ts:2`")) << after;
  EXPECT_TRUE(has(after, "**Author:** me")) << after;
  EXPECT_EQ(after.find("Action Required one"), after.rfind("Action Required one")) << after;
}

}  // namespace
}  // namespace pawl::test

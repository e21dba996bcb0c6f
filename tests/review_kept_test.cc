// Nothing that a person wrote into a review's files is lost: not when another review takes its place, not after a kill,
// not because something in it cannot be read.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <filesystem>

#include "support/review_examples.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

class ReviewKept : public testing::Test {
 protected:
  [[nodiscard]] Ran look() const { return project.run({"review", "status"}); }
  [[nodiscard]] Ran start_nine(const std::string& plan) const {
    RunOptions options;
    options.input = plan;
    return project.run({"review", "start", "octo/cat#9", "--head", "abc123def456", "--plan", "-"}, options);
  }
  void write_notes() const {
    project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords about seven\n\n## Findings");
    project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [x] a task of mine\n");
  }
  void notes_are_there() const {
    EXPECT_TRUE(has(project.state_file(), "## Mine\n\nwords about seven\n")) << project.state_file();
    EXPECT_TRUE(has(project.todo(), "- [x] a task of mine\n")) << project.todo();
  }
  [[nodiscard]] std::size_t findings() const { return project.json({"review", "finding", "list"}).size(); }
  // Damaged so, it is mended, said and kept.
  void is_damage(const std::string& bad, std::string_view named) const {
    const std::string good = project.state_file();
    project.write(kStateFile, bad);
    const Ran ran = look();
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, "Warning: Review state file is corrupted or has an unexpected format.")) << ran.err;
    EXPECT_TRUE(has(ran.err, named)) << ran.err;
    EXPECT_TRUE(has(ran.err, "Its last good content was restored; the damaged one is kept in .pawl/damaged/"))
        << ran.err;
    EXPECT_EQ(project.state_file(), good);
    bool kept = false;
    for (const std::string& name : project.kept("damaged")) kept = kept || project.read(".pawl/damaged/" + name) == bad;
    EXPECT_TRUE(kept);
  }
  ReviewProject project;
};

// Written by hand, with no command in between that would have seen it.
TEST_F(ReviewKept, NotesAreKeptWhenTheNextCommandStartsAnotherReview) {
  project.start();
  write_notes();
  const std::string state = project.state_file(), todo = project.todo();
  project.start("octo/cat#8", {"--yes"});
  EXPECT_FALSE(has(project.state_file(), "about seven"));
  project.must({"review", "continue", "octo/cat#7"});
  notes_are_there();
  EXPECT_EQ(project.state_file(), state);
  EXPECT_EQ(project.todo(), todo);
}

TEST_F(ReviewKept, NotesAreKeptWhenTheNextCommandContinuesAnotherReview) {
  project.start("octo/cat#8");
  project.start("octo/cat#7", {"--yes"});
  write_notes();
  project.must({"review", "continue", "octo/cat#8"});
  project.must({"review", "continue", "octo/cat#7"});
  notes_are_there();
}

TEST_F(ReviewKept, NotesAreKeptWhenTheReviewIsCleanedAnotherBegunAndTheCleaningUndone) {
  project.start();
  write_notes();
  project.must({"review", "clean"});
  const std::string cleaned = std::to_string(integer_or(project.log()[0], "operation"));
  project.start("octo/cat#8");
  project.must({"undo", cleaned});
  project.must({"review", "continue", "octo/cat#7"});
  notes_are_there();
}

// Two make room at once: the one that pawl knew, and one that somebody had put in its place.
TEST_F(ReviewKept, AFilePutInPlaceByHandIsKeptToo) {
  project.start();
  write_notes();
  project.must({"review", "status"});
  project.write(kStateFile, replaced(std::string(kSeed), "## Findings", "Words about it.\n\n## Findings"));
  project.start("octo/cat#8", {"--yes"});
  project.must({"review", "continue", "owner/repo#123"});
  EXPECT_TRUE(has(project.state_file(), "Words about it.")) << project.state_file();
  project.must({"review", "continue", "octo/cat#7"});
  notes_are_there();
}

TEST_F(ReviewKept, AFindingIsInTheFileAfterAKillAndAnEdit) {
  project.start();
  project.add("one");
  if (!project.killed_at(SYS_renameat2, {"review", "finding", "add", "--file", "a.ts", "--severity", "minor", "--title",
                                         "Half a finding"}))
    GTEST_SKIP() << "tracing is not to be had here";
  EXPECT_FALSE(has(project.state_file(), "Half a finding"));
  project.edit_file(kStateFile, "## Findings", "## Mine\n\nwords\n\n## Findings");
  EXPECT_EQ(findings(), 2U);
  EXPECT_TRUE(has(project.state_file(), "Half a finding") && has(project.state_file(), "## Mine\n\nwords\n"))
      << project.state_file();
  project.must({"review", "mark", "1", "skipped"});
  EXPECT_EQ(findings(), 2U);
}

TEST_F(ReviewKept, NotesAreKeptAfterAKillBetweenTwoReviews) {
  project.start("octo/cat#8");
  project.start("octo/cat#7", {"--yes"});
  project.add("one");
  if (!project.killed_at(SYS_renameat2, {"review", "continue", "octo/cat#8"}))
    GTEST_SKIP() << "tracing is not to be had here";
  ASSERT_TRUE(has(project.state_file(), "pr_number: 7"));
  project.edit_file(kStateFile, "Action Required one", "Action Required one, reworded");
  write_notes();
  const Json list = project.json({"review", "list"});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_NE(list[0]["current"], list[1]["current"]) << list;
  EXPECT_TRUE(has(project.state_file(), "pr_number: 8"));
  project.must({"review", "continue", "octo/cat#7"});
  notes_are_there();
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["title"], "one, reworded");
}

// What stood under “Findings” before there was one does not become the first one's text.
TEST_F(ReviewKept, WordsAmongTheFindingsStayNobodys) {
  project.start();
  project.edit_file(kStateFile, "## Comments by File", "A note of mine.\n\n## Comments by File");
  project.add("one");
  project.must({"review", "toggle", "all"});
  project.must({"review", "toggle", "none"});
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["body"], "");
  project.must({"review", "finding", "drop", "1"});
  EXPECT_TRUE(has(project.state_file(), "\nA note of mine.\n")) << project.state_file();
}

// A comment that begins in a heading ends there; what follows is not swallowed, and the file does not vanish.
TEST_F(ReviewKept, ACommentThatBeginsInAHeadingSwallowsNothing) {
  project.start();
  project.add("one", "action-required", 1, {"--body", "first"});
  project.add("two", "minor", 2, {"--body", "second"});
  project.edit_file(kStateFile, "Action Required one", "Action Required one <!-- to myself");
  project.edit_file(kStateFile, "first", "first, still to myself --> and said");
  EXPECT_EQ(findings(), 2U);
  project.must({"review", "finding", "edit", "H1", "--body", "other words"});
  project.must({"review", "mark", "1", "skipped"});
  project.must({"review", "finding", "edit", "L2", "--title", "zwei"});
  EXPECT_EQ(findings(), 2U);
  EXPECT_TRUE(has(project.state_file(), "one <!-- to myself") && has(project.state_file(), "other words"))
      << project.state_file();
  // What may have been meant as a comment is not for others.
  project.must({"review", "finding", "edit", "H1", "--body", "still to myself --> and said"});
  project.must({"review", "export"});
  const std::string out = project.read(kExportFile).value_or("(none)");
  EXPECT_FALSE(has(out, "to myself")) << out;
  EXPECT_TRUE(has(out, "and said")) << out;
}

TEST_F(ReviewKept, ACommentThatBeginsAmongTheValuesSwallowsNothing) {
  project.start();
  project.add("one", "action-required", 1, {"--category", "bug", "--body", "first"});
  project.add("two", "minor", 2, {"--body", "second"});
  project.edit_file(kStateFile, "**Category:** bug", "**Category:** bug <!-- open");
  project.edit_file(kStateFile, "first", "first --> last");
  EXPECT_EQ(findings(), 2U);
  project.must({"review", "finding", "edit", "H1", "--body", "no end of it"});
  project.must({"review", "mark", "1", "skipped"});
  project.must({"review", "finding", "drop", "L2"});
  EXPECT_EQ(findings(), 1U);
  EXPECT_TRUE(has(project.state_file(), "no end of it") && has(project.state_file(), "| 120 | skipped |"))
      << project.state_file();
}

TEST_F(ReviewKept, ASeverityThatCanNotBeReadIsDamage) {
  project.start();
  project.add("one");
  project.add("two", "minor");
  const std::string good = project.state_file();
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"### 🔴 Action Required one", "### one"},
                                 {"### 🔴 Action Required one", "### 🔴 Critical one"},
                                 {"### 🟢 Minor two", "### ? Minor two"},
                                 {"### 🟢 Minor two", "### Minor two"}})
    is_damage(replaced(good, from, to), "a finding whose severity cannot be read");
  is_damage(replaced(good, "### 🟢 Minor two", "## 🟢 Minor two"), "the heading of a finding begins with ###");
  EXPECT_EQ(findings(), 2U);
  // Headings of a finding's own are none of that.
  project.edit_file(kStateFile, "## Comments by File", "### 🔴 Red flags\n\nnone\n\n## Comments by File");
  EXPECT_EQ(look().err, "");
  EXPECT_TRUE(has(string_or(project.json({"review", "finding", "show", "L2"}), "body"), "Red flags"));
  // A text that looks like one does no harm either.
  project.must({"review", "finding", "edit", "L2", "--body", "### Such as\n\n**File:** `x.ts:1`\n\nmore"});
  EXPECT_EQ(findings(), 2U);
  project.edit_file(kStateFile, "## Comments by File", "\n## Comments by File");
  EXPECT_EQ(look().err, "");
}

TEST_F(ReviewKept, AFileThatWasCutOffIsDamage) {
  project.start();
  project.add("one", "action-required", 1, {"--body", "the first text\n\nwith a second line"});
  project.add("two", "minor", 2, {"--body", "the second text"});
  const std::string good = project.state_file();
  // Wherever it is cut, no finding is taken for dropped.
  for (std::size_t length = 1; length < good.size() - 8; length += 7) {
    project.write(kStateFile, good.substr(0, length));
    const Ran ran = look();
    ASSERT_EQ(ran.exit, 0) << length << ran.err;
    ASSERT_EQ(findings(), 2U) << length << good.substr(0, length);
    ASSERT_EQ(project.chunk(3), "pending") << length;
    ASSERT_TRUE(has(project.state_file(), "the second text")) << length;
  }
  is_damage(good.substr(0, good.find("### 🟢")), "the section “Comments by File” is missing; the file was cut off");
  // With something else changed as well.
  is_damage(replaced(good.substr(0, good.find("second text")), "first text", "1st text"), "cut off");
  // Taken out on purpose it is gone.
  const std::size_t begin = good.find("### 🟢"), end = good.find("## Comments");
  project.write(kStateFile, good.substr(0, begin) + good.substr(end));
  EXPECT_TRUE(has(look().err, "no longer shows finding/octo/cat#7/L2"));
  EXPECT_EQ(findings(), 1U);
}

TEST_F(ReviewKept, AFileOutsideTheRepositoryIsDamage) {
  project.start();
  project.add("one");
  const std::string good = project.state_file();
  for (const char* path : {"../../etc/passwd", "/etc/passwd", "core/../../x.ts", "..", "a\x1b[2Jb"})
    is_damage(replaced(good, "`core/engine.ts:1`", std::string("`") + path + ":1`"), "line 25: the file");
  is_damage(replaced(good, "types.ts, a.ts", "../types.ts"), "“../types.ts” is not a path inside the repository");
  is_damage(replaced(good, "`core/engine.ts:1`", "`core/engine.ts:9-3`"), "the finding's lines go backwards");
  is_damage(replaced(good, "Required one", "Required caf\xe9"), "it is not UTF-8");
  project.edit_file(kStateFile, "`core/engine.ts:1`", "`core/..engine../x...ts:1`");
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["file"], "core/..engine../x...ts");
}

// What comes back stands where it stood, whatever an agent has put there.
TEST_F(ReviewKept, UndoOfARewriteBringsTheFindingBackIntoTheFile) {
  project.start();
  project.add("first thing", "action-required", 3, {"--body", "its text"});
  project.add("second thing", "recommended", 5, {"--body", "more text"});
  const auto rewrite = [&](int line, const std::string& severity, const std::string& title, const std::string& body) {
    project.edit_file(kStateFile, "`core/engine.ts:" + std::to_string(line) + "`",
                      "`a.ts:" + std::to_string(line + 70) + "`");
    project.edit_file(kStateFile, severity + " " + title, severity + " wholly other " + std::to_string(line));
    project.edit_file(kStateFile, body, "and other words " + std::to_string(line));
  };
  const std::string before = project.state_file();
  for (const int which : {1, 2, 3}) {  // the first, the last, both
    if (which != 2) rewrite(3, "Action Required", "first thing", "its text");
    if (which != 1) rewrite(5, "Recommended", "second thing", "more text");
    project.must({"status"});
    const Json others = project.json({"review", "finding", "list"});
    ASSERT_TRUE(others.size() == 2 && to_line(others).find("wholly other") != std::string::npos) << others;
    project.must({"undo"});
    EXPECT_EQ(project.state_file(), before) << which;
    const Json list = project.json({"review", "finding", "list"});
    ASSERT_EQ(list.size(), 2U) << list;
    EXPECT_TRUE(list[0]["id"] == "H1" && list[1]["id"] == "M2") << list;
    EXPECT_EQ(project.run({"status"}).err, "") << "nothing is missed";
  }
}

// What others had in the todo file before the review began.
TEST_F(ReviewKept, TicksInAnotherToolsTodoAreKeptAsideAndSaid) {
  project.write(kTodoFile, "# Mine\n\n- [x] Chunk 1: done by me\n- [ ] Chunk 2\n");
  const Ran ran = start_nine(R"([{"files": ["a.c"]}, {"files": ["b.c"]}])");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "had ticks on chunks that nobody has looked at yet; as it was it is kept in .pawl/refused/"))
      << ran.err;
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 1: done by me")) << project.todo();
}

TEST_F(ReviewKept, ATodoOfAnUnknownPullRequestIsKeptAsideAndSaid) {
  project.write(kTodoFile, "# Review todo: other/one#3\n\n- [x] Chunk 1: theirs\n");
  const Ran ran = start_nine(R"([{"files": ["a.c"]}])");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "was another pull request's; as it was it is kept in .pawl/refused/")) << ran.err;
  EXPECT_TRUE(has(project.todo(), "octo/cat#9")) << project.todo();
}

// One warning for one file, however often a command looks at it.
TEST_F(ReviewKept, AWarningIsSaidOnce) {
  project.write(kStateFile, "garbage\n");
  const Ran ran = start_nine(R"([{"files": ["a.c"]}])");
  const std::string_view warning = "Warning: Review state file is corrupted";
  const std::size_t first = ran.err.find(warning);
  ASSERT_NE(first, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find(warning, first + 1), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pawl::test

// What was moved out of its place by hand and still stands in the state file is not taken for dropped: neither a chunk
// nor a finding, for a review without them is one that approves.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/review_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kSecondRow = "| 2 | core/engine.ts | 450 | pending |\n";

class ReviewStray : public testing::Test {
 protected:
  ReviewStray() {
    project.start();
    project.add("one", "action-required", 1, {"--body", "the first text"});
    project.add("two", "minor", 2, {"--body", "the second text"});
    good = project.state_file();
  }
  [[nodiscard]] Ran look() const { return project.run({"review", "status"}); }
  [[nodiscard]] std::string with(std::string_view from, const std::string& to) const {
    EXPECT_TRUE(has(good, from)) << from << good;
    return replaced(good, from, to);
  }
  void all_is_known() const {
    EXPECT_EQ(project.state()["chunks"].size(), 3U);
    EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 2U);
  }
  void is_damage(const std::string& bad, std::string_view named) const {
    SCOPED_TRACE(bad);
    project.write(kStateFile, bad);
    const Ran ran = look();
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, named) && has(ran.err, "Its last good content was restored")) << ran.err;
    EXPECT_EQ(project.state_file(), good);
    all_is_known();
  }

  ReviewProject project;
  std::string good;
};

TEST_F(ReviewStray, RowsGoOnBehindWhatStandsBetweenThem) {
  const std::string row(kSecondRow);
  for (const char* between :
       {"\n", "A note of mine.\n", "\nA note of mine.\n\n", "<!-- later -->\n", "<!-- much\nlater -->\n",
        "```\ncode\n```\n", "\n| Who | What |\n|---|---|\n| 2 | x |\n\n"}) {
    SCOPED_TRACE(between);
    const std::string text = with(row, between + row);
    project.write(kStateFile, text);
    EXPECT_EQ(look().err, "");
    all_is_known();
    EXPECT_EQ(project.state_file(), text);
  }
  // Such a row is written like any other.
  project.write(kStateFile, with(row, "\nA note.\n\n" + row));
  project.must({"review", "mark", "2", "skipped"});
  EXPECT_TRUE(has(project.state_file(), "\n\nA note.\n\n| 2 | core/engine.ts | 450 | skipped |\n| 3 |"))
      << project.state_file();
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 2"));
}

TEST_F(ReviewStray, ARowThatStandsElsewhereIsDamage) {
  const std::string row(kSecondRow);
  constexpr std::string_view kOutside = "a row of the chunk plan stands outside of its table";
  for (const std::string& to :
       {"\n```\n" + row + "```\n\n", "\n<!--\n" + row + "-->\n\n",
        "\n<!-- " + row.substr(0, row.size() - 1) + " -->\n\n", "\n> " + row + "\n",
        "\n| Who | What |\n|---|---|\n" + row, "\n## Notes\n\n" + row, "\n" + row.substr(2) + "\n"})
    is_damage(with(row, to), kOutside);
  is_damage(replaced(with(row, ""), "## Comments by File", "## Notes\n\n" + row + "\n## Comments by File"), kOutside);
  is_damage(with(row, "\n| Chunk | Files | LOC | Status |\n|---|---|---|---|\n" + row), "a second table");
  const std::size_t rows = good.find("| 1 |"), end = good.find("## Findings");
  is_damage(good.substr(0, rows) + "\n" + good.substr(end), "the chunk plan has no chunk any more");
  EXPECT_TRUE(has(project.todo(), "Chunk 2"));
  // Taken out it is gone.
  project.write(kStateFile, with(row, ""));
  EXPECT_TRUE(has(look().err, "no longer shows chunk/octo/cat#7/2")) << look().err;
  EXPECT_EQ(project.state()["chunks"].size(), 2U);
}

TEST_F(ReviewStray, AFindingWhoseHeadingWasMangledIsDamage) {
  constexpr std::string_view kUnread = "cannot be read (### 🔴 Action Required";
  for (const std::string heading : {"### 🔴 Action Required one", "### 🟢 Minor two"}) {
    const std::string title = heading.substr(4);
    for (const std::string& to :
         {" " + heading, "#" + heading, "###" + title, "**" + title + "**", "> " + heading, "<!-- " + heading + " -->",
          std::string(), "## Notes\n\n" + heading, "text " + heading, "- " + heading})
      is_damage(with(heading, to), to.starts_with("##") ? "line " : kUnread);
  }
  const std::size_t begin = good.find("### 🟢"), end = good.find("## Comments");
  const std::string second = good.substr(begin, end - begin);
  is_damage(with(second, "<!--\n" + second + "-->\n\n"), kUnread);
  is_damage(with(second, "```\n" + second + "```\n\n"), kUnread);
  // Also with another in its place.
  is_damage(replaced(with("### 🟢 Minor two", "#### 🟢 Minor two"), "## Comments by File",
                     "---\n\n### 🟢 Minor three\n\n## Comments by File"),
            kUnread);
  // One that is taken out is gone, and a text may have such a line.
  project.edit_file(kStateFile, "the first text", "the first text\n\n**File:** `x.ts:1`");
  EXPECT_EQ(look().err, "");
  project.write(kStateFile, replaced(project.state_file(), second, ""));
  EXPECT_TRUE(has(look().err, "no longer shows finding/octo/cat#7/L2"));
}

// In a file that pawl never saw, too.
TEST_F(ReviewStray, AFindingWithoutAHeadingIsNotAdopted) {
  const ReviewProject other;
  other.write(kStateFile, with("### 🔴 Action Required one", "#### 🔴 Action Required one"));
  const Ran ran = other.run({"review", "status"});
  EXPECT_TRUE(has(ran.err, "a finding whose severity cannot be read")) << ran.err;
}

TEST_F(ReviewStray, AHeadThatIsNoHashIsDamage) {
  for (const char* head : {"zork", "abc", "abc123def456 "})
    is_damage(with("abc123def456", head), "head_sha is not the hash of a commit");
}

// Tasks of others are in the todo file; that it goes with the state file is said.
TEST_F(ReviewStray, TheTodoFileThatGoesWithTheStateFileIsNamed) {
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] ask ann\n");
  const std::string todo = project.todo();
  std::filesystem::remove(project.file(kStateFile));
  const Ran ran = look();
  EXPECT_TRUE(has(ran.err, "was removed outside pawl")) << ran.err;
  EXPECT_TRUE(has(ran.err, "; .review-buddy/review-todo.md went too\n  pawl undo ")) << ran.err;
  EXPECT_FALSE(project.exists(kTodoFile));
  project.must({"undo"});
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(project.state_file(), good);
  // Where there is none, none is named.
  std::filesystem::remove(project.file(kTodoFile));
  std::filesystem::remove(project.file(kStateFile));
  EXPECT_FALSE(has(look().err, "went too"));
}

}  // namespace
}  // namespace pawl::test

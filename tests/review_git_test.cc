// What git does to the files of a review says nothing about the review: nothing of it is lost, and git finds nothing of
// pawl's in its way. Real git, the real binary.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewInGit : public testing::Test {
 protected:
  void SetUp() override {
    project.start_git();
    project.git({"branch", "without"});
    project.start();
  }
  void track() {
    project.git({"add", "-f", ".review-buddy"});
    project.git({"commit", "-q", "-m", "the review"});
    tracked = project.state_file();
    project.add("Grave", "action-required", 1);
    project.must({"review", "mark", "1", "in-progress"});
    known = project.state_file();
  }
  void all_is_known(std::size_t findings) const {
    EXPECT_EQ(project.json({"review", "finding", "list"}).size(), findings);
    EXPECT_EQ(project.chunk(1), "in-progress");
  }

  ReviewProject project;
  std::string tracked, known;
};

TEST_F(ReviewInGit, AStashTakesNothingAndIsNotInTheWayOfItsPop) {
  track();
  project.git({"stash", "-q"});
  ASSERT_EQ(project.state_file(), tracked);
  const Ran ran = project.run({"review", "status"});
  EXPECT_TRUE(has(ran.err, "was changed by git; it is left as it is") && has(ran.out, "Grave")) << ran.err << ran.out;
  all_is_known(1);
  EXPECT_EQ(project.state_file(), tracked);
  project.git({"stash", "pop", "-q"});
  EXPECT_EQ(project.state_file(), known);
  EXPECT_EQ(project.run({"review", "status"}).err, "");
  all_is_known(1);
}

TEST_F(ReviewInGit, WhatIsEnteredWhileItIsStashedIsInTheFileAfterwards) {
  track();
  project.git({"stash", "-q"});
  project.add("Meanwhile", "minor", 2);
  project.must({"review", "mark", "1", "reviewed"});
  EXPECT_EQ(project.state_file(), tracked);
  project.git({"stash", "pop", "-q"});
  EXPECT_EQ(project.run({"review", "status"}).err, "");
  const std::string text = project.state_file();
  EXPECT_TRUE(has(text, "Grave") && has(text, "Meanwhile") && has(text, "| 120 | reviewed |")) << text;
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

TEST_F(ReviewInGit, RestoreWritesWhatWasEnteredMeanwhileToo) {
  track();
  project.git({"stash", "-q"});
  project.add("Meanwhile", "minor", 2);
  project.must({"restore", std::string(kStateFile)});
  EXPECT_TRUE(has(project.state_file(), "Meanwhile") && has(project.state_file(), "Grave")) << project.state_file();
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

// What the file lacks was taken out of it; but not what it never had.
TEST_F(ReviewInGit, AcceptLosesNothingThatWasEnteredMeanwhile) {
  project.git({"add", "-f", ".review-buddy"});
  project.git({"commit", "-q", "-m", "the review"});
  project.add("Grave", "action-required", 1);
  project.git({"stash", "-q"});
  project.add("Meanwhile", "minor", 2);
  const std::string stashed = project.state_file();
  const Ran ran = project.run({"accept", std::string(kStateFile)});
  EXPECT_EQ(ran.exit, 4) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "came in since git changed it") && has(ran.err, "pawl restore")) << ran.err;
  EXPECT_EQ(project.state_file(), stashed);
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 2U);
}

TEST_F(ReviewInGit, AcceptTakesTheFileAsItIs) {
  project.git({"add", "-f", ".review-buddy"});
  project.git({"commit", "-q", "-m", "the review"});
  project.add("Grave", "action-required", 1);
  project.git({"stash", "-q"});
  const std::string stashed = project.state_file();
  const Ran ran = project.run({"accept", std::string(kStateFile)});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.state_file(), stashed);
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 0U);
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

// When something was changed last is no reason against a version that is older.
TEST_F(ReviewInGit, AcceptTakesAnOlderVersionToTheByte) {
  const std::string updated = string_or(project.state(), "updated");
  project.edit_file(kStateFile, "updated: \"" + updated, "updated: \"2024-01-15T10:45:00Z");
  project.must({"review", "status"});
  project.git({"add", "-f", ".review-buddy"});
  project.git({"commit", "-q", "-m", "the review"});
  project.must({"review", "mark", "1", "in-progress"});
  project.add("Grave", "action-required", 1);
  project.git({"stash", "-q"});
  const std::string stashed = project.state_file();
  ASSERT_TRUE(has(stashed, "2024-01-15T10:45:00Z") && has(stashed, "| 120 | pending |")) << stashed;
  const Ran ran = project.run({"accept", std::string(kStateFile)});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.state_file(), stashed);
  EXPECT_EQ(project.chunk(1), "pending");
  EXPECT_EQ(project.json({"review", "finding", "list"}).size(), 0U);
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
  // The time goes with the next thing that is written.
  project.must({"review", "mark", "1", "in-progress"});
  EXPECT_FALSE(has(project.state_file(), "2024-01-15T10:45:00Z")) << project.state_file();
}

TEST_F(ReviewInGit, WhatIsBackWhileItsFileStandsAsItWasGoesOnInIt) {
  project.git({"add", "-f", ".review-buddy"});
  project.git({"commit", "-q", "-m", "the review"});
  project.git({"checkout", "-q", "without"});
  project.must({"accept", std::string(kStateFile)});
  project.git({"checkout", "-q", "main"});
  project.must({"undo"});
  project.must({"review", "mark", "1", "in-progress"});
  project.add("Grave", "action-required", 1);
  EXPECT_TRUE(has(project.state_file(), "Grave") && has(project.state_file(), "| 120 | in-progress |"))
      << project.state_file();
  EXPECT_EQ(project.run({"restore", std::string(kStateFile)}).exit, 0);
  all_is_known(1);
}

// It ended with its file, git brought another version of that, and only then it came back.
TEST_F(ReviewInGit, WhatIsBackWhileGitHasAnotherVersionCanBeWrittenAndIsTakenAlong) {
  track();
  project.git({"commit", "-q", "-a", "-m", "more of it"});
  project.git({"checkout", "-q", "without"});
  project.must({"accept", std::string(kStateFile)});
  project.git({"checkout", "-q", "main~1"});
  project.must({"undo"});
  project.add("Meanwhile", "minor", 2);
  all_is_known(2);
  EXPECT_EQ(project.state_file(), tracked);
  project.must({"leave"});
  const std::string along = project.read("pawl-left/known/_.review-buddy+review-buddy-state.md").value_or("");
  EXPECT_TRUE(has(along, "Grave") && has(along, "Meanwhile")) << along;
  EXPECT_EQ(project.state_file(), tracked);
}

TEST_F(ReviewInGit, WhatIsBackWhileGitHasAnotherVersionIsRestored) {
  track();
  project.git({"commit", "-q", "-a", "-m", "more of it"});
  project.git({"checkout", "-q", "without"});
  project.must({"accept", std::string(kStateFile)});
  project.git({"checkout", "-q", "main~1"});
  project.must({"undo"});
  project.add("Meanwhile", "minor", 2);
  const Ran restored = project.run({"restore", std::string(kStateFile)});
  EXPECT_EQ(restored.exit, 0) << restored.err;
  EXPECT_TRUE(has(project.state_file(), "Grave") && has(project.state_file(), "Meanwhile")) << project.state_file();
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
  all_is_known(2);
}

TEST_F(ReviewInGit, AStashOfUntrackedFilesDoesNotEndIt) {
  project.add("Grave", "action-required", 1);
  project.must({"review", "mark", "1", "in-progress"});
  const std::string state = project.state_file(), todo = project.todo();
  project.git({"stash", "-q", "-u"});
  ASSERT_FALSE(project.exists(kStateFile));
  all_is_known(1);
  EXPECT_FALSE(project.exists(kStateFile));
  project.git({"stash", "pop", "-q"});
  EXPECT_EQ(project.run({"review", "status"}).err, "");
  EXPECT_EQ(project.state_file(), state);
  EXPECT_EQ(project.todo(), todo);
  all_is_known(1);
}

TEST_F(ReviewInGit, AnotherBranchAndBack) {
  track();
  project.git({"commit", "-q", "-a", "-m", "more of it"});
  for (const char* to : {"without", "HEAD~1"}) {
    SCOPED_TRACE(to);
    project.git({"checkout", "-q", to});
    all_is_known(1);
    project.git({"checkout", "-q", "main"});
    EXPECT_EQ(project.state_file(), known);
    EXPECT_EQ(project.run({"review", "status"}).err, "");
    all_is_known(1);
  }
  project.git({"checkout", "-q", "without"});
  project.add("Meanwhile", "minor", 2);
  EXPECT_FALSE(project.exists(kStateFile));
  project.git({"checkout", "-q", "main"});
  all_is_known(2);
  EXPECT_TRUE(has(project.state_file(), "Meanwhile")) << project.state_file();
}

class ReviewInGitOnGithub : public ReviewOnGithub {};

TEST_F(ReviewInGitOnGithub, NothingIsApprovedWhileTheFileIsGits) {
  json({"start", "o/r#1"});
  mark_all();
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
  const std::string good = project.state_file();
  project.write(kStateFile,
                replaced(good, "## Comments by File",
                         "<<<<<<< HEAD\n=======\n### 🔴 Action Required Theirs\n>>>>>>> other\n\n## Comments by File"));
  const Json shown = json({"post", "--dry-run"});
  EXPECT_EQ(shown["verdict"], "COMMENT") << shown;
  EXPECT_TRUE(has(string_or(shown, "why"), "has conflict markers in it, and is not read")) << shown;
  project.write(kStateFile, good);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
}

}  // namespace
}  // namespace pawl::test

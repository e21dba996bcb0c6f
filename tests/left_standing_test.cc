// What was refused and left standing (outside = "flag"): it stays in its file whatever else changes there, and where
// its record goes on, a copy of it is kept. Nothing that somebody wrote is written over unseen. Through the real
// binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/review_examples.h"
#include "support/review_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kFlag = "outside = \"flag\"\n[story]\ngates = \"record\"\n";
constexpr const char* kSettled = "refused/settled";

// --- stories ---

struct WordInFile {
  const char* was;
  const char* written;
  bool held = false;  // as what it was is no status: a person says what it is; any other is dropped
};

class StandingStory : public testing::TestWithParam<WordInFile> {
 protected:
  StandingStory() {
    project.write("pawl.toml", kFlag);
    project.stories({StoryProject::story("A", GetParam().was), StoryProject::story("B")});
    project.edit_prd(quoted(GetParam().was), word);
    project.must({"story", "list"});
    EXPECT_EQ(project.in_file("A"), GetParam().written);
  }
  static std::string quoted(const char* text) { return std::string("\"status\": \"") + text + "\""; }
  const std::string word = quoted(GetParam().written);
  StoryProject project;
};

TEST_P(StandingStory, StaysWhateverElseHappensInTheList) {
  project.edit_prd("Title of B", "Title of B, edited");
  project.must({"story", "list"});
  EXPECT_EQ(project.in_file("A"), GetParam().written) << "another title was edited";
  project.must({"story", "move", "B", "committed", "--branch", "x"});
  EXPECT_EQ(project.in_file("A"), GetParam().written) << "another story moved";
  project.edit_prd("Title of A", "Title of A, edited");
  project.must({"story", "list"});
  EXPECT_EQ(project.in_file("A"), GetParam().written) << "its own title was edited";
  EXPECT_TRUE(has(project.out({"status", "--json"}), "does not allow"));
  EXPECT_EQ(project.run({"doctor"}).exit, 1);
}

TEST_P(StandingStory, IsThereAgainAfterDamage) {
  const std::string good = project.prd();
  project.write(kPrd, good.substr(0, good.size() / 2));
  project.must({"story", "list"});
  EXPECT_EQ(project.prd(), good);
}

TEST_P(StandingStory, GivesWayToACommandAndACopyIsKept) {
  const std::string standing = project.prd();
  const Ran fixed = project.run({"story", "fix", "A", "skipped", "--reason", "r"});
  EXPECT_EQ(fixed.exit, GetParam().held ? 0 : 1) << fixed.err;
  const Ran ran = GetParam().held ? fixed : project.run({"story", "drop", "A", "--reason", "r"});
  EXPECT_EQ(project.in_file("A"), GetParam().held ? "skipped" : "(missing)");
  EXPECT_EQ(project.read(project.only_kept(kSettled)), standing);
  EXPECT_TRUE(has(ran.err, cat("story/A (“", GetParam().written, "”) was replaced, as it has changed since; ",
                               "the file as it was is kept in ")))
      << ran.err;
  EXPECT_FALSE(has(project.out({"status", "--json"}), "does not allow"));
}

TEST_P(StandingStory, ThatIsNotToStandAnyMoreIsRefusedWithACopy) {
  project.write("pawl.toml", "[story]\ngates = \"require\"\n");
  project.edit_prd("Title of B", "Title of B, edited");
  const std::string standing = project.prd();
  project.must({"story", "list"});
  EXPECT_EQ(project.in_file("A"), GetParam().was);
  EXPECT_EQ(project.read(project.only_kept("refused")), standing);
}

TEST_P(StandingStory, RestoredKeepsOneCopy) {
  const std::string standing = project.prd();
  project.must({"restore", std::string(kPrd)});
  EXPECT_EQ(project.in_file("A"), GetParam().was);
  EXPECT_EQ(project.read(project.only_kept(kSettled)), standing);
  EXPECT_EQ(project.kept("refused"), std::vector<std::string>{"settled"});
}

INSTANTIATE_TEST_SUITE_P(Words, StandingStory,
                         testing::Values(WordInFile{"wat", "merged", true}, WordInFile{"wat", "zzz", true},
                                         WordInFile{"pending", "zzz"}, WordInFile{"committed", "invented"}));

TEST(StandingInAList, StaysWhereACommandChangesNothingThatTheFileShows) {
  const StoryProject project;
  project.write("pawl.toml", kFlag);
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  project.edit_prd("\"status\": \"pending\"", "\"status\": \"zzz\"");
  const std::string standing = project.prd();
  project.must({"story", "pause", "A", "--reason", "r"});
  project.must({"story", "retry", "A"});
  EXPECT_EQ(project.prd(), standing);
  EXPECT_EQ(project.in_file("A"), "zzz");
  EXPECT_TRUE(project.kept(kSettled).empty());
}

TEST(StandingInGit, ComesBackWithTheStash) {
  const StoryProject project;
  project.start_git();
  project.write("pawl.toml", kFlag);
  project.stories({StoryProject::story("A", "wat"), StoryProject::story("B")});
  project.commit_all("list");
  project.edit_prd("\"wat\"", "\"merged\"");
  project.must({"story", "list"});
  const std::string standing = project.prd();
  project.git({"stash"});
  project.must({"status"});
  project.git({"stash", "pop"});
  project.must({"status"});
  EXPECT_EQ(project.prd(), standing);
  project.must({"story", "move", "B", "committed", "--branch", "x"});
  EXPECT_EQ(project.in_file("A"), "merged");
  EXPECT_TRUE(has(project.out({"status", "--json"}), "does not allow"));
}

// --- issues ---

TEST(StandingIssue, WithoutAStatusIsLeftToTheByte) {
  for (const char* const without : {"", "  \"status\": null,\n", "  \"status\": [],\n", "  \"status\": \"zz\",\n"}) {
    SCOPED_TRACE(without);
    const IssueProject project;
    project.write("pawl.toml", kFlag);
    project.must({"issue", "set", "1", "running", "--session", "one"});
    project.edit(1, "  \"status\": \"running\",\n", without);
    const std::string written = project.bytes(1);
    EXPECT_EQ(project.get(1), "running");
    EXPECT_EQ(project.bytes(1), written);
    project.edit(1, "\"one\"", "\"two\"");
    const std::string again = project.bytes(1);
    EXPECT_EQ(project.get(1), "running");
    EXPECT_EQ(project.bytes(1), again);
    project.must({"issue", "set", "1", "complete"});
    EXPECT_EQ(project.content(1)["status"], "complete");
    EXPECT_EQ(project.read(project.only_kept(kSettled)), again);
  }
}

TEST(StandingIssue, GivesWayToTheSameStatusGivenAgain) {
  const IssueProject project;
  project.write("pawl.toml", kFlag);
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"done\"");
  const std::string written = project.bytes(1);
  project.must({"issue", "set", "1", "running"});
  EXPECT_EQ(project.content(1)["status"], "running");
  EXPECT_EQ(project.read(project.only_kept(kSettled)), written);
}

TEST(StandingIssue, ThatIsRemovedIsKept) {
  const IssueProject project;
  project.write("pawl.toml", kFlag);
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"done\"");
  const std::string written = project.bytes(1);
  const Ran ran = project.run({"issue", "remove", "1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(project.bytes(1), "(none)");
  EXPECT_EQ(project.read(project.only_kept(kSettled)), written);
  EXPECT_TRUE(has(ran.err, "issue/1 (“done”)") && has(ran.err, project.only_kept(kSettled))) << ran.err;
}

// --- loops ---

TEST(StandingLoop, ThatGivesWayToAnotherIsKept) {
  const IssueProject project;
  project.write("pawl.toml", kFlag);
  project.must({"ralph", "start", "--session", "w1", "--prompt", "p"});
  const std::string again =
      replaced(project.read(kLoopFile).value_or(""), "\"prompt\"", "\"theirs\": [1, 2],\n  \"prompt\"");
  project.must({"ralph", "cancel"});
  project.write(kLoopFile, again);
  project.must({"status"});
  project.must({"ralph", "start", "--session", "w2", "--prompt", "q"});
  EXPECT_EQ(project.read(project.only_kept(kSettled)), again);
}

TEST(StandingLoop, ThatGoesOnIsKept) {
  const IssueProject project;
  project.write("pawl.toml", kFlag);
  project.must({"ralph", "start", "--session", "w1", "--prompt", "p"});
  project.write(kLoopFile, replaced(project.read(kLoopFile).value_or(""), "\"active\": true", "\"active\": \"maybe\""));
  project.must({"status"});
  const std::string standing = project.read(kLoopFile).value_or("");
  project.must({"ralph", "tick", "--session", "w1"});
  EXPECT_EQ(project.read(project.only_kept(kSettled)), standing);
}

TEST(StandingLoop, ThatIsMovedStandsThereToo) {
  const IssueProject project;
  project.write("pawl.toml", kFlag);
  project.must({"ralph", "start", "--session", "w1", "--prompt", "p"});
  project.write(kLoopFile, replaced(project.read(kLoopFile).value_or(""), "\"active\": true", "\"active\": \"maybe\""));
  project.must({"status"});
  const std::string standing = project.read(kLoopFile).value_or("");
  std::filesystem::remove(project.file(std::string(kLoopFile)));
  project.write(".omc/state/ralph-state.json", standing);
  project.must({"status"});
  EXPECT_EQ(project.read(".omc/state/ralph-state.json"), standing);
}

// --- reviews ---

TEST(StandingReview, StaysWhenOthersOfItsFileChangeAndIsKeptWhenItMakesRoom) {
  const ReviewProject project;
  project.write("pawl.toml", kFlag);
  project.start();
  project.edit_file(kStateFile, "| pending |", "| halfway |");
  project.must({"review", "status"});
  EXPECT_TRUE(has(project.state_file(), "| halfway |"));
  project.add("A finding");
  EXPECT_TRUE(has(project.state_file(), "| halfway |")) << "a finding was added";
  const std::string standing = project.state_file();
  project.start("octo/cat#8", {"--yes"});
  EXPECT_EQ(project.read(project.only_kept(kSettled)), standing);
}

// The rest of its row is taken over.
TEST(StandingReview, StaysWhenItsOwnRowChanges) {
  const ReviewProject project;
  project.write("pawl.toml", kFlag);
  project.start();
  project.edit_file(kStateFile, "| 120 | pending |", "| 121 | halfway |");
  const Ran ran = project.run({"review", "status"});
  EXPECT_TRUE(has(ran.err, "It was left standing; pawl keeps “pending”")) << ran.err;
  EXPECT_FALSE(has(ran.err, "replaced")) << ran.err;
  EXPECT_TRUE(has(project.state_file(), "| 121 | halfway |")) << "with the word";
  project.edit_file(kStateFile, "| 121 | halfway |", "| 122 | halfway |");
  project.must({"review", "status"});
  EXPECT_TRUE(has(project.state_file(), "| 122 | halfway |")) << "after the word";
  EXPECT_TRUE(project.kept(kSettled).empty());
  EXPECT_EQ(project.state()["chunks"][0]["loc"], 122);
  EXPECT_EQ(project.chunk(1), "pending");
}

TEST(StandingReview, GivesWayToTheOtherFile) {
  const ReviewProject project;
  project.write("pawl.toml", kFlag);
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kStateFile, "| 120 | in-progress |", "| 120 | halfway |");
  project.must({"review", "status"});
  const std::string standing = project.state_file();
  project.edit_file(kTodoFile, "- [ ] Chunk 1", "- [x] Chunk 1");
  project.must({"review", "status"});
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |")) << project.state_file();
  EXPECT_EQ(project.read(project.only_kept(kSettled)), standing);
}

class StandingTick : public testing::Test {
 protected:
  void take_away() const {
    project.write("pawl.toml", kFlag);
    project.start();
    project.must({"review", "mark", "1", "skipped"});
    project.edit_file(kTodoFile, "- [x] Chunk 1", "- [ ] Chunk 1");
    const std::string written = project.todo();
    const Ran ran = project.run({"review", "status"});
    ASSERT_TRUE(has(ran.err, "left standing")) << ran.err;
    ASSERT_EQ(project.todo(), written);
  }
  const ReviewProject project;
};

TEST_F(StandingTick, ThatWasTakenAwayStaysAway) {
  take_away();
  project.must({"review", "mark", "2", "reviewed"});
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 1")) << project.todo();
  project.edit_file(kStateFile, "| 120 |", "| 121 |");
  project.must({"review", "status"});
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 1")) << "what changed does not show in the list";
}

TEST_F(StandingTick, ThatIsNotToStandAnyMoreIsRefusedWithACopy) {
  take_away();
  project.write("pawl.toml", "");
  project.edit_file(kTodoFile, "## Tasks\n", "## Tasks\n\n- [ ] ask Bob\n");
  const std::string written = project.todo();
  project.must({"review", "status"});
  EXPECT_TRUE(has(project.todo(), "- [x] Chunk 1") && has(project.todo(), "ask Bob")) << project.todo();
  EXPECT_EQ(project.read(project.only_kept("refused")), written);
}

// Stands as it was written, and not as a word for it.
TEST(StandingPasses, DoesNotChangeByAByte) {
  for (const char* const written :
       {"\"passes\": false", "\"passes\": null", "\"status\": \"done\"", "\"passes\": \"caf\\u00e9\"", "\"x\": 1"}) {
    const StoryProject project;
    project.write("pawl.toml", kFlag);
    project.write(kPrd,
                  "{\"stories\": [\n {\"id\": \"A\", \"title\": \"a\", \"passes\": false},\n"
                  " {\"id\": \"D\", \"title\": \"d\", \"passes\": true}\n]}\n");
    project.must({"init"});
    project.edit_prd("\"passes\": true", written);
    const std::string standing = project.prd();
    EXPECT_TRUE(has(project.run({"story", "list"}).err, "left standing")) << written;
    EXPECT_EQ(project.prd(), standing);
    project.edit_prd("\"title\": \"a\"", "\"title\": \"a2\"");
    project.must({"story", "list"});
    EXPECT_EQ(project.prd(), replaced(standing, "\"title\": \"a\"", "\"title\": \"a2\""));
    EXPECT_EQ(project.status("D"), "passed") << written;
  }
}

// Told of when the file was first seen, and left: nobody's tick goes with an edit of another line.
TEST_F(StandingTick, ThatDidNotFitAtFirstSightStays) {
  project.write(kStateFile, kSeed);
  project.write(kTodoFile, "# Review of owner/repo#123\n\n- [x] Chunk 3: core/engine.ts\n- [ ] ask Bob\n");
  const Ran init = project.run({"init"});
  EXPECT_TRUE(has(init.out + init.err, "does not fit")) << init.out << init.err;
  project.edit_file(kTodoFile, "ask Bob", "ask Bob and Eve");
  const std::string written = project.todo();
  project.must({"review", "status"});
  EXPECT_EQ(project.todo(), written);
}

}  // namespace
}  // namespace pawl::test

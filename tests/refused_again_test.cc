// What was refused and is written once more, with another edit beside it: a word that was put back is no old copy, and
// is told of each time. And what a refusal says of what is missing. Through the real binary.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/review_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

using Of = StoryProject;

class RefusedAgain : public testing::Test {
 protected:
  RefusedAgain() { project.stories({Of::story("A", "pending", 1, {{"n", 0}}), Of::story("B")}); }
  // The first story's number, and its status beside it.
  [[nodiscard]] Ran write(int number, const std::string& word) const {
    Json list = parse_json(project.prd()).value_or(Json());
    list["stories"][0]["n"] = number;
    list["stories"][0]["status"] = word;
    project.write(kPrd, to_pretty(list) + "\n");
    return project.run({"story", "list"});
  }
  [[nodiscard]] std::int64_t number() const { return integer_or(project.json({"story", "show", "A"}), "n"); }
  StoryProject project;
};

TEST_F(RefusedAgain, IsToldAndKeptEachTime) {
  for (const char* word : {"done", "committed"}) {
    for (int i = 1; i <= 3; ++i) {
      const Ran ran = write(i, word);
      EXPECT_TRUE(has(ran.err, "“pending” was put back; what was written is in ")) << word << i << ran.err;
      EXPECT_EQ(project.in_file("A"), "pending");
      EXPECT_EQ(number(), i) << "the rest is taken over";
    }
  }
  EXPECT_EQ(project.kept("refused").size(), 6U);
}

TEST_F(RefusedAgain, IsAskedAboutAlsoAfterTheFirstWasLetGo) {
  static_cast<void>(write(1, "done"));
  project.must({"dismiss", "--all"});
  static_cast<void>(write(2, "done"));
  EXPECT_TRUE(has(project.out({"status"}), ".pawl/refused/")) << project.out({"status"});
}

TEST_F(RefusedAgain, IsLeftStandingOnceThatIsWanted) {
  static_cast<void>(write(1, "done"));
  project.write("pawl.toml", "outside = \"flag\"\n");
  const Ran ran = write(2, "done");
  EXPECT_TRUE(has(ran.err, "It was left standing")) << ran.err;
  EXPECT_EQ(project.in_file("A"), "done");
}

TEST(RefusedIssueAgain, IsToldWithAnotherEditBesideIt) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "s0"});
  for (int i = 1; i <= 3; ++i) {
    project.edit(1, "\"running\"", "\"done\"");
    project.edit(1, cat("\"s", i - 1, "\""), cat("\"s", i, "\""));
    const std::string told = project.run({"issue", "get", "1"}).err;
    EXPECT_TRUE(has(told, "“running” was put back")) << told;
    EXPECT_TRUE(has(told, "; the rest of that edit was taken over")) << told;
  }
}

TEST(RefusedChunkAgain, IsToldWithAnotherEditBesideIt) {
  const ReviewProject project;
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.must({"review", "mark", "1", "reviewed"});
  for (const auto& [from, to] :
       {std::pair{"| 120 | reviewed |", "| 121 | pending |"}, std::pair{"| 121 | reviewed |", "| 122 | pending |"}}) {
    project.edit_file(kStateFile, from, to);
    const Ran ran = project.run({"review", "status"});
    EXPECT_TRUE(has(ran.err, "“reviewed” was put back")) << ran.err;
  }
}

// --- what is missing ---

class GateInFile : public testing::Test {
 protected:
  GateInFile() {
    project.start_git();
    project.write("pawl.toml", "[story]\ngates = \"require\"\n[story.checks]\n\"T\" = [\"true\"]\n");
    project.must({"trust"});
    project.stories({Of::story("A", "pending", 1, {{"acceptanceCriteria", {"T"}}})});
    project.commit_all("list");
    project.git({"checkout", "-qb", "work"});
  }
  StoryProject project;
};

TEST_F(GateInFile, ThatIsMetSaysWhatAFileDoesNotShowAndWhatLooks) {
  project.must({"story", "check", "A"});
  project.edit_prd("\"pending\"", "\"committed\"");
  const Ran ran = project.run({"story", "list"});
  EXPECT_TRUE(has(ran.err, "a file does not show which commit its branch is at")) << ran.err;
  EXPECT_TRUE(has(ran.err, "\n  pawl story move A committed  # ")) << ran.err;
  EXPECT_FALSE(has(ran.err, "is not met")) << ran.err;
  project.must({"story", "move", "A", "committed"});
}

TEST_F(GateInFile, ThatIsNotMetNamesWhatIsNotShown) {
  project.edit_prd("\"pending\"", "\"committed\"");
  const Ran ran = project.run({"story", "list"});
  EXPECT_TRUE(has(ran.err, "(not shown yet: “T”)")) << ran.err;
}

// --- a file that cannot be taken as it is ---

TEST(AcceptOfAList, ThatHasAnInventedWordNamesTheStoryAndWhatToDo) {
  const StoryProject project;
  project.start_git();
  project.write(kPrd, R"({"stories":[{"id":"A","title":"a","status":"pending"},
{"id":"B","title":"b","status":"in_review"}]})");
  project.commit_all("list");
  project.must({"init"});
  project.git({"checkout", "-qb", "x"});
  project.must({"story", "fix", "B", "pushed", "--reason", "r"});
  project.commit_all("fixed");
  project.git({"checkout", "-q", "-"});
  const Ran ran = project.run({"accept", "prd.json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "story/B: “in_review” is not a status of a story")) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl restore prd.json")) << ran.err;
}

}  // namespace
}  // namespace pawl::test

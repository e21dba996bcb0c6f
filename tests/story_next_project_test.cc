// The next project's list, where whoever wrote it keeps stories in the other dialect, or does not say whose either list
// is: its bytes are its own, and nothing of the list before is written into it. Through the real binary.
#include <gtest/gtest.h>

#include "support/story_project.h"

namespace pawl::test {
namespace {

// `first` is known, `second` comes in its place.
Ran replace(const StoryProject& project, std::string_view first, std::string_view second) {
  project.write(kPrd, first);
  project.must({"init"});
  project.write(kPrd, second);
  return project.run({"story", "list"});
}

constexpr std::string_view kPassing =
    "{\"project\":\"Old\",\"branchName\":\"old\",\"userStories\":"
    "[{\"id\":\"US-001\",\"title\":\"A\",\"priority\":1,\"passes\":false}]}\n";

TEST(NextProject, InTheOtherDialectIsNotTouchedAndBothComeBackToTheByte) {
  for (const char* list : {"stories", "userStories"}) {
    const StoryProject project;
    const std::string second = std::string("{\"project\":\"New\",\"branchName\":\"new\",\"") + list +
                               "\":[{\"id\":\"US-001\",\"title\":\"B\",\"priority\":1,\"status\":\"pending\"}]}\n";
    const Ran seen = replace(project, kPassing, second);
    EXPECT_TRUE(has(seen.err, "prd.json is another one's now")) << seen.err;
    EXPECT_EQ(project.prd(), second);
    EXPECT_EQ(project.status("US-001"), "pending");
    EXPECT_EQ(project.run({"story", "list"}).err, "");
    project.must({"undo", "2"});
    EXPECT_EQ(project.prd(), kPassing);
    project.must({"undo", "3"});
    EXPECT_EQ(project.prd(), second);
    EXPECT_EQ(project.run({"story", "list"}).err, "");
  }
}

TEST(NextProject, FromSixStatusesToTwoIsNotTouchedEither) {
  const StoryProject project;
  constexpr std::string_view kFirst =
      "{\"project\":\"Old\",\"stories\":[{\"id\":\"US-001\",\"title\":\"Z\",\"status\":\"committed\"}]}\n";
  EXPECT_TRUE(
      has(replace(project, kFirst, replaced(std::string(kPassing), "\"Old\"", "\"New\"")).err, "another one's now"));
  EXPECT_EQ(project.prd(), replaced(std::string(kPassing), "\"Old\"", "\"New\""));
  EXPECT_EQ(project.status("US-001"), "pending");
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kFirst);
  EXPECT_EQ(project.status("US-001"), "committed");
}

// Its stories are judged by the dialect that it has: the word is one of six, and nobody saw the story become that.
TEST(NextProject, InTheOtherDialectHasItsOwnStatuses) {
  const StoryProject project;
  const std::string second =
      "{\"project\":\"New\",\"stories\":[{\"id\":\"US-001\",\"title\":\"B\",\"status\":\"committed\"}]}\n";
  const Ran seen = replace(project, kPassing, second);
  EXPECT_TRUE(has(seen.err, "came into its file as “committed”")) << seen.err;
  EXPECT_EQ(project.prd(), second);
  project.must({"story", "fix", "US-001", "committed", "--reason", "r"});
  EXPECT_EQ(project.prd(), second);
  EXPECT_EQ(project.status("US-001"), "committed");
}

// One that goes on is known as what it was, and still what somebody wrote around it stays.
TEST(NextProject, TheSameListInTheOtherDialectKeepsWhatWasWrittenBeside) {
  const StoryProject project;
  constexpr std::string_view kFirst =
      "{\"project\": \"P\", \"userStories\": [\n {\"id\": \"A\", \"title\": \"a\", \"passes\": false},\n"
      " {\"id\": \"B\", \"title\": \"b\", \"passes\": false}\n]}\n";
  constexpr std::string_view kSecond =
      "{\"project\": \"P\", \"notes\": \"caf\\u00e9\", \"stories\": [\n"
      " {\"id\": \"A\", \"title\": \"a\", \"status\": \"pending\"},\n"
      " {\"id\": \"B\", \"title\": \"b\", \"status\": \"pending\"}\n]}\n";
  const Ran seen = replace(project, kFirst, kSecond);
  EXPECT_FALSE(has(seen.err, "another one's")) << seen.err;
  EXPECT_TRUE(has(project.prd(), "\"notes\": \"caf\\u00e9\", \"stories\"")) << project.prd();
  EXPECT_FALSE(has(project.prd(), "userStories")) << project.prd();
  EXPECT_EQ(project.run({"story", "list"}).err, "");
}

TEST(NextProject, ThatSaysWhoseItIsWhereTheOneBeforeDidNot) {
  const StoryProject project;
  constexpr std::string_view kFirst =
      "{\"stories\":[{\"id\":\"US-001\",\"title\":\"A\",\"priority\":1,\"status\":\"pending\"}]}\n";
  constexpr std::string_view kSecond =
      "{\"project\":\"New\",\"stories\":[{\"id\":\"W1\",\"title\":\"B\",\"status\":\"pending\"},"
      "{\"id\":\"W2\",\"title\":\"C\",\"status\":\"pending\"}]}\n";
  const Ran seen = replace(project, kFirst, kSecond);
  EXPECT_TRUE(has(seen.err, "prd.json is another one's now")) << seen.err;
  EXPECT_EQ(project.prd(), kSecond);
  EXPECT_EQ(project.read(project.only_kept("dropped")), kFirst);
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kFirst);
}

TEST(NextProject, ThatDoesNotSayWhoseItIsWhereTheOneBeforeDid) {
  const StoryProject project;
  const std::string first = replaced(std::string(kPassing), "\"userStories\"", "\"description\":\"d\",\"userStories\"");
  constexpr std::string_view kSecond =
      "{\n  \"stories\": [\n    {\"id\": \"US-001\", \"title\": \"Example\", \"status\": \"pending\"}\n  ]\n}\n";
  const Ran seen = replace(project, first, kSecond);
  EXPECT_TRUE(has(seen.err, "prd.json is another one's now")) << seen.err;
  EXPECT_FALSE(has(seen.err, "does not have")) << seen.err;
  EXPECT_EQ(project.prd(), kSecond);
  project.must({"undo"});
  EXPECT_EQ(project.prd(), first);
}

// Agents that write a list again leave out its name, or all but what they worked on: that is no other list.
TEST(NextProject, IsNotOneThatLostItsNameAndStillHasAStory) {
  const StoryProject project;
  project.stories({StoryProject::story("A"), StoryProject::story("B"), StoryProject::story("C")});
  Json root = Json::parse(project.prd());
  root.erase("project");
  root.erase("branchName");
  root["stories"] = Json::array({root["stories"][1]});
  project.write(kPrd, root.dump());
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "story/A, story/C are missing from prd.json; they were put back")) << seen.err;
  EXPECT_EQ(Json::parse(project.prd())["stories"].size(), 3U);
}

TEST(NextProject, IsNotOneThatIsEmpty) {
  const StoryProject project;
  project.stories({StoryProject::story("A")});
  project.write(kPrd, "{\"stories\": []}\n");
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "story/A is missing from prd.json; it was put back"));
  EXPECT_EQ(project.in_file("A"), "pending");
}

// An agent leaves the project's name out, and all but one story, which it calls otherwise: dropped ones are put back.
TEST(NextProject, IsNotOneOfWhichMostIsMissing) {
  const StoryProject project;
  constexpr std::string_view kFirst =
      "{\"project\":\"P\",\"stories\":[{\"id\":\"A\",\"title\":\"a\",\"status\":\"pending\"},"
      "{\"id\":\"B\",\"title\":\"b\",\"status\":\"merged\"}]}\n";
  constexpr std::string_view kSecond = "{\"stories\":[{\"id\":\"A\",\"title\":\"better\",\"status\":\"pending\"}]}\n";
  const Ran seen = replace(project, kFirst, kSecond);
  EXPECT_FALSE(has(seen.err, "another one's")) << seen.err;
  EXPECT_EQ(project.status("B"), "merged");
  EXPECT_EQ(project.in_file("B"), "merged");
}

// What was done there is nothing that was done here.
TEST(NextProject, IsNotToldOfWhatTheOneBeforeHasDone) {
  const StoryProject project;
  replace(project,
          "{\"project\":\"Old\",\"stories\":[{\"id\":\"X\",\"title\":\"Z\",\"status\":\"merged\"},"
          "{\"id\":\"Y\",\"title\":\"Z\",\"status\":\"skipped\"}]}\n",
          "{\"project\":\"New\",\"stories\":[{\"id\":\"A\",\"title\":\"a\",\"status\":\"pending\"}]}\n");
  const std::string board = project.out({"status"});
  EXPECT_FALSE(has(board, "done")) << board;
  EXPECT_EQ(project.json({"status"})["count"]["ended"], 0);
  const std::string all = project.out({"status", "--all"});
  EXPECT_TRUE(has(all, "story/X  merged   set aside")) << all;
}

}  // namespace
}  // namespace pawl::test

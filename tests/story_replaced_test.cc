// The next project's list in the place of one: what it took the place of comes back whole, its members beside the
// stories with them, and is kept as a copy for whoever leaves. Through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/story_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kFirst =
    "{\"project\": \"P\", \"branchName\": \"p-main\", \"config\": {\"repo\": \"o\\/p\"}, \"stories\": [\n"
    " {\"id\": \"A\", \"title\": \"caf\\u00e9\", \"status\": \"committed\"},\n"
    " {\"id\": \"B\", \"title\": \"b\", \"status\": \"pending\"}\n]}\n";
constexpr std::string_view kSecond =
    "{\"project\": \"Q\", \"branchName\": \"q-main\", \"stories\": [\n"
    " {\"id\": \"A\", \"title\": \"other\", \"status\": \"pending\"}\n]}\n";

class ReplacedList : public testing::Test {
 protected:
  ReplacedList() {
    project.write(kPrd, kFirst);
    project.must({"init"});
    project.write(kPrd, kSecond);
    seen = project.run({"story", "list"});
  }
  StoryProject project;
  Ran seen;
};

TEST_F(ReplacedList, ComesBackToTheByteByUndoAndTheNextOneByUndoOfThat) {
  EXPECT_TRUE(has(seen.err, "can be brought back with pawl undo 2")) << seen.err;
  EXPECT_EQ(project.prd(), kSecond);
  project.must({"undo", "2"});
  EXPECT_EQ(project.prd(), kFirst);
  EXPECT_EQ(project.status("A"), "committed");
  EXPECT_EQ(project.status("B"), "pending");
  project.must({"undo", "3"});
  EXPECT_EQ(project.prd(), kSecond);
  EXPECT_EQ(project.status("A"), "pending");
  project.must({"undo", "4"});
  EXPECT_EQ(project.prd(), kFirst);
}

TEST_F(ReplacedList, ComesBackAfterAThirdOne) {
  project.write(kPrd, R"({"project": "R", "stories": [{"id": "Z", "title": "z"}]})");
  project.must({"story", "list"});
  project.must({"undo", "3"});
  EXPECT_EQ(project.prd(), kSecond);
  project.must({"undo", "2"});
  EXPECT_EQ(project.prd(), kFirst);
}

TEST_F(ReplacedList, KeepsWhatCameIntoTheNextOneMeanwhile) {
  project.must({"story", "add", "C", "--title", "came later"});
  project.must({"undo", "2"});
  Json root = Json::parse(project.prd());
  EXPECT_EQ(root["project"], "P");
  EXPECT_EQ(root["config"]["repo"], "o/p");
  ASSERT_EQ(root["stories"].size(), 3U) << project.prd();
  EXPECT_EQ(root["stories"][1]["id"], "C") << "behind the one that it stood behind";
  EXPECT_FALSE(has(project.run({"story", "list"}).err, "missing"));
}

TEST_F(ReplacedList, DoesNotBringBackWhatHasGoneSince) {
  project.must({"undo", "2"});
  project.write(kPrd, R"({"project": "Q", "stories": [{"id": "X", "title": "x", "status": "pending"},
 {"id": "B", "title": "b", "status": "pending"}, {"id": "Y", "title": "y", "status": "pending"}]})");
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "another one's now"));
  project.must({"story", "drop", "B", "--reason", "r"});
  project.must({"undo", "4"});
  EXPECT_EQ(project.prd(),
            replaced(std::string(kFirst), ",\n {\"id\": \"B\", \"title\": \"b\", \"status\": \"pending\"}", ""));
}

TEST_F(ReplacedList, IsACopyThatIsNamedAndThatWhoeverLeavesGets) {
  EXPECT_TRUE(has(seen.err, "as it was the file is kept in .pawl/dropped/prd.json.")) << seen.err;
  EXPECT_EQ(project.read(project.only_kept("dropped")), kFirst);
  project.must({"leave"});
  std::size_t copies = 0;
  for (const auto& one : std::filesystem::directory_iterator(project.file("pawl-left/dropped"))) {
    ++copies;
    EXPECT_EQ(project.read("pawl-left/dropped/" + one.path().filename().string()), kFirst);
  }
  EXPECT_EQ(copies, 1U);
}

// The same of a file that has one thing in it, and nothing of its own.
TEST(ReplacedLoop, ComesBackAsItWasSpelled) {
  const StoryProject project;
  constexpr std::string_view kLoop =
      "{\"active\": true, \"iteration\": 5, \"max_iterations\": 20, \"started_at\": \"2026-11-18T05:00:00Z\", "
      "\"prompt\": \"go\", \"session_id\": \"s1\", \"_meta\": {\"x\": 1.0}}\n";
  project.write(".omc/ralph-state.json", kLoop);
  project.must({"init"});
  project.write(".omc/ralph-state.json",
                "{\"active\": true, \"iteration\": 0, \"started_at\": \"2026-11-18T06:00:00Z\", \"prompt\": \"new\", "
                "\"session_id\": \"s2\"}\n");
  project.must({"status"});
  project.must({"undo"});
  EXPECT_EQ(project.read(".omc/ralph-state.json"), kLoop);
  EXPECT_FALSE(project.exists(".pawl/dropped"));
}

}  // namespace
}  // namespace pawl::test

// What pawl prints is typed again where it was read: in a folder below the root, in a linked worktree. Through the real
// binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/story_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class PathFromTheRoot : public testing::Test {
 protected:
  PathFromTheRoot() {
    project.stories({StoryProject::story("A")});
    project.edit_prd("\"pending\"", "\"done\"");
    project.must({"story", "list"});
    copy = project.only_kept("refused");
    fs::create_directories(project.file("sub"));
  }
  [[nodiscard]] Ran below(std::vector<std::string> args) const {
    args.insert(args.begin(), {"-C", "sub"});
    return project.run(args);
  }
  StoryProject project;
  std::string copy;
};

TEST_F(PathFromTheRoot, OfACopyIsThatCopyInAFolderBelow) {
  const Ran ran = below({"dismiss", copy});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(project.exists(copy));
}

TEST_F(PathFromTheRoot, OfAFileIsThatFileInAFolderBelow) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"restore", "prd.json"},
                                               {"accept", "prd.json"},
                                               {"story", "show", "A", "--file", "prd.json"},
                                               {"show", "story/A", "--file", "prd.json"},
                                               {"story", "add", "B", "--title", "b", "--file", "prd.json"}}) {
    const Ran ran = below(args);
    EXPECT_EQ(ran.exit, 0) << args.front() << ran.err;
  }
  EXPECT_EQ(project.in_file("B"), "pending");
  EXPECT_FALSE(project.exists("sub/prd.json"));
}

TEST_F(PathFromTheRoot, IsNotMeantWhereAFileOfThatNameStands) {
  project.write("sub/prd.json", "{}");
  const Ran ran = below({"restore", "prd.json"});
  EXPECT_EQ(ran.exit, 3) << ran.out;
}

TEST_F(PathFromTheRoot, OfACopyIsThatCopyInALinkedWorktree) {
  project.start_git();
  project.git({"worktree", "add", "-q", "../tree"});
  const Ran ran = project.run({"-C", "../tree", "dismiss", copy});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(project.exists(copy));
}

TEST_F(PathFromTheRoot, OfNothingThatPawlKeepsIsNotFound) {
  project.write("other.json", "{}");
  EXPECT_EQ(below({"restore", "other.json"}).exit, 3);
}

// One that git took away, or somebody removed, is typed because it is gone.
TEST_F(PathFromTheRoot, IsNotMeantWherePawlKnowsAFileOfThatName) {
  project.write("data/prd.json", R"({"stories": [{"id": "B", "title": "b", "status": "pending"}]})");
  project.must({"story", "list"});
  fs::remove(project.file("data/prd.json"));
  project.must({"story", "list"});
  const std::string root = project.prd();
  project.write("prd.json", replaced(root, "\"id\"", "  \"id\""));
  const Ran ran = project.run({"-C", "data", "restore", "prd.json"});
  EXPECT_FALSE(has(ran.out, "prd.json shows") && !has(ran.out, "data/prd.json")) << ran.out << ran.err;
  EXPECT_NE(project.prd(), root) << "that is another file, with an edit in it";
}

}  // namespace
}  // namespace pawl::test

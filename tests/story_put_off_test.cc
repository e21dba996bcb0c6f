// A story that is left alone until a time: for what its tier said then, and no longer than it has that tier. Through
// the real binary.
#include <gtest/gtest.h>

#include "support/story_project.h"

namespace pawl::test {
namespace {

using Of = StoryProject;

class PutOffStory : public testing::Test {
 protected:
  PutOffStory() { project.record_gates(); }
  // A worker looks at it while it waits for a reviewer, and lets it go.
  void look() const {
    const Json taken = project.take("w");
    project.must({"claim", "release", "story/A", "--token", taken["claim"]["token"].dump()});
    ASSERT_TRUE(project.json({"story", "show", "A"}).contains("due_at"));
  }
  StoryProject project;
};

TEST_F(PutOffStory, IsPickedAtOnceWhereTheMoveIsUndone) {
  project.stories({Of::story("A", "committed")});
  project.must({"story", "move", "A", "pushed", "--pr", "5"});
  look();
  project.must({"undo"});
  ASSERT_EQ(project.status("A"), "committed");
  EXPECT_EQ(project.next(), "A");
  EXPECT_FALSE(project.json({"story", "show", "A"}).contains("due_at"));
}

TEST_F(PutOffStory, ThatHasEndedIsNotLookedAtAgain) {
  project.stories({Of::story("A", "pushed", 1, {{"lastActivityBy", "bot"}})});
  look();
  project.edit_prd("\"pushed\"", "\"merged\"");
  const std::string list = project.out({"story", "list"});
  EXPECT_TRUE(has(list, "merged")) << list;
  EXPECT_FALSE(has(list, "put off")) << list;
}

TEST_F(PutOffStory, IsUrgentOnceItsFileSaysThatAReviewerWaits) {
  project.stories({Of::story("A", "pushed", 1, {{"lastActivityBy", "bot"}})});
  look();
  EXPECT_EQ(project.next(), "");
  project.edit_prd("\"bot\"", "\"reviewer\"");
  EXPECT_EQ(project.next(), "A");
}

TEST_F(PutOffStory, IsDueByTheClockOnTheWall) {
  project.stories({Of::story("A", "pushed", 1, {{"lastActivityBy", "bot"}})});
  look();
  RunOptions there;
  there.env = {"TZ=Etc/GMT+5"};
  const std::string due = string_or(project.json({"story", "show", "A"}), "due_at");
  ASSERT_GE(due.size(), 16U);
  const Ran ran = project.run({"story", "next"}, there);
  EXPECT_TRUE(has(ran.out + ran.err, "the next is due at ")) << ran.out << ran.err;
  EXPECT_FALSE(has(ran.out + ran.err, due.substr(11, 5))) << ran.out << ran.err;
}

}  // namespace
}  // namespace pawl::test

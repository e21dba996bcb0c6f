// A database is judged, and set aside a moment later: by then another process may have begun anew, or come back and
// left again. What it made stays.
#include "engine/begin_anew.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/aside.h"
#include "engine/left.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

TEST(BeginAnew, OnlyTheDatabaseThatWasJudgedIsSetAside) {
  TodoProject project;
  project.write(".pawl/pawl.db", "damaged");
  const auto judged = database_file(project.engine().workspace());
  ASSERT_TRUE(judged);
  fs::rename(project.file(".pawl/pawl.db"), project.file(".pawl/by-another"));
  project.write(".pawl/pawl.db", "begun anew");
  const auto another = set_database_aside(project.engine(), "damaged", judged);
  EXPECT_TRUE(another && !*another);
  EXPECT_EQ(project.read(".pawl/pawl.db"), "begun anew");
  const auto now = database_file(project.engine().workspace());
  const auto kept = set_database_aside(project.engine(), "damaged", now);
  EXPECT_TRUE(kept && *kept);
  EXPECT_FALSE(project.exists(".pawl/pawl.db"));
}

TEST(BeginAnew, OnlyTheMarkThatWasReadIsTakenAway) {
  TodoProject project;
  project.write(".pawl/left", "{\"at\":\"2026-01-02T03:04:05Z\",\"folder\":\"pawl-left\"}\n");
  const auto first = read_left(project.engine().workspace().store);
  ASSERT_TRUE(first);
  const std::string second = "{\"at\":\"2026-01-02T03:04:06Z\",\"folder\":\"pawl-left-2\"}\n";
  project.write(".pawl/left", second);
  const Done taken = take_mark_away(project.engine(), *first);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::conflict);
  EXPECT_EQ(project.read(".pawl/left"), second);
  EXPECT_TRUE(take_mark_away(project.engine(), *read_left(project.engine().workspace().store)));
  EXPECT_FALSE(project.exists(".pawl/left"));
  EXPECT_TRUE(take_mark_away(project.engine(), *first)) << "another came back first";
}

TEST(BeginAnew, NoTwoFilesHaveCopiesOfOneName) {
  EXPECT_NE(copy_name("a+/b"), copy_name("a/+b"));
  EXPECT_NE(copy_name("a%2Bb"), copy_name("a+b"));
  EXPECT_EQ(copy_name(".worktrees/.status/42.json"), "_.worktrees+.status+42.json");
}

}  // namespace
}  // namespace pawl::test

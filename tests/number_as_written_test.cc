// Numbers that no machine number holds, in the files of stories, loops and issues: nobody's digits are changed, and a
// change of them is one.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

constexpr const char* kBig = "123456789012345678901234567890";
constexpr const char* kNextBig = "123456789012345678901234567891";  // the same double

std::string list_with(std::string_view number) {
  return cat("{\n  \"stories\": [\n    {\"id\": \"A\", \"title\": \"a\", \"status\": \"pending\", \"build\": ", number,
             ", \"priority\": 1}\n  ]\n}\n");
}

TEST(NumberAsWritten, EditOfItsLastDigitIsAnEditAndIsUndone) {
  for (const auto& [from, to] : {std::pair{kBig, kNextBig}, std::pair{"1e400", "1e401"},
                                 std::pair{"0.12345678901234567890", "0.12345678901234567891"}}) {
    SCOPED_TRACE(from);
    const StoryProject project;
    project.write(kPrd, list_with(from));
    project.must({"init"});
    project.write(kPrd, list_with(to));
    EXPECT_TRUE(has(project.out({"story", "show", "A", "--json"}), to));
    EXPECT_EQ(project.operations(), 2U);
    EXPECT_EQ(project.prd(), list_with(to));
    project.must({"undo"});
    EXPECT_EQ(project.prd(), list_with(from));
    EXPECT_TRUE(has(project.out({"story", "show", "A", "--json"}), from));
  }
}

TEST(NumberAsWritten, ComesBackWithItsStoryAsItWas) {
  const StoryProject project;
  project.write(kPrd, list_with(kBig));
  project.must({"init"});
  project.edit_prd(cat(" \"build\": ", kBig, ","), "");
  project.must({"story", "list"});
  project.must({"undo"});
  EXPECT_TRUE(has(project.prd(), cat("\"build\": ", kBig))) << project.prd();
}

TEST(NumberAsWritten, IsTakenWithAnEditOfWhichAnotherPartIsRefused) {
  const IssueProject project;
  project.put(1, cat("{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"cost\": ", kBig, "\n}\n"));
  project.must({"init"});
  project.put(1, cat("{\n  \"issue\": 1,\n  \"status\": \"sleeping\",\n  \"cost\": ", kNextBig, "\n}\n"));
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.bytes(1), cat("{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"cost\": ", kNextBig, "\n}\n"));
  EXPECT_TRUE(has(project.out({"issue", "show", "1", "--json"}), kNextBig));
}

TEST(NumberAsWritten, OneLargerThanAnyIsNoDamage) {
  const StoryProject project;
  project.write(kPrd, list_with("-1e400"));
  EXPECT_TRUE(has(project.out({"init"}), "1 story"));
  project.must({"story", "pause", "A", "--reason", "later"});
  project.must({"story", "retry", "A"});
  EXPECT_EQ(project.prd(), list_with("-1e400"));
  EXPECT_TRUE(project.kept("damaged").empty());

  project.write(kLoopFile,
                "{\"active\": true, \"iteration\": 1, \"started_at\": \"2026-01-01T00:00:00Z\", \"n\": 1e400}");
  project.must({"ralph", "tick"});
  const std::string ticked = project.read(kLoopFile).value_or("");
  EXPECT_TRUE(ticked.starts_with(
      "{\"active\": true, \"iteration\": 2, \"started_at\": \"2026-01-01T00:00:00Z\", \"n\": 1e400, "))
      << ticked;
}

TEST(NumberAsWritten, IsAPriorityLikeAnyOther) {
  const StoryProject project;
  project.write(kPrd, R"({"stories": [
    {"id": "LAST", "title": "l", "priority": 123456789012345678901234567890},
    {"id": "FIRST", "title": "f", "priority": 0.12345678901234567890}]})");
  project.must({"init"});
  EXPECT_EQ(project.next(), "FIRST");
}

}  // namespace
}  // namespace pawl::test

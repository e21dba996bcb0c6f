// Numbers that no machine number holds, in the files of stories, loops and issues: nobody's digits are changed, and a
// change of them is one.
#include <gtest/gtest.h>

#include <algorithm>

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

// --- of an id ---

std::string two_with(std::string_view id, std::string_view status) {
  return cat("{\"stories\": [{\"id\": ", id, ", \"title\": \"t\", \"status\": \"", status,
             "\"}, {\"id\": \"B\", \"title\": \"b\", \"status\": \"pending\"}]}\n");
}

class RespelledId : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  RespelledId() {
    project.record_gates();
    project.write(kPrd, two_with(first, "pending"));
    project.must({"init"});
    project.must({"story", "pause", first, "--reason", "r"});
    project.must({"story", "retry", first});
    project.write(kPrd, two_with(second, "pending"));
  }
  // What no machine number holds is no JSON to every reader.
  [[nodiscard]] std::string list() const { return project.out({"story", "list"}); }
  [[nodiscard]] std::ptrdiff_t stories() const {
    const std::string lines = list();
    return std::count(lines.begin(), lines.end(), '\n');
  }
  const std::string first = GetParam().first, second = GetParam().second;
  StoryProject project;
};

TEST_P(RespelledId, IsTheSameStory) {
  const std::size_t operations = project.operations();
  EXPECT_EQ(stories(), 2) << list();
  EXPECT_EQ(project.prd(), two_with(second, "pending"));
  EXPECT_EQ(project.operations(), operations);
  project.must({"story", "move", first, "skipped", "--reason", "r"});
  const std::string is = cat("{\"id\": ", second, ", \"title\": \"t\", \"status\": \"skipped\"");
  EXPECT_TRUE(has(project.prd(), is)) << project.prd();
  project.must({"undo"});
  EXPECT_EQ(project.prd(), two_with(second, "pending"));
}

TEST_P(RespelledId, MovesWithAnEditByHand) {
  project.write(kPrd, two_with(second, "skipped"));
  EXPECT_TRUE(has(list(), "skipped") && has(list(), first)) << list();
  EXPECT_EQ(project.prd(), two_with(second, "skipped"));
  project.must({"leave"});
  project.must({"init"});
  EXPECT_EQ(stories(), 2) << list();
  EXPECT_EQ(project.prd(), two_with(second, "skipped"));
}

TEST_P(RespelledId, CanBeDropped) {
  project.must({"story", "drop", first, "--reason", "r"});
  EXPECT_FALSE(has(project.prd(), second)) << project.prd();
  project.must({"undo"});
  EXPECT_TRUE(has(list(), first)) << list();
}

TEST_P(RespelledId, KeepsItsPlace) {
  project.edit_prd("\"t\"", "\"comes first\"");
  const std::string lines = list();
  EXPECT_LT(lines.find("comes first"), lines.find("  b\n")) << lines;
  EXPECT_TRUE(has(project.out({"story", "next"}), "comes first")) << project.out({"story", "next"});
}

INSTANTIATE_TEST_SUITE_P(Numbers, RespelledId,
                         testing::Values(std::pair("1", "1.0"), std::pair("1e400", "10e399"),
                                         std::pair("100000", "1e5"),
                                         std::pair(kBig, "12345678901234567890123456789e1")));

TEST(RespelledIdInOneList, IsTwoStoriesWhereBothStand) {
  const StoryProject project;
  const std::string list = R"({"stories": [{"id": 1.1, "title": "a"}, {"id": 1.10, "title": "b"}]})";
  project.write(kPrd, list);
  project.must({"init"});
  EXPECT_EQ(project.json({"story", "list"}).size(), 2U);
  EXPECT_EQ(project.status("1.10"), "pending");
  EXPECT_EQ(project.prd(), list);
}

TEST(RespelledIdInOneList, ThatComesBackTakesNobodysPlace) {
  const StoryProject project;
  project.write(kPrd,
                R"({"stories": [{"id": 1.1, "title": "a"}, {"id": 1.10, "title": "b"}, {"id": "C", "title": "c"}]})");
  project.must({"init"});
  project.must({"story", "drop", "1.1", "--reason", "r"});
  project.edit_prd("\"c\"", "\"edited\"");
  project.must({"story", "list"});
  project.must({"undo", "2"});
  EXPECT_EQ(project.prd(),
            R"({"stories": [{"id": 1.10, "title": "b"}, {"id": "C", "title": "edited"}, {"id": 1.1, "title": "a"}]})");
  EXPECT_EQ(project.json({"story", "list"}).size(), 3U);
}

}  // namespace
}  // namespace pawl::test

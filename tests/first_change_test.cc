// A file that pawl has never seen: the first command takes it over and changes it. What it shows is changed in place,
// the rest stays to the byte, and undo gives back the file as it was.
#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

struct Taken {
  const char* file;
  std::string bytes;
  std::vector<std::string> command;
  std::string from, to;  // what the command changes; times are left out
};

const std::string kStories =
    "{\"project\": \"p\",\r\n \"stories\": [\n"
    "  {\"id\": 1, \"title\": \"a\", \"status\": \"pending\", \"priority\": 1.50},\n"
    "  {\"id\": \"US-2\", \"title\": \"b\",\"status\" : \"pending\"}, {\"id\": \"US-3\", \"title\": \"b\"}]}";
const std::string kPasses =
    "{\"userStories\": [{\"id\": \"US-1\", \"title\": \"a\", \"passes\": false},\n {\"id\": \"US-2\", \"passes\": "
    "true}]}";
const std::string kRalph =
    "{\"active\": true,  \"iteration\": 3, \"max_iterations\": 9, \"prompt\": \"fix\",\n"
    " \"started_at\": \"2026-01-01T00:00:00Z\", \"session_id\": \"s-1\", \"mine\": [1,  2]}";
const std::string kIssue =
    "{\"issue\":42, \"status\":\"running\",\"session\":\"issue-42\",\n \"timestamp\":\"2026-01-01T00:00:00Z\",\"x\":[ "
    "]}";

std::vector<Taken> changes() {
  const std::string passes_first = "{\"id\": \"US-1\", \"title\": \"a\", \"passes\": false},\n ";
  return {
      {"prd.json", kStories, {"story", "drop", "US-2", "--reason", "r"}, "\"US-2\"", ""},
      {"prd.json", kStories, {"story", "drop", "1", "--reason", "r"}, "1.50", ""},
      {"prd.json", kStories, {"story", "add", "US-9", "--title", "new"}, "", "\"US-9\""},
      {"prd.json", kPasses, {"story", "drop", "US-1", "--reason", "r"}, passes_first, ""},
      {".omc/ralph-state.json", kRalph, {"ralph", "tick", "--session", "s-1"}, "\"iteration\": 3", "\"iteration\": 4"},
      {".omc/ralph-state.json",
       kRalph,
       {"ralph", "cancel", "--session", "s-1"},
       "\"active\": true",
       "\"active\": false"},
      {".worktrees/.status/42.json", kIssue, {"issue", "set", "42", "complete"}, "\"running\"", "\"complete\""},
      {".worktrees/.status/42.json", kIssue, {"issue", "remove", "42"}, "", ""},
  };
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  if (part.empty()) return count;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++count;
  return count;
}

TEST(FirstChange, OfAFileIsMadeOnceAndUndoneToTheByte) {
  for (const Taken& one : changes()) {
    for (const bool with_store : {false, true}) {
      const IssueProject project;
      SCOPED_TRACE(cat(one.command[0], " ", one.command[1], " ", one.command[2], with_store ? ", with a store" : ""));
      if (with_store) project.must({"issue", "set", "1", "running"});
      project.write(one.file, one.bytes);
      project.must(one.command);
      const std::string left = project.read(one.file).value_or("");
      EXPECT_EQ(count_of(left, one.from), 0U) << left;
      EXPECT_EQ(count_of(left, one.to), one.to.empty() ? 0U : 1U) << left;
      for (const char* id : {"\"id\": 1,", "\"US-1\"", "\"US-2\"", "\"US-3\"", "\"s-1\"", "\"issue\"", "\"mine\""})
        EXPECT_LE(count_of(left, id), count_of(one.bytes, id)) << left;
      const std::size_t operations = project.operations();
      EXPECT_EQ(project.run({"status"}).err, "");
      EXPECT_EQ(project.operations(), operations);
      EXPECT_EQ(project.read(one.file).value_or(""), left);
      project.must({"undo"});
      EXPECT_EQ(project.read(one.file).value_or("(none)"), one.bytes);
    }
  }
}

}  // namespace
}  // namespace pawl::test

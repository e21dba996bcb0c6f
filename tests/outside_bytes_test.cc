// A file belongs to the tool that wrote it: pawl changes the bytes that must change, and no other. Held for a set, for
// a set that is undone, and for a removal that is undone, over the ways in which tools write JSON.
#include <gtest/gtest.h>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

struct Spelling {
  const char* name;
  std::string bytes;  // status "running", session "one", timestamp "then"
};

// googletest prints it by name.
void PrintTo(const Spelling& spelling, std::ostream* out) { *out << spelling.name; }

class FileSpelling : public testing::TestWithParam<Spelling> {
 protected:
  FileSpelling() {
    project_.put(1, GetParam().bytes);
    project_.must({"init"});
  }
  IssueProject project_;
};

TEST_P(FileSpelling, IsKeptByASet) {
  ASSERT_EQ(project_.bytes(1), GetParam().bytes);
  project_.must({"issue", "set", "1", "complete"});
  const std::string timestamp = project_.shown(1)["timestamp"].get<std::string>();
  EXPECT_NE(timestamp, "then");
  std::string expected = replaced(GetParam().bytes, "\"running\"", "\"complete\"");
  expected = replaced(expected, "\"then\"", "\"" + timestamp + "\"");
  EXPECT_EQ(project_.bytes(1), expected);
}

TEST_P(FileSpelling, ComesBackWhenTheSetIsUndone) {
  project_.must({"issue", "set", "1", "error", "--message", "a new member"});
  EXPECT_NE(project_.bytes(1), GetParam().bytes);
  project_.must({"undo"});
  EXPECT_EQ(project_.bytes(1), GetParam().bytes);
}

TEST_P(FileSpelling, ComesBackWhenTheRemovalIsUndone) {
  project_.must({"issue", "remove", "1"});
  ASSERT_EQ(project_.bytes(1), "(none)");
  project_.must({"undo"});
  EXPECT_EQ(project_.bytes(1), GetParam().bytes);
}

TEST_P(FileSpelling, ComesBackAfterDamage) {
  project_.put(1, "{");
  project_.must({"issue", "get", "1"});
  EXPECT_EQ(project_.bytes(1), GetParam().bytes);
}

TEST_P(FileSpelling, IsKeptByAReadThatFindsAnEdit) {
  const std::string edited = replaced(GetParam().bytes, "\"one\"", "\"two\"");
  project_.put(1, edited);
  EXPECT_EQ(project_.shown(1)["session"], "two");
  EXPECT_EQ(project_.bytes(1), edited);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, FileSpelling,
    testing::Values(
        Spelling{
            "TwoSpaces",
            "{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"session\": \"one\",\n  \"timestamp\": \"then\"\n}\n"},
        Spelling{"FourSpaces",
                 "{\n    \"issue\": 1,\n    \"status\": \"running\",\n    \"session\": \"one\",\n    \"timestamp\": "
                 "\"then\"\n}\n"},
        Spelling{
            "Tabs",
            "{\n\t\"issue\": 1,\n\t\"status\": \"running\",\n\t\"session\": \"one\",\n\t\"timestamp\": \"then\"\n}\n"},
        Spelling{"OneLine", "{\"issue\": 1, \"status\": \"running\", \"session\": \"one\", \"timestamp\": \"then\"}"},
        Spelling{"Dense", "{\"issue\":1,\"status\":\"running\",\"session\":\"one\",\"timestamp\":\"then\"}"},
        Spelling{"CarriageReturns",
                 "{\r\n  \"issue\": 1,\r\n  \"status\": \"running\",\r\n  \"session\": \"one\",\r\n  \"timestamp\": "
                 "\"then\"\r\n}\r\n"},
        Spelling{
            "NoNewlineAtTheEnd",
            "{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"session\": \"one\",\n  \"timestamp\": \"then\"\n}"},
        Spelling{"ManyNewlinesAtTheEnd",
                 "\n\n{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"session\": \"one\",\n  \"timestamp\": "
                 "\"then\"\n}\n\n\n"},
        Spelling{
            "OtherOrder",
            "{\n  \"timestamp\": \"then\",\n  \"session\": \"one\",\n  \"status\": \"running\",\n  \"issue\": 1\n}\n"},
        Spelling{"UnknownMembers",
                 "{\n  \"pid\": 12345678901234567890123,\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"a\": "
                 "{\"b\": [1.0, 2e3, "
                 "-0.0, true, null]},\n  \"session\": \"one\",\n  \"timestamp\": \"then\",\n  \"\": \"no name\"\n}\n"},
        Spelling{"Escapes",
                 "{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"note\": \"\\u00e9\\ud83d\\ude00\\/\\u0041\",\n  "
                 "\"session\": \"one\",\n "
                 " \"timestamp\": \"then\"\n}\n"},
        Spelling{"RawUtf8",
                 "{\n  \"issue\": 1,\n  \"status\": \"running\",\n  \"note\": \"é😀/A\",\n  \"session\": \"one\",\n  "
                 "\"timestamp\": "
                 "\"then\"\n}\n"},
        Spelling{"UnevenBlanks",
                 "{  \"issue\" :1 ,\n\n      \"status\"\t:   \"running\"   ,\n \"session\":\"one\"\n, \"timestamp\" : "
                 "\"then\"   }  \n"},
        Spelling{"EscapedKeys",
                 "{\n  \"issue\": 1,\n  \"st\\u0061tus\": \"running\",\n  \"session\": \"one\",\n  \"timestamp\": "
                 "\"then\"\n}\n"}),
    [](const auto& test_info) { return std::string(test_info.param.name); });

TEST(FreshStatusFile, IsAsTheSeedsJqWouldWriteIt) {
  const IssueProject project;
  project.must({"issue", "set", "1", "error", "--session", "s", "--message", "kaputt: „é“ \"\\"});
  const Ran jq = run_program("jq", {".", project.file(IssueProject::path_of(1))});
  EXPECT_EQ(jq.exit, 0) << jq.err;
  EXPECT_EQ(project.bytes(1), jq.out);
  EXPECT_TRUE(project.bytes(1).starts_with(
      "{\n  \"issue\": 1,\n  \"status\": \"error\",\n  \"session\": \"s\",\n  \"error_message\": "))
      << project.bytes(1);
}

TEST(ForeignOrder, NewMemberOfAnUnorderedFileComesInAndGoesOutAgain) {
  const IssueProject project;
  // Others write error_message and session_label after timestamp.
  const std::string theirs =
      "{\n  \"issue\": 1,\n  \"status\": \"error\",\n  \"session\": \"one\",\n  \"timestamp\": \"then\",\n"
      "  \"error_message\": \"old\",\n  \"session_label\": \"x\"\n}\n";
  project.put(1, theirs);
  EXPECT_EQ(project.out({"issue", "error", "1"}), "old\n");
  project.must({"issue", "set", "1", "error", "--message", "new"});
  const std::string timestamp = project.shown(1)["timestamp"].get<std::string>();
  EXPECT_EQ(project.bytes(1), replaced(replaced(theirs, "\"old\"", "\"new\""), "\"then\"", "\"" + timestamp + "\""));
}

}  // namespace
}  // namespace pawl::test

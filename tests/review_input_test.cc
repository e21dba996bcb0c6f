// Findings as other tools hand them in: what cannot be read is said, and none of them is added.
#include <gtest/gtest.h>

#include "support/review_project.h"

namespace pawl::test {
namespace {

class ReviewInput : public testing::Test {
 protected:
  void SetUp() override { project.start(); }
  [[nodiscard]] Ran hand_in(const std::string& text) const {
    RunOptions options;
    options.input = text;
    return project.run({"review", "finding", "add"}, options);
  }
  void is_refused(const std::string& text, std::string_view named) const {
    const Ran ran = hand_in(text);
    EXPECT_EQ(ran.exit, 2) << text << ran.out;
    EXPECT_TRUE(has(ran.err, named)) << ran.err;
    EXPECT_TRUE(has(ran.err, "none of them was added")) << ran.err;
    EXPECT_TRUE(project.json({"review", "finding", "list"}).empty());
  }
  ReviewProject project;
};

std::string sarif(const std::string& results, const std::string& version = R"("version": "2.1.0",)") {
  return "{" + version + R"( "runs": [{"tool": {"driver": {"name": "x"}}, "results": )" + results + "}]}";
}
std::string place(const std::string& region) {
  return R"("locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.c"}, "region": {)" + region + "}}}]";
}

TEST_F(ReviewInput, SarifIsReadStrictly) {
  is_refused(sarif("[]", R"("version": "2.0.0",)"), "SARIF of version “2.0.0”");
  is_refused(sarif("[]", ""), "SARIF that does not say its version");
  is_refused(R"({"version": "2.1.0"})", "SARIF without runs");
  is_refused(R"({"version": "2.1.0", "runs": {}})", "SARIF without runs");
  is_refused(R"({"version": "2.1.0", "runs": [{"tool": {}}]})", "a run of SARIF has no list of results");
  is_refused(sarif(R"([{"message": {"text": "no place"}}])"), "finding 1 of 1: it has no file");
  is_refused(sarif(R"([{"message": {"text": "backwards"}, )" + place(R"("startLine": 9, "endLine": 3)") + "}]"),
             "the last line, 3, is before the first, 9");
  is_refused(sarif(R"([{"level": "fatal", "message": {"text": "x"}, )" + place("") + "}]"),
             "“fatal” is not a severity");
  is_refused(sarif(R"([{"message": {}, )" + place("") + "}]"), "it has no title");
  const Ran nothing = hand_in(sarif("[]"));
  EXPECT_EQ(nothing.exit, 0) << nothing.err;
  EXPECT_TRUE(has(nothing.out, "there are no findings"));
}

TEST_F(ReviewInput, OtherFormsAreReadStrictly) {
  is_refused(R"({"diagnostics": {}})", "“diagnostics” is no list");
  is_refused(R"({"diagnostics": [{"message": "m", "location": {}}]})", "it has no file");
  is_refused(R"([{"file": "a", "severity": "minor", "title": "t", "line": "42"}])", "“line” is no whole number");
  is_refused(R"([{"file": "a", "severity": "minor", "title": "t", "confidence": 95.5}])", "“confidence” is no whole");
  is_refused(R"([{"file": "a", "severity": "minor", "title": 7}])", "“title” is no text");
  is_refused(R"([{"file": "a", "severity": "minor", "title": "t"}, "x"])", "one of them is no object");
  is_refused(R"({"findings": 3})", "they are no list");
  is_refused(R"([{"file": "a", "severity": "minor", "title": "t", "line": 5, "end_line": 4}])", "is before the first");
}

TEST_F(ReviewInput, LinesDoNotGoBackwards) {
  const auto refused = [&](const std::vector<std::string>& args, std::string_view named) {
    const Ran ran = project.run(args);
    EXPECT_EQ(ran.exit, 2) << ran.out;
    EXPECT_TRUE(has(ran.err, named)) << ran.err;
  };
  const std::vector<std::string> add = {"review",     "finding", "add",     "--file", "a",
                                        "--severity", "minor",   "--title", "t"};
  auto with = add;
  with.insert(with.end(), {"--line", "5", "--end-line", "4"});
  refused(with, "the last line, 4, is before the first, 5");
  with = add;
  with.insert(with.end(), {"--end-line", "4"});
  refused(with, "a last line needs a first one");
  project.add("one", "minor", 5);
  refused({"review", "finding", "edit", "1", "--end-line", "4"}, "the last line, 4, is before the first, 5");
  project.must({"review", "finding", "edit", "1", "--end-line", "7"});
  EXPECT_EQ(project.json({"review", "finding", "show", "1"})["end_line"], 7);
}

}  // namespace
}  // namespace pawl::test

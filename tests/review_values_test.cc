// What a finding's values may be, and what becomes of them.
#include <gtest/gtest.h>

#include "support/review_project.h"

namespace pawl::test {
namespace {

class ReviewValues : public testing::Test {
 protected:
  ReviewProject project;
};

TEST_F(ReviewValues, AFindingOverSeveralLinesCanBecomeOneOfOne) {
  project.start();
  project.add("one", "minor", 42, {"--end-line", "44"});
  project.must({"review", "finding", "edit", "1", "--end-line", "42"});
  EXPECT_FALSE(project.json({"review", "finding", "show", "1"}).contains("end_line"));
}

TEST_F(ReviewValues, AFileHasOneName) {
  project.start();
  for (const char* name : {"./src//a.c", "src/./a.c"}) {
    project.must({"review", "finding", "add", "--file", name, "--severity", "minor", "--title", "x"});
    EXPECT_EQ(project.json({"review", "finding", "list"}).back()["file"], "src/a.c");
  }
}

TEST_F(ReviewValues, ASuggestionKeepsItsEmptyLines) {
  project.start();
  project.add("one", "minor", 42, {"--suggestion", "\n"});
  project.add("two", "minor", 43, {"--suggestion", "x\n\n\n"});
  project.add("none", "minor", 44, {"--suggestion", ""});
  const auto body = [&](const char* index) {
    return string_or(project.json({"review", "finding", "show", index}), "body");
  };
  EXPECT_EQ(body("1"), "```suggestion\n\n```");
  EXPECT_EQ(body("2"), "```suggestion\nx\n\n\n```");
  EXPECT_EQ(body("3"), "```suggestion\n```");
  project.must({"review", "finding", "edit", "1", "--body", "why"});
  EXPECT_EQ(body("1"), "why\n\n```suggestion\n\n```");
}

TEST_F(ReviewValues, AWordThatIsNoModeIsPutBackUnlessTheFileCameWithIt) {
  project.start();
  project.edit_file(kStateFile, "mode: \"full\"", "mode: \"ultra\"");
  const Ran ran = project.run({"review", "status"});
  EXPECT_TRUE(has(ran.err, "mode became “ultra”, which is none") && has(ran.err, "it can be full or quick")) << ran.err;
  EXPECT_TRUE(has(project.state_file(), "mode: \"full\"")) << project.state_file();
  project.edit_file(kStateFile, "mode: \"full\"", "mode: \"quick\"");
  EXPECT_EQ(string_or(project.state(), "mode"), "quick");

  ReviewProject other;
  project.edit_file(kStateFile, "mode: \"quick\"", "mode: \"deep\"");
  other.write(kStateFile, project.state_file());
  other.must({"init"});
  other.edit_file(kStateFile, "| 120 | pending |", "| 120 | skipped |");
  EXPECT_EQ(other.run({"review", "status"}).err, "");
  EXPECT_EQ(string_or(other.state(), "mode"), "deep");
  EXPECT_EQ(other.chunk(1), "skipped");
}

TEST_F(ReviewValues, ALineThatIsNoneIsNotTakenForNone) {
  project.start();
  for (const char* line : {"1.5", "99999999999999999999", "\"7\""}) {
    RunOptions options;
    options.input =
        R"({"version":"2.1.0","runs":[{"results":[{"message":{"text":"m"},"locations":[{"physicalLocation":{)"
        R"("artifactLocation":{"uri":"a.c"},"region":{"startLine":)" +
        std::string(line) + "}}}]}]}]}";
    const Ran ran = project.run({"review", "finding", "add"}, options);
    EXPECT_EQ(ran.exit, 2) << line << ran.out;
    EXPECT_TRUE(has(ran.err, "“startLine” is no line")) << ran.err;
  }
}

}  // namespace
}  // namespace pawl::test

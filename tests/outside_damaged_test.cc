// A file that cannot be read as what it should be, through the real binary: nothing is deleted because it is damaged,
// the last good bytes come back, and the user is told both.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

const std::vector<std::string>& broken_files() {
  static const std::vector<std::string> kFiles = {
      "",
      "\n",
      "{",
      "{\"issue\": 1, \"status\": \"comp",
      "{\"issue\": 1, \"status\": \"complete\"}}",
      "[]",
      "42",
      "null",
      "\"complete\"",
      "not json at all",
      "{\"status\": \"complete\",}",
      "{'status': 'complete'}",
      "\xff\xfe{\"status\": \"complete\"}",
      "{\"status\": \"\xc3\x28\"}",
      std::string("{\"status\": \"complete\"}\0\0\0\0", 26),
      std::string(64, '\0'),
  };
  return kFiles;
}

TEST(DamagedFile, IsKeptAsideAndTheLastGoodBytesComeBack) {
  for (const std::string& broken : broken_files()) {
    SCOPED_TRACE(broken);
    const IssueProject project;
    project.must({"issue", "set", "1", "running"});
    project.edit(1, "\"session\"", "\"mine\" :  1.0,\n  \"session\"");  // not as pawl would write it
    project.must({"issue", "get", "1"});
    const std::string good = project.bytes(1);
    project.put(1, broken);

    const Ran ran = project.run({"issue", "get", "1"});
    EXPECT_EQ(ran.exit, 0);
    EXPECT_EQ(ran.out, "running\n");
    EXPECT_EQ(project.bytes(1), good);
    const std::string copy = project.only_kept("damaged");
    EXPECT_EQ(project.read(copy), broken);
    EXPECT_TRUE(has(ran.err, IssueProject::path_of(1))) << ran.err;
    EXPECT_TRUE(has(ran.err, "restored")) << ran.err;
    EXPECT_TRUE(has(ran.err, copy)) << ran.err;
    EXPECT_EQ(project.run({"issue", "get", "1"}).err, "");
    EXPECT_EQ(project.operations(), 2U);  // nothing about the work has changed
    EXPECT_EQ(project.run({"doctor"}).exit, 0);
  }
}

TEST(DamagedFile, ACommandGoesOnFromTheLastGoodState) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "mine"});
  project.put(1, "{\"status\": ");
  const Ran ran = project.run({"issue", "set", "1", "complete"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, project.only_kept("damaged"))) << ran.err;
  EXPECT_EQ(project.content(1)["status"], "complete");
  EXPECT_EQ(project.content(1)["session"], "mine");
}

TEST(DamagedFile, DoctorLooksAndLeavesItAndFixRestoresIt) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string good = project.bytes(1);
  project.put(1, "{");
  const std::string before = project.store_image();
  const Ran looked = project.run({"doctor"});
  EXPECT_EQ(looked.exit, 1);
  EXPECT_TRUE(has(looked.out, IssueProject::path_of(1))) << looked.out;
  EXPECT_EQ(project.bytes(1), "{");
  EXPECT_EQ(project.store_image(), before);
  EXPECT_EQ(project.run({"doctor", "--fix"}).exit, 0);
  EXPECT_EQ(project.bytes(1), good);
  EXPECT_EQ(project.read(project.only_kept("damaged")), "{");
}

TEST(DamagedFile, WithoutAnEarlierStateReadsUnknownAndIsLeft) {
  for (const std::string& broken : broken_files()) {
    SCOPED_TRACE(broken);
    const IssueProject project;
    project.put(1, broken);
    EXPECT_EQ(project.get(1), "unknown");  // before there is a store
    const Ran init = project.run({"init"});
    EXPECT_EQ(init.exit, 0);
    EXPECT_TRUE(has(init.out, cat("left alone: ", IssueProject::path_of(1)))) << init.out << init.err;
    const Ran ran = project.run({"issue", "get", "1"});
    EXPECT_EQ(ran.exit, 0);
    EXPECT_EQ(ran.out, "unknown\n");
    EXPECT_TRUE(has(ran.err, "no earlier state")) << ran.err;
    EXPECT_EQ(project.bytes(1), broken);
  }
}

TEST(DamagedFile, WithoutAnEarlierStateAFreshOneStartsAndItIsSaid) {
  const IssueProject project;
  project.put(1, "{\"status\": \"runn");
  const Ran ran = project.run({"issue", "set", "1", "running"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(project.content(1)["status"], "running");
  const std::string copy = project.only_kept("damaged");
  EXPECT_EQ(project.read(copy), "{\"status\": \"runn");
  EXPECT_TRUE(has(ran.err, "no earlier state")) << ran.err;
  EXPECT_TRUE(has(ran.err, copy)) << "where the damaged one went is not said:\n" << ran.err;
}

TEST(DamagedFile, AfterARemovalIsNotAnEarlierState) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "remove", "1"});
  project.put(1, "{");
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_EQ(project.bytes(1), "{");
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.read(project.only_kept("damaged")), "{");
}

TEST(DamagedFile, OfOneIssueDoesNotHideTheOthers) {
  const IssueProject project;
  project.must({"issue", "set", "2", "complete"});
  project.put(1, "{");
  const Ran ran = project.run({"issue", "list"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "1\tunknown\n2\tcomplete\n");
  EXPECT_TRUE(has(ran.err, IssueProject::path_of(1))) << ran.err;
}

TEST(DamagedFile, LargerThanAnyStatusFileIsLeftAloneWithAClearWord) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string huge = "{\"status\": \"complete\", \"x\": \"" + std::string(2 << 20, 'x') + "\"}";
  project.put(1, huge);
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_TRUE(has(ran.err, "larger than")) << ran.err;
  EXPECT_FALSE(has(ran.out, "complete"));
  EXPECT_TRUE(project.bytes(1) == huge ||
              (!project.kept("damaged").empty() && project.read(project.only_kept("damaged")) == huge));
}

TEST(DamagedFile, AFolderInItsPlaceIsAnErrorThatSaysSo) {
  const IssueProject project;
  std::filesystem::create_directories(project.file(IssueProject::path_of(1)));
  const Ran ran = project.run({"issue", "set", "1", "running"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, IssueProject::path_of(1))) << ran.err;
  EXPECT_TRUE(has(ran.err, "folder") || has(ran.err, "directory")) << ran.err;
  EXPECT_EQ(project.run({"issue", "list"}).exit, 0);
}

// Deeper than any tool writes: neither a crash nor a lost file.
TEST(DamagedFile, NestedWithoutEndIsDamageAndNotACrash) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string good = project.bytes(1);
  const std::string deep = "{\"x\": " + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  project.put(1, deep);
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.bytes(1), good);
  EXPECT_EQ(project.read(project.only_kept("damaged")), deep);
}

}  // namespace
}  // namespace pawl::test

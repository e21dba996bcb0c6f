// `pawl accept` of lists and loops that git changed: the file stays as it is to the byte, or it is refused.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

// What it does not show is gone; it can be brought back.
TEST(GitsList, AcceptedIsTheListThatStandsThere) {
  const StoryProject project;
  project.start_git();
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  project.commit_all("two");
  project.edit_prd("\"B\"", "\"B2\"");
  project.must({"status"});
  project.stories({StoryProject::story("A"), StoryProject::story("B"), StoryProject::story("C")});
  project.commit_all("three");
  project.git({"checkout", "-q", "HEAD~1"});
  const std::string moved = project.prd();
  project.must({"status"});
  project.must({"accept", std::string(kPrd)});
  EXPECT_EQ(project.prd(), moved);
  EXPECT_NE(project.run({"story", "show", "C"}).exit, 0);
  EXPECT_EQ(project.prd(), moved);
  project.must({"undo"});
  EXPECT_EQ(project.status("C"), "pending");
}

// An old copy would give a loop its iterations again: it is not taken, and nothing is written.
// Which version counts was chosen with git: a counter that else only grows goes back with it.
TEST(GitsLoop, IsTakenToTheByteThoughItsCounterGoesBack) {
  const IssueProject project;
  project.start_git();
  project.must({"ralph", "start", "--prompt", "work", "--session", "s1"});
  project.commit_all("begun");
  const std::string begun = project.read(kLoopFile).value_or("");
  auto loop = *parse_json(begun);
  loop["iteration"] = 7;
  project.write(kLoopFile, cat(to_line(loop), "\n"));
  project.must({"status"});
  project.commit_all("seven");
  project.must({"status"});
  project.git({"checkout", "-q", "HEAD~1"});
  ASSERT_EQ(project.read(kLoopFile), begun);
  const Ran ran = project.run({"accept", std::string(kLoopFile)});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(project.read(kLoopFile), begun);
  const std::string shown = project.out({"ralph", "show", "--json"});
  EXPECT_TRUE(has(shown, "\"iteration\": 0")) << shown;
}

// Only a status takes the place of a word that is none.
TEST(HeldWord, IsToldToAcceptOnlyWhatAcceptTakes) {
  for (const auto& [word, taken] : {std::pair{"zzz", false}, std::pair{"merged", true}}) {
    SCOPED_TRACE(word);
    const StoryProject project;
    project.stories({StoryProject::story("A", "wat")});
    project.edit_prd("\"wat\"", cat("\"", word, "\""));
    const Ran ran = project.run({"status"});
    const std::string copy = project.only_kept("refused");
    EXPECT_EQ(project.in_file("A"), "wat");
    EXPECT_EQ(has(ran.err, cat("pawl accept ", copy)), taken) << ran.err;
    EXPECT_EQ(project.run({"accept", copy, "--reason", "r"}).exit, taken ? 0 : 1);
    EXPECT_EQ(project.in_file("A"), taken ? word : "wat");
  }
}

}  // namespace
}  // namespace pawl::test

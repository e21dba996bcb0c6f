// pawl is called while git is in the middle of a checkout or a stash: files are gone or others, HEAD is where it was,
// and nobody can tell yet whose a change is.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class GitAtWork : public testing::Test {
 protected:
  GitAtWork() {
    project.start_git();
    project.must({"issue", "set", "1", "running", "--session", "s"});
    project.commit_all("a status");
    file = project.bytes(1);
    operations = project.operations();
  }
  void begin() const { project.write(".git/index.lock", ""); }
  void end() const { fs::remove(project.file(".git/index.lock")); }

  IssueProject project;
  std::string file;
  std::size_t operations = 0;
};

TEST_F(GitAtWork, AFileThatIsGoneMeanwhileIsNotTakenForRemoved) {
  begin();
  project.drop(1);
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_TRUE(has(ran.err, "git is at work here")) << ran.err;
  EXPECT_EQ(project.operations(), operations);
  project.put(1, file);
  end();
  const Ran after = project.run({"issue", "get", "1"});
  EXPECT_EQ(after.out, "running\n");
  EXPECT_EQ(after.err, "");
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

TEST_F(GitAtWork, AnEditIsTakenOverWhenThatIsOver) {
  begin();
  project.edit(1, "\"running\"", "\"complete\"");
  EXPECT_EQ(project.get(1), "running");
  end();
  EXPECT_EQ(project.get(1), "complete");
}

TEST_F(GitAtWork, WhatACommandDoesMeanwhileIsInTheFileWhenItComesBack) {
  begin();
  project.drop(1);
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.bytes(1), "(none)") << "git would stumble over it";
  project.put(1, file);
  end();
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["status"], "complete");
}

// Both stand: what somebody wrote, and what a command did meanwhile.
TEST_F(GitAtWork, AnEditAndACommandMeanwhileAreBothThereAfterwards) {
  begin();
  project.edit(1, "\"s\"", "\"s2\"");
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.content(1)["status"], "running") << "git would stumble over it";
  end();
  const Ran after = project.run({"issue", "get", "1"});
  EXPECT_EQ(after.out, "complete\n");
  EXPECT_FALSE(has(after.err, "changed by git")) << after.err;
  EXPECT_EQ(project.content(1)["status"], "complete");
  EXPECT_EQ(project.content(1)["session"], "s2");
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

// Of what was removed by a command, and brought by git, pawl keeps off as well.
TEST_F(GitAtWork, WhatWasRemovedAndComesWhileGitIsAtWorkIsNotTakenForNew) {
  project.must({"issue", "remove", "1"});
  begin();
  project.put(1, file);
  EXPECT_EQ(project.get(1), "unknown");
  project.drop(1);
  end();
  EXPECT_EQ(project.get(1), "unknown");
}

// The clock was set back, or the disk is another machine's: an index from the future says nothing about now.
TEST_F(GitAtWork, AnIndexFromTheFutureIsNoWork) {
  fs::last_write_time(project.file(".git/index"), fs::file_time_type::clock::now() + std::chrono::hours(1));
  project.edit(1, "\"running\"", "\"complete\"");
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n") << ran.err;
}

// A checkout that takes long, as with large files: it waits in a filter until it is let go on.
TEST_F(GitAtWork, ACheckoutThatIsUnderWayEndsNothing) {
  const std::string gate = project.home() + "/gate";
  ASSERT_EQ(run_program("mkfifo", {gate}).exit, 0);
  project.write("zz-big.bin", "one\n");
  project.write(".gitattributes", "zz-big.bin filter=slow\n");
  project.commit_all("big");
  project.git({"checkout", "-q", "-b", "other"});
  project.git({"rm", "-q", "-r", ".worktrees"});
  project.write("zz-big.bin", "two\n");
  project.commit_all("another");
  project.git({"checkout", "-q", "-"});
  ASSERT_EQ(project.bytes(1), file);
  ASSERT_EQ(project.get(1), "running");
  project.git({"config", "filter.slow.smudge", cat("cat ", gate, " >/dev/null; cat")});
  RunOptions options = project.options();
  options.cwd = project.path();
  Child git("git", {"checkout", "other"}, options);
  while (!fs::exists(project.file(".git/index.lock")) || fs::exists(project.file(IssueProject::path_of(1)))) {
  }
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.run({"status"}).exit, 0);
  write_all(gate, "go on\n");
  EXPECT_EQ(git.finish().exit, 0);
  EXPECT_EQ(project.get(1), "running");
  project.git({"config", "filter.slow.smudge", "cat"});
  project.git({"checkout", "-q", "-"});
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.bytes(1), file);
}

// What git brought does not come in with an edit of the same file.
TEST_F(GitAtWork, AnEditOnTopOfAMergeWaitsWithIt) {
  project.git({"checkout", "-q", "-b", "side"});
  project.edit(1, "\"running\"", "\"complete\"");
  project.commit_all("theirs");
  project.git({"checkout", "-q", "-"});
  ASSERT_EQ(project.get(1), "running");
  project.git({"merge", "-q", "side"});
  project.edit(1, "\"s\"", "\"s2\"");
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_TRUE(has(ran.err, "was changed by git")) << ran.err;
  project.must({"accept", IssueProject::path_of(1)});
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["session"], "s2");
}

}  // namespace
}  // namespace pawl::test

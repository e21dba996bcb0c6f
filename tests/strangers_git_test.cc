// A .git folder that is a stranger's, as an unpacked archive brings one: what its configuration names is run by no look
// and by no adoption. Real git; each program that is named there would leave a trace.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class StrangersGit : public testing::Test {
 protected:
  StrangersGit() {
    project.start_git();
    project.write(".gitattributes", "* filter=x\n");
    project.must({"issue", "set", "1", "running"});
    project.commit_all("early");
    project.must({"issue", "set", "1", "complete"});
    project.commit_all("late");
    project.must({"issue", "get", "1"});
  }
  // From here on whatever asks git carelessly leaves a trace.
  void name_programs() {
    const std::string program = project.home() + "/program";
    write_all(program, cat("#!/bin/sh\ntouch '", trace, "'\ncat\n"));
    ASSERT_EQ(::chmod(program.c_str(), 0755), 0);
    for (const char* const hook : {"post-index-change", "reference-transaction"}) {
      fs::create_directories(project.home() + "/hooks");
      fs::create_symlink(program, cat(project.home(), "/hooks/", hook));
    }
    for (const char* const key : {"filter.x.smudge", "filter.x.clean", "core.fsmonitor"})
      project.git({"config", key, program});
    project.git({"config", "core.hooksPath", project.home() + "/hooks"});
    fs::remove(trace);
  }
  void expect_no_trace(const std::vector<std::string>& args) {
    EXPECT_NE(project.run(args).exit, 5);
    EXPECT_FALSE(fs::exists(trace)) << testing::PrintToString(args);
    fs::remove(trace);
  }
  IssueProject project;
  const std::string trace = project.home() + "/trace";
};

TEST_F(StrangersGit, WhatItNamesIsRunByNoLook) {
  project.git({"checkout", "-q", "HEAD~1"});
  name_programs();
  for (const auto& args : std::vector<std::vector<std::string>>{
           {"doctor"}, {"status"}, {"status", "--line"}, {"issue", "get", "1"}, {"log"}, {"show", "issue/1"}})
    expect_no_trace(args);
  EXPECT_EQ(project.content(1)["status"], "running") << "git brought it, and it is settled by a person";
  EXPECT_EQ(project.get(1), "complete");
}

// Asked in one folder and answered for another: there is no filter there, so one would be believed to be none.
TEST_F(StrangersGit, AWorktreeElsewhereHidesNoFilter) {
  project.git({"checkout", "-q", "HEAD~1"});
  name_programs();
  const std::string elsewhere = project.home() + "/elsewhere";
  fs::create_directories(elsewhere);
  project.git({"config", "core.worktree", elsewhere});
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"doctor"}, {"status"}, {"issue", "get", "1"}, {"init", "--all"}})
    expect_no_trace(args);
}

TEST_F(StrangersGit, WhatItNamesIsRunByNoAdoption) {
  ASSERT_EQ(project.run({"leave"}).exit, 0);
  name_programs();
  expect_no_trace({"doctor"});
  expect_no_trace({"init", "--all"});
  expect_no_trace({"init", "--all"});
  EXPECT_EQ(project.get(1), "complete");
}

// Only the filter could tell what a checkout would write: an edit on top of what git brought is git's, one without a
// checkout is the user's.
TEST_F(StrangersGit, AFileWithAFilterIsJudgedByItsCommits) {
  project.edit(1, "\"complete\"", "\"running\"");
  EXPECT_EQ(project.get(1), "running") << "nothing was checked out";
  project.must({"issue", "set", "1", "complete"});
  project.git({"stash", "-q"});
  project.git({"checkout", "-q", "-b", "other", "HEAD~1"});
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["status"], "running");
}

}  // namespace
}  // namespace pawl::test

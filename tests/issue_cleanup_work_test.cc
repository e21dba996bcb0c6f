// `pawl issue cleanup` and work where git status does not look: submodules, hidden changes, repositories that are
// ignored, a commit that only a worktree leads to, agents that do not end when they are told to.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueCleanupWork : public testing::Test {
 protected:
  void completed(int number, const std::string& script = "true", const std::vector<std::string>& more = {}) const {
    const std::string n = std::to_string(number);
    project.start(number, script + "; echo '###TASK_COMPLETE_" + n + "###'; exec tail -f /dev/null", more);
    EXPECT_EQ(project.end_of(number), "complete");
  }
  // It is left as it is, says this, and advises --force only where that helps.
  void stops(int number, const std::string& said, bool force_helps) const {
    const std::string n = std::to_string(number);
    for (const bool force : {false, true}) {
      if (force && force_helps) continue;
      std::vector<std::string> args = {"issue", "cleanup", n};
      if (force) args.emplace_back("--force");
      const Ran ran = project.pawl(args);
      EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
      EXPECT_TRUE(has(ran.out, said)) << ran.out << ran.err;
      EXPECT_EQ(has(ran.out, "--force puts"), force_helps) << ran.out;
      EXPECT_TRUE(fs::exists(project.worktree(number) + "/README"));
      EXPECT_FALSE(project.worktree(number).ends_with("-leaving"));
    }
  }
  static std::string commit(const std::string& file) {
    return "echo x >" + file + "; git add " + file + "; git -c user.name=a -c user.email=a@b commit -qm " + file;
  }
  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  RunProject project;
};

// A monitor of changes that is broken, or lies.
TEST_F(IssueCleanupWork, WorkThatGitWasToldNotToLookForStopsIt) {
  project.write("lies", "#!/bin/sh\nprintf 't\\0'\n");
  fs::permissions(project.file("lies"), fs::perms::owner_all);
  project.git({"config", "core.fsmonitor", project.file("lies")});
  project.start(4, "exec tail -f /dev/null");
  const std::string worktree = project.worktree(4);
  project.git({"-C", worktree, "update-index", "--fsmonitor"});
  project.git({"-C", worktree, "status"});
  write_all(worktree + "/README", "A PROJECT\n");
  const Ran ran = project.pawl({"issue", "cleanup", "4"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.out, "README")) << ran.out;
}

TEST_F(IssueCleanupWork, TheLastCopyOfAFileIsKept) {
  project.write(".env", "SECRET=1\n");
  project.start(5, "exec tail -f /dev/null");
  fs::remove(project.file(".env"));
  const Ran ran = project.pawl({"issue", "cleanup", "5"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.out, ".env")) << ran.out;
}

TEST_F(IssueCleanupWork, UnderANameOfTheWorktreeAlone) {
  completed(1, commit("q") + "; git update-ref refs/worktree/keep HEAD; git reset -q --hard HEAD~1");
  stops(1, "refs/worktree/keep is a name of this worktree alone", false);
  project.git({"-C", project.worktree(1), "branch", "kept", "refs/worktree/keep"});
  project.ok({"issue", "cleanup", "1"});
}

TEST_F(IssueCleanupWork, InSubmodules) {
  const std::string library = project.file("../library");
  project.git({"init", "-q", library});
  put(library + "/code", "code\n");
  project.git({"-C", library, "add", "."});
  project.git({"-C", library, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "library"});
  project.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub"});
  project.git({"config", "-f", ".gitmodules", "submodule.sub.ignore", "all"});
  project.commit_all("with a submodule");
  project.git({"config", "diff.ignoreSubmodules", "all"});
  const std::string checked_out = "git -c protocol.file.allow=always submodule --quiet update --init && cd sub";
  completed(1, checked_out + " && echo changed >code");
  stops(1, "sub is a submodule with work that is not committed", false);
  completed(2, checked_out + " && git checkout -q -b mine && " + commit("mine") + "; git checkout -q --detach HEAD~");
  stops(2, "the submodule sub has commits or a stash that none of its remotes has", false);
  completed(3, checked_out + " && echo changed >code && git -c user.name=a -c user.email=a@b stash -q");
  stops(3, "the submodule sub has commits or a stash", false);
  completed(4, checked_out);
  project.ok({"issue", "cleanup", "4"});
  EXPECT_EQ(project.worktree(4), "");
  // Its repository is still there when the folder is not.
  fs::remove_all(project.worktree(2));
  const Ran orphan = project.pawl({"issue", "cleanup", "--orphans", "--force"});
  EXPECT_EQ(orphan.exit, 1) << orphan.out;
  EXPECT_TRUE(has(orphan.out, "the submodule sub has commits")) << orphan.out;
  EXPECT_TRUE(has(project.git({"worktree", "list"}), "issue-2"));
}

TEST_F(IssueCleanupWork, BehindMarksThatHideIt) {
  project.write("other", "other\n");
  project.commit_all("two files");
  completed(1,
            "git update-index --assume-unchanged README; git update-index --skip-worktree other; echo a >README; "
            "echo b >other");
  stops(1, " M README", true);
  stops(1, " M other", true);
  project.ok({"issue", "cleanup", "1", "--force"});
  EXPECT_EQ(project.git({"show", "stash@{0}:README"}), "a\n");
  EXPECT_EQ(project.git({"show", "stash@{0}:other"}), "b\n");
  // A mark without a change is no work.
  completed(2, "git update-index --assume-unchanged README; git update-index --skip-worktree other; rm other");
  project.ok({"issue", "cleanup", "2"});
  EXPECT_EQ(project.worktree(2), "");
}

TEST_F(IssueCleanupWork, MergedIsIntoAnotherBranch) {
  const std::string first = project.git({"branch", "--show-current"});
  // Into what is merely checked out.
  completed(1, commit("one"));
  project.git({"checkout", "-q", "--detach"});
  project.git({"merge", "-q", "--no-edit", "feature/issue-1-title-1"});
  EXPECT_EQ(project.pawl({"issue", "cleanup", "1"}).exit, 1);
  EXPECT_TRUE(has(project.git({"branch", "--list", "feature/*"}), "issue-1"));
  project.git({"checkout", "-q", first.substr(0, first.find('\n'))});
  // Into itself.
  completed(2, commit("two"));
  const Ran itself = project.pawl({"issue", "cleanup", "2"}, {"PAWL_ISSUE_BASE_BRANCH=feature/issue-2-title-2"});
  EXPECT_EQ(itself.exit, 1) << itself.out;
  EXPECT_TRUE(has(project.git({"branch", "--list", "feature/*"}), "issue-2"));
}

TEST_F(IssueCleanupWork, OnlyBranchesThatWereMadeForItGo) {
  project.git({"branch", "develop"});  // merged, as it is what is checked out
  completed(1, "true", {"--branch", "develop"});
  const std::string said = project.ok({"issue", "cleanup", "1", "--branch"});
  EXPECT_TRUE(has(said, "branch develop stays")) << said;
  EXPECT_TRUE(has(project.git({"branch", "--list"}), "develop"));
  // One that was made stays known as such over a second run.
  completed(2);
  project.start(2, "echo '###TASK_COMPLETE_2###'; exec tail -f /dev/null", {"--again"});
  EXPECT_EQ(project.end_of(2), "complete");
  project.ok({"issue", "cleanup", "2"});
  EXPECT_EQ(project.git({"branch", "--list", "feature/*"}), "");
}

TEST_F(IssueCleanupWork, WhatIsKeptStaysKept) {
  for (const std::string file : {"first", "second"}) {
    completed(1, commit(file));
    project.ok({"issue", "cleanup", "1", "--force", "--branch"});
  }
  EXPECT_EQ(project.git({"show", "refs/pawl/issue-1/feature/issue-1-title-1:first"}), "x\n");
  EXPECT_EQ(project.git({"show", "refs/pawl/issue-1/feature/issue-1-title-1-2:second"}), "x\n");
}

TEST_F(IssueCleanupWork, ACommitThatOnlyAnOrphanLeadsTo) {
  completed(1, "git checkout -q --detach; " + commit("loose"));
  completed(2);
  const std::string other = project.worktree(2);
  fs::rename(other, other + "-away");  // as on a disk that is not there just now
  fs::remove_all(project.worktree(1));
  const std::string said = project.ok({"issue", "cleanup", "1"});
  EXPECT_TRUE(has(said, "is kept as refs/pawl/issue-1/")) << said;
  EXPECT_TRUE(has(project.git({"log", "--format=%s", "--glob=refs/pawl/*"}), "loose"));
  const std::string listed = project.git({"worktree", "list"});
  EXPECT_FALSE(has(listed, "issue-1-")) << listed;
  EXPECT_TRUE(has(listed, "issue-2-")) << listed;
}

TEST_F(IssueCleanupWork, RepositoriesThatAreIgnored) {
  project.write(".gitignore", ".worktrees\n.pawl\n.env\nbuild\n");
  project.commit_all("build is ignored");
  completed(1, "mkdir -p build/deep; git init -q build/deep/own; echo x >build/deep/own/work");
  stops(1, "build/deep/own is a repository or worktree of its own", false);
  completed(2, "git worktree add -q --detach build/tree");
  stops(2, "build/tree is a repository or worktree of its own", false);
  completed(3, "git init -q --bare build/store");
  stops(3, "build/store is a repository or worktree of its own", false);
  completed(4, "mkdir build; echo x >build/made");
  project.ok({"issue", "cleanup", "4"});
}

TEST_F(IssueCleanupWork, AnAgentThatDoesNotListen) {
  // It outlives its shell, and writes when that has gone: the terminal's hangup comes to it as a last chance.
  completed(1,
            "sh -c 'trap \"echo late >late\" HUP; echo ready >../ready-1; while :; do tail -f /dev/null; done' & "
            "while ! test -s ../ready-1; do :; done");
  const Ran ran = project.pawl({"issue", "cleanup", "1"});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "?? late")) << ran.out;
  EXPECT_TRUE(fs::exists(project.worktree(1) + "/late"));
  EXPECT_FALSE(project.has_session("pi-issue-1"));
  EXPECT_TRUE(project.processes({"tail"}).empty());
  project.ok({"issue", "cleanup", "1", "--force"});
  EXPECT_EQ(project.git({"show", "stash@{0}^3:late"}), "late\n");
}

TEST_F(IssueCleanupWork, WhereItStopsLaterTheRunIsStopped) {
  project.start(1, "trap 'echo late >late; exit' HUP; echo ready; while :; do tail -f /dev/null; done");
  ASSERT_TRUE(project.says(1, "ready"));
  const Ran ran = project.pawl({"issue", "cleanup", "1"});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "?? late")) << ran.out;
  EXPECT_EQ(project.end_of(1), "error: Stopped");
  static_cast<void>(project.pawl({"issue", "resume", "--all"}));
  EXPECT_FALSE(project.has_session("pi-issue-1"));
}

TEST_F(IssueCleanupWork, ForceKeepsAChangedCopy) {
  project.write(".env", "SECRET=1\n");
  completed(1, "echo MORE=1 >>.env");
  stops(1, "!! .env", true);
  const std::string said = project.ok({"issue", "cleanup", "1", "--force"});
  const std::size_t at = said.find(".env is kept as ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string path = said.substr(at + 16, said.find('\n', at) - at - 16);
  EXPECT_TRUE(has(path, "/.pawl/kept/issue-1-")) << path;
  EXPECT_EQ(read_all(path).value_or(""), "SECRET=1\nMORE=1\n");
  EXPECT_EQ(project.worktree(1), "");
}

TEST_F(IssueCleanupWork, ConflictsWithoutAMerge) {
  completed(1,
            "echo a >README; git -c user.name=a -c user.email=a@b stash -q; echo b >README; "
            "git -c user.name=a -c user.email=a@b commit -qam b; git stash pop -q");
  stops(1, "README has conflicts: resolve them", false);
}

}  // namespace
}  // namespace pawl::test

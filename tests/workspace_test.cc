// Which folder a command is about and where its store goes: outside of git, in a linked worktree, below the root.
// Real git, the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return fs::exists(folder) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})) : 0;
}

class NoGit : public testing::Test {
 protected:
  NoGit() { fs::remove_all(project_.file(".git")); }
  [[nodiscard]] RunOptions with_state() const {
    RunOptions options;
    options.env = {"XDG_STATE_HOME=" + state_};
    return options;
  }
  IssueProject project_;
  std::string state_ = project_.home() + "/state";
};

TEST_F(NoGit, StoreIsUnderTheStateHomeAndNothingIsScattered) {
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}, with_state()).exit, 0);
  EXPECT_FALSE(project_.exists(".pawl"));
  EXPECT_EQ(entries(project_.path()), 1U);  // .worktrees
  ASSERT_EQ(entries(state_ + "/pawl"), 1U);
  const fs::path store = fs::directory_iterator(state_ + "/pawl")->path();
  EXPECT_TRUE(fs::exists(store / "pawl.db"));
  EXPECT_TRUE(store.filename().string().starts_with("repo-")) << store;  // a person can recognise it
  EXPECT_EQ(entries(project_.home()), 1U);
  EXPECT_EQ(project_.run({"issue", "get", "1"}, with_state()).out, "running\n");
}

TEST_F(NoGit, WithoutTheVariableItIsBelowHome) {
  project_.must({"issue", "set", "1", "running"});
  EXPECT_EQ(entries(project_.home() + "/.local/state/pawl"), 1U);
  EXPECT_FALSE(project_.exists(".pawl"));
}

TEST_F(NoGit, ARelativeStateHomeIsNotUsed) {
  RunOptions options;
  options.env = {"XDG_STATE_HOME=state"};
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}, options).exit, 0);
  EXPECT_FALSE(project_.exists("state"));
  EXPECT_EQ(entries(project_.home() + "/.local/state/pawl"), 1U);
}

TEST_F(NoGit, ReadingMakesNothingAnywhere) {
  project_.put(1, "{\"issue\": 1, \"status\": \"running\"}");
  EXPECT_EQ(project_.run({"issue", "get", "1"}, with_state()).out, "running\n");
  EXPECT_EQ(project_.run({"doctor"}, with_state()).exit, 0);
  EXPECT_FALSE(fs::exists(state_));
  EXPECT_EQ(entries(project_.home()), 0U);
}

TEST_F(NoGit, TwoFoldersHaveTwoStores) {
  fs::create_directories(project_.file("a"));
  fs::create_directories(project_.file("b"));
  EXPECT_EQ(project_.run({"-C", "a", "issue", "set", "1", "running"}, with_state()).exit, 0);
  EXPECT_EQ(project_.run({"-C", "b", "issue", "set", "1", "complete"}, with_state()).exit, 0);
  EXPECT_EQ(entries(state_ + "/pawl"), 2U);
  EXPECT_EQ(project_.run({"-C", "a", "issue", "get", "1"}, with_state()).out, "running\n");
}

TEST_F(NoGit, AFolderBelowUsesTheStoreAbove) {
  EXPECT_EQ(project_.run({"issue", "set", "1", "running"}, with_state()).exit, 0);
  fs::create_directories(project_.file("deep/er"));
  EXPECT_EQ(project_.run({"-C", "deep/er", "issue", "get", "1"}, with_state()).out, "running\n");
  EXPECT_EQ(project_.run({"-C", "deep/er", "issue", "set", "1", "complete"}, with_state()).exit, 0);
  EXPECT_EQ(entries(state_ + "/pawl"), 1U);
  EXPECT_FALSE(project_.exists("deep/er/.worktrees"));
}

TEST_F(NoGit, RefusedCopiesAreNamedSoThatAcceptFindsThem) {
  EXPECT_EQ(project_.run({"issue", "set", "1", "complete"}, with_state()).exit, 0);
  project_.edit(1, "\"complete\"", "\"error\"");
  const Ran ran = project_.run({"issue", "get", "1"}, with_state());
  const std::size_t at = ran.err.find("pawl accept ");
  ASSERT_NE(at, std::string::npos) << ran.err;
  std::string copy = ran.err.substr(at + 12);
  copy = copy.substr(0, copy.find('\n'));
  // As a shell would hand it over.
  const Ran accepted =
      run_program("bash", {"-c", std::string("exec '") + PAWL_BINARY + "' accept " + copy + " --reason r"},
                  project_.options(with_state()));
  EXPECT_EQ(accepted.exit, 0) << copy << "\n" << accepted.err;
  EXPECT_EQ(project_.run({"issue", "get", "1"}, with_state()).out, "error\n");
}

// --- in git ---

TEST(GitWorkspace, StoreIsIgnoredByGit) {
  const IssueProject project;
  project.start_git();
  project.must({"init"});
  EXPECT_EQ(*project.read(".pawl/.gitignore"), "*\n");
  EXPECT_EQ(project.git({"status", "--porcelain"}), "");
}

TEST(GitWorkspace, AFolderBelowIsTheSameWorkspace) {
  const IssueProject project;
  project.start_git();
  fs::create_directories(project.file("src/deep"));
  project.must({"-C", "src/deep", "issue", "set", "1", "running"});
  EXPECT_EQ(project.content(1)["status"], "running");
  EXPECT_FALSE(project.exists("src/deep/.worktrees"));
  EXPECT_FALSE(project.exists("src/deep/.pawl"));
}

TEST(GitWorkspace, LinkedWorktreeUsesTheMainCheckoutsStore) {
  const IssueProject project;
  project.start_git();
  project.must({"issue", "set", "7", "running"});
  project.git({"worktree", "add", "-q", ".worktrees/issue-7-x", "-b", "feature/issue-7-x"});
  const std::string tree = project.file(".worktrees/issue-7-x");
  EXPECT_EQ(project.out({"-C", tree, "issue", "get", "7"}), "running\n");
  project.must({"-C", tree, "issue", "set", "7", "complete"});
  EXPECT_EQ(project.content(7)["status"], "complete");
  EXPECT_FALSE(fs::exists(tree + "/.pawl"));
  EXPECT_FALSE(fs::exists(tree + "/.worktrees"));
  EXPECT_EQ(project.git({"-C", tree, "status", "--porcelain"}), "");
}

TEST(GitWorkspace, LinkedWorktreeOutsideTheCheckoutUsesItToo) {
  const IssueProject project;
  project.start_git();
  project.must({"issue", "set", "7", "running"});
  const std::string tree = project.home() + "/elsewhere";
  project.git({"worktree", "add", "-q", tree, "-b", "elsewhere"});
  EXPECT_EQ(project.out({"-C", tree, "issue", "get", "7"}), "running\n");
  EXPECT_FALSE(fs::exists(tree + "/.pawl"));
}

TEST(GitWorkspace, AcceptFromALinkedWorktreeSettlesTheMainCheckoutsFile) {
  const IssueProject project;
  project.start_git();
  project.must({"issue", "set", "7", "complete"});
  project.edit(7, "\"complete\"", "\"error\"");
  EXPECT_EQ(project.get(7), "complete");
  project.git({"worktree", "add", "-q", ".worktrees/issue-7", "-b", "seven"});
  project.must({"-C", ".worktrees/issue-7", "accept", project.file(project.only_kept("refused")), "--reason", "r"});
  EXPECT_EQ(project.get(7), "error");
}

}  // namespace
}  // namespace pawl::test

// `pawl issue cleanup` in folders that are not what git's list says: without their .git, with another's, copied. git
// would act on another checkout from there, so nothing is touched, not even the session.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueCleanupPlace : public testing::Test {
 protected:
  void running(int number) const {
    project.start(number, "echo work >>README; echo ready; exec tail -f /dev/null");
    EXPECT_TRUE(project.says(number, "ready"));
  }
  void refuses(int number, const std::string& why) const {
    for (const std::string flag : {"--force", "--dry-run", ""}) {
      std::vector<std::string> args = {"issue", "cleanup", std::to_string(number)};
      if (!flag.empty()) args.push_back(flag);
      const Ran ran = project.pawl(args);
      EXPECT_NE(ran.exit, 0) << ran.out;
      EXPECT_TRUE(has(ran.out + ran.err, why)) << ran.out << ran.err;
      EXPECT_TRUE(has(ran.out + ran.err, "nothing was touched")) << ran.out << ran.err;
      EXPECT_TRUE(project.has_session("pi-issue-" + std::to_string(number)));
      EXPECT_EQ(project.get(number), "running");
      EXPECT_EQ(project.git({"stash", "list"}), "");
    }
  }
  RunProject project;
};

TEST_F(IssueCleanupPlace, WithoutItsGitFile) {
  running(8);
  fs::remove(project.worktree(8) + "/.git");
  project.write("README", "mine\n");
  refuses(8, "its file .git is missing");
  EXPECT_EQ(read_all(project.file("README")).value_or(""), "mine\n");
  // Neither does an agent begin there: it would commit into the main checkout.
  project.ok({"issue", "stop", "8"});
  const Ran again = project.pawl({"issue", "run", "8", "--again", "--", "true"});
  EXPECT_NE(again.exit, 0);
  EXPECT_TRUE(has(again.err, "its file .git is missing")) << again.err;
}

TEST_F(IssueCleanupPlace, WithTheGitFileOfAnother) {
  running(8);
  running(9);
  const std::string mine = project.worktree(8) + "/.git", other = project.worktree(9) + "/.git";
  const std::string was = read_all(mine).value_or("");
  fs::copy_file(other, mine, fs::copy_options::overwrite_existing);
  // git, run there, would note after a day that the other worktree has moved.
  const std::string entry = project.file(".git/worktrees/" + fs::path(project.worktree(9)).filename().string());
  fs::last_write_time(entry + "/gitdir", fs::file_time_type::clock::now() - std::chrono::hours(48));
  refuses(8, "which is of another worktree");
  EXPECT_EQ(read_all(entry + "/gitdir").value_or(""), other + "\n");
  fs::remove(mine);
  fs::create_symlink(other, mine);
  refuses(8, "its file .git is missing");
  fs::remove(mine);
  project.git({"init", "-q", project.worktree(8)});
  refuses(8, "its file .git is missing");
  fs::remove_all(mine);
  std::ofstream(mine) << was;
  project.ok({"issue", "cleanup", "8", "--force"});
  EXPECT_EQ(project.worktree(8), "");
}

TEST_F(IssueCleanupPlace, FromACopyOfTheProject) {
  running(8);
  const std::string copy = project.file("../copy");
  fs::copy(project.file(""), copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  const Ran ran = project.pawl({"-C", copy, "issue", "cleanup", "8", "--force"});
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_TRUE(has(ran.err, "which is not of this repository")) << ran.out << ran.err;
  EXPECT_TRUE(project.has_session("pi-issue-8"));
  EXPECT_TRUE(has(read_all(project.worktree(8) + "/README").value_or(""), "work"));
  EXPECT_EQ(project.git({"stash", "list"}), "");
}

}  // namespace
}  // namespace pawl::test

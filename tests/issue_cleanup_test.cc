// `pawl issue cleanup`, `pawl doctor` and `pawl issue reconcile`: what goes, what stays, and that no work is lost.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueCleanup : public testing::Test {
 protected:
  // An issue whose agent has made what the script makes, and is complete.
  void completed(int number, const std::string& script = "true") const {
    const std::string n = std::to_string(number);
    project.start(number, script + "; echo '###TASK_COMPLETE_" + n + "###'; exec tail -f /dev/null");
    EXPECT_EQ(project.end_of(number), "complete");
  }
  static std::string commit(const std::string& file) {
    return "echo x >" + file + "; git add " + file + "; git -c user.name=a -c user.email=a@b commit -qm " + file;
  }
  RunProject project;
};

TEST_F(IssueCleanup, TakesAllAwayAndTellsIt) {
  project.write(".env", "SECRET=1\n");
  completed(4);
  project.start(42, "exec tail -f /dev/null");
  const std::string dry = project.ok({"issue", "cleanup", "4", "--dry-run"});
  EXPECT_TRUE(has(dry, "would be cleaned up")) << dry;
  EXPECT_TRUE(fs::exists(project.worktree(4)));
  EXPECT_TRUE(project.has_session("pi-issue-4"));
  project.ok({"issue", "cleanup", "4"});
  EXPECT_EQ(project.worktree(4), "");
  EXPECT_FALSE(project.has_session("pi-issue-4"));
  EXPECT_EQ(project.get(4), "unknown");
  EXPECT_EQ(project.git({"branch", "--list", "feature/issue-4-*"}), "");
  // Issue 42 was not touched.
  EXPECT_TRUE(fs::exists(project.worktree(42)));
  EXPECT_TRUE(project.has_session("pi-issue-42"));
  EXPECT_EQ(project.get(42), "running");
  EXPECT_EQ(project.processes({"issue", "watch", "42"}).size(), 1U);
  EXPECT_EQ(project.pawl({"issue", "cleanup", "4"}).exit, 3);
  project.ok({"undo"});
  EXPECT_EQ(project.get(4), "complete");
}

TEST_F(IssueCleanup, SeveralAtOnceAndUndoSaysWhatDoesNotComeBack) {
  project.start(1, "exec tail -f /dev/null");
  project.start(2, "exec tail -f /dev/null");
  const std::string out = project.ok({"issue", "cleanup", "1", "2"});
  // Which operation that was is said: the next one may be another's.
  const std::string by =
      std::to_string(Json::parse(project.ok({"log", "--limit", "1", "--json"}))[0].value("operation", 0));
  EXPECT_TRUE(has(out, "pawl undo " + by + " brings that back")) << out;
  EXPECT_TRUE(has(out, "issue 1 is cleaned up")) << out;
  EXPECT_TRUE(has(out, "issue 2 is cleaned up")) << out;
  EXPECT_TRUE(has(out, "ended, in which it was running")) << out;
  const Ran undone = project.pawl({"undo"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_TRUE(has(undone.err, "only the status comes back")) << undone.err;
  EXPECT_EQ(project.pawl({"issue", "cleanup", "1", "x"}).exit, 2);
}

TEST_F(IssueCleanup, WorkStopsItAndForceKeepsIt) {
  completed(1, "echo changed >README; echo new >new.txt");
  const Ran stopped = project.pawl({"issue", "cleanup", "1"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_TRUE(has(stopped.out, " M README")) << stopped.out;
  EXPECT_TRUE(has(stopped.out, "?? new.txt")) << stopped.out;
  EXPECT_TRUE(fs::exists(project.worktree(1)));
  EXPECT_TRUE(project.has_session("pi-issue-1"));
  EXPECT_EQ(project.get(1), "complete");
  project.ok({"issue", "cleanup", "1", "--force"});
  EXPECT_EQ(project.worktree(1), "");
  EXPECT_TRUE(has(project.git({"stash", "list"}), "pawl: issue 1"));
  project.git({"stash", "apply", "-q"});
  EXPECT_EQ(project.read("README"), "changed\n");
  EXPECT_EQ(project.read("new.txt"), "new\n");
}

TEST_F(IssueCleanup, CommitsThatNobodyElseHas) {
  completed(1, commit("mine"));
  const Ran stopped = project.pawl({"issue", "cleanup", "1"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_TRUE(has(stopped.out, " mine")) << stopped.out;
  project.ok({"issue", "cleanup", "1", "--force"});
  EXPECT_TRUE(has(project.git({"branch", "--list", "feature/*"}), "feature/issue-1-title-1"));  // it is not merged

  completed(2, commit("two"));
  project.ok({"issue", "cleanup", "2", "--force", "--branch"});
  EXPECT_FALSE(has(project.git({"branch", "--list", "feature/*"}), "issue-2"));
  EXPECT_EQ(project.git({"show", "refs/pawl/issue-2/feature/issue-2-title-2:two"}), "x\n");

  completed(3, commit("three"));
  project.git({"merge", "-q", "--no-edit", "feature/issue-3-title-3"});
  project.ok({"issue", "cleanup", "3"});
  EXPECT_FALSE(has(project.git({"branch", "--list", "feature/*"}), "issue-3"));

  // Pushed is as good as kept; the branch stays, as it is not merged.
  project.git({"init", "-q", "--bare", project.file("../remote.git")});
  project.git({"remote", "add", "origin", project.file("../remote.git")});
  completed(4, commit("four") + "; git push -q origin HEAD");
  project.ok({"issue", "cleanup", "4"});
  EXPECT_TRUE(has(project.git({"branch", "--list", "feature/*"}), "issue-4"));
}

TEST_F(IssueCleanup, LooseCommitsAndThingsUnderWay) {
  completed(1, "git checkout -q --detach; " + commit("loose"));
  EXPECT_EQ(project.pawl({"issue", "cleanup", "1"}).exit, 1);
  project.ok({"issue", "cleanup", "1", "--force"});
  EXPECT_TRUE(has(project.git({"log", "--format=%s", "--glob=refs/pawl/*"}), "loose"));

  completed(2, commit("conflict") +
                   "; git checkout -q -b other HEAD~; echo y >conflict; git add conflict; "
                   "git -c user.name=a -c user.email=a@b commit -qm y; git -c user.name=a -c user.email=a@b merge -q "
                   "feature/issue-2-title-2");
  const Ran merging = project.pawl({"issue", "cleanup", "2", "--force"});
  EXPECT_EQ(merging.exit, 1);
  EXPECT_TRUE(has(merging.out, "a merge is under way")) << merging.out;
  EXPECT_TRUE(fs::exists(project.worktree(2)));
}

TEST_F(IssueCleanup, CopiedFilesAreNoWorkUntilTheyAreChanged) {
  project.write(".gitignore", ".worktrees\n.pawl\n");
  project.commit_all("env is not ignored");
  project.write(".env", "SECRET=1\n");
  completed(1);
  project.ok({"issue", "cleanup", "1"});
  completed(2, "echo MORE=1 >>.env");
  const Ran stopped = project.pawl({"issue", "cleanup", "2"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_TRUE(has(stopped.out, "?? .env")) << stopped.out;
}

TEST_F(IssueCleanup, OrphansDoneAndStale) {
  completed(1);
  completed(2, "echo work >work");
  project.start(3, "exec tail -f /dev/null");
  fs::remove_all(project.worktree(1));
  EXPECT_EQ(project.ok({"issue", "orphans"}), "1\n");
  EXPECT_TRUE(has(project.ok({"issue", "cleanup", "--orphans", "--dry-run"}), "issue 1 would be cleaned up"));
  project.ok({"issue", "cleanup", "--orphans"});
  EXPECT_EQ(project.ok({"issue", "list"}), "2\tcomplete\n3\trunning\n");
  EXPECT_FALSE(has(project.git({"worktree", "list"}), "issue-1"));

  completed(5);
  const Ran done = project.pawl({"issue", "cleanup", "--done"});  // one of the two has work in it
  EXPECT_EQ(done.exit, 1);
  EXPECT_TRUE(has(done.out, "issue 5 is cleaned up")) << done.out;
  EXPECT_TRUE(has(done.out, "?? work")) << done.out;
  EXPECT_EQ(project.ok({"issue", "list"}), "2\tcomplete\n3\trunning\n");

  completed(6);
  project.edit(6, "\"timestamp\": \"20", "\"timestamp\": \"19");
  const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(project.ok({"issue", "cleanup", "--stale", most}), "there is nothing to clean up\n");
  EXPECT_EQ(project.ok({"issue", "cleanup", "--stale", "3650"}).substr(0, 22), "issue 6 is cleaned up\n");
  EXPECT_EQ(project.ok({"issue", "cleanup", "--stale", "1"}), "there is nothing to clean up\n");
  EXPECT_EQ(project.pawl({"issue", "cleanup"}).exit, 2);
  EXPECT_EQ(project.pawl({"issue", "cleanup", "1", "--done"}).exit, 2);
}

TEST_F(IssueCleanup, NeitherTheMainCheckoutNorAStrangersFolder) {
  project.ok({"issue", "set", "7", "complete"});
  project.write(".worktrees/issue-7-x/precious", "mine\n");
  const Ran ran = project.pawl({"issue", "cleanup", "7", "--force"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_TRUE(has(ran.err, "no worktree of this repository")) << ran.err;
  EXPECT_EQ(project.read(".worktrees/issue-7-x/precious"), "mine\n");
}

TEST_F(IssueCleanup, ParallelCleanupsAndWatchers) {
  for (int number = 1; number <= 3; ++number) completed(number, "echo work >work");
  std::vector<std::unique_ptr<Child>> children;
  for (int number = 1; number <= 3; ++number) {
    for (int twice = 0; twice < 2; ++twice)
      children.push_back(std::make_unique<Child>(
          PAWL_BINARY, std::vector<std::string>{"issue", "cleanup", std::to_string(number), "--force"},
          project.with_tmux()));
  }
  int cleaned = 0;
  for (const auto& child : children) {
    const Ran ran = child->finish();
    EXPECT_TRUE(ran.exit == 0 || ran.exit == 3) << ran.out << ran.err;
    cleaned += ran.exit == 0 ? 1 : 0;
  }
  EXPECT_EQ(cleaned, 3);
  const std::string stashes = project.git({"stash", "list"});
  for (int number = 1; number <= 3; ++number) EXPECT_TRUE(has(stashes, "pawl: issue " + std::to_string(number) + ","));
}

TEST_F(IssueCleanup, DoctorFindsAndReconcileMends) {
  EXPECT_EQ(project.ok({"issue", "reconcile"}), "all fits\n");
  for (int number = 1; number <= 3; ++number) project.start(number, "exec tail -f /dev/null");
  EXPECT_EQ(project.pawl({"doctor"}).exit, 0);
  project.kill_all({"issue", "watch", "1"});  // a dead watcher
  project.kill_all({"issue", "watch", "2"});  // running without a session
  ASSERT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-2"}).exit, 0);
  project.kill_all({"issue", "watch", "3"});
  project.ok({"issue", "remove", "3"});  // a session without a status
  project.git(
      {"worktree", "add", "-q", "-b", "x", project.file(".worktrees/issue-9-x")});  // a worktree without an issue
  const Ran found = project.pawl({"doctor"});
  EXPECT_EQ(found.exit, 1);
  EXPECT_TRUE(has(found.out, "issue 1 is running, and its watcher is dead")) << found.out;
  EXPECT_TRUE(has(found.out, "issue 2 is running, as its status says, but it has no session")) << found.out;
  EXPECT_TRUE(has(found.out, "the session pi-issue-3 belongs to no status")) << found.out;
  EXPECT_TRUE(has(found.out, "the worktree of issue 9 is there, and the issue has no status")) << found.out;

  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.ok({"issue", "list"}), "1\trunning\n2\terror\n3\trunning\n");
  EXPECT_EQ(project.content(2)["error_message"], "Session unexpectedly terminated");
  EXPECT_EQ(project.pawl({"doctor"}).exit, 0) << project.pawl({"doctor"}).out;
  EXPECT_TRUE(fs::exists(project.file(".worktrees/issue-9-x/README")));
  ASSERT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-3"}).exit, 0);
  EXPECT_EQ(project.end_of(3), "error: Session unexpectedly terminated");
}

TEST_F(IssueCleanup, AnotherProjectsSessionIsNotTouched) {
  RunProject other;
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "pi-issue-1", "-c", other.path(), "tail", "-f", "/dev/null"}).exit,
            0);
  project.ok({"issue", "set", "1", "complete"});
  project.ok({"issue", "cleanup", "1"});
  EXPECT_TRUE(project.has_session("pi-issue-1"));
  EXPECT_EQ(project.ok({"issue", "reconcile"}), "all fits\n");
  project.end_server();
}

TEST_F(IssueCleanup, ATryTellsAProgramThatNothingWasDone) {
  project.start(1, "exec tail -f /dev/null");
  const Json tried = Json::parse(project.ok({"issue", "cleanup", "1", "--dry-run", "--json"}), nullptr, false);
  EXPECT_EQ(tried["dry_run"], true);
  EXPECT_EQ(tried["issues"][0]["cleaned"], false);
  EXPECT_EQ(tried["issues"][0]["would_clean"], true);
  EXPECT_FALSE(tried["issues"][0]["would"].empty());
  EXPECT_FALSE(tried["issues"][0].contains("did"));
  EXPECT_TRUE(project.has_session("pi-issue-1"));
}

TEST_F(IssueCleanup, ALockedWorktreeIsSaidToBe) {
  project.start(1, "exec tail -f /dev/null");
  project.git({"worktree", "lock", "--reason", "on a stick", project.worktree(1)});
  const Ran ran = project.pawl({"issue", "cleanup", "1", "--force"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.out, "locked (on a stick): git worktree unlock")) << ran.out;
  EXPECT_TRUE(project.has_session("pi-issue-1"));
  project.git({"worktree", "unlock", project.worktree(1)});
  project.ok({"issue", "cleanup", "1"});
}

TEST_F(IssueCleanup, DoctorSendsNobodyIntoAFolderThatIsNoWorktree) {
  project.ok({"issue", "set", "9", "complete"});
  project.write(".worktrees/issue-8-notes/a", "x");
  const Ran doctor = project.pawl({"doctor"});
  EXPECT_TRUE(has(doctor.out, "issue-8-notes is called after an issue, but it is no worktree")) << doctor.out;
  EXPECT_FALSE(has(doctor.out, "pawl issue run 8")) << doctor.out;
}

}  // namespace
}  // namespace pawl::test

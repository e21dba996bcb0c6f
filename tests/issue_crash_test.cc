// `pawl issue run` and `pawl issue cleanup` killed in the midst of it: the same command again brings it to its end,
// once, and no work is lost.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <filesystem>
#include <random>
#include <set>

#include "base/traced_process.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class IssueCrash : public testing::Test {
 protected:
  // Killed when it is about to make its n-th call that changes something or starts a program. False: it came to its
  // end.
  bool killed(std::size_t n, const std::vector<std::string>& args) const {
    static const std::set<long> kCalls = {SYS_fdatasync, SYS_fsync, SYS_rename,   SYS_renameat2, SYS_unlinkat,
                                          SYS_unlink,    SYS_mkdir, SYS_mkdirat,  SYS_vfork,     SYS_clone,
                                          SYS_clone3,    SYS_fork,  SYS_pwrite64, SYS_flock};
    const RunOptions options = project.with_tmux();
    TracedCommand command;
    command.arguments = {PAWL_BINARY};
    command.arguments.insert(command.arguments.end(), args.begin(), args.end());
    command.environment = options.env;
    command.environment.push_back("PATH=" + std::string(getenv("PATH")));
    command.folder = project.path();
    CallWatch watch;
    std::size_t met = 0;
    bool dead = false;
    watch.entering = [&](const SystemCall& call) {
      if (!kCalls.contains(call.number) || ++met != n) return CallVerdict::proceed();
      dead = true;
      return CallVerdict::kill();
    };
    const auto ended = run_traced(command, watch);
    if (!ended && ended.error().code == ErrorCode::unavailable) unavailable_ = true;
    EXPECT_TRUE(ended || unavailable_) << ended.error().message;
    return dead;
  }
  // Every call would take minutes: some of them, others in each run.
  template <class Each>
  void at_some_moments(Each each) {
    const auto seed = std::random_device{}();
    std::mt19937 random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (std::size_t n = 1 + random() % 6; each(n) && !unavailable_; n += 1 + random() % 12) {
    }
    if (unavailable_) GTEST_SKIP() << "tracing is not to be had here";
  }

  RunProject project;
  mutable bool unavailable_ = false;
};

TEST_F(IssueCrash, RunAgainBringsItToItsEnd) {
  const std::vector<std::string> run = {
      "issue", "run", "1", "--title", "T", "--", "sh", "-c", "echo on; exec tail -f /dev/null"};
  at_some_moments([&](std::size_t n) {
    const bool died = killed(n, run);
    SCOPED_TRACE("killed at call " + std::to_string(n));
    project.ok(run);
    EXPECT_EQ(project.get(1), "running");
    EXPECT_TRUE(project.says(1, "on"));
    EXPECT_EQ(project.processes({"issue", "record", "1"}).size(), 1U);
    EXPECT_EQ(project.pawl({"doctor"}).exit, 0) << project.pawl({"doctor"}).out;
    project.ok({"issue", "cleanup", "1"});
    return died && !HasFailure();
  });
}

// A session that a script has started: whoever begins to watch it, and dies, does not keep it from the next.
TEST_F(IssueCrash, WatchAgainTakesTheSession) {
  ASSERT_EQ(project.tmux({"new-session", "-d", "-s", "other", "tail -f /dev/null"}).exit, 0);  // the server stays
  at_some_moments([&](std::size_t n) {
    EXPECT_EQ(project
                  .tmux({"new-session", "-d", "-s", "pi-issue-1", "-c", project.path(), "sh", "-c",
                         "read go; echo '###TASK_COMPLETE_1###'; exec tail -f /dev/null"})
                  .exit,
              0);
    project.ok({"issue", "set", "1", "running"});
    const bool died = killed(n, {"issue", "watch", "1", "--timeout", "1ms"});
    SCOPED_TRACE("killed at call " + std::to_string(n));
    project.ok({"issue", "watch", "1", "--detach"});
    EXPECT_EQ(project.tmux({"send-keys", "-t", "=pi-issue-1:", "go", "Enter"}).exit, 0);
    EXPECT_EQ(project.end_of(1), "complete");
    EXPECT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-1"}).exit, 0);
    project.ok({"issue", "remove", "1"});
    return died && !HasFailure();
  });
}

// What a killed stop has left is found and ended.
TEST_F(IssueCrash, StopThatWasCutOffIsBroughtToItsEnd) {
  at_some_moments([&](std::size_t n) {
    project.start(1, "exec tail -f /dev/null");
    const bool died = killed(n, {"issue", "stop", "1"});
    SCOPED_TRACE("killed at call " + std::to_string(n));
    const bool outlived = project.get(1) == "error" && project.has_session("pi-issue-1");
    EXPECT_EQ(has(project.pawl({"doctor"}).out, "was stopped, and its session"), outlived);
    project.ok({"issue", "reconcile"});
    EXPECT_FALSE(outlived && project.has_session("pi-issue-1"));
    EXPECT_EQ(project.pawl({"doctor"}).exit, 0) << project.pawl({"doctor"}).out;
    project.ok({"issue", "cleanup", "1"});
    return died && !HasFailure();
  });
}

// A start that was cut off, and then the machine: what had an agent gets one again.
TEST_F(IssueCrash, StartThatWasCutOffIsResumed) {
  at_some_moments([&](std::size_t n) {
    const bool died = killed(n, {"issue", "run", "1", "--title", "T", "--", "sh", "-c", "exec tail -f /dev/null"});
    SCOPED_TRACE("killed at call " + std::to_string(n));
    const bool began = project.has_session("pi-issue-1");
    if (n % 2 == 0) project.end_server();
    project.kill_all({"issue", "watch", "1"});
    const Ran resumed = project.pawl({"issue", "resume", "--all"});
    if (began) {
      EXPECT_EQ(resumed.exit, 0) << resumed.err;
      EXPECT_EQ(project.get(1), "running");
      EXPECT_TRUE(project.has_session("pi-issue-1"));
    }
    static_cast<void>(project.pawl({"issue", "cleanup", "1", "--force"}));
    return died && !HasFailure();
  });
}

TEST_F(IssueCrash, CleanupAgainLosesNothing) {
  at_some_moments([&](std::size_t n) {
    project.start(1, "echo work$$ >work; echo done; exec tail -f /dev/null");
    EXPECT_TRUE(project.says(1, "done"));
    const std::string work = read_all(project.worktree(1) + "/work").value_or("(none)");
    const bool died = killed(n, {"issue", "cleanup", "1", "--force"});
    SCOPED_TRACE("killed at call " + std::to_string(n));
    const Ran again = project.pawl({"issue", "cleanup", "1", "--force"});
    EXPECT_TRUE(again.exit == 0 || again.exit == 3) << again.out << again.err;
    EXPECT_EQ(project.worktree(1), "");
    EXPECT_EQ(project.get(1), "unknown");
    EXPECT_FALSE(project.has_session("pi-issue-1"));
    EXPECT_EQ(project.git({"show", "stash@{0}^3:work"}), work);
    const Ran doctor = project.pawl({"doctor"});
    EXPECT_EQ(doctor.exit, 0) << doctor.out;
    EXPECT_FALSE(has(doctor.out, "it is not known")) << doctor.out;
    return died && !HasFailure();
  });
}

}  // namespace
}  // namespace pawl::test

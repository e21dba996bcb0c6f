// Issues that say running and have no session: what is said of them is so, they take nobody's place, and every hint
// leads somewhere.
#include <gtest/gtest.h>

#include "support/run_project.h"

namespace pawl::test {
namespace {

class WithoutSession : public testing::Test {
 protected:
  // As a script's, long enough ago that its session would be there.
  void says_running(int number) const {
    const std::string n = std::to_string(number);
    project.write(".worktrees/.status/" + n + ".json", "{\"issue\": " + n +
                                                           ", \"status\": \"running\", \"session\": \"pi-issue-" + n +
                                                           "\", \"timestamp\": \"2026-01-30T09:00:00Z\"}\n");
  }
  Json row(int number) const {
    const Json board = Json::parse(project.ok({"status", "--json"}));
    for (const Json& one : board["work"]) {
      if (one["ref"] == "issue/" + std::to_string(number)) return one;
    }
    return Json::object();
  }
  void by_script(int number) const {
    const std::string name = "pi-issue-" + std::to_string(number);
    ASSERT_EQ(project.tmux({"new-session", "-d", "-s", name, "-c", project.path(), "sh", "-c", kWaits}).exit, 0);
  }
  Ran refused(const std::vector<std::string>& args) const {
    Ran ran = project.pawl(args);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }
  RunProject project;
};

TEST_F(WithoutSession, TheBoardSaysSoWithAndWithoutATmuxServer) {
  says_running(5);
  EXPECT_EQ(string_or(row(5), "stands"), "needs_person") << row(5);
  EXPECT_EQ(string_or(row(5), "why"), "its session is gone");
  EXPECT_EQ(string_or(row(5), "advice"),
            "pawl issue run 5 --again --title TITLE -- AGENT  # begins anew\npawl issue reconcile 5  # ends it");
  by_script(5);
  EXPECT_EQ(string_or(row(5), "stands"), "running") << row(5);
  by_script(6);  // the server stays
  ASSERT_EQ(project.tmux({"kill-session", "-t", "=pi-issue-5"}).exit, 0);
  EXPECT_EQ(string_or(row(5), "why"), "its session is gone") << row(5);
  // One that was just said to be running may be about to get its session.
  project.ok({"issue", "set", "5", "running"});
  EXPECT_EQ(string_or(row(5), "stands"), "running") << row(5);
}

// Nobody knows which agent a script had started: what is advised says that one is to be named.
TEST_F(WithoutSession, OfAScriptsTheAdviceAsksForAnAgent) {
  project.git({"worktree", "add", "-q", "-b", "feature/5", ".worktrees/issue-5-mine"});
  says_running(5);
  EXPECT_EQ(string_or(row(5), "advice"),
            "pawl issue run 5 --again -- AGENT  # goes on with it\npawl issue reconcile 5  # ends it");
  project.ok({"issue", "run", "5", "--again", "--", "tail", "-f", "/dev/null"});
  // Its worktree and its branch are the user's: undo does not speak of them as the run's.
  const std::string would = project.ok({"undo", "--dry-run"});
  EXPECT_TRUE(has(would, "the session of issue 5") && has(would, "pawl issue stop 5  # ends it")) << would;
  EXPECT_FALSE(has(would, "the worktree of issue 5") || has(would, "pawl issue cleanup")) << would;
}

// Its own command goes on with it, also where the settings name another that nobody has said to trust.
TEST_F(WithoutSession, AnAgentThatIsNotTrustedDoesNotHideItsOwn) {
  project.start(72, "exit 3");
  EXPECT_EQ(project.end_of(72), "error: Session unexpectedly terminated");
  project.write("pawl.toml", "[issue]\nagent = [\"sh\", \"-c\", \"echo another\"]\n");
  EXPECT_TRUE(has(string_or(row(72), "advice"), "pawl issue resume 72")) << row(72);
  project.ok({"issue", "resume", "72"});
  // Of one whose command nobody knows an agent is to be said: that of the settings would be refused.
  project.git({"worktree", "add", "-q", "-b", "feature/5", ".worktrees/issue-5-mine"});
  says_running(5);
  EXPECT_TRUE(has(string_or(row(5), "advice"), "pawl issue run 5 --again -- AGENT  #")) << row(5);
  project.ok({"trust"});
  EXPECT_TRUE(has(string_or(row(5), "advice"), "pawl issue resume 5  #")) << row(5);
}

// What is advised under one issue is about that one.
TEST_F(WithoutSession, ReconcileOfOneIssueLeavesTheOthers) {
  says_running(5);
  says_running(6);
  EXPECT_TRUE(has(project.ok({"issue", "reconcile", "5"}), "issue 5: it had no session; it is error"));
  EXPECT_EQ(project.ok({"issue", "list"}), "5\terror\n6\trunning\n");
  EXPECT_EQ(project.ok({"issue", "reconcile", "5"}), "all fits\n");
  EXPECT_TRUE(has(refused({"issue", "reconcile", "7"}).err, "issue 7 has no status"));
  project.ok({"issue", "reconcile"});
  EXPECT_EQ(project.ok({"issue", "list"}), "5\terror\n6\terror\n");
}

TEST_F(WithoutSession, TheBoardCallsARunByItsTitle) {
  project.start(82, kWaits);
  EXPECT_EQ(string_or(row(82), "headline"), "Title 82");
  project.ok({"issue", "stop", "82"});
  EXPECT_EQ(string_or(row(82), "headline"), "Title 82");
  EXPECT_TRUE(has(project.ok({"log"}), "issue/82: a terminal session was started for it")) << project.ok({"log"});
}

TEST_F(WithoutSession, HintsDoNotLeadInACircle) {
  says_running(300);
  const std::string again = "  pawl issue run 300 --again --title TITLE -- AGENT  # begins anew\n";
  EXPECT_TRUE(has(refused({"issue", "run", "300", "--title", "T", "--", "true"}).err, again));
  EXPECT_TRUE(has(refused({"issue", "resume", "300"}).err, again));
  const Ran ran = project.pawl({"issue", "run", "300", "--again", "--title", "T", "--", "tail", "-f", "/dev/null"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "was running by its status alone, without a session and without a worktree")) << ran.err;
  EXPECT_TRUE(project.has_session("pi-issue-300"));
  // Where its work is, it is gone on with; whoever says --again begins anew there.
  project.kill_all({"issue", "watch", "300"});
  project.end_server();
  EXPECT_TRUE(has(refused({"issue", "run", "300", "--", "true"}).err, "  pawl issue resume 300  # goes on with it\n"));
  project.ok({"issue", "run", "300", "--again", "--", "tail", "-f", "/dev/null"});
  EXPECT_TRUE(project.has_session("pi-issue-300"));
}

TEST_F(WithoutSession, ItTakesNobodysPlace) {
  project.write("pawl.toml", "[issue]\nmax_concurrent = 1\n");
  says_running(8);
  says_running(9);
  const Ran ran = project.pawl({"issue", "run", "1", "--title", "T", "--wait", "--", "tail", "-f", "/dev/null"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err,
                  "issues 8, 9 say running and have no session, so they are not counted\n"
                  "  pawl issue reconcile  # ends them\n"))
      << ran.err;
  const Ran full = refused({"issue", "run", "2", "--title", "T", "--", "true"});
  EXPECT_TRUE(has(full.err, "issue 1 is running, and issue.max_concurrent is 1\n")) << full.err;
}

}  // namespace
}  // namespace pawl::test

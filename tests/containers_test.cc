// Agents in containers share a checkout, and cannot see each other's processes. A process that cannot be seen is not
// dead: what it holds it keeps, until its lease ends, the kernel frees its lock, or a person says that it ended.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "base/text.h"
#include "support/review_on_github.h"
#include "support/run_project.h"

namespace pawl::test {
namespace {

// A program that runs the words behind it as another container would.
struct Container {
  const char* name;
  std::vector<std::string> words;
};

const Container kContainers[] = {
    {"PidNamespace", {"unshare", "-p", "-f", "--mount-proc"}},
    {"PidNamespaceWithTheProcOfAnother", {"unshare", "-p", "-f"}},
    {"TimeNamespace", {"unshare", "-T", "--boottime", "100000", "-f"}},
    {"WithoutProc", {"unshare", "-m", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"}},
    {"HiddenProcesses",
     {"unshare", "-m", "sh", "-c",
      "mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"", "sh"}},
};

Ran run_in(const Container& container, const std::vector<std::string>& args, const RunOptions& options) {
  std::vector<std::string> words(container.words.begin() + 1, container.words.end());
  words.emplace_back(PAWL_BINARY);
  words.insert(words.end(), args.begin(), args.end());
  return run_program(container.words.front(), words, options);
}

std::string name_of_container(const testing::TestParamInfo<Container>& tested) { return tested.param.name; }

// "" where such a container can be made.
std::string why_not(const Container& container) {
  std::vector<std::string> probe(container.words.begin() + 1, container.words.end());
  probe.emplace_back("true");
  const Ran ran = run_program(container.words.front(), probe);
  return ran.exit == 0 ? std::string()
                       : cat("no such container can be made here (root with CAP_SYS_ADMIN can): ", ran.err);
}

class Containers : public testing::TestWithParam<Container> {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(GetParam()); !why.empty()) GTEST_SKIP() << why;
    ASSERT_EQ(ws.run({"issue", "set", "1", "running"}).exit, 0);
    // Whoever is in the container may be another user.
    ASSERT_EQ(run_program("chmod", {"-R", "a+rwX", ws.path() + "/.."}).exit, 0);
  }
  void TearDown() override {
    if (holder_ <= 0) return;
    ::kill(holder_, SIGKILL);
    ::waitpid(holder_, nullptr, 0);
  }

  // A process outside the container that does nothing.
  std::string holder() {
    const pid_t parent = ::getpid();
    holder_ = ::fork();
    if (holder_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      while (::getppid() == parent) ::pause();
      ::_exit(0);
    }
    return std::to_string(holder_);
  }
  [[nodiscard]] Ran take_inside(std::vector<std::string> how) const {
    std::vector<std::string> args = {"claim", "take", "issue/1", "--worker", "inside"};
    args.insert(args.end(), how.begin(), how.end());
    return run_in(GetParam(), args, ws.options());
  }
  [[nodiscard]] Json claim() const {
    const Json claims = Json::parse(ws.run({"claim", "list", "--json"}).out, nullptr, false);
    return claims.size() == 1 ? claims[0] : Json();
  }

  TempWorkspace ws;
  pid_t holder_ = -1;
};

TEST_P(Containers, ALiveClaimIsNotGrantedTwice) {
  ASSERT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--pid", holder()}).exit, 0);
  const Ran refused = take_inside({"--lease", "10m"});
  EXPECT_EQ(refused.exit, 4) << refused.out << refused.err;
  EXPECT_TRUE(has(refused.err, "pawl claim release issue/1 --take-over")) << refused.err;
  EXPECT_EQ(string_or(claim(), "worker"), "outside");
}

TEST_P(Containers, APersonCanTakeOverFromAProcessThatIsNotSeen) {
  ASSERT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--pid", holder()}).exit, 0);
  const Ran seen = ws.run({"claim", "take", "issue/1", "--worker", "other", "--lease", "1m", "--take-over"});
  EXPECT_EQ(seen.exit, 4) << "it is seen to live\n" << seen.err;
  EXPECT_EQ(ws.run({"claim", "release", "issue/1", "--take-over"}).exit, 4);
  const Ran taken = take_inside({"--lease", "10m", "--take-over"});
  EXPECT_EQ(taken.exit, 0) << taken.err;
  EXPECT_EQ(string_or(claim(), "worker"), "inside");
}

TEST_P(Containers, AnUnseenClaimIsReleasedOnAPersonsWord) {
  ASSERT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--pid", holder()}).exit, 0);
  const Ran released = run_in(GetParam(), {"claim", "release", "issue/1", "--take-over"}, ws.options());
  EXPECT_EQ(released.exit, 0) << released.err;
  EXPECT_TRUE(claim().is_null());
}

TEST_P(Containers, ALeaseIsAsLongInsideAsOutside) {
  constexpr std::int64_t kTenMinutes = 600'000, kSlack = 60'000;
  ASSERT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--lease", "10m"}).exit, 0);
  EXPECT_EQ(take_inside({"--lease", "10m"}).exit, 4);
  ASSERT_EQ(ws.run({"claim", "release", "issue/1", "--token", to_line(claim()["token"])}).exit, 0);
  ASSERT_EQ(take_inside({"--lease", "10m"}).exit, 0);
  EXPECT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--lease", "10m"}).exit, 4);
  EXPECT_LE(claim()["lease_left_ms"].get<std::int64_t>(), kTenMinutes);
  EXPECT_GE(claim()["lease_left_ms"].get<std::int64_t>(), kTenMinutes - kSlack);
}

// The lease of a process that is not seen counts alone; when it has ended, the claim is free.
TEST_P(Containers, AnUnseenProcessKeepsItsClaimUntilItsLeaseEnds) {
  ASSERT_EQ(ws.run({"claim", "take", "issue/1", "--worker", "outside", "--pid", holder(), "--lease", "10m"}).exit, 0);
  EXPECT_EQ(take_inside({"--lease", "10m"}).exit, 4);
  ASSERT_EQ(ws.run({"claim", "renew", "issue/1", "--token", to_line(claim()["token"]), "--lease", "1ms"}).exit, 0);
  EXPECT_EQ(take_inside({"--lease", "10m"}).exit, 0);
}

// A runner of pawl's own holds a lock: whether it lives is told everywhere, without a lease.
TEST_P(Containers, ARunnerHoldsItsLoopUntilItEnds) {
  ws.write("agent.sh", "echo ready; exec tail -f /dev/null\n");
  Child runner(PAWL_BINARY, {"ralph", "run", "--prompt", "work", "--no-prd", "--", "sh", "agent.sh"}, ws.options());
  ASSERT_TRUE(runner.wait_for("ready"));
  ASSERT_EQ(run_program("chmod", {"-R", "a+rwX", ws.path() + "/.."}).exit, 0);
  const std::vector<std::string> second = {"ralph", "run", "--max", "1", "--", "true"};
  EXPECT_EQ(run_in(GetParam(), second, ws.options()).exit, 4);
  ASSERT_TRUE(claim()["alive"].get<bool>());
  runner.send(SIGKILL);
  runner.finish();
  const Ran list = run_in(GetParam(), {"claim", "list", "--json"}, ws.options());
  const Json seen = Json::parse(list.out, nullptr, false);
  ASSERT_EQ(seen.size(), 1U) << list.out << list.err;
  EXPECT_FALSE(seen[0]["alive"].get<bool>()) << list.out;
}

INSTANTIATE_TEST_SUITE_P(All, Containers, testing::ValuesIn(kContainers), name_of_container);

// An agent's session is in one container; in another, tmux and its recorder cannot be seen.
class RunFromContainers : public RunProject, public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(kContainers[0]); !why.empty()) GTEST_SKIP() << why;
  }
  [[nodiscard]] Ran elsewhere(const std::vector<std::string>& args) const {
    return run_in({"",
                   {"unshare", "-m", "-p", "-f", "--mount-proc", "sh", "-c",
                    "mount -t tmpfs none \"$0\" && exec \"$@\"", home() + "/tmux"}},
                  args, with_tmux());
  }
};

TEST_F(RunFromContainers, AnAgentAtWorkIsNotStartedTwice) {
  start(4, kReadyAndWaits);
  ASSERT_TRUE(says(4, "ready"));
  for (const std::vector<std::string>& again : {std::vector<std::string>{"issue", "resume", "4"},
                                                {"issue", "reconcile", "4"},
                                                {"issue", "run", "4", "--", "sh", "-c", kWaits}}) {
    const Ran ran = elsewhere(again);
    EXPECT_EQ(ran.exit == 0, again[1] == "reconcile") << ran.out << ran.err;  // there is nothing to put right
    EXPECT_EQ(ok({"issue", "get", "4"}), "running\n") << again[1] << "\n" << ran.out << ran.err;
  }
  EXPECT_FALSE(has(elsewhere({"status"}).out, "no session"));
}

class PostedFromContainers : public ReviewOnGithub, public testing::WithParamInterface<Container> {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(GetParam()); !why.empty()) GTEST_SKIP() << why;
    ReviewOnGithub::SetUp();
    json({"start", "o/r#1"});
    mark_all();
    add("core/engine.c", 42, "action-required", "Posted");
  }
  [[nodiscard]] RunOptions options() const {
    RunOptions options;
    options.env = env();
    return project.options(options);
  }
  [[nodiscard]] bool is_under_way() const { return has(run_pawl({"doctor"}, options()).out, " is in progress"); }
};

TEST_P(PostedFromContainers, AReviewThatIsBeingPostedIsPostedOnce) {
  practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "never"}});
  Child first(PAWL_BINARY, {"review", "post", "--yes"}, options());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_under_way()) ASSERT_LT(std::chrono::steady_clock::now(), deadline) << first.finish().err;
  EXPECT_EQ(run_pawl({"claim", "release", "review/o/r#1", "--take-over"}, options()).exit, 4) << "it is seen to live";
  const Ran second = run_in(GetParam(), {"review", "post", "--yes"}, options());
  EXPECT_NE(second.exit, 0) << second.out;
  EXPECT_EQ(reviews(1).size(), 0U) << "the first may still be posting";
  first.send(SIGKILL);
  first.finish();
  const Ran third = run_in(GetParam(), {"review", "post", "--yes"}, options());
  EXPECT_EQ(third.exit, 0) << third.err;
  EXPECT_EQ(reviews(1).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, PostedFromContainers, testing::ValuesIn(std::vector(kContainers, kContainers + 4)),
                         name_of_container);

}  // namespace
}  // namespace pawl::test

// Claims: one worker holds a thing, a dead one holds nothing, and whoever lost it is told when it writes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "base/clock.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "engine/claims.h"
#include "support/binary.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

using Answer = Ran;
using SteadyClock = std::chrono::steady_clock;

class ClaimOf : public testing::Test {
 protected:
  ClaimOf() { EXPECT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0); }

  Answer take(const std::string& worker, std::vector<std::string> how = {"--lease", "10m"}) {
    std::vector<std::string> args = {"claim", "take", "issue/42", "--worker", worker};
    args.insert(args.end(), how.begin(), how.end());
    return ws.run(args);
  }
  // The token alone, for a script: $(pawl claim take …)
  std::string token(const Answer& taken) {
    EXPECT_EQ(taken.exit, 0) << taken.err;
    EXPECT_TRUE(taken.out.ends_with('\n') && parse_positive(taken.out.substr(0, taken.out.size() - 1))) << taken.out;
    return taken.out.substr(0, taken.out.find('\n'));
  }

  TempWorkspace ws;
};

// A process that does nothing until it is killed.
class Idler {
 public:
  Idler() : pid_(::fork()) {
    while (pid_ == 0) ::pause();
  }
  Idler(const Idler&) = delete;
  Idler& operator=(const Idler&) = delete;
  ~Idler() { end(); }
  [[nodiscard]] std::string pid() const { return std::to_string(pid_); }
  // Dead, and not yet buried by its parent.
  void become_zombie() const {
    ::kill(pid_, SIGKILL);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

TEST_F(ClaimOf, OneWorkerShutsOutAnotherAndSaysWhoHoldsIt) {
  token(take("first"));
  const Answer second = take("second");
  EXPECT_EQ(second.exit, 4);
  EXPECT_NE(second.err.find("first"), std::string::npos) << second.err;
  EXPECT_EQ(second.out, "");
}

TEST_F(ClaimOf, SameWorkerAskingAgainKeepsItsToken) {
  const std::string first = token(take("first"));
  EXPECT_EQ(token(take("first")), first);
}

TEST_F(ClaimOf, ReleasedThingIsFreeAndTheTokenGrows) {
  std::int64_t last = 0;
  for (const std::string worker : {"a", "b", "a", "a"}) {
    const std::string now = token(take(worker));
    EXPECT_GT(*parse_positive(now), last);
    last = *parse_positive(now);
    EXPECT_EQ(ws.run({"claim", "release", "issue/42", "--token", now}).exit, 0);
    EXPECT_EQ(ws.run({"claim", "release", "issue/42", "--token", now}).exit, 4) << "released twice";
  }
}

TEST_F(ClaimOf, WhoeverLostItCanNeitherRenewNorRelease) {
  const std::string mine = token(take("a"));
  ASSERT_EQ(ws.run({"claim", "release", "issue/42", "--token", mine}).exit, 0);
  const std::string theirs = token(take("b"));
  EXPECT_EQ(ws.run({"claim", "renew", "issue/42", "--token", mine, "--lease", "10m"}).exit, 4);
  EXPECT_EQ(ws.run({"claim", "release", "issue/42", "--token", mine}).exit, 4);
  EXPECT_EQ(ws.run({"claim", "renew", "issue/42", "--token", theirs, "--lease", "10m"}).exit, 0);
  EXPECT_EQ(take("a").exit, 4);
}

TEST_F(ClaimOf, MoveWithATokenIsMadeOnlyByTheHolder) {
  const std::string mine = token(take("a"));
  EXPECT_EQ(ws.run({"issue", "set", "42", "running", "--token", mine}).exit, 0);
  ASSERT_EQ(ws.run({"claim", "release", "issue/42", "--token", mine}).exit, 0);
  EXPECT_EQ(ws.run({"issue", "set", "42", "complete", "--token", mine}).exit, 4) << "nobody holds it";
  const std::string theirs = token(take("b"));
  const Answer late = ws.run({"issue", "set", "42", "complete", "--token", mine});
  EXPECT_EQ(late.exit, 4);
  EXPECT_NE(late.err.find("b now"), std::string::npos) << late.err;
  EXPECT_EQ(ws.run({"issue", "remove", "42", "--token", mine}).exit, 4);
  EXPECT_EQ(ws.run({"issue", "get", "42"}).out, "running\n");
  EXPECT_EQ(ws.run({"issue", "set", "42", "complete", "--token", theirs}).exit, 0);
  EXPECT_EQ(ws.run({"issue", "set", "42", "running", "--token", "0"}).exit, 2);
  EXPECT_EQ(ws.run({"issue", "set", "42", "running", "--token", "999"}).exit, 4);
}

TEST_F(ClaimOf, AThingThatIsNotThereIsNotFound) {
  EXPECT_EQ(ws.run({"claim", "take", "issue/7", "--worker", "a", "--lease", "1m"}).exit, 3);
  EXPECT_EQ(ws.run({"claim", "take", "7", "--worker", "a", "--lease", "1m"}).exit, 3);
  EXPECT_EQ(take("a", {}).exit, 2) << "neither a process nor a time";
  EXPECT_EQ(take("a", {"--lease", "10"}).exit, 2);
  EXPECT_EQ(take("a", {"--lease", "-5s"}).exit, 2);
  EXPECT_NE(take("a", {"--pid", "4194304999"}).exit, 0);
  EXPECT_EQ(ws.run({"claim", "list"}).out, "");
}

TEST_F(ClaimOf, DeadProcessHoldsNothingASecondLater) {
  Idler holder;
  token(take("a", {"--pid", holder.pid()}));
  EXPECT_EQ(take("b").exit, 4);
  holder.end();
  const auto died = SteadyClock::now();
  Answer answer;
  do {
    answer = take("b");
  } while (answer.exit == 4 && SteadyClock::now() - died < std::chrono::seconds(1));
  EXPECT_EQ(answer.exit, 0) << "still held a second after its holder's death\n" << answer.err;
}

TEST_F(ClaimOf, ZombieHoldsNothing) {
  const Idler holder;
  const std::string old = token(take("a", {"--pid", holder.pid()}));
  holder.become_zombie();
  EXPECT_EQ(ws.run({"issue", "set", "42", "complete", "--token", old}).exit, 4);
  EXPECT_EQ(take("b").exit, 0);
}

TEST_F(ClaimOf, ProcessWithALeaseLosesItToWhicheverEndsFirst) {
  Idler holder;
  token(take("a", {"--pid", holder.pid(), "--lease", "10h"}));
  EXPECT_EQ(take("b").exit, 4);
  holder.end();
  EXPECT_EQ(take("b").exit, 0) << "the lease kept a dead process' claim";
}

TEST_F(ClaimOf, LeaseEndsWithItsTimeAndNotBefore) {
  const SystemClock clock;
  constexpr std::int64_t kLeaseMs = 700;
  const std::int64_t start = clock.now().boot_ms;
  const std::string old = token(take("a", {"--lease", "700ms"}));
  Answer answer;
  do {
    answer = take("b");
    EXPECT_TRUE(answer.exit == 0 || answer.exit == 4) << answer.err;
  } while (answer.exit != 0 && clock.now().boot_ms < start + 30'000);
  EXPECT_EQ(answer.exit, 0) << "never free";
  EXPECT_GE(clock.now().boot_ms - start, kLeaseMs) << "taken away too soon";
  EXPECT_EQ(ws.run({"claim", "renew", "issue/42", "--token", old, "--lease", "10m"}).exit, 4);
}

TEST_F(ClaimOf, RenewedLeaseOutlivesItsFirstTime) {
  const SystemClock clock;
  const std::string mine = token(take("a", {"--lease", "2s"}));
  ASSERT_EQ(ws.run({"claim", "renew", "issue/42", "--token", mine, "--lease", "10m"}).exit, 0);
  const std::int64_t first_end = clock.now().boot_ms + 2000;
  while (clock.now().boot_ms < first_end) ASSERT_EQ(take("b").exit, 4);
  EXPECT_EQ(take("b").exit, 4);
}

TEST_F(ClaimOf, ListShowsHoldersAndWhoIsGone) {
  Idler holder;
  token(take("a", {"--pid", holder.pid()}));
  EXPECT_NE(ws.run({"claim", "list"}).out.find("issue/42\ta\t"), std::string::npos);
  EXPECT_NE(ws.run({"show", "issue/42"}).out.find("held by a"), std::string::npos);
  holder.end();
  EXPECT_NE(ws.run({"claim", "list"}).out.find("gone"), std::string::npos);
  EXPECT_EQ(ws.run({"show", "issue/42"}).out.find("held by a"), std::string::npos);
}

// --- in the library: what cannot be staged from outside ---

Claim claim_of_this_process() {
  Claim claim;
  claim.process = this_process();
  return claim;
}

TEST(ClaimLiveness, NumberOfAProcessThatWasUsedAgainIsNotItsHolder) {
  const Now now = SystemClock().now();
  Claim claim = claim_of_this_process();
  ASSERT_NE(claim.process.started, 0);
  EXPECT_TRUE(claim_lives(claim, now));
  claim.process.started -= 1;
  EXPECT_FALSE(claim_lives(claim, now));
}

TEST(ClaimLiveness, AnotherStartOfTheMachineEndsEveryClaim) {
  const Now now = SystemClock().now();
  Claim claim = claim_of_this_process();
  claim.process.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(claim_lives(claim, now));
  claim.process.pid = claim.process.started = 0;
  claim.lease_until_ms = now.boot_ms + 1'000'000;
  EXPECT_FALSE(claim_lives(claim, now));
}

TEST(ClaimLiveness, WallClockThatJumpsChangesNothing) {
  Claim claim;
  claim.process.boot = boot_id();
  claim.lease_until_ms = 1000;
  EXPECT_TRUE(claim_lives(claim, {.wall_ms = 9'000'000'000'000, .boot_ms = 999}));
  EXPECT_FALSE(claim_lives(claim, {.wall_ms = 0, .boot_ms = 1000}));
}

// A runner's name is made of its process number, which another container gives to another process.
TEST(ClaimOfARunner, IsNotGivenToAnotherProcessOfItsName) {
  TodoProject project;
  project.put(R"({"items": [{"id": "a", "state": "open"}]})");
  ASSERT_TRUE(project.move("a", "doing"));
  const ClaimRequest request{todo("a"), "story run 7", ::getpid(), 0};
  Claim other;
  other.record = todo("a");
  other.worker = request.worker;
  other.process = this_process();
  other.process.namespaces = "1,2";
  {
    Store* const store = project.engine().store().value();
    const auto gate = store->gate();
    const auto tx = store->begin(Access::write);
    ASSERT_TRUE((*tx)->put_claim(other) && (*tx)->commit({}));
  }
  const auto taken = take_claim(project.engine(), Request{}, request);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::conflict);
  ASSERT_TRUE(take_over_claim(project.engine(), Request{}, todo("a")));
  EXPECT_TRUE(take_claim(project.engine(), Request{}, request));
}

// Nobody has typed `pawl init`: what the file shows can be claimed all the same, and what is not there makes no store.
TEST(ClaimFirst, OfWhatAFileShowsIsGivenWithoutAStore) {
  TempWorkspace ws;
  ws.write("prd.json", R"({"stories": [{"id": "US-1", "title": "a", "status": "pending"}]})");
  for (const std::vector<std::string>& refused :
       {std::vector<std::string>{"claim", "take", "story/US-2", "--worker", "w", "--lease", "10m"},
        {"claim", "release", "story/US-1", "--token", "1"}}) {
    EXPECT_EQ(ws.run(refused).exit, 3);
    EXPECT_FALSE(ws.exists(".pawl"));
  }
  const Ran taken =
      ws.run({"claim", "take", "story/US-1", "--worker", "w", "--lease", "10m", "--idempotency-key", "k"});
  EXPECT_EQ(taken.exit, 0) << taken.err;
  EXPECT_EQ(ws.run({"claim", "take", "story/US-1", "--worker", "w", "--lease", "10m", "--idempotency-key", "k"}).out,
            taken.out);
}

}  // namespace
}  // namespace pawl::test

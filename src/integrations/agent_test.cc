#include "integrations/agent.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "base/process.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl {
namespace {

AgentCall shell(const std::string& script, std::string& out) {
  AgentCall call;
  call.argv = {"/bin/sh", "-c", script};
  call.output = call.errors = [&out](std::string_view bytes) { out += bytes; };
  return call;
}

TEST(Agent, GetsItsInputAndEnvironmentAndWhatItPrintsComesThrough) {
  std::string out;
  AgentCall call = shell("cat; echo \"$PAWL_ITERATION\" >&2; exit 7", out);
  std::string err;
  call.errors = [&err](std::string_view bytes) { err += bytes; };
  call.input = std::string(300'000, 'x') + "\n";  // more than a pipe holds
  call.environment = {"PAWL_ITERATION=3"};
  StopSignals stop;
  const auto ran = run_agent(call, stop);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->exit_code, 7);
  EXPECT_TRUE(out == call.input);
  EXPECT_EQ(err, "3\n");
}

TEST(Agent, ThatDoesNotReadItsInputEndsAllTheSame) {
  std::string out;
  AgentCall call = shell("exit 0", out);
  call.input = std::string(1 << 20, 'x');
  signal(SIGPIPE, SIG_IGN);
  StopSignals stop;
  const auto ran = run_agent(call, stop);
  signal(SIGPIPE, SIG_DFL);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::exited);
}

TEST(Agent, ThatIsNotThereIsAnErrorAndNotARun) {
  std::string out;
  AgentCall call = shell("", out);
  call.argv = {"/no/such/agent"};
  StopSignals stop;
  EXPECT_FALSE(run_agent(call, stop));
}

TEST(Agent, BeyondItsLimitEndsWithAllThatItStarted) {
  std::string out;
  AgentCall call = shell("trap '' TERM; tail -f /dev/null & echo $!; tail -f /dev/null; tail -f /dev/null", out);
  call.limit_ms = 200;
  StopSignals stop;
  const auto ran = run_agent(call, stop);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::too_long);
  const auto child = parse_positive(trim(out));
  ASSERT_TRUE(child) << out;
  EXPECT_TRUE(test::ends(static_cast<pid_t>(*child)));
}

TEST(Agent, EndsWhenPawlIsAskedToStop) {
  std::string out;
  AgentCall call = shell("echo ready; exec tail -f /dev/null", out);
  StopSignals stop;
  call.output = [&](std::string_view bytes) {
    out += bytes;
    kill(getpid(), SIGINT);  // it is blocked, and waits to be taken
  };
  const auto ran = run_agent(call, stop);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::stopped);
  EXPECT_EQ(ran->stop_signal, SIGINT);
}

TEST(Agent, EndsWhenItIsNoLongerWanted) {
  std::string out;
  AgentCall call = shell("exec tail -f /dev/null", out);
  call.wanted = [] { return false; };
  StopSignals stop;
  const auto ran = run_agent(call, stop);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::unwanted);
}

TEST(Agent, WhoseChildKeepsThePipeOpenIsNotWaitedFor) {
  std::string out;
  const auto ran = [&] {
    StopSignals stop;
    return run_agent(shell("tail -f /dev/null & echo $!", out), stop);
  }();
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::exited);
  const auto child = parse_positive(trim(out));
  ASSERT_TRUE(child);
  EXPECT_TRUE(lives(identify_process(*child)));  // it is the agent's own business
  kill(static_cast<pid_t>(*child), SIGKILL);
}

TEST(Agent, WhoseChildPrintsForEverIsNotReadForEver) {
  std::string out;
  StopSignals stop;
  const auto ran = run_agent(shell("(while :; do echo y; done) & echo pid $!", out), stop);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->end, AgentEnd::exited);
  const std::size_t at = out.find("pid ");
  ASSERT_NE(at, std::string::npos);
  const auto child = parse_positive(out.substr(at + 4, out.find('\n', at) - at - 4));
  ASSERT_TRUE(child);
  kill(static_cast<pid_t>(*child), SIGKILL);
}

TEST(Agent, TokensOfGitHubsAreKeptBackOnlyWhereAsked) {
  setenv("GH_TOKEN", "secret", 1);
  std::string with, without;
  AgentCall call = shell("echo $GH_TOKEN", with);
  StopSignals stop;
  EXPECT_TRUE(run_agent(call, stop));
  call = shell("echo $GH_TOKEN", without);
  call.secrets = Secrets::dropped;
  EXPECT_TRUE(run_agent(call, stop));
  unsetenv("GH_TOKEN");
  EXPECT_EQ(with, "secret\n");
  EXPECT_EQ(without, "\n");
}

TEST(Agent, FilledReplacesEveryMarkAndNothingInsideOfWhatWasPutIn) {
  EXPECT_EQ(filled("a{prompt}b{prompt}", "prompt", "{prompt}"), "a{prompt}b{prompt}");
  EXPECT_EQ(filled("{other}", "prompt", "x"), "{other}");
}

}  // namespace
}  // namespace pawl

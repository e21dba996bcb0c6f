#include "base/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pawl {
namespace {

TEST(Process, OutputAndExitCodeComeBack) {
  const auto ran = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, 1000);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "out\n");
  EXPECT_EQ(ran->exit_code, 3);
  EXPECT_EQ(run_program({"sh", "-c", "echo err >&2"}, 1000, StandardError::with_output)->out, "err\n");
}

TEST(Process, WhatIsNotThereIsAnError) { EXPECT_FALSE(run_program({"no-such-program-here"}, 10)); }

TEST(Process, TooMuchOutputIsAnError) { EXPECT_FALSE(run_program({"sh", "-c", "yes | head -c 100000"}, 1000)); }

TEST(Process, ALivingOneIsToldFromADeadOneAndFromItsSuccessor) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    close(ends[1]);
    _exit(static_cast<int>(read(ends[0], &byte, 1)));
  }
  const ProcessIdentity alive = identify_process(child);
  EXPECT_TRUE(lives(alive));
  ProcessIdentity other = alive;
  ++other.started;
  EXPECT_EQ(life_of(other), Life::ended) << "another process with the same number";
  EXPECT_EQ(process_in(to_json(alive)), alive);
  close(ends[0]);
  close(ends[1]);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(lives(alive)) << "a zombie does not live";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(lives(alive));
}

// The namespaces are those of this process but for one; or they were not known when the process was identified.
TEST(Process, OneThatCannotBeSeenIsNotDead) {
  ProcessIdentity process = this_process();
  EXPECT_EQ(life_of(process), Life::alive);
  for (const std::string& other : {"1," + process.namespaces, process.namespaces + "1", std::string()}) {
    ProcessIdentity elsewhere = process;
    elsewhere.namespaces = other;
    EXPECT_EQ(life_of(elsewhere), Life::unknown) << other;
    EXPECT_FALSE(ends_within(elsewhere, 0));
    elsewhere.boot = "00000000-0000-0000-0000-000000000000";
    EXPECT_EQ(life_of(elsewhere), Life::ended) << "the machine has restarted since";
  }
  process.started = 0;
  EXPECT_EQ(life_of(process), Life::unknown) << "it was hidden when it was identified";
  EXPECT_EQ(life_of({}), Life::ended);
}

TEST(Process, TheBootHasAName) { EXPECT_EQ(boot_id().size(), 36U); }

}  // namespace
}  // namespace pawl

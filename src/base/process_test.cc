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
  EXPECT_FALSE(lives({alive.pid, alive.started + 1})) << "another process with the same number";
  close(ends[0]);
  close(ends[1]);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(lives(alive)) << "a zombie does not live";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(lives(alive));
}

TEST(Process, TheBootHasAName) { EXPECT_EQ(boot_id().size(), 36U); }

}  // namespace
}  // namespace pawl

// The tour's loop: its runner is killed in the midst of an iteration, and the next one goes on at that.
#include "commands/tour_guide.h"

namespace pawl::tour {
namespace {

// In place of an agent. The first time, in its second iteration, it does to pawl what the night does to machines.
constexpr std::string_view kLoopAgent = R"sh(#!/bin/sh
echo "agent: at work, iteration $PAWL_ITERATION"
if [ "$PAWL_ITERATION" = 2 ] && mkdir killed 2>/dev/null; then kill -9 $PPID; sleep 60; fi
if [ "$PAWL_ITERATION" -lt 3 ]; then
  echo "agent: I shall say <promise>TASK_COMPLETE</promise> when I am done"
else
  echo "<promise>TASK_COMPLETE</promise>"
fi
)sh";

}  // namespace

Done a_loop_goes_on(Guide& guide) {
  PAWL_TRY(guide.chapter("A loop that is killed"));
  PAWL_TRY(guide.write_program("agent", kLoopAgent));
  PAWL_TRY(guide.pawl({"ralph", "run", "--prompt", "make the tests pass", "--", "./agent"}));
  guide.say("Killed by SIGKILL during its second iteration. The loop is where it was:");
  PAWL_TRY(guide.pawl({"ralph", "list"}));

  PAWL_TRY(guide.chapter("The next run goes on with the same loop"));
  guide.say("It does the second iteration again, and ends when the promise is given:");
  PAWL_ASSIGN(const Ran ran, guide.pawl({"ralph", "run", "--", "./agent"}));
  if (ran.exit_code != 0) return fail(ErrorCode::internal, "the tour's loop did not go on: please report this");
  return done();
}

}  // namespace pawl::tour

#include "lifecycles/loop/stop.h"

#include <algorithm>

#include "base/text.h"
#include "core/runner_stopped.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kBlocks = "held_in_a_row";

bool is_idle(const Json& doc, const Now& now) {
  for (const char* member : {"last_activity_at", "started_at"}) {
    if (const auto then = parse_iso_time(string_or(doc, member))) return now.wall_ms - *then > kMostIdleMs;
  }
  return false;
}

StopDecision let_go(std::string_view why) { return {std::nullopt, false, std::string(why)}; }

// The same, and it waits for somebody: that is written down once, so that a board does not call it running.
Result<StopDecision> let_go(const Record& loop, const StopFacts& facts, std::string_view noted, std::string_view why) {
  StopDecision decision = let_go(why);
  if (facts.let_go_for == noted) return decision;
  PAWL_ASSIGN(decision.change, moved(ralph_machine(), loop, kActive, Json(loop.doc), kLetGo));
  decision.change->evidence = Json{{std::string(kStoppedWhy), noted}, {kBlocks, facts.blocks}};
  return decision;
}

}  // namespace

std::int64_t blocks_in(const Json& evidence) {
  return evidence.is_object() ? std::max<std::int64_t>(integer_or(evidence, kBlocks), 0) : 0;
}

Result<StopDecision> decide_stop(const Record& loop, const StopFacts& facts, const Now& now) {
  StopDecision decision;
  // A check may take hours and is a runner's to run; nobody is held until then.
  if (facts.promised && facts.has_check)
    return let_go(
        loop, facts, "the promise was given, and its check has not been asked yet",
        cat("the promise was given, and counts once the loop's check agrees. What asks it:\n  ", to_go_on(loop)));
  if (facts.promised) {
    PAWL_ASSIGN(decision.change, decide(loop, CompleteRalph{}, now));
    decision.why = "the promise was given: the loop is complete";
    return decision;
  }
  // What is written down is when it was last held; a turn may be longer than two hours, and full of work.
  if (!facts.progressed.value_or(false) && is_idle(loop.doc, now))
    return let_go(loop, facts, "its session was let go: nothing happened in it for two hours",
                  cat("nothing happened in the loop for two hours, so it holds nobody\n  ",
                      to_type(cat("pawl ralph tick", session_option(loop)), "wakes it up")));
  if (facts.context_full)
    return let_go(
        loop, facts, "its session was let go: its context is nearly full",
        cat("the context is nearly full; the loop stays active, and goes on in a new turn\n  ", to_cancel(loop)));
  const std::int64_t blocks = facts.progressed.value_or(false) ? 0 : facts.blocks;
  if (blocks >= kMostBlocks)
    return let_go(
        loop, facts, "its session was let go: held seven times in a row without anything done",
        cat("held seven times in a row without anything done; the loop stays active and goes on as soon as something "
            "is\n  ",
            to_cancel(loop)));
  PAWL_ASSIGN(decision.change, decide(loop, TickRalph{}, now));
  decision.hold = decision.change->after.status == kActive;
  if (decision.hold) {
    decision.change->evidence = Json{{kBlocks, blocks + 1}};
  } else {
    decision.why = "the maximum of iterations is reached: the loop is exhausted";
  }
  return decision;
}

}  // namespace pawl::loop

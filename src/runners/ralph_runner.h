// `pawl ralph run`: the agent's command again and again, until it has done what it promised. An iteration counts when
// its agent has ended; killed in the midst of one, the next run does that one again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/loop/ralph.h"

namespace pawl {

// How a runner that holds a loop is called: this, and the number of its process.
inline constexpr std::string_view kRalphRunner = "ralph run ";

struct RalphRun {
  std::string session;  // also tells which loop is gone on with
  // For a new loop. One that goes on has them already: what is given must be what it has, but for the maximum.
  std::optional<std::string> prompt, promise;
  bool no_prd = false;
  std::optional<std::int64_t> max;
  std::vector<std::string> command;  // {prompt} in a word is replaced
  // A shell's command that checks a claim to be done, and how often that may be rejected. They are the loop's from then
  // on; without them it has those that it was given before, and is believed where it never had any.
  std::optional<std::string> verify;
  std::optional<std::int64_t> attempts;
  std::int64_t limit_ms = 0;  // for one iteration
  std::int64_t pause_ms = 0;  // after the agent failed at once; doubled each time
};

struct RalphStreams {
  std::function<void(std::string_view)> live;  // what the agent prints
  std::function<bool()> ready;                 // would that be taken at once? A few thousand bytes of it, at least
  std::function<void(std::string_view)> tell;  // what becomes of it
};

enum class RalphEnd {
  promise,    // given, and found to be true where somebody checks
  stories,    // none is left, and that was found to be true
  completed,  // the agent said so itself: pawl ralph complete
  unchecked,  // somebody said so past its check, which does not agree
  maximum,
  rejected,  // claims, too often
  not_run,   // its check could not be run, and a claim waits for it
  stopped,   // by a signal
  ended,     // by somebody else: cancelled, cleared, taken over
};

struct RalphRan {
  Json loop;  // as loops are answered with
  RalphEnd end = RalphEnd::ended;
  std::int64_t iterations = 0;  // in this run
  int stop_signal = 0;
  std::string log;
  std::string check, why;  // the check that could not be run, and why
};

[[nodiscard]] Result<RalphRan> run_ralph(Engine& engine, const Request& request, const RalphRun& run,
                                         const RalphStreams& streams);

}  // namespace pawl

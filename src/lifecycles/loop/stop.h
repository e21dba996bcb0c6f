// A session that owns a loop wants to stop: may it? Pure. What hurt users of such loops is ruled out here: a loop that
// holds somebody else's session, one that holds a session whose context is full, one that never lets go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "core/event.h"

namespace pawl::loop {

inline constexpr std::int64_t kMostIdleMs = 2 * 60 * 60 * 1000;
inline constexpr std::int64_t kMostBlocks = 7;  // in a row, without progress

// What is known of the session when it stops.
struct StopFacts {
  bool promised = false;
  bool has_check = false;  // a command that is asked before a promise counts
  bool context_full = false;
  std::optional<bool>
      progressed;  // it did something since it was last held; unknown without a transcript, and then not assumed
  std::int64_t blocks = 0;  // how often in a row it was held without progress
  std::string let_go_for;   // the reason that was written down when it was last let go, and nothing happened since
};

struct StopDecision {
  std::optional<Change> change;
  bool hold = false;
  std::string why;  // of letting go, for the user; empty when there is nothing to say
};

// `loop` is active and the session's own.
[[nodiscard]] Result<StopDecision> decide_stop(const Record& loop, const StopFacts& facts, const Now& now);

// How often in a row the event's session had been held, as decide_stop left it in the event.
[[nodiscard]] std::int64_t blocks_in(const Json& evidence);

}  // namespace pawl::loop

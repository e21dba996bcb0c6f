// How many issues are at work at once, for issue.max_concurrent. A status says running as long as nobody says
// otherwise, also when its session is long gone: those are no work, and take nobody's place.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

struct Room {
  bool full = false;                                     // as many run as may
  std::map<std::int64_t, std::int64_t> without_session;  // say running, and are not at work; the revision of that
  std::vector<std::int64_t> uncounted;                   // of those, the ones that were not counted
};

// Those whose session is gone, and of which nobody is about to say how they ended. One of which tmux does not tell is
// at work.
[[nodiscard]] Result<std::map<std::int64_t, std::int64_t>> issues_without_session(Engine& engine);

// Those that run, and those that a living process is about to start, but for `but` itself.
[[nodiscard]] Result<std::vector<std::int64_t>> issues_under_way(const View& view, const RecordId& but, Room& room);

// What to say of those that were not counted; "" where there are none.
[[nodiscard]] std::string text_of_uncounted(const Room& room);

}  // namespace pawl

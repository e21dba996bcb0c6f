// What a run leaves, and when it is looked at again: for its last line, and for --dry-run, which agrees with it.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "engine/engine.h"

namespace pawl {

// Stories that are left alone until a time; 0: any is due now.
struct LeftUntil {
  std::int64_t count = 0;
  std::int64_t due_ms = 0;  // the first of them
};

struct StoriesLeft {
  LeftUntil failed;           // and tried again
  LeftUntil put_off;          // GitHub or the remote did not answer
  LeftUntil waiting;          // pushed, and somebody else's turn
  std::int64_t need_you = 0;  // held, or with a word that is no status
  std::int64_t paused = 0;
  std::int64_t blocked = 0;  // they wait for other stories, or another worker has them; told of a run that is idle
};
[[nodiscard]] Result<StoriesLeft> stories_left(const View& view, const Now& now, bool idle);

// Until when the bot leaves a story alone, in words; "" where it is due.
[[nodiscard]] std::string left_until(const Record& story, const Now& now);

}  // namespace pawl

// A session is about to stop. The one that owns a loop is held, as lifecycles/loop/stop.h has it; all others go.
#pragma once

#include <functional>
#include <string>

#include "engine/engine.h"
#include "runners/hook/transcript.h"

namespace pawl::hook {

struct Held {
  bool hold = false;
  std::string text;  // what the session is told where it is held; otherwise what the user is told, or nothing
};

// `last_turn` is asked only when there is a loop of the session's.
[[nodiscard]] Result<Held> on_stop(Engine& engine, const Request& request, const std::string& session,
                                   const std::function<LastTurn()>& last_turn);

}  // namespace pawl::hook

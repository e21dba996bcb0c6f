// Somebody claims that the work is done: a command is asked whether that is true, and its verdict is written down.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "world/agent.h"

namespace pawl {

struct Claimed {
  std::string session;
  std::string task;
  std::string claim;
  std::int64_t max_attempts = 0;  // for a new one
};

struct Verdict {
  bool approved = false;
  bool exhausted = false;  // rejected for the last time
  std::int64_t attempts = 0, max_attempts = 0;
  std::string feedback;  // the end of what the command printed
  int stop_signal = 0;   // asked to stop meanwhile: there is no verdict
};

// The verification that is pending for this claim, or a new one. `command` is a shell's; it exits 0 for yes.
[[nodiscard]] Result<Verdict> verify(Engine& engine, const Request& request, const Claimed& claimed,
                                     const std::string& command, std::int64_t limit_ms, StopSignals& stop,
                                     const std::function<void(std::string_view)>& live);

}  // namespace pawl

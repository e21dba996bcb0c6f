// The agent: an external command that does the thinking. It gets its task on stdin, works in a process group of its
// own, and what it prints goes through as it comes. The group does not outlive pawl: a guard in it holds the other end
// of a pipe, and ends all of it when pawl is gone, be it by -9. What leaves the group (setsid) is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "base/stop_signals.h"

namespace pawl {

struct AgentCall {
  std::vector<std::string> argv;
  std::string input;
  std::vector<std::string> environment;    // NAME=VALUE, in place of pawl's own of that name
  std::vector<std::string> not_passed_on;  // names of pawl's own that it does not get
  std::string folder;                      // "": here
  std::int64_t limit_ms = 0;               // 0: none
  Secrets secrets = Secrets::kept;         // the agent is the user's own, unless said otherwise
  bool alone = false;                      // what it started ends with it, also when it ended by itself
  // As they come.
  std::function<void(std::string_view)> output = [](std::string_view) {};
  std::function<void(std::string_view)> errors = [](std::string_view) {};
  std::function<bool()> ready = [] { return true; };   // may something be handed to these? If not, the agent waits
  std::function<bool()> wanted = [] { return true; };  // asked twice a second; false: it is to end
};

enum class AgentEnd {
  exited,    // by itself, or killed by somebody else
  too_long,  // the limit was reached, and its process group ended
  stopped,   // a signal asked pawl to stop
  unwanted,  // `wanted` said no
};

struct AgentRan {
  AgentEnd end = AgentEnd::exited;
  int exit_code = 0;  // 128 + signal when it was killed
  int stop_signal = 0;
  std::int64_t took_ms = 0;
};

// An error: it could not be started. Whoever is to end is asked, and five seconds later made to; a second stop signal
// does not wait so long.
[[nodiscard]] Result<AgentRan> run_agent(const AgentCall& call, StopSignals& stop);

// One word out of a template: every {name} in it replaced by its value.
[[nodiscard]] std::string filled(std::string_view word, std::string_view name, std::string_view value);

}  // namespace pawl

// Somebody claims that the work is done: a command is asked whether that is true, and its verdict is written down.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "integrations/agent.h"

namespace pawl {

// A loop's claim.
struct Claimed {
  std::string loop;     // its key
  std::string session;  // its owner; "" for nobody's
  std::string task;
  std::string claim;
  std::int64_t max_attempts = 0;  // whatever the file of one that is pending says
  std::int64_t made = 0;          // attempts: whoever takes the file away does not get them back
};

struct Verdict {
  enum class Kind {
    approved,
    rejected,
    not_run,  // the command could not be run, so nothing is known of the work
    none,     // it was asked to stop meanwhile
  } kind = Kind::none;
  std::string why;         // it could not be run
  bool exhausted = false;  // rejected for the last time
  std::int64_t attempts = 0, max_attempts = 0;
  std::string feedback;  // the end of what the command printed
  int stop_signal = 0;
};

struct Verifier {
  std::string command;  // a shell's; it exits 0 for yes
  std::int64_t limit_ms = 0;
  std::function<bool()> wanted;
  std::function<void(std::string_view)> live;
};

// The command is asked, and nothing is written down: what it says is in `kind`, `why`, `feedback` and `stop_signal`.
[[nodiscard]] Result<Verdict> ask(const Claimed& claimed, const Verifier& verifier, StopSignals& stop);

// The verification that is pending for this loop, or a new one. One that a loop which has ended left behind makes room.
// A command that could not be run is no attempt: the verification stays pending.
[[nodiscard]] Result<Verdict> verify(Engine& engine, const Request& request, const Claimed& claimed,
                                     const Verifier& verifier, StopSignals& stop);

}  // namespace pawl

// Ultrawork: a session that is reminded to go on until it is cleared. Active or ended. It may show in two files: the
// project's, and one of the user's, which every project can read.
#pragma once

#include "base/clock.h"
#include "core/decide.h"
#include "core/lifecycle.h"
#include "lifecycles/loop/state_file.h"

namespace pawl::loop {

inline constexpr std::string_view kUltrawork = "ultrawork";

[[nodiscard]] const Machine& ultrawork_machine();
[[nodiscard]] const Shape& ultrawork_shape();
[[nodiscard]] const Lifecycle& ultrawork_lifecycle();
// The same kind in the user's own store, with ~/.opencode/ultrawork-state.json for its file.
[[nodiscard]] const Shape& users_ultrawork_shape();
[[nodiscard]] const Lifecycle& users_ultrawork_lifecycle();

struct StartUltrawork {
  std::string session;
  std::string prompt;
};
[[nodiscard]] Json new_ultrawork(const StartUltrawork& command, const Now& now);

// One more reinforcement.
struct CheckUltrawork {};
[[nodiscard]] Result<Change> decide(const Record& current, const CheckUltrawork& command, const Now& now);

}  // namespace pawl::loop

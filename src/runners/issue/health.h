// What does not fit between statuses, sessions, worktrees and watchers; and bringing it together again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/doctor.h"
#include "engine/engine.h"

namespace pawl {

// Looks, by what store and files say, and changes nothing.
[[nodiscard]] Done look_at_runs(Engine& engine, const View& view, std::vector<Finding>& findings);

struct Reconciled {
  std::int64_t number = 0;
  std::string what;   // a sentence
  bool left = false;  // it needs a person
};

// A status that says running without a session ends as its output or its loss says; a session without a status is
// running; a watcher that died is started again. Nothing is deleted. `only`: of this issue; not_found: there is nothing
// of it.
[[nodiscard]] Result<std::vector<Reconciled>> reconcile_runs(Engine& engine, const Request& request,
                                                             const std::string& self,
                                                             std::optional<std::int64_t> only = std::nullopt);

}  // namespace pawl

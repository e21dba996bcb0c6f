// SIGKILL at a random moment of a command's life.
#pragma once

#include <cstdint>

#include "crash/crash.h"
#include "crash/judge.h"
#include "crash/scenario.h"

namespace pawl::crash {

// Until `kills` have hit. The i-th kill of a seed is the same at every run, but for those that go by time.
[[nodiscard]] Result<Tally> kill_at_random(const Bench& bench, const Scenario& scenario, Judge& judge, long kills,
                                           std::uint64_t seed, long first = 0);

}  // namespace pawl::crash

// A command is recorded once; then the power goes at every moment of the recording.
#pragma once

#include <cstdint>

#include "crash/crash.h"
#include "crash/disk.h"
#include "crash/judge.h"
#include "crash/scenario.h"

namespace pawl::crash {

// One untouched run. An error when it did something that the recorder cannot follow.
[[nodiscard]] Result<Recording> record(const Bench& bench, const Scenario& scenario);

// The disk of one point: a moment, and a number for what chance does. The first few numbers are the extremes.
[[nodiscard]] Tree disk_at(const Recording& recording, std::size_t moment, long number, std::uint64_t seed);
[[nodiscard]] long extremes();

// For every moment the extremes, and so many disks made by chance.
[[nodiscard]] Result<Tally> cut_power(const Bench& bench, const Scenario& scenario, Judge& judge, long by_chance,
                                      std::uint64_t seed);

}  // namespace pawl::crash

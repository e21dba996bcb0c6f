// Another tool rewrites the file while the command is at work: at the 1st call, the 2nd, the 3rd …; and then,
// for good measure, the command is killed some calls later, with the stranger's bytes wherever they are just then.
//
// Whatever the moment, what the stranger added is not lost: a fresh process finds it in the file or has it in the log.
// This is where exchanging files instead of overwriting them is put to the test.
#pragma once

#include "crash/crash.h"
#include "crash/judge.h"
#include "crash/scenario.h"

namespace pawl::crash {

// A point is "n.k.w": the call at which the stranger writes, how many calls later the command is killed (0: not at
// all), and whether the stranger writes into the file (0) or renames a new one over it (1).
[[nodiscard]] Result<Tally> let_stranger_write(const Bench& bench, const Scenario& scenario, long stride = 1);

}  // namespace pawl::crash

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

// Spelled "n.k.w" in a breach.
struct StrangerPoint {
  long call;        // at which the stranger writes
  long kill_after;  // so many calls later the command is killed; 0: not at all
  bool renames;     // a new file over the old one, instead of writing into it
};

[[nodiscard]] Result<Tally> let_stranger_write(const Bench& bench, const Scenario& scenario, long stride = 1);

// One point, counted in the tally; false when a run has no such call. The workspace is left as the judges left it.
[[nodiscard]] Result<bool> let_stranger_write_at(const Bench& bench, const Scenario& scenario,
                                                 const StrangerPoint& point, Tally& tally);

}  // namespace pawl::crash

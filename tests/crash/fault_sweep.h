// The 1st call fails, the 2nd, the 3rd … until a run passes untouched.
#pragma once

#include <span>
#include <string_view>

#include "crash/crash.h"
#include "crash/judge.h"
#include "crash/scenario.h"

namespace pawl::crash {

enum class Fault {
  kill,         // SIGKILL before the call; this one goes through all calls, start-up included
  eio,          // the call is not made, and fails
  enospc,       //
  eintr,        //
  short_write,  // the kernel really writes half of it
  eio_late,     // the call is made, and yet it fails: what a network file system does when the answer gets lost
  no_memory,    // this call and every later one that asks for memory gets none
  disk_full,    // ENOSPC for this call and for every later one that needs room
  disk_gone,    // EIO for this call and for every later one on files
};

struct FaultFacts {
  Fault fault;
  std::string_view name;
};
[[nodiscard]] std::span<const FaultFacts> all_faults();

// Of those that a quick run takes a sample. Not SIGKILL: it is the promise itself.
[[nodiscard]] bool has_many_points(Fault fault);

// Every stride-th point. Errors are the campaign's own (a workspace that cannot be put back); breaches are in the
// tally.
[[nodiscard]] Result<Tally> sweep(const Bench& bench, const Scenario& scenario, Judge& judge, Fault fault,
                                  long stride = 1);

// One point of it, to look at: the workspace is left as the command left it. Nothing when a run has no such point.
[[nodiscard]] Result<std::optional<TracedExit>> run_with_fault(const Bench& bench, const Scenario& scenario,
                                                               Fault fault, long point, std::string& struck);

}  // namespace pawl::crash

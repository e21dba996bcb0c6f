// How pawl is tested against crashes.
//
// The promise (DESIGN.md, 1 and 2): acknowledged means synced; killed at any moment, on a full disk, or with any
// system call failing, the state that pawl tells is the one before or the one after, and every acknowledged
// operation is there.
//
// A promise about every moment cannot be tested by a few examples, so nothing here is an example. A *scenario* is a
// workspace with a history, and one command on it (scenario.h). Each campaign runs that command again and again from
// the same prepared workspace, and something else goes wrong each time:
//
//   fault_sweep    The 1st system call dies, the 2nd, the 3rd … until a run passes untouched; then the 1st fails,
//                  the 2nd, the 3rd … with each error that a disk has. A call that is added to the write path
//                  tomorrow is tested tomorrow: nobody keeps a list of places. (SQLite tests itself this way:
//                  do_faultsim_test.)
//   random_kills   SIGKILL at a random call, or after a random time, in the middle of whatever is going on then.
//                  One time in four the process that repairs is killed as well.
//   stranger       Another tool rewrites the file at the 1st call, the 2nd, the 3rd …, and the command is killed
//                  soon after, or not.
//   power_cut      One run is recorded: each write with its bytes, each new name, each sync (recorder.h). For every
//                  moment of the recording the disks are made that a power cut could have left there (disk.h): what
//                  was not synced may be there, be gone, or be there in part.
//
// The seam is the system call, by ptrace (base/traced_process.h): it lies under SQLite and under pawl's file layer
// alike, and the binary that is tested is the one that ships. There is no code in pawl for these tests.
//
// After every fault the workspace is judged by fresh processes of the same binary (judge.h). Their answers must be,
// to the letter, those of a workspace on which the command never ran, or of one on which it ran untouched: a mixture
// is neither. The command's own end counts too: exit 0 is an acknowledgement, and then only "after" will do; an end by
// a signal that we did not send, or an exit code that is not in DESIGN.md, is a breach whatever the state.
//
// That the campaigns can fail at all is tested in tests/crash_test.cc.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace pawl::crash {

// A point at which the promise did not hold.
struct Breach {
  std::string point;  // "set/EIO/37": what --only takes
  std::string what;
};

// One row of the table that is printed.
struct Tally {
  std::string scenario;
  std::string fault;
  long points = 0;  // moments at which something went wrong
  long before = 0;  // of these, how often the state before was found
  long after = 0;   // … and the state after
  double seconds = 0;
  std::vector<Breach> breaches;
};

class StopWatch {
 public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace pawl::crash

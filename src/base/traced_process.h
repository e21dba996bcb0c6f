// A program run one system call at a time: before each call somebody decides whether it is made, fails, is
// cut short, or is the last thing that the program ever tries.
//
// The border between a program and the kernel lies under SQLite and under our own file layer alike, so neither
// needs a seam of its own, and what is examined is the program as it ships. `tests/crash` drives pawl this way
// through every failure that a machine has; `pawl tour` uses it to die between two writes in front of a user.
//
//   exec ──> stopped ──> entering(call) ──> the kernel acts ──> left(call) ──> entering(next call) …
//                             │
//                             ├── kill: the process is gone; the call was not made
//                             ├── answer: the call is not made, the program is told this; fail: … is told -errno
//                             ├── fail_late: the call is made, the program is told -errno all the same
//                             └── shorten: the kernel is given a smaller count, and really writes less
//
// What holds:
//   1. every thread of the program is followed; a program that it starts is not;
//   2. while a callback runs, the calling thread stands still, and its memory can be read;
//   3. if we die, so does the program: nothing is left behind stopped.
// Reading a call is the same on every architecture; changing one is not. That part is the few lines at the head of
// traced_process.cc, for x86-64; on others run_traced answers `unavailable` until those lines are added.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct SystemCall {
  pid_t thread = 0;
  long number = 0;  // SYS_openat, …
  std::array<std::uint64_t, 6> args{};
  std::int64_t result = 0;  // in left(): what the program is told; an error is -errno
};

// What becomes of a call that is about to be made.
struct CallVerdict {
  enum class Kind { proceed, kill, answer, fail_late, shorten };
  Kind kind = Kind::proceed;
  std::int64_t told = 0;    // answer, fail_late: the result
  std::uint64_t count = 0;  // shorten: the third argument, which is the count of read, write, pread64 and pwrite64

  [[nodiscard]] static CallVerdict proceed() { return {}; }
  [[nodiscard]] static CallVerdict kill() { return {Kind::kill, 0, 0}; }
  [[nodiscard]] static CallVerdict answer(std::int64_t told) { return {Kind::answer, told, 0}; }
  [[nodiscard]] static CallVerdict fail(int error) { return {Kind::answer, -error, 0}; }
  [[nodiscard]] static CallVerdict fail_late(int error) { return {Kind::fail_late, -error, 0}; }
  [[nodiscard]] static CallVerdict shorten(std::uint64_t count) { return {Kind::shorten, 0, count}; }
};

// Either may be empty; without both the program runs at full speed. After a kill neither is called again.
struct CallWatch {
  std::function<CallVerdict(const SystemCall&)> entering;
  std::function<void(const SystemCall&)> left;
};

struct TracedCommand {
  std::vector<std::string> arguments;    // the first is the program's path; PATH is not searched
  std::vector<std::string> environment;  // all of it: NAME=value
  std::string folder;                    // where it runs; empty: where we are
  std::chrono::microseconds limit{0};    // SIGKILL ends it after this long; 0: it may take for ever
};

struct TracedExit {
  std::optional<int> code;  // nothing when a signal ended it
  int signal = 0;           // the one that did
  std::string out;
  std::string err;
};

// Runs the program to its end. not_found: there is no such program. unavailable: this machine forbids tracing.
[[nodiscard]] Result<TracedExit> run_traced(const TracedCommand& command, const CallWatch& watch);

// The program's memory, for callbacks; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_traced(pid_t thread, std::uint64_t address, std::size_t size);
[[nodiscard]] std::optional<std::string> read_traced_text(pid_t thread, std::uint64_t address);  // up to its NUL

}  // namespace pawl

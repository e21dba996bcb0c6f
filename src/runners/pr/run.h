// `pawl pr run`: all that is pending on a pull request, one task after the other, and then once more for what came
// meanwhile. It may be killed at any moment; the next run, anywhere, finishes what is left.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signals.h"
#include "runners/pr/worker.h"

namespace pawl {

inline constexpr std::size_t kMostOfAnAnswer = std::size_t{8} << 20U;  // of an agent's, in bytes

struct PrRun {
  pr::Event event;
  std::string agent;          // a shell's command
  std::int64_t limit_ms = 0;  // for one task
  std::string folder;         // where the agent works; "": here
  bool dry_run = false;
};

struct PrStreams {
  std::function<void(std::string_view)> live;  // what the agent prints on stderr
  std::function<void(std::string_view)> tell;  // what becomes of it
  std::function<void()> stopped = [] {};       // the run is to end: from now on nothing is waited for
};

// A finding that is open at the end, for those who show it elsewhere.
struct OpenFinding {
  std::string path;
  std::int64_t line = 0;
  std::string finding;
  std::int64_t score = 0;
  bool blocking = false;  // by the gate: of an automatic review, and grave
  bool lost = false;      // its comment is gone, or says it no more
};

// What another run of this machine is at, which says what comes of it.
struct HeldTask {
  std::string id;
  std::string by;  // the claim's own words
  bool automatic = false;
  [[nodiscard]] std::string text() const { return "another run is at it (" + by + ")"; }
};

struct PrRan {
  std::vector<TaskResult> results;
  std::vector<HeldTask> held;
  std::vector<OpenFinding> open;
  Json plan;
  std::int64_t gate = 0;       // open findings that keep the pull request from being merged
  std::int64_t asked_for = 0;  // blocking findings of a review that somebody asked for
  std::int64_t overtaken = 0;  // tasks that were begun and were not pending any more when there was an answer
  bool review_completed = false;
  bool unreviewed = false;  // an automatic review of the head is still pending
  int stop_signal = 0;

  [[nodiscard]] bool failed() const;
  [[nodiscard]] std::int64_t issues() const;
  [[nodiscard]] std::int64_t blocking() const;
  [[nodiscard]] std::string why_unreviewed() const;
  // 1: a task failed, blocking findings of an automatic review are open, or the head waits for one.
  [[nodiscard]] int exit_code() const;
};
[[nodiscard]] Json to_json(const PrRan& ran);  // the seed's ExecutionResult

[[nodiscard]] Result<PrRan> run_pr(Engine& engine, const Request& request, PrWorker& worker, const PrRun& run,
                                   const PrStreams& streams, StopSignals& stop);

// A shell's command with its task on stdin; what it printed. The error says how it failed.
[[nodiscard]] Result<std::string> ask_agent(const std::string& command, const Json& task,
                                            const std::vector<std::string>& environment, const std::string& folder,
                                            std::int64_t limit_ms, const PrStreams& streams, StopSignals& stop,
                                            int* stop_signal);

}  // namespace pawl

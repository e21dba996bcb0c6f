// Follows one run until it ends, and says so in its status: by signal file, complete marker, error marker, session
// gone.
//
// The recorder (runners/issue/recorder.h) sees every byte; the watcher sleeps in the kernel until the recorder has put
// something down, a file has changed beside the statuses, or the recorder has ended. Killed at any moment and started
// again it goes on: what it goes by is in files and in the store. Of two watchers of one run the second waits behind
// the first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/engine.h"
#include "runners/issue/sight.h"

namespace pawl {

struct WatchOptions {
  Request request;
  std::string self;              // the binary, for a recorder
  std::int64_t timeout_ms = -1;  // -1: as long as it takes
};

struct WatchEnd {
  Record record;
  bool timed_out = false;
};

// not_found: the issue has no status, so nothing is under way. Where it has ended before, that is the answer.
[[nodiscard]] Result<WatchEnd> watch_issue(Engine& engine, std::int64_t number, const WatchOptions& options);

// A watcher that goes on when this process and its terminal are gone; it is at work when this returns.
[[nodiscard]] Done start_watcher(Engine& engine, std::int64_t number, const std::string& self);

}  // namespace pawl

// Following what happens: new events, also other processes', and changes in files. It sleeps in the kernel until
// something in the store's folder or in a watched folder changes; at rest it costs nothing.
#pragma once

#include <functional>
#include <set>

#include "engine/engine.h"

namespace pawl {

// Waits until something may have changed.
class ChangeWaiter {
 public:
  static Result<ChangeWaiter> open(const Engine& engine);
  enum class Woken { change, time, nobody_reads };
  // At most `timeout_ms`; -1 waits for ever. `reader` is what the news go into: it ends where nobody reads that.
  Result<Woken> wait(const Engine& engine, int timeout_ms, int reader = -1);

 private:
  Fd fd_;
  // Folders come and go; before each wait those that exist now are watched.
  Result<bool> watch_folders(const Engine& engine);
  std::set<int> watches_;
};

// Calls `tell` for each event after `since`, in order, until it returns false. Changes in files are taken over as
// they come. It ends too where nobody reads `reader` any more. `waiter` was opened before `since` was read.
[[nodiscard]] Done follow(Engine& engine, ChangeWaiter& waiter, std::int64_t since,
                          const std::function<bool(const Event&, const Operation&)>& tell, int reader = -1);

}  // namespace pawl

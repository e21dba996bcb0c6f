// One record taken back to where it stood before an operation.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/view.h"

namespace pawl {

// Nothing but bookkeeping, and nothing done to the world with it.
[[nodiscard]] Result<bool> is_bookkeeping(const Engine& engine, Transaction& store, const Operation& operation);

// What one operation did to one record, oldest first: what is found in two files that show it are two events. Never
// empty.
using EventsOfOne = std::vector<const Event*>;
// The newest first, as they are taken back; they point into `events`, which are in the order in which they happened.
[[nodiscard]] std::vector<EventsOfOne> by_record(const std::vector<Event>& events);

struct TakenBack {
  Change change;
  Json members = Json::array();  // that come back with it, as they were written (MirrorFormat::with_members)
  std::string replaced = {};     // the whole file that comes back with it (engine/replaced.h); "": none
};

// A conflict where something came after that stands on it.
[[nodiscard]] Result<TakenBack> take_back(const Engine& engine, const View& view, const EventsOfOne& events,
                                          const Operation& operation);

}  // namespace pawl

// Where everything stands that pawl knows of, for whoever looks at all of it at once: the board, and the doctor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "core/lifecycle.h"
#include "engine/view.h"

namespace pawl {

struct Placed {
  Record record;
  Stand stand;
  std::int64_t heard_ms = 0;  // when something last happened to it
  bool unverified = false;    // its last move was made without what the move needs
  bool stale = false;         // a session's, under way, and nobody has been in it for a day
  std::string worker;         // who holds a claim on it
};

// All but those that are a part of another, by kind and rank; a part moves the bar of what it is a part of.
// Documents that were not needed to say so are left in the store.
[[nodiscard]] Result<std::vector<Placed>> placed(const View& view, const Lifecycles& lifecycles, const Now& now);
// Loads the record whole, for whoever shows more of it than where it stands.
[[nodiscard]] Done complete(const View& view, const Lifecycles& lifecycles, Placed& row);

}  // namespace pawl

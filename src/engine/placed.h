// Where everything stands that pawl knows of, for whoever looks at all of it at once: the board, and the doctor.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/lifecycle.h"
#include "engine/view.h"

namespace pawl {

struct Placed {
  Record record;
  Stand stand;
  std::string headline;       // where more is known than its lifecycle's says; else ""
  std::int64_t heard_ms = 0;  // when something last happened to it
  bool unverified = false;    // its last move was made without what the move needs
  bool to_verify = false;     // and what to type is what shows it after all
  bool stale = false;         // under way, and nobody has been in it for as long as its lifecycle allows
  std::string worker;         // who holds a claim on it
  std::string gone;           // who was at work on it as a process, and died
  std::string order;          // sorts in place of the rank, where a closer knows better
};

// How many of a kind stand where.
using PlaceCounts = std::array<std::size_t, kBoardPlaces>;
struct KindCounts {
  std::string_view kind;
  PlaceCounts count{};
  std::size_t aside = 0;  // of those that have ended, how many went from sight with their list
};

struct Survey {
  std::vector<Placed> rows;  // by kind and rank
  std::vector<KindCounts> kinds;
};

// Puts a row elsewhere by what the engine does not know (whether a process lives, what a list waits for). The record
// may have its document in the store yet; nothing is listed by it.
using Closer = std::function<Done(const Record& record, Placed& row)>;

// All but those that are a part of another, or of a list that was set aside; a part moves the bar of what it is a part
// of. Of each kind and place no more rows are made than `most` says, and those that rank with the last of them: a board
// counts hundreds that have ended or are next, and shows a few. Documents that were not needed to say so are left in
// the store.
[[nodiscard]] Result<Survey> survey(
    const View& view, const Lifecycles& lifecycles, const Now& now, const PlaceCounts& most,
    const Closer& closer = [](const Record&, Placed&) { return done(); });
// Loads the record whole, for whoever shows more of it than where it stands.
[[nodiscard]] Done complete(const View& view, const Lifecycles& lifecycles, Placed& row);

}  // namespace pawl

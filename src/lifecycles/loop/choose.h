// Which loop a session means when it says "the loop". Its own, and nobody else's: state of one session never drives
// another. Somebody without a session drives one of nobody's, and may look at and end the only one
// there is.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/machine.h"
#include "core/record.h"

namespace pawl::loop {

enum class Purpose {
  drive,  // go on with it, or write something down of it: a verdict, a reminder
  stop,   // end it: also one of nobody's
  look,   // show it: the newest end where none is under way
  take,   // one that is not the session's own
};

// The one that is meant; `session` "" for none. `loops` may hold what is set aside, too: that is meant only where it is
// named, as `pawl status` calls it: by its key or by its session, with or without the kind ("ralph/s1").
[[nodiscard]] Result<Record> choose(const Machine& machine, std::span<const Record> loops, std::string_view session,
                                    Purpose purpose, std::string_view name = {});

// All that may hold the session, for ending them: its own that are under way, set aside or not, else the one that is
// meant. With a name what is called so, whoever's it is: of several that are nobody's no session tells which.
[[nodiscard]] Result<std::vector<Record>> choose_all(const Machine& machine, std::span<const Record> loops,
                                                     std::string_view session, std::string_view name = {});

}  // namespace pawl::loop

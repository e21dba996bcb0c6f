// Which loop a session means when it says "the loop". Its own, and nobody else's: state of one session never drives
// another. Somebody without a session, at a terminal, means the only one there is.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "core/machine.h"
#include "core/record.h"

namespace pawl::loop {

enum class Purpose {
  drive,  // go on with it
  stop,   // end it: also one of nobody's
  look,   // show it: the newest end where none is under way
  take,   // one that is not the session's own
};

// The one that is meant; `session` "" for a terminal.
[[nodiscard]] Result<Record> choose(const Machine& machine, std::span<const Record> loops, std::string_view session,
                                    Purpose purpose);

}  // namespace pawl::loop

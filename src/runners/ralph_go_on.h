// Which loop a run goes on with: one that is under way, and is what was asked for. And whether a run has one in hand.
#pragma once

#include <optional>
#include <vector>

#include "engine/view.h"
#include "runners/loop_check.h"
#include "runners/ralph_runner.h"

namespace pawl {

// One that is under way is somebody else's: whoever means it is told how to say so.
[[nodiscard]] tl::unexpected<Error> nothing_to_go_on_with(Engine& engine, const RalphRun& run,
                                                          const std::vector<Record>& loops, const Record* ended);
// What was asked for beside going on.
[[nodiscard]] Done must_be_the_same(const RalphRun& run, const Record& loop);

// What checks it belongs to the loop: an interruption does not get around it, and --verify gives it another. untrusted:
// it was not given here; not_found: it is known that it cannot be run.
[[nodiscard]] Result<std::optional<LoopCheck>> check_to_go_on_with(Engine& engine, const RalphRun& run,
                                                                   const Record& loop);

// The run that drives it, if one does.
[[nodiscard]] Result<std::optional<Claim>> driven_by(const View& view, const Record& current, const Now& now);
// conflict, with what can be done all the same.
[[nodiscard]] tl::unexpected<Error> driven_already(const RecordId& loop, std::string_view driver);
// Whoever drives it counts: an iteration is not counted twice.
[[nodiscard]] Done must_not_be_counted(const View& view, const Record& current, const Now& now);

}  // namespace pawl

// The end of a run: its verdict in the status and in what is known of the run, as one commit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"

namespace pawl {

// Ends the run as the verdict says, in its status and in what is known of it at once; unless it has ended otherwise
// meanwhile, or the issue is run anew. Returns the record as it then stands. A run without an id: of a session that is
// known by its status alone.
[[nodiscard]] Result<Record> conclude(Engine& engine, const Request& request, const issue::Run& run,
                                      const issue::Verdict& verdict);

// The same where somebody ends a run that is under way: an error, "Stopped".
[[nodiscard]] Result<Record> conclude_stopped(Engine& engine, const Request& request, const Record& record,
                                              const std::optional<issue::Run>& known);

}  // namespace pawl

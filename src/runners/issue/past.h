// Whether what is known of a run is about what a status says that says running. A status can be set by everybody, also
// long after the run that is known has ended: what that one printed does not decide another one.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"
#include "runners/issue/run_book.h"

namespace pawl {

// A word in a status does not cut a run off from its session: while somebody watches it, it is the one.
[[nodiscard]] Result<bool> is_about(Transaction& store, const RunBook& book, const std::optional<issue::Run>& run,
                                    const Record& record);
[[nodiscard]] Result<bool> is_about(Engine& engine, const std::optional<issue::Run>& run, const Record& record);

}  // namespace pawl

// Taking over a session that somebody else has started: a script's, or that of a run which has ended and whose agent
// goes on.
#pragma once

#include <string>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"

namespace pawl {

// The run that the status speaks of, as far as it is known; its output is kept from now on. conflict: the session of
// that name is another run's, or another project's.
[[nodiscard]] Result<issue::Run> adopt_session(Engine& engine, const Record& record, const std::string& self);

}  // namespace pawl

// A run's command is run again by `pawl issue resume`: so it carries a seal (runners/users_seal.h).
#pragma once

#include <string>

#include "lifecycles/issue/run.h"

namespace pawl {

// "" where no secret can be kept (no home folder); what is so sealed is not obeyed later.
[[nodiscard]] std::string seal_of(const issue::Run& run);
[[nodiscard]] bool is_sealed_here(const issue::Run& run);

}  // namespace pawl

// A run's command is run again by `pawl issue resume`. A store can come with a clone, and what stands in it is then the
// word of a stranger: so a run carries a seal, made with a secret that is kept outside of every project.
#pragma once

#include <string>

#include "lifecycle/issue/run.h"

namespace pawl {

// "" where no secret can be kept (no home folder); what is so sealed is not obeyed later.
[[nodiscard]] std::string seal_of(const issue::Run& run);
[[nodiscard]] bool is_sealed_here(const issue::Run& run);

}  // namespace pawl

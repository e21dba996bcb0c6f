// What git says about the branch that a story is worked on: the facts of the gate `criteria`
// (lifecycle/story/gates.h).
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl {

// The branch's commit, and what is not committed in the folder where it is checked out. `branch` empty: whatever is
// checked out in the repository. `ours`: files that pawl and its tools write, relative to the repository.
[[nodiscard]] Result<Json> story_branch_facts(const std::string& repository, const std::string& branch,
                                              const std::vector<std::string>& ours);

}  // namespace pawl

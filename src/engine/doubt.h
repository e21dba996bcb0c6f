// What a record came to its status without: `gates = "record"` let the move through, or a person accepted it. A mark
// that stands for one thing does not go by another being shown.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/machine.h"
#include "engine/view.h"
#include "store/store.h"

namespace pawl {

// The gates that were missing and that nothing has shown since; none where it came verified, or where that is too long
// ago to be told.
[[nodiscard]] Result<std::vector<std::string>> doubted_gates(Transaction& store, const RecordId& id);

// Did it come to the status that it has, or had then, without what that needs?
[[nodiscard]] Result<bool> came_unverified(const View& view, const Machine& machine, const Record& record);

}  // namespace pawl

// Undo for mirrors that go through the merge. Undo is a merge as well: it puts back every cell that the operation
// changed, and is refused if a later change is on one of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace pawl {

// What undoing an operation does to one record. `events`: those of the operation about it, oldest first.
[[nodiscard]] Result<Change> revert_record(const View& view, const std::vector<const Event*>& events);

// The paths of the mirrors that an operation opened or closed conflicts of.
[[nodiscard]] Result<std::set<std::string>> mirrors_of(Transaction& store, std::int64_t operation);

// What it does to the mirrors that a command looks at, and to conflicts: files whose newest version is the operation's
// get the version before it to the byte; conflicts that it opened are closed, and those that it closed are open again.
// `by`: the operation that undoes it.
Done revert_mirrors(Snapshot& snapshot, Transaction& store, std::int64_t operation, std::int64_t by);

}  // namespace pawl

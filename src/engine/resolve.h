// A person resolves conflicts of a mirror: takes the outside change after all, or keeps what pawl knows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

// A mirror, and perhaps one of its records, or one conflict.
struct ConflictTarget {
  MirrorFile file;
  std::optional<RecordId> record = {};
  std::int64_t conflict = 0;
};
// What somebody typed, a path or the reference of a record; nullopt: it is of no file that goes through the merge.
[[nodiscard]] Result<std::optional<ConflictTarget>> conflict_target(Engine& engine, const std::string& typed);

// The open conflicts that a target names.
[[nodiscard]] Result<std::vector<StoredConflict>> open_conflicts(const View& view, const ConflictTarget& target);

// Takes all of them, or none. Returns the operation.
[[nodiscard]] Result<std::int64_t> accept_conflicts(Engine& engine, Request request, const ConflictTarget& target);
// Closes all of them, and writes what pawl knows.
[[nodiscard]] Result<std::int64_t> restore_mirror(Engine& engine, const Request& request, const ConflictTarget& target);

}  // namespace pawl

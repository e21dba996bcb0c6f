// Writing files: the road of engine/mirror.h, step by step. All of it happens under the store's gate.
#pragma once

#include "engine/absorb.h"

namespace pawl {

// What the file and its row are to become, from the newest records. Sets bytes, write_file, write_row.
// `only_in_files`: records that files show and the store does not have, as they stand there.
[[nodiscard]] Done plan_bytes(const MirrorWorld& world, const View& view, PlannedFile& planned,
                              const std::map<RecordId, Record>& only_in_files, std::int64_t now_ms, bool undoing);

// Makes tmp/S, synced, and fills in the row. Fails, with nothing changed, when the file could not be written later.
[[nodiscard]] Done stage_file(const MirrorWorld& world, PlannedFile& planned, const std::string& head,
                              const std::string& staged);

// Removes what waits for the file under this name.
void unstage_file(const MirrorWorld& world, const std::string& path, const std::string& staged);
// Did stage_file make a tmp/S for it? (The row of a file that waits may name what an earlier command displaced.)
[[nodiscard]] inline bool is_staged(const PlannedFile& planned) {
  return !planned.row.staged.empty() && !is_on_hold(planned.row.state);
}

enum class Moved {
  done,
  displaced_edit,  // somebody wrote in between; look again
};
[[nodiscard]] Result<Moved> move_into_place(const MirrorWorld& world, const PlannedFile& planned);

// What another program wrote in the moment of an exchange, and is too large to be read: kept aside as it is. Returns
// where.
[[nodiscard]] Result<std::string> keep_displaced(const MirrorWorld& world, const Sighting& seen, std::int64_t now_ms);

// Names under tmp/ that no row knows were never committed; they go. Those that a row knows are returned as files to
// look at.
[[nodiscard]] Result<std::vector<MirrorFile>> left_behind(const MirrorWorld& world, Transaction& store);

}  // namespace pawl

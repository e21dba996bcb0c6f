// A file that git changed, or that has conflict markers in it, is left to whoever merges; until what it showed has
// ended.
#pragma once

#include "engine/absorb.h"

namespace pawl {

// Of a file that shows one of several at a time: has what it showed ended, so that no file is to be left?
[[nodiscard]] Result<bool> ends_here(const View& view, const PlannedFile& planned);

// Then there is nothing that git's version could be merged with: it goes too, and is kept aside.
[[nodiscard]] Done remove_gits(const MirrorWorld& world, PlannedFile& planned, std::int64_t now_ms);

// What has ended and would be under way again by the file that git brought. It does not come back, so such a file can
// not be taken, and nobody is told to.
[[nodiscard]] Result<std::optional<RecordId>> ended_before(const View& view, const Sighting& seen);

}  // namespace pawl

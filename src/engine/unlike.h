// A file that is as pawl left it, and does not say what pawl knows. Nobody else has touched it, so it is a fault of
// pawl's own, of this version or of an earlier one, and no look at what changed finds it: what stands there would come
// in with the next edit, as if somebody had written it.
#pragma once

#include <optional>

#include "engine/behind.h"

namespace pawl {

// Nothing where it says what is recorded, or where it is not as it was left: then the next look finds that. `view` is
// of what is recorded, with nothing laid over it. Reads the whole file.
[[nodiscard]] Result<std::optional<Trouble>> unlike_its_records(const MirrorWorld& world, const View& view,
                                                                const Sighting& seen);

}  // namespace pawl

// Where a file that is a symbolic link led when pawl last saw it as it should be. A link may have come with somebody's
// clone, or be turned to another file: what it leads to is mended, and so written over, only where it is the very file
// that pawl knew by this name. A store that came with a clone cannot say so: the folder is told by its numbers on this
// machine's disk.
#pragma once

#include <string>

#include "base/place.h"
#include "store/store.h"

namespace pawl {

// With the row that says what stands there.
[[nodiscard]] Done keep_led_to(Transaction& store, const std::string& path, const Place& place);
[[nodiscard]] Result<bool> leads_as_before(Transaction& store, const std::string& path, const Place& place);

}  // namespace pawl

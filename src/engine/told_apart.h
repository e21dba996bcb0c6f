// What to type about a record of which the key alone does not say which it is: two lists may have one story id.
#pragma once

#include <string>

#include "engine/view.h"

namespace pawl {

// Names its file where another open record of its kind has the same key. One lookup by key, and only for kinds whose
// files may have that.
[[nodiscard]] Result<std::string> told_apart(const View& view, const Lifecycles& lifecycles, const RecordId& id,
                                             std::string advice);

}  // namespace pawl

// Every lifecycle that pawl knows, one row each. To add one: a folder beside this file, a row here, its verbs.
#pragma once

#include "core/lifecycle.h"

namespace pawl {

[[nodiscard]] const Lifecycles& builtin_lifecycles();
// Those of the user's own store: what all projects share.
[[nodiscard]] const Lifecycles& users_lifecycles();

}  // namespace pawl

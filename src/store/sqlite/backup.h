// A copy of a moment, under a name that nothing had.
#pragma once

#include <string>

#include "store/sqlite/connection.h"

namespace pawl::sqlite {

// already_exists: there is something at `target`; it is left alone. What stands there afterwards is whole and synced.
[[nodiscard]] Done copy_database(Connection& from, const std::string& target);

}  // namespace pawl::sqlite

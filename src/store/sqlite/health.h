// Is the database sound, and does what it says of the present follow from what it says of the past?
#pragma once

#include "store/sqlite/connection.h"
#include "store/store.h"

namespace pawl::sqlite {

[[nodiscard]] Result<StoreHealth> check_database(Connection& connection);

}  // namespace pawl::sqlite

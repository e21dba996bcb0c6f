// Is the database sound, and does what it says of the present follow from what it says of the past?
#pragma once

#include "store/sqlite/connection.h"
#include "store/store.h"

namespace pawl::sqlite {

[[nodiscard]] Result<StoreHealth> check_database(const std::shared_ptr<Connection>& connection);

}  // namespace pawl::sqlite

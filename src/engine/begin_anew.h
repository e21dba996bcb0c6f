// The database is set aside, under a name that says why, for a new one to be begun from the files.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

class Engine;

// `why` begins the name: "damaged", "left". Returns its path; empty where there was none.
[[nodiscard]] Result<std::string> set_database_aside(Engine& engine, std::string_view why);

}  // namespace pawl

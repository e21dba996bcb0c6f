// The database is set aside, under a name that says why, for a new one to be begun from the files.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

class Engine;
struct Workspace;

// Which file the database is: whoever judges it looks first, as another process may begin anew meanwhile. (One that was
// set aside is still there, so no other has its number.)
struct DatabaseFile {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const DatabaseFile&) const = default;
};
[[nodiscard]] std::optional<DatabaseFile> database_file(const Workspace& workspace);

// `why` begins the name: "damaged", "left". Returns its path; nothing where another process was first: none stands
// there any more, or another one than was judged.
[[nodiscard]] Result<std::optional<std::string>> set_database_aside(Engine& engine, std::string_view why,
                                                                    const std::optional<DatabaseFile>& judged);

}  // namespace pawl

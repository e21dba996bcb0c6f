// The default store: one SQLite file that anybody can open with the tools they have.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "store/store.h"

namespace pawl {

// From one version of the schema to the next; run inside one transaction, after a copy was made.
struct Migration {
  int from_version;
  std::string_view sql;
};

struct SqliteOptions {
  std::string folder;      // holds pawl.db, its journal and the gate
  bool create = false;     // make the folder's database where there is none
  bool read_only = false;  // never writes, not even to roll back what another process left
  std::int64_t busy_ms = 10'000;
  bool one_shot = false;  // the process ends with this store: its memory is left to the system, all at once
  std::function<void(std::string)> note;       // told what a user should know: a migration and the name of its copy
  std::span<const Migration> migrations = {};  // tests hand in their own; empty means the built-in ones
  int version = 0;                             // with `migrations`: the version that they lead to
};

// The version of the schema that this pawl writes.
[[nodiscard]] int sqlite_schema_version();

// The gate of a store that cannot be opened: whoever moves its files away holds it meanwhile.
[[nodiscard]] Result<std::unique_ptr<Gate>> take_sqlite_gate(const std::string& folder, std::int64_t busy_ms);

// not_found: no database there, and `create` not set. A database of a newer pawl is refused and not touched.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite(const SqliteOptions& options);

}  // namespace pawl

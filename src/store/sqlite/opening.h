// From a folder to a connection that may be used: what is there is looked at, and made, brought up to this version
// or refused.
#pragma once

#include <memory>
#include <string>

#include "store/sqlite/connection.h"
#include "store/sqlite/gate.h"
#include "store/sqlite/private_copy.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::sqlite {

inline constexpr const char* kFileName = "/pawl.db";
inline constexpr const char* kGateName = "/gate";

struct Opened {
  std::shared_ptr<Connection> connection;
  std::unique_ptr<PrivateCopy> copy;  // what is open instead, when the real one cannot be read without writing
};

[[nodiscard]] Result<Opened> open_database(const SqliteOptions& options, GateFile& gate);

// Creates or migrates as needed, under the gate. Run when a transaction finds another version than the file's first
// bytes told: an interrupted creation that SQLite has just taken back, or somebody else's migration.
// busy: a worker of 0.1.0 holds a claim.
[[nodiscard]] Done settle(const std::shared_ptr<Connection>& connection, const SqliteOptions& options, GateFile& gate,
                          bool lived_before = true);

}  // namespace pawl::sqlite

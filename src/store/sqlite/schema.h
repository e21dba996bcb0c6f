// The tables, and how an older database becomes one of this version.
//
//   operation <──operation── event <──event── record       a record points at its newest event, and each
//                            │   ^                         event at the one before it of the same record:
//                            └───┘ previous                its history is a chain
//
// Why it is so:
// - A record's document stands once, in its newest event. Writing a move writes it once, listing ranks does
//   not read it, and a record cannot disagree with its history about it.
// - History is a chain and not an index: one b-tree less to write in every commit. What people ask for is
//   recent, and so near the chain's end.
// - Events are numbered in the order of their operations, so those of one operation are found by bisection.
// - One index serves every listing: (kind, scope, aside, status, rank, key). What a query leaves open is
//   walked group by group, each a seek; there are few groups.
// - `status` NULL is an absent record; '' is a held one.
// - A mirror's bytes stand in its row while they are short; else in `part`, a row for about a page of the file,
//   so that a small edit in a long file writes one of them. `size` is then their length, else 0.
// - An image's number is its mirror's times 2^32 and a count: no index is needed to find those of one path. A long one
//   is the difference to the next newer image of the path, the newest the difference to the mirror's bytes.
// - An open conflict has a row in `kept` that points at it.
// - An effect's number is its operation's times 10,000 and a count: no index is needed to find those of one.
// - Claims are few and come and go: they stand in `kept`, as JSON. A table of their own would cost every command
//   the parsing of it.
#pragma once

#include <cstdint>
#include <span>

#include "store/sqlite/connection.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::sqlite {

inline constexpr std::int32_t kApplicationId = 0x7061776C;  // "pawl"
inline constexpr int kSchemaVersion = 2;
// Small, as a move changes a few bytes in a handful of pages, and each is checksummed, written and synced whole.
inline constexpr std::size_t kPageSize = 2048;
// Longer bytes of a file stand in `part` (mirrors.cc), or as a difference (images.cc).
inline constexpr std::size_t kInline = kPageSize * 7 / 10;

// Which version a store is to have, and the steps that lead there.
struct Target {
  int version;
  std::span<const Migration> migrations;
};
[[nodiscard]] Target target_of(const SqliteOptions& options);

// Makes the tables in an empty database. In one transaction: killed at any moment it is empty or whole.
// `lived_before`: a store was here and is gone. Tokens of its claims may still be in somebody's hands, so counting goes
// on above all that it can have given.
[[nodiscard]] Done create_schema(Connection& connection, const Target& target, bool lived_before);

// Whether it has nothing but tables of which each column was written: no views, no triggers, nothing computed.
[[nodiscard]] Result<bool> has_plain_tables(Connection& connection);

// corruption: no steps lead from there to the target.
[[nodiscard]] Done can_migrate(const std::string& path, std::int64_t version, const Target& target);

// Runs the steps from `version` to the target, in one transaction.
[[nodiscard]] Done migrate(Connection& connection, int version, const Target& target);

[[nodiscard]] Error newer_store(const std::string& path, std::int64_t version, int known);

}  // namespace pawl::sqlite

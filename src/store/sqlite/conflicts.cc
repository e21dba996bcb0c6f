// Outside changes that were not taken. Open ones are looked at by every command, and are few: each has a row in `kept`
// that points at it, so that no index has to be parsed at every start.
#include <algorithm>

#include "base/text.h"
#include "store/sqlite/checksum.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

Result<StoredConflict> read_conflict(const Statement& row) {
  PAWL_TRY(check_conflict(row));
  StoredConflict conflict;
  conflict.id = row.integer(0);
  conflict.cell.path = row.text(1);
  conflict.cell.record = {row.text(2), row.text(3), row.text(4)};
  conflict.cell.member = row.text(5);
  conflict.code = row.text(6);
  conflict.ours = row.maybe_text(7);
  conflict.theirs = row.maybe_text(8);
  conflict.group = row.text(9);
  conflict.image = row.integer(10);
  conflict.in_file = row.integer(11) != 0;
  conflict.actor = row.text(12);
  conflict.opened = row.integer(13);
  conflict.closed = row.integer(14);
  conflict.why_closed = row.text(15);
  return conflict;
}

bool matches(const StoredConflict& conflict, const ConflictQuery& query) {
  return (!query.open_only || conflict.closed == 0) && (!query.path || conflict.cell.path == *query.path) &&
         (!query.record || conflict.cell.record == *query.record) &&
         (!query.operation || conflict.opened == *query.operation || conflict.closed == *query.operation);
}

}  // namespace

Result<std::vector<StoredConflict>> SqliteTransaction::conflicts(const ConflictQuery& query) {
  std::vector<StoredConflict> found;
  PAWL_ASSIGN(Statement rows, use(query.open_only ? Sql::open_conflicts : Sql::conflicts));
  if (query.open_only) rows.bind(kConflictNames, kAboveConflictNames);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    PAWL_ASSIGN(StoredConflict conflict, read_conflict(rows));
    if (matches(conflict, query)) found.push_back(std::move(conflict));
  }
}

Result<std::optional<StoredConflict>> SqliteTransaction::conflict(std::int64_t id) {
  PAWL_ASSIGN(Statement row, use(Sql::conflict));
  PAWL_ASSIGN(const bool found, row.bind(id).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(StoredConflict conflict, read_conflict(row));
  return conflict;
}

Result<std::int64_t> SqliteTransaction::write_conflict(const StoredConflict& given, const Committed& committed) {
  StoredConflict conflict = given;
  conflict.image = made(given.image, committed.images);
  conflict.opened = made(given.opened, committed.operations);
  conflict.closed = made(given.closed, committed.operations);
  if (conflict.id == 0) {
    PAWL_ASSIGN(conflict.id, connection_->ask_integer("SELECT ifnull(max(id),0)+1 FROM conflict"));
  }
  const auto values = [&](const auto& use_them) {
    return use_them(conflict.id, conflict.cell.path, conflict.cell.record.kind, conflict.cell.record.scope,
                    conflict.cell.record.key, conflict.cell.member, conflict.code, conflict.ours, conflict.theirs,
                    conflict.group, conflict.image, conflict.in_file, conflict.actor, conflict.opened, conflict.closed,
                    conflict.why_closed);
  };
  const std::int64_t sum = values([](const auto&... all) { return checksum_of(all...); });
  {
    PAWL_ASSIGN(Statement put, use(Sql::put_conflict));
    PAWL_TRY(values([&](const auto&... all) { return put.bind(all..., sum).run(); }));
  }
  const std::string name = cat(kConflictNames, conflict.id);
  if (conflict.closed == 0) {
    PAWL_TRY(set_own_number(name, conflict.id));
  } else {
    PAWL_ASSIGN(Statement forget, use(Sql::forget));
    PAWL_TRY(forget.bind(name).run());
  }
  return conflict.id;
}

}  // namespace pawl::sqlite

// Claims, effects and small values kept under a name.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

constexpr std::array<std::string_view, 3> kStates = {"intended", "done", "failed"};

std::string_view name_of(EffectState state) { return kStates[static_cast<std::size_t>(state)]; }

Claim read_claim(const Statement& row) {
  Claim claim;
  claim.record = RecordId{row.text(0), row.text(1), row.text(2)};
  claim.worker = row.text(3);
  claim.token = row.integer(4);
  claim.boot_id = row.text(5);
  claim.pid = row.integer(6);
  claim.pid_started = row.integer(7);
  claim.lease_until_ms = row.integer(8);
  claim.granted_ms = row.integer(9);
  return claim;
}

Result<std::vector<Effect>> read_effects(Statement& rows) {
  std::vector<Effect> effects;
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return effects;
    Effect effect;
    effect.id = rows.integer(0);
    effect.operation = rows.integer(1);
    effect.record = RecordId{rows.text(2), rows.text(3), rows.text(4)};
    effect.kind = rows.text(5);
    effect.marker = rows.text(6);
    const std::string where = cat("effect ", effect.id);
    const auto state = std::find(kStates.begin(), kStates.end(), rows.view(7));
    if (state == kStates.end()) {
      return fail(ErrorCode::corruption, cat(where, " has the unknown state \"", rows.view(7), "\" in the store"));
    }
    effect.state = static_cast<EffectState>(state - kStates.begin());
    PAWL_ASSIGN(effect.request, parsed(rows, 8, where));
    PAWL_ASSIGN(effect.result, parsed(rows, 9, where));
    effects.push_back(std::move(effect));
  }
}

}  // namespace

Result<std::vector<Effect>> SqliteTransaction::effects_of(std::int64_t operation) {
  PAWL_ASSIGN(Statement rows, use(Sql::effects_of));
  return read_effects(rows.bind(operation));
}

Result<std::vector<Effect>> SqliteTransaction::effects_in(EffectState state) {
  PAWL_ASSIGN(Statement rows, use(Sql::effects_in));
  return read_effects(rows.bind(name_of(state)));
}

Result<std::int64_t> SqliteTransaction::write_effect(std::int64_t operation, const Effect& effect) {
  const std::optional<std::string> request = stored(effect.request), result = stored(effect.result);
  PAWL_ASSIGN(Statement put, use(Sql::put_effect));
  PAWL_TRY(put.bind(operation, effect.record.kind, effect.record.scope, effect.record.key, effect.kind, effect.marker,
                    name_of(effect.state), request, result)
               .run());
  return sqlite3_last_insert_rowid(connection_->handle());
}

Done SqliteTransaction::end_effect(const Effect& effect) {
  const std::optional<std::string> result = stored(effect.result);
  PAWL_ASSIGN(Statement put, use(Sql::end_effect));
  PAWL_TRY(put.bind(effect.id, name_of(effect.state), result).run());
  if (sqlite3_changes(connection_->handle()) == 0) {
    return fail(ErrorCode::not_found, cat("there is no effect ", effect.id));
  }
  return done();
}

Result<std::optional<Claim>> SqliteTransaction::claim(const RecordId& id) {
  PAWL_ASSIGN(Statement row, use(Sql::claim));
  PAWL_ASSIGN(const bool found, row.bind(id.kind, id.scope, id.key).step());
  if (!found) return std::nullopt;
  return read_claim(row);
}

Result<std::vector<Claim>> SqliteTransaction::claims() {
  std::vector<Claim> claims;
  PAWL_ASSIGN(Statement rows, use(Sql::claims));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return claims;
    claims.push_back(read_claim(rows));
  }
}

Result<Claim> SqliteTransaction::put_claim(const Claim& claim) {
  PAWL_TRY(may_write());
  Claim granted = claim;
  if (granted.token == 0) {
    // Counted apart from the claims, which go: a token is never given twice in the life of a store.
    PAWL_ASSIGN(const std::int64_t last, own_number(kTokenName));
    granted.token = last + 1;
    PAWL_TRY(set_own_number(kTokenName, granted.token));
  }
  PAWL_ASSIGN(Statement put, use(Sql::put_claim));
  PAWL_TRY(put.bind(granted.record.kind, granted.record.scope, granted.record.key, granted.worker, granted.token,
                    granted.boot_id, granted.pid, granted.pid_started, granted.lease_until_ms, granted.granted_ms)
               .run());
  return granted;
}

Done SqliteTransaction::drop_claim(const RecordId& id) {
  PAWL_TRY(may_write());
  PAWL_ASSIGN(Statement drop, use(Sql::drop_claim));
  return drop.bind(id.kind, id.scope, id.key).run();
}

Result<std::optional<std::string>> SqliteTransaction::kept(std::string_view name) {
  PAWL_ASSIGN(Statement row, use(Sql::kept));
  PAWL_ASSIGN(const bool found, row.bind(name).step());
  if (!found) return std::nullopt;
  return row.text(0);
}

Done SqliteTransaction::keep(std::string_view name, std::string_view value) {
  PAWL_TRY(may_write());
  if (name.starts_with(kOwnNames)) {
    return fail(ErrorCode::invalid_argument, cat("names that start with \"", kOwnNames, "\" are the store's own"));
  }
  if (value.empty()) {
    PAWL_ASSIGN(Statement forget, use(Sql::forget));
    return forget.bind(name).run();
  }
  PAWL_ASSIGN(Statement put, use(Sql::keep));
  return put.bind(name, value).run();
}

}  // namespace pawl::sqlite

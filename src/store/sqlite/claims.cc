// Claims, effects and small values kept under a name.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "store/sqlite/held.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

constexpr std::array<std::string_view, 3> kStates = {"intended", "done", "failed"};

std::string_view name_of(EffectState state) { return kStates[static_cast<std::size_t>(state)]; }

// Whatever the three parts contain, two records never have one name.
std::string claim_name(const RecordId& id) {
  return cat(kClaimNames, id.kind.size(), ":", id.kind, id.scope.size(), ":", id.scope, id.key);
}

Json written_claim(const Claim& claim) {
  return {{"kind", claim.record.kind},
          {"scope", claim.record.scope},
          {"key", claim.record.key},
          {"worker", claim.worker},
          {"token", claim.token},
          {"boot_id", claim.process.boot},
          {"pid", claim.process.pid},
          {"pid_started", claim.process.started},
          {"namespaces", claim.process.namespaces},
          {"lease_until_ms", claim.lease_until_ms},
          {"granted_ms", claim.granted_ms},
          {"lock", claim.lock}};
}

Result<Claim> read_claim(const Statement& row, int column) {
  PAWL_ASSIGN(const Json value, parsed(row, column, [] { return std::string("a claim"); }));
  const auto number = [&](const char* name) {
    const auto found = value.is_object() ? value.find(name) : value.end();
    return found != value.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  Claim claim;
  claim.record = RecordId{string_or(value, "kind"), string_or(value, "scope"), string_or(value, "key")};
  claim.worker = string_or(value, "worker");
  claim.token = number("token");
  claim.process = {number("pid"), number("pid_started"), string_or(value, "boot_id"), string_or(value, "namespaces")};
  claim.lease_until_ms = number("lease_until_ms");
  claim.granted_ms = number("granted_ms");
  claim.lock = number("lock");
  return claim;
}

Result<std::vector<Effect>> read_effects(Statement& rows) {
  std::vector<Effect> effects;
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return effects;
    Effect effect;
    effect.id = rows.integer(0);
    effect.operation = effect.id / kEffectsPerOperation;
    const auto where = [&] { return cat("effect ", effect.id); };
    const auto state = std::find(kStates.begin(), kStates.end(), rows.view(1));
    if (state == kStates.end()) {
      return fail(ErrorCode::corruption, cat(where(), " has the unknown state \"", rows.view(1), "\" in the store"));
    }
    effect.state = static_cast<EffectState>(state - kStates.begin());
    effect.record = RecordId{rows.text(2), rows.text(3), rows.text(4)};
    effect.kind = rows.text(5);
    effect.marker = rows.text(6);
    PAWL_ASSIGN(effect.request, parsed(rows, 7, where));
    PAWL_ASSIGN(effect.result, parsed(rows, 8, where));
    effects.push_back(std::move(effect));
  }
}

}  // namespace

Result<std::vector<Effect>> SqliteTransaction::effects_of(std::int64_t operation) {
  if (operation < 0 || operation >= INT64_MAX / kEffectsPerOperation) return std::vector<Effect>();
  PAWL_ASSIGN(Statement rows, use(Sql::effects_between));
  return read_effects(rows.bind(operation * kEffectsPerOperation, (operation + 1) * kEffectsPerOperation));
}

Result<std::vector<Effect>> SqliteTransaction::effects_in(EffectState state) {
  if (state == EffectState::intended) {
    PAWL_ASSIGN(Statement rows, use(Sql::effects_under_way));
    return read_effects(rows.bind(kEffectNames, kAboveEffectNames));
  }
  PAWL_ASSIGN(Statement rows, use(Sql::effects_in));
  return read_effects(rows.bind(name_of(state)));
}

Done SqliteTransaction::write_effect(std::int64_t id, const Effect& effect) {
  const std::optional<std::string> request = stored(effect.request), result = stored(effect.result);
  PAWL_ASSIGN(Statement put, use(Sql::put_effect));
  PAWL_TRY(put.bind(id, name_of(effect.state), effect.record.kind, effect.record.scope, effect.record.key, effect.kind,
                    effect.marker, request, result)
               .run());
  return mark_under_way(id, effect.state);
}

Done SqliteTransaction::end_effect(const Effect& effect) {
  const std::optional<std::string> result = stored(effect.result);
  PAWL_ASSIGN(Statement put, use(Sql::end_effect));
  PAWL_TRY(put.bind(effect.id, name_of(effect.state), result).run());
  if (sqlite3_changes(connection_->handle()) == 0) {
    return fail(ErrorCode::not_found, cat("there is no effect ", effect.id));
  }
  return mark_under_way(effect.id, effect.state);
}

Done SqliteTransaction::mark_under_way(std::int64_t effect, EffectState state) {
  const std::string name = cat(kEffectNames, effect);
  if (state == EffectState::intended) return set_own_number(name, effect);
  PAWL_ASSIGN(Statement forget, use(Sql::forget));
  return forget.bind(name).run();
}

Result<std::optional<Claim>> SqliteTransaction::claim(const RecordId& id) {
  const std::string name = claim_name(id);
  PAWL_ASSIGN(Statement row, use(Sql::kept));
  PAWL_ASSIGN(const bool found, row.bind(name).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(Claim claim, read_claim(row, 0));
  if (claim.lock != 0) claim.held = held(lock_of(claim), claim.lock);
  return claim;
}

Held SqliteTransaction::held(std::string_view name, std::int64_t place) { return is_held(folder_, name, place); }

Result<std::vector<Claim>> SqliteTransaction::claims() {
  std::vector<Claim> claims;
  PAWL_ASSIGN(Statement rows, use(Sql::kept_between));
  rows.bind(kClaimNames, kAboveClaimNames);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) break;
    PAWL_ASSIGN(Claim claim, read_claim(rows, 1));
    if (claim.lock != 0) claim.held = held(lock_of(claim), claim.lock);
    claims.push_back(std::move(claim));
  }
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.record < b.record; });
  return claims;
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
  const std::string name = claim_name(granted.record), value = to_line(written_claim(granted));
  PAWL_ASSIGN(Statement put, use(Sql::keep));
  PAWL_TRY(put.bind(name, value).run());
  return granted;
}

Done SqliteTransaction::drop_claim(const RecordId& id) {
  PAWL_TRY(may_write());
  const std::string name = claim_name(id);
  PAWL_ASSIGN(Statement drop, use(Sql::forget));
  return drop.bind(name).run();
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

#include "engine/effects.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>

#include "base/hex.h"
#include "base/process.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::string_view kLock = "lock";

std::string lock_of(const Effect& effect) { return cat("effect ", effect.marker); }

// Reads and writes effects under the store's gate.
Done write_effects(Engine& engine, const std::function<Result<std::vector<Effect>>(Transaction&)>& choose) {
  PAWL_ASSIGN(Store* const store, engine.store());
  PAWL_ASSIGN(const auto gate, store->gate());
  PAWL_ASSIGN(const auto tx, store->begin(Access::write));
  Batch batch;
  PAWL_ASSIGN(batch.effects, choose(*tx));
  if (batch.effects.empty()) return done();
  PAWL_TRY(tx->commit(batch));
  return done();
}

Done conclude(Engine& engine, Effect effect, EffectState state, Json result) {
  effect.state = state;
  effect.result = std::move(result);
  return write_effects(engine, [&](Transaction&) -> Result<std::vector<Effect>> { return std::vector{effect}; });
}

// Holds the lock of an effect that this process is at.
class EffectLock {
 public:
  EffectLock(Engine& engine, const Effect& effect) : engine_(engine), lock_(lock_of(effect)) {}
  EffectLock(const EffectLock&) = delete;
  EffectLock& operator=(const EffectLock&) = delete;
  ~EffectLock() { engine_.release(lock_); }

 private:
  Engine& engine_;
  std::string lock_;
};

// Makes it this process's, unless another one is at it, or has ended it.
Result<bool> take_over(Engine& engine, const Effect& wanted) {
  bool ours = false;
  PAWL_TRY(write_effects(engine, [&](Transaction& tx) -> Result<std::vector<Effect>> {
    PAWL_ASSIGN(const auto waiting, tx.effects_in(EffectState::intended));
    for (Effect effect : waiting) {
      if (effect.id != wanted.id) continue;
      const bool mine = process_in(effect.result) == this_process() || engine.place_of_lock(lock_of(effect)) != 0;
      if (!mine && effect_is_under_way(tx, effect)) break;
      if (engine.hold(lock_of(effect)) == Engine::Holding::anothers) break;
      effect.result = effect_owner(engine, effect);
      ours = true;
      return std::vector{std::move(effect)};
    }
    return std::vector<Effect>{};
  }));
  return ours;
}

// Did it surely not happen? Only then may it be called failed; anything else stays intended, to be looked up.
bool surely_not(ErrorCode code) {
  return code == ErrorCode::invalid_argument || code == ErrorCode::not_found || code == ErrorCode::unauthorized ||
         code == ErrorCode::untrusted || code == ErrorCode::gate_failed || code == ErrorCode::illegal_move;
}

Result<Json> act(Engine& engine, const Effect& effect, const EffectHandler& handler) {
  Result<Json> result = handler.act(effect);
  if (!result && surely_not(result.error().code)) {
    PAWL_TRY(conclude(engine, effect, EffectState::failed, Json(result.error().message)));
  }
  if (!result) return result;
  PAWL_TRY(conclude(engine, effect, EffectState::done, *result));
  return result;
}

Result<std::vector<Effect>> intended(Engine& engine) {
  std::vector<Effect> effects;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(effects, view.store().effects_in(EffectState::intended));
    return done();
  }));
  return effects;
}

}  // namespace

Json effect_owner(Engine& engine, const Effect& effect) {
  Json owner = to_json(this_process());
  const std::string name = lock_of(effect);
  if (engine.hold(name) == Engine::Holding::ours) owner[kLock] = engine.place_of_lock(name);
  return owner;
}

Life worker_of(Transaction& store, const Effect& effect) {
  return life_of(process_in(effect.result), store.held(lock_of(effect), integer_or(effect.result, kLock)));
}

Result<std::vector<Effect>> effects_to_take_over(Transaction& store, const RecordId& record) {
  PAWL_ASSIGN(auto effects, store.effects_in(EffectState::intended));
  std::erase_if(effects,
                [&](const Effect& one) { return one.record != record || worker_of(store, one) != Life::unknown; });
  for (Effect& effect : effects) effect.result = Json();
  return effects;
}

Result<std::string> new_marker() {
  std::array<char, 12> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(ErrorCode::unavailable, "the system has no random numbers to give");
  return cat("pawl-", in_hex({bytes.data(), bytes.size()}));
}

Result<Effect> new_effect(std::string_view kind, const RecordId& record, Json request) {
  Effect effect;
  effect.kind = kind;
  effect.record = record;
  effect.request = std::move(request);
  PAWL_ASSIGN(effect.marker, new_marker());
  return effect;
}

Result<Json> carry_out(Engine& engine, std::int64_t id, const EffectHandler& handler) {
  PAWL_ASSIGN(const auto waiting, intended(engine));
  for (const Effect& effect : waiting) {
    if (effect.id != id) continue;
    if (engine.hold(lock_of(effect)) == Engine::Holding::anothers)
      return fail(ErrorCode::busy,
                  cat("another process is at the ", printable(effect.kind), " for ", printable(effect.record.ref())));
    const EffectLock lock(engine, effect);
    return act(engine, effect, handler);
  }
  return fail(ErrorCode::not_found, cat("there is no act ", id, " waiting to be done"));
}

Result<std::vector<Effect>> settle(Engine& engine,
                                   const std::function<const EffectHandler*(const Effect&)>& handler_for,
                                   Unsettled unsettled) {
  std::vector<Effect> settled;
  std::optional<Error> first_error;
  PAWL_ASSIGN(const auto waiting, intended(engine));
  for (const Effect& effect : waiting) {
    const EffectHandler* handler = handler_for(effect);
    if (handler == nullptr) continue;
    PAWL_ASSIGN(const bool ours, take_over(engine, effect));
    if (!ours) continue;
    const EffectLock lock(engine, effect);
    Effect after = effect;
    after.state = EffectState::done;
    Result<std::optional<Json>> found = handler->find(effect);
    if (found && *found) {
      PAWL_TRY(conclude(engine, effect, EffectState::done, **found));
      after.result = std::move(**found);
      settled.push_back(std::move(after));
      continue;
    }
    Result<Json> acted = found ? act(engine, effect, *handler) : Result<Json>(tl::unexpected(found.error()));
    if (acted) {
      after.result = std::move(*acted);
      settled.push_back(std::move(after));
    } else {  // one that cannot be settled now does not hold up the others
      if (!first_error) first_error = acted.error();
      if (unsettled == Unsettled::noted)
        engine.note(cat("the ", printable(effect.kind), " for ", printable(effect.record.ref()),
                        " could not be settled: ", acted.error().message));
    }
  }
  if (settled.empty() && first_error) return tl::unexpected(std::move(*first_error));
  return settled;
}

Done close_effects(Engine& engine, const std::function<bool(const Effect&)>& wanted,
                   const std::function<Result<std::optional<Json>>(const Effect&)>& find) {
  std::optional<Error> first_error;
  PAWL_ASSIGN(const auto waiting, intended(engine));
  for (const Effect& effect : waiting) {
    if (!wanted(effect)) continue;
    PAWL_ASSIGN(const bool ours, take_over(engine, effect));
    if (!ours) continue;
    const EffectLock lock(engine, effect);
    Result<std::optional<Json>> found = find(effect);
    if (!found) {  // one that cannot be looked for now does not hold up the others
      if (!first_error) first_error = found.error();
      continue;
    }
    PAWL_TRY(conclude(engine, effect, *found ? EffectState::done : EffectState::failed,
                      *found ? std::move(**found) : Json("it was not done")));
  }
  if (first_error) return tl::unexpected(std::move(*first_error));
  return done();
}

}  // namespace pawl

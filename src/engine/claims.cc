#include "engine/claims.h"

#include "base/process.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "engine/effects.h"

namespace pawl {
namespace {

Error lost(const RecordId& record, std::int64_t token, const std::optional<Claim>& now_held) {
  std::string hint = "nobody holds it now; take it again";
  if (now_held && now_held->token != token) hint = cat("it is held by ", printable(now_held->worker), " now");
  return {ErrorCode::lease_lost, cat("the claim on ", printable(record.ref()), " with token ", token, " is lost"),
          std::move(hint)};
}

// The claim as it is now, or the reason why the token does not hold it.
Result<Claim> held_by(Transaction& store, const RecordId& record, std::int64_t token, const Now& now) {
  PAWL_ASSIGN(auto claim, store.claim(record));
  if (!claim || claim->token != token || !claim_lives(*claim, now)) {
    const bool held = claim && claim_lives(*claim, now);
    return tl::unexpected(lost(record, token, held ? claim : std::optional<Claim>()));
  }
  return *claim;
}

// A write with an idempotency key: `answer` is there when it was done before.
struct Writing {
  std::unique_ptr<Gate> gate;
  std::unique_ptr<Transaction> tx;
  std::optional<Json> answer;
};

Result<Writing> begin_writing(Engine& engine, const Request& by) {
  PAWL_ASSIGN(Store* const store, engine.store());
  Writing writing;
  PAWL_ASSIGN(writing.gate, store->gate());
  PAWL_ASSIGN(writing.tx, store->begin(Access::write));
  PAWL_ASSIGN(const auto known, answered_before(*writing.tx, by));
  if (known) writing.answer = known->answer;
  return writing;
}

Done finish_writing(Engine& engine, const Writing& writing, const Request& by, Json answer,
                    std::vector<Effect> effects = {}) {
  Batch batch;
  batch.effects = std::move(effects);
  if (!by.idempotency_key.empty()) {
    Operation operation;
    operation.verb = by.verb;
    operation.actor = by.actor;
    operation.reason = by.reason;
    operation.at_ms = engine.clock().now().wall_ms;
    operation.idempotency_key = by.idempotency_key;
    operation.request_digest = by.digest;
    operation.answer = std::move(answer);
    batch.operations.push_back({std::move(operation), {}, {}});
  }
  PAWL_TRY(writing.tx->commit(batch));
  return done();
}

Json kept_answer(const Claim& claim) {
  Json answer = to_json(claim.process);
  answer.update({{"worker", claim.worker}, {"token", claim.token}, {"lease", claim.lease_until_ms}});
  return answer;
}

Claim from_answer(const RecordId& record, const Json& answer) {
  Claim claim;
  claim.record = record;
  claim.worker = string_or(answer, "worker");
  claim.token = integer_or(answer, "token");
  claim.process = process_in(answer);
  claim.lease_until_ms = integer_or(answer, "lease");
  return claim;
}

// Whether the claim may end now; the error says who has it, and what can be done.
Done must_be_free(const Claim& known, bool take_over, const Now& now) {
  const Life life = life_of(known, now);
  const bool seen = life_of(known.process, known.held) == Life::alive;
  if (life == Life::ended || (take_over && !seen)) return done();
  const std::string by = cat(printable(known.record.ref()), " is held by ", printable(known.worker));
  if (life == Life::alive) return fail(ErrorCode::conflict, by);
  return fail(ErrorCode::conflict,
              cat(by, ", whose process ", known.process.pid, " cannot be seen from here (is it in another container?)"),
              how_to_take_over(known.record));
}

}  // namespace

std::string how_to_take_over(const RecordId& record) {
  return cat("pawl claim release ", shell_word(record.ref()), " --take-over  # if you know that it has ended");
}

Result<Claim> grant_claim(Transaction& store, const ClaimRequest& request, const Now& now) {
  if (request.pid == 0 && request.lease_ms <= 0)
    return fail(ErrorCode::invalid_argument, "a claim needs a process (--pid) or a time (--lease)");
  Claim wanted;
  wanted.record = request.record;
  wanted.worker = request.worker;
  wanted.process.boot = boot_id();
  if (request.pid != 0) {
    wanted.process = identify_process(request.pid);
    if (wanted.process.started == 0 && !may_exist(request.pid))
      return fail(ErrorCode::not_found, cat("there is no process ", request.pid));
  }
  PAWL_ASSIGN(const auto known, store.claim(request.record));
  if (known) {
    // A worker may ask again from another process. A runner of pawl's is a process: in another container one may have
    // its name, which is made of its number.
    const bool runner = known->lock != 0 || wanted.process == this_process();
    const bool same = known->worker == request.worker && (!runner || known->process == wanted.process);
    if (!same) PAWL_TRY(must_be_free(*known, request.take_over, now));
    if (same && claim_lives(*known, now)) {
      wanted.token = known->token;
      wanted.lock = known->lock;
    }
  }
  wanted.granted_ms = now.wall_ms;
  wanted.lease_until_ms = request.lease_ms > 0 ? now.boot_ms + request.lease_ms : 0;
  return store.put_claim(wanted);
}

Result<Claim> take_claim(Engine& engine, const Request& by, const ClaimRequest& request) {
  const auto none = [&] { return fail(ErrorCode::not_found, cat("there is no ", printable(request.record.ref()))); };
  if (!engine.has_store()) {  // what the files show comes in first, if they show it
    Request found = by;
    found.idempotency_key.clear();
    Look look;
    look.records.push_back(request.record);
    PAWL_TRY(engine.change(found, look, [&](const View& view, const Now&) -> Result<Decision> {
      PAWL_ASSIGN(const Record record, view.load(request.record));
      if (!record.present()) return none();
      return Decision{};
    }));
  }
  PAWL_ASSIGN(const Writing writing, begin_writing(engine, by));
  if (writing.answer) return from_answer(request.record, *writing.answer);
  PAWL_ASSIGN(const Record record, writing.tx->load(request.record));
  if (!record.present()) return none();
  PAWL_ASSIGN(Claim taken, grant_claim(*writing.tx, request, engine.clock().now()));
  if (taken.process == this_process() && engine.hold(lock_of(taken)) == Engine::Holding::ours) {
    taken.lock = engine.place_of_lock(lock_of(taken));
    PAWL_TRY(writing.tx->put_claim(taken));
  }
  std::vector<Effect> interrupted;
  if (request.take_over) {
    PAWL_ASSIGN(interrupted, effects_to_take_over(*writing.tx, request.record));
  }
  PAWL_TRY(finish_writing(engine, writing, by, kept_answer(taken), std::move(interrupted)));
  return taken;
}

Result<Claim> renew_claim(Engine& engine, const Request& by, const RecordId& record, std::int64_t token,
                          std::int64_t lease_ms) {
  if (lease_ms <= 0) return fail(ErrorCode::invalid_argument, "a time such as --lease 10m was expected");
  PAWL_ASSIGN(const Writing writing, begin_writing(engine, by));
  if (writing.answer) return from_answer(record, *writing.answer);
  const Now now = engine.clock().now();
  PAWL_ASSIGN(Claim claim, held_by(*writing.tx, record, token, now));
  claim.lease_until_ms = now.boot_ms + lease_ms;
  PAWL_ASSIGN(const Claim renewed, writing.tx->put_claim(claim));
  PAWL_TRY(finish_writing(engine, writing, by, kept_answer(renewed)));
  return renewed;
}

Done take_over_claim(Engine& engine, const Request& by, const RecordId& record) {
  PAWL_ASSIGN(const Writing writing, begin_writing(engine, by));
  if (writing.answer) return done();
  PAWL_ASSIGN(const auto claim, writing.tx->claim(record));
  if (claim) {
    PAWL_TRY(must_be_free(*claim, true, engine.clock().now()));
    PAWL_TRY(writing.tx->drop_claim(record));
  }
  PAWL_ASSIGN(const auto intended, writing.tx->effects_in(EffectState::intended));
  for (const Effect& effect : intended) {
    if (effect.record == record && worker_of(*writing.tx, effect) == Life::alive)
      return fail(ErrorCode::conflict, cat("the ", printable(effect.kind), " for ", printable(record.ref()),
                                           " is in progress, and the process that is at it lives"));
  }
  PAWL_ASSIGN(auto interrupted, effects_to_take_over(*writing.tx, record));
  return finish_writing(engine, writing, by, Json::object(), std::move(interrupted));
}

Done release_claim(Engine& engine, const Request& by, const RecordId& record, std::int64_t token) {
  PAWL_ASSIGN(const Writing writing, begin_writing(engine, by));
  if (writing.answer) return done();
  PAWL_ASSIGN(const Claim held, held_by(*writing.tx, record, token, engine.clock().now()));
  PAWL_TRY(writing.tx->drop_claim(record));
  PAWL_TRY(finish_writing(engine, writing, by, Json::object()));
  engine.release(lock_of(held));
  return done();
}

Done check_token(Transaction& store, const RecordId& record, std::int64_t token, const Now& now) {
  PAWL_TRY(held_by(store, record, token, now));
  return done();
}

}  // namespace pawl

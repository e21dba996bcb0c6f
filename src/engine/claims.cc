#include "engine/claims.h"

#include "base/process.h"
#include "base/text.h"

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

Done finish_writing(Engine& engine, const Writing& writing, const Request& by, Json answer) {
  Batch batch;
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
  return {{"worker", claim.worker},       {"token", claim.token},          {"pid", claim.pid},
          {"started", claim.pid_started}, {"lease", claim.lease_until_ms}, {"boot", claim.boot_id}};
}

Claim from_answer(const RecordId& record, const Json& answer) {
  Claim claim;
  claim.record = record;
  claim.worker = string_or(answer, "worker");
  claim.token = integer_or(answer, "token");
  claim.pid = integer_or(answer, "pid");
  claim.pid_started = integer_or(answer, "started");
  claim.lease_until_ms = integer_or(answer, "lease");
  claim.boot_id = string_or(answer, "boot");
  return claim;
}

}  // namespace

bool claim_lives(const Claim& claim, const Now& now) {
  if (claim.boot_id != boot_id()) return false;  // whoever held it was gone with the machine
  if (claim.pid != 0 && !lives({claim.pid, claim.pid_started})) return false;
  return (claim.pid != 0 && claim.lease_until_ms == 0) || now.boot_ms < claim.lease_until_ms;
}

Result<Claim> grant_claim(Transaction& store, const ClaimRequest& request, const Now& now) {
  if (request.pid == 0 && request.lease_ms <= 0)
    return fail(ErrorCode::invalid_argument, "a claim needs a process (--pid) or a time (--lease)");
  Claim wanted;
  wanted.record = request.record;
  wanted.worker = request.worker;
  wanted.boot_id = boot_id();
  wanted.pid = request.pid;
  if (request.pid != 0) {
    wanted.pid_started = identify_process(request.pid).started;
    if (wanted.pid_started == 0) return fail(ErrorCode::not_found, cat("there is no process ", request.pid));
  }
  PAWL_ASSIGN(const auto known, store.claim(request.record));
  if (known && claim_lives(*known, now)) {
    if (known->worker != request.worker) {
      return fail(ErrorCode::conflict, cat(printable(request.record.ref()), " is held by ", printable(known->worker)));
    }
    wanted.token = known->token;
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
  PAWL_ASSIGN(const Claim taken, grant_claim(*writing.tx, request, engine.clock().now()));
  PAWL_TRY(finish_writing(engine, writing, by, kept_answer(taken)));
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

Done release_claim(Engine& engine, const Request& by, const RecordId& record, std::int64_t token) {
  PAWL_ASSIGN(const Writing writing, begin_writing(engine, by));
  if (writing.answer) return done();
  PAWL_TRY(held_by(*writing.tx, record, token, engine.clock().now()));
  PAWL_TRY(writing.tx->drop_claim(record));
  return finish_writing(engine, writing, by, Json::object());
}

Done check_token(Transaction& store, const RecordId& record, std::int64_t token, const Now& now) {
  PAWL_TRY(held_by(store, record, token, now));
  return done();
}

}  // namespace pawl

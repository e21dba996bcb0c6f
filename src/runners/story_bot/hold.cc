#include "runners/story_bot/hold.h"

#include <unistd.h>

#include "base/log.h"
#include "base/text.h"

namespace pawl {

Hold::Hold(Engine& engine, Request request, const Claim& claim)
    : engine_(&engine), request_(std::move(request)), id_(claim.record), token_(claim.token) {
  request_.token = claim.token;
  request_.idempotency_key.clear();
}

Hold::Hold(Hold&& other) noexcept
    : engine_(other.engine_), request_(std::move(other.request_)), id_(std::move(other.id_)), token_(other.token_) {
  other.engine_ = nullptr;
}

Hold::~Hold() {
  if (engine_ == nullptr) return;
  Request request = request_;
  request.token.reset();
  if (const Done released = release_claim(*engine_, request, id_, token_); !released)
    log_info("claim stays", "why", released.error().message);
}

Result<std::optional<Hold>> Hold::take(Engine& engine, const Request& request, const RecordId& id,
                                       const std::string& worker) {
  const auto claim = take_claim(engine, request, {id, worker, getpid(), 0});
  if (claim) return std::optional<Hold>(Hold(engine, request, *claim));
  if (claim.error().code == ErrorCode::conflict) return std::optional<Hold>();
  return tl::unexpected(claim.error());
}

Result<Record> Hold::record() const {
  Record found;
  Look look;
  look.records.push_back(id_);
  PAWL_TRY(engine_->read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.load(id_));
    return done();
  }));
  if (found.present() && !found.aside) return found;
  return fail(ErrorCode::not_found, cat("story ", printable(id_.key), " is gone"));
}

Result<Outcome> Hold::commit(const Decided& decided, const std::vector<Effect>& effects, Change* made) const {
  Look look;
  look.records.push_back(id_);
  return engine_->change(request_, look, [&](const View& view, const Now& now) -> Result<Decision> {
    Decision decision;
    decision.effects = effects;
    PAWL_TRY(check_token(view.store(), id_, token_, now));
    if (!decided) return decision;
    PAWL_ASSIGN(const Record current, view.load(id_));
    PAWL_ASSIGN(Change change, decided(current, now));
    if (made != nullptr) *made = change;
    decision.changes.push_back(std::move(change));
    return decision;
  });
}

Result<Change> Hold::change(const Decided& decided) const {
  Change made;
  PAWL_TRY(commit(decided, {}, &made));
  return made;
}

Result<std::int64_t> Hold::intend(const Effect& effect, const Decided& with) const {
  PAWL_ASSIGN(const Outcome outcome, commit(with, {effect}, nullptr));
  return outcome.effects.at(0);
}

Result<Json> Hold::act(const Effect& effect, const EffectHandler& handler, const Decided& with) const {
  PAWL_ASSIGN(const std::int64_t id, intend(effect, with));
  return carry_out(*engine_, id, handler);
}

}  // namespace pawl

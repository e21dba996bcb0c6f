// One story in the bot's hand: claimed, so that no other worker has it, and changed only while that lasts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/claims.h"
#include "engine/effects.h"
#include "engine/engine.h"

namespace pawl {

class Hold {
 public:
  // nullopt: another worker has it.
  static Result<std::optional<Hold>> take(Engine& engine, const Request& request, const RecordId& id,
                                          const std::string& worker);
  Hold(Hold&& other) noexcept;
  Hold& operator=(Hold&&) = delete;
  ~Hold();  // lets go

  using Decided = std::function<Result<Change>(const Record&, const Now&)>;

  [[nodiscard]] const RecordId& id() const { return id_; }
  [[nodiscard]] const Request& request() const { return request_; }
  // As its file and the store have it now.
  [[nodiscard]] Result<Record> record() const;
  [[nodiscard]] Result<Change> change(const Decided& decided) const;
  // An act in the world: intended together with a change, done, concluded (engine/effects.h).
  [[nodiscard]] Result<Json> act(const Effect& effect, const EffectHandler& handler, const Decided& with = {}) const;
  // Only intended: whoever settles effects does it.
  [[nodiscard]] Result<std::int64_t> intend(const Effect& effect, const Decided& with) const;

 private:
  Hold(Engine& engine, Request request, const Claim& claim);
  Result<Outcome> commit(const Decided& decided, const std::vector<Effect>& effects, Change* made) const;

  Engine* engine_;
  Request request_;
  RecordId id_;
  std::int64_t token_ = 0;
};

}  // namespace pawl

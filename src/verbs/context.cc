#include "verbs/context.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/text.h"
#include "engine/engine.h"
#include "lifecycle/table.h"

namespace pawl {
namespace {

// Without NSS, which a static program does not have: the environment, else the number.
std::string user_name() {
  for (const char* name : {"LOGNAME", "USER"}) {
    const char* value = getenv(name);
    if (value != nullptr && *value != '\0' && is_utf8(value) && !has_control(value))
      return std::string(value).substr(0, 200);
  }
  return cat("uid ", static_cast<long>(geteuid()));
}

}  // namespace

Context::Context() = default;
Context::~Context() = default;

const Lifecycles& Context::lifecycles() const { return builtin_lifecycles(); }

Result<Engine*> Context::engine() {
  if (engine_ == nullptr) {
    auto say = note;
    if (one_shot) {
      // A verb may look at the same files several times: what it finds is said once, whatever is added to it then.
      say = [to = note, said = std::make_shared<std::vector<std::string>>()](std::string_view text) {
        const auto begins = [&](const std::string& one) { return text.starts_with(one); };
        if (std::any_of(said->begin(), said->end(), begins)) return;
        said->emplace_back(text);
        to(text);
      };
    }
    PAWL_ASSIGN(engine_, Engine::open({flags.dir, &lifecycles(), clock, std::move(say), one_shot, false}));
  }
  return engine_.get();
}

Result<Engine*> Context::users_engine() {
  if (users_engine_ == nullptr) {
    PAWL_ASSIGN(users_engine_, Engine::open({{}, &users_lifecycles(), clock, note, one_shot, true}));
  }
  return users_engine_.get();
}

Request Context::request() const {
  Request request;
  request.verb = verb;
  request.actor = flags.actor.empty() ? user_name() : flags.actor;
  request.reason = flags.reason;
  request.idempotency_key = flags.idempotency_key;
  request.digest = cat(verb, " ", verb_request);
  return request;
}

}  // namespace pawl

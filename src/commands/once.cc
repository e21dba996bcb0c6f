#include "commands/once.h"

namespace pawl {

Result<Reply> once(Context& context, const std::function<Result<Reply>(const Request&)>& act) {
  const Request keyed = context.request();
  Request steps = keyed;
  steps.idempotency_key.clear();
  if (keyed.idempotency_key.empty()) return act(steps);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::optional<Operation> before;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(before, answered_before(view.store(), keyed));
    return done();
  }));
  if (!before) {
    PAWL_ASSIGN(const Reply reply, act(steps));
    PAWL_TRY(engine->change(keyed, {}, [&](const View&, const Now&) -> Result<Decision> {
      Decision decision;
      decision.answer = Json{{"data", reply.data}, {"exit", reply.exit_code}};
      return decision;
    }));
    return reply;
  }
  return Reply{before->answer.value("data", Json()), static_cast<int>(integer_or(before->answer, "exit"))};
}

}  // namespace pawl

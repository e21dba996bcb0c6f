#include "runners/hook/stop.h"

#include <limits>

#include "base/clock.h"
#include "base/text.h"
#include "core/runner_stopped.h"
#include "engine/claims.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/stop.h"
#include "runners/loop_check.h"
#include "runners/loop_task.h"
#include "runners/loops.h"

namespace pawl::hook {
namespace {

// The session's own loop that is under way.
Result<std::optional<RecordId>> own_loop(Engine& engine, const std::string& session) {
  if (!loop::is_session_id(session)) return std::optional<RecordId>();
  PAWL_ASSIGN(const auto loops, loop::read_all(engine, loop::ralph_shape()));
  for (const Record& one : loops) {
    if (loop::is_owned_by(one.doc, session) && loop::is_active(one)) return std::optional(one.id);
  }
  return std::optional<RecordId>();
}

// One that has another's time in its file began when that says; one without any, nobody knows when.
std::optional<std::int64_t> began_at(const Json& doc) { return parse_iso_time(string_or(doc, "started_at")); }

std::string told(const Engine& engine, const Json& doc, const std::string& session) {
  const auto stories = stories_for(engine, doc, [](std::string_view) {});
  return cat(loop::task_text(doc, task_for(integer_or(doc, "iteration"), stories)),
             "A loop keeps this session going. To stop it:\n  pawl ralph cancel --session ", session);
}

}  // namespace

Result<Held> on_stop(Engine& engine, const Request& request, const std::string& session,
                     const std::function<LastTurn()>& last_turn) {
  PAWL_ASSIGN(const auto id, own_loop(engine, session));
  if (!id) return Held{};
  const LastTurn turn = last_turn();
  Held held;
  Json doc;
  const Decide decide = [&](const View& view, const Now& now) -> Result<Decision> {
    held = {};
    Decision decision;
    PAWL_ASSIGN(const Record current, view.load(*id));
    if (!loop::is_active(current)) return decision;  // ended in this very moment
    PAWL_ASSIGN(const auto claim, view.store().claim(*id));
    if (claim && claim_lives(*claim, now)) {
      held.text = cat("the loop is driven by ", printable(claim->worker), "; this session is not held");
      return decision;
    }
    loop::StopFacts facts;
    facts.promised = promised_since(turn, loop::promise_of(current.doc), began_at(current.doc));
    if (facts.promised) {
      PAWL_ASSIGN(const auto check, check_of(view, current));
      facts.has_check = check.has_value();
    }
    facts.context_full = is_nearly_full(turn.tokens);
    if (turn.found) facts.progressed = turn.used_a_tool;
    PAWL_ASSIGN(const auto before, view.store().event_before(*id, std::numeric_limits<std::int64_t>::max()));
    if (!facts.progressed.value_or(false)) facts.blocks = before ? loop::blocks_in(before->evidence) : 0;
    if (before && before->what == kLetGo) facts.let_go_for = string_or(before->evidence, kStoppedWhy);
    PAWL_ASSIGN(loop::StopDecision stop, loop::decide_stop(current, facts, now));
    held.hold = stop.hold;
    held.text = stop.why;
    if (stop.hold) doc = stop.change->after.doc;
    if (stop.change) decision.changes.push_back(std::move(*stop.change));
    return decision;
  };
  Look look;
  look.records.push_back(*id);
  PAWL_TRY(engine.change(request, look, decide));
  if (held.hold) held.text = told(engine, doc, session);
  return held;
}

}  // namespace pawl::hook

#include "pawl/loop.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "frontends/library/call.h"

namespace pawl {
namespace {

std::string time_now() { return iso_time(SystemClock().now().wall_ms, true); }

bool flag_or(const Json& object, const char* member, bool fallback) {
  const auto found = object.find(member);
  return found != object.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

std::optional<std::string> maybe_text(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

std::map<std::string, std::string> asked_by(const std::string& session) {
  return session.empty() ? std::map<std::string, std::string>{}
                         : std::map<std::string, std::string>{{"session", session}};
}

// What `show` answers; null where there is none.
Result<Json> shown(Client& client, std::string_view verb, const std::string& session) {
  Result<Json> answer = call(client, verb, asked_by(session));
  if (!answer && answer.error().code == ErrorCode::not_found) return Json();
  return answer;
}

Result<bool> cleared(Client& client, std::string_view verb, const std::map<std::string, std::string>& arguments) {
  PAWL_ASSIGN(const Json answer, call(client, verb, arguments));
  return flag_or(answer, "cleared", false) || flag_or(answer, "global", false);
}

template <class State>
Result<void> write(Client& client, std::string_view verb, const Json& object, State& state, bool global = false) {
  std::map<std::string, std::string> arguments = {{"state", to_line(object)}};
  if (state.revision > 0) arguments["revision"] = std::to_string(state.revision);
  if (global) arguments["global"] = "";
  PAWL_ASSIGN(const Json answer, call(client, verb, arguments));
  state.revision = integer_or(answer, "revision");
  state.status = string_or(answer, "status");
  return {};
}

Json to_json(const RalphState& state) {
  return Json{{"active", state.active},
              {"iteration", state.iteration},
              {"max_iterations", state.max_iterations},
              {"completion_promise", state.completion_promise},
              {"started_at", state.started_at},
              {"prompt", state.prompt},
              {"session_id", state.session_id},
              {"prd_mode", state.prd_mode},
              {"current_story_id", or_null(state.current_story_id)},
              {"last_activity_at", state.last_activity_at}};
}

Json to_json(const UltraworkState& state) {
  return Json{{"active", state.active},
              {"started_at", state.started_at},
              {"original_prompt", state.original_prompt},
              {"session_id", state.session_id},
              {"reinforcement_count", state.reinforcement_count},
              {"last_checked_at", state.last_checked_at}};
}

Json to_json(const VerificationState& state) {
  return Json{{"pending", state.pending},
              {"original_task", state.original_task},
              {"completion_claim", state.completion_claim},
              {"verification_attempts", state.verification_attempts},
              {"max_verification_attempts", state.max_verification_attempts},
              {"oracle_feedback", or_null(state.oracle_feedback)},
              {"last_attempt_at", or_null(state.last_attempt_at)},
              {"session_id", state.session_id}};
}

}  // namespace

RalphState create_ralph_state(const std::string& session_id, const std::string& prompt, std::int64_t max_iterations,
                              bool prd_mode) {
  RalphState state;
  state.max_iterations = max_iterations;
  state.prompt = prompt;
  state.session_id = session_id;
  state.prd_mode = prd_mode;
  state.started_at = time_now();
  state.last_activity_at = state.started_at;
  return state;
}

Result<std::optional<RalphState>> read_ralph_state(Client& client, const std::string& session_id) {
  PAWL_ASSIGN(const Json answer, shown(client, "ralph show", session_id));
  if (!answer.is_object()) return std::optional<RalphState>();
  const Json& object = answer["state"];
  RalphState state;
  state.active = flag_or(object, "active", false);
  state.iteration = integer_or(object, "iteration");
  state.max_iterations = integer_or(object, "max_iterations", state.max_iterations);
  state.completion_promise = string_or(object, "completion_promise", state.completion_promise);
  state.started_at = string_or(object, "started_at");
  state.prompt = string_or(object, "prompt", string_or(object, "original_prompt"));
  state.session_id = string_or(object, "session_id");
  state.prd_mode = flag_or(object, "prd_mode", true);
  state.current_story_id = maybe_text(object, "current_story_id");
  state.last_activity_at = string_or(object, "last_activity_at");
  state.status = string_or(answer, "status");
  state.revision = integer_or(answer, "revision");
  return std::optional(std::move(state));
}

Result<void> write_ralph_state(Client& client, RalphState& state) {
  return write(client, "ralph write", to_json(state), state);
}

Result<bool> clear_ralph_state(Client& client, const std::string& session_id) {
  return cleared(client, "ralph clear", asked_by(session_id));
}

Result<void> update_ralph_state_iteration(Client& client, RalphState& state,
                                          const std::optional<std::string>& current_story_id) {
  state.last_activity_at = time_now();
  if (current_story_id) state.current_story_id = current_story_id;
  return write_ralph_state(client, state);
}

Result<void> mark_ralph_state_complete(Client& client, RalphState& state) {
  state.active = false;
  state.last_activity_at = time_now();
  Json object = to_json(state);
  // At the maximum it would otherwise read as exhausted.
  if (state.iteration >= state.max_iterations) object["completed_at"] = state.last_activity_at;
  return write(client, "ralph write", object, state);
}

UltraworkState create_ultrawork_state(const std::string& session_id, const std::string& original_prompt) {
  UltraworkState state;
  state.original_prompt = original_prompt;
  state.session_id = session_id;
  state.started_at = time_now();
  state.last_checked_at = state.started_at;
  return state;
}

Result<std::optional<UltraworkState>> read_ultrawork_state(Client& client, const std::string& session_id) {
  PAWL_ASSIGN(const Json answer, shown(client, "ultrawork show", session_id));
  if (!answer.is_object()) return std::optional<UltraworkState>();
  const Json& object = answer["state"];
  UltraworkState state;
  state.active = flag_or(object, "active", false);
  state.started_at = string_or(object, "started_at");
  state.original_prompt = string_or(object, "original_prompt");
  state.session_id = string_or(object, "session_id");
  state.reinforcement_count = integer_or(object, "reinforcement_count");
  state.last_checked_at = string_or(object, "last_checked_at");
  state.status = string_or(answer, "status");
  state.global = flag_or(answer, "global", false);
  // A revision of the shared copy says nothing of the project's.
  state.revision = state.global ? 0 : integer_or(answer, "revision");
  return std::optional(std::move(state));
}

Result<void> write_ultrawork_state(Client& client, UltraworkState& state, bool write_global) {
  return write(client, "ultrawork write", to_json(state), state, write_global);
}

Result<bool> clear_ultrawork_state(Client& client, bool clear_global, const std::string& session_id) {
  auto arguments = asked_by(session_id);
  if (clear_global) arguments["global"] = "";
  return cleared(client, "ultrawork clear", arguments);
}

Result<void> update_ultrawork_state_checked(Client& client, UltraworkState& state) {
  ++state.reinforcement_count;
  state.last_checked_at = time_now();
  return write_ultrawork_state(client, state);
}

VerificationState create_verification_state(const std::string& session_id, const std::string& original_task,
                                            const std::string& completion_claim, std::int64_t max_attempts) {
  VerificationState state;
  state.original_task = original_task;
  state.completion_claim = completion_claim;
  state.max_verification_attempts = max_attempts;
  state.session_id = session_id;
  return state;
}

Result<std::optional<VerificationState>> read_verification_state(Client& client, const std::string& session_id) {
  PAWL_ASSIGN(const Json answer, shown(client, "verify show", session_id));
  if (!answer.is_object()) return std::optional<VerificationState>();
  const Json& object = answer["state"];
  VerificationState state;
  state.pending = flag_or(object, "pending", true);
  state.original_task = string_or(object, "original_task");
  state.completion_claim = string_or(object, "completion_claim");
  state.verification_attempts = integer_or(object, "verification_attempts");
  state.max_verification_attempts = integer_or(object, "max_verification_attempts", state.max_verification_attempts);
  state.oracle_feedback = maybe_text(object, "oracle_feedback");
  state.last_attempt_at = maybe_text(object, "last_attempt_at");
  state.session_id = string_or(object, "session_id");
  state.status = string_or(answer, "status");
  state.revision = integer_or(answer, "revision");
  return std::optional(std::move(state));
}

Result<void> write_verification_state(Client& client, VerificationState& state) {
  return write(client, "verify write", to_json(state), state);
}

Result<bool> clear_verification_state(Client& client, const std::string& session_id) {
  return cleared(client, "verify clear", asked_by(session_id));
}

Result<void> update_verification_attempt(Client& client, VerificationState& state, const std::string& feedback,
                                         bool approved) {
  ++state.verification_attempts;
  state.oracle_feedback = feedback;
  state.last_attempt_at = time_now();
  if (approved) state.pending = false;
  return write_verification_state(client, state);
}

}  // namespace pawl

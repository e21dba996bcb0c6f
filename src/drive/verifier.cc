#include "drive/verifier.h"

#include "base/text.h"
#include "drive/loops.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"
#include "lifecycle/loop/verification.h"

namespace pawl {
namespace {

constexpr std::size_t kFeedbackBytes = 8'192;

const loop::Shape& shape() { return loop::verification_shape(); }

Result<std::optional<RecordId>> pending(Engine& engine, const Claimed& claimed) {
  PAWL_ASSIGN(const auto all, loop::read_all(engine, shape()));
  for (const Record& one : all) {
    const bool same = string_or(one.doc, "original_task") == claimed.task &&
                      string_or(one.doc, "completion_claim") == claimed.claim &&
                      loop::owner_of(one.doc).value_or("") == claimed.session;
    if (same && !one.held && loop::is_live(loop::verification_machine(), one)) return std::optional(one.id);
  }
  return std::optional<RecordId>();
}

Result<RecordId> begin(Engine& engine, const Request& request, const Claimed& claimed) {
  PAWL_ASSIGN(auto found, pending(engine, claimed));
  if (found) return *found;
  const loop::StartVerification start{claimed.session, claimed.task, claimed.claim, claimed.max_attempts};
  PAWL_TRY(loop::start_one(engine, request, shape(), claimed.session,
                           [&](const Now&) { return loop::new_verification(start); }));
  PAWL_ASSIGN(found, pending(engine, claimed));
  if (found) return *found;
  return fail(ErrorCode::conflict, "the verification was ended by somebody else as it began");
}

// The last bytes, whole lines where there are any.
std::string end_of(const std::string& text) {
  if (text.size() <= kFeedbackBytes) return text;
  const std::string tail = text.substr(text.size() - kFeedbackBytes);
  return cat("…\n", tail.substr(std::min(tail.find('\n') + 1, tail.size())));
}

}  // namespace

Result<Verdict> verify(Engine& engine, const Request& request, const Claimed& claimed, const std::string& command,
                       std::int64_t limit_ms, StopSignals& stop, const std::function<void(std::string_view)>& live) {
  PAWL_ASSIGN(const RecordId id, begin(engine, request, claimed));
  AgentCall call;
  call.argv = {"/bin/sh", "-c", command};
  call.input = claimed.task;
  call.environment = {cat("PAWL_CLAIM=", claimed.claim)};
  call.limit_ms = limit_ms;
  std::string printed;
  call.output = [&](std::string_view bytes) {
    live(bytes);
    printed += bytes;
    if (printed.size() > 4 * kFeedbackBytes) printed.erase(0, printed.size() - 2 * kFeedbackBytes);
  };
  PAWL_ASSIGN(const AgentRan ran, run_agent(call, stop));
  Verdict verdict;
  verdict.stop_signal = ran.stop_signal;
  if (ran.end == AgentEnd::stopped) return verdict;
  verdict.approved = ran.end == AgentEnd::exited && ran.exit_code == 0;
  verdict.feedback = trim(stripped(end_of(printed), 2 * kFeedbackBytes));
  if (ran.end == AgentEnd::too_long) verdict.feedback += "\n(the check took longer than it may, and was ended)";
  if (verdict.feedback.empty()) verdict.feedback = cat("(the check printed nothing; exit code ", ran.exit_code, ")");
  const loop::AttemptVerification attempt{verdict.feedback, verdict.approved};
  PAWL_ASSIGN(const Json answer,
              loop::change_this(engine, request, shape(), id, [&](const Record& current, const Now& now) {
                return loop::decide(current, attempt, now);
              }));
  verdict.exhausted = loop::is_exhausted(string_or(answer, "status"));
  verdict.attempts = integer_or(answer["state"], "verification_attempts");
  verdict.max_attempts = loop::max_attempts(answer["state"]);
  return verdict;
}

}  // namespace pawl

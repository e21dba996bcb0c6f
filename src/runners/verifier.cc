#include "runners/verifier.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"
#include "runners/check_program.h"
#include "runners/loops.h"

namespace pawl {
namespace {

constexpr std::size_t kFeedbackBytes = 8'192;

// Made for a loop that has ended since.
bool is_left_behind(const Record& verification, std::span<const Record> loops) {
  const std::string request = string_or(verification.doc, "request_id");
  return !request.empty() && std::none_of(loops.begin(), loops.end(), [&](const Record& one) {
    return one.id.key == request && loop::is_active(one);
  });
}

Result<bool> goes_on(Engine& engine, const std::string& key) {
  PAWL_ASSIGN(const auto loops, loop::read_all(engine, loop::ralph_shape()));
  return std::any_of(loops.begin(), loops.end(),
                     [&](const Record& one) { return one.id.key == key && loop::is_active(one); });
}

Result<Record> begin(Engine& engine, const Request& request, const Claimed& claimed) {
  PAWL_ASSIGN(const auto loops, loop::read_all(engine, loop::ralph_shape()));
  PAWL_ASSIGN(const auto verifications, loop::read_all(engine, loop::verification_shape()));
  for (const Record& one : verifications) {
    if (one.held || !loop::is_live(loop::verification_machine(), one)) continue;
    if (string_or(one.doc, "request_id") == claimed.loop) return one;
    if (is_left_behind(one, loops)) {
      PAWL_TRY(
          loop::change_this(engine, request, loop::verification_shape(), one.id, [](const Record& current, const Now&) {
            return loop::moved(loop::verification_machine(), current, kAbsent, std::nullopt, "left behind");
          }));
    }
  }
  const loop::StartVerification start{claimed.session,      claimed.task, claimed.claim,
                                      claimed.max_attempts, claimed.loop, claimed.made};
  // Another tool's, or somebody's own, is none of this loop's, and does not keep it from being checked.
  PAWL_ASSIGN(const loop::Changed begun, loop::start_one(
                                             engine, request, loop::verification_shape(), claimed.session,
                                             [&](const Now&) { return loop::new_verification(start); },
                                             [](Decision&, const RecordId&) {}, loop::check_folder(claimed.session)));
  return begun.record;
}

// The last bytes, whole lines where there are any.
std::string end_of(const std::string& text) {
  if (text.size() <= kFeedbackBytes) return text;
  const std::string tail = text.substr(text.size() - kFeedbackBytes);
  return cat("…\n", tail.substr(std::min(tail.find('\n') + 1, tail.size())));
}

std::string feedback_of(const std::string& printed, const AgentRan& ran) {
  std::string feedback(trim(stripped(end_of(printed), 2 * kFeedbackBytes)));
  if (ran.end == AgentEnd::too_long) feedback += "\n(the check took longer than it may, and was ended)";
  return feedback.empty() ? cat("(the check printed nothing; exit code ", ran.exit_code, ")") : feedback;
}

}  // namespace

Result<Verdict> ask(const Claimed& claimed, const Verifier& verifier, StopSignals& stop) {
  AgentCall call;
  call.argv = {"/bin/sh", "-c", verifier.command};
  call.input = claimed.task;
  call.environment = {cat("PAWL_LOOP=", claimed.loop), cat("PAWL_CLAIM=", claimed.claim)};
  call.limit_ms = verifier.limit_ms;
  call.wanted = verifier.wanted;
  std::string printed;
  call.output = call.errors = [&](std::string_view bytes) {
    verifier.live(bytes);
    printed += bytes;
    if (printed.size() > 4 * kFeedbackBytes) printed.erase(0, printed.size() - 2 * kFeedbackBytes);
  };
  const auto ran = run_agent(call, stop);
  Verdict verdict;
  if (!ran) {
    verdict.kind = Verdict::Kind::not_run;
    verdict.why = ran.error().message;
    return verdict;
  }
  verdict.stop_signal = ran->stop_signal;
  if (ran->end == AgentEnd::stopped || ran->end == AgentEnd::unwanted) return verdict;
  if (const auto why = why_it_did_not_run(*ran)) {
    verdict.kind = Verdict::Kind::not_run;
    verdict.why = *why;
    return verdict;
  }
  const bool approved = ran->end == AgentEnd::exited && ran->exit_code == 0;
  verdict.kind = approved ? Verdict::Kind::approved : Verdict::Kind::rejected;
  verdict.feedback = feedback_of(printed, *ran);
  return verdict;
}

Result<Verdict> verify(Engine& engine, const Request& request, const Claimed& claimed, const Verifier& verifier,
                       StopSignals& stop) {
  PAWL_ASSIGN(const Record asked, begin(engine, request, claimed));
  PAWL_ASSIGN(Verdict verdict, ask(claimed, verifier, stop));
  if (verdict.kind == Verdict::Kind::none || verdict.kind == Verdict::Kind::not_run) return verdict;
  const bool approved = verdict.kind == Verdict::Kind::approved;
  const loop::AttemptVerification attempt{verdict.feedback, approved, claimed.max_attempts};
  const auto write_down = [&](const RecordId& verification) {
    return loop::change_this(
        engine, request, loop::verification_shape(), verification,
        [&](const Record& current, const Now& now) { return loop::decide(current, attempt, now); });
  };
  auto changed = write_down(asked.id);
  if (!changed && changed.error().code == ErrorCode::not_found) {
    // It has ended with its loop, and nobody waits for the answer; or its file was taken away, perhaps by the check
    // itself. Then the loop still asks, and the answer is written into another one.
    PAWL_ASSIGN(const bool asks, goes_on(engine, claimed.loop));
    if (!asks) return Verdict{};
    Claimed again = claimed;
    again.made = std::max(claimed.made, integer_or(asked.doc, "verification_attempts"));
    PAWL_ASSIGN(const Record another, begin(engine, request, again));
    changed = write_down(another.id);
  }
  PAWL_ASSIGN(const loop::Changed attempted, changed);
  verdict.exhausted = loop::is_exhausted(attempted.record.status);
  verdict.attempts = integer_or(attempted.record.doc, "verification_attempts");
  verdict.max_attempts = loop::max_attempts(attempted.record.doc);
  return verdict;
}

}  // namespace pawl

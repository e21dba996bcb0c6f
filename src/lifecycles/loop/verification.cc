#include "lifecycles/loop/verification.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/digest.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kPending = "pending";
constexpr std::string_view kApproved = "approved";
constexpr std::string_view kExhausted = "exhausted";

constexpr std::string_view kCheckFolder = "check-";

constexpr std::array kStatuses = {Status{kPending}, Status{kApproved, true}, Status{kExhausted, true}};

constexpr std::array kMoves = {
    // None begins as approved: that a file says so from its first word on shows nothing.
    Move{kAbsent, kPending},
    Move{kAbsent, kExhausted},
    Move{kPending, kPending},
    Move{kPending, kApproved},
    Move{kPending, kExhausted},
    // The same claim again: the seed's file has nothing that tells it from the first. Never from exhausted to approved.
    Move{kApproved, kPending, MoveKind::reopening, "verify again"},
    Move{kExhausted, kPending, MoveKind::reopening, "verify again"},
    Move{kPending, kAbsent, MoveKind::removal, "clear"},
    Move{kApproved, kAbsent, MoveKind::removal, "clear"},
    Move{kExhausted, kAbsent, MoveKind::removal, "clear"},
};

constexpr Machine kMachine{kVerification, "a verification", kStatuses, kMoves, {}, {}, {}, kPending};
static_assert(!check(kMachine));

constexpr std::array<std::string_view, 3> kFiles = {"ralph-verification.json", "ralph-verification-state.json",
                                                    "verification-state.json"};

bool ran_out(const Json& object) { return integer_or(object, "verification_attempts") >= max_attempts(object); }

std::string status_in(const Json& object) {
  const auto pending = object.find("pending");
  const auto verdict = object.find("architect_approved");
  const bool denied = verdict != object.end() && verdict->is_boolean() && !verdict->get<bool>();
  if (pending == object.end() || pending->is_null()) {
    // What does not say that it was approved was not.
    if (verdict != object.end() && verdict->is_boolean() && verdict->get<bool>()) return std::string(kApproved);
  } else if (!pending->is_boolean() || (!pending->get<bool>() && denied)) {
    return to_line(*pending);
  } else if (!pending->get<bool>()) {
    return std::string(kApproved);
  }
  return std::string(ran_out(object) || string_or(object, "status") == kExhausted ? kExhausted : kPending);
}

bool flag_for(std::string_view status) { return status != kApproved; }

// The seed's file has no time in it: what is verified is then what tells one from another.
std::string start(const Json& object) {
  for (const char* member : {"requested_at", "request_id"}) {
    const auto found = object.find(member);
    if (found == object.end()) continue;
    if (std::string part = start_part(*found); !part.empty()) return part;
  }
  return digest(cat(string_or(object, "original_task"), "\n", string_or(object, "completion_claim")));
}

bool begins(const Json& doc) {
  return !says_something(doc, "requested_at") && !says_something(doc, "request_id") &&
         integer_or(doc, "verification_attempts") <= 0;
}

std::string headline(const Record& record) {
  return cat("attempt ", integer_or(record.doc, "verification_attempts"), "/", max_attempts(record.doc), ": ",
             first_text(record.doc, {"completion_claim", "original_task"}));
}

Stand stand(const Record& record) {
  const auto time = [&](const char* member) { return parse_iso_time(string_or(record.doc, member)).value_or(0); };
  const std::int64_t since = std::max(time("requested_at"), time("last_attempt_at"));
  const std::string clear = to_type(cat("pawl verify clear ", shell_word(record.id.key)), "lets it go");
  if (record.held == "false")
    return {.place = BoardPlace::needs_person,
            .why = "its file says that it is pending no more, and that it was not approved",
            .advice = to_mend(record),
            .since_ms = since};
  if (record.status == kExhausted)
    return {.place = BoardPlace::needs_person,
            .why = "the claim that the work is done was not confirmed in any attempt",
            .advice = clear,
            .since_ms = since};
  if (record.status != kPending) return {.place = BoardPlace::ended, .since_ms = since};
  return {.place = BoardPlace::waiting,
          .advice = clear,
          .since_ms = since,
          .done = integer_or(record.doc, "verification_attempts"),
          .of = max_attempts(record.doc)};
}

}  // namespace

const Machine& verification_machine() { return kMachine; }

const Shape& verification_shape() {
  static const Shape kShape{"verification-state",
                            kVerification,
                            &kMachine,
                            kFiles,
                            kPending,
                            kAbsent,
                            "verification_attempts",
                            "max_verification_attempts",
                            false,
                            status_in,
                            flag_for,
                            start,
                            begins,
                            nullptr,
                            nullptr,
                            false};
  return kShape;
}

const Lifecycle& verification_lifecycle() {
  static const KindOfLoop kKind(verification_shape(), headline, stand);
  return kKind.lifecycle();
}

bool is_exhausted(std::string_view status) { return status == kExhausted; }

bool is_unconfirmed(const Record& verification, std::string_view loop) {
  return verification.present() && verification.status != kApproved &&
         string_or(verification.doc, "request_id") == loop;
}

std::int64_t max_attempts(const Json& doc) {
  const std::int64_t most = integer_or(doc, "max_verification_attempts", kStandardAttempts);
  return most > 0 ? most : kStandardAttempts;
}

Json new_verification(const StartVerification& command) {
  const std::int64_t made = std::max<std::int64_t>(std::min(command.made, command.max_attempts - 1), 0);
  Json doc{
      {"original_task", command.task}, {"completion_claim", command.claim},
      {"verification_attempts", made}, {"max_verification_attempts", command.max_attempts},
      {"oracle_feedback", nullptr},    {"last_attempt_at", nullptr},
      {"session_id", command.session},
  };
  if (!command.request.empty()) doc["request_id"] = command.request;
  return doc;
}

std::string check_folder(std::string_view session) {
  constexpr std::size_t kMost = 200;  // in the name of a file
  return cat(kCheckFolder, session.empty() ? "nobody" : session.size() > kMost ? digest(session) : session);
}

bool is_in_check_folder(const Record& verification) {
  return verification.id.scope.starts_with(cat(kSessionsFolder, "/", kCheckFolder)) &&
         !string_or(verification.doc, "request_id").empty();
}

Result<std::optional<Change>> ended_with(const Record& verification, std::string_view loop) {
  const bool asks = verification.status == kPending || verification.status == kExhausted;
  if (!asks || string_or(verification.doc, "request_id") != loop) return std::optional<Change>();
  PAWL_ASSIGN(Change ended, moved(kMachine, verification, kAbsent, std::nullopt, "ended with its loop"));
  return std::optional(std::move(ended));
}

Result<Change> decide(const Record& current, const AttemptVerification& command, const Now& now) {
  if (!current.present())
    return fail(ErrorCode::not_found, cat("the verification ", printable(current.id.key), " is not there any more"));
  PAWL_TRY(must_not_be_held(kMachine, current));
  if (kMachine.terminal(current.status))
    return fail(ErrorCode::illegal_move, cat("the verification is ", current.status, "; no attempt is left to make"),
                "begin it again with pawl verify start");
  Json doc = current.doc;
  // oh-my-claudecode calls the oracle an architect.
  const bool architect = doc.contains("architect_feedback") && !doc.contains("oracle_feedback");
  doc["verification_attempts"] = one_more(doc, "verification_attempts");
  if (command.max_attempts > 0) doc["max_verification_attempts"] = command.max_attempts;
  doc[architect ? "architect_feedback" : "oracle_feedback"] = command.feedback;
  if (doc.contains("architect_approved")) doc["architect_approved"] = command.approved;
  doc["last_attempt_at"] = iso_time(now.wall_ms, true);
  if (command.approved) return moved(kMachine, current, kApproved, std::move(doc), "approved");
  const bool last = ran_out(doc);
  return moved(kMachine, current, last ? kExhausted : kPending, std::move(doc), last ? "exhausted" : "rejected");
}

}  // namespace pawl::loop

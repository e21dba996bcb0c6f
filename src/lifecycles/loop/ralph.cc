#include "lifecycles/loop/ralph.h"

#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "core/runner_stopped.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/promise.h"
#include "lifecycles/loop/verification.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kComplete = "complete";
constexpr std::string_view kExhausted = "exhausted";

constexpr std::string_view kCheckGate = "check";

constexpr std::array kStatuses = {
    Status{kActive},
    Status{kComplete, true, true},  // its check
    Status{kExhausted, true},
    Status{kCancelled, true},
};

// No way leads back to active. Other tools write their ends in several steps, so one end may become another.
constexpr std::array kMoves = {
    Move{kAbsent, kActive},
    Move{kAbsent, kComplete},
    Move{kAbsent, kExhausted},
    Move{kAbsent, kCancelled},
    Move{kActive, kActive},
    Move{kActive, kComplete},
    Move{kActive, kExhausted},
    Move{kActive, kCancelled},
    Move{kComplete, kExhausted, MoveKind::correction, "correct"},
    Move{kComplete, kCancelled, MoveKind::correction, "correct"},
    Move{kExhausted, kComplete, MoveKind::correction, "correct"},
    Move{kExhausted, kCancelled, MoveKind::correction, "correct"},
    Move{kCancelled, kComplete, MoveKind::correction, "correct"},
    Move{kCancelled, kExhausted, MoveKind::correction, "correct"},
    Move{kActive, kAbsent, MoveKind::removal, "clear"},
    Move{kComplete, kAbsent, MoveKind::removal, "clear"},
    Move{kExhausted, kAbsent, MoveKind::removal, "clear"},
    Move{kCancelled, kAbsent, MoveKind::removal, "clear"},
};

constexpr Machine kMachine{kRalph, "a ralph loop", kStatuses, kMoves, {}, {}, {}, kActive};
static_assert(!check(kMachine));

constexpr std::array<std::string_view, 1> kFiles = {"ralph-state.json"};

constexpr std::array kSettings = {
    SettingSpec{"loop.state_dir",
                SettingType::folder,
                "",
                "another folder in which tools keep this project's loops, as .omc is one; OMC_STATE_DIR is known",
                {},
                false,
                "OMC_STATE_DIR"},
};

std::string status_in(const Json& object) {
  if (auto word = says_active(object)) return *std::move(word);
  const std::string word = string_or(object, "status");
  if (word == kComplete || word == "completed") return std::string(kComplete);
  if (word == kCancelled || word == "canceled") return std::string(kCancelled);
  if (word == kExhausted) return word;
  if (says_something(object, "cancelled_at")) return std::string(kCancelled);
  if (says_something(object, "completed_at")) return std::string(kComplete);
  // Where no maximum stands none was reached.
  return std::string(object.contains("max_iterations") && at_maximum(object) ? kExhausted : kComplete);
}

bool flag_for(std::string_view status) { return status == kActive; }

// Whoever writes the file may be the agent that is to be checked.
std::optional<GateBeside> gate_beside(const RecordId& id) {
  return GateBeside{
      check_name(id), kComplete, kCheckGate,
      cat("it is complete when its check agrees: the agent writes the promise on a line of its own and ends\n",
          to_type(cat("pawl ralph cancel ", shell_word(id.key)), "ends it"))};
}

// One whose claims are being verified, or were and never found true, has a check, whether or not its command is known.
Result<bool> shows_gate(const RecordId& id, const KnownRecords& known) {
  PAWL_ASSIGN(const auto verifications, known.ranked(kVerification, {}, {}));
  return std::any_of(verifications.begin(), verifications.end(),
                     [&](const Record& one) { return is_unconfirmed(one, id.key); });
}

constexpr std::array<std::string_view, 3> kPrompts = {"prompt", "original_prompt", "task_description"};

std::vector<std::string> needed_texts(const Json& base, const Json& now) {
  std::vector<std::string> out;
  for (const std::string_view member : kPrompts) {
    if (prompt_of(now).empty() && !string_or(base, member).empty()) out.emplace_back(member);
  }
  constexpr std::string_view kPromise = "completion_promise";
  // One that can never be given is none.
  if (check_promise(string_or(base, kPromise)) && !check_promise(string_or(now, kPromise))) out.emplace_back(kPromise);
  return out;
}

std::string headline(const Record& record) {
  std::string line = how_far(record.doc);
  const std::string prompt = prompt_of(record.doc);
  if (!prompt.empty()) line += cat(": ", prompt.substr(0, prompt.find('\n')));
  return line;
}

Stand stand(const Record& record) {
  Stand out = stand_of_session(record, to_go_on_or_end(record));
  if (out.place == BoardPlace::running || record.status == kExhausted) {
    out.done = integer_or(record.doc, "iteration");
    out.of = max_iterations(record.doc);
  }
  // It holds no session, so an agent has to be given it.
  if (out.place == BoardPlace::running && !owner_of(record.doc)) {
    out.place = BoardPlace::next;
    out.why = "nobody drives it";
  }
  if (out.place == BoardPlace::ended) out.advice.clear();  // nothing goes on, and nothing is left to end
  if (record.status == kExhausted) {
    out.place = BoardPlace::needs_person;
    out.why = "came to its last iteration without keeping its promise";
    out.advice = cat(to_type(cat("pawl ralph start --like ", shell_word(record.id.key)), "begins it anew"), "\n",
                     to_type(cat("pawl ralph clear ", shell_word(record.id.key)), "lets it go"));
  }
  return out;
}

// No command goes on with a loop that has ended, or brings one back that was cleared. (That one end may become another
// is for files, which tools write in several steps.)
Done must_be_active(const Record& current) {
  PAWL_TRY(must_not_be_held(kMachine, current));
  if (!current.present()) return fail(ErrorCode::not_found, cat("there is no ralph ", printable(current.id.key)));
  if (is_active(current)) return done();
  return fail(ErrorCode::illegal_move,
              cat("ralph ", printable(current.id.key), " is ", current.status, "; an end is an end"),
              to_type(cat("pawl ralph start --like ", shell_word(current.id.key)), "begins the same anew"));
}

}  // namespace

const Machine& ralph_machine() { return kMachine; }

const Shape& ralph_shape() {
  static const Shape kShape{"ralph-state", kRalph,           &kMachine,  kFiles,    kActive,     kCancelled,
                            "iteration",   "max_iterations", false,      status_in, flag_for,    started_at,
                            has_no_start,  gate_beside,      shows_gate, true,      needed_texts};
  return kShape;
}

const Lifecycle& ralph_lifecycle() {
  static const KindOfLoop kKind(ralph_shape(), headline, stand, kSettings);
  return kKind.lifecycle();
}

std::string check_name(const RecordId& loop) { return cat("ralph.check:", loop.scope, ":", loop.key); }

std::string prompt_of(const Json& doc) {
  for (const std::string_view member : kPrompts) {
    if (std::string text = first_text(doc, {member}, Lines::all); !text.empty()) return text;
  }
  return {};
}

std::string promise_of(const Json& doc) {
  return doc.contains("completion_promise") ? string_or(doc, "completion_promise") : std::string(kStandardPromise);
}

std::int64_t max_iterations(const Json& doc) {
  return std::max<std::int64_t>(integer_or(doc, "max_iterations", kStandardIterations), 0);
}

bool at_maximum(const Json& doc) {
  const std::int64_t most = max_iterations(doc);
  return most > 0 && integer_or(doc, "iteration") >= most;
}

std::string how_far(std::int64_t iteration, const Json& doc) {
  const std::int64_t most = max_iterations(doc);
  return cat("iteration ", iteration, most > 0 ? cat("/", most) : std::string());
}

std::string how_far(const Json& doc) { return how_far(integer_or(doc, "iteration"), doc); }

bool is_active(const Record& record) { return record.status == kActive && !record.held && !record.aside; }

bool is_complete(std::string_view status) { return status == kComplete; }

Json new_ralph(const StartRalph& command, const Now& now) {
  const std::string time = iso_time(now.wall_ms, true);
  return Json{
      {"iteration", 0},
      {"max_iterations", command.max_iterations},
      {"completion_promise", command.promise},
      {"started_at", time},
      {"prompt", command.prompt},
      {"session_id", command.session},
      {"prd_mode", command.prd_mode},
      {"current_story_id", nullptr},
      {"last_activity_at", time},
  };
}

Result<Change> decide(const Record& current, const TickRalph& command, const Now& now) {
  PAWL_TRY(must_be_active(current));
  Json doc = current.doc;
  if (command.story) doc["current_story_id"] = *command.story;
  doc["last_activity_at"] = iso_time(now.wall_ms, true);
  if (at_maximum(doc)) return moved(kMachine, current, kExhausted, std::move(doc), "exhausted");
  doc["iteration"] = one_more(doc, "iteration");
  return moved(kMachine, current, kActive, std::move(doc), "ticked");
}

Result<Change> decide(const Record& current, const WorkOnStory& command, const Now& now) {
  PAWL_TRY(must_be_active(current));
  Json doc = current.doc;
  doc["current_story_id"] = command.story;
  doc["last_activity_at"] = iso_time(now.wall_ms, true);
  return moved(kMachine, current, kActive, std::move(doc), "works on a story");
}

Result<Change> decide(const Record& current, const LimitRalph& command, const Now& now) {
  PAWL_TRY(must_be_active(current));
  if (const std::int64_t made = integer_or(current.doc, "iteration"); command.max_iterations < made)
    return fail(ErrorCode::invalid_argument,
                cat("--max ", command.max_iterations, ": the loop has made ", made, " iterations already"),
                to_cancel(current));
  Json doc = current.doc;
  doc["max_iterations"] = command.max_iterations;
  doc["last_activity_at"] = iso_time(now.wall_ms, true);
  return moved(kMachine, current, kActive, std::move(doc), "limited");
}

Result<Change> decide(const Record& current, const LeaveRalph& command, const Now& now) {
  PAWL_TRY(must_be_active(current));
  Json doc = current.doc;
  doc["last_activity_at"] = iso_time(now.wall_ms, true);
  PAWL_ASSIGN(Change left, moved(kMachine, current, kActive, std::move(doc), kRunnerStopped));
  left.evidence = Json{{std::string(kStoppedWhy), command.why}};
  return left;
}

Result<Change> decide(const Record& current, const CompleteRalph& command, const Now& now) {
  PAWL_TRY(must_be_active(current));
  if (command.unchecked && (command.iteration || !command.record_gates))
    return fail(
        ErrorCode::gate_failed, cat("ralph ", printable(current.id.key), " is complete only when its check agrees"),
        command.iteration ? "write the promise on a line of its own and end: the check is run then"
        : command.driven
            ? cat("pawl ralph run drives it, and runs the check when its agent gives its promise\n", to_cancel(current))
            : cat("the check is run when the agent gives its promise\n", to_go_on_or_end(current)));
  Json doc = current.doc;
  if (command.iteration && *command.iteration == one_more(doc, "iteration")) doc["iteration"] = *command.iteration;
  const std::string time = iso_time(now.wall_ms, true);
  doc["last_activity_at"] = time;
  // At the maximum the file would otherwise read as exhausted.
  if (at_maximum(doc)) doc["completed_at"] = time;
  MoveRequest request;
  request.to = kComplete;
  request.doc = std::move(doc);
  request.what = "completed";
  request.record_gates = command.record_gates;
  if (command.unchecked) request.one_more_gate = kCheckGate;
  return decide_move(kMachine, current, std::move(request));
}

Result<Change> decide(const Record& current, const CancelRalph& command, const Now& now) {
  if (!current.held && kMachine.terminal(current.status))
    return fail(ErrorCode::illegal_move,
                cat("ralph ", printable(current.id.key), " is ", current.status,
                    " already; nothing is under way that could be cancelled"),
                to_type(cat("pawl ralph clear ", shell_word(current.id.key)), "takes its file away"));
  Json doc = current.doc;
  const std::string time = iso_time(now.wall_ms, true);
  doc["last_activity_at"] = time;
  doc["cancelled_at"] = time;
  if (!command.reason.empty()) doc["cancel_reason"] = command.reason;
  PAWL_ASSIGN(Change made, moved(kMachine, current, kCancelled, std::move(doc), "cancelled"));
  made.after.aside = current.aside;  // another has its file
  return made;
}

RecordId owned_id(const Record& current, std::string_view session, std::span<const Record> loops) {
  Json doc = current.doc;
  const auto owner = owner_of(doc);
  doc["session_id"] = session;
  RecordId owned{current.id.kind, current.id.scope, key_of(doc, start_in(current.id.key))};
  const std::string own = session_scope(ralph_shape(), session);
  const bool taken = std::any_of(loops.begin(), loops.end(), [&](const Record& other) {
    return other.id.scope == own && !other.aside && is_live(kMachine, other);
  });
  // A session looks in its own folder: one that was kept in the folder of the session that had it goes along.
  if (!taken && owner && current.id.scope == session_scope(ralph_shape(), *owner)) owned.scope = own;
  return owned;
}

Result<std::vector<Change>> decide(const Record& current, const Record& theirs, const OwnRalph& command,
                                   const Now& now) {
  PAWL_TRY(must_not_be_held(kMachine, current));
  if (current.status != kActive)
    return fail(ErrorCode::illegal_move, cat("ralph ", printable(current.id.key), " is ", current.status,
                                             "; only an active loop can be taken over"));
  if (is_owned_by(current.doc, command.session))
    return fail(ErrorCode::already_exists, cat("the loop is session ", command.session, "'s already"));
  Json doc = current.doc;
  doc["session_id"] = command.session;
  doc["last_activity_at"] = iso_time(now.wall_ms, true);
  PAWL_ASSIGN(Change left, moved(kMachine, current, kAbsent, std::nullopt, "handed over"));
  PAWL_ASSIGN(Change taken, moved(kMachine, theirs, kActive, std::move(doc), "taken over"));
  return std::vector{std::move(left), std::move(taken)};
}

}  // namespace pawl::loop

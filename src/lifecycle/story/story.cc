#include "lifecycle/story/story.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lifecycle/story/prd_file.h"
#include "lifecycle/story/rank.h"

namespace pawl::story {
namespace {

constexpr std::int64_t kNoPriority = 999;
constexpr std::int64_t kLongestPauseMs = std::int64_t{24} * 60 * 60 * 1000;

constexpr std::array kStatuses = {Status{kPending},      Status{kCommitted},     Status{kPushed},
                                  Status{kMerged, true}, Status{kSkipped, true}, Status{kInvalid, true}};

// The seed's six, and a person's way back.
constexpr std::array kMoves = {
    Move{kAbsent, kPending},
    Move{kPending, kCommitted, MoveKind::forward, "", {kCriteria}},
    Move{kPending, kSkipped, MoveKind::forward, "", {kDuplicate}},
    Move{kCommitted, kPushed, MoveKind::forward, "", {kPublished}},
    Move{kPushed, kPushed, MoveKind::forward, "", {kCriteria}},
    Move{kPushed, kMerged, MoveKind::forward, "", {kMergedGate}},
    Move{kPushed, kInvalid, MoveKind::forward, "", {kClosed}},
    Move{kCommitted, kPending, MoveKind::forward, "reset", {"reason"}},
    Move{kPushed, kPending, MoveKind::forward, "reset", {"reason"}},
    Move{kMerged, kPending, MoveKind::reopening, "reset", {"reason"}},
    Move{kSkipped, kPending, MoveKind::reopening, "reset", {"reason"}},
    Move{kInvalid, kPending, MoveKind::reopening, "reset", {"reason"}},
    Move{kPending, kAbsent, MoveKind::removal, "drop"},
    Move{kCommitted, kAbsent, MoveKind::removal, "drop"},
    Move{kPushed, kAbsent, MoveKind::removal, "drop"},
    Move{kMerged, kAbsent, MoveKind::removal, "drop"},
    Move{kSkipped, kAbsent, MoveKind::removal, "drop"},
    Move{kInvalid, kAbsent, MoveKind::removal, "drop"},
};
constexpr Machine kMachine{"story", "a story", kStatuses, kMoves, {"reason"}};
static_assert(!check(kMachine));

constexpr std::array kTwo = {Status{kPending}, Status{kPassed, true}};
constexpr std::array kTwoMoves = {
    Move{kAbsent, kPending},
    Move{kPending, kPassed, MoveKind::forward, "", {kCriteria}},
    Move{kPassed, kPending, MoveKind::reopening, "reset", {"reason"}},
    Move{kPending, kAbsent, MoveKind::removal, "drop"},
    Move{kPassed, kAbsent, MoveKind::removal, "drop"},
};
constexpr Machine kPassesMachine{"passes", "a story that passes or does not", kTwo, kTwoMoves, {"reason"}};
static_assert(!check(kPassesMachine));

constexpr std::array<std::string_view, 2> kOrders = {"seed", "new-work-before-waiting"};
constexpr std::array kSettings = {
    SettingSpec{"story.file", SettingType::text, "", "where the stories are, if not at one of the known places"},
    SettingSpec{"story.order", SettingType::choice, "seed", "which work comes first", kOrders},
    SettingSpec{"story.recheck", SettingType::duration, "10m", "how long a story that waits is left alone"},
    SettingSpec{"story.shell", SettingType::boolean, "false", "checks are a shell's commands", {}, true},
    SettingSpec{"story.check_timeout", SettingType::duration, "30m", "a check that takes longer is ended"},
};

std::string headline(const Record& record) {
  std::string line = title_of(record.doc);
  if (const Own own = own_of(record.doc); !own.stuck.empty()) line += cat(" (stuck: ", own.stuck, ")");
  return line;
}

Result<Change> moved(const Record& current, MoveRequest request) {
  return decide_move(machine_of(current), current, std::move(request));
}

Json with_reason(const std::string& reason) { return reason.empty() ? Json::object() : Json{{"reason", reason}}; }

Change changed(const Record& current, Json doc, std::string what) {
  Change change{current, current, std::move(what), Json(), false};
  change.after.doc = std::move(doc);
  return change;
}

Done must_be_there(const Record& current) {
  if (current.present()) return done();
  return fail(ErrorCode::not_found, cat("there is no story ", printable(current.id.key)), "pawl story list shows them");
}

}  // namespace

const Machine& machine() { return kMachine; }
const Machine& passes_machine() { return kPassesMachine; }
const Machine& machine_of(const Record& record) { return record.id.kind == kPasses ? kPassesMachine : kMachine; }
bool is_story(std::string_view kind) { return kind == kKind || kind == kPasses; }

// Both kinds show in one file.
const Lifecycle& lifecycle() {
  static const std::array<const MirrorFormat*, 1> kFormats = {&prd_file()};
  static const Lifecycle kLifecycle{kKind, &kMachine, kSettings, kFormats, rank, headline};
  return kLifecycle;
}

const Lifecycle& passes_lifecycle() {
  static const std::array<const MirrorFormat*, 1> kFormats = {&prd_file()};
  static const Lifecycle kLifecycle{kPasses, &kPassesMachine, {}, kFormats, rank, headline};
  return kLifecycle;
}

std::int64_t priority_of(const Json& doc) {
  return std::clamp<std::int64_t>(integer_or(doc, "priority", kNoPriority), 0, 9'999'999'999);
}

std::string title_of(const Json& doc) {
  const std::string title = string_or(doc, "title");
  return title.substr(0, title.find('\n'));
}

Own own_of(const Json& doc) {
  Own own;
  const auto found = doc.is_object() ? doc.find(kOwn) : doc.end();
  if (found == doc.end() || !found->is_object()) return own;
  own.looked_ms = integer_or(*found, "looked_ms");
  own.due_ms = integer_or(*found, "due_ms");
  own.failures = integer_or(*found, "failures");
  own.stuck = string_or(*found, "stuck");
  if (const auto checks = found->find("checks"); checks != found->end()) own.checks = *checks;
  return own;
}

void set_own(Json& doc, const Own& own) {
  Json value = Json::object();
  if (own.looked_ms != 0) value["looked_ms"] = own.looked_ms;
  if (own.due_ms != 0) value["due_ms"] = own.due_ms;
  if (own.failures != 0) value["failures"] = own.failures;
  if (!own.stuck.empty()) value["stuck"] = own.stuck;
  if (!own.checks.empty()) value["checks"] = own.checks;
  if (value.empty()) {
    doc.erase(std::string(kOwn));
  } else {
    doc[std::string(kOwn)] = std::move(value);
  }
}

Json shown_doc(const Json& doc) {
  Json shown = doc;
  shown.erase(std::string(kOwn));
  return shown;
}

Result<Change> decide(const Record& current, const MoveStory& command, const Now&) {
  PAWL_TRY(must_be_there(current));
  if (current.held)
    return fail(ErrorCode::illegal_move,
                cat("story ", printable(current.id.key), " says “", printable(*current.held), "”, which is no status"),
                cat("a person gives it one: pawl story fix ", printable(current.id.key), " STATUS --reason R"));
  Json doc = current.doc;
  if (command.branch) doc["branchName"] = *command.branch;
  if (command.pr) doc["prNumber"] = *command.pr;
  if (command.pr_url) doc["prUrl"] = *command.pr_url;
  // Whoever has just pushed waits for somebody else.
  if (command.to == kPushed) doc["lastActivityBy"] = "bot";
  Own own = own_of(doc);
  own.due_ms = own.failures = 0;
  own.stuck.clear();
  set_own(doc, own);
  Json evidence = command.evidence;
  if (!command.reason.empty()) evidence["reason"] = command.reason;
  return moved(current, {command.to, std::move(doc), "moved", std::move(evidence), command.record_gates});
}

Result<Change> decide(const Record& current, const NoteActivity& command, const Now&) {
  PAWL_TRY(must_be_there(current));
  if (current.status != kPushed)
    return fail(ErrorCode::illegal_move, cat("story ", printable(current.id.key), " is ", current.status,
                                             "; who went last is known only of one that is pushed"));
  Json doc = current.doc;
  doc["lastActivityBy"] = command.by;
  Own own = own_of(doc);
  if (command.by == "reviewer") own.due_ms = 0;  // somebody waits
  set_own(doc, own);
  return changed(current, std::move(doc), cat("activity by ", command.by));
}

Result<Change> decide(const Record& current, const ResetStory& command) {
  PAWL_TRY(must_be_there(current));
  Json doc = current.doc;
  doc.erase(std::string(kOwn));
  return moved(current, {std::string(kPending), std::move(doc), "reset", with_reason(command.reason), false});
}

Result<Change> decide(const Record& current, const FixStory& command) {
  PAWL_TRY(must_be_there(current));
  if (!current.held)
    return fail(ErrorCode::illegal_move,
                cat("story ", printable(current.id.key), " is ", current.status, "; there is nothing to fix"),
                "pawl story reset takes one back to pending");
  return moved(current, {command.to, std::nullopt, "fixed", with_reason(command.reason), false});
}

Result<Change> decide(const Record& current, const DropStory& command) {
  PAWL_TRY(must_be_there(current));
  Json evidence = with_reason(command.reason);
  if (current.held) evidence["reason"] = command.reason.empty() ? "dropped" : command.reason;
  return moved(current, {std::string(kAbsent), std::nullopt, "dropped", std::move(evidence), false});
}

Result<Change> decide(const Record& current, const PauseStory& command) {
  PAWL_TRY(must_be_there(current));
  Json doc = current.doc;
  Own own = own_of(doc);
  own.stuck = command.reason.empty() ? "paused" : command.reason;
  set_own(doc, own);
  return changed(current, std::move(doc), "paused");
}

Result<Change> decide(const Record& current, const RetryStory&) {
  PAWL_TRY(must_be_there(current));
  Json doc = current.doc;
  Own own = own_of(doc);
  own.stuck.clear();
  own.due_ms = own.failures = 0;
  set_own(doc, own);
  return changed(current, std::move(doc), "released");
}

Result<Change> decide(const Record& current, const AddStory& command) {
  if (current.present())
    return fail(ErrorCode::already_exists, cat("there is a story ", printable(current.id.key), " already"));
  Json doc = Json::object();
  doc["id"] = command.id;
  doc["title"] = command.title;
  if (!command.description.empty()) doc["description"] = command.description;
  doc["acceptanceCriteria"] = command.criteria;
  if (command.priority) doc["priority"] = *command.priority;
  return moved(current, {std::string(kPending), std::move(doc), "added", Json::object(), false});
}

Change decide(const Record& current, const LookAtStory& command, const Now& now) {
  Json doc = current.doc;
  Own own = own_of(doc);
  own.looked_ms = now.wall_ms;
  own.due_ms = tier_of(current) == Tier::waiting ? now.wall_ms + command.recheck_ms : 0;
  set_own(doc, own);
  return changed(current, std::move(doc), "looked at");
}

Change decide(const Record& current, const FailStory& command, const Now& now) {
  Json doc = current.doc;
  Own own = own_of(doc);
  ++own.failures;
  const std::int64_t doublings = std::min<std::int64_t>(own.failures - 1, 20);
  own.due_ms = now.wall_ms + std::min(command.first_pause_ms << doublings, kLongestPauseMs);
  if (own.failures >= command.most_failures) own.stuck = cat("failed ", own.failures, " times");
  set_own(doc, own);
  Change change = changed(current, std::move(doc), own.stuck.empty() ? "failed" : "gave up");
  change.evidence = Json{{"failures", own.failures}, {"output", command.why}};
  return change;
}

}  // namespace pawl::story

// What each command makes of a story.
#include <algorithm>

#include "base/text.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/rank.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::int64_t kLongestPauseMs = std::int64_t{24} * 60 * 60 * 1000;

Result<Change> moved(const Record& current, MoveRequest request) {
  return decide_move(machine_of(current), current, std::move(request));
}

Json with_reason(const std::string& reason) { return reason.empty() ? Json::object() : Json{{"reason", reason}}; }

Json by_a_person(const std::string& who, const std::string& reason) {
  Json evidence = with_reason(reason);
  evidence[std::string(kPersonGate)] = who;
  return evidence;
}

Change changed(const Record& current, Json doc, std::string what) {
  Change change{current, current, std::move(what), Json(), false};
  change.after.doc = std::move(doc);
  return change;
}

std::string name_of(const Record& record) { return cat("story ", printable(record.id.key)); }

Done must_have_a_status(const Record& current) {
  if (!current.held) return done();
  if (has_id_trouble(current))
    return fail(ErrorCode::illegal_move, cat(name_of(current), " has no id of its own ", printable(*current.held)),
                "give it one in its file");
  return fail(ErrorCode::illegal_move, cat(name_of(current), " ", why_held(machine_of(current), *current.held)),
              cat("pawl story fix ", as_typed(current.id.key), " STATUS --reason R  # a person gives it one"));
}

// The move, and for a move that is not in the table the refusal that names those that are.
Result<const Move*> move_to(const Record& current, const MoveStory& command) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  const Machine& machine = machine_of(current);
  if (machine.status(command.to) == nullptr) return tl::unexpected(unknown_status(machine, command.to));
  const Move* const move = machine.move(current.status, command.to);
  if (move != nullptr && !move->needs(kPersonGate)) return move;
  const bool same = current.status == command.to;
  return fail(ErrorCode::illegal_move,
              cat(name_of(current), " is ", current.status, same ? " already" : " and cannot become ",
                  same ? std::string() : command.to),
              cat("from ", current.status, " it can become ", legal_moves(machine, current)));
}

void keep_what_was_brought(Json& doc, const MoveStory& command) {
  if (command.branch) {
    doc["branchName"] = *command.branch;
  } else if (const auto checked = command.evidence.find(kCriteria);
             checked != command.evidence.end() && command.to == kCommitted && string_or(doc, "branchName").empty()) {
    // What was checked is what is pushed.
    const std::string branch = string_or(*checked, "branch");
    const bool shared = checked->contains("shared");  // nobody's own: what others' work goes into
    if (!shared && is_branch_name(branch) && !string_or(*checked, "commit").empty()) doc["branchName"] = branch;
  }
  if (command.pr && command.to != kSkipped) doc["prNumber"] = *command.pr;  // there it is the other one's
  if (command.pr_url) doc["prUrl"] = *command.pr_url;
  if (const auto published = command.evidence.find(kPublished); published != command.evidence.end()) {
    if (const std::int64_t pr = integer_or(*published, "pr"); pr > 0 && !command.pr) doc["prNumber"] = pr;
    if (const std::string url = string_or(*published, "url"); !url.empty() && !command.pr_url) doc["prUrl"] = url;
  }
  if (command.to == kSkipped && !command.reason.empty()) doc["skipReason"] = command.reason;
  // Whoever has just pushed waits for somebody else.
  if (command.to == kPushed) doc["lastActivityBy"] = "bot";
}

// Of one that is there already, unverified, and does not move by staying: the move that it made.
const Move* way_made(const Record& current, std::string_view to, bool unverified) {
  const Machine& machine = machine_of(current);
  if (!unverified || current.held || current.status != to || machine.move(to, to) != nullptr) return nullptr;
  const auto found = std::find_if(machine.moves.begin(), machine.moves.end(), [&](const Move& move) {
    return move.to == to && move.name.empty() && !move.gates[0].empty();
  });
  return found == machine.moves.end() ? nullptr : &*found;
}

// It came to its status without what that needs. Here it is: nothing moves, and the mark goes (core/decide.h).
template <class Gates>
Result<Change> show_after_all(const Record& current, const MoveStory& command, const Gates& gates) {
  Change change = changed(current, current.doc, "shown");
  change.evidence = with_reason(command.reason);
  for (const std::string_view gate : gates) {
    if (gate.empty()) continue;
    const std::string name(gate);
    Verdict verdict = judge(gate, current, command.evidence.value(name, Json()));
    if (!verdict.met)
      return fail(ErrorCode::gate_failed,
                  cat(name_of(current), " is ", current.status, " already, unverified: ", verdict.lacks), verdict.hint);
    change.evidence[name] = std::move(verdict.evidence);
  }
  return change;
}

}  // namespace

Error no_such_story(std::string_view key) {
  return {ErrorCode::not_found, cat("there is no story ", printable(key)), "pawl story list shows them"};
}

Done must_be_there(const Record& current) {
  if (current.present() && !current.aside) return done();
  if (current.present())
    return fail(ErrorCode::not_found, cat(name_of(current), " is set aside: its file does not show it any more"),
                cat("pawl log ", as_typed(current.id.ref()),
                    " tells when; pawl undo with the number of that operation brings it back"));
  return tl::unexpected(no_such_story(current.id.key));
}

bool has_id_trouble(const Record& record) { return record.held && record.held->starts_with('('); }

std::vector<std::string_view> gates_before(const Record& current, std::string_view to, bool unverified) {
  std::vector<std::string_view> gates;
  const Move* move = current.held ? nullptr : machine_of(current).move(state_of(current), to);
  if (const Move* const made = way_made(current, to, unverified)) move = made;
  if (move == nullptr) return gates;
  for (const std::string_view gate : move->gates) {
    if (!gate.empty()) gates.push_back(gate);
  }
  return gates;
}

Result<Change> decide(const Record& current, const MoveStory& command, const Now&) {
  if (const Move* const made = way_made(current, command.to, command.unverified))
    return show_after_all(current, command, made->gates);
  PAWL_ASSIGN(const Move* const move, move_to(current, command));
  // One that stays where it is by a move of its own has not shown with that what the move before it lacked.
  const bool doubted = command.unverified && current.status == command.to && !command.lacked.empty();
  if (doubted) {
    auto shown = show_after_all(current, command, command.lacked);
    if (shown) return shown;
  }
  if (command.branch && !is_branch_name(*command.branch))
    return fail(ErrorCode::invalid_argument,
                cat("“", printable(command.branch->substr(0, 80)), "” cannot be the name of a branch"));
  Json doc = current.doc;
  keep_what_was_brought(doc, command);
  Own own = own_of(doc);
  release(own);
  set_own(doc, own);

  Json evidence = with_reason(command.reason);
  Json lacked = Json::object();
  Json missing = Json::array();  // still
  std::vector<std::string_view> gates(move->gates.begin(), move->gates.end());
  if (doubted) {
    std::copy_if(command.lacked.begin(), command.lacked.end(), std::back_inserter(gates),
                 [&](const std::string& gate) { return !move->needs(gate); });
  }
  for (const std::string_view gate : gates) {
    if (gate.empty()) continue;
    const std::string name(gate);
    Verdict verdict = judge(gate, current, command.evidence.value(name, Json()));
    if (verdict.met) {
      evidence[name] = std::move(verdict.evidence);
      continue;
    }
    if (!move->needs(gate)) missing.push_back(name);
    if (!command.record_gates && move->needs(gate))
      return fail(ErrorCode::gate_failed,
                  cat(name_of(current), " is ", current.status, "; to become ", command.to, " it needs “", gate, "” (",
                      machine_of(current).words_of(gate), "): ", verdict.lacks),
                  cat("from ", current.status, " it can become ", legal_moves(machine_of(current), current),
                      verdict.hint.empty() ? "" : "\n  ", verdict.hint));
    lacked[name] = verdict.lacks;
    if (!verdict.evidence.is_null()) evidence["seen"][name] = std::move(verdict.evidence);
  }
  if (!lacked.empty()) evidence["lacked"] = std::move(lacked);
  PAWL_ASSIGN(Change change,
              moved(current, {command.to, std::move(doc), "moved", std::move(evidence), command.record_gates}));
  for (Json& gate : missing) {
    change.unverified = true;
    change.evidence["missing"].push_back(std::move(gate));
  }
  return change;
}

Result<Change> decide(const Record& current, const NoteActivity& command, const Now&) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  if (current.status != kPushed)
    return fail(ErrorCode::illegal_move,
                cat(name_of(current), " is ", current.status, "; who went last is known only of one that is pushed"),
                cat("from ", current.status, " it can become ", legal_moves(machine_of(current), current)));
  Json doc = current.doc;
  doc["lastActivityBy"] = command.by;
  Own own = own_of(doc);
  if (command.by == "reviewer") own.due_ms = 0;  // somebody waits
  set_own(doc, own);
  return changed(current, std::move(doc), cat("activity by ", command.by));
}

Result<Change> decide(const Record& current, const ResetStory& command) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  if (current.status == kPending) {
    const std::string id = as_typed(current.id.key);
    return fail(ErrorCode::illegal_move, cat(name_of(current), " is pending already"),
                note_of(current.doc).branch.empty()
                    ? cat("pawl story retry ", id, "  # lets a worker pick it again")
                    : cat("pawl story cleanup ", id, " --force  # begins it anew: worktree and branch go, what is on ",
                          "them is kept under refs/pawl"));
  }
  Json doc = current.doc;
  // What reviewers were answered stays answered, and its branch is its own still.
  BotNote before = note_of(doc), kept;
  kept.answered = std::move(before.answered);
  kept.branch = std::move(before.branch);
  if (!kept.branch.empty()) kept.base = command.at;  // who adds nothing to it has changed nothing
  doc.erase(std::string(kOwn));
  set_note(doc, kept);
  return moved(current, {std::string(kPending), std::move(doc), "reset", by_a_person(command.by, command.reason)});
}

Result<Change> decide(const Record& current, const ForgetWork&) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  Json doc = current.doc;
  BotNote kept;
  kept.answered = note_of(doc).answered;
  doc.erase(std::string(kOwn));
  set_note(doc, kept);
  return changed(current, std::move(doc), "begun anew");
}

Result<Change> decide(const Record& current, const FixStory& command) {
  PAWL_TRY(must_be_there(current));
  if (!current.held)
    return fail(ErrorCode::illegal_move, cat(name_of(current), " is ", current.status, "; there is nothing to fix"),
                cat("pawl story reset ", as_typed(current.id.key), " --reason R  # takes it back to pending"));
  if (has_id_trouble(current)) PAWL_TRY(must_have_a_status(current));
  return moved(current, {command.to, std::nullopt, "fixed", by_a_person(command.by, command.reason)});
}

Result<Change> decide(const Record& current, const DropStory& command) {
  PAWL_TRY(must_be_there(current));
  return moved(current, {std::string(kAbsent), std::nullopt, "dropped", by_a_person(command.by, command.reason)});
}

Result<Change> decide(const Record& current, const PauseStory& command) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  if (machine_of(current).terminal(current.status))
    return fail(ErrorCode::illegal_move,
                cat(name_of(current), " is ", current.status, ": it has ended, and nobody picks it"));
  Json doc = current.doc;
  Own own = own_of(doc);
  set_stuck(own, Stuck::paused, command.reason.empty() ? "paused" : cat("paused: ", command.reason));
  set_own(doc, own);
  Change change = changed(current, std::move(doc), "paused");
  if (!command.reason.empty()) change.evidence = with_reason(command.reason);
  return change;
}

Result<Change> decide(const Record& current, const RetryStory&) {
  PAWL_TRY(must_be_there(current));
  PAWL_TRY(must_have_a_status(current));
  Json doc = current.doc;
  Own own = own_of(doc);
  release(own);
  set_own(doc, own);
  return changed(current, std::move(doc), "released");
}

Result<Change> decide(const Record& current, const AddStory& command) {
  if (current.present() && !current.aside)
    return fail(ErrorCode::already_exists, cat("there is a ", name_of(current), " already"));
  Json doc = Json::object();
  doc["id"] = command.id;
  doc["title"] = command.title;
  if (!command.description.empty()) doc["description"] = command.description;
  doc["acceptanceCriteria"] = command.criteria;
  if (command.priority) doc["priority"] = *command.priority;
  Record before = current;  // one that was set aside is begun anew
  before.status.clear();
  before.held.reset();
  before.aside = false;
  PAWL_ASSIGN(Change change, moved(before, {std::string(kPending), std::move(doc), "added", Json::object()}));
  change.before = current;
  return change;
}

Change decide(const Record& current, const LookAtStory& command, const Now& now) {
  Json doc = current.doc;
  Own own = own_of(doc);
  own.looked_ms = now.wall_ms;
  put_off(own, current, tier_of(current) == Tier::waiting ? now.wall_ms + command.recheck_ms : 0);
  set_own(doc, own);
  return changed(current, std::move(doc), std::string(kLookedAt));
}

Change decide(const Record& current, const FailStory& command, const Now& now) {
  Json doc = current.doc;
  Own own = own_of(doc);
  ++own.failures;
  const std::int64_t doublings = std::min<std::int64_t>(own.failures - 1, 20);
  put_off(own, current, now.wall_ms + std::min(command.first_pause_ms << doublings, kLongestPauseMs));
  const bool given_up = own.failures >= command.most_failures;
  if (given_up) set_stuck(own, Stuck::failed, cat("failed ", own.failures, " times"));
  set_own(doc, own);
  Change change = changed(current, std::move(doc), given_up ? "gave up" : "failed");
  change.evidence = Json{{"failures", own.failures}, {"output", command.why}};
  return change;
}

}  // namespace pawl::story

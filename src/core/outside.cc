#include "core/outside.h"

#include "base/json_same.h"
#include "base/text.h"

namespace pawl {
namespace {

// `doc` with what differs between `base` and `now` applied to it.
Json merged(const Json& doc, const Json& base, const Json& now) {
  Json out = doc;
  for (const auto& [key, value] : now.items()) {
    const auto old = base.find(key);
    if (old == base.end() || !same_value(*old, value)) out[key] = value;
  }
  for (const auto& [key, value] : base.items()) {
    if (!now.contains(key)) out.erase(key);
  }
  return out;
}

// As `from` has it, which may be not at all.
void take_member(const Json& from, const std::string& name, Json& into) {
  if (const auto found = from.find(name); found != from.end()) {
    into[name] = *found;
  } else {
    into.erase(name);
  }
}

std::string value_in(const Json& doc, const std::string& member) {
  const auto found = doc.find(member);
  return found == doc.end() ? std::string("nothing") : to_line(*found);
}

// Why a file's word alone is not enough for a move, where the format knows; and what looks for the rest.
void say_what_lacks(const Machine& machine, const MirrorFormat& format, const Record& record,
                    const MoveRequest& request, Error& refused) {
  const Move* const move = record.held ? nullptr : machine.move(state_of(record), request.to);
  if (move == nullptr) return;
  for (const std::string_view gate : move->gates) {
    if (gate.empty() || request.evidence.contains(std::string(gate))) continue;
    const std::string lacks = format.lacks(record, gate);
    const std::string command = lacks.empty() ? std::string() : format.moved_by(record, request.to);
    if (!lacks.empty()) refused.message += cat(" (", lacks, ")");
    if (!command.empty()) refused.hint = cat(command, "  # looks for that, and moves it");
    return;
  }
}

}  // namespace

// What the ways to a status take, each once.
Json gates_into(const Machine& machine, std::string_view status) {
  Json out = Json::array();
  for (const Move& move : machine.moves) {
    if (move.to != status || !move.name.empty()) continue;
    for (const std::string_view gate : move.gates) {
      if (!gate.empty() && std::find(out.begin(), out.end(), gate) == out.end()) out.push_back(gate);
    }
  }
  return out;
}

void take_over_edit(const Lifecycle& lifecycle, const MirrorFormat& format, const Record& record, const Shown& base,
                    const Shown& now, const OutsideRules& rules, TakenOver& out) {
  // A file that shows a part is compared with what it showed itself; what it did not show it does not take away.
  Json doc = merged(record.doc, now.whole || !base.whole ? base.doc : Json::object(), now.doc);
  const Json before = record.doc;
  if (!rules.by_git || !format.goes_back_by_git()) {
    format.keep_counting(record, doc);
    for (RefusedMember& one : format.refused_members(record, base.doc, now.doc)) {
      out.refusals.push_back(
          {record.id, value_in(now.doc, one.name), value_in(before, one.name), std::move(one.why), false, one.name});
      take_member(before, one.name, doc);
    }
  }
  const bool status_edited =
      (now.whole || now.status) && base.status != now.status && now.status != record.held.value_or(record.status);
  // A person who takes the file as it is gives a held one the status that stands there.
  const bool released =
      record.held && !rules.accepted_by.empty() && now.status && lifecycle.machine->status(*now.status) != nullptr;

  if (status_edited || released) {
    MoveRequest request;
    request.to = now.status.value_or("");
    request.doc = doc;
    request.what = "edited outside";
    request.evidence = now.evidence.is_object() ? now.evidence : Json::object();
    const bool one_more = rules.beside && rules.beside->to == request.to;
    request.record_gates = rules.record_gates || (!rules.accepted_by.empty() && !one_more);
    if (one_more) request.one_more_gate = rules.beside->gate;
    if (!rules.accepted_by.empty()) {
      request.evidence["reason"] = cat("taken over as it is by ", rules.accepted_by);
      request.evidence[std::string(kPersonGate)] = rules.accepted_by;
    }
    Result<Change> moved = request.to == kAbsent
                               ? Result<Change>(tl::unexpected(unknown_in_file(*lifecycle.machine, kAbsent)))
                               : decide_move(*lifecycle.machine, record, request);
    if (!moved && rules.by_git && moved.error().code == ErrorCode::illegal_move && now.status &&
        lifecycle.machine->status(*now.status) != nullptr && format.admits(record, now)) {
      Change stands{record, record, std::string(kAsItStands), {{"reason", request.evidence["reason"]}}, false};
      stands.after.status = *now.status;
      stands.after.held.reset();
      stands.after.doc = doc;
      if (Json gates = gates_into(*lifecycle.machine, stands.after.status); !gates.empty()) {
        stands.unverified = true;  // nobody has shown what leads there
        stands.evidence["missing"] = std::move(gates);
      }
      moved = std::move(stands);
    }
    if (moved) {
      const Json missing = moved->unverified ? moved->evidence.value("missing", Json::array()) : Json::array();
      for (const Json& gate : missing) {
        const std::string name = gate.get<std::string>();
        if (std::string lacks = format.lacks(record, name); !lacks.empty())
          moved->evidence["lacked"][name] = std::move(lacks);
      }
      out.changes.push_back(std::move(*moved));
      return;
    }
    if (lifecycle.machine->status(request.to) == nullptr)
      moved.error() = unknown_in_file(*lifecycle.machine, now.status.value_or(""));
    if (moved.error().code == ErrorCode::gate_failed) {
      if (one_more) {
        moved.error().hint = rules.beside->hint;
      } else {
        say_what_lacks(*lifecycle.machine, format, record, request, moved.error());
      }
    }
    out.refusals.push_back(
        {record.id, now.status.value_or(""), record.held.value_or(record.status), std::move(moved.error())});
    for (const std::string& name : rules.left_standing ? std::vector<std::string>() : format.members_of_status())
      take_member(before, name, doc);
    for (const std::string& name : format.written_by_moves()) {
      const auto is = doc.find(name);
      if (is == doc.end() || is->is_null()) take_member(before, name, doc);
    }
  }
  // The order of members is the file's, and no change of what it says.
  if (same_value(record.doc, doc)) return;
  Change change{record, record, "edited outside", Json(), false};
  change.after.doc = doc;
  out.changes.push_back(std::move(change));
}

std::string unverified_in_words(const Change& made) {
  std::string gates;
  const Json evidence = made.evidence.is_object() ? made.evidence : Json::object();
  const Json lacked = evidence.value("lacked", Json::object());
  for (const Json& gate : evidence.value("missing", Json::array())) {
    const std::string name = gate.is_string() ? gate.get<std::string>() : to_line(gate);
    const std::string what = string_or(lacked, name);
    gates += cat(gates.empty() ? "" : ", ", "“", printable(name), "”", what.empty() ? "" : " (", printable(what),
                 what.empty() ? "" : ")");
  }
  return cat(printable(made.after.id.ref()), " is ", made.after.held.value_or(made.after.status),
             " now, unverified: nothing shows ", gates);
}

Change adopt(const Lifecycle& lifecycle, const Record& before, const Shown& now, bool believed) {
  Change change{before, before, "adopted", Json(), false};
  change.after.doc = now.doc;
  change.after.aside = false;
  change.after.status.clear();
  change.after.held.reset();
  const Machine& machine = *lifecycle.machine;
  const bool is_status = now.status && machine.status(*now.status) != nullptr;
  if (is_status && (believed || machine.move(kAbsent, *now.status) != nullptr)) {
    change.after.status = *now.status;
  } else {
    change.after.held = now.status.value_or("");
  }
  return change;
}

Change take_away(const Record& record, const Gone& gone) {
  Change change{record, record, "file removed outside", Json(), false};
  change.after.aside = gone.aside;
  if (gone.to.empty()) return change;
  change.after.held.reset();
  change.after.status = gone.to == kAbsent ? std::string() : gone.to;
  if (change.after.status.empty()) change.after.doc = Doc();
  return change;
}

Change take_part_away(const Record& record, const Shown& shown) {
  Change change{record, record, "file removed outside", Json(), false};
  Json doc = record.doc;
  for (const auto& [key, value] : shown.doc.items()) doc.erase(key);
  change.after.doc = std::move(doc);
  return change;
}

Change set_aside(const Record& record) {
  Change change{record, record, "set aside", Json(), false};
  change.after.aside = true;
  return change;
}

}  // namespace pawl

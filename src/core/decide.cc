#include "core/decide.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "core/held_word.h"

namespace pawl {
namespace {

std::string_view flag_for(std::string_view gate) { return gate == "reason" ? "--reason" : ""; }

bool is_persons(const Machine& machine, const Move* move) {
  if (move != nullptr) return move->needs(kPersonGate);
  return Move{{}, {}, MoveKind::forward, {}, machine.fix_gates}.needs(kPersonGate);
}

std::string missing_gate_hint(std::string_view gate) {
  const std::string_view flag = flag_for(gate);
  return flag.empty() ? cat("the gate “", gate, "” is not met") : cat("say why with ", flag, " TEXT");
}

std::string name_of(const Machine& machine, const Record& record) {
  return cat(machine.noun.empty() ? machine.name : machine.noun, " ", printable(record.id.key));
}

// Nothing, or an empty text, proves nothing.
bool is_met(const Json& evidence, std::string_view gate) {
  if (!evidence.is_object()) return false;
  const auto found = evidence.find(std::string(gate));
  return found != evidence.end() && !found->is_null() && *found != "";
}

// "tests: all tests pass"
std::string gate_with_words(const Machine& machine, std::string_view gate) {
  const std::string_view words = machine.words_of(gate);
  return words.empty() ? std::string(gate) : cat(gate, ": ", words);
}

// " (needs --reason and tests)"
std::string needs(const Machine& machine, const Move& move) {
  std::string out;
  for (const std::string_view gate : move.gates) {
    if (gate.empty() || gate == kPersonGate) continue;
    out += cat(out.empty() ? "needs " : " and ",
               flag_for(gate).empty() ? gate_with_words(machine, gate) : std::string(flag_for(gate)));
  }
  if (move.needs(kPersonGate)) out = cat("by ", move.name, out.empty() ? "" : ", which ", out);
  return out.empty() ? out : cat(" (", out, ")");
}

}  // namespace

std::string_view state_of(const Record& record) {
  return record.status.empty() ? kAbsent : std::string_view(record.status);
}

std::vector<std::string_view> status_names(const Machine& machine) {
  std::vector<std::string_view> names;
  for (const Status& status : machine.statuses) names.push_back(status.name);
  return names;
}

Error unknown_status(const Machine& machine, std::string_view word) {
  const auto names = status_names(machine);
  const auto meant = nearest(word, names);
  return {ErrorCode::illegal_move, cat(in_quotes(word), " is not a status of ", machine.a_record, ": ", join_or(names)),
          meant ? cat("did you mean ", *meant, "?") : std::string()};
}

Error unknown_in_file(const Machine& machine, std::string_view word) {
  if (machine.flag.empty()) return unknown_status(machine, word);
  return {ErrorCode::illegal_move,
          cat("“", machine.flag, "” is true or false, not ", word.starts_with('"') ? "the text " : "", in_quotes(word)),
          {}};
}

std::string why_held(const Machine& machine, std::string_view word) {
  const std::string shown = in_quotes(word);
  if (machine.status(word) != nullptr)
    return cat("came into its file as ", shown, ", and nobody has seen it become that");
  if (!machine.flag.empty())
    return cat("has ", word.starts_with('"') ? "the text " : "", shown, " under “", machine.flag,
               "”, which is true or false");
  return cat("has ", shown, " for a status, which is none of ", join_or(status_names(machine)));
}

std::string legal_moves(const Machine& machine, const Record& record) {
  std::vector<std::string> words;
  if (record.held) {
    for (const Status& s : machine.statuses) words.emplace_back(s.name);
  } else {
    for (const Move& m : machine.moves) {
      // To stay is worth a word where it takes something.
      if (m.from != state_of(record) || (m.from == m.to && m.gates[0].empty())) continue;
      const bool removal = m.to == kAbsent;
      words.push_back(cat(removal ? "removed" : m.to, needs(machine, m),
                          removal && !m.name.empty() ? cat(" (by ", m.name, ")") : ""));
    }
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  return views.empty() ? "nowhere" : join_or(views);
}

Result<Change> decide_move(const Machine& machine, const Record& record, MoveRequest request) {
  const bool removal = request.to == kAbsent;
  if (!removal && machine.status(request.to) == nullptr) return tl::unexpected(unknown_status(machine, request.to));

  const Move* move = machine.move(state_of(record), request.to);
  const bool fixes = record.held.has_value();
  const std::string_view becomes = removal ? "removed" : std::string_view(request.to);
  if (removal && !record.present()) return fail(ErrorCode::not_found, cat("there is no ", name_of(machine, record)));
  const bool persons = (move != nullptr || fixes) && is_persons(machine, fixes ? nullptr : move) &&
                       !is_met(request.evidence, kPersonGate);
  if (fixes && persons) {
    return fail(ErrorCode::illegal_move,
                cat(name_of(machine, record), " ", why_held(machine, *record.held), "; only a person gives it one"));
  }
  if ((move == nullptr && !fixes) || persons) {
    // Where nothing is left but to be removed, that is not something that it becomes.
    const std::string ways = legal_moves(machine, record);
    const bool at_its_end = record.present() && !record.held && machine.move(state_of(record), kAbsent) != nullptr &&
                            std::none_of(machine.moves.begin(), machine.moves.end(), [&](const Move& m) {
                              return m.from == state_of(record) && m.to != kAbsent && m.to != m.from;
                            });
    return fail(
        ErrorCode::illegal_move,
        cat(name_of(machine, record), " is ", state_of(record), " and cannot ", removal ? "be " : "become ", becomes),
        at_its_end ? cat("that is its end; it can only be ", ways)
                   : cat("from ", state_of(record), " it can become ", ways));
  }

  // A held record is in no status, so no move of the table is its own: what it needs is what fixing needs.
  Change change{record, record, std::move(request.what), Json(), false};
  Json missing;
  const auto& table = fixes ? machine.fix_gates : move->gates;
  std::vector<std::string_view> gates(table.begin(), table.end());
  gates.push_back(request.one_more_gate);
  for (const std::string_view gate : gates) {
    if (gate.empty() || is_met(request.evidence, gate)) continue;
    if (!request.record_gates) {
      return fail(
          ErrorCode::gate_failed,
          cat(name_of(machine, record), " is ", fixes ? "held" : state_of(record), "; to ", removal ? "be " : "become ",
              becomes, " it needs “", flag_for(gate).empty() ? gate : flag_for(gate), "”"),
          missing_gate_hint(gate));
    }
    change.unverified = true;
    missing.push_back(gate);
  }
  if (!request.evidence.empty()) change.evidence = std::move(request.evidence);
  if (!missing.empty()) change.evidence["missing"] = std::move(missing);
  change.after.status = removal ? std::string() : std::move(request.to);
  change.after.held.reset();
  change.after.aside = false;
  change.assigns_status = true;
  if (removal) {
    change.after.doc = Doc();
  } else if (request.doc) {
    change.after.doc = std::move(*request.doc);
  }
  return change;
}

bool needs_evidence(const Machine& machine, std::string_view status) {
  if (const Status* const known = machine.status(status); known != nullptr && known->gated_beside) return true;
  return std::any_of(machine.moves.begin(), machine.moves.end(), [&](const Move& move) {
    return move.to == status && move.name.empty() && !move.gates[0].empty();
  });
}

bool carries_doubt(const Machine& machine, const Change& change, std::span<const std::string> lacked) {
  const std::string& status = change.after.status;
  if (change.unverified || change.before.status != status || !needs_evidence(machine, status)) return false;
  const auto is_shown = [&](std::string_view gate) { return gate.empty() || is_met(change.evidence, gate); };
  if (!lacked.empty()) return !std::all_of(lacked.begin(), lacked.end(), is_shown);
  // Whichever way it could have come: what that takes is shown now.
  return std::none_of(machine.moves.begin(), machine.moves.end(), [&](const Move& move) {
    return move.to == status && move.name.empty() && !move.gates[0].empty() &&
           std::all_of(move.gates.begin(), move.gates.end(), is_shown);
  });
}

std::string describe(const Machine& machine, const Breach& breach) {
  using enum Breach::Kind;
  const std::string status = cat("“", printable(breach.status), "”");
  switch (breach.kind) {
    case no_status:
      return cat("machine ", machine.name, " has no status");
    case too_many:
      return cat("machine ", machine.name, " has more than ", kMaxStatuses,
                 " statuses, or more moves than can join so many");
    case duplicate_status:
      return cat("status ", status, " stands twice in the table");
    case reserved_name:
      return cat(status, " cannot be the name of a status");
    case duplicate_move:
      return cat("a move from ", status, " stands twice in the table");
    case unknown_status:
      return cat("a move names ", status, ", which is not a status");
    case unreachable:
      return cat("status ", status, " cannot be reached");
    case no_exit:
      return cat("status ", status, " is not terminal and has no exit");
    case no_way_to_terminal:
      return cat("from status ", status, " no way leads to a terminal one");
    case unnamed_way_out:
      return cat("status ", status, " is terminal and is left by a move without a name");
  }
  return "unknown breach";
}

}  // namespace pawl

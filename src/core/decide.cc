#include "core/decide.h"

#include <utility>

#include "base/text.h"

namespace pawl {
namespace {

std::string_view flag_for(std::string_view gate) { return gate == "reason" ? "--reason" : ""; }

std::string missing_gate_hint(std::string_view gate) {
  const std::string_view flag = flag_for(gate);
  return flag.empty() ? cat("the gate “", gate, "” is not met") : cat("say why with ", flag, " TEXT");
}

std::string name_of(const Machine& machine, const Record& record) { return cat(machine.name, " ", printable(record.id.key)); }

}  // namespace

std::string_view state_of(const Record& record) { return record.status.empty() ? kAbsent : std::string_view(record.status); }

std::vector<std::string_view> status_names(const Machine& machine) {
  std::vector<std::string_view> names;
  for (const Status& status : machine.statuses) names.push_back(status.name);
  return names;
}

Error unknown_status(const Machine& machine, std::string_view word) {
  const auto names = status_names(machine);
  const auto meant = nearest(word, names);
  return {ErrorCode::illegal_move,
          cat("“", printable(word.substr(0, 80)), "” is not a status of ", machine.a_record, ": ", join_or(names)),
          meant ? cat("did you mean ", *meant, "?") : std::string()};
}

std::string legal_moves(const Machine& machine, const Record& record) {
  std::vector<std::string> words;
  if (record.held) {
    for (const Status& s : machine.statuses) words.emplace_back(s.name);
  } else {
    for (const Move& m : machine.moves) {
      if (m.from != state_of(record) || m.from == m.to) continue;
      std::string word(m.to == kAbsent ? "removed" : m.to);
      if (!m.gates[0].empty()) word += cat(" (needs ", flag_for(m.gates[0]).empty() ? m.gates[0] : flag_for(m.gates[0]), ")");
      words.push_back(std::move(word));
    }
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  return views.empty() ? "nowhere" : join_or(views);
}

Result<Change> decide_move(const Machine& machine, const Record& record, const MoveRequest& request) {
  const bool removal = request.to == kAbsent;
  if (!removal && machine.status(request.to) == nullptr) return tl::unexpected(unknown_status(machine, request.to));

  const Move* move = machine.move(state_of(record), request.to);
  const bool fixes = record.held.has_value();
  if (move == nullptr && !fixes) {
    return fail(ErrorCode::illegal_move,
                cat(name_of(machine, record), " is ", state_of(record), " and can not become ", request.to),
                cat("from ", state_of(record), " it can become ", legal_moves(machine, record)));
  }

  Change change{record, record, request.what, request.evidence.empty() ? Json() : request.evidence, false};
  for (const std::string_view gate : fixes && !removal ? machine.fix_gates : (move != nullptr ? move->gates : machine.fix_gates)) {
    if (gate.empty() || request.evidence.contains(std::string(gate))) continue;
    if (!request.record_gates) {
      return fail(ErrorCode::gate_failed,
                  cat(name_of(machine, record), " is ", fixes ? "held" : state_of(record), "; to become ", request.to, " it needs “", gate, "”"),
                  missing_gate_hint(gate));
    }
    change.unverified = true;
    change.evidence["missing"].push_back(gate);
  }
  change.after.status = removal ? std::string() : request.to;
  change.after.held.reset();
  change.after.aside = false;
  if (removal) {
    change.after.doc = Json::object();
  } else if (!request.doc.is_null()) {
    change.after.doc = request.doc;
  }
  return change;
}

std::string describe(const Machine& machine, const Breach& breach) {
  using enum Breach::Kind;
  const std::string status = cat("“", printable(breach.status), "”");
  switch (breach.kind) {
    case no_status: return cat("machine ", machine.name, " has no status");
    case too_many: return cat("machine ", machine.name, " has more than ", kMaxStatuses, " statuses");
    case duplicate_status: return cat("status ", status, " stands twice in the table");
    case reserved_name: return cat(status, " can not be the name of a status");
    case duplicate_move: return cat("a move from ", status, " stands twice in the table");
    case unknown_status: return cat("a move names ", status, ", which is not a status");
    case unreachable: return cat("status ", status, " can not be reached");
    case no_exit: return cat("status ", status, " is not terminal and has no exit");
    case no_way_to_terminal: return cat("from status ", status, " no way leads to a terminal one");
    case unnamed_way_out: return cat("status ", status, " is terminal and is left by a move without a name");
  }
  return "unknown breach";
}

}  // namespace pawl

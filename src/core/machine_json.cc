#include "core/machine_json.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::array<std::pair<MoveKind, std::string_view>, 4> kMoveKinds = {{
    {MoveKind::forward, "forward"},
    {MoveKind::reopening, "reopening"},
    {MoveKind::correction, "correction"},
    {MoveKind::removal, "removal"},
}};

constexpr std::array<std::pair<Breach::Kind, std::string_view>, 10> kBreachKinds = {{
    {Breach::Kind::no_status, "no_status"},
    {Breach::Kind::too_many, "too_many"},
    {Breach::Kind::duplicate_status, "duplicate_status"},
    {Breach::Kind::reserved_name, "reserved_name"},
    {Breach::Kind::duplicate_move, "duplicate_move"},
    {Breach::Kind::unknown_status, "unknown_status"},
    {Breach::Kind::unreachable, "unreachable"},
    {Breach::Kind::no_exit, "no_exit"},
    {Breach::Kind::no_way_to_terminal, "no_way_to_terminal"},
    {Breach::Kind::unnamed_way_out, "unnamed_way_out"},
}};

template <class Kind, std::size_t N>
std::string_view spelled(const std::array<std::pair<Kind, std::string_view>, N>& table, Kind kind) {
  for (const auto& [value, name] : table) {
    if (value == kind) return name;
  }
  return "unknown";
}

auto wrong(std::string_view where, std::string_view what, std::string hint = {}) {
  return fail(ErrorCode::invalid_argument, cat(where, " ", what), std::move(hint));
}

// An object with none but these members.
Done check_members(const Json& json, std::string_view where, std::span<const std::string_view> allowed) {
  if (!json.is_object()) return wrong(where, "must be an object");
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(allowed, key) != allowed.end()) continue;
    const auto meant = nearest(key, allowed);
    return wrong(where, cat("has a member “", printable(key), "”, which does not exist: there is ", join_or(allowed)),
                 meant ? cat("did you mean ", *meant, "?") : std::string());
  }
  return done();
}

Result<std::string> read_text(const Json& json, const char* key, std::string_view where, bool required) {
  const auto found = json.find(key);
  if (found == json.end()) {
    if (required) return wrong(where, cat("lacks “", key, "”"));
    return std::string();
  }
  if (!found->is_string()) return wrong(where, cat("has a “", key, "” that is not a string"));
  return found->get<std::string>();
}

Json gates_json(const std::array<std::string_view, kMaxGates>& gates) {
  Json list = Json::array();
  for (const std::string_view gate : gates) {
    if (!gate.empty()) list.push_back(gate);
  }
  return list;
}

// Mermaid's own characters, spelled as it wants them in a text.
std::string mermaid_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '"':
        out += "#quot;";
        break;
      case '#':
        out += "#35;";
        break;
      case ';':
        out += "#59;";
        break;
      case ':':
        out += "#58;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Names that mermaid takes as they are; all others are given an alias.
bool plain_in_mermaid(std::string_view name) {
  constexpr std::array<std::string_view, 9> kReserved = {"state", "end",   "note",     "as",  "direction",
                                                         "class", "style", "classDef", "fork"};
  const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && std::ranges::all_of(name, good) && std::ranges::find(kReserved, name) == kReserved.end();
}

}  // namespace

std::string_view name_of(MoveKind kind) { return spelled(kMoveKinds, kind); }
std::string_view name_of(Breach::Kind kind) { return spelled(kBreachKinds, kind); }

Result<LoadedMachine> LoadedMachine::from_json(const Json& json) {
  constexpr std::array<std::string_view, 5> kMembers = {"name", "a_record", "statuses", "moves", "fix_gates"};
  PAWL_TRY(check_members(json, "the machine", kMembers));
  LoadedMachine loaded;
  PAWL_ASSIGN(auto name, read_text(json, "name", "the machine", true));
  PAWL_ASSIGN(auto a_record, read_text(json, "a_record", "the machine", false));
  if (a_record.empty()) a_record = cat("a record of ", name);
  for (const char* list : {"statuses", "moves"}) {
    if (!json.contains(list)) return wrong("the machine", cat("lacks “", list, "”"));
    if (!json[list].is_array()) return wrong(list, "must be a list");
  }
  PAWL_TRY(loaded.read_statuses(json["statuses"]));
  PAWL_TRY(loaded.read_moves(json["moves"]));
  Machine& machine = loaded.machine_;
  if (json.contains("fix_gates")) PAWL_TRY(loaded.read_gates(json["fix_gates"], "fix_gates", machine.fix_gates));
  machine.name = loaded.own(std::move(name));
  machine.a_record = loaded.own(std::move(a_record));
  machine.statuses = loaded.statuses_;
  machine.moves = loaded.moves_;
  return loaded;
}

Done LoadedMachine::read_statuses(const Json& list) {
  constexpr std::array<std::string_view, 2> kMembers = {"name", "terminal"};
  for (const Json& item : list) {
    const std::string where = cat("statuses[", statuses_.size(), "]");
    PAWL_TRY(check_members(item, where, kMembers));
    PAWL_ASSIGN(auto name, read_text(item, "name", where, true));
    const bool has_terminal = item.contains("terminal");
    if (has_terminal && !item["terminal"].is_boolean())
      return wrong(where, "has a “terminal” that is not true or false");
    statuses_.push_back({own(std::move(name)), has_terminal && item["terminal"].get<bool>()});
  }
  return done();
}

Done LoadedMachine::read_moves(const Json& list) {
  constexpr std::array<std::string_view, 5> kMembers = {"from", "to", "kind", "name", "gates"};
  for (const Json& item : list) {
    const std::string where = cat("moves[", moves_.size(), "]");
    PAWL_TRY(check_members(item, where, kMembers));
    PAWL_ASSIGN(auto from, read_text(item, "from", where, true));
    PAWL_ASSIGN(auto to, read_text(item, "to", where, true));
    PAWL_ASSIGN(auto name, read_text(item, "name", where, false));
    PAWL_ASSIGN(const auto kind, read_text(item, "kind", where, false));
    Move move;
    move.kind = to == kAbsent ? MoveKind::removal : MoveKind::forward;
    if (!kind.empty()) {
      std::vector<std::string_view> words;
      const auto* const found = std::ranges::find(kMoveKinds, kind, [](const auto& row) { return row.second; });
      for (const auto& row : kMoveKinds) words.push_back(row.second);
      if (found == kMoveKinds.end())
        return wrong(where, cat("is of kind “", printable(kind), "”: it can be ", join_or(words)));
      move.kind = found->first;
    }
    move.from = own(std::move(from));
    move.to = own(std::move(to));
    move.name = own(std::move(name));
    if (item.contains("gates")) PAWL_TRY(read_gates(item["gates"], where, move.gates));
    moves_.push_back(move);
  }
  return done();
}

Done LoadedMachine::read_gates(const Json& list, std::string_view where,
                               std::array<std::string_view, kMaxGates>& gates) {
  if (!list.is_array()) return wrong(where, "has gates that are not a list");
  if (list.size() > gates.size()) return wrong(where, cat("has more than ", gates.size(), " gates"));
  std::size_t used = 0;
  for (const Json& gate : list) {
    if (!gate.is_string() || gate.get_ref<const std::string&>().empty())
      return wrong(where, "has a gate without a name");
    gates[used++] = own(gate.get<std::string>());
  }
  return done();
}

Json to_json(const Machine& machine) {
  Json statuses = Json::array();
  for (const Status& status : machine.statuses) {
    Json item = {{"name", status.name}};
    if (status.terminal) item["terminal"] = true;
    statuses.push_back(std::move(item));
  }
  Json moves = Json::array();
  for (const Move& move : machine.moves) {
    Json item = {{"from", move.from}, {"to", move.to}, {"kind", name_of(move.kind)}};
    if (!move.name.empty()) item["name"] = move.name;
    if (!move.gates[0].empty()) item["gates"] = gates_json(move.gates);
    moves.push_back(std::move(item));
  }
  return {{"name", machine.name},
          {"a_record", machine.a_record},
          {"statuses", std::move(statuses)},
          {"moves", std::move(moves)},
          {"fix_gates", gates_json(machine.fix_gates)}};
}

std::string to_mermaid(const Machine& machine) {
  std::string out = "stateDiagram-v2\n";
  const auto id = [&](std::string_view name) -> std::string {
    if (name == kAbsent) return "[*]";
    if (plain_in_mermaid(name)) return std::string(name);
    const auto at = std::ranges::find(machine.statuses, name, &Status::name) - machine.statuses.begin();
    return cat("status", at);
  };
  for (const Status& status : machine.statuses) {
    if (plain_in_mermaid(status.name)) continue;
    out += cat("    state \"", mermaid_text(status.name), "\" as ", id(status.name), "\n");
  }
  for (const Move& move : machine.moves) {
    std::string label(move.name.empty() && move.to == kAbsent ? "remove" : move.name);
    std::string needs;
    for (const std::string_view gate : move.gates) {
      if (!gate.empty()) needs += cat(needs.empty() ? "" : ", ", gate);
    }
    if (!needs.empty()) label += cat(label.empty() ? "" : " ", "[", needs, "]");
    out += cat("    ", id(move.from), " --> ", id(move.to));
    out += label.empty() ? "\n" : cat(" : ", mermaid_text(label), "\n");
  }
  for (const Status& status : machine.statuses) {
    if (status.terminal) out += cat("    ", id(status.name), " --> [*]\n");
  }
  return out;
}

}  // namespace pawl

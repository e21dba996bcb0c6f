// A machine as JSON, the form that `pawl machine show --json` prints and `pawl machine check FILE` reads:
//
//   {"name": "issue", "a_record": "an issue",
//    "statuses": [{"name": "running"}, {"name": "complete", "terminal": true}],
//    "moves": [{"from": "absent", "to": "running"},
//              {"from": "running", "to": "complete"},
//              {"from": "complete", "to": "running", "kind": "reopening", "name": "rerun", "gates": ["reason"]}],
//    "fix_gates": []}
//
// Only `name`, `statuses` and `moves` must be there. A member that is not in this list is refused: it is a typing
// error.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/machine.h"

namespace pawl {

// A machine whose names are its own; `machine` points into it, also after it was moved.
class LoadedMachine {
 public:
  // The message says which member is wrong, and how. Whether the machine is sound is for check() to say.
  [[nodiscard]] static Result<LoadedMachine> from_json(const Json& json);

  [[nodiscard]] const Machine& machine() const { return machine_; }

  LoadedMachine(LoadedMachine&&) noexcept = default;
  LoadedMachine& operator=(LoadedMachine&&) noexcept = default;

 private:
  LoadedMachine() = default;

  std::string_view own(std::string text) { return names_.emplace_back(std::move(text)); }
  [[nodiscard]] Done read_statuses(const Json& list);
  [[nodiscard]] Done read_moves(const Json& list);
  [[nodiscard]] Done read_gates(const Json& list, std::string_view where,
                                std::array<std::string_view, kMaxGates>& gates);

  std::deque<std::string> names_;  // a deque: its strings stay where they are
  std::vector<Status> statuses_;
  std::vector<Move> moves_;
  Machine machine_{};
};

[[nodiscard]] std::string_view name_of(MoveKind kind);
[[nodiscard]] std::string_view name_of(Breach::Kind kind);

[[nodiscard]] Json to_json(const Machine& machine);

// A stateDiagram-v2, as GitHub and others draw it.
[[nodiscard]] std::string to_mermaid(const Machine& machine);

}  // namespace pawl

#include "engine/outside_rules.h"

#include "engine/recorded_before.h"

namespace pawl {
namespace {

Result<std::optional<FoundGate>> gate_kept(const View& view, const MirrorFormat& format, const RecordId& id) {
  auto gate = format.gate_beside(id);
  if (!gate) return std::optional<FoundGate>();
  PAWL_ASSIGN(auto text, view.store().kept(gate->kept));
  if (!text || text->empty()) return std::optional<FoundGate>();
  return std::optional(FoundGate{*std::move(gate), id, *std::move(text)});
}

}  // namespace

Result<std::optional<FoundGate>> gate_found(const View& view, const Lifecycle& lifecycle, const RecordId& id) {
  for (const MirrorFormat* format : lifecycle.formats) {
    auto gate = format->gate_beside(id);
    if (!gate) continue;
    PAWL_ASSIGN(auto own, gate_kept(view, *format, id));
    if (own) return own;
    PAWL_ASSIGN(const auto ids, view.store().find_key(id.key));
    for (const RecordId& other : ids) {
      if (other.kind != id.kind || other == id) continue;
      PAWL_ASSIGN(const Record elsewhere, view.load(other));
      if (elsewhere.present() && !elsewhere.aside) continue;  // its gate is its own
      PAWL_ASSIGN(auto before, gate_kept(view, *format, other));
      if (before) return before;
    }
    PAWL_ASSIGN(const bool shown, format->shows_gate(id, RecordedAfter(view)));
    gate->kept.clear();
    if (shown) return std::optional(FoundGate{*std::move(gate), id, {}});
  }
  return std::optional<FoundGate>();
}

bool takes_reason(const Lifecycles& lifecycles, const RecordId& id, std::string_view from, std::string_view to) {
  const Move* const move = lifecycles.find(id.kind)->machine->move(from, to);
  return move != nullptr && from != to && move->needs("reason");
}

Result<OutsideRules> outside_rules(const MirrorWorld& world, const View& view, const RecordId& id,
                                   const std::string& accepted_by, bool by_git) {
  const Lifecycle& lifecycle = *world.lifecycles->find(id.kind);
  OutsideRules rules{records_gates(lifecycle, *world.settings), accepted_by, by_git};
  rules.left_standing = world.settings->text("outside") == "flag";
  PAWL_ASSIGN(auto found, gate_found(view, lifecycle, id));
  if (found) rules.beside = std::move(found->gate);
  return rules;
}

}  // namespace pawl

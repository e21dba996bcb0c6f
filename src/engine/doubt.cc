#include "engine/doubt.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/decide.h"

namespace pawl {

Result<std::vector<std::string>> doubted_gates(Transaction& store, const RecordId& id) {
  std::vector<std::string> out;
  std::set<std::string> shown;
  PAWL_ASSIGN(auto event, store.event_at(id, std::numeric_limits<std::int64_t>::max()));
  while (event && event->unverified) {
    const Json evidence = event->evidence.is_object() ? event->evidence : Json::object();
    for (const Json& gate : evidence.value("missing", Json::array())) {
      if (!gate.is_string() || shown.contains(gate.get<std::string>())) continue;
      if (std::find(out.begin(), out.end(), gate.get<std::string>()) == out.end())
        out.push_back(gate.get<std::string>());
    }
    for (const auto& [name, value] : evidence.items()) {
      if (!value.is_null() && value != "") shown.insert(name);
    }
    if (event->from != event->after.status) break;  // here it came to the status that it has
    PAWL_ASSIGN(event, store.event_before(id, event->id));
  }
  return out;
}

Result<bool> came_unverified(const View& view, const Machine& machine, const Record& record) {
  if (record.held || view.unrecorded(record.id) || !needs_evidence(machine, record.status)) return false;
  const std::int64_t until = view.at().value_or(std::numeric_limits<std::int64_t>::max());
  PAWL_ASSIGN(const auto event, view.store().event_at(record.id, until));
  return event && event->unverified;
}

}  // namespace pawl

#include "verbs/thing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "verbs/present.h"

namespace pawl {

std::string fact(std::string_view label, std::string_view value, const TextStyle& style) {
  if (value.empty()) return {};
  return cat("  ", label, ": ", printable(time_in_words(std::string(value), style)), "\n");
}

std::string fact(std::string_view label, const Json& object, std::string_view name, const TextStyle& style) {
  const auto found = object.find(std::string(name));
  if (found == object.end() || found->is_null()) return {};
  return fact(label, found->is_string() ? found->get<std::string>() : to_line(*found), style);
}

std::string text_of_thing(const Thing& thing, const Json& log, const TextStyle& style) {
  const std::string head = cat(bold(thing.name, style), ": ", thing.status,
                               thing.title.empty() ? "" : cat("  ", thing.title), "\n", thing.facts);
  std::string happened = log.empty() ? "" : "\n";
  for (const Json& operation : log) happened += lines_of_operation(operation, style);
  return cat(head, thing.body, happened);
}

Result<Json> history_of(const View& view, const std::vector<RecordId>& parts, std::optional<std::int64_t> at,
                        std::int64_t limit) {
  std::map<std::int64_t, Operation, std::greater<>> newest;
  for (const RecordId& part : parts) {
    OperationQuery query;
    query.record = part;
    query.limit = limit;
    if (at) query.before = *at + 1;
    PAWL_ASSIGN(auto operations, view.store().operations(query));
    for (Operation& operation : operations) newest.try_emplace(operation.id, std::move(operation));
  }
  Json list = Json::array();
  for (const auto& [id, operation] : newest) {
    if (std::cmp_greater_equal(list.size(), limit)) break;
    PAWL_ASSIGN(Json row, to_json(view.store(), operation));
    Json events = Json::array();
    for (Json& event : row["events"]) {
      const bool its = std::any_of(parts.begin(), parts.end(), [&](const RecordId& part) {
        return event["ref"] == part.ref() && string_or(event, "scope") == part.scope;
      });
      if (its) events.push_back(std::move(event));
    }
    row["events"] = std::move(events);
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace pawl

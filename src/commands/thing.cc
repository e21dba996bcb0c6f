#include "commands/thing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "commands/present.h"

namespace pawl {

std::string fact(std::string_view label, std::string_view value, const TextStyle& style) {
  if (value.empty()) return {};
  return cat("  ", label, ": ", printable(time_in_words(std::string(value), style)), "\n");
}

std::string fact(std::string_view label, const Json& object, std::string_view name, const TextStyle& style) {
  const auto found = object.find(std::string(name));
  if (found == object.end() || found->is_null()) return {};
  std::string value = found->is_string() ? found->get<std::string>() : to_line(*found);
  // Somebody's whole file may stand here; --json has all of it.
  if (const std::size_t end = value.find('\n'); end != std::string::npos && end + 1 < value.size()) {
    const auto lines = std::count(value.begin(), value.end(), '\n') + (value.ends_with('\n') ? 0 : 1);
    value = cat(value.substr(0, end), " … (", lines, " lines)");
  }
  return fact(label, value, style);
}

std::string text_of_thing(const Thing& thing, const Json& log, const TextStyle& style) {
  const std::string head = cat(bold(thing.name, style), ": ", thing.status,
                               thing.title.empty() ? "" : cat("  ", thing.title), "\n", thing.facts);
  std::string happened = log.empty() ? "" : "\n";
  for (const Json& operation : log) happened += lines_of_operation(operation, style);
  return cat(head, thing.body, happened, thing.more);
}

namespace {

constexpr std::int64_t kMostCounted = 1000;

using NewestFirst = std::map<std::int64_t, Operation, std::greater<>>;

Result<NewestFirst> newest_of(const View& view, const std::vector<RecordId>& parts, std::optional<std::int64_t> at,
                              std::int64_t limit) {
  NewestFirst newest;
  for (const RecordId& part : parts) {
    OperationQuery query;
    query.record = part;
    query.limit = limit;
    if (at) query.before = *at + 1;
    PAWL_ASSIGN(auto operations, view.store().operations(query));
    for (Operation& operation : operations) newest.try_emplace(operation.id, std::move(operation));
  }
  return newest;
}

Result<Json> history_in(const View& view, const std::vector<RecordId>& parts, const NewestFirst& newest,
                        std::int64_t limit) {
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

}  // namespace

Result<Json> history_of(const View& view, const std::vector<RecordId>& parts, std::optional<std::int64_t> at,
                        std::int64_t limit) {
  PAWL_ASSIGN(const auto newest, newest_of(view, parts, at, limit));
  return history_in(view, parts, newest, limit);
}

Done add_history(const View& view, const std::vector<RecordId>& parts, std::optional<std::int64_t> at, Json& out,
                 std::int64_t limit) {
  PAWL_ASSIGN(const auto newest, newest_of(view, parts, at, limit + kMostCounted));
  PAWL_ASSIGN(out["log"], history_in(view, parts, newest, limit));
  const std::int64_t more = static_cast<std::int64_t>(newest.size()) - limit;
  if (more > 0) out["log_more"] = std::min(more, kMostCounted);
  return done();
}

std::string more_of(const Json& out) {
  const std::int64_t more = integer_or(out, "log_more");
  const std::string command = string_or(out, "log_by");
  return more == 0 ? std::string()
                   : cat("and ", more, more == kMostCounted ? " or more" : " more", command.empty() ? "" : ": ",
                         printable(command), "\n");
}

}  // namespace pawl

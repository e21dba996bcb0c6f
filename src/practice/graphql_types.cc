#include "practice/graphql_types.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/clock.h"
#include "base/text.h"
#include "practice/refusal.h"

namespace pawl::practice {
namespace {

constexpr std::string_view kCursor = "cursor:";

struct Page {
  std::vector<Value> nodes;
  std::size_t from = 0, total = 0;
  bool bounded = true;  // first or last was given: GitHub counts without, but shows nothing
};

Result<Value> unbounded() {
  return fail(ErrorCode::invalid_argument,
              "You must provide a `first` or `last` value to properly paginate the connection.");
}

std::optional<std::size_t> position(const Json& arguments, const char* key) {
  const std::string cursor = string_or(arguments, key);
  std::size_t at = 0;
  if (!cursor.starts_with(kCursor)) return std::nullopt;
  std::from_chars(cursor.data() + kCursor.size(), cursor.data() + cursor.size(), at);
  return at;
}

std::optional<std::int64_t> count(const Json& arguments, const char* key) {
  const auto found = arguments.find(key);
  if (found == arguments.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string cursor_of(std::size_t index) { return cat(kCursor, index + 1); }

Resolver member(std::string_view name) {
  return [name = std::string(name)](Asking&, const Thing& thing, const Json&) -> Result<Value> {
    const Record& record = thing.as<Record>();
    const auto found = record.find(name);
    return found == record.end() ? Value() : found->second;
  };
}

}  // namespace

Types& Types::of(std::string_view type) {
  now_ = &all[std::string(type)];
  return *this;
}

Types& Types::field(std::string_view name, std::string_view type, Resolver resolve) {
  now_->fields[std::string(name)] = {type, std::move(resolve)};
  return *this;
}

void Types::record(std::string_view name, std::vector<std::pair<std::string_view, std::string_view>> fields) {
  of(name);
  for (const auto& [called, type] : fields) field(called, type, member(called));
}

void Types::abstract(std::string_view name, std::vector<std::string_view> members,
                     std::vector<std::pair<std::string_view, std::string_view>> fields) {
  of(name);
  now_->members = std::move(members);
  for (const auto& [called, type] : fields) field(called, type, {});
}

void Types::connection(std::string_view name, std::string_view node) {
  // Names live as long as the table, which is for ever.
  static std::vector<std::unique_ptr<std::string>> kNames;
  const std::string& edge = *kNames.emplace_back(std::make_unique<std::string>(cat(name, "Edge")));
  record(edge, {{"node", node}, {"cursor", ""}});
  of(cat(name, "Connection"))
      .field("nodes", node,
             [](Asking&, const Thing& thing, const Json&) -> Result<Value> {
               if (!thing.as<Page>().bounded) return unbounded();
               return thing.as<Page>().nodes;
             })
      .field("edges", edge,
             [&edge](Asking&, const Thing& thing, const Json&) -> Result<Value> {
               const Page& page = thing.as<Page>();
               if (!page.bounded) return unbounded();
               std::vector<Value> edges;
               for (std::size_t i = 0; i < page.nodes.size(); ++i) {
                 edges.emplace_back(record_of(edge, {{"node", page.nodes[i]}, {"cursor", cursor_of(page.from + i)}}));
               }
               return edges;
             })
      .field("pageInfo", "PageInfo",
             [](Asking&, const Thing& thing, const Json&) -> Result<Value> {
               const Page& page = thing.as<Page>();
               const std::size_t end = page.from + page.nodes.size();
               const bool any = !page.nodes.empty();
               return record_of("PageInfo", {{"hasNextPage", end < page.total},
                                             {"hasPreviousPage", page.from > 0},
                                             {"startCursor", any ? Json(cursor_of(page.from)) : Json()},
                                             {"endCursor", any ? Json(cursor_of(end - 1)) : Json()}});
             })
      .scalar("totalCount",
              [](Asking&, const Thing& thing, const Json&) -> Result<Value> { return thing.as<Page>().total; });
}

Thing record_of(std::string_view type, Record record) {
  auto kept = std::make_shared<const Record>(std::move(record));
  Thing thing{type};
  thing.at = kept.get();
  thing.kept = std::move(kept);
  return thing;
}

Result<Value> page_of(std::string_view connection, std::vector<Value> values, const Json& arguments) {
  const auto first = count(arguments, "first"), last = count(arguments, "last");
  for (const auto& [given, name] : {std::pair(first, "first"), std::pair(last, "last")}) {
    if (given && (*given < 0 || *given > 100)) {
      return fail(ErrorCode::invalid_argument, cat("Requesting ", *given, " records on the connection exceeds the `",
                                                   name, "` limit of 100 records."));
    }
  }
  auto page = std::make_shared<Page>();
  page->total = values.size();
  page->bounded = first || last;
  std::size_t from = std::min(position(arguments, "after").value_or(0), values.size());
  std::size_t to = values.size();
  if (const auto before = position(arguments, "before"); before && *before > 0) to = std::clamp(*before - 1, from, to);
  if (first) to = std::min(to, from + static_cast<std::size_t>(*first));
  if (last && to - from > static_cast<std::size_t>(*last)) from = to - static_cast<std::size_t>(*last);
  page->from = from;
  for (std::size_t i = from; i < to; ++i) page->nodes.push_back(std::move(values[i]));
  Thing thing{connection};
  thing.at = page.get();
  thing.kept = std::move(page);
  return thing;
}

Value actor(Asking& asking, const std::string& login) {
  if (login.empty()) return {};
  const User& user = asking.world.user(login);
  return Thing{user.type == "Bot"            ? "Bot"
               : user.type == "Organization" ? "Organization"
                                             : "User",
               nullptr, nullptr, &user};
}

Value time_value(std::int64_t ms) { return ms == 0 ? Json() : Json(iso_time(ms)); }

Value small_id(std::int64_t id) { return id > std::numeric_limits<std::int32_t>::max() ? Json() : Json(id); }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

Thing item_thing(Repository& repository, Item& item) {
  return Thing{item.pull ? "PullRequest" : "Issue", &repository, &item, &item};
}

Result<Thing> find_node(Asking& asking, std::string_view id) {
  const std::size_t mark = id.rfind('_');
  const auto missing = [&] { return not_found(cat("Could not resolve to a node with the global id of '", id, "'")); };
  std::int64_t number = 0;
  if (mark == std::string_view::npos) return missing();
  std::from_chars(id.data() + mark + 1, id.data() + id.size(), number);
  const std::string_view kind = id.substr(0, mark);
  for (const auto& [name, user] : asking.world.users) {
    if (user.id == number && (kind == "U" || kind == "BOT" || kind == "O")) return actor(asking, user.login).thing;
  }
  for (Repository& repository : asking.world.repositories) {
    if (kind == "R" && repository.id == number) return Thing{"Repository", &repository, nullptr, &repository};
    for (auto& [ignored, item] : repository.items) {
      const bool this_one = kind == "PR" ? item.pull && item.pull->id == number : kind == "I" && item.id == number;
      if (this_one) {
        asking.actions.refresh(repository);
        return item_thing(repository, item);
      }
      const auto in = [&](const auto& list, std::string_view wanted, std::string_view type) -> std::optional<Thing> {
        if (kind != wanted) return std::nullopt;
        for (const auto& one : list) {
          if (one.id == number) return Thing{type, &repository, &item, &one};
        }
        return std::nullopt;
      };
      if (const auto found = in(item.comments, "IC", "IssueComment")) return *found;
      if (!item.pull) continue;
      if (const auto found = in(item.pull->threads, "PRRT", "PullRequestReviewThread")) return *found;
      if (const auto found = in(item.pull->comments, "PRRC", "PullRequestReviewComment")) return *found;
      if (const auto found = in(item.pull->reviews, "PRR", "PullRequestReview")) return *found;
    }
  }
  return missing();
}

const Types& all_types() {
  static const Types kTypes = [] {
    Types types;
    types.record("PageInfo", {{"hasNextPage", ""}, {"hasPreviousPage", ""}, {"startCursor", ""}, {"endCursor", ""}});
    add_people_types(types);
    add_repository_types(types);
    add_item_types(types);
    add_pull_types(types);
    add_review_types(types);
    add_commit_types(types);
    add_search(types);
    add_mutations(types);
    return types;
  }();
  return kTypes;
}

}  // namespace pawl::practice

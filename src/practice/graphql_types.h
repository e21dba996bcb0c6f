// The types of the GraphQL API and what their fields are worth: a table that is filled by one function for each part of
// the world. A field's value is JSON, another thing, or a list of such.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "practice/actions.h"
#include "practice/world.h"

namespace pawl::practice {

// Something with fields: which type it has, and where in the world it stands.
struct Thing {
  std::string_view type;
  Repository* repository = nullptr;
  Item* item = nullptr;
  const void* at = nullptr;
  std::shared_ptr<const void> kept = {};  // what `at` points to, when nobody else keeps it

  template <class T>
  [[nodiscard]] const T& as() const {
    return *static_cast<const T*>(at);
  }
};

struct Value {
  enum class Kind { plain, thing, list } kind = Kind::plain;
  Json plain;
  Thing thing = {};
  std::vector<Value> list = {};

  Value() = default;
  template <class T>
  requires(std::is_convertible_v<T, Json> && !std::is_same_v<std::decay_t<T>, Value> &&
           !std::is_same_v<std::decay_t<T>, Thing>) Value(T&& value)
      : plain(std::forward<T>(value)) {}                              // NOLINT: that resolvers can say `return 1;`
  Value(Thing value) : kind(Kind::thing), thing(std::move(value)) {}  // NOLINT
  Value(std::vector<Value> values) : kind(Kind::list), list(std::move(values)) {}  // NOLINT
};

// Who asks, and of which world.
struct Asking {
  World& world;
  Actions& actions;
  Token who;
};

using Resolver = std::function<Result<Value>(Asking&, const Thing&, const Json& arguments)>;

struct Field {
  std::string_view type;  // empty: a scalar
  Resolver resolve;
};

struct Type {
  std::map<std::string, Field, std::less<>> fields;
  std::vector<std::string_view> members;  // of an interface or a union: the types that things can have
};

class Types {
 public:
  std::map<std::string, Type, std::less<>> all;

  Types& of(std::string_view type);  // the fields that follow belong to this one
  Types& field(std::string_view name, std::string_view type, Resolver resolve);
  Types& scalar(std::string_view name, Resolver resolve) { return field(name, {}, std::move(resolve)); }
  // A list in pages: `NAMEConnection` with nodes, edges, pageInfo and totalCount, and `NAMEEdge`.
  void connection(std::string_view name, std::string_view node);
  // A type whose things are records: each field is looked up by its name.
  void record(std::string_view name, std::vector<std::pair<std::string_view, std::string_view>> fields);
  void abstract(std::string_view name, std::vector<std::string_view> members,
                std::vector<std::pair<std::string_view, std::string_view>> fields);

 private:
  Type* now_ = nullptr;
};

using Record = std::map<std::string, Value, std::less<>>;
[[nodiscard]] Thing record_of(std::string_view type, Record record);

// The part of the list that first, last, after and before ask for; GitHub insists on one of the first two.
[[nodiscard]] Result<Value> page_of(std::string_view connection, std::vector<Value> all, const Json& arguments);

[[nodiscard]] Value actor(Asking& asking, const std::string& login);  // null for nobody
[[nodiscard]] Value time_value(std::int64_t ms);
[[nodiscard]] Value small_id(std::int64_t id);  // null beyond 32 bits: Int holds no more, fullDatabaseId does
[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] Thing item_thing(Repository& repository, Item& item);
[[nodiscard]] Value commit_thing(Repository& repository, const std::string& sha);
[[nodiscard]] Value reaction_groups();
// What node(id:) and the mutations find things by.
[[nodiscard]] Result<Thing> find_node(Asking& asking, std::string_view id);

void add_people_types(Types& types);
void add_repository_types(Types& types);
void add_item_types(Types& types);
void add_pull_types(Types& types);
void add_review_types(Types& types);
void add_commit_types(Types& types);
void add_search(Types& types);
void add_mutations(Types& types);
[[nodiscard]] const Types& all_types();

}  // namespace pawl::practice

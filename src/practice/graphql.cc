#include "practice/graphql.h"

#include <algorithm>

#include "base/text.h"
#include "practice/graphql_text.h"
#include "practice/graphql_types.h"
#include "practice/refusal.h"
#include "practice/rest.h"

namespace pawl::practice {
namespace {

constexpr int kMaxSteps = 100'000;
constexpr int kMaxMade = 500'000;  // values of one answer, as GitHub limits its nodes

Json position(const Position& at) { return Json::array({{{"line", at.line}, {"column", at.column}}}); }

// Before anything is done: every field exists, has a selection exactly when it is no scalar, and every fragment is for
// a type that there is.
class Checker {
 public:
  explicit Checker(const Document& document) : document_(document) {}

  void selections(std::string_view type, const std::vector<Selection>& selections, int depth) {
    const auto found = all_types().all.find(type);
    for (const Selection& one : selections) {
      // Fragments that spread each other twice grow without end.
      if (++steps_ > kMaxSteps) return;
      if (steps_ == kMaxSteps) add(one.at, "tooComplex", "Query has too many selections");
      if (one.kind == Selection::Kind::field) {
        field(type, found->second, one, depth);
      } else if (one.kind == Selection::Kind::inlined) {
        fragment(one.name.empty() ? std::string(type) : one.name, one.selections, one.at, depth);
      } else if (const auto named = document_.fragments.find(one.name); named == document_.fragments.end()) {
        add(one.at, "fragmentNotFound", cat("Fragment ", one.name, " was used, but not defined"));
      } else if (depth > 50) {
        add(one.at, "infiniteLoop", cat("Fragment ", one.name, " contains an infinite loop"));
      } else {
        fragment(named->second.type, named->second.selections, named->second.at, depth);
      }
    }
  }

  [[nodiscard]] const Json& errors() const { return errors_; }

 private:
  void field(std::string_view type, const Type& in, const Selection& one, int depth) {
    if (one.name == "__typename") return;
    const auto found = in.fields.find(one.name);
    if (found == in.fields.end()) {
      add(one.at, "undefinedField", cat("Field '", one.name, "' doesn't exist on type '", type, "'"), type, one.name);
    } else if (found->second.type.empty() != one.selections.empty()) {
      add(one.at, "selectionMismatch",
          one.selections.empty()
              ? cat("Field must have selections (field '", one.name, "' returns ", found->second.type,
                    " but has no selections. Did you mean '", one.name, " { ... }'?)")
              : cat("Selections can't be made on scalars (field '", one.name, "')"),
          type, one.name);
    } else if (!one.selections.empty()) {
      selections(found->second.type, one.selections, depth + 1);
    }
  }

  void fragment(const std::string& type, const std::vector<Selection>& inner, const Position& at, int depth) {
    if (all_types().all.contains(type)) return selections(type, inner, depth + 1);
    add(at, "undefinedType", cat("No such type ", type, ", so it can't be a fragment condition"), type);
  }

  void add(const Position& at, std::string_view code, std::string message, std::string_view type = {},
           std::string_view field = {}) {
    Json extensions = {{"code", code}};
    if (!type.empty()) extensions["typeName"] = type;
    if (!field.empty()) extensions["fieldName"] = field;
    errors_.push_back({{"path", Json::array({"query"})},
                       {"extensions", std::move(extensions)},
                       {"locations", position(at)},
                       {"message", std::move(message)}});
  }

  const Document& document_;
  Json errors_ = Json::array();
  int steps_ = 0;
};

class Execution {
 public:
  Execution(Asking& asking, const Document& document, Json variables)
      : asking_(asking), document_(document), variables_(std::move(variables)) {}

  Json object(const Thing& thing, const std::vector<Selection>& selections, Json path) {
    Json out = Json::object();
    fill(out, thing, selections, path);
    return out;
  }
  [[nodiscard]] const Json& errors() const { return errors_; }

 private:
  [[nodiscard]] Json value_of(const Input& input) const {
    switch (input.kind) {
      case Input::Kind::variable: {
        const auto found = variables_.find(input.name);
        return found == variables_.end() ? Json() : *found;
      }
      case Input::Kind::list: {
        Json out = Json::array();
        for (const Input& item : input.items) out.push_back(value_of(item));
        return out;
      }
      case Input::Kind::object:
        return values_of(input.members);
      case Input::Kind::literal:
        break;
    }
    return input.literal;
  }

  [[nodiscard]] Json values_of(const Inputs& inputs) const {
    Json out = Json::object();
    for (const auto& [name, input] : inputs) {
      // A variable that was not given is as if the argument had not been written.
      if (input.kind == Input::Kind::variable && !variables_.contains(input.name)) continue;
      out[name] = value_of(input);
    }
    return out;
  }

  [[nodiscard]] bool wanted(const Selection& one) const {
    for (const Directive& directive : one.directives) {
      const Json arguments = values_of(directive.arguments);
      const auto condition = arguments.find("if");
      const bool yes = condition != arguments.end() && *condition == true;
      if ((directive.name == "include" && !yes) || (directive.name == "skip" && yes)) return false;
    }
    return true;
  }

  [[nodiscard]] static bool applies(std::string_view condition, std::string_view type) {
    if (condition.empty() || condition == type) return true;
    const auto found = all_types().all.find(condition);
    if (found == all_types().all.end()) return false;
    const auto& members = found->second.members;
    return std::find(members.begin(), members.end(), type) != members.end();
  }

  void fill(Json& out, const Thing& thing, const std::vector<Selection>& selections, const Json& path) {
    for (const Selection& one : selections) {
      if (made_ > kMaxMade) return;
      if (!wanted(one)) continue;
      if (one.kind == Selection::Kind::inlined) {
        if (applies(one.name, thing.type)) fill(out, thing, one.selections, path);
      } else if (one.kind == Selection::Kind::spread) {
        const Fragment& fragment = document_.fragments.find(one.name)->second;
        if (applies(fragment.type, thing.type)) fill(out, thing, fragment.selections, path);
      } else {
        field(out, thing, one, path);
      }
    }
  }

  void field(Json& out, const Thing& thing, const Selection& one, Json path) {
    if (one.name == "__typename") {
      out[one.alias] = thing.type;
      return;
    }
    path.push_back(one.alias);
    const auto type = all_types().all.find(thing.type);
    const auto found = type->second.fields.find(one.name);
    if (found == type->second.fields.end()) {
      out[one.alias] = nullptr;
      return;
    }
    auto value = found->second.resolve(asking_, thing, values_of(one.arguments));
    if (!value) {
      Json error = {{"type", graphql_type_of(value.error())},
                    {"path", path},
                    {"locations", position(one.at)},
                    {"message", value.error().message}};
      errors_.push_back(std::move(error));
      out[one.alias] = nullptr;
      return;
    }
    Json shown = complete(*value, one.selections, path);
    // The same field twice, with other selections: one object with both.
    if (const auto before = out.find(one.alias); before != out.end() && before->is_object() && shown.is_object()) {
      merge(*before, std::move(shown));
    } else {
      out[one.alias] = std::move(shown);
    }
  }

  // Both asked of the same thing, so lists are equally long and what both have is the same.
  static void merge(Json& into, Json from) {
    if (into.is_object() && from.is_object()) {
      for (auto& [key, value] : from.items()) {
        if (const auto there = into.find(key); there != into.end()) {
          merge(*there, std::move(value));
        } else {
          into[key] = std::move(value);
        }
      }
    } else if (into.is_array() && from.is_array() && into.size() == from.size()) {
      for (std::size_t i = 0; i < into.size(); ++i) merge(into[i], std::move(from[i]));
    } else {
      into = std::move(from);
    }
  }

  Json complete(const Value& value, const std::vector<Selection>& selections, const Json& path) {
    if (++made_ > kMaxMade) {
      if (made_ == kMaxMade + 1)
        errors_.push_back({{"type", "MAX_NODE_LIMIT_EXCEEDED"}, {"message", "This query asks for too many nodes"}});
      return nullptr;
    }
    if (value.kind == Value::Kind::plain) return value.plain;
    if (value.kind == Value::Kind::thing) return object(value.thing, selections, path);
    Json out = Json::array();
    for (const Value& one : value.list) {
      Json place = path;
      place.push_back(out.size());
      out.push_back(complete(one, selections, place));
    }
    return out;
  }

  Asking& asking_;
  const Document& document_;
  Json variables_;
  Json errors_ = Json::array();
  int made_ = 0;
};

Json only_error(std::string message, std::string_view type = {}) {
  Json error = {{"message", std::move(message)}};
  if (!type.empty()) error["type"] = type;
  return {{"errors", Json::array({std::move(error)})}};
}

Result<Json> variables_of(const Operation& operation, const Json& given) {
  Json out = Json::object();
  for (const Variable& variable : operation.variables) {
    const auto found = given.is_object() ? given.find(variable.name) : given.end();
    if (given.is_object() && found != given.end()) {
      out[variable.name] = *found;
    } else if (variable.fallback.kind != Input::Kind::literal || !variable.fallback.literal.is_null()) {
      Json fallback = variable.fallback.literal;
      if (variable.fallback.kind == Input::Kind::list) {
        fallback = Json::array();
        for (const Input& item : variable.fallback.items) fallback.push_back(item.literal);
      }
      out[variable.name] = std::move(fallback);
    } else if (variable.required) {
      return fail(ErrorCode::invalid_argument,
                  cat("Variable $", variable.name, " was provided invalid value: Expected value to not be null"));
    }
  }
  return out;
}

Json carry_out(Asking& asking, const Json& asked) {
  const auto document = parse_graphql(string_or(asked, "query"));
  if (!document) return only_error(document.error().message);
  const std::string name = string_or(asked, "operationName");
  const Operation* operation = nullptr;
  for (const Operation& one : document->operations) {
    if (name.empty() ? document->operations.size() == 1 : one.name == name) operation = &one;
  }
  if (operation == nullptr || operation->kind == "subscription") return only_error("An operation name is required");
  const std::string_view root = operation->kind == "mutation" ? "Mutation" : "Query";
  Checker check(*document);
  check.selections(root, operation->selections, 0);
  if (!check.errors().empty()) return {{"errors", check.errors()}};
  if (root == "Mutation" && !asking.who.can_write) {
    return {{"data", nullptr},
            {"errors", only_error("Resource not accessible by personal access token", "FORBIDDEN")["errors"]}};
  }
  auto variables = variables_of(*operation, asked.contains("variables") ? asked["variables"] : Json());
  if (!variables) return only_error(variables.error().message);
  Execution execution(asking, *document, std::move(*variables));
  Json out = {{"data", execution.object(Thing{root}, operation->selections, Json::array())}};
  if (!execution.errors().empty()) out["errors"] = execution.errors();
  return out;
}

}  // namespace

HttpAnswer answer_graphql(World& world, Actions& actions, const HttpRequest& request, const Token& who,
                          const std::string&) {
  if (request.method != "POST") return json_answer(404, body_of(not_found().value()));
  const auto asked = parse_json(request.body);
  if (!asked || !asked->is_object()) {
    return json_answer(
        400, {{"message", "Problems parsing JSON"}, {"documentation_url", "https://docs.github.com/graphql"}});
  }
  Asking asking{world, actions, who};
  return json_answer(200, carry_out(asking, *asked));
}

}  // namespace pawl::practice

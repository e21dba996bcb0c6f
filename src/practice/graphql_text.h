// A GraphQL document, read: operations, fragments, selections, arguments. The grammar of October 2021, without type
// definitions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace pawl::practice {

struct Position {
  std::size_t line = 1, column = 1;
};

struct Input {
  enum class Kind { literal, variable, list, object } kind = Kind::literal;
  Json literal;      // a scalar, or an enumeration's word
  std::string name;  // of a variable
  std::vector<Input> items;
  std::vector<std::pair<std::string, Input>> members;
};

using Inputs = std::vector<std::pair<std::string, Input>>;

struct Directive {
  std::string name;
  Inputs arguments;
};

struct Selection {
  enum class Kind { field, spread, inlined } kind = Kind::field;
  std::string alias;  // of a field: what the answer calls it
  std::string name;   // of a field or a fragment; of an inline fragment its type, which may be empty
  Inputs arguments;
  std::vector<Directive> directives;
  std::vector<Selection> selections;
  Position at;
};

struct Variable {
  std::string name;
  bool required = false;  // its type ends in "!" and there is no default
  Input fallback;
};

struct Operation {
  std::string kind = "query", name;
  std::vector<Variable> variables;
  std::vector<Selection> selections;
};

struct Fragment {
  std::string type;
  std::vector<Selection> selections;
  Position at;
};

struct Document {
  std::vector<Operation> operations;
  std::map<std::string, Fragment, std::less<>> fragments;
};

// The error's message says what was met, and where.
[[nodiscard]] Result<Document> parse_graphql(std::string_view text);

}  // namespace pawl::practice

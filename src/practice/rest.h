// The REST API: a table of routes, and what is alike for all of them (pages, entity tags, refusals).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "practice/http.h"
#include "practice/rest_objects.h"

namespace pawl::practice {

// One request on its way through a route.
struct Call {
  World& world;
  Actions& actions;
  RestObjects show;
  const HttpRequest& http;
  Json body;  // an object, or null without one
  Token who;
  std::vector<std::string> parts = {};  // what the pattern's names matched; owner and name are taken off
  Repository* repository = nullptr;     // of routes below /repos/OWNER/NAME

  [[nodiscard]] std::int64_t number(std::size_t part) const;
  [[nodiscard]] std::string text(const char* key) const { return string_or(body, key); }
  // Whether the element with this index is on the page that was asked for: others need not be made, only counted.
  [[nodiscard]] bool asks_for(std::size_t index) const;
  Result<Item*> item() const;  // parts[0] is its number
  Result<Item*> pull() const;
};

struct Told {
  Json body;
  int status = 200;
  bool pages = false;
  const char* list = nullptr;  // of pages: the member that is the list; nothing: the body itself
  bool is_text = false;        // the body is a string, to be sent as it is
};

struct Route {
  std::string_view method;
  // "/repos/:owner/:name/pulls/:number": `:x` takes one part of the path, `+x` one or more.
  std::string_view pattern;
  Result<Told> (*run)(Call&);
};

[[nodiscard]] std::span<const Route> pull_routes();
[[nodiscard]] std::span<const Route> issue_routes();
[[nodiscard]] std::span<const Route> other_routes();

// `path` begins at the API's root ("/user").
[[nodiscard]] HttpAnswer answer_rest(World& world, Actions& actions, const HttpRequest& request, const Token& who,
                                     std::string_view path, const std::string& api);

[[nodiscard]] HttpAnswer json_answer(int status, const Json& body);

}  // namespace pawl::practice

// Failures to order: each names the requests it is for, how many it lets pass first and how many it strikes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "practice/http.h"

namespace pawl::practice {

struct Fault {
  std::string method;  // empty: any
  std::string path;    // part of it; empty: any
  std::string text;    // part of the body, to tell one GraphQL request from another; empty: any
  std::string kind;
  int status = 0;
  std::int64_t retry_after = 1;
  std::int64_t after = 0;
  std::int64_t times = 1;  // negative: for ever
  std::int64_t ms = 500;
};

class Faults {
 public:
  // {"method", "path", "text", "kind": slow|never|cut|status|lost|html|rate|secondary|deep|garbage, "status",
  //  "retry_after", "after", "times", "ms"}
  Done add(const Json& wanted);
  void clear() { faults_.clear(); }
  // The one that strikes this request, which then counts as struck.
  std::optional<Fault> next(const HttpRequest& request);

 private:
  std::vector<Fault> faults_;
};

// Those that answer instead of the world; nothing for those that only spoil the world's own answer.
[[nodiscard]] std::optional<HttpAnswer> instead(const Fault& fault, std::int64_t now_ms);
// What becomes of the world's answer on its way.
void spoil(HttpAnswer& answer, const Fault& fault);

}  // namespace pawl::practice

// HTTP as the stand-in needs it: a request, an answer, and the ways in which an answer may fail to arrive. The library
// behind it is known to http_server.cc alone, as it compiles slowly.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pawl::practice {

struct HttpRequest {
  std::string method;
  std::string path;   // as sent, without the query
  std::string query;  // as sent
  std::string host, authorization, if_none_match, accept;
  std::string body;

  // The decoded value of a query parameter, or the fallback.
  [[nodiscard]] std::string parameter(std::string_view name, std::string_view fallback = {}) const;
};

enum class Delivery {
  whole,
  never,  // the connection stays open and silent
  cut,    // half of the body, then the end
  lost,   // the end, without a byte
};

struct HttpAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  Delivery delivery = Delivery::whole;
  std::int64_t delay_ms = 0;
};

using HttpHandler = std::function<HttpAnswer(const HttpRequest&)>;

struct Listen {
  std::uint16_t port = 0;  // of 127.0.0.1; 0: the system chooses
  std::string socket;      // not empty: a Unix socket instead
};

// From here to `serve`, SIGINT and SIGTERM wait: what was made by then is put away as at any other time.
struct HeldSignals {
  HeldSignals();
};

// Serves until SIGINT, SIGTERM or `listening` says false. `listening` is told the address once requests are taken.
[[nodiscard]] Done serve(const Listen& where, const HttpHandler& handler,
                         const std::function<bool(const std::string&)>& listening);

[[nodiscard]] std::string percent_decoded(std::string_view text, bool plus_is_blank);
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace pawl::practice

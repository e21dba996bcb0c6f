// One request over HTTP, with libcurl: bounded in time and in size, and nothing of the token in any message.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::github {

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Accept: …"; the token's is added by Http
  std::string body;
  bool writes = false;  // never sent twice, not by the library either
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string, std::less<>> headers;  // names in small letters
  std::string body;

  [[nodiscard]] std::string_view header(std::string_view name) const;
};

// Why there is no response. What was sent may have arrived all the same, unless `never_sent`.
struct Broken {
  std::string why;
  bool never_sent = false;
  bool permanent = false;  // too large, a certificate that is not trusted: trying again would bring the same
};

struct HttpOptions {
  std::string unix_socket;  // empty: by name and port
  std::string token;
  std::int64_t timeout_ms = 30'000;
  std::size_t max_bytes = std::size_t{64} << 20U;
  std::function<bool()> waiting = [] { return true; };  // called a few times a second; false: give up at once
};

// "Wed, 21 Oct 2026 07:28:00 GMT" in seconds since 1970.
[[nodiscard]] std::optional<std::int64_t> http_date(const std::string& text);

class Http {
 public:
  explicit Http(HttpOptions options);
  ~Http();
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;

  [[nodiscard]] tl::expected<HttpResponse, Broken> send(const HttpRequest& request);

 private:
  struct Handle;
  HttpOptions options_;
  std::unique_ptr<Handle> handle_;  // kept: the next request uses the same connection
};

}  // namespace pawl::github

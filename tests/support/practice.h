// The real `pawl practice`, started for a test: a GitHub of its own on a Unix socket or a port of this machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "support/binary.h"

namespace pawl::test {

struct HttpReply {
  int status = 0;  // 0: the connection ended before a whole answer had come
  std::string head;
  std::string body;
  bool whole = false;  // as many bytes of body as the header promised

  [[nodiscard]] std::string header(std::string_view name) const;  // empty when it is not there
  [[nodiscard]] Json json() const;                                // throws when it is none
};

class Practice {
 public:
  enum class Door { socket, port };

  // A seed of the shape in practice/seed.h; null: the demonstration. Throws when the server does not start.
  explicit Practice(const Json& seed = {}, Door door = Door::socket, std::vector<std::string> more = {});
  ~Practice();
  Practice(const Practice&) = delete;
  Practice& operator=(const Practice&) = delete;

  [[nodiscard]] std::string url() const { return url_; }        // "http://127.0.0.1:PORT", or empty for a socket
  [[nodiscard]] std::string socket() const { return socket_; }  // its path, or empty for a port
  [[nodiscard]] std::string token() const { return token_; }
  [[nodiscard]] std::string folder() const { return folder_; }  // OWNER/NAME.git are in it

  // A request with the token; `body` null: none. `headers`: "Name: value".
  [[nodiscard]] HttpReply request(const std::string& method, const std::string& path, const Json& body = {},
                                  const std::vector<std::string>& headers = {}) const;
  // The same with another token, or without one when it is empty.
  [[nodiscard]] HttpReply request_as(const std::string& token, const std::string& method, const std::string& path,
                                     const Json& body = {}, const std::vector<std::string>& headers = {}) const;
  // Sends a request and waits until the server has taken it, but not for an answer.
  [[nodiscard]] bool send_only(const std::string& method, const std::string& path) const;
  [[nodiscard]] Json graphql(const std::string& query, const Json& variables = Json::object()) const;

  // Control: "/_practice" + path; throws when it is refused.
  Json control(const std::string& method, const std::string& path, const Json& body = {}) const;
  void fault(const Json& fault) const { control("POST", "/faults", fault); }
  [[nodiscard]] Json requests() const { return control("GET", "/requests"); }

  // The real `gh` against this server.
  [[nodiscard]] Ran gh(const std::vector<std::string>& args) const;

  // SIGTERM, and how it ended.
  Ran stop(int signal = 15);

 private:
  [[nodiscard]] int connect_to() const;
  [[nodiscard]] std::string text_of(const std::string& token, const std::string& method, const std::string& path,
                                    const Json& body, const std::vector<std::string>& headers) const;

  TempWorkspace place_;
  Fd said_;  // kept open: a server that writes to nobody would end
  std::unique_ptr<Child> child_;
  std::string url_, socket_, token_, folder_;
  std::uint16_t port_ = 0;
};

[[nodiscard]] bool has_gh();

}  // namespace pawl::test

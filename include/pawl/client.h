// pawl as a library: every verb of the command line, in your process. Link with -lpawl -lsqlite3 -lutf8proc.
//
//   auto client = pawl::Client::open({.dir = "/home/me/project"});
//   auto answer = client->call("issue set", {{"number", "42"}, {"status", "running"}});
//   if (!answer) puts(answer.error().message.c_str());
//
// Names and meanings are those of `pawl help`; answers are the JSON that --json prints. include/pawl/issue.h has
// functions with types for issues, include/pawl/loop.h for loops. Used by one thread at a time; any number of clients
// and processes may be open.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "pawl/error.h"

namespace pawl {

struct ClientOptions {
  std::string dir = {};    // in or below the project; empty: the current folder
  std::string actor = {};  // who the log says it was; empty: the user
  // For a process that makes many changes: commits become several times faster, and other processes keep working.
  bool long_lived = false;
  // What a user should know: a file was changed outside pawl, a value was refused. Empty: dropped.
  std::function<void(std::string_view)> note = {};
};

struct CallOptions {
  std::string reason = {};
  std::string idempotency_key = {};  // the same key and arguments give the first answer, and nothing is done twice
  std::int64_t at = 0;               // show things as they stood after that operation; 0: as they are
};

class Client {
 public:
  static Result<Client> open(const ClientOptions& options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // A flag that is given has the value "". Verbs that go on for ever (watch) are not offered.
  Result<std::string> call(std::string_view verb, const std::map<std::string, std::string>& arguments,
                           const CallOptions& options = {});

 private:
  struct Inside;
  explicit Client(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl

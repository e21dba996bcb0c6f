// Calls to GitHub, with the manners it asks for: every page read, unchanged ones for a 304, limits waited for, broken
// reads tried again, writes a second apart. What comes back is whole, or an error that says which call failed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "integrations/github/http.h"
#include "integrations/github/patience.h"
#include "integrations/github/place.h"

namespace pawl::github {

// What was answered last time, to ask only whether it has changed.
struct KnownPage {
  std::string etag;
  std::string link;
  std::string body;
};
class PageMemory {
 public:
  virtual ~PageMemory() = default;
  [[nodiscard]] virtual std::optional<KnownPage> find(const std::string& url) = 0;
  virtual void keep(const std::string& url, const KnownPage& page) = 0;
  virtual void forget(const std::string& url) = 0;
};

// Whether somebody wants the process to end. `soon`: a call may still be made, for what has to be left in order, but
// nothing is waited for; `at_once`: the call under way is given up, and none is made.
enum class Ending { no, soon, at_once };

struct ClientOptions {
  Place place;
  Patience patience;
  std::int64_t timeout_ms = 30'000;
  std::int64_t between_writes_ms = 1'000;
  std::size_t max_bytes = std::size_t{64} << 20U;
  const Clock* clock = nullptr;
  PageMemory* memory = nullptr;             // nullptr: nothing is remembered
  std::function<void(std::int64_t)> pause;  // waits so many milliseconds; less when it is to end
  std::function<Ending()> ending = [] { return Ending::no; };
  std::function<void(std::string_view)> say = [](std::string_view) {};       // a line for the user
  std::function<void(std::string_view)> progress = [](std::string_view) {};  // what is under way, "" when it is over
};

class Client {
 public:
  explicit Client(ClientOptions options);

  // One JSON text. `path` begins with a slash.
  [[nodiscard]] Result<std::string> get(const std::string& path);
  // The bodies of all pages of a listing, in order. Those of a listing that is not asked for again are not remembered.
  enum class Remember { pages, nothing };
  [[nodiscard]] Result<std::vector<std::string>> pages(const std::string& path, Remember remember = Remember::pages);
  // Whether it is there: 204 or 404.
  [[nodiscard]] Result<bool> exists(const std::string& path);
  // A write; its answer. unavailable: it is not known whether it was done.
  [[nodiscard]] Result<Json> write(const std::string& method, const std::string& path, const Json& body);
  // A query; or a mutation, which is a write.
  [[nodiscard]] Result<Json> query(std::string_view text, const Json& variables);
  [[nodiscard]] Result<Json> mutate(std::string_view text, const Json& variables);
  void pause(std::int64_t ms) { options_.pause(ms); }
  // What came last could not be read: it is not to be answered from memory the next time.
  void forget_what_came_last();

 private:
  struct Call;

  [[nodiscard]] Result<HttpResponse> send(const Call& call);
  [[nodiscard]] Result<HttpResponse> fetch(const std::string& url, Remember remember);
  [[nodiscard]] Result<HttpResponse> follow(Call call);
  [[nodiscard]] Result<Json> graphql(std::string_view text, const Json& variables, bool writes);
  void keep_a_second_apart();

  ClientOptions options_;
  Http http_;
  std::int64_t last_write_ms_ = 0;
  std::int64_t waited_ms_ = 0;  // by all calls together
  std::vector<std::string> came_last_;
  std::int64_t call_began_ms_ = 0;
  std::string under_way_;
};

// The address with rel="next" in a Link header; empty when there is none.
[[nodiscard]] std::string next_page(std::string_view link);

}  // namespace pawl::github

// What a verb is given: the common flags, the streams it may speak on, and the engine, opened when first asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace pawl {

class Engine;
class Lifecycles;
struct Note;
struct Request;

struct CommonFlags {
  std::string dir;  // where to look for the workspace; empty: here. The command line's -C has already gone there
  std::optional<std::int64_t> at;
  std::string actor;
  std::string reason;
  std::string idempotency_key;
  bool verbose = false;
};

class Context {
 public:
  CommonFlags flags;
  std::string verb;          // "issue set": goes into the log
  std::string verb_request;  // canonical arguments, for the idempotency key
  // The path of the running binary, for verbs that start another one.
  std::function<std::string()> self = [] { return std::string("pawl"); };
  // Hands the whole command over to the second executable, which can do the rest of it (commands/world.h); returns only
  // when that is not possible.
  std::function<Error()> hand_over = [] {
    return Error{ErrorCode::unavailable, "this needs the network, and only the command line can use it", {}};
  };
  bool text_only = false;                                           // nobody reads the answer as JSON
  int reader = -1;                                                  // where answers go, to see when nobody reads; or -1
  bool draws = false;                                               // on a terminal, where text can be drawn over
  bool plain_settings = false;                                      // what is set does not count
  std::vector<std::pair<std::string, std::string>> found_settings;  // that a first pawl.toml would have
  bool one_shot = false;                                            // the process ends with this verb
  std::function<bool(const Json&)> emit = [](const Json&) { return true; };  // one item of a verb that streams;
                                                                             // false: nobody listens, stop
  std::function<void(std::string_view)> note = [](std::string_view) {};      // what a user should know: stderr
  // A note with a code: as a frontend shows it, and as text for an answer of its own. Unless told, `tell` makes it
  // text.
  std::function<void(const Note&)> tell;
  std::function<std::string(const Note&)> in_words;
  // What is under way, on a terminal, in place of the line before; "" when it is over.
  std::function<void(std::string_view)> progress = [](std::string_view) {};
  // What a program that the user named prints, as it comes; and whether some of it would be taken without waiting.
  std::function<bool()> live_ready = [] { return true; };
  std::function<void(std::string_view)> live = [](std::string_view) {};
  // A question to whoever sits at the terminal, and the answer; nothing where nobody does.
  std::function<std::optional<std::string>(std::string_view)> ask = [](std::string_view) { return std::nullopt; };
  // All of what was handed in with the request: stdin.
  std::function<Result<std::string>()> input = []() -> Result<std::string> { return std::string(); };
  const Clock* clock = nullptr;

  Context();
  ~Context();
  // Opens the workspace around flags.dir. The same engine on every call.
  Result<Engine*> engine();
  // After its settings were written: the next call opens it anew.
  void close_engine();
  // The user's own store, for files that all projects share. unavailable: HOME is not set.
  Result<Engine*> users_engine();
  [[nodiscard]] const Lifecycles& lifecycles() const;
  // Who asks for what, as the engine wants to know it.
  [[nodiscard]] Request request() const;

 private:
  // A command may look at the same files several times: each note is said once, whatever is added to it then.
  [[nodiscard]] bool is_new(std::string_view text);

  std::vector<std::string> said_;  // notes
  std::unique_ptr<Engine> engine_, users_engine_;
};

}  // namespace pawl

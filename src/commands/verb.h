// One table of verbs; every door reads it. A row says what a verb is called, what it takes, whether it
// changes anything, what it does, and how its answer reads as text. A door adds nothing to that: it turns
// its own kind of request into Arguments, calls `run`, and shows the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl {

class Context;  // commands/context.h: the workspace, opened when first needed

enum class ParamType { text, positive, integer, duration, operation, flag };

// What a shell may offer for a value, beside the choices.
// `moves`: where the record that the word before names can go.
enum class Offer { nothing, records, refs, sessions, statuses, moves, operations, branches, files };

struct Param {
  std::string_view name = {};  // "session": --session on the command line, a member "session" in JSON
  ParamType type = ParamType::text;
  std::string_view value = {};  // how help calls the value: "ID"; without it the name in capitals
  std::string_view summary = {};
  bool positional = false;
  bool required = false;
  bool many = false;  // a positional takes all that follow; an option may be given again and again
  std::span<const std::string_view> choices = {};  // a closed list of words; refused with the nearest one
  char letter = 0;                                 // 'C': also -C on the command line
  std::size_t max_bytes = 0;  // 0: any bytes. Else at most so many, UTF-8, without control characters
  bool not_empty = false;
  bool command_line_only = false;  // about the terminal or the process: no other door offers it
  Offer offer = Offer::nothing;
  std::string_view offer_kind = {};  // of the records, sessions and statuses; without it the one called like the noun
};

struct Example {
  std::string_view command = {};  // as typed: "pawl issue set 42 running"
  std::string_view comment = {};
};

// What was asked, already of the right types. Common flags (actor, reason, at, …) are in the Context.
class Arguments {
 public:
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.empty()) return std::nullopt;
    return found->second.front();
  }
  [[nodiscard]] std::string text_or(std::string_view name, std::string_view fallback) const {
    return text(name).value_or(std::string(fallback));
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
  }
  [[nodiscard]] bool flag(std::string_view name) const { return values_.contains(name); }
  // The door has checked that it is one.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> duration_ms(std::string_view name) const;

  void add(std::string_view name, std::string value) { values_[std::string(name)].push_back(std::move(value)); }
  void set_flag(std::string_view name) { values_[std::string(name)]; }
  // The same for the same arguments in any order: what an idempotency key stands for.
  [[nodiscard]] std::string canonical() const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// How text may look where it is shown.
struct TextStyle {
  bool color = false;
  bool terminal = false;  // what was shown can be drawn over
  bool unicode = true;    // more than ASCII can be shown
  std::size_t width = 80;
  std::size_t height = 0;   // of the terminal, in lines; 0: nobody knows
  std::int64_t now_ms = 0;  // for "3 minutes ago"
};

// An answer, and how the process ends: 0 unless the verb's own contract says otherwise. Null data shows nothing.
struct Reply {
  Json data;
  int exit_code = 0;
};

struct Verb {
  std::string_view noun = {};  // empty for verbs without one: "doctor"
  std::string_view name = {};
  std::string_view summary = {};  // one line, for lists
  std::string_view manual = {};   // the paragraphs under it in help, an empty line between two; lines are joined
  std::span<const Param> params = {};
  std::span<const Example> examples = {};  // two at least
  bool read_only = true;
  bool needs_reason = false;  // refuses without the common --reason: its usage says so
  bool streams = false;       // emits items through Context::emit before it replies; each is rendered by `text`
  bool verbatim = false;      // its text is somebody else's: given out byte for byte
  bool for_a_file = false;    // its text is a script, or goes into a file: no line of it is folded on a terminal
  bool never_fails = false;   // exits 0 whatever happens: an agent reads other codes as a decision
  bool world = false;  // needs what only the second executable links (commands/world.h); `run` is there, not here
  Result<Reply> (*run)(Context&, const Arguments&) = nullptr;
  std::string (*text)(const Json&, const TextStyle&) = nullptr;  // untrusted text is made printable here
  bool (*is_for_a_file)(const Json&) = nullptr;                  // like for_a_file, of some answers alone
};

// "issue set", "doctor"
[[nodiscard]] std::string full_name(const Verb& verb);

// The common flags, as params: every door offers them with every verb (`at` with those that only read).
[[nodiscard]] std::span<const Param> common_params();

[[nodiscard]] std::span<const Verb* const> all_verbs();
[[nodiscard]] const Verb* find_verb(std::string_view noun, std::string_view name);

// Types and choices: what every door checks before it calls. The error says what is allowed and what was meant.
[[nodiscard]] Done check_value(const Param& param, std::string_view value);

}  // namespace pawl

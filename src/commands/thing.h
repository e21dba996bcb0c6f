// One thing and its history, as every verb shows them: `pawl show`, `story show`, `story log`, `review show`,
// `ralph show`, `ultrawork show`, `verify show`.
//
//   story/US-1: pushed  Reset a password
//     branch: story/us-1
//     in prd.json
//
//   17  3 minutes ago  bot-1  story move  (2026-01-30 10:00)
//       story/US-1: committed → pushed
//
// The head, what is known of it, and what happened: who, what, why, when, and what showed that it may.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/verb.h"
#include "engine/view.h"

namespace pawl {

// What a verb that shows a thing tells of its history: the newest so many operations.
inline constexpr std::int64_t kRecentOperations = 5;

// Untrusted text is made printable where it is put in.
struct Thing {
  std::string name = {};    // "issue/42"
  std::string status = {};  // where it stands, in words
  std::string title = {};
  std::string facts = {};  // made by `fact`
  std::string body = {};   // lines of its own kind: a plan, checks
  std::string more = {};   // made by `more_of`
};

// "  label: value", with a time in words; nothing for an empty value.
[[nodiscard]] std::string fact(std::string_view label, std::string_view value, const TextStyle& style);
// The same for a member of an object, of any type; nothing where it is not there.
[[nodiscard]] std::string fact(std::string_view label, const Json& object, std::string_view name,
                               const TextStyle& style);
[[nodiscard]] std::string text_of_thing(const Thing& thing, const Json& log, const TextStyle& style);

// What happened to a thing and its parts, newest first, and to nothing else: of an operation on many things only their
// events. Not what came after `at`.
[[nodiscard]] Result<Json> history_of(const View& view, const std::vector<RecordId>& parts,
                                      std::optional<std::int64_t> at, std::int64_t limit);
// The newest of it as `log`, and in `log_more` how many are older than these, where any are: 1000 stands for whatever
// is more than that. What shows them goes into `log_by`; for its caller to say.
[[nodiscard]] Done add_history(const View& view, const std::vector<RecordId>& parts, std::optional<std::int64_t> at,
                               Json& out, std::int64_t limit = kRecentOperations);
// "and 3 more: pawl log issue/42", of such an answer; nothing where that is all.
[[nodiscard]] std::string more_of(const Json& out);

}  // namespace pawl

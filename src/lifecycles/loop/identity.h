// Whose loop it is, and which one. A loop's identity is its session and its start; the record's key is made of both, so
// that a loop which was cleared is known when it is written again, and another one is another record.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "core/record.h"

namespace pawl::loop {

inline constexpr std::size_t kMaxSessionBytes = 256;

// ^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$, and not the word null: what other tools write for nobody.
[[nodiscard]] bool is_session_id(std::string_view text);
[[nodiscard]] Done check_session(std::string_view text);

// The session that a document names. nullopt: nobody's. A value that can be no session id is somebody's, but whose it
// is cannot be said, so it is never equal to a session that asks.
[[nodiscard]] std::optional<std::string> owner_of(const Json& doc);
[[nodiscard]] bool is_owned_by(const Json& doc, std::string_view session);

// "SESSION@20260128T212600.000Z": the session (where there is one), and `start` as start_part spells it.
[[nodiscard]] std::string key_of(const Json& doc, std::string_view start);
// The part of a key behind the session; two records with the same one are one loop in two hands.
[[nodiscard]] std::string_view start_in(std::string_view key);
// What marks the beginning: a time in one spelling, whatever the file's; any other text by its digest; "" for nothing.
[[nodiscard]] std::string start_part(const Json& value);

}  // namespace pawl::loop

// JSON values. The library is nlohmann's, with the order of keys kept, since files are shown to people. Numbers that
// it has no room for are kept as they were written (json_number.h), so write values by what stands here, not by dump().
// Parsing is bounded in depth, as the library's own printing recurses.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

using Json = nlohmann::ordered_json;

inline constexpr int kMaxJsonDepth = 200;

[[nodiscard]] Result<Json> parse_json(std::string_view text);

// One line. Bytes that are not UTF-8 become U+FFFD instead of an exception.
[[nodiscard]] std::string to_line(const Json& value);

// Two spaces of indentation, no newline at the end: what jq prints.
[[nodiscard]] std::string to_pretty(const Json& value);

// The member if it is there and a string, else the fallback. Never throws, whatever `object` is.
[[nodiscard]] std::string string_or(const Json& object, std::string_view key, std::string_view fallback = {});

// The same for an integer; one beyond 64 bits is the largest of them, or the smallest.
[[nodiscard]] std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback = 0);

// The same for a truth.
[[nodiscard]] bool bool_or(const Json& object, std::string_view key, bool fallback = false);

}  // namespace pawl

// When two JSON values mean the same, or are the same text. Not nlohmann's ==: for ordered_json that one depends on the
// order of keys, takes 9007199254740993 for 9007199254740992.0, and -1 for 18446744073709551615.
//
// Objects are equal whatever the order of their keys. For same_value 1 equals 1.0, and integers are compared in all
// their bits. What JSON cannot write (NaN, infinity) counts as null, since that is what would be written.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json_text.h"

namespace pawl {

[[nodiscard]] bool same_value(const Json& a, const Json& b);
[[nodiscard]] bool same_value(const JsonRef& a, const Json& b);

// The same as text: 1 and 1.0 differ, and so do numbers that are kept as written and spelled otherwise. Only the order
// of an object's members does not count.
[[nodiscard]] bool same_text(const Json& a, const Json& b);

// Which member of `object` (by its place in the file) holds each key of `wanted`, kNoMember for those it lacks.
inline constexpr std::size_t kNoMember = static_cast<std::size_t>(-1);
struct MatchedMembers {
  std::vector<std::size_t> holder;  // for each key of wanted
  std::vector<std::size_t> key;     // for each member: the key of wanted that it spells, or kNoMember
};
[[nodiscard]] MatchedMembers match_members(const JsonRef& object, const Json& wanted);

// Equal for values that mean the same, and for few others.
[[nodiscard]] std::uint64_t value_hash(const Json& value);

}  // namespace pawl

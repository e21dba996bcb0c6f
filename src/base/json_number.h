// Numbers of JSON. A file may say more than a machine number holds: 123456789012345678901234567890, 1e400, or more
// digits than a double has. Such a number is kept as it was written, or an edit of its last digit would be no change,
// and writing it again would write another one.
//
// Where it is kept: in the library's binary value, which JSON has no other use for. It is no number to whoever asks the
// library (it cannot be counted with), is written as it stands, and is compared by what it means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl {

// A number of JSON's grammar: an integer of 64 bits, a double that says just that, or the number as written.
[[nodiscard]] Json json_number(std::string_view number);

[[nodiscard]] inline bool is_as_written(const Json& value) { return value.is_binary(); }
[[nodiscard]] std::string as_written(const Json& value);

// Any number, to be sorted by: the nearest double, which may be infinite. Nothing of what is no number.
[[nodiscard]] std::optional<double> nearest_double(const Json& value);

// A number of JSON's grammar in one spelling: those that say the same have the same.
[[nodiscard]] std::string one_spelling(std::string_view number);

// Of two numbers of which at least one is kept as written.
[[nodiscard]] bool same_as_written(const Json& a, const Json& b);

}  // namespace pawl

// The bytes of a state file after something changed in it: only the values that differ are written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/record.h"

namespace pawl::review {

// nullopt: the review is not there any more, and no file is left. `before`: findings as they were, by which those
// without an id are found in the file.
[[nodiscard]] std::optional<std::string> edit_state(std::string_view base, std::span<const Record> records,
                                                    std::span<const Record> before);

// A whole file in the seed's form.
[[nodiscard]] std::optional<std::string> new_state(std::span<const Record> records);

}  // namespace pawl::review

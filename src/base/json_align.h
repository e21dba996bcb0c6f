// Which element of an array became which: so that a list of stories of which one was removed and another changed is
// edited in two places, and not rewritten from the first of them on.
#pragma once

#include <span>
#include <vector>

#include "base/json_text.h"

namespace pawl {

// For each element of `wanted` the index of the element that it is made from, in rising order, or kNoMember
// (json_same.h) when it is to be written anew.
[[nodiscard]] std::vector<std::size_t> align_elements(std::span<const JsonRef> elements, const Json& wanted);

}  // namespace pawl

// What is said of a state file's line that cannot be read.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "base/text.h"

namespace pawl::review {

[[nodiscard]] inline auto damaged(std::size_t line, std::string_view what) {
  return fail(ErrorCode::corruption, cat("line ", line, ": ", what));
}

}  // namespace pawl::review

// Carrying errors upward: two macros, no chains.
#pragma once

#include "pawl/error.h"

#define PAWL_CONCAT_INNER(a, b) a##b
#define PAWL_CONCAT(a, b) PAWL_CONCAT_INNER(a, b)

// Returns the error of `expression` from the enclosing function, if it has one.
#define PAWL_TRY(expression) PAWL_TRY_INNER(PAWL_CONCAT(pawl_tried_, __COUNTER__), expression)
#define PAWL_TRY_INNER(name, expression)                                      \
  do {                                                                        \
    auto name = (expression);                                                 \
    if (!name) return tl::unexpected<::pawl::Error>(std::move(name).error()); \
  } while (false)

// PAWL_ASSIGN(auto value, function()): the value, or return the error.
#define PAWL_ASSIGN(declaration, expression) \
  PAWL_ASSIGN_INNER(PAWL_CONCAT(pawl_result_, __COUNTER__), declaration, expression)
#define PAWL_ASSIGN_INNER(name, declaration, expression)                    \
  auto name = (expression);                                                 \
  if (!name) return tl::unexpected<::pawl::Error>(std::move(name).error()); \
  declaration = std::move(*name)

namespace pawl {

struct Nothing {};
using Done = Result<Nothing>;

[[nodiscard]] inline Done done() { return Nothing{}; }

}  // namespace pawl

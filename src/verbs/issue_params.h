// What the verbs of `pawl issue` share: the number that each takes.
#pragma once

#include "verbs/verb.h"

namespace pawl {

inline constexpr Param kIssueNumber{.name = "number",
                                    .type = ParamType::positive,
                                    .value = "N",
                                    .summary = "the issue's number",
                                    .positional = true,
                                    .required = true,
                                    .offer = Offer::records,
                                    .offer_kind = "issue"};

[[nodiscard]] inline std::int64_t issue_number(const Arguments& arguments) {
  return arguments.number("number").value_or(0);
}

}  // namespace pawl

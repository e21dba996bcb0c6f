// What the verbs of `pawl issue` share: the number that each takes, and what they tell of a run.
#pragma once

#include <array>

#include "commands/verb.h"
#include "core/record.h"

namespace pawl {

inline constexpr Param kIssueNumber{.name = "number",
                                    .type = ParamType::positive,
                                    .value = "N",
                                    .summary = "the issue's number",
                                    .positional = true,
                                    .required = true,
                                    .offer = Offer::records,
                                    .offer_kind = "issue"};
inline constexpr std::array kNumberOnly = {kIssueNumber};

inline constexpr Param kIssueToken{.name = "token",
                                   .type = ParamType::positive,
                                   .value = "T",
                                   .summary = "only if the claim with this token still holds"};

[[nodiscard]] inline std::int64_t issue_number(const Arguments& arguments) {
  return arguments.number("number").value_or(0);
}

// What pawl knows of an issue beside its file: title, branch and worktree, and what is next once it is complete. Null
// where it knows nothing.
[[nodiscard]] Result<Json> run_facts(Context& context, const Record& record);

}  // namespace pawl

// How `pawl issue cleanup` and `pawl story cleanup` answer: what went, and what keeps the rest.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "runners/worktree_removal.h"

namespace pawl {

// One row: {"issue": 42, "cleaned", "did" or "would", and what stopped it}.
[[nodiscard]] Json cleaned_json(const std::string& noun, const Json& name, const Cleaned& one, bool dry_run);
[[nodiscard]] Json not_cleaned_json(const std::string& noun, const Json& name, const Error& error);
// Of an answer whose rows are in `list`.
[[nodiscard]] std::string cleanup_text(const Json& data, const std::string& list, const std::string& noun);

}  // namespace pawl

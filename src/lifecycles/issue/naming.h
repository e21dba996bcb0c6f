// What things are called that belong to an issue: its worktree, its branch, its session.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/settings.h"

namespace pawl::issue {

// Lower case; what is not a–z or 0–9 becomes "-", squeezed and trimmed; at most 40. Empty where nothing is left.
[[nodiscard]] std::string slug(std::string_view title);

[[nodiscard]] std::string worktree_name(std::int64_t number, std::string_view title);  // "issue-42-fix-login"
[[nodiscard]] std::string branch_name(std::int64_t number, std::string_view title);    // "feature/issue-42-fix-login"

// The folder of the worktrees, and a terminal session's name.
[[nodiscard]] std::string base_dir(const Settings& settings);
[[nodiscard]] std::string session_name(std::int64_t number, const Settings& settings);

// Whose worktree, branch or session this is: "issue-42" and "issue-42-anything" are issue 42's, and never issue 4's.
[[nodiscard]] std::optional<std::int64_t> issue_of_worktree(std::string_view folder_name);
[[nodiscard]] std::optional<std::int64_t> issue_of_branch(std::string_view branch);
[[nodiscard]] std::optional<std::int64_t> issue_of_session(std::string_view session, const Settings& settings);

}  // namespace pawl::issue

// Members of a list's file that somebody left out or changed: how they were written, so that an undo brings them back
// to the byte, and which of them somebody would miss. Numbers are kept by programs to what a double holds, and texts
// without their escapes; what somebody wrote is kept as it stood.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/record.h"

namespace pawl::story {

// Beside the list: members that one text has and the other does not. A list of {"name", "text", "after"}; without
// "after" it stood first.
[[nodiscard]] Json dropped_members(std::string_view before, std::string_view now);

// Of a story that stands in `before`: members that `after` does not have as `was` did. A list of {"name", "text"}.
[[nodiscard]] Json members_as_written(std::string_view before, const Record& was, const Record& after);

// Such members put back; those with "of" are that story's, and only their spelling comes back: what they say is what is
// recorded.
[[nodiscard]] std::string with_members_back(std::string bytes, const Json& members);

// Stories that stood in `before` and came back into the list, written as they were there; `others` never left it.
[[nodiscard]] std::string as_spelled_before(std::string bytes, std::string_view before,
                                            const std::set<std::string_view>& others);

// "without “prNumber” now; its acceptance criteria were changed"
[[nodiscard]] std::string lost_by_edit(const Record& before, const Record& after);

}  // namespace pawl::story

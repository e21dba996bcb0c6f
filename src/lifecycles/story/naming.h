// What a story is called where not every text can stand: as a file, a folder, a branch, a line of a commit.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "core/record.h"

namespace pawl::story {

// Letters, digits, `.`, `_` and `-`, at most 60; another id never gets the same name.
[[nodiscard]] std::string file_name_of(std::string_view id);
// The same for a story of whichever list: two lists may have one id.
[[nodiscard]] std::string file_name_of(const RecordId& id);
// The one its document names, or prefix and id.
[[nodiscard]] std::string branch_of(std::string_view id, const Json& doc, std::string_view prefix);
// "US-1: Title", one line without control characters.
[[nodiscard]] std::string subject_of(std::string_view id, const Json& doc);

}  // namespace pawl::story

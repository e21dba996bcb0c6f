// Plain English as a rule: idioms that this project is leaving behind, refused in the rooms that were rebuilt. What is
// said to people is held to the same list (src/frontends/english).
#pragma once

#include <cstddef>
#include <string_view>

#include "tidy/tree.h"

namespace pawl::tidy {

// In code, names, comments and strings; an underscore counts as a blank, and a phrase may go on in the next line.
[[nodiscard]] Offences idioms_in(std::string_view text);

// The same of a file in a rebuilt room; of any other file: none.
[[nodiscard]] Offences left_behind_idioms(const File& file);

// In words. A sentence ends at a full stop before a blank, at a line's end, or with the text.
[[nodiscard]] std::size_t longest_sentence(std::string_view text);

}  // namespace pawl::tidy

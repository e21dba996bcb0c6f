// A finding as others may see it. HTML comments are what reviewers keep to themselves: in an export, a posted review or
// SARIF there is none, wherever it stood. What stands in a fence is code, and stays as it is. Where Markdown leaves
// room for doubt whether something is a comment or code (a fence that is set in, or under HTML; code within a line), it
// goes too; only a suggestion is left alone then.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl::review {

[[nodiscard]] std::string outward_text(std::string_view text);
// Its title, category, place and body.
[[nodiscard]] Json outward(const Json& finding);

}  // namespace pawl::review

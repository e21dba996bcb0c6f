// A finding as others may see it. HTML comments are what reviewers keep to themselves: in an export, a posted review or
// SARIF there is none, wherever it stood. Where Markdown leaves room for doubt whether something is a comment or code,
// it goes too; only a suggestion, which becomes code as it is, is left alone.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl::review {

[[nodiscard]] std::string outward_text(std::string_view text);
// Its title, category, place and body.
[[nodiscard]] Json outward(const Json& finding);

}  // namespace pawl::review

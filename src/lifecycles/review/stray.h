// What pawl knew of and what still stands in the file, but where it is not read any more: a row of the chunk plan in a
// fence or under another heading, the values of a finding whose heading was mangled. Nobody took those out, so they are
// not gone.
#pragma once

#include <string>

#include "lifecycles/review/state_text.h"

namespace pawl::review {

// What is wrong, and on which line; empty where everything that is missing was taken out.
[[nodiscard]] std::string strays(const StateText& before, const StateText& now);

}  // namespace pawl::review

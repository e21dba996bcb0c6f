// Variables of the environment that look like settings and are none: a typo there would set nothing, and nobody would
// know. pawl.toml refuses the same; the environment is shared with other versions and other tools, so it is only said.
#pragma once

#include <string>
#include <vector>

#include "core/lifecycle.h"

namespace pawl {

struct UnknownVariable {
  std::string name;  // "PAWL_ISSUE_MAX_CONCURENT"
  std::string text;  // that it sets nothing
  std::string hint;  // what was meant, or what there is
};
[[nodiscard]] std::vector<UnknownVariable> unknown_variables(const Lifecycles& lifecycles);

}  // namespace pawl

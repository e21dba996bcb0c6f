// The plugin by which opencode asks pawl: small, and without a rule of its own.
#pragma once

#include <string_view>

namespace pawl::install {

[[nodiscard]] std::string_view opencode_plugin();
// One that pawl wrote, of this version or another.
[[nodiscard]] bool is_opencode_plugin(std::string_view text);

}  // namespace pawl::install

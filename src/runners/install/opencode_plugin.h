// The plugin by which opencode asks pawl: small, and without a rule of its own. Its first line has a mark of all lines
// below it, by which every pawl knows what another one wrote, of whatever version, from what somebody has changed.
#pragma once

#include <string>
#include <string_view>

namespace pawl::install {

[[nodiscard]] std::string opencode_plugin();
// As pawl writes it: the first line, with the mark of `rest`, and that.
[[nodiscard]] std::string marked_plugin(std::string_view rest);
// Was it a plugin of pawl's once? And is it still as a pawl wrote it?
[[nodiscard]] bool began_as_plugin(std::string_view text);
[[nodiscard]] bool is_unchanged_plugin(std::string_view text);

}  // namespace pawl::install

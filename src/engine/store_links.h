// Whoever can commit a link can have it stand where pawl keeps a folder. Nothing is written behind one
// (base/own_folder.h); these name it before it is met.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/workspace.h"

namespace pawl {

inline constexpr std::string_view kLinkInStore = "see where it came from, remove it, and try again";

[[nodiscard]] std::vector<std::string> links_in_store(const Workspace& workspace);  // absolute
[[nodiscard]] Done must_have_no_links(const Workspace& workspace);

}  // namespace pawl

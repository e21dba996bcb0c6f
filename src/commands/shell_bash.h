// The shell door's text: bash functions with the names that scripts know from lib/status.sh.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

// `pawl_path` is the binary that the functions call, wherever the script runs from; empty means the PATH's.
[[nodiscard]] std::string bash_functions(std::string_view pawl_path);

}  // namespace pawl

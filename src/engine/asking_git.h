// Asking git about a repository whose configuration may be a stranger's, as that of an unpacked archive is: nothing
// that it names is run (hooks, fsmonitor, filters, what fetches a missing object), and nothing is written.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"

namespace pawl {

// Only for words that run no filter on a file that has one. In this repository, whichever one the caller's hook was run
// for.
[[nodiscard]] Result<Ran> ask_git_warily(const std::string& folder, const std::vector<std::string>& words);

// Is a filter set for it? What a checkout would write there, or a commit take, is then told by nobody else. An error
// where git can not be asked.
[[nodiscard]] Result<bool> has_filter(const std::string& folder, const std::string& path);

}  // namespace pawl

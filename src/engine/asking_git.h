// Asking git about a repository whose configuration may be a stranger's, as that of an unpacked archive is: nothing
// that it names is run (hooks, fsmonitor, filters, what fetches a missing object), and nothing is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"

namespace pawl {

// Only for words that run no filter on a file that has one. In this repository, whichever one the caller's hook was run
// for.
[[nodiscard]] Result<Ran> ask_git_warily(const std::string& folder, const std::vector<std::string>& words);

// The same for whoever starts it: its command, its variables, and how much and how late an answer may be.
[[nodiscard]] std::vector<std::string> wary_git(const std::string& folder, const std::vector<std::string>& words);
[[nodiscard]] const std::vector<std::string>& wary_variables();
inline constexpr std::size_t kMaxGitAnswer = std::size_t{128} << 20U;
inline constexpr int kGitPatienceMs = 60'000;  // the disk may be another machine's

// Is a filter set for it? What a checkout would write there, or a commit take, is then told by nobody else. An error
// where git cannot be asked.
[[nodiscard]] Result<bool> has_filter(const std::string& folder, const std::string& path);
// The same of what `check-attr -z filter` says of one file: the path, the attribute and its value, each ended by a NUL.
[[nodiscard]] bool tells_of_filter(std::string_view checked);

}  // namespace pawl

// Files that git does not keep (.env) and a worktree needs: copied in when it is made, and told from work afterwards.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/place.h"
#include "base/result.h"

namespace pawl {

// Refuses what is not a path in the workspace.
[[nodiscard]] Done check_copy_files(const std::vector<std::string>& files);

// Paths are relative to the workspace. One that is not there is left out; so is one where the worktree has something
// else already. Returns each file with a mark of its content.
[[nodiscard]] Result<std::map<std::string, std::string>> copy_files(const Roots& roots,
                                                                    const std::vector<std::string>& files,
                                                                    const std::string& worktree,
                                                                    const std::function<void(std::string_view)>& note);

// Those that still are what was copied; the others hold somebody's work, or are the last copy.
struct CopiedNow {
  std::vector<std::string> same;
  std::vector<std::string> changed;
};
[[nodiscard]] Result<CopiedNow> compare_copied(const Roots& roots, const std::map<std::string, std::string>& copied,
                                               const std::string& worktree);
// From here on these bytes are what was copied.
void mark_copied(std::map<std::string, std::string>& copied, const std::string& file, std::string_view bytes);

}  // namespace pawl

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
// Whether git has files of it: then it came with the repository, or goes to whoever clones it, and says what somebody
// wrote. False where git cannot say.
[[nodiscard]] bool is_in_git(const Workspace& workspace);
inline constexpr std::string_view kInGit =
    "git has pawl's store in it: one that came with a repository says what others wrote, and one that goes with it "
    "tells them all that pawl knows";
inline constexpr std::string_view kOutOfGit =
    "git rm -r --cached .pawl  # git forgets it, and the files stay\n"
    "# if it came with the repository: move .pawl away then, and pawl init begins anew from the files";

[[nodiscard]] Done must_have_no_links(const Workspace& workspace);

}  // namespace pawl

// What the git of a folder says about itself.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

struct Remote {
  std::string name;
  std::string url;
};

// `origin` first.
[[nodiscard]] Result<std::vector<Remote>> git_remotes(const std::string& folder);
// not_found where no branch is checked out.
[[nodiscard]] Result<std::string> git_branch(const std::string& folder);

}  // namespace pawl

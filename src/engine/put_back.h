// What somebody wrote into files and the next command that looks at all of them would put back: values that a lifecycle
// does not allow, and damage. Told before it is done; what is done is what taking the files over comes to, without
// writing anything.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl {

struct PutBack {
  std::string path;
  std::string why;
  std::string_view kept;  // in which folder of the store a copy of what was written is kept: "refused", "damaged"
};

// `left_standing`: the files in which that command would leave such a value standing instead (outside = "flag").
[[nodiscard]] Result<std::vector<PutBack>> would_put_back(const Engine& engine, const View& view,
                                                          std::vector<MirrorFile>* left_standing = nullptr);

}  // namespace pawl

// What went from sight with its file: nothing shows it any more, and nobody is asked about it, but it is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/mirror.h"

namespace pawl {

struct AsideWithFile {
  std::string text;    // "prd.json is not there; story/A and 2 more are set aside with it"
  std::string advice;  // what to type to have them back
};

// Files that are not there and of which there is something that has not ended.
[[nodiscard]] Result<std::vector<AsideWithFile>> aside_with_files(const MirrorWorld& world, Transaction& store);

}  // namespace pawl

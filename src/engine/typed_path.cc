#include "engine/typed_path.h"

#include <sys/stat.h>

#include "base/text.h"
#include "engine/refused_copy.h"

namespace pawl {

std::string typed_path(const Engine& engine, const std::string& typed) {
  std::string from_here = engine.path_of(typed);
  struct stat there {};
  const bool stands_here = lstat(engine.world().roots->absolute(from_here).c_str(), &there) == 0;
  if (typed.starts_with('/') || stands_here) return from_here;
  std::string from_root = engine.path_of(cat(engine.workspace().root, "/", typed));
  const bool kept = file_at(engine.world(), from_root) || !find_copy(engine, from_root).empty();
  return kept ? from_root : from_here;
}

}  // namespace pawl

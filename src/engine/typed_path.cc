#include "engine/typed_path.h"

#include <sys/stat.h>

#include "base/text.h"
#include "engine/refused_copy.h"

namespace pawl {

Result<std::string> typed_path(const Engine& engine, const View& view, const std::string& typed) {
  std::string from_here = engine.path_of(typed);
  struct stat there {};
  if (typed.starts_with('/') || lstat(engine.world().roots->absolute(from_here).c_str(), &there) == 0) return from_here;
  // One that is gone, or that git took away, is typed because it is.
  PAWL_ASSIGN(const auto row, view.store().mirror(from_here, MirrorPart::without_before));
  if (row) return from_here;
  std::string from_root = engine.path_of(cat(engine.workspace().root, "/", typed));
  const bool kept = file_at(engine.world(), from_root) || !find_copy(engine, from_root).empty();
  return kept ? from_root : from_here;
}

Result<std::string> typed_path(Engine& engine, const std::string& typed) {
  std::string path;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(path, typed_path(engine, view, typed));
    return done();
  }));
  return path;
}

}  // namespace pawl

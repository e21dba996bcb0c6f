#include "commands/named.h"

#include <algorithm>

#include "base/text.h"
#include "engine/typed_path.h"

namespace pawl {

Result<RecordId> named(const Engine& engine, const View& view, const Arguments& arguments) {
  const std::string ref = arguments.text_or("ref", "");
  const auto typed = arguments.text("file");
  if (!typed) return view.resolve(ref);
  PAWL_ASSIGN(const std::string path, typed_path(engine, view, *typed));
  const MirrorWorld world = engine.world();
  auto found = view.resolve(ref, [&](const RecordId& id) {
    const auto by_scope = path_by_scope(engine.lifecycles(), id);
    if (by_scope && (*by_scope == path || *by_scope == *typed)) return true;  // as it was told, wherever it is typed
    const auto files = files_of(world, id);
    return std::any_of(files.begin(), files.end(), [&](const MirrorFile& file) { return file.path == path; });
  });
  if (!found && found.error().code == ErrorCode::not_found)
    found.error().message = cat("there is no “", printable(ref), "” in ", printable(path));
  return found;
}

}  // namespace pawl

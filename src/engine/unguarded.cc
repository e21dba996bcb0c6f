#include "engine/unguarded.h"

#include <algorithm>

#include "base/text.h"
#include "engine/mirror.h"

namespace pawl {

Result<std::vector<std::string>> unguarded_here(const Engine& engine) {
  std::vector<std::string> out;
  const Workspace& workspace = engine.workspace();
  if (workspace.linked.empty()) return out;
  const Roots there(workspace.linked, {}, {});
  MirrorWorld world = engine.world();
  world.roots = &there;
  for (const Lifecycle& row : engine.lifecycles().rows()) {
    if (!row.of_a_session) continue;
    for (const MirrorFormat* format : row.formats) {
      Folders folders(there);
      std::vector<Error> left_out;  // of what cannot be opened nothing is told
      PAWL_ASSIGN(const auto places, places_of(world, *format, folders, &left_out));
      for (const MirrorPlace& place : places) {
        const auto folder = place.folder.starts_with('/') ? Result<std::optional<Fd>>(std::optional<Fd>())
                                                          : there.find_folder(place.folder, false);
        if (!folder || !*folder) continue;
        PAWL_ASSIGN(const auto names, names_in((*folder)->get()));
        for (const std::string& name : names) {
          if (format->accepts(name)) out.push_back(cat(place.folder, "/", name));
        }
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pawl

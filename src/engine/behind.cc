#include "engine/behind.h"

#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/aside.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"

namespace pawl {
namespace {

// Git does not ask whether what it brings can be read.
std::string damage_in(const Sighting& seen) {
  if (!seen.damage.empty() || seen.found != FileCase::gits || !seen.image.exists) return seen.damage;
  const auto content = seen.file.format->parse(seen.file.path, seen.file.scope, seen.image.bytes);
  return content ? std::string() : content.error().message;
}

Trouble trouble_of_git(const Sighting& seen, const std::string& path) {
  if (seen.git_at_work) return {"git", "git is at work on it", "# look again when that is over"};
  const std::string restore = cat("pawl restore ", path, "  # writes pawl's version");
  if (!seen.image.exists)
    return {"git", "git took it away", cat("pawl accept ", path, "  # ends what it showed\n", restore)};
  if (const std::string damage = damage_in(seen); !damage.empty())
    return {"git", cat("git changed it, and it can not be read: ", printable(damage)),
            cat("# mend it first\npawl accept ", path, "  # takes it over\n", restore)};
  return {"git", "git changed it, and pawl keeps what it knows",
          cat("pawl accept ", path, "  # takes the file's version\n", restore)};
}

}  // namespace

std::optional<Trouble> trouble_with(const Sighting& seen, bool brought) {
  const std::string path = shell_word(seen.file.path);
  const bool earlier = seen.row && seen.row->bytes, gits = seen.found == FileCase::gits;
  if (seen.image.exists && (gits || (brought && seen.found != FileCase::in_step)) &&
      has_conflict_markers(seen.image.bytes))
    return Trouble{"conflict", "it has conflict markers in it",
                   earlier ? cat("# resolve them there first\npawl accept ", path, "  # takes it over\npawl restore ",
                                 path, "  # writes pawl's version")
                           : "# resolve them there"};
  if (gits) return trouble_of_git(seen, path);
  if (seen.found == FileCase::damaged && (brought || !earlier))
    return Trouble{
        "damaged", cat("it can not be read: ", printable(seen.damage)),
        earlier ? cat("# mend it, or do nothing: the next command writes what pawl knows, and keeps this one aside\n",
                      "pawl restore ", path, "  # does that now")
                : "# mend it, or move it away; pawl takes nothing from it, and leaves it as it is"};
  if (seen.row && seen.row->state == kFlagged)
    return Trouble{"not allowed", "it shows a value that its lifecycle does not allow",
                   cat("pawl restore ", path, "  # writes pawl's value")};
  if (brought && seen.found != FileCase::in_step) return Trouble{"behind", "it could not be brought up to date", {}};
  return std::nullopt;
}

Result<std::vector<Behind>> files_behind(const Engine& engine, const View& view, bool brought) {
  std::vector<Behind> out;
  std::set<std::string> looked_at;
  const MirrorWorld world = engine.world();
  Folders folders(*world.roots);
  for (const MirrorFormat* format : world.lifecycles->formats()) {
    std::vector<Error> left_out;
    PAWL_ASSIGN(const auto files, files_of(world, view.store(), *format, folders, &left_out));
    for (const MirrorFile& file : files) {
      if (!looked_at.insert(file.path).second) continue;
      const auto seen = sight(world, view.store(), file);
      auto trouble = seen ? trouble_with(*seen, brought) : Trouble{"not read", seen.error().message, seen.error().hint};
      if (!trouble) continue;
      Behind behind{*std::move(trouble), file.path, copy_name(file.path), {}};
      PAWL_ASSIGN(const auto row, view.store().mirror(file.path));
      // Of one that can not be read back nothing better is known than what pawl left there.
      auto known = known_bytes(world, view, file, row);
      behind.known = known ? *std::move(known) : row->bytes;
      if (seen && seen->image.exists && behind.known == seen->image.bytes) continue;
      out.push_back(std::move(behind));
    }
  }
  return out;
}

}  // namespace pawl

#include "engine/behind.h"

#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/aside.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"

namespace pawl {
namespace {

// In words; nothing where the file is, or will be, up to date.
std::optional<Behind> in_words(const Sighting& seen, bool brought) {
  const std::string path = shell_word(seen.file.path);
  Behind out{seen.file.path, {}, {}, {}, {}, {}};
  if (seen.image.exists && seen.found == FileCase::gits && has_conflict_markers(seen.image.bytes)) {
    out.word = "conflict";
    out.why = "it has conflict markers in it";
    out.advice = cat("resolve them there, or\npawl restore ", path, "  # writes pawl's version");
  } else if (seen.git_at_work) {
    out.word = "git";
    out.why = "git is at work on it";
    out.advice = "look again when that is over";
  } else if (seen.found == FileCase::gits) {
    out.word = "git";
    out.why = seen.image.exists ? "git changed it, and pawl keeps what it knows" : "git took it away";
    out.advice = cat("pawl accept ", path, "  # takes the file's version\npawl restore ", path, "  # writes pawl's");
  } else if (seen.found == FileCase::damaged && (brought || !seen.row || !seen.row->bytes)) {
    out.word = "damaged";
    out.why = cat("it can not be read: ", printable(seen.damage));
    out.advice = "mend it, or move it away";
  } else if (seen.row && seen.row->state == kFlagged) {
    out.word = "not allowed";
    out.why = "it shows a value that its lifecycle does not allow";
    out.advice = cat("pawl restore ", path, "  # writes pawl's value");
  } else if (brought && seen.found != FileCase::in_step) {
    out.word = "behind";
    out.why = "it could not be brought up to date";
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace

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
      auto behind = seen ? in_words(*seen, brought)
                         : Behind{file.path, "not read", seen.error().message, seen.error().hint, {}, {}};
      if (!behind) continue;
      PAWL_ASSIGN(const auto row, view.store().mirror(file.path));
      // Of one that can not be read back nothing better is known than what pawl left there.
      auto known = known_bytes(world, view, file, row);
      behind->known = known ? *std::move(known) : row->bytes;
      if (seen && seen->image.exists && behind->known == seen->image.bytes) continue;
      behind->copy = copy_name(file.path);
      out.push_back(*std::move(behind));
    }
  }
  return out;
}

}  // namespace pawl

#include "engine/behind.h"

#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/aside.h"
#include "engine/ended_in_git.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"
#include "engine/standing.h"
#include "engine/unlike.h"

namespace pawl {
namespace {

// Git does not ask whether what it brings can be read.
std::string damage_in(const Sighting& seen) {
  if (!seen.damage.empty() || seen.found != FileCase::gits || !seen.image.exists) return seen.damage;
  const auto content = seen.file.format->parse(seen.file.path, seen.file.scope, seen.image.bytes);
  return content ? std::string() : content.error().message;
}

std::string without_earlier(const MirrorFile& file) {
  const std::string replace = file.format->how_to_replace(file.path);
  return cat("# mend it, or move it away; pawl takes nothing from it, and leaves it as it is",
             replace.empty() ? "" : "\n", replace);
}

Trouble trouble_of_git(const Sighting& seen, const std::string& path) {
  const std::string restore = cat("pawl restore ", path, "  # writes pawl's version");
  if (!seen.image.exists)
    return {"git", "git took it away", cat("pawl accept ", path, "  # ends what it showed\n", restore)};
  if (const std::string damage = damage_in(seen); !damage.empty())
    return {"git", cat("git changed it, and it cannot be read: ", printable(damage)),
            cat("# mend it first\npawl accept ", path, "  # takes it over\n", restore)};
  return {"git", "git changed it, and pawl keeps what it knows",
          cat("pawl accept ", path, "  # takes the file's version\n", restore)};
}

Trouble trouble_of_standing(const Sighting& seen) {
  return {kNotAllowed, "it shows something that pawl does not allow",
          cat("pawl restore ", shell_word(seen.file.path), "  # writes pawl's value")};
}

// With what pawl would have in the file.
Result<Behind> with_known(const MirrorWorld& world, const View& view, const MirrorFile& file, Trouble trouble) {
  Behind behind{std::move(trouble), file.path, copy_name(file.path), {}};
  PAWL_ASSIGN(const auto row, view.store().mirror(file.path));
  // Of one that cannot be read back nothing better is known than what pawl left there.
  auto known = known_bytes(world, view, file, row);
  behind.known = known ? *std::move(known) : row->bytes;
  return behind;
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
  if (seen.found == FileCase::waits) {
    const Waiting waiting = waiting_in_words(seen);
    return Trouble{waiting.word, std::string(waiting.why), std::string(waiting.advice)};
  }
  if (gits) return trouble_of_git(seen, path);
  if (seen.found == FileCase::damaged && (brought || !earlier))
    return Trouble{
        "damaged", cat("it cannot be read: ", printable(seen.damage)),
        earlier ? cat("# mend it, or do nothing: the next command writes what pawl knows, and keeps this one aside\n",
                      "pawl restore ", path, "  # does that now")
                : without_earlier(seen.file)};
  if (seen.row && seen.row->state == kFlagged) return trouble_of_standing(seen);
  if (brought && seen.found != FileCase::in_step) return Trouble{"behind", "it could not be brought up to date", {}};
  return std::nullopt;
}

Done say_what_is_in_it(const MirrorWorld& world, const View& view, const Sighting& seen, Trouble& trouble) {
  constexpr std::size_t kMost = 3;
  PAWL_ASSIGN(const auto ended, ended_before(view, seen));
  if (ended) {
    trouble.why = cat("git brought a version in which ", printable(ended->ref()),
                      " is under way; it has ended, and does not come back");
    trouble.advice = cat("pawl restore ", shell_word(seen.file.path), "  # writes pawl's version");
  }
  if (trouble.word != kNotAllowed || !seen.image.exists) return done();
  PAWL_ASSIGN(const WhatStands stands, standing_in(world, view, seen.file, seen.image.bytes));
  if (stands.empty()) return done();
  std::string said;
  std::size_t count = 0;
  for (const auto& [id, left] : stands) {
    if (++count > kMost) continue;
    PAWL_ASSIGN(const Record record, view.load(id, RecordPart::without_doc));
    const std::string knows = record.held.value_or(record.status);
    said +=
        cat(said.empty() ? "" : ", ", printable(id.ref()), left.word.empty() ? "" : " is ",
            left.word.empty() ? std::string() : in_quotes(left.word), " there",
            knows.empty() || knows == left.word ? std::string() : cat(" (pawl knows it as ", in_quotes(knows), ")"));
  }
  trouble.why =
      cat(said, count > kMost ? cat(" and ", count - kMost, " more") : std::string(), ", which pawl does not allow");
  return done();
}

Result<FilesBehind> files_behind(const Engine& engine, const View& view, const LookBehind& how) {
  FilesBehind out;
  const MirrorWorld world = engine.world();
  PAWL_ASSIGN(const auto files, every_file(world, view.store(), out.folders_not_opened));
  for (const MirrorFile& file : files) {
    const auto seen = sight(world, view.store(), file);
    auto trouble =
        seen ? trouble_with(*seen, how.brought) : Trouble{"not read", seen.error().message, seen.error().hint};
    if (!trouble && how.read_all) {
      PAWL_ASSIGN(trouble, unlike_its_records(world, view, *seen));
    }
    if (!trouble) continue;
    if (seen) PAWL_TRY(say_what_is_in_it(world, view, *seen, *trouble));
    PAWL_ASSIGN(Behind behind, with_known(world, view, file, *std::move(trouble)));
    if (seen && seen->image.exists && behind.known == seen->image.bytes) continue;
    out.files.push_back(std::move(behind));
  }
  return out;
}

Result<Behind> behind_when_seen(const Engine& engine, const View& view, const MirrorFile& file) {
  const MirrorWorld world = engine.world();
  PAWL_ASSIGN(const Sighting seen, sight(world, view.store(), file));
  Trouble trouble = trouble_of_standing(seen);
  PAWL_TRY(say_what_is_in_it(world, view, seen, trouble));
  return with_known(world, view, file, std::move(trouble));
}

}  // namespace pawl

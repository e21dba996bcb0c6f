// Comparing a file with what pawl knows of it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/writers.h"
#include "engine/git_state.h"
#include "engine/led_to.h"
#include "engine/mirror.h"
#include "engine/one_file.h"
#include "engine/recorded_before.h"

namespace pawl {
namespace {

constexpr std::string_view kBeside = "@";
constexpr std::string_view kEveryFolder = "/*";

// Each file has one name: "todos.json", never "./todos.json".
std::string without_dot(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

// Is `folder` one of those that a place names?
bool names_folder(const std::string& spelled, const std::string& folder) {
  const std::string place = without_dot(spelled);
  if (!place.ends_with(kEveryFolder)) return place == folder;
  const std::size_t slash = folder.rfind('/');
  return slash != std::string::npos && place.substr(0, place.size() - kEveryFolder.size()) == folder.substr(0, slash) &&
         slash + 1 < folder.size() && folder[slash + 1] != '.';
}

// Which of the places the file at `path` is in; nullptr: in none.
const MirrorPlace* place_of(const MirrorFormat& format, const std::vector<MirrorPlace>& places,
                            const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const auto found = std::find_if(places.begin(), places.end(), [&](const MirrorPlace& place) {
    return names_folder(place.folder, folder) && (place.file.empty() ? format.accepts(name) : name == place.file);
  });
  return found == places.end() ? nullptr : &*found;
}

std::string join_path(const std::string& folder, const std::string& name) {
  return folder == "." ? name : without_dot(cat(folder, "/", name));
}

// What tmp/S holds, if it is there.
Result<FileImage> read_staged(const MirrorWorld& world, const std::optional<Place>& place, const MirrorRow& row,
                              std::size_t max_bytes) {
  if (row.staged.empty()) return FileImage{};
  const StagedName staged = staged_name(row.staged);
  if (staged.beside)
    return place ? read_file_at(place->folder.get(), staged.name, max_bytes) : Result<FileImage>(FileImage{});
  return read_file(cat(tmp_folder(*world.workspace), "/", staged.name), max_bytes);
}

// Is a program still writing to the version that pawl replaced?
bool staged_is_being_written(const MirrorWorld& world, const std::optional<Place>& place, const MirrorRow& row) {
  const StagedName staged = staged_name(row.staged);
  if (staged.beside) return place && is_being_written_at(place->folder.get(), staged.name);
  const auto tmp = open_real_folder(tmp_folder(*world.workspace));
  return tmp && is_being_written_at(tmp->get(), staged.name);
}

// A file is judged by bytes that nobody was writing: the same before and after the kernel said so.
enum class Settled { yes, changed, being_written };
Result<Settled> settle(const Place& place, const MirrorFile& file, FileImage& image) {
  if (is_being_written_at(place.folder.get(), place.name)) return Settled::being_written;
  PAWL_ASSIGN(FileImage again, read_file_at(place.folder.get(), place.name, file.format->max_bytes()));
  const bool changed = again.bytes != image.bytes || again.exists != image.exists || again.too_large != image.too_large;
  image = std::move(again);
  return changed ? Settled::changed : Settled::yes;
}

Result<std::string> damage_in(const MirrorFile& file, const FileImage& image, const std::optional<std::string>& base,
                              const KnownRecords& known) {
  if (image.bytes.empty()) return std::string("it is empty");
  const auto content = file.format->parse(file.path, file.scope, image.bytes);
  if (!content) return content.error().message;
  return base ? file.format->cut_off(*base, image.bytes, known) : std::string();
}

// Somebody who wrote to a displaced file saw what the file showed before the exchange. The row says what that was until
// the next command changes it.
Result<std::optional<std::string>> base_of_displaced(Transaction& store, const MirrorRow& row) {
  PAWL_ASSIGN(auto kept, store.kept(displaced_base_name(row.staged)));
  return kept ? kept->substr(1) : row.before;
}

// What could be told; of a folder that cannot be opened the error goes to `left_out`, where there is one.
template <class T>
Result<T> or_left_out(Result<T> told, std::vector<Error>* left_out) {
  if (told || left_out == nullptr) return told;
  left_out->push_back(told.error());
  return T{};
}

Result<Sighting> sight_now(const MirrorWorld& world, Transaction& store, const MirrorFile& file,
                           const KnownRecords& known);

}  // namespace

StagedName staged_name(const std::string& staged) {
  if (staged.starts_with(kBeside)) return {true, staged.substr(kBeside.size())};
  return {false, staged};
}

bool is_staged_name(const std::string& staged, const std::string& path) {
  std::string_view stem = staged;
  if (stem.starts_with(kBeside)) {
    const std::string begins = cat(kBeside, ".", path.substr(path.rfind('/') + 1), ".pawl-");
    if (!stem.starts_with(begins)) return false;
    stem.remove_prefix(begins.size());
  }
  return std::all_of(stem.begin(), stem.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
}

Waiting waiting_in_words(const Sighting& seen) {
  if (seen.waits_for == WaitsFor::git)
    return {"git", "git is at work here, so pawl leaves the file as it is and looks at it afterwards",
            "# if no git is running, a killed one left its lock behind: .git/index.lock"};
  if (seen.waits_for == WaitsFor::displaced_writer)
    return {"in use", "a program still writes to the version that pawl replaced; pawl looks at it when it is closed",
            "# what pawl knows comes into the file with the next command after that"};
  return {"in use", "a program is writing it, or did a moment ago, so pawl leaves it as it is for now",
          "# pawl looks at it again with the next command"};
}

std::string waiting_note(const Sighting& seen) {
  const Waiting waiting = waiting_in_words(seen);
  return cat(printable(seen.file.path), ": ", waiting.why, "\n  ", waiting.advice);
}

std::string displaced_base_name(const std::string& staged) { return cat("displaced base ", staged); }

std::string tmp_folder(const Workspace& workspace) { return workspace.store + "/tmp"; }

Result<Sighting> sight(const MirrorWorld& world, Transaction& store, const MirrorFile& file) {
  return sight(world, store, file, RecordedBefore(store));
}

Result<Sighting> sight(const MirrorWorld& world, Transaction& store, const MirrorFile& file,
                       const KnownRecords& known) {
  PAWL_ASSIGN(Sighting seen, sight_now(world, store, file, known));
  const bool inside = !file.path.starts_with('/') && !file.path.starts_with("~/");
  const bool differs = seen.found == FileCase::edited || seen.found == FileCase::gone ||
                       seen.found == FileCase::damaged || seen.found == FileCase::fresh;
  if (!inside || !seen.row || !differs || (seen.unwritten && seen.row->state != kWaits)) return seen;
  switch (wait_for_git(*world.workspace)) {
    case GitWork::none:
      return seen;
    case GitWork::looked_too_soon:
      world.git->forget();
      return sight_now(world, store, file, known);
    case GitWork::goes_on:
      break;
  }
  seen.found = FileCase::waits;
  seen.waits_for = WaitsFor::git;
  return seen;
}

namespace {

Result<Sighting> sight_now(const MirrorWorld& world, Transaction& store, const MirrorFile& file,
                           const KnownRecords& known) {
  Sighting seen;
  seen.file = file;
  PAWL_ASSIGN(seen.row, store.mirror(file.path, MirrorPart::without_before));
  PAWL_ASSIGN(const std::optional<Place> place, world.roots->find(file.path, false));
  if (place) {
    auto image = read_file_at(place->folder.get(), place->name, file.format->max_bytes());
    if (!image) {  // by its whole path: many files have the same name
      Error error = image.error();
      if (const auto at = error.message.find(place->name); at != std::string::npos) {
        error.message.replace(at, place->name.size(), printable(file.path));
      }
      return tl::unexpected(std::move(error));
    }
    seen.image = std::move(*image);
    if (seen.image.too_large) {
      return fail(ErrorCode::corruption,
                  cat(printable(file.path), " is larger than ", file.format->max_bytes(), " bytes; it was left alone"),
                  "shorten it; or move it away, and the next command tells how to bring back what it showed");
    }
  }

  if (place && place->linked) {
    seen.linked = true;
    // A link that came with somebody's clone may lead to any file of the project. Only one that is of this format is
    // taken for what the link means; everything else is not damaged, but somebody else's.
    const auto content = file.format->parse(file.path, file.scope, seen.image.bytes);
    const bool ours = content && std::all_of(content->shown.begin(), content->shown.end(),
                                             [](const Shown& shown) { return shown.status.has_value(); });
    const bool good = ours && !content->shown.empty();
    PAWL_ASSIGN(const bool believed,
                good || !seen.row || !seen.row->bytes ? Result<bool>(good) : leads_as_before(store, file.path, *place));
    if (!believed) {
      const std::string damage = content ? std::string() : cat(" (", printable(content.error().message), ")");
      return fail(ErrorCode::untrusted,
                  cat(printable(file.path), " is a symbolic link to ",
                      printable(world.roots->shortened(real_path(place->path))),
                      ", which cannot be read as such a file", damage, "; it was left alone"),
                  "mend that file; or remove the link, or let it lead to another");
    }
  }

  if (!place && file.path.starts_with('/') && seen.row && seen.row->bytes) {
    // Inside the workspace a missing folder was removed; outside of it a disk may just not be mounted.
    return fail(ErrorCode::unavailable,
                cat("the folder of ", printable(file.path), " is not there; pawl keeps what it knows"),
                "mount it, or make the folder again to say that its files are gone");
  }

  bool never_moved = false;
  if (seen.row && !is_staged_name(seen.row->staged, file.path)) seen.row->staged.clear();
  if (seen.row) {
    const bool still_open = !seen.row->staged.empty() && staged_is_being_written(world, place, *seen.row);
    PAWL_ASSIGN(FileImage staged, read_staged(world, place, *seen.row, file.format->max_bytes()));
    const bool as_left = seen.row->bytes && seen.image.exists && seen.image.bytes == *seen.row->bytes;
    if (staged.exists || !as_left) {
      const std::string name = std::move(seen.row->staged);
      PAWL_ASSIGN(seen.row, store.mirror(file.path));
      seen.row->staged = name;
    }
    if (still_open && staged.exists) {
      PAWL_ASSIGN(seen.displaced_base, base_of_displaced(store, *seen.row));
      seen.found = FileCase::waits;
      seen.waits_for = WaitsFor::displaced_writer;
      return seen;
    }
    if (staged.too_large) {
      seen.tmp_left = seen.displaced_too_large = true;
    } else if (staged.exists) {
      seen.tmp_left = true;
      never_moved = staged.bytes == seen.row->bytes.value_or(std::string(kToBeRemoved));
      PAWL_ASSIGN(seen.displaced_base, base_of_displaced(store, *seen.row));
      if (!never_moved && staged.content() != seen.displaced_base) seen.displaced = std::move(staged.bytes);
    }
  }

  // What a command changed while the file waited never came into it either.
  const bool waited = seen.row && seen.row->state == kWaits;
  never_moved = never_moved || waited;

  constexpr int kReads = 3;  // a file that is another one each time is being written, whatever the kernel says
  for (int reads = 1;; ++reads) {
    const auto is_now = [&](const std::optional<std::string>& bytes) {
      return seen.image.exists == bytes.has_value() && (!bytes || seen.image.bytes == *bytes);
    };
    if (!seen.row) {
      seen.found = seen.image.exists ? FileCase::fresh : FileCase::in_step;
    } else if (is_now(seen.row->bytes)) {
      seen.found = FileCase::in_step;
    } else if (never_moved) {
      seen.unwritten = true;
      seen.base = seen.row->before;
      seen.found = is_now(seen.row->before) ? FileCase::stale : seen.image.exists ? FileCase::edited : FileCase::gone;
    } else if (!seen.image.exists) {
      seen.base = seen.row->bytes;
      seen.found = FileCase::gone;
    } else if (!seen.row->bytes) {
      seen.found = FileCase::fresh;
    } else {
      seen.base = seen.row->bytes;
      seen.found = FileCase::edited;
    }
    if (seen.found == FileCase::in_step) break;
    if (seen.image.exists) {
      PAWL_ASSIGN(const Settled settled, settle(*place, file, seen.image));
      if (settled == Settled::changed && reads < kReads) continue;
      if (settled != Settled::yes) {
        seen.found = FileCase::waits;
        seen.waits_for = WaitsFor::writer;
        break;
      }
    }

    // It came back as it was when git took it, and pawl went on meanwhile.
    if (seen.row && seen.row->state == kLeftToGit && seen.row->before && is_now(seen.row->before)) {
      seen.found = FileCase::stale;
      break;
    }
    if (seen.row && seen.found != FileCase::stale && (!never_moved || waited) &&
        is_gits(*world.workspace, *world.git, file.path, seen.image, *seen.row)) {
      seen.found = FileCase::gits;
      break;
    }
    if (seen.found != FileCase::edited && seen.found != FileCase::fresh) break;
    PAWL_ASSIGN(seen.damage,
                damage_in(file, seen.image, seen.found == FileCase::edited ? seen.base : std::nullopt, known));
    if (seen.damage.empty()) break;
    const bool markers = has_conflict_markers(seen.image.bytes);
    if (markers) seen.damage = "it has conflict markers in it";
    seen.found = markers && seen.row ? FileCase::gits : FileCase::damaged;
    break;
  }
  return seen;
}

}  // namespace

Result<std::vector<MirrorPlace>> places_of(const MirrorWorld& world, const MirrorFormat& format, Folders& folders,
                                           std::vector<Error>* left_out) {
  std::vector<MirrorPlace> places;
  for (MirrorPlace& place : format.places(*world.settings)) {
    if (!place.folder.ends_with(kEveryFolder)) {
      places.push_back(std::move(place));
      continue;
    }
    const std::string above = place.folder.substr(0, place.folder.size() - kEveryFolder.size());
    PAWL_ASSIGN(const auto* const names, or_left_out(folders.folders_in(above), left_out));
    if (names == nullptr) continue;
    for (const std::string& name : *names) {
      if (!name.starts_with('.')) places.push_back({cat(above, "/", name), place.scope, place.file});
    }
  }
  return places;
}

Result<std::vector<MirrorFile>> files_of(const MirrorWorld& world, Transaction& store, const MirrorFormat& format,
                                         Folders& folders, std::vector<Error>* left_out) {
  std::vector<MirrorFile> files;
  PAWL_ASSIGN(const auto places, places_of(world, format, folders, left_out));
  for (const MirrorPlace& place : places) {
    if (!place.file.empty()) {
      PAWL_ASSIGN(const bool there, or_left_out(folders.has(place.folder, place.file), left_out));
      if (there) files.push_back({join_path(place.folder, place.file), place.scope, &format});
      continue;
    }
    PAWL_ASSIGN(const auto* const names, or_left_out(folders.names(place.folder), left_out));
    if (names == nullptr) continue;
    for (const std::string& name : *names) {
      if (format.accepts(name)) files.push_back({join_path(place.folder, name), place.scope, &format});
    }
  }
  PAWL_ASSIGN(const auto rows, rows_in_place(world, store, format));
  for (const MirrorRow& row : rows) files.push_back({row.path, row.scope, &format});
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  PAWL_TRY(leave_out_other_names(world, store, files));
  return files;
}

Result<std::vector<MirrorFile>> every_file(const MirrorWorld& world, Transaction& store, std::vector<Error>& left_out) {
  std::vector<MirrorFile> all;
  std::set<std::string> paths;
  Folders folders(*world.roots);
  for (const MirrorFormat* const format : world.lifecycles->formats()) {
    PAWL_ASSIGN(auto files, files_of(world, store, *format, folders, &left_out));
    for (MirrorFile& file : files) {
      if (paths.insert(file.path).second) all.push_back(std::move(file));
    }
  }
  return all;
}

std::vector<MirrorFile> files_of(const MirrorWorld& world, const RecordId& id) {
  std::vector<MirrorFile> files;
  const Lifecycle* lifecycle = world.lifecycles->find(id.kind);
  if (lifecycle == nullptr) return files;
  for (const MirrorFormat* format : lifecycle->formats) {
    if (auto path = format->path_of(id, *world.settings))
      files.push_back({without_dot(std::move(*path)), id.scope, format});
  }
  return files;
}

Result<std::vector<MirrorRow>> rows_in_place(const MirrorWorld& world, Transaction& store, const MirrorFormat& format) {
  PAWL_ASSIGN(auto rows, store.mirrors(format.name(), MirrorPart::without_bytes));
  const auto places = format.places(*world.settings);
  std::erase_if(rows, [&](const MirrorRow& row) { return !place_of(format, places, row.path); });
  return rows;
}

std::optional<MirrorFile> file_at(const MirrorWorld& world, const std::string& path) {
  for (const MirrorFormat* format : world.lifecycles->formats()) {
    const auto places = format->places(*world.settings);
    if (const MirrorPlace* const place = place_of(*format, places, path)) return MirrorFile{path, place->scope, format};
  }
  return std::nullopt;
}

}  // namespace pawl

// The part of a snapshot that reads: what is at a path, and what is known of it.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/text.h"
#include "base/writers.h"
#include "core/merge_rows.h"
#include "engine/git_state.h"
#include "engine/led_to.h"
#include "engine/snapshot.h"

namespace pawl {
namespace {

bool is_inside(const std::string& path) { return !path.starts_with('/') && !path.starts_with("~/"); }

// A link that came with a clone may lead to any file of the project. What it leads to is taken for the mirror
// only if it reads as one, or is the file that pawl knows by this name.
Result<bool> may_follow_link(Transaction& store, const Mirror& mirror, const Place& place, bool can_be_read) {
  if (can_be_read || !mirror.known || !mirror.row.bytes) return can_be_read;
  return leads_as_before(store, mirror.file.path, place);
}

}  // namespace

Result<Snapshot::Reading> Snapshot::read(Mirror& mirror, std::string_view bytes) const {
  const FileSpec& spec = mirror.spec();
  merge::Known known;
  std::vector<merge::OurRecord> records;
  std::vector<merge::Content> images;
  if (spec.only_key == nullptr) {
    const std::string owner = spec.codec->owner(bytes);
    PAWL_ASSIGN(records, records_.ours(mirror.file, owner, {}));
    if (spec.unnamed) {
      PAWL_TRY(load_images(mirror));
      for (auto image = mirror.images.rbegin(); image != mirror.images.rend(); ++image) {
        auto content = image->owner == owner ? content_of(mirror, *image) : std::nullopt;
        if (content) images.push_back(*std::move(content));
      }
    }
    known = {records, images};
  }
  auto content = spec.codec->parse(mirror.file.path, bytes, known);
  if (!content) return Reading{{}, content.error().message};
  return Reading{std::move(*content), {}};
}

// The inode under the staged name says whether the last exchange happened: it is still the staged file, or not. (0.1.0
// stored no inode; there the bytes say it.)
Result<std::vector<Snapshot::Version>> Snapshot::displaced(Mirror& mirror) {
  MirrorRow& row = mirror.row;
  std::vector<Version> found;
  if (row.staged.empty() && row.merge.displaced.empty()) return found;
  PAWL_ASSIGN(const auto place, world_.roots->find(mirror.file.path, false));
  const auto tmp = open_real_folder(tmp_folder(*world_.workspace));
  const auto folder_of = [&](const std::string& name) {
    return staged_name(name).beside ? (place ? place->folder.get() : -1) : (tmp ? tmp->get() : -1);
  };
  if (!row.staged.empty()) {
    const int folder = folder_of(row.staged);
    const std::string name = staged_name(row.staged).name;
    struct stat info {};
    const bool there = folder >= 0 && fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    bool waits =
        there && row.merge.staged_inode != 0 && static_cast<std::int64_t>(info.st_ino) == row.merge.staged_inode;
    if (there && row.merge.staged_inode == 0) {
      PAWL_ASSIGN(waits, same_bytes_at(folder, name, row.bytes ? std::string_view(*row.bytes) : kToBeRemoved));
    }
    if (!waits) {
      if (there) {
        PAWL_TRY(load_images(mirror));
        const auto shown = std::find_if(mirror.images.begin(), mirror.images.end(),
                                        [&](const Image& image) { return image.bytes == row.before; });
        std::int64_t image = shown == mirror.images.end() ? 0 : shown->id;
        if (shown == mirror.images.end()) {
          add_image(mirror, ImageKind::kept, row.merge.owner, row.before, nullptr, 0);
          image = newest_image(mirror);
        }
        row.merge.displaced.push_back({row.staged, static_cast<std::int64_t>(info.st_ino), image});
        mirror.changed = true;
      }
      row.staged.clear();
      row.merge.staged_inode = 0;
    }
  }
  std::vector<DisplacedFile> open;
  for (const DisplacedFile& one : row.merge.displaced) {
    const int folder = folder_of(one.name);
    const std::string name = staged_name(one.name).name;
    if (folder >= 0 && is_being_written_at(folder, name)) {
      open.push_back(one);
      continue;
    }
    Version version;
    version.found.displaced = version.knows_before = true;
    if (one.image < 0) {
      version.before = mirror.images[static_cast<std::size_t>(-1 - one.image)].bytes;
    } else {
      PAWL_ASSIGN(const auto shown, store_.image(one.image));
      if (shown) version.before = shown->bytes;
    }
    const auto image = folder < 0 ? Result<FileImage>(FileImage{}) : read_file_at(folder, name, mirror.spec().size_cap);
    if (!image) return tl::unexpected(image.error());
    finished_.emplace_back(mirror.file.path, one.name);
    mirror.changed = true;
    if (!image->exists || (!image->too_large && image->bytes == version.before)) continue;
    version.bytes = image->bytes;
    if (image->too_large) version.found.damage = merge::Damage::too_large;
    found.push_back(std::move(version));
  }
  row.merge.displaced = std::move(open);
  return found;
}

Result<Snapshot::Version> Snapshot::file(Mirror& mirror) {
  const std::string& path = mirror.file.path;
  const MirrorRow& row = mirror.row;
  Version version;
  version.knows_before = !row.staged.empty();
  if (version.knows_before) version.before = row.before;
  PAWL_ASSIGN(const auto place, world_.roots->find(path, false));
  if (!place && path.starts_with('/') && row.bytes)
    return fail(ErrorCode::unavailable, cat("the folder of ", printable(path), " does not exist"),
                "if its disk is not mounted, mount it; if its files were deleted, create the folder again");
  mirror.linked = place && place->linked;
  constexpr int kReads = 3;
  for (int reads = 1;; ++reads) {
    FileImage image;
    if (place) {
      auto read = read_file_at(place->folder.get(), place->name, mirror.spec().size_cap);
      if (!read) {
        Error error = read.error();
        if (const auto at = error.message.find(place->name); at != std::string::npos)
          error.message.replace(at, place->name.size(), printable(path));
        return tl::unexpected(std::move(error));
      }
      image = std::move(*read);
    }
    if (const auto other = substitutes_.find(path); other != substitutes_.end()) {
      image.exists = true;
      image.too_large = false;
      image.bytes = other->second;
    }
    const bool settled = reads > 1 && image.bytes == mirror.found.bytes && image.exists == mirror.found.exists;
    mirror.found = std::move(image);
    version.bytes = mirror.found.content();
    version.found.equals_newest = version.bytes == row.bytes && !mirror.found.too_large;
    if (version.found.equals_newest || !mirror.found.exists || settled || substitutes_.contains(path)) break;
    if (reads > kReads || is_being_written_at(place->folder.get(), place->name)) {
      version.found.in_use = true;
      return version;
    }
  }
  if (mirror.found.too_large) version.found.damage = merge::Damage::too_large;
  if (mirror.linked && !version.found.equals_newest) {
    PAWL_ASSIGN(const Reading reading, read(mirror, mirror.found.bytes));
    const bool shows = reading.content && !reading.content->entries.empty();
    PAWL_ASSIGN(const bool may_follow, may_follow_link(store_, mirror, *place, shows));
    if (!may_follow)
      return fail(
          ErrorCode::untrusted,
          cat(printable(path), " is a symbolic link to ", printable(world_.roots->shortened(real_path(place->path))),
              ", which cannot be read as such a file", reading.damage.empty() ? "" : " (", printable(reading.damage),
              reading.damage.empty() ? "" : ")"),
          "mend that file, or remove the link");
  }
  PAWL_TRY(read_git(mirror, version));
  return version;
}

// git is asked only about a file that shows something new.
Done Snapshot::read_git(Mirror& mirror, Version& version) {
  const bool as_before = version.knows_before && version.bytes == version.before;
  if (!mirror.known || version.found.equals_newest || as_before || substitutes_.contains(mirror.file.path))
    return done();
  if (world_.hooks != nullptr && world_.hooks->git) {
    version.found.git = world_.hooks->git(mirror.file.path);
    return done();
  }
  if (is_inside(mirror.file.path)) {
    const GitWork work = wait_for_git(*world_.workspace);
    if (work == GitWork::looked_too_soon) {
      world_.git->forget();
      mirror.found = {};
      PAWL_ASSIGN(version, file(mirror));
      return done();
    }
    if (work == GitWork::goes_on) {
      version.found.git = merge::GitState::at_work;
      return done();
    }
  }
  const bool brought = is_gits(*world_.workspace, *world_.git, mirror.file.path, mirror.found, mirror.row) &&
                       !(version.bytes && has_conflict_markers(*version.bytes));
  if (brought) version.found.git = merge::GitState::brought;
  return done();
}

Result<merge::FileCase> Snapshot::facts(Mirror& mirror, Version& version) const {
  merge::FileCase found = version.found;
  const FileSpec& spec = mirror.spec();
  found.exists = version.bytes.has_value();
  found.take_whole = take_whole_ && !found.displaced;
  found.equals_before = version.knows_before && version.bytes == version.before;
  if (!found.exists || found.damage != merge::Damage::none || found.in_use || (found.equals_newest && !found.displaced))
    return found;
  if (has_conflict_markers(*version.bytes)) {
    found.damage = merge::Damage::markers;
    return found;
  }
  PAWL_ASSIGN(Reading reading, read(mirror, *version.bytes));
  version.content = std::move(reading.content);
  version.damage = std::move(reading.damage);
  if (!version.content) {
    found.damage = merge::Damage::unreadable;
    return found;
  }
  const std::string& owner = version.content->owner;
  found.before_is_theirs = version.knows_before && version.before && spec.codec->owner(*version.before) == owner;
  if (owner == mirror.row.merge.owner) return found;
  PAWL_TRY(load_images(mirror));
  const Image* const newest = newest_of(mirror, mirror.row.merge.owner);
  const auto shown = newest == nullptr ? std::nullopt : content_of(mirror, *newest);
  if (!shown) return found;
  PAWL_ASSIGN(const auto ours,
              records_.ours(mirror.file, owner, ids_of(*version.content, scope_of(mirror.file, owner))));
  const bool has_records = std::any_of(
      ours.begin(), ours.end(), [](const merge::OurRecord& record) { return record.state != merge::State::removed; });
  found.another = merge::is_another_owner(*spec.law, *shown, *version.content) || has_records;
  found.all_over = found.another && merge::all_over(*spec.law, ours, *version.content);
  return found;
}

}  // namespace pawl

#include "engine/write_back.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "base/writers.h"
#include "core/merge_rows.h"
#include "engine/head_log.h"

namespace pawl {
namespace {

using Left = decltype(merge::Wanted::left);

// The cells that write back leaves as the file spells them, with what waits for them.
Left cells_left(const std::vector<StoredConflict*>& conflicts) {
  Left left;
  for (const StoredConflict* const conflict : conflicts) {
    if (is_of_whole_file(*conflict) || code_of(*conflict) == merge::Code::unread) continue;
    auto& members = left[conflict->cell.record.key];
    members.insert(conflict->cell.member);
    for (const merge::Waiting& waiting : waiting_in(*conflict)) members.insert(waiting.member);
  }
  return left;
}

bool is_left(const Left& left, const std::string& key, std::string_view member) {
  const auto found = left.find(key);
  return found != left.end() && found->second.contains(std::string(member));
}

// The name of a member in which two objects differ, apart from those that are left; "": none.
std::string difference_in(const Json& want, const Json& have, const Left& left, const std::string& key) {
  for (const auto& [name, value] : merge::align({&want, &have, nullptr})) {
    if (!is_left(left, key, name) && !merge::same(value[0], value[1])) return std::string(name);
  }
  return {};
}

// What is about to be written must read back as what the store will have.
Done check_round_trip(const Mirror& mirror, const merge::Content& shown, const std::vector<merge::Entry>& live,
                      const Left& left) {
  const auto entries = merge::by_key<merge::Entry>(shown.entries);
  std::string wrong;
  for (const merge::Entry& want : live) {
    const merge::Entry* const have = merge::find(entries, want.key);
    if (is_left(left, want.key, merge::kPresence)) continue;
    if (have == nullptr) {
      wrong = want.key;
    } else if (const auto member = difference_in(merge::value_of(want), merge::value_of(*have), left, want.key);
               !member.empty()) {
      wrong = cat(want.key, " (", member, ")");
    }
  }
  const auto wanted = merge::by_key<merge::Entry>(live);
  for (const merge::Entry& have : shown.entries) {
    if (merge::find(wanted, have.key) == nullptr && !is_left(left, have.key, merge::kPresence)) wrong = have.key;
  }
  if (const auto member = difference_in(state_of(mirror).file, shown.file, left, std::string(merge::kFileKey));
      !member.empty())
    wrong = member;
  if (wrong.empty()) return done();
  return fail(ErrorCode::internal,
              cat("the new ", printable(mirror.file.path), " would not show what pawl knows of ", printable(wrong)),
              "nothing was changed; please report this with the file");
}

bool on_same_disk(int a, int b) {
  struct stat one {
  }, other{};
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev;
}

FileLooks new_looks(const Mirror& mirror, const Place& place) {
  FileLooks looks = looks_of(mirror.found);
  struct stat info {};
  // In a folder with the set-group bit a new file gets the folder's group.
  if (fstat(place.folder.get(), &info) == 0 && (info.st_mode & S_ISGID) != 0) looks.group = info.st_gid;
  return looks;
}

// The folder of a staged name, open.
struct StagedIn {
  Fd tmp;
  int folder = -1;
  std::string name;
};

Result<StagedIn> staged_in(const MirrorWorld& world, const Place& place, const std::string& staged) {
  const StagedName where = staged_name(staged);
  StagedIn out;
  out.name = where.name;
  out.folder = place.folder.get();
  if (where.beside) return out;
  PAWL_ASSIGN(out.tmp, open_real_folder(tmp_folder(*world.workspace)));
  out.folder = out.tmp.get();
  return out;
}

}  // namespace

Done WriteBack::plan(std::int64_t operation, const std::set<std::string>& commanded, const std::string& stem) {
  for (auto& [path, mirror] : snapshot_.mirrors()) {
    PAWL_ASSIGN(const auto open, snapshot_.conflicts().open(path));
    const bool left_alone = std::any_of(open.begin(), open.end(), [](const StoredConflict* conflict) {
      return merge::leaves_file_alone(code_of(*conflict));
    });
    if (left_alone || mirror.waits) {
      const std::string_view state = left_alone     ? kLeftToGit
                                     : mirror.write ? kWaits
                                                    : std::string_view(mirror.row.state);
      mirror.changed = mirror.changed || mirror.row.state != state;
      mirror.row.state = state;
      continue;
    }
    if (!mirror.write) continue;
    bool leave = false;
    PAWL_ASSIGN(auto bytes, target(mirror, leave, operation));
    if (leave) continue;
    if (!mirror.row.state.empty()) mirror.changed = true;
    mirror.row.state.clear();
    PAWL_TRY(stage(mirror, std::move(bytes), operation, commanded.contains(path), cat(stem, staged_.size())));
  }
  return done();
}

// The bytes that the file is to have; nullopt: none. `leave`: the file stays as it is, whatever it is.
Result<std::optional<std::string>> WriteBack::target(Mirror& mirror, bool& leave, std::int64_t operation) {
  const merge::Outside outside = policy_of(world_, mirror.file).outside;
  Conflicts& conflicts = snapshot_.conflicts();
  PAWL_ASSIGN(const auto records, snapshot_.records().of(mirror.file, mirror.row.merge.owner));
  std::vector<Record> live;
  std::copy_if(records.begin(), records.end(), std::back_inserter(live), [](const Record& one) { return !one.aside; });
  PAWL_ASSIGN(const auto open, conflicts.open(mirror.file.path));
  std::vector<StoredConflict*> left;
  for (StoredConflict* const conflict : open) {
    const bool stays = conflict->in_file && merge::survives_write(as_found(*conflict), outside);
    if (conflict->in_file != stays) mirror.changed = true;
    conflicts.set_in_file(*conflict, stays);
    if (!stays) continue;
    if (code_of(*conflict) == merge::Code::unreadable) {
      leave = live.empty();
      if (leave) return std::nullopt;
      conflicts.close(*conflict, kWrittenOver, operation);
    } else {
      left.push_back(conflict);
    }
  }
  const bool is_list = mirror.spec().only_key == nullptr;
  const bool stays_whole = !is_list && std::any_of(left.begin(), left.end(), [](const StoredConflict* conflict) {
    return conflict->cell.member == merge::kPresence && !is_of_whole_file(*conflict);
  });
  if (stays_whole) return mirror.source;
  if (live.empty() && (!is_list || !mirror.found.exists)) return std::nullopt;
  PAWL_ASSIGN(std::string bytes, patched(mirror, live, left));
  if (bytes.size() > mirror.spec().size_cap)
    return fail(ErrorCode::invalid_argument,
                cat(printable(mirror.file.path), " would become larger than ", mirror.spec().size_cap,
                    " bytes, which pawl would not read back"),
                "nothing was changed; shorten what is written to it");
  return bytes;
}

Result<std::string> WriteBack::patched(Mirror& mirror, const std::vector<Record>& live,
                                       const std::vector<StoredConflict*>& conflicts) {
  const FileSpec& spec = mirror.spec();
  const std::string& path = mirror.file.path;
  const std::string& owner = mirror.row.merge.owner;
  std::optional<merge::Content> shown;
  std::optional<std::string> source = mirror.source;
  if (source) {
    PAWL_ASSIGN(auto reading, snapshot_.read(mirror, *source));
    shown = std::move(reading.content);
  }
  if (!shown || shown->owner != owner) {
    PAWL_TRY(snapshot_.load_images(mirror));
    const Image* const newest = newest_of(mirror, owner);
    shown = newest == nullptr ? std::nullopt : content_of(mirror, *newest);
    source = shown ? newest->bytes : std::nullopt;
  }

  const FileState state = state_of(mirror);
  merge::Content wanted{owner, {}, state.file, {}};
  const Left left = cells_left(conflicts);
  std::map<std::string, const Record*> by_key;
  for (const Record& record : live) by_key.emplace(record.id.key, &record);
  merge::Order known = state.order, there;
  std::erase_if(known, [&](const std::string& key) { return !by_key.contains(key); });
  bool lacks_one = false;
  if (shown) there = merge::order_of(*shown);
  std::erase_if(there, [&](const std::string& key) { return !by_key.contains(key); });
  const std::set<std::string> in_source(there.begin(), there.end());
  for (const Record& record : live) {
    if (in_source.contains(record.id.key)) continue;
    lacks_one = true;
    there.push_back(record.id.key);
  }
  for (const std::string& key : merge::weave(known, there)) {
    const Record& record = *by_key.at(key);
    wanted.entries.push_back({key, record.id.kind, record.status, record.doc});
  }
  std::vector<std::string_view> earlier;
  if (lacks_one) {
    PAWL_TRY(snapshot_.load_images(mirror));
    for (auto image = mirror.images.rbegin(); image != mirror.images.rend(); ++image) {
      if (image->bytes && image->owner == owner) earlier.push_back(*image->bytes);
    }
  }
  const merge::Wanted what{wanted, left, earlier};
  std::string bytes = source ? spec.codec->patch(path, *source, what) : spec.codec->fresh(path, what);
  PAWL_ASSIGN(const auto reading, snapshot_.read(mirror, bytes));
  if (!reading.content)
    return fail(ErrorCode::internal, cat("the new ", printable(path), " could not be read: ", reading.damage),
                "nothing was changed; please report this with the file");
  PAWL_TRY(check_round_trip(mirror, *reading.content, wanted.entries, left));
  return bytes;
}

// One conflict of the file for all pieces that could not be read. It lasts as long as they are there.
Done WriteBack::note_unread(Mirror& mirror, const merge::Content& shown, std::int64_t operation) {
  Conflicts& conflicts = snapshot_.conflicts();
  merge::Conflict found{std::string(merge::kFileKey), "", "", std::nullopt, Json(shown.unread), merge::Code::unread};
  StoredConflict unread = as_stored(found, mirror.file.path, scope_of(mirror.file, mirror.row.merge.owner));
  PAWL_ASSIGN(const auto open, conflicts.open(mirror.file.path));
  for (StoredConflict* const conflict : open) {
    if (code_of(*conflict) != merge::Code::unread || (conflict->cell == unread.cell && !shown.unread.empty())) continue;
    conflicts.close(*conflict, kFileChanged, operation);
  }
  if (shown.unread.empty()) return done();
  unread.in_file = true;
  return conflicts.add(std::move(unread), operation);
}

Done WriteBack::stage(Mirror& mirror, std::optional<std::string> bytes, std::int64_t operation, bool by_command,
                      const std::string& name) {
  MirrorRow& row = mirror.row;
  const auto there = mirror.found.content();
  const bool same_file = bytes == there;
  if (!same_file && there) {
    PAWL_ASSIGN(const auto place, world_.roots->find(row.path, false));
    if (place && writers_of_at(place->folder.get(), place->name) == Writers::some) {
      row.state = kWaits;  // opened since it was looked at: the next command writes it
      mirror.waits = mirror.changed = true;
      return done();
    }
  }
  const bool is_list = mirror.spec().only_key == nullptr;
  std::optional<merge::Content> shown;
  if (bytes && is_list) {
    PAWL_ASSIGN(auto reading, snapshot_.read(mirror, *bytes));
    shown = std::move(reading.content);
    if (shown) PAWL_TRY(note_unread(mirror, *shown, operation));
  }
  const bool same_row = mirror.known && bytes == row.bytes && row.staged.empty();
  if (same_file && same_row && !mirror.changed && !by_command) return done();
  PAWL_TRY(snapshot_.load_images(mirror));
  const Image* const last = mirror.images.empty() ? nullptr : &mirror.images.back();
  const bool is_there = last != nullptr && last->kind == ImageKind::baseline && last->bytes == bytes;
  if (bytes && (!is_there || (by_command && !last->by_command))) {
    add_image(mirror, ImageKind::baseline, shown ? shown->owner : row.merge.owner, bytes, shown ? &*shown : nullptr,
              operation, by_command);
    row.merge.by_command = by_command;
    row.merge.operation = operation;
  }
  if (same_file && same_row && is_there && !mirror.changed) return done();
  mirror.changed = true;
  row.head = head_mark(world_.workspace->git_dir);
  row.before = there;
  row.bytes = std::move(bytes);
  if (!row.staged.empty()) snapshot_.finished().emplace_back(row.path, row.staged);
  row.staged.clear();
  row.merge.staged_inode = 0;
  if (same_file) return done();
  if (mirror.linked && !row.bytes)
    return fail(ErrorCode::untrusted, cat(printable(row.path), " is a symbolic link; pawl removes nothing through one"),
                "remove the link yourself");

  PAWL_ASSIGN(const auto place, world_.roots->find(row.path, row.bytes.has_value()));
  if (!place) return done();
  const auto cannot = [&](Error error) {
    error.message = cat("cannot write ", printable(row.path), ": ", error.message);
    if (error.hint.empty()) error.hint = "nothing was changed";
    return tl::unexpected(std::move(error));
  };
  if (faccessat(place->folder.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) {
    Error error = io_error("write", row.path, errno);
    error.hint = "nothing was changed";
    return tl::unexpected(std::move(error));
  }
  row.staged = name;
  PAWL_ASSIGN(StagedIn at, staged_in(world_, *place, name));
  if (!on_same_disk(at.folder, place->folder.get())) {
    row.staged = cat("@.", place->name, ".pawl-", name);
    PAWL_ASSIGN(at, staged_in(world_, *place, row.staged));
  }
  staged_.push_back(&mirror);
  const std::string_view text = row.bytes ? std::string_view(*row.bytes) : kToBeRemoved;
  if (const Done written = write_synced_at(at.folder, at.name, text, new_looks(mirror, *place)); !written) {
    [[maybe_unused]] const Done removed = remove_at(at.folder, at.name);
    return cannot(written.error());
  }
  struct stat info {};
  if (fstatat(at.folder, at.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return cannot(io_error("read", at.name, errno));
  row.merge.staged_inode = static_cast<std::int64_t>(info.st_ino);
  return done();
}

void WriteBack::add_to(Batch& batch) const {
  std::map<std::string, std::vector<std::int64_t>> ids;  // of each mirror's images, by their place in it
  for (auto& [path, mirror] : snapshot_.mirrors()) {
    auto& of_mirror = ids[path];
    for (const Image& image : mirror.images) {
      of_mirror.push_back(image.id != 0 ? image.id : in_batch(batch.images.size()));
      if (image.id == 0) batch.images.push_back(image);
    }
    const bool has_new =
        std::any_of(mirror.images.begin(), mirror.images.end(), [](const Image& i) { return i.id == 0; });
    if (!mirror.changed && !has_new) continue;
    MirrorRow& row = batch.mirrors.emplace_back(mirror.row);
    for (DisplacedFile& one : row.merge.displaced) {
      if (one.image < 0) one.image = of_mirror.at(static_cast<std::size_t>(-1 - one.image));
    }
  }
  for (StoredConflict& conflict : snapshot_.conflicts().changed()) {
    if (conflict.image < 0)
      conflict.image = ids.at(conflict.cell.path).at(static_cast<std::size_t>(-1 - conflict.image));
    batch.conflicts.push_back(std::move(conflict));
  }
}

void WriteBack::unstage() {
  for (Mirror* const mirror : staged_) {
    const auto place = world_.roots->find(mirror->row.path, false);
    if (!place || !*place) continue;
    const auto at = staged_in(world_, **place, mirror->row.staged);
    // If this fails too, the next command finds a name that no row has, and removes it.
    if (at) [[maybe_unused]]
      const Done removed = remove_at(at->folder, at->name);
  }
}

std::vector<MirrorFile> WriteBack::exchange() {
  std::vector<MirrorFile> again;
  for (Mirror* const mirror : staged_) {
    const auto look = exchange(*mirror);
    if (!look) snapshot_.note(NoteCode::not_written, *mirror, {}, {{"why", look.error().message}});
    if (look && *look) again.push_back(mirror->file);
  }
  for (const auto& [path, name] : snapshot_.finished()) {
    const auto place = world_.roots->find(path, false);
    if (!place || !*place) continue;
    const auto at = staged_in(world_, **place, name);
    if (at) [[maybe_unused]]
      const Done removed = remove_at(at->folder, at->name);
  }
  return again;
}

Result<bool> WriteBack::exchange(Mirror& mirror) {
  const MirrorRow& row = mirror.row;
  world_.at("checked");
  PAWL_ASSIGN(const auto place, world_.roots->find(row.path, row.bytes.has_value()));
  if (!place) return false;
  PAWL_ASSIGN(const StagedIn at, staged_in(world_, *place, row.staged));
  const int folder = place->folder.get();
  const std::string& name = place->name;
  if (!row.bytes) {
    struct stat info {};
    if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return false;  // removed meanwhile
    PAWL_TRY(move_over_at(folder, name, at.folder, at.name));
  } else if (!row.before) {
    const Done moved = move_new_at(at.folder, at.name, folder, name);
    if (moved) {
      world_.at("exchanged");
      return false;
    }
    if (moved.error().code != ErrorCode::already_exists) return tl::unexpected(moved.error());
    PAWL_TRY(exchange_at(at.folder, at.name, folder, name));
  } else if (!exchange_at(at.folder, at.name, folder, name)) {
    PAWL_ASSIGN(const FileImage now, read_file_at(folder, name, mirror.spec().size_cap));
    if (!now.exists) return true;  // removed meanwhile: the next look finds it gone
    if (now.content() != row.before) return true;
    // Where files cannot be exchanged (NFS, some FUSE) there is a moment between this look and the replacement:
    // docs/reliability.md names it.
    PAWL_TRY(move_over_at(at.folder, at.name, folder, name));
    return false;
  }
  world_.at("exchanged");
  // If somebody has it open, a later command looks at it, under its staged name.
  if (writers_of_at(at.folder, at.name) == Writers::some) return false;
  PAWL_ASSIGN(const bool as_read, holds_at(at.folder, at.name, row.before));
  if (!as_read) return true;
  PAWL_TRY(remove_at(at.folder, at.name));
  return false;
}

}  // namespace pawl

#include "engine/project.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "base/writers.h"
#include "engine/aside.h"
#include "engine/ended_in_git.h"
#include "engine/given_back.h"
#include "engine/known_bytes.h"
#include "engine/recorded_before.h"
#include "engine/replaced.h"
#include "engine/spelling.h"
#include "engine/standing.h"

namespace pawl {
namespace {

std::optional<FolderTimes> times_of(int folder) {
  struct stat there {};
  if (fstat(folder, &there) != 0 || there.st_nlink == 0) return std::nullopt;
  return FolderTimes{in_ns(there.st_mtim), in_ns(there.st_ctim)};
}

// The folder that holds tmp/S.
struct StagedAt {
  Fd own;  // the tmp folder, where it is that
  int folder = -1;
  std::string name;
};

Result<StagedAt> staged_at(const MirrorWorld& world, const Place& place, const std::string& staged) {
  StagedAt at;
  const StagedName where = staged_name(staged);
  at.name = where.name;
  if (where.beside) {
    at.folder = place.folder.get();
    return at;
  }
  PAWL_ASSIGN(at.own, open_real_folder(tmp_folder(*world.workspace)));
  at.folder = at.own.get();
  return at;
}

bool same_disk(int a, int b) {
  struct stat one {
  }, other{};
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev;
}

// A new file in a folder with the set-group bit takes that folder's group, as if it had been made there.
FileLooks looks_of(const FileImage& image, const Place& place) {
  FileLooks looks = pawl::looks_of(image);
  struct stat info {};
  if (fstat(place.folder.get(), &info) == 0 && (info.st_mode & S_ISGID) != 0) looks.group = info.st_gid;
  return looks;
}

// Does the file, with this content, show one of the records that are there?
bool shows_one(const Result<Content>& content, const std::vector<Record>& records) {
  for (const Shown& shown : content ? content->shown : std::vector<Shown>{}) {
    for (const Record& record : records) {
      if (record.present() && record.id == shown.id) return true;
    }
  }
  return false;
}

// Is one there again that was not there any more?
Result<bool> one_comes_back(Transaction& store, const std::vector<Record>& records) {
  for (const Record& record : records) {
    if (!record.present() || record.revision <= 1) continue;
    PAWL_ASSIGN(const Record before, store.load(record.id, RecordPart::without_doc));
    if (!before.present()) return true;
  }
  return false;
}

// Where RENAME_EXCHANGE is not to be had (NFS, some FUSE): look, then replace. The moment between the two is the
// price; docs/reliability.md names it.
Result<Moved> replace_after_look(const StagedAt& staged, const Place& place, const PlannedFile& planned) {
  PAWL_ASSIGN(const FileImage now, read_file_at(place.folder.get(), place.name, planned.seen.file.format->max_bytes()));
  if (now.content() != planned.row.before) return Moved::displaced_edit;
  PAWL_TRY(move_over_at(staged.folder, staged.name, place.folder.get(), place.name));
  return Moved::done;
}

Result<Moved> look_at_displaced(const StagedAt& staged, const PlannedFile& planned) {
  // The next command finds it under its staged name, and looks at it when it is closed.
  if (writers_of_at(staged.folder, staged.name) == Writers::some) return Moved::done;
  PAWL_ASSIGN(const bool as_before, holds_at(staged.folder, staged.name, planned.row.before));
  if (!as_before) return Moved::displaced_edit;
  PAWL_TRY(remove_at(staged.folder, staged.name));
  return Moved::done;
}

}  // namespace

Result<std::string> keep_displaced(const MirrorWorld& world, const Sighting& seen, std::int64_t now_ms) {
  PAWL_ASSIGN(const auto place, world.roots->find(seen.file.path, true));
  if (!place) return fail(ErrorCode::io, cat("the folder of ", printable(seen.file.path), " is not there"));
  PAWL_ASSIGN(const StagedAt at, staged_at(world, *place, seen.row->staged));
  return move_aside(world, "damaged", seen.file.path, at.folder, at.name, now_ms);
}

Done plan_bytes(const MirrorWorld& world, const View& view, PlannedFile& planned,
                const std::map<RecordId, Record>& only_in_files, std::int64_t now_ms, bool undoing) {
  const Sighting& seen = planned.seen;
  using Bytes = std::optional<std::string_view>;  // of the sighting: files may be long
  const Bytes in_file = seen.image.exists ? Bytes(seen.image.bytes) : std::nullopt;
  if (planned.new_state == kLeftToGit) {
    PAWL_ASSIGN(const bool ends, ends_here(view, planned));
    if (ends) PAWL_TRY(keep_of_gits(view, planned));
    if (ends) return remove_gits(world, planned, now_ms);
    // The file is git's; what pawl would have in it is written down, for when it comes back.
    PAWL_ASSIGN(planned.bytes, known_bytes(world, view, seen.file, seen.row, planned.show, planned.flagged));
    if (!planned.bytes) planned.bytes = seen.row->bytes;  // another one takes its place
    planned.write_row = planned.restate || planned.bytes != seen.row->bytes;
    return done();
  }
  if (planned.of_one_aside) {
    PAWL_ASSIGN(const Record other, view.load(*planned.of_one_aside));
    planned.from_store |= other.aside;
  }
  const bool no_good_state = seen.found == FileCase::damaged && !(seen.row && seen.row->bytes);
  if (no_good_state && planned.show.empty()) return done();  // stays as it is until there is something to write
  std::optional<std::string> kept;
  Bytes base = !planned.from_store ? in_file : seen.row && seen.row->bytes ? Bytes(*seen.row->bytes) : std::nullopt;
  bool rendered = false, not_there = false;
  // (Of an optional's copy GCC 12 thinks that it may be nothing at all.)
  const bool stands = base.has_value();
  const std::string_view standing = stands ? *base : std::string_view();
  Bytes leaving = planned.leaves ? Bytes(*planned.leaves) : base;
  if (seen.displaced && seen.found == FileCase::in_step && planned.parsed_displaced) {
    leaving = base = *seen.displaced;  // nobody has touched ours since; so what was displaced is the newest of theirs
  } else if (!base && seen.row && !seen.row->bytes) {
    base = spelled_before(planned, undoing);
    not_there = base.has_value();
  }
  if (!planned.show.empty()) {
    std::vector<Record> records, aside;
    for (const RecordId& id : std::set<RecordId>(planned.show.begin(), planned.show.end())) {
      PAWL_ASSIGN(Record record, view.load(id));
      if (record.aside) {
        // Of a file that shows another one now it is none of the business.
        const auto whose = seen.file.format->identity_of(id);
        if (!whose || (base && whose_is(planned, *base) == whose)) aside.push_back(absent_record(id));
        continue;
      }
      // Nor is what has ended elsewhere of one that does not say whose it is.
      const bool others = base && planned.owner && !seen.file.format->identity_in(*base) &&
                          seen.file.format->identity_of(id) != planned.owner;
      if (others && !record.present()) continue;
      if (const auto left = planned.flagged.find(id); left != planned.flagged.end()) {
        if (left->second.whole && !left->second.gives_way) continue;
        if (!left->second.gives_way) record.held = left->second.word;
      }
      records.push_back(std::move(record));
    }
    // A file that is gone comes back for what it is to show, and not because something else ends.
    if (not_there && std::none_of(records.begin(), records.end(), [](const Record& one) { return one.present(); })) {
      records.clear();
      base.reset();
    }
    PAWL_TRY(spell_as_before(view.store(), planned, records, leaving, base, kept));
    PAWL_ASSIGN(const bool on_replaced, take_back_replaced(view, planned, records, base, kept));
    // What takes another's place in its file, and stood there before, comes back as it was spelled. Not over what
    // somebody wrote there just now: of that nothing else is kept.
    const bool as_left = seen.found == FileCase::in_step && !seen.displaced;
    if (!on_replaced && as_left && planned.show.size() > 1 && base && !records.empty() &&
        !seen.file.format->identity_of(records.front().id) && seen.row &&
        !shows_one(content_of(seen.file, view.store(), *base), records)) {
      PAWL_ASSIGN(const auto row, view.store().mirror(seen.file.path));
      if (row && row->before &&
          shows_one(seen.file.format->parse(seen.file.path, seen.file.scope, *row->before), records)) {
        kept = row->before;
        base = *kept;
      }
    }
    // What is set aside shows in no file; whoever wrote it back there was refused.
    if (in_file) records.insert(records.end(), aside.begin(), aside.end());
    if (!records.empty()) {
      // What comes back goes where it stood before pawl took it out.
      std::optional<MirrorRow> earlier;
      PAWL_ASSIGN(const bool back, one_comes_back(view.store(), records));
      if (back) {
        PAWL_ASSIGN(earlier, view.store().mirror(seen.file.path));
      }
      const Bytes left = earlier && earlier->before    ? Bytes(*earlier->before)
                         : seen.row && seen.row->bytes ? Bytes(*seen.row->bytes)
                                                       : std::nullopt;
      PAWL_ASSIGN(planned.bytes,
                  seen.file.format->rendered(base, records, RecordedBefore(view.store(), left, &only_in_files)));
      rendered = true;
    }
    // One that this is not about makes room for something, and not for nothing.
    if (rendered && !planned.bytes && stands && is_strangers(planned, standing)) planned.bytes = std::string(standing);
    if (!rendered && stands) planned.bytes = std::string(standing);
    if (undoing && !on_replaced) PAWL_TRY(give_back(view, planned));
    if (planned.new_state == kFlagged) {
      WhatStands stand;
      if (planned.bytes) {
        PAWL_ASSIGN(stand, standing_in(world, view, seen.file, *planned.bytes));
      }
      planned.new_state = stand.empty() ? kInStep : kFlagged;
    }
  }
  if (!rendered && stands && !planned.bytes) planned.bytes = std::string(standing);
  // Nor is there anything to write now into one that shows one of several at a time. (Another, whose one record is
  // removed, goes.)
  if (no_good_state && !planned.bytes && !planned.show.empty() && seen.file.format->identity_of(planned.show.front()))
    return done();
  planned.write_file =
      !planned.blind && (planned.bytes.has_value() != in_file.has_value() || (in_file && *planned.bytes != *in_file));
  PAWL_TRY(keep_what_stood(world, view, planned, now_ms));
  PAWL_TRY(keep_what_goes(world, view, planned, leaving, no_good_state ? std::nullopt : in_file, now_ms));
  planned.write_row = planned.restate || planned.write_file || (!seen.row && planned.bytes) ||
                      (planned.new_state == kWaits && seen.row && planned.bytes != seen.row->bytes);
  if (no_good_state && planned.write_file) {
    PAWL_ASSIGN(const std::string copy, keep_aside(world, "damaged", seen.file.path, seen.image.bytes, now_ms));
    const std::string_view begins = seen.file.format->damage_words().fresh;
    planned.notes.push_back(
        planned.bytes ? cat(begins, begins.empty() ? "" : "\n", printable(seen.file.path),
                            " was damaged, and a fresh one was begun; the damaged one is kept in ", printable(copy))
                      : cat(printable(seen.file.path), " was taken away, and is kept in ", printable(copy)));
  }
  return done();
}

Done stage_file(const MirrorWorld& world, PlannedFile& planned, const std::string& head, const std::string& staged) {
  const MirrorFile& file = planned.seen.file;
  if (planned.seen.linked && !planned.bytes && planned.write_file)
    return fail(ErrorCode::untrusted,
                cat(printable(file.path), " is a symbolic link; pawl removes nothing through one"),
                "remove the link yourself");
  if (planned.bytes && planned.write_file && planned.bytes->size() > file.format->max_bytes())
    return fail(ErrorCode::invalid_argument,
                cat(printable(file.path), " would become larger than ", file.format->max_bytes(), " bytes"));
  // Long texts go over to the row: from here on that is where they are.
  planned.row = {.path = file.path,
                 .format = std::string(file.format->name()),
                 .scope = file.scope,
                 .bytes = std::move(planned.bytes),
                 .before = {},
                 .state = planned.new_state,
                 .head = head,
                 .staged = {},
                 .fingerprint = {}};
  const std::optional<std::string>& bytes = planned.row.bytes;
  if (planned.seen.image.exists) planned.row.before = std::move(planned.seen.image.bytes);
  if (is_on_hold(planned.new_state)) {
    // What the file showed when pawl last looked at it: it may come back so.
    const auto& row = planned.seen.row;
    planned.row.before = !row                                               ? std::nullopt
                         : is_on_hold(row->state) || planned.seen.unwritten ? row->before
                                                                            : row->bytes;
    if (row) planned.row.head = row->head;
    if (row && planned.seen.waits_for == WaitsFor::displaced_writer) planned.row.staged = row->staged;
    return done();
  }
  if (!planned.write_file) {
    // Removed by somebody else: how it was spelled is kept, in case it comes back.
    if (!bytes && planned.seen.row)
      planned.row.before = planned.seen.row->bytes ? planned.seen.row->bytes : planned.seen.row->before;
    return done();
  }
  PAWL_ASSIGN(const auto place, world.roots->find(file.path, bytes.has_value()));
  if (!place) return done();  // nothing there, and nothing to be there
  if (planned.seen.image.exists && writers_of_at(place->folder.get(), place->name) == Writers::some) {
    planned.row.state = kWaits;  // somebody opened it since it was looked at: the next command writes it
    return done();
  }
  if (faccessat(place->folder.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) {
    Error error = io_error("write", file.path, errno);
    error.hint = "nothing was changed";
    return tl::unexpected(std::move(error));
  }
  planned.row.staged = staged;
  PAWL_ASSIGN(StagedAt at, staged_at(world, *place, staged));
  if (!same_disk(at.folder, place->folder.get())) {
    planned.row.staged = cat("@.", place->name, ".pawl-", staged);
    PAWL_ASSIGN(at, staged_at(world, *place, planned.row.staged));
  }
  auto written = write_synced_at(at.folder, at.name, bytes ? std::string_view(*bytes) : kToBeRemoved,
                                 looks_of(planned.seen.image, *place));
  if (written) return done();
  unstage_file(world, file.path, planned.row.staged);
  Error error = written.error();
  error.message = cat("cannot write ", printable(file.path), ": ", error.message);
  if (error.hint.empty()) error.hint = "nothing was changed";
  return tl::unexpected(std::move(error));
}

void unstage_file(const MirrorWorld& world, const std::string& path, const std::string& staged) {
  if (staged.empty()) return;
  const auto place = world.roots->find(path, false);
  if (!place || !*place) return;
  if (const auto at = staged_at(world, **place, staged)) {
    // If this fails too, the next command finds a name that no row knows and removes it.
    [[maybe_unused]] const Done removed = remove_at(at->folder, at->name);
  }
}

Result<Moved> move_into_place(const MirrorWorld& world, const PlannedFile& planned) {
  if (!is_staged(planned)) return Moved::done;
  PAWL_ASSIGN(const auto place, world.roots->find(planned.seen.file.path, planned.row.bytes.has_value()));
  if (!place) return Moved::done;
  PAWL_ASSIGN(const StagedAt staged, staged_at(world, *place, planned.row.staged));

  if (!planned.row.bytes) {
    PAWL_TRY(move_over_at(place->folder.get(), place->name, staged.folder, staged.name));
    return look_at_displaced(staged, planned);
  }
  if (!planned.row.before) {
    const Done moved = move_new_at(staged.folder, staged.name, place->folder.get(), place->name);
    if (moved) return Moved::done;
    if (moved.error().code != ErrorCode::already_exists) return tl::unexpected(moved.error());
  }
  const Done exchanged = exchange_at(staged.folder, staged.name, place->folder.get(), place->name);
  if (exchanged) return look_at_displaced(staged, planned);
  PAWL_ASSIGN(const FileImage now,
              read_file_at(place->folder.get(), place->name, planned.seen.file.format->max_bytes()));
  if (!now.exists) return Moved::displaced_edit;  // removed in this moment: that is a wish too
  return replace_after_look(staged, *place, planned);
}

Result<std::vector<MirrorFile>> left_behind(const MirrorWorld& world, Transaction& store) {
  std::vector<MirrorFile> files;
  EmptyTmp* const empty = world.empty_tmp;
  if (empty != nullptr && empty->folder.valid() && times_of(empty->folder.get()) == empty->times) return files;
  auto folder = open_real_folder(tmp_folder(*world.workspace));
  if (!folder) return files;
  const auto times = times_of(folder->get());
  PAWL_ASSIGN(const auto names, names_in(folder->get()));
  if (names.empty()) {
    if (empty != nullptr && times && is_settled(std::max(times->modified_ns, times->changed_ns)))
      *empty = {std::move(*folder), *times};
    return files;
  }
  std::set<std::string> unknown(names.begin(), names.end());
  for (const MirrorFormat* format : world.lifecycles->formats()) {
    PAWL_ASSIGN(const auto rows, rows_in_place(world, store, *format));
    for (const MirrorRow& known : rows) {
      if (unknown.erase(known.staged) != 0) files.push_back({known.path, known.scope, format});
    }
  }
  for (const std::string& name : unknown) PAWL_TRY(remove_at(folder->get(), name));
  return files;
}

}  // namespace pawl

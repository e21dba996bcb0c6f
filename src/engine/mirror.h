// How a file is kept in step with the store, both ways, whatever dies in between.
//
// For every file that pawl has seen the store keeps a row: the bytes that pawl last left there (`bytes`), what
// stood there before (`before`), and the name under which `bytes` waited in tmp/ (`staged`). Of a file that is git's
// for now (its `state`), `bytes` are what pawl would have there, and `before` is how pawl left it: when it comes back
// so, it is stale as after a crash, and written.
//
//            stage                commit               project             tidy
//   in step ───────> tmp/S made ────────> row changed ────────> exchanged ──────> in step
//                    (synced)             (synced)              tmp/S holds what was displaced
//
//   stage    write_synced_at(tmp/S)      project.cc  stage_file
//   commit   Transaction::commit         engine.cc
//   project  exchange_at(tmp/S, file)    project.cc  move_into_place
//   tidy     remove_at(tmp/S)            project.cc  move_into_place, after looking at what was displaced
//
// Invariants, all under the store's gate, so that one process at a time is on this road:
//   1. tmp/S is complete and synced before the row that names it is committed.
//   2. tmp/S is removed only after what it holds is known: `before`, or bytes that were taken over by a commit.
//   3. So, for a committed row, tmp/S tells after a crash how far the road was gone:
//        tmp/S == bytes   not exchanged: the file is compared with `before` (for a file that is to be removed, tmp/S is
//                         an empty mark instead, and the file is moved over it)
//        tmp/S != bytes   exchanged: tmp/S is what was displaced; where it is not `before`, somebody wrote in
//                         between, and that edit is taken over, compared with `before`
//        no tmp/S         all done: the file is compared with `bytes`
//   4. A tmp/S that no row names was never committed, and is removed.
//   5. Nothing is overwritten unseen: files are exchanged, or moved where nothing stands.
// No folder is synced: a power cut may undo an exchange, and then 3 sends the next command down the road again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/place.h"
#include "core/lifecycle.h"
#include "core/merge.h"
#include "core/outside.h"
#include "engine/folders.h"
#include "engine/workspace.h"
#include "store/store.h"

namespace pawl {

// What a file says of a record, was refused, and is left standing (outside = "flag").
struct LeftStanding {
  std::string word;        // its status there; "": none
  bool whole = false;      // nothing of what the file says of it was taken over, so all of that stands
  bool gives_way = false;  // the record has changed since in another way, which the file is to show (give_way)
};
using WhatStands = std::map<RecordId, LeftStanding>;

struct MirrorFile {
  std::string path;  // as the roots spell it
  std::string scope;
  const MirrorFormat* format = nullptr;

  auto operator<=>(const MirrorFile&) const = default;
};

// How a file was found, compared with its row.
enum class FileCase {
  in_step,
  stale,    // as it was before: pawl died, or the power went, between commit and project
  edited,   // somebody changed it
  gone,     // somebody removed it
  fresh,    // pawl has not seen it before
  damaged,  // it cannot be read as what it should be
  gits,     // git moved it
  waits,    // git is at work, or somebody has it open for writing: it is neither judged nor replaced
};
// What a file waits for.
enum class WaitsFor {
  nothing,
  git,
  writer,            // of the file
  displaced_writer,  // a program still writes to the version that pawl has replaced
};

// Does the file keep what it shows until git, a writer or a person is done with it?
[[nodiscard]] inline bool is_on_hold(std::string_view state) { return state == kLeftToGit || state == kWaits; }

struct Sighting {
  MirrorFile file;
  std::optional<MirrorRow> row;  // of a file that is as it was left, without what stood there before
  FileImage image;
  FileCase found = FileCase::in_step;
  std::optional<std::string> base;            // what an edit is compared with
  std::optional<std::string> displaced;       // an edit found under tmp/
  std::optional<std::string> displaced_base;  // what it is compared with
  bool displaced_too_large = false;           // there is one, and it cannot be read
  bool unwritten = false;                     // pawl's last write never came into the file; `base` is what stood before
  bool linked = false;                        // its path is a link; what it leads to is written, and never removed
  bool tmp_left = false;                      // tmp/S exists and is to be removed when all is done
  WaitsFor waits_for = WaitsFor::nothing;
  std::string damage;  // what is wrong with it
};

// Why it waits, and what to do about it.
struct Waiting {
  std::string_view word;  // in one, for boards
  std::string_view why, advice;
};
[[nodiscard]] Waiting waiting_in_words(const Sighting& seen);
[[nodiscard]] std::string waiting_note(const Sighting& seen);

// Is it left as it is though it does not say what pawl knows, until somebody does something about it?
[[nodiscard]] inline bool is_left_alone(const Sighting& seen) {
  const bool no_earlier = !seen.row || !seen.row->bytes;
  return seen.found == FileCase::gits || seen.found == FileCase::waits ||
         (seen.found == FileCase::damaged && no_earlier) || (seen.row && seen.row->state == kFlagged);
}

// Both change with every name that comes or goes; the second also when the folder itself is moved or removed.
struct FolderTimes {
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FolderTimes&) const = default;
};

// tmp/ when it was last seen empty, and long enough ago that whatever came into it since shows in its times: a process
// that lives on need not read an untouched folder again before every commit.
struct EmptyTmp {
  Fd folder;  // not valid: not seen empty
  FolderTimes times;
};

class AskedGit;

// What tests put in the way of a command.
struct MirrorHooks {
  // Called at "decided", "staged", "committed", "checked" and "exchanged": to kill it there, or to let others write.
  std::function<void(std::string_view point)> at = {};
  // What git did to a file that differs from what pawl left; empty: git is asked.
  std::function<merge::GitState(const std::string& path)> git = {};
};

// Everything that the comparison needs and does not change.
struct MirrorWorld {
  const Workspace* workspace = nullptr;
  const Settings* settings = nullptr;
  const Lifecycles* lifecycles = nullptr;
  const Roots* roots = nullptr;
  EmptyTmp* empty_tmp = nullptr;
  std::shared_ptr<AskedGit> git;  // for as long as one look lasts: whoever looks again asks anew
  const MirrorHooks* hooks = nullptr;

  void at(std::string_view point) const {
    if (hooks != nullptr && hooks->at) hooks->at(point);
  }
};

// Compares one file with its row. Reads only. An error: the path cannot be looked at (a folder, a link outside).
[[nodiscard]] Result<Sighting> sight(const MirrorWorld& world, Transaction& store, const MirrorFile& file);
// The same for whoever has found in other files what is not committed yet: `known` has it.
[[nodiscard]] Result<Sighting> sight(const MirrorWorld& world, Transaction& store, const MirrorFile& file,
                                     const KnownRecords& known);

// Where the store keeps what an edit in tmp/S is compared with, once the row of its file has moved on.
[[nodiscard]] std::string displaced_base_name(const std::string& staged);
// The folder and name of a row's tmp/S: in the store's tmp folder, or beside the file where that is another disk.
struct StagedName {
  bool beside = false;
  std::string name;
};
// What tmp/S holds while a file waits to be removed.
inline constexpr std::string_view kToBeRemoved = "";
[[nodiscard]] StagedName staged_name(const std::string& staged);
// Is that a name that pawl gives? A store may have come with a clone: what it calls so is read, and then removed.
[[nodiscard]] bool is_staged_name(const std::string& staged, const std::string& path);
[[nodiscard]] std::string tmp_folder(const Workspace& workspace);

// The places of a format, with those that stand for many folders replaced by the folders that are there now.
// Where a folder cannot be opened (a file stands in its way), that is an error, or goes to `left_out` where one is
// given.
[[nodiscard]] Result<std::vector<MirrorPlace>> places_of(const MirrorWorld& world, const MirrorFormat& format,
                                                         Folders& folders, std::vector<Error>* left_out = nullptr);

// The files of one format, or of all: those on disk in the format's places and those that rows know.
[[nodiscard]] Result<std::vector<MirrorFile>> files_of(const MirrorWorld& world, Transaction& store,
                                                       const MirrorFormat& format, Folders& folders,
                                                       std::vector<Error>* left_out = nullptr);
// Every file of every format, each once. A folder that cannot be opened is told, and hides no file elsewhere.
[[nodiscard]] Result<std::vector<MirrorFile>> every_file(const MirrorWorld& world, Transaction& store,
                                                         std::vector<Error>& left_out);
// The files in which a record shows.
[[nodiscard]] std::vector<MirrorFile> files_of(const MirrorWorld& world, const RecordId& id);
// The files that rows know, in the places of their format as the settings name them now. A row of another place is
// history; or forged, in a store that came with a clone.
[[nodiscard]] Result<std::vector<MirrorRow>> rows_in_place(const MirrorWorld& world, Transaction& store,
                                                           const MirrorFormat& format);
// The formats of a kind that keep `path`; nothing when it is not a file pawl keeps in step.
[[nodiscard]] std::optional<MirrorFile> file_at(const MirrorWorld& world, const std::string& path);

}  // namespace pawl

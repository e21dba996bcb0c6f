// Bringing mirrors up to date with a commit, whatever dies in between.
//
//             stage                 commit                exchange             tidy
//   up to date ──────> tmp/S written ──────> row names tmp/S ──────> files swapped ──────> up to date
//                      and synced            and its inode           tmp/S is what
//                                                                    was displaced
// Invariants, all under the store's gate:
//   1. tmp/S is complete and synced before the row that names it is committed.
//   2. The row has the inode of tmp/S. So the command after a crash knows whether the exchange happened: tmp/S is
//      still that inode, or it is the displaced file, or it is gone. (To remove a file, it is moved over an empty
//      tmp/S.)
//   3. What was displaced is removed only if it is what the look read. Else it is judged like any other edit; while
//      somebody has it open for writing, it is kept.
//   4. Nothing is overwritten unseen: files are exchanged, or moved where there is none.
//   5. The planned bytes are parsed before they are staged: they show exactly what the store will have, except cells
//      that are left in the file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace pawl {

class WriteBack {
 public:
  WriteBack(const MirrorWorld& world, Snapshot& snapshot) : world_(world), snapshot_(snapshot) {}

  // What becomes of every mirror that the command touched. `operation`: the newest once this is committed.
  // `commanded`: the mirrors that the command itself changes. Names in tmp/ begin with `stem`.
  Done plan(std::int64_t operation, const std::set<std::string>& commanded, const std::string& stem);
  // What the store is to have of the mirrors, their images and their conflicts.
  void add_to(Batch& batch) const;
  // Removes what was staged, as nothing was committed.
  void unstage();
  // After the commit. Mirrors whose displaced file has to be looked at now are returned.
  [[nodiscard]] std::vector<MirrorFile> exchange();

 private:
  [[nodiscard]] Result<std::optional<std::string>> target(Mirror& mirror, bool& leave, std::int64_t operation);
  [[nodiscard]] Result<std::string> patched(Mirror& mirror, const std::vector<Record>& live,
                                            const std::vector<StoredConflict*>& left);
  Done note_unread(Mirror& mirror, const merge::Content& shown, std::int64_t operation);
  Done stage(Mirror& mirror, std::optional<std::string> bytes, std::int64_t operation, bool by_command,
             const std::string& name);
  // True: what was displaced has to be looked at.
  Result<bool> exchange(Mirror& mirror);

  const MirrorWorld& world_;
  Snapshot& snapshot_;
  std::vector<Mirror*> staged_;
};

}  // namespace pawl

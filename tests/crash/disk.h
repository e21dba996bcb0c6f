// What a power cut leaves: the memory of what was done to a disk, and the disks that could come out of it. Pure.
//
// What is assumed of the file system; ext4, xfs and btrfs, in the modes that they are shipped in, do no worse:
//   1. Data goes to the disk in any order, at any time. Each write since the last sync of its file is there, is
//      gone, or is there in part; parts are sectors of 512 bytes, and a sector is whole. The size of a file that
//      grew may be there without the data: then it reads as zeros.
//   2. Names (create, rename, exchange, remove) go to the disk in the order in which they were made, as metadata is
//      journalled; a power cut keeps the first so many of them.
//   3. fsync and fdatasync of a file keep its data and its size, the name under which it was made, and the folders
//      above it: no later rename of it, and no earlier change elsewhere (ext4 would keep that too, btrfs does not).
//   4. fsync of a folder keeps all changes of names in it so far, and with them, by 2, all earlier ones.
//   5. What is written through a shared mapping (SQLite's -shm) is lost.
// So a file that was written but not synced and then renamed over another can come back empty: the classical loss.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "crash/tree.h"

namespace pawl::crash {

using FileId = int;  // a file or folder, whatever it is called meanwhile
inline constexpr FileId kRoot = 0;

struct DiskOp {
  enum class Kind {
    write,
    resize,  // to `offset`
    set_mode,
    create,
    make_folder,
    link,
    remove,
    rename,
    exchange,
    sync_file,
    sync_folder,
    sync_all,
    answer,  // the first byte on stdout: from here on the user has been told
  };
  Kind kind = Kind::write;
  FileId file = kRoot;  // whom it is about; of sync_folder, the folder
  FileId folder = kRoot;
  std::string name = {};
  FileId to_folder = kRoot;
  std::string to_name = {};
  std::uint64_t offset = 0;
  std::string bytes = {};
  mode_t mode = 0;
};

struct Recording {
  Tree start;                         // all of it on disk
  std::map<std::string, FileId> ids;  // of the paths in it
  std::vector<DiskOp> ops;
};

// What chance makes of that which was not synced.
class Fate {
 public:
  enum class Kind {
    all,              // everything came through
    nothing,          // only what was synced
    names,            // the names, and no data
    names_and_sizes,  // … but files as long as they should be
    data,             // the data, and no names
    chance,           // each thing for itself
  };
  explicit Fate(Kind kind, std::uint64_t seed = 0);

  [[nodiscard]] bool keeps_data() const { return kind_ == Kind::all || kind_ == Kind::data; }
  std::size_t names_kept(std::size_t at_least, std::size_t at_most);
  // For a write of so many pieces: which came through.
  std::vector<bool> pieces_kept(std::size_t count);
  bool keeps_size();

 private:
  Kind kind_;
  std::mt19937_64 random_;
  std::uint64_t loss_ = 0;  // of 100
};

// The disk after the first `performed` operations and a power cut.
[[nodiscard]] Tree after_power_cut(const Recording& recording, std::size_t performed, Fate fate);

}  // namespace pawl::crash

#include "crash/disk.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace pawl::crash {
namespace {

using Kind = DiskOp::Kind;

constexpr std::uint64_t kSector = 512;

bool changes_names(Kind kind) { return kind >= Kind::create && kind <= Kind::exchange; }
bool changes_data(Kind kind) { return kind == Kind::write || kind == Kind::resize || kind == Kind::set_mode; }

// Files by what they are, and folders by the names in them.
struct Disk {
  std::map<FileId, Node> files;
  std::map<FileId, std::map<std::string, FileId>> folders;
};

Disk disk_of(const Recording& recording) {
  Disk disk;
  disk.folders[kRoot];
  for (const auto& [path, node] : recording.start) {
    const FileId id = recording.ids.at(path);
    const std::size_t slash = path.rfind('/');
    const FileId folder = slash == std::string::npos ? kRoot : recording.ids.at(path.substr(0, slash));
    disk.folders[folder][path.substr(slash + 1)] = id;  // npos + 1 is 0
    disk.files[id] = node;
    if (node.folder) disk.folders[id];
  }
  return disk;
}

void collect(const Disk& disk, FileId folder, const std::string& prefix, Tree& tree) {
  for (const auto& [name, id] : disk.folders.at(folder)) {
    const Node& node = disk.files.at(id);
    tree[prefix + name] = node;
    if (node.folder) collect(disk, id, prefix + name + "/", tree);
  }
}

void apply_name(Disk& disk, const DiskOp& op) {
  auto& folder = disk.folders[op.folder];
  switch (op.kind) {
    case Kind::create:
    case Kind::make_folder:
    case Kind::link:
      folder[op.name] = op.file;
      break;
    case Kind::remove:
      folder.erase(op.name);
      break;
    case Kind::rename: {
      const FileId moved = folder[op.name];
      folder.erase(op.name);
      disk.folders[op.to_folder][op.to_name] = moved;
      break;
    }
    case Kind::exchange:
      std::swap(folder[op.name], disk.folders[op.to_folder][op.to_name]);
      break;
    default:
      break;
  }
}

void grow(std::string& bytes, std::uint64_t size) {
  if (bytes.size() < size) bytes.resize(size, '\0');
}

// Where a write is cut by the borders of sectors: the ends of its pieces, relative to its start.
std::vector<std::uint64_t> piece_ends(const DiskOp& op) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t at = 0; at < op.bytes.size();) {
    at = std::min<std::uint64_t>(op.bytes.size(), at + kSector - (op.offset + at) % kSector);
    ends.push_back(at);
  }
  return ends;
}

void apply_data(Disk& disk, const DiskOp& op, bool synced, Fate& fate) {
  Node& node = disk.files[op.file];
  if (op.kind == Kind::set_mode) {
    node.mode = op.mode;
    return;
  }
  if (op.kind == Kind::resize) {
    if (synced || fate.keeps_size()) node.bytes.resize(op.offset, '\0');
    return;
  }
  const std::vector<std::uint64_t> ends = piece_ends(op);
  const std::vector<bool> kept = synced ? std::vector<bool>(ends.size(), true) : fate.pieces_kept(ends.size());
  std::uint64_t from = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (kept[i]) {
      grow(node.bytes, op.offset + ends[i]);
      node.bytes.replace(op.offset + from, ends[i] - from, op.bytes, from, ends[i] - from);
    }
    from = ends[i];
  }
  if (!synced && fate.keeps_size()) grow(node.bytes, op.offset + op.bytes.size());
}

// What is on disk for certain (3 and 4 above). Changes of names are counted from 0.
struct Synced {
  std::size_t names = 0;                // so many of the first
  std::set<std::size_t> creations;      // and these, wherever they are
  std::map<FileId, std::size_t> files;  // operations on the file before this one
  std::size_t all = 0;                  // operations on any file before this one
};

Synced what_is_synced(const std::vector<DiskOp>& ops, std::size_t performed) {
  struct Made {
    std::size_t number;
    FileId folder;
  };
  Synced synced;
  std::size_t names = 0;
  std::map<FileId, Made> made;
  std::map<FileId, std::size_t> changed;  // by folder: how many changes of names up to and with the last one in it
  const auto keep_creation = [&](FileId file) {
    for (auto at = made.find(file); at != made.end(); at = made.find(at->second.folder)) {
      synced.creations.insert(at->second.number);
    }
  };
  for (std::size_t i = 0; i < performed; ++i) {
    const DiskOp& op = ops[i];
    if (changes_names(op.kind)) {
      if (op.kind == Kind::create || op.kind == Kind::make_folder) made[op.file] = {names, op.folder};
      ++names;
      changed[op.folder] = names;
      if (op.kind == Kind::rename || op.kind == Kind::exchange) changed[op.to_folder] = names;
    } else if (op.kind == Kind::sync_file) {
      synced.files[op.file] = i;
      keep_creation(op.file);
    } else if (op.kind == Kind::sync_folder) {
      synced.names = std::max(synced.names, changed[op.file]);
      keep_creation(op.file);
    } else if (op.kind == Kind::sync_all) {
      synced.names = names;
      synced.all = i;
    }
  }
  return synced;
}

}  // namespace

Fate::Fate(Kind kind, std::uint64_t seed) : kind_(kind), random_(seed) {
  constexpr std::array<std::uint64_t, 4> kLosses = {10, 40, 60, 90};
  loss_ = kLosses[random_() % kLosses.size()];
}

std::size_t Fate::names_kept(std::size_t at_least, std::size_t at_most) {
  if (kind_ == Kind::nothing || kind_ == Kind::data) return at_least;
  return kind_ == Kind::chance ? at_least + random_() % (at_most - at_least + 1) : at_most;
}

std::vector<bool> Fate::pieces_kept(std::size_t count) {
  if (kind_ != Kind::chance) return std::vector<bool>(count, keeps_data());
  std::vector<bool> kept(count, random_() % 100 >= loss_);
  if (random_() % 3 == 0) {  // torn: in the middle, or everywhere
    const bool anywhere = random_() % 2 == 0;
    const std::size_t end = random_() % (count + 1);
    for (std::size_t i = 0; i < count; ++i) kept[i] = anywhere ? random_() % 2 == 0 : i < end;
  }
  return kept;
}

bool Fate::keeps_size() {
  if (kind_ == Kind::chance) return random_() % 100 >= loss_;
  return keeps_data() || kind_ == Kind::names_and_sizes;
}

Tree after_power_cut(const Recording& recording, std::size_t performed, Fate fate) {
  Disk disk = disk_of(recording);
  const Synced synced = what_is_synced(recording.ops, performed);
  const auto end = recording.ops.begin() + static_cast<std::ptrdiff_t>(performed);
  const auto names = std::count_if(recording.ops.begin(), end, [](const DiskOp& op) { return changes_names(op.kind); });
  const std::size_t names_kept = fate.names_kept(synced.names, static_cast<std::size_t>(names));
  std::size_t name = 0;
  for (std::size_t i = 0; i < performed; ++i) {
    const DiskOp& op = recording.ops[i];
    if (op.kind == Kind::create) disk.files[op.file] = {false, op.mode, {}};
    if (op.kind == Kind::make_folder) {
      disk.files[op.file] = {true, op.mode, {}};
      disk.folders[op.file];
    }
    if (changes_names(op.kind)) {
      if (name < names_kept || synced.creations.contains(name)) apply_name(disk, op);
      ++name;
    }
    if (changes_data(op.kind)) {
      const auto last = synced.files.find(op.file);
      apply_data(disk, op, i < synced.all || (last != synced.files.end() && i < last->second), fate);
    }
  }
  Tree tree;
  collect(disk, kRoot, "", tree);
  return tree;
}

}  // namespace pawl::crash

#include "engine/found_apart.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace pawl {
namespace {

// Before those of single files, and older than them: a bare undo comes to them last.
const std::string kNew = "0", kTogether = "1", kGone = "2", kOfAFile = "3";

using Name = std::pair<std::string, std::string>;  // kind and key, wherever it is kept

// Has it come in with a file that pawl knew nothing of?
bool is_new(const Absorbed& absorbed, const Change& change, const std::vector<MirrorFile>& files) {
  if (change.what != kAdopted || change.before.present()) return false;
  return std::all_of(files.begin(), files.end(), [&](const MirrorFile& file) {
    const auto planned = absorbed.files.find(file.path);
    return planned == absorbed.files.end() || !planned->second.seen.row || !planned->second.seen.row->bytes;
  });
}

bool is_gone(const Absorbed& absorbed, const std::vector<MirrorFile>& files) {
  return std::all_of(files.begin(), files.end(), [&](const MirrorFile& file) {
    const auto planned = absorbed.files.find(file.path);
    return planned != absorbed.files.end() && planned->second.seen.found == FileCase::gone;
  });
}

}  // namespace

std::vector<std::size_t> found_apart(const MirrorWorld& world, const Absorbed& absorbed) {
  std::map<Name, std::size_t> places;
  for (const Change& change : absorbed.changes) ++places[{change.before.id.kind, change.before.id.key}];
  const auto is_moved = [&](const Change& change) { return places[{change.before.id.kind, change.before.id.key}] > 1; };
  // What made room for one that was moved comes back with it.
  std::set<std::string> moved_between;
  for (const Change& change : absorbed.changes) {
    if (!is_moved(change)) continue;
    for (const MirrorFile& file : files_of(world, change.before.id)) moved_between.insert(file.path);
  }
  std::vector<std::string> names;
  bool all_new = true;  // of those that are not apart
  for (const Change& change : absorbed.changes) {
    const RecordId& id = change.before.id;
    const auto files = files_of(world, id);
    const bool made_room = change.before.present() && (change.after.aside || !change.after.present());
    const bool moved =
        is_moved(change) || (made_room && std::any_of(files.begin(), files.end(), [&](const MirrorFile& file) {
                               return moved_between.contains(file.path);
                             }));
    const bool apart = files.size() == 1 && !files.front().format->identity_of(id) && !moved;
    const bool came = !moved && is_new(absorbed, change, files);
    const bool gone = !change.after.present() && is_gone(absorbed, files);
    all_new = all_new && (apart || came);
    names.push_back(!apart ? kTogether : came ? kNew : gone ? kGone : kOfAFile + files.front().path);
  }
  std::map<std::string, std::size_t> place;
  for (std::string& name : names) {
    if (all_new && name == kTogether) name = kNew;
    place.emplace(name, 0);
  }
  std::size_t next = 0;
  for (auto& [name, at] : place) at = next++;
  std::vector<std::size_t> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(place[name]);
  return out;
}

Result<std::vector<std::int64_t>> found_operations(Transaction& store, const Outcome& outcome) {
  std::vector<std::int64_t> out;
  if (outcome.outside_operation == 0) return out;
  PAWL_ASSIGN(const auto first, store.operation(outcome.outside_operation));
  for (auto next = first; next && next->outside && next->at_ms == first->at_ms;) {
    out.push_back(next->id);
    PAWL_ASSIGN(next, store.operation(next->id + 1));
  }
  return out;
}

}  // namespace pawl

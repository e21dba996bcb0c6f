#include "engine/one_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pawl {
namespace {

// Which of the names of one file is the one to go by; nothing: each for itself.
Result<std::optional<std::string>> name_to_go_by(Transaction& store, const std::string& real,
                                                 const std::map<std::string, std::string>& real_of,
                                                 const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const std::string& name : names) {
    PAWL_ASSIGN(const auto row, store.mirror(name, MirrorPart::without_before));
    if (row && row->bytes) known.push_back(name);
  }
  if (known.size() > 1) return std::optional<std::string>();
  if (known.size() == 1) return std::optional(known.front());
  const auto itself =
      std::find_if(names.begin(), names.end(), [&](const std::string& name) { return real_of.at(name) == real; });
  return std::optional(itself == names.end() ? names.front() : *itself);
}

}  // namespace

Done leave_out_other_names(const MirrorWorld& world, Transaction& store, std::vector<MirrorFile>& files) {
  // Only where a key is one thing's, whatever file it stands in, are two names of a file more than one too many.
  if (files.size() < 2 || !files.front().format->keys_are_identities()) return done();
  // By number first: nearly always each is a file of its own, and no path need be followed.
  std::map<std::pair<dev_t, ino_t>, std::vector<std::string>> alike;
  for (const MirrorFile& file : files) {
    struct stat there {};
    if (stat(world.roots->absolute(file.path).c_str(), &there) == 0)
      alike[{there.st_dev, there.st_ino}].push_back(file.path);
  }
  std::map<std::string, std::vector<std::string>> names;  // by where they lead; two links to a file lead elsewhere each
  std::map<std::string, std::string> spelled;             // each name, absolute and as it stands
  for (const auto& [number, paths] : alike) {
    for (const std::string& path : paths) {
      if (paths.size() < 2) continue;
      spelled[path] = world.roots->absolute(path);
      if (const std::string real = real_path(spelled[path]); !real.empty()) names[real].push_back(path);
    }
  }
  std::set<std::string> others;
  for (const auto& [real, paths] : names) {
    if (paths.size() < 2) continue;
    PAWL_ASSIGN(const auto chosen, name_to_go_by(store, real, spelled, paths));
    for (const std::string& path : paths) {
      if (chosen && path != *chosen) others.insert(path);
    }
  }
  std::erase_if(files, [&](const MirrorFile& file) { return others.contains(file.path); });
  return done();
}

}  // namespace pawl

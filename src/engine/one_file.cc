#include "engine/one_file.h"

#include <algorithm>
#include <map>
#include <set>

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
  std::map<std::string, std::vector<std::string>> names;  // by where they lead
  std::map<std::string, std::string> spelled;             // each name, absolute and as it stands
  for (const MirrorFile& file : files) {
    spelled[file.path] = world.roots->absolute(file.path);
    if (const std::string real = real_path(spelled[file.path]); !real.empty()) names[real].push_back(file.path);
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

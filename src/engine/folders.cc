#include "engine/folders.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace pawl {

template <class Look>
Result<Folders::Seen*> Folders::open(const std::string& path, const Look& look) {
  const auto [place, fresh] = seen_.try_emplace(path);
  Seen& seen = place->second;
  if (!fresh && !seen.there) return nullptr;
  PAWL_ASSIGN(const auto found, roots_->find_folder(path, false));
  seen.there = found.has_value();
  if (!found) return nullptr;
  PAWL_TRY(look(found->get(), seen));
  return &seen;
}

Result<const std::vector<std::string>*> Folders::names(const std::string& path) {
  if (const auto known = seen_.find(path); known != seen_.end() && known->second.names) return &*known->second.names;
  PAWL_ASSIGN(Seen* const seen, open(path, [](int folder, Seen& out) -> Done {
                PAWL_ASSIGN(out.names, names_in(folder));
                return done();
              }));
  return seen == nullptr ? nullptr : &*seen->names;
}

Result<const std::vector<std::string>*> Folders::folders_in(const std::string& path) {
  if (const auto known = seen_.find(path); known != seen_.end() && known->second.folders)
    return &*known->second.folders;
  PAWL_ASSIGN(Seen* const seen, open(path, [](int folder, Seen& out) -> Done {
                PAWL_ASSIGN(out.folders, names_in(folder));
                std::erase_if(*out.folders, [&](const std::string& name) {
                  struct stat info {};
                  return fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode);
                });
                return done();
              }));
  return seen == nullptr ? nullptr : &*seen->folders;
}

Result<bool> Folders::has(const std::string& path, const std::string& file) {
  if (const auto known = seen_.find(path); known != seen_.end()) {
    const auto told = known->second.files.find(file);
    if (told != known->second.files.end()) return told->second;
  }
  PAWL_ASSIGN(Seen* const seen, open(path, [&](int folder, Seen& out) {
                struct stat info {};
                out.files[file] = fstatat(folder, file.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
                return done();
              }));
  return seen != nullptr && seen->files[file];
}

}  // namespace pawl

#include "engine/as_left.h"

#include <unistd.h>

#include <cerrno>
#include <tuple>

#include "base/fingerprint.h"
#include "base/text.h"

namespace pawl {

int AsLeft::folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  if (!in_hand_ || folder != path_) {
    auto found = world_.roots->find_folder(folder, false);
    folder_ = found && *found ? std::move(**found) : Fd();
    path_ = folder;
    in_hand_ = true;
  }
  return folder_.valid() ? folder_.get() : -1;
}

bool AsLeft::is(const MirrorFile& file) {
  const std::size_t slash = file.path.rfind('/');
  if (slash == 0) return false;
  const auto row = store_.mirror(file.path, MirrorPart::to_compare);
  if (!row || !*row || !(*row)->state.empty()) return false;
  const auto& [bytes, fingerprint] = std::tie((*row)->bytes, (*row)->fingerprint);
  if (!bytes && fingerprint.empty()) return false;
  if (!(*row)->staged.empty()) {
    const StagedName staged = staged_name((*row)->staged);
    if (staged.beside || access(cat(tmp_folder(*world_.workspace), "/", staged.name).c_str(), F_OK) == 0 ||
        errno != ENOENT)
      return false;
  }
  const int folder = folder_of(file.path);
  if (folder < 0) return false;
  const std::string name = slash == std::string::npos ? file.path : file.path.substr(slash + 1);
  const auto same = bytes ? same_bytes_at(folder, name, *bytes) : has_fingerprint_at(folder, name, fingerprint);
  return same && *same;
}

}  // namespace pawl

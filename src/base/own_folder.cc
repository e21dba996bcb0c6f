#include "base/own_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "base/text.h"

namespace pawl {
namespace {

int open_in(int folder, const std::string& name) {
  while (true) {
    const int fd = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

// Only to say what is wrong: what may be opened was decided by the kernel.
tl::unexpected<Error> can_not_be_own(int folder, const std::string& name, const std::string& path, int why) {
  struct stat info {};
  if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(info.st_mode))
    return tl::unexpected(io_error("open", path, why));
  const bool link = S_ISLNK(info.st_mode);
  return fail(link ? ErrorCode::untrusted : ErrorCode::io,
              cat(printable(path), " is ", link ? "a symbolic link" : "a file", ", and pawl keeps a folder there"),
              "see where it came from, remove it, and try again");
}

Result<Fd> step_below(const std::string& root, std::string_view rest, std::optional<mode_t> make) {
  Fd at(open_in(AT_FDCWD, root));
  if (!at.valid()) return can_not_be_own(AT_FDCWD, root, root, errno);
  std::string path = root;
  for (const std::string_view part : split(rest, '/')) {
    const std::string name(part);
    if (name.empty() || name == ".") continue;
    path += cat("/", name);
    if (name == "..") return fail(ErrorCode::untrusted, cat(printable(path), " leaves its folder by “..”"));
    if (make && mkdirat(at.get(), name.c_str(), *make) != 0 && errno != EEXIST)
      return tl::unexpected(io_error("make", path, errno));
    Fd next(open_in(at.get(), name));
    if (!next.valid()) return can_not_be_own(at.get(), name, path, errno);
    at = std::move(next);
  }
  return at;
}

}  // namespace

Result<Fd> open_below(const std::string& root, std::string_view rest) { return step_below(root, rest, {}); }

Result<Fd> make_below(const std::string& root, std::string_view rest, mode_t mode) {
  return step_below(root, rest, mode);
}

}  // namespace pawl

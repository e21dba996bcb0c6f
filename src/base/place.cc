#include "base/place.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.h"

namespace pawl {
namespace {

constexpr int kMaxLinks = 8;

bool beneath(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && (root == "/" || path[root.size()] == '/'));
}

Error leads_outside(std::string_view path) {
  return {ErrorCode::untrusted,
          cat(printable(path), " leads out of the workspace through a symbolic link; it was left alone"),
          "name the folder it leads to in PAWL_ROOTS, or under roots in a trusted pawl.toml, to allow it"};
}

int open2(int root, const char* path, unsigned long long resolve) {
  open_how how{};
  how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  how.resolve = resolve;
  int fd = -1;
  do {
    fd = static_cast<int>(syscall(SYS_openat2, root, path, &how, sizeof how));
  } while (fd < 0 && (errno == EINTR || errno == EAGAIN));
  return fd;
}

// Does a link stand somewhere on the way to what is missing? Then a disk may be unmounted: that is not "gone".
bool dangling(const std::string& root, std::string_view rest) {
  std::string path = root;
  for (const std::string_view part : split(rest, '/')) {
    path += '/';
    path += part;
    struct stat info {};
    if (lstat(path.c_str(), &info) != 0) return false;
    if (S_ISLNK(info.st_mode) && stat(path.c_str(), &info) != 0) return true;
  }
  return false;
}

}  // namespace

std::string real_path(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  std::string out = resolved == nullptr ? std::string() : resolved;
  free(resolved);
  return out;
}

bool same_place(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string real = real_path(a);
  return !real.empty() && real == real_path(b);
}

bool lies_in(const std::string& path, const std::string& folder) {
  const std::string real = real_path(path), root = real_path(folder);
  return beneath(path, folder) || (!real.empty() && !root.empty() && beneath(real, root));
}

Roots::Roots(std::string workspace, std::string home, std::vector<std::string> others, std::vector<std::string> closed,
             std::vector<NotAllowed> not_allowed)
    : workspace_(std::move(workspace)),
      home_(std::move(home)),
      others_(std::move(others)),
      closed_(std::move(closed)),
      not_allowed_(std::move(not_allowed)) {}

Error Roots::is_outside(std::string_view path) const {
  for (const NotAllowed& one : not_allowed_) {
    if (beneath(path, one.folder))
      return {ErrorCode::untrusted,
              cat(printable(path), " is outside the workspace, and is not looked into (", one.named_by, ")"), one.hint};
  }
  return {ErrorCode::untrusted, cat(printable(path), " is outside the workspace"),
          "name its folder in PAWL_ROOTS, or under roots in a trusted pawl.toml, to allow it"};
}

Done Roots::must_be_open(const std::string& real, std::string_view asked) const {
  for (const std::string& folder : closed_) {
    if (!folder.empty() && beneath(real, folder))
      return fail(ErrorCode::untrusted,
                  cat(printable(asked), " leads into ", printable(shortened(folder)), "; it was left alone"));
  }
  return done();
}

std::string Roots::absolute(std::string_view path) const {
  if (path.starts_with("~/")) return cat(home_, path.substr(1));
  return path.starts_with('/') ? std::string(path) : cat(workspace_, "/", path);
}

std::string Roots::shortened(std::string_view path) const {
  if (beneath(path, workspace_) && path.size() > workspace_.size() + 1)
    return std::string(path.substr(workspace_.size() + 1));
  if (!home_.empty() && beneath(path, home_) && path.size() > home_.size()) return cat("~", path.substr(home_.size()));
  return std::string(path);
}

Result<Roots::Split> Roots::split_root(std::string_view path) const {
  Split where;
  if (path.starts_with("~/")) {
    if (home_.empty())
      return fail(ErrorCode::unavailable, cat("HOME is not set, so ", printable(path), " cannot be found"));
    where = {home_, std::string(path.substr(2))};
  } else if (!path.starts_with('/')) {
    where = {workspace_, std::string(path)};
  } else {
    for (const std::string& root : others_) {
      if (beneath(path, root))
        where = {root, std::string(path.substr(root.size() + (path.size() > root.size() ? 1 : 0)))};
    }
    if (where.root.empty() && beneath(path, workspace_)) where = {workspace_, shortened(path)};
    if (where.root.empty()) return tl::unexpected(is_outside(path));
  }
  std::string clean;
  for (const std::string_view part : split(where.rest, '/')) {
    if (part == "..") return fail(ErrorCode::untrusted, cat(printable(path), " leaves its folder by “..”"));
    if (part.empty() || part == ".") continue;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  where.rest = clean.empty() ? "." : clean;
  PAWL_TRY(must_be_open(cat(where.root, "/", where.rest), path));
  return where;
}

Result<std::optional<Fd>> Roots::open_beneath(const Split& where, bool make) const {
  // A folder outside that was allowed by name need not exist yet; the workspace and the home folder do.
  auto opened = open_folder(where.root);
  if (!opened) {
    struct stat info {};
    if (stat(where.root.c_str(), &info) == 0 || errno != ENOENT) return tl::unexpected(opened.error());
    if (!make) return std::optional<Fd>();
    PAWL_TRY(make_folders(where.root, 0777));
    opened = open_folder(where.root);
    if (!opened) return tl::unexpected(opened.error());
  }
  if (where.rest == ".") return std::optional<Fd>(std::move(*opened));
  const Fd& root = *opened;
  constexpr unsigned long long kBeneath = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  Fd fd(open2(root.get(), where.rest.c_str(), kBeneath | RESOLVE_NO_SYMLINKS));
  if (fd.valid()) return std::optional<Fd>(std::move(fd));
  if (errno == ELOOP) {  // through a link: where to?
    fd = Fd(open2(root.get(), where.rest.c_str(), kBeneath));
    if (fd.valid()) {
      PAWL_TRY(must_be_open(real_path(cat("/proc/self/fd/", fd.get())), where.rest));
      return std::optional<Fd>(std::move(fd));
    }
  }
  const std::string whole = where.rest == "." ? where.root : cat(where.root, "/", where.rest);
  switch (errno) {
    case ENOENT: {
      if (dangling(where.root, where.rest)) {
        return fail(ErrorCode::unavailable,
                    cat(printable(whole), " leads through a symbolic link that points to nothing"),
                    "if a disk is not mounted, mount it; nothing was changed");
      }
      if (!make) return std::optional<Fd>();
      const std::size_t slash = where.rest.rfind('/');
      const std::string last = slash == std::string::npos ? where.rest : where.rest.substr(slash + 1);
      PAWL_ASSIGN(const auto parent,
                  open_beneath({where.root, slash == std::string::npos ? "." : where.rest.substr(0, slash)}, true));
      if (!parent) return tl::unexpected(io_error("open", whole, ENOENT));
      if (mkdirat(parent->get(), last.c_str(), 0777) != 0 && errno != EEXIST)
        return tl::unexpected(io_error("make", whole, errno));
      return open_beneath(where, false);
    }
    case ENOSYS:
    case EXDEV:
    case ELOOP: {
      // Too old a kernel, or an absolute link: allowed where it ends up beneath a root after all.
      const std::string real = real_path(whole);
      if (real.empty()) return tl::unexpected(leads_outside(whole));
      bool allowed = beneath(real, real_path(where.root)) || beneath(real, workspace_);
      for (const std::string& other : others_) allowed = allowed || beneath(real, other);
      if (!allowed) return tl::unexpected(leads_outside(whole));
      PAWL_TRY(must_be_open(real, where.rest));
      PAWL_ASSIGN(Fd real_fd, open_folder(real));
      return std::optional<Fd>(std::move(real_fd));
    }
    default:
      return tl::unexpected(io_error("open", whole, errno));
  }
}

Result<std::optional<Fd>> Roots::find_folder(std::string_view path, bool make) const {
  PAWL_ASSIGN(const Split where, split_root(path));
  return open_beneath(where, make);
}

Result<std::optional<Place>> Roots::find(std::string_view path, bool make_folder) const {
  std::string wanted(path);
  for (int links = 0; links < kMaxLinks; ++links) {
    const std::size_t slash = wanted.rfind('/');
    const std::string parent = slash == std::string::npos ? "." : wanted.substr(0, slash == 0 ? 1 : slash);
    const std::string name = slash == std::string::npos ? wanted : wanted.substr(slash + 1);
    if (name.empty() || name == "." || name == "..")
      return fail(ErrorCode::invalid_argument, cat(printable(path), " is not the path of a file"));
    PAWL_ASSIGN(auto folder, find_folder(parent, make_folder));
    if (!folder) return std::optional<Place>();

    std::array<char, PATH_MAX> target{};
    const ssize_t length = readlinkat(folder->get(), name.c_str(), target.data(), target.size() - 1);
    if (length < 0) return std::optional<Place>(Place{std::move(*folder), name, absolute(path), links > 0});
    const std::string there = real_path(cat("/proc/self/fd/", folder->get(), "/", name));
    if (there.empty()) {
      return fail(ErrorCode::io,
                  cat(printable(absolute(wanted)), " is a symbolic link that points to nothing; it was left alone"));
    }
    bool allowed = beneath(there, workspace_);
    for (const std::string& other : others_) allowed = allowed || beneath(there, other);
    if (path.starts_with("~/")) allowed = allowed || beneath(there, real_path(home_));
    if (!allowed) return tl::unexpected(leads_outside(absolute(wanted)));
    wanted = shortened(there);
  }
  return fail(ErrorCode::io, cat(printable(path), " is a symbolic link in a circle"));
}

}  // namespace pawl

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/again_on_eintr.h"
#include "base/text.h"

namespace pawl {
namespace {

int rename_with(int from_folder, const std::string& from, int to_folder, const std::string& to, unsigned flags) {
  return static_cast<int>(
      again_on_eintr([&] { return syscall(SYS_renameat2, from_folder, from.c_str(), to_folder, to.c_str(), flags); }));
}

std::string_view words_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "no space left on the disk";
    case EROFS:
      return "the file system is read-only";
    case EACCES:
    case EPERM:
      return "permission denied";
    case ENOENT:
      return "no such file or folder";
    case ENOTDIR:
      return "a part of the path is not a folder";
    case EISDIR:
      return "it is a folder, and a file was expected";
    case ELOOP:
      return "it is a symbolic link";
    case EXDEV:
      return "it leads out of the workspace or to another file system";
    case EMFILE:
    case ENFILE:
      return "too many open files";
    case EIO:
      return "the disk reported an error";
    case ENAMETOOLONG:
      return "the name is too long";
    default:
      return {};
  }
}

}  // namespace

void Fd::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Result<std::string> read_input(std::size_t max_bytes) {
  std::string input;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(io_error("read", "stdin", errno));
    if (got == 0) return input;
    if (input.size() + static_cast<std::size_t>(got) > max_bytes)
      return fail(ErrorCode::invalid_argument, cat("what came on stdin is larger than ", max_bytes >> 20U, " MiB"));
    input.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<bool> lock_within(int fd, int how, int patience_ms, std::string_view name) {
  constexpr int kStepMs = 5;
  for (int waited = 0; flock(fd, how | LOCK_NB) != 0; waited += kStepMs) {
    if (errno != EWOULDBLOCK && errno != EINTR) return tl::unexpected(io_error("lock", name, errno));
    if (waited >= patience_ms) return false;
    poll(nullptr, 0, kStepMs);
  }
  return true;
}

Done write_all(int fd, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t wrote = again_on_eintr([&] { return write(fd, bytes.data(), bytes.size()); });
    if (wrote < 0) return tl::unexpected(io_error("write", name, errno));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return done();
}

Error io_error(std::string_view doing, std::string_view path, int error_number) {
  const std::string_view words = words_for(error_number);
  return {ErrorCode::io,
          cat("cannot ", doing, " ", printable(path), ": ",
              words.empty() ? std::string_view(strerrordesc_np(error_number)) : words),
          {}};
}

Result<FileImage> read_file_at(int folder, const std::string& name, std::size_t max_bytes) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not wait for ever.
  const Fd fd(
      again_on_eintr([&] { return openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
  if (!fd.valid()) {
    if (errno == ENOENT) return FileImage{};
    return tl::unexpected(io_error("read", name, errno));
  }
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return tl::unexpected(io_error("read", name, errno));
  if (S_ISDIR(info.st_mode)) return tl::unexpected(io_error("read", name, EISDIR));
  if (!S_ISREG(info.st_mode))
    return fail(ErrorCode::io, cat("cannot read ", printable(name), ": it is not a regular file"));

  FileImage image{true, false, {}, info.st_mode & 07777U, info.st_uid, info.st_gid};
  if (static_cast<std::size_t>(info.st_size) > max_bytes) {
    image.too_large = true;
    return image;
  }
  // One byte more than it says, so that the end is seen with the first read.
  std::size_t used = 0;
  image.bytes.resize(static_cast<std::size_t>(info.st_size) + 1);
  while (true) {
    const ssize_t got =
        again_on_eintr([&] { return read(fd.get(), image.bytes.data() + used, image.bytes.size() - used); });
    if (got < 0) return tl::unexpected(io_error("read", name, errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > max_bytes) {
      image.too_large = true;
      image.bytes.clear();
      return image;
    }
    if (used < image.bytes.size()) break;  // a regular file gives less than asked for only at its end
    image.bytes.resize(used * 2);
  }
  image.bytes.resize(used);
  return image;
}

Result<FileImage> read_file(const std::string& path, std::size_t max_bytes) {
  return read_file_at(AT_FDCWD, path, max_bytes);
}

namespace {

Fd open_to_read(int folder, const std::string& name) {
  return Fd(
      again_on_eintr([&] { return openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
}

// Piece by piece: it may be long.
Result<bool> each_piece(const Fd& fd, const std::string& name, std::size_t size,
                        const std::function<bool(std::string_view)>& visit) {
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return tl::unexpected(io_error("read", name, errno));
  if (!S_ISREG(info.st_mode) || static_cast<std::size_t>(info.st_size) != size) return false;
  std::array<char, std::size_t{1} << 14U> piece;
  while (size > 0) {
    const ssize_t got = again_on_eintr([&] { return read(fd.get(), piece.data(), piece.size()); });
    if (got < 0) return tl::unexpected(io_error("read", name, errno));
    const auto count = static_cast<std::size_t>(got);
    if (count == 0 || count > size || !visit(std::string_view(piece.data(), count))) return false;
    size -= count;
  }
  return true;
}

Result<bool> same_bytes(const Fd& fd, const std::string& name, std::string_view bytes) {
  return each_piece(fd, name, bytes.size(), [&](std::string_view piece) {
    const bool same = bytes.starts_with(piece);
    if (same) bytes.remove_prefix(piece.size());
    return same;
  });
}

}  // namespace

Result<bool> each_piece_at(int folder, const std::string& name, std::size_t size,
                           const std::function<bool(std::string_view)>& visit) {
  const Fd fd = open_to_read(folder, name);
  if (fd.valid()) return each_piece(fd, name, size, visit);
  if (errno == ENOENT) return false;
  return tl::unexpected(io_error("read", name, errno));
}

Result<bool> same_bytes_at(int folder, const std::string& name, std::string_view bytes) {
  const Fd fd = open_to_read(folder, name);
  if (fd.valid()) return same_bytes(fd, name, bytes);
  if (errno == ENOENT) return false;
  return tl::unexpected(io_error("read", name, errno));
}

Result<bool> holds_at(int folder, const std::string& name, const std::optional<std::string>& bytes) {
  const Fd fd = open_to_read(folder, name);
  if (fd.valid()) return bytes ? same_bytes(fd, name, *bytes) : Result<bool>(false);
  if (errno == ENOENT) return true;
  return tl::unexpected(io_error("read", name, errno));
}

FileLooks looks_of(const FileImage& image) {
  FileLooks looks;
  if (!image.exists) return looks;
  looks.mode = image.mode;
  if (image.owner != geteuid() && geteuid() == 0) looks.owner = image.owner;
  if (looks.owner || image.group != getegid()) looks.group = image.group;
  return looks;
}

Done write_synced_at(int folder, const std::string& name, std::string_view bytes, const FileLooks& looks) {
  // O_NONBLOCK: a pipe that nobody reads from is an error, and not waited for. What is to have a mode of its own is
  // nobody else's before it has it: a killed process may leave it so.
  const mode_t at_first = looks.mode ? 0600 : 0666;
  const Fd fd(again_on_eintr([&] {
    return openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, at_first);
  }));
  if (!fd.valid()) return tl::unexpected(io_error("make", name, errno));
  PAWL_TRY(write_all(fd.get(), bytes, name));
  // Not being allowed to is no reason to fail: the file is ours, only its group or mode is not as it was. Of the owner
  // disks say so in several ways (EPERM, EINVAL, ENOTSUP).
  constexpr auto kAsItIs = static_cast<uid_t>(-1);
  const bool gone_over = (!looks.group && !looks.owner) ||
                         fchown(fd.get(), looks.owner.value_or(kAsItIs), looks.group.value_or(kAsItIs)) == 0;
  // What one group may do with it is not for another.
  const mode_t mode = looks.mode.value_or(0) & ~(gone_over ? 0U : mode_t{S_IRWXG});
  if (looks.mode && fchmod(fd.get(), mode) != 0 && errno != EPERM) {
    return tl::unexpected(io_error("set the mode of", name, errno));
  }
  if (again_on_eintr([&] { return fdatasync(fd.get()); }) != 0) return tl::unexpected(io_error("sync", name, errno));
  return done();
}

Result<NewFile> NewFile::make_at(int folder, std::string name) {
  Fd fd(again_on_eintr(
      [&] { return openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666); }));
  if (fd.valid()) return NewFile(std::move(fd), std::move(name));
  if (errno == EEXIST) return fail(ErrorCode::already_exists, cat(printable(name), " exists already"));
  return tl::unexpected(io_error("make", name, errno));
}

Done NewFile::append(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{256} << 10U;  // a call for each
  piece_ += bytes;
  if (piece_.size() < kPiece) return done();
  PAWL_TRY(write_all(fd_.get(), piece_, name_));
  piece_.clear();
  return done();
}

Done NewFile::finish() {
  PAWL_TRY(write_all(fd_.get(), piece_, name_));
  piece_.clear();
  if (again_on_eintr([&] { return fdatasync(fd_.get()); }) != 0) return tl::unexpected(io_error("sync", name_, errno));
  return done();
}

Done exchange_at(int from_folder, const std::string& from, int to_folder, const std::string& to) {
  if (rename_with(from_folder, from, to_folder, to, RENAME_EXCHANGE) == 0) return done();
  return tl::unexpected(io_error("replace", to, errno));
}

Done move_new_at(int from_folder, const std::string& from, int to_folder, const std::string& to) {
  if (rename_with(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) return done();
  if (errno == EEXIST) return fail(ErrorCode::already_exists, cat(printable(to), " exists already"));
  return tl::unexpected(io_error("make", to, errno));
}

Done move_over_at(int from_folder, const std::string& from, int to_folder, const std::string& to) {
  if (rename_with(from_folder, from, to_folder, to, 0) == 0) return done();
  return tl::unexpected(io_error("replace", to, errno));
}

Done remove_at(int folder, const std::string& name) {
  if (again_on_eintr([&] { return unlinkat(folder, name.c_str(), 0); }) == 0 || errno == ENOENT) return done();
  return tl::unexpected(io_error("remove", name, errno));
}

Result<std::string> make_temporary_folder(std::string_view name) {
  const char* const base = getenv("TMPDIR");
  std::string path = cat(base != nullptr && *base == '/' ? base : "/tmp", "/", name, "-XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return tl::unexpected(io_error("make", path, errno));
  return path;
}

namespace {

std::string_view network_name(const struct statfs& info) {
  switch (static_cast<std::uint32_t>(info.f_type)) {
    case 0x6969:
      return "NFS";
    case 0xFF534D42:
    case 0xFE534D42:
      return "CIFS";
    case 0x517B:
      return "SMB";
    case 0x5346414F:
      return "AFS";
    case 0x00C36400:
      return "Ceph";
    case 0x01021997:
      return "9P";
    case 0x0BD00BD0:
      return "Lustre";
    case 0x47504653:
      return "GPFS";
    case 0x65735546:
      return "FUSE";
    default:
      return {};
  }
}

}  // namespace

std::string_view network_file_system(const std::string& folder) {
  struct statfs info {};
  return statfs(folder.c_str(), &info) == 0 ? network_name(info) : std::string_view();
}

std::string_view network_file_system(int fd) {
  struct statfs info {};
  while (fstatfs(fd, &info) != 0) {
    if (errno != EINTR) return {};
  }
  return network_name(info);
}

std::int64_t in_ns(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

bool is_settled(std::int64_t file_time_ns) {
  constexpr std::int64_t kStepsNs = 100'000'000;
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return file_time_ns + kStepsNs < in_ns(now);
}

Result<Fd> open_folder(const std::string& path) {
  Fd fd(again_on_eintr([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd.valid()) return tl::unexpected(io_error("open", path, errno));
  return fd;
}

Result<Fd> open_real_folder(const std::string& path) {
  Fd fd(again_on_eintr([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW); }));
  if (!fd.valid()) return tl::unexpected(io_error("open", path, errno));
  return fd;
}

// Not by readdir: it opens the folder once more and takes 32 kB for it, and every command lists a dozen folders.
Result<std::vector<std::string>> names_in(int folder) {
  if (lseek(folder, 0, SEEK_SET) < 0) return tl::unexpected(io_error("list", "the folder", errno));
  std::vector<std::string> names;
  alignas(dirent64) std::array<char, std::size_t{16} << 10U>
      entries;  // NOLINT(*-member-init): written before it is read
  while (true) {
    const ssize_t size = again_on_eintr([&] { return getdents64(folder, entries.data(), entries.size()); });
    if (size < 0 && errno != ENOENT) return tl::unexpected(io_error("list", "the folder", errno));
    if (size <= 0) break;  // nothing is in one that was removed meanwhile
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      const std::string_view name(entry->d_name);
      if (name != "." && name != "..") names.emplace_back(name);
      at += entry->d_reclen;
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Done make_folders(const std::string& path, mode_t mode) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at != path.size() && path[at] != '/') continue;
    const std::string part = path.substr(0, at);
    if (mkdir(part.c_str(), mode) != 0 && errno != EEXIST && errno != EISDIR)
      return tl::unexpected(io_error("make", part, errno));
  }
  return done();
}

Done sync_folder(int folder) {
  if (again_on_eintr([&] { return fsync(folder); }) == 0 || errno == EINVAL) return done();
  return tl::unexpected(io_error("sync", "the folder", errno));
}

}  // namespace pawl

#include "crash/recorder.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "crash/calls.h"

namespace pawl::crash {
namespace {

using Kind = DiskOp::Kind;

constexpr std::uint64_t kHere = static_cast<std::uint64_t>(AT_FDCWD);

// Only the lower half counts: a program may leave anything in the upper one.
int fd_in(std::uint64_t argument) { return static_cast<int>(argument); }

std::string link_to_fd(const SystemCall& call, std::uint64_t fd) {
  return cat("/proc/", call.thread, "/fd/", fd_in(fd));
}

std::uint64_t size_of(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

bool takes_two_paths(long number) {
  return number == SYS_rename || number == SYS_renameat || number == SYS_renameat2 || number == SYS_link ||
         number == SYS_linkat;
}

// The bytes of an iovec that the kernel took.
std::string gathered(const SystemCall& call) {
  std::string all;
  const auto table = read_traced(call.thread, call.args[1], call.args[2] * sizeof(iovec));
  for (std::size_t i = 0; table && i < call.args[2]; ++i) {
    iovec part{};
    std::memcpy(&part, table->data() + i * sizeof part, sizeof part);
    all += read_traced(call.thread, reinterpret_cast<std::uint64_t>(part.iov_base), part.iov_len).value_or("");
  }
  all.resize(static_cast<std::size_t>(call.result));
  return all;
}

bool escapes_us(const SystemCall& call) {
  switch (call.number) {
    case SYS_io_uring_setup:
    case SYS_io_submit:
    case SYS_copy_file_range:
    case SYS_sendfile:
    case SYS_splice:
    case SYS_pwritev2:
    case SYS_symlinkat:
    case SYS_symlink:
      return true;
    case SYS_ioctl:
      return call.args[1] == FICLONE || call.args[1] == FICLONERANGE;
    default:
      return false;
  }
}

}  // namespace

Recorder::Recorder(std::string root, Tree start) : root_(std::move(root)), recording_{std::move(start), {}, {}} {
  const auto add = [&](const std::string& path, bool folder) {
    struct stat facts {};
    if (lstat(path.c_str(), &facts) != 0) return;
    folders_[next_] = folder;
    ids_[{facts.st_dev, facts.st_ino}] = next_++;
  };
  add(root_, true);
  for (const auto& [path, node] : recording_.start) {
    recording_.ids[path] = next_;
    add(cat(root_, "/", path), node.folder);
  }
}

CallWatch Recorder::watch() {
  return {[this](const SystemCall& call) {
            entering(call);
            return CallVerdict::proceed();
          },
          [this](const SystemCall& call) { left(call); }};
}

std::optional<FileId> Recorder::file_at(const std::string& path) const {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return std::nullopt;
  const auto found = ids_.find({facts.st_dev, facts.st_ino});
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

// Nothing for a name outside the workspace.
std::optional<Recorder::Where> Recorder::where(const SystemCall& call, std::uint64_t folder, std::uint64_t path) const {
  std::string text = read_traced_text(call.thread, path).value_or("");
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  if (!text.starts_with('/')) {
    text = cat(fd_in(folder) == AT_FDCWD ? cat("/proc/", call.thread, "/cwd") : link_to_fd(call, folder), "/", text);
  }
  const std::size_t slash = text.rfind('/');
  const std::optional<FileId> parent = file_at(text.substr(0, slash));
  if (!parent) return std::nullopt;
  return Where{*parent, text.substr(slash + 1), text, file_at(text)};
}

// Where the next write goes: a file's position, or its end when it is opened to append.
std::uint64_t Recorder::position_of(const SystemCall& call) {
  const auto info = read_file(cat("/proc/", call.thread, "/fdinfo/", fd_in(call.args[0])), 1U << 16U);
  if (!info) return 0;
  const auto number = [&](std::string_view label, int base) {
    std::uint64_t value = 0;
    const std::size_t at = info->bytes.find(label);
    if (at == std::string::npos) return value;
    const std::size_t digits = info->bytes.find_first_of("0123456789", at);
    std::from_chars(info->bytes.data() + digits, info->bytes.data() + info->bytes.size(), value, base);
    return value;
  };
  if ((number("flags:", 8) & static_cast<std::uint64_t>(O_APPEND)) == 0) return number("pos:", 10);
  return size_of(link_to_fd(call, call.args[0]));
}

unsigned Recorder::open_flags(const SystemCall& call) {
  if (call.number == SYS_openat) return static_cast<unsigned>(call.args[2]);
  if (call.number == SYS_openat2) {
    open_how how{};
    if (const auto bytes = read_traced(call.thread, call.args[2], sizeof how))
      std::memcpy(&how, bytes->data(), sizeof how);
    return static_cast<unsigned>(how.flags);
  }
  if (call.number == SYS_creat) return O_CREAT | O_TRUNC;
  return static_cast<unsigned>(call.args[1]);
}

void Recorder::entering(const SystemCall& call) {
  Before& before = before_[call.thread] = {};
  if (escapes_us(call)) not_followed_.push_back(describe(call));
  switch (call.number) {
    case SYS_openat:
    case SYS_openat2:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_fchmodat:
      before.where = where(call, call.args[0], call.args[1]);
      break;
    case SYS_open:
    case SYS_creat:
    case SYS_mkdir:
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_chmod:
    case SYS_truncate:
      before.where = where(call, kHere, call.args[0]);
      break;
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_linkat:
      before.where = where(call, call.args[0], call.args[1]);
      before.to = where(call, call.args[2], call.args[3]);
      break;
    case SYS_rename:
    case SYS_link:
      before.where = where(call, kHere, call.args[0]);
      before.to = where(call, kHere, call.args[1]);
      break;
    case SYS_write:
    case SYS_writev:
      before.position = position_of(call);
      [[fallthrough]];
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fsync:
    case SYS_fdatasync:
      before.file = file_at(link_to_fd(call, call.args[0]));
      break;
    default:
      break;
  }
  if (before.where) before.file = before.where->file;
  if (before.where.has_value() != before.to.has_value() && takes_two_paths(call.number)) {
    not_followed_.push_back(describe(call));  // into the workspace, or out of it
  }
}

void Recorder::left(const SystemCall& call) {
  const Before before = before_[call.thread];
  if (call.result < 0) return;
  const auto note = [&](DiskOp op) {
    op.file = *before.file;
    recording_.ops.push_back(std::move(op));
  };
  switch (call.number) {
    case SYS_open:
    case SYS_creat:
    case SYS_openat:
    case SYS_openat2:
      if (before.where) opened(call, *before.where);
      break;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
      wrote(call, before);
      break;
    case SYS_ftruncate:
    case SYS_truncate:
      if (before.file) note({.kind = Kind::resize, .offset = call.args[1]});
      break;
    case SYS_fallocate:
      if (before.file && call.args[1] != 0) not_followed_.push_back(describe(call));
      if (before.file) note({.kind = Kind::resize, .offset = size_of(link_to_fd(call, call.args[0]))});
      break;
    case SYS_fchmod:
    case SYS_chmod:
      if (before.file) note({.kind = Kind::set_mode, .mode = static_cast<mode_t>(call.args[1])});
      break;
    case SYS_fchmodat:
      if (before.file) note({.kind = Kind::set_mode, .mode = static_cast<mode_t>(call.args[2])});
      break;
    case SYS_mkdir:
    case SYS_mkdirat:
      if (before.where) made(Kind::make_folder, *before.where);
      break;
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_unlinkat:
      if (before.where) {
        recording_.ops.push_back({.kind = Kind::remove, .folder = before.where->folder, .name = before.where->name});
      }
      break;
    case SYS_rename:
    case SYS_renameat:
      renamed(before, 0);
      break;
    case SYS_renameat2:
      renamed(before, static_cast<unsigned>(call.args[4]));
      break;
    case SYS_link:
    case SYS_linkat:
      if (before.to && before.file) note({.kind = Kind::link, .folder = before.to->folder, .name = before.to->name});
      break;
    case SYS_fsync:
    case SYS_fdatasync:
      if (before.file) note({.kind = folders_.at(*before.file) ? Kind::sync_folder : Kind::sync_file});
      break;
    case SYS_sync:
    case SYS_syncfs:
      recording_.ops.push_back({.kind = Kind::sync_all});
      break;
    default:
      break;
  }
}

void Recorder::opened(const SystemCall& call, const Where& where) {
  const unsigned flags = open_flags(call);
  if ((flags & static_cast<unsigned>(O_TMPFILE)) == static_cast<unsigned>(O_TMPFILE)) {
    not_followed_.push_back(describe(call));
  } else if ((flags & O_CREAT) != 0 && !where.file) {
    made(Kind::create, where);
  } else if ((flags & O_TRUNC) != 0 && where.file) {
    recording_.ops.push_back({.kind = Kind::resize, .file = *where.file, .offset = 0});
  }
}

void Recorder::wrote(const SystemCall& call, const Before& before) {
  if (fd_in(call.args[0]) == STDOUT_FILENO && call.result > 0 && !answered_) {
    answered_ = true;
    recording_.ops.push_back({.kind = Kind::answer});
  }
  if (!before.file || call.result == 0) return;
  const bool positioned = call.number == SYS_pwrite64 || call.number == SYS_pwritev;
  const bool parts = call.number == SYS_writev || call.number == SYS_pwritev;
  std::string bytes = parts
                          ? gathered(call)
                          : read_traced(call.thread, call.args[1], static_cast<std::size_t>(call.result)).value_or("");
  if (bytes.size() != static_cast<std::size_t>(call.result)) not_followed_.push_back(describe(call));
  recording_.ops.push_back({.kind = Kind::write,
                            .file = *before.file,
                            .offset = positioned ? call.args[3] : before.position,
                            .bytes = std::move(bytes)});
}

void Recorder::renamed(const Before& before, unsigned flags) {
  if (!before.where || !before.to) return;
  if (before.where->file && before.where->file == before.to->file) return;  // two names of one file: nothing happens
  recording_.ops.push_back({.kind = (flags & RENAME_EXCHANGE) != 0 ? Kind::exchange : Kind::rename,
                            .folder = before.where->folder,
                            .name = before.where->name,
                            .to_folder = before.to->folder,
                            .to_name = before.to->name});
}

void Recorder::made(Kind kind, const Where& where) {
  struct stat facts {};
  if (lstat(where.path.c_str(), &facts) != 0) return;
  folders_[next_] = kind == Kind::make_folder;
  ids_[{facts.st_dev, facts.st_ino}] = next_;  // the number of a file that is gone may come back
  recording_.ops.push_back(
      {.kind = kind, .file = next_, .folder = where.folder, .name = where.name, .mode = facts.st_mode & 07777U});
  ++next_;
}

}  // namespace pawl::crash

#include "crash/calls.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "base/text.h"

namespace pawl::crash {
namespace {

enum class Takes { nothing, fd, path, at_path };  // the first argument; at_path: a folder, and then a path

struct Row {
  long number;
  std::string_view name;
  CallKind kind;
  Takes takes = Takes::nothing;
};

using enum CallKind;

constexpr std::array kRows = {
    Row{SYS_read, "read", files, Takes::fd},
    Row{SYS_pread64, "pread64", files, Takes::fd},
    Row{SYS_readv, "readv", files, Takes::fd},
    Row{SYS_write, "write", files, Takes::fd},
    Row{SYS_pwrite64, "pwrite64", files, Takes::fd},
    Row{SYS_writev, "writev", files, Takes::fd},
    Row{SYS_pwritev, "pwritev", files, Takes::fd},
    Row{SYS_openat, "openat", files, Takes::at_path},
    Row{SYS_openat2, "openat2", files, Takes::at_path},
    Row{SYS_close, "close", files, Takes::fd},
    Row{SYS_fstat, "fstat", files, Takes::fd},
    Row{SYS_newfstatat, "newfstatat", files, Takes::at_path},
    Row{SYS_statx, "statx", files, Takes::at_path},
    Row{SYS_fstatfs, "fstatfs", files, Takes::fd},
    Row{SYS_statfs, "statfs", files, Takes::path},
    Row{SYS_faccessat, "faccessat", files, Takes::at_path},
    Row{SYS_faccessat2, "faccessat2", files, Takes::at_path},
    Row{SYS_readlinkat, "readlinkat", files, Takes::at_path},
    Row{SYS_getdents64, "getdents64", files, Takes::fd},
    Row{SYS_getcwd, "getcwd", files},
    Row{SYS_chdir, "chdir", files, Takes::path},
    Row{SYS_lseek, "lseek", files, Takes::fd},
    Row{SYS_fsync, "fsync", files, Takes::fd},
    Row{SYS_fdatasync, "fdatasync", files, Takes::fd},
    Row{SYS_sync_file_range, "sync_file_range", files, Takes::fd},
    Row{SYS_ftruncate, "ftruncate", files, Takes::fd},
    Row{SYS_truncate, "truncate", files, Takes::path},
    Row{SYS_fallocate, "fallocate", files, Takes::fd},
    Row{SYS_renameat2, "renameat2", files, Takes::at_path},
    Row{SYS_unlinkat, "unlinkat", files, Takes::at_path},
    Row{SYS_mkdirat, "mkdirat", files, Takes::at_path},
    Row{SYS_linkat, "linkat", files, Takes::at_path},
    Row{SYS_symlinkat, "symlinkat", files, Takes::path},
    Row{SYS_fchmod, "fchmod", files, Takes::fd},
    Row{SYS_fchmodat, "fchmodat", files, Takes::at_path},
    Row{SYS_fchown, "fchown", files, Takes::fd},
    Row{SYS_fchownat, "fchownat", files, Takes::at_path},
    Row{SYS_utimensat, "utimensat", files, Takes::at_path},
    Row{SYS_fcntl, "fcntl", files, Takes::fd},
    Row{SYS_flock, "flock", files, Takes::fd},
    Row{SYS_ioctl, "ioctl", files, Takes::fd},
    Row{SYS_dup, "dup", files, Takes::fd},
    Row{SYS_copy_file_range, "copy_file_range", files, Takes::fd},
    Row{SYS_open, "open", files, Takes::path},
    Row{SYS_creat, "creat", files, Takes::path},
    Row{SYS_stat, "stat", files, Takes::path},
    Row{SYS_lstat, "lstat", files, Takes::path},
    Row{SYS_access, "access", files, Takes::path},
    Row{SYS_readlink, "readlink", files, Takes::path},
    Row{SYS_rename, "rename", files, Takes::path},
    Row{SYS_renameat, "renameat", files, Takes::at_path},
    Row{SYS_unlink, "unlink", files, Takes::path},
    Row{SYS_rmdir, "rmdir", files, Takes::path},
    Row{SYS_mkdir, "mkdir", files, Takes::path},
    Row{SYS_link, "link", files, Takes::path},
    Row{SYS_symlink, "symlink", files, Takes::path},
    Row{SYS_chmod, "chmod", files, Takes::path},
    Row{SYS_chown, "chown", files, Takes::path},
    Row{SYS_arch_prctl, "arch_prctl", sure},
    Row{SYS_mmap, "mmap", memory},
    Row{SYS_mremap, "mremap", memory},
    Row{SYS_brk, "brk", memory},
    Row{SYS_munmap, "munmap", sure},
    Row{SYS_mprotect, "mprotect", sure},
    Row{SYS_madvise, "madvise", sure},
    Row{SYS_futex, "futex", sure},  // glibc ends the process on an error that it does not know
    Row{SYS_rt_sigaction, "rt_sigaction", sure},
    Row{SYS_rt_sigprocmask, "rt_sigprocmask", sure},
    Row{SYS_rt_sigreturn, "rt_sigreturn", sure},
    Row{SYS_set_tid_address, "set_tid_address", sure},
    Row{SYS_set_robust_list, "set_robust_list", sure},
    Row{SYS_rseq, "rseq", sure},
    Row{SYS_exit, "exit", sure},
    Row{SYS_exit_group, "exit_group", sure},
    Row{SYS_execve, "execve", sure},
    Row{SYS_getpid, "getpid", sure},
    Row{SYS_gettid, "gettid", sure},
    Row{SYS_getuid, "getuid", sure},
    Row{SYS_geteuid, "geteuid", sure},
    Row{SYS_getgid, "getgid", sure},
    Row{SYS_getegid, "getegid", sure},
    Row{SYS_umask, "umask", sure},
    Row{SYS_clock_gettime, "clock_gettime", sure},
    Row{SYS_getrandom, "getrandom", other},
    Row{SYS_clock_nanosleep, "clock_nanosleep", other},
    Row{SYS_nanosleep, "nanosleep", other},
    Row{SYS_prlimit64, "prlimit64", other},
    Row{SYS_uname, "uname", other},
    Row{SYS_ppoll, "ppoll", other},
    Row{SYS_kill, "kill", other},
    Row{SYS_pidfd_open, "pidfd_open", other},
    Row{SYS_sysinfo, "sysinfo", other},
    Row{SYS_clone3, "clone3", other},
    Row{SYS_wait4, "wait4", other},
};

const Row* row_of(long number) {
  for (const Row& row : kRows) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

}  // namespace

CallKind kind_of(long number) {
  const Row* row = row_of(number);
  return row == nullptr ? other : row->kind;
}

std::string name_of(long number) {
  const Row* row = row_of(number);
  return row == nullptr ? cat("call ", number) : std::string(row->name);
}

bool takes_path(long number) {
  const Row* row = row_of(number);
  const bool it = row != nullptr && (row->takes == Takes::path || row->takes == Takes::at_path);
  // A static glibc asks where its own program lies before main.
  return it && row->name != "readlink" && row->name != "readlinkat";
}

bool writes_count(long number) { return number == SYS_write || number == SYS_pwrite64; }

bool fills_disk(const SystemCall& call) {
  if (call.number == SYS_openat) return (call.args[2] & static_cast<unsigned>(O_EXCL)) != 0;
  static constexpr std::array kFill = {SYS_write,   SYS_pwrite64, SYS_writev,  SYS_pwritev,         SYS_fallocate,
                                       SYS_mkdirat, SYS_linkat,   SYS_fsync,   SYS_copy_file_range, SYS_symlinkat,
                                       SYS_mkdir,   SYS_link,     SYS_symlink, SYS_fdatasync};
  for (const long number : kFill) {
    if (number == call.number) return true;
  }
  return false;
}

std::string describe(const SystemCall& call) {
  const Row* row = row_of(call.number);
  std::string text = name_of(call.number);
  if (row == nullptr || row->takes == Takes::nothing) return text;
  if (row->takes == Takes::fd) {
    std::array<char, PATH_MAX> target{};
    const std::string link = cat("/proc/", call.thread, "/fd/", static_cast<int>(call.args[0]));
    const ssize_t length = readlink(link.c_str(), target.data(), target.size());
    const std::string_view whole(target.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    return cat(text, "(", static_cast<int>(call.args[0]), " ", whole.substr(whole.rfind('/') + 1), ")");
  }
  const std::uint64_t address = call.args[row->takes == Takes::path ? 0 : 1];
  return cat(text, "(", printable(read_traced_text(call.thread, address).value_or("?")), ")");
}

}  // namespace pawl::crash

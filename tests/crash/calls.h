// The system calls as the campaigns see them: their names, and how each can fail.
#pragma once

#include <sys/syscall.h>

#include <string>

#include "base/traced_process.h"

// Calls of x86-64 that younger architectures never had: numbers that no call has, so that nobody needs to ask.
#if !defined(__x86_64__)
#define SYS_open (-1)
#define SYS_creat (-2)
#define SYS_stat (-3)
#define SYS_lstat (-4)
#define SYS_access (-5)
#define SYS_readlink (-6)
#define SYS_rename (-7)
#define SYS_renameat (-8)
#define SYS_unlink (-9)
#define SYS_rmdir (-10)
#define SYS_mkdir (-11)
#define SYS_link (-12)
#define SYS_symlink (-13)
#define SYS_chmod (-14)
#define SYS_chown (-15)
#define SYS_arch_prctl (-16)
#endif

namespace pawl::crash {

enum class CallKind {
  files,   // touches files: can fail with whatever a disk or a network file system comes up with
  memory,  // asks for memory: can fail with ENOMEM
  sure,    // cannot fail, or not in a way that a C library would survive: it dies, but is never made to fail
  other,   // anything else can fail too
};

[[nodiscard]] CallKind kind_of(long number);
[[nodiscard]] std::string name_of(long number);  // "openat"; "call 302" for one that nobody needed to know by name

// Names a path: the first of these is where a program leaves the C library's start and begins its own work.
[[nodiscard]] bool takes_path(long number);
// Needs room on the disk.
[[nodiscard]] bool fills_disk(const SystemCall& call);
// Its third argument is the count of bytes to write.
[[nodiscard]] bool writes_count(long number);

// What one is told of a call in a report: "pwrite64(4 …/pawl.db)".
[[nodiscard]] std::string describe(const SystemCall& call);

}  // namespace pawl::crash

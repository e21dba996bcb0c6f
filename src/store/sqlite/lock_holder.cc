#include "store/sqlite/lock_holder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/file.h"
#include "base/text.h"

namespace pawl::sqlite {
namespace {

// Files under /proc say nothing of their size, and are read piece by piece.
std::string read_proc(const std::string& path) {
  std::string text;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; fd.valid() && (got = read(fd.get(), piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::string lock_holder(const std::string& path, std::string_view kind) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return "another process";
  const std::string locks = read_proc("/proc/locks");
  for (const std::string_view line : split(locks, '\n')) {
    // "3: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF"; one that waits has "->" before its kind, and does not match.
    // Compared by inode alone: some file systems show another device there than stat does.
    long long pid = 0;
    unsigned long long inode = 0;
    std::array<char, 16> found{};
    if (std::sscanf(std::string(line).c_str(), "%*d: %15s %*s %*s %lld %*x:%*x:%llu", found.data(), &pid, &inode) != 3)
      continue;
    if (kind != found.data() || inode != file.st_ino || pid <= 0 || pid == getpid()) continue;
    const std::string name = read_proc(cat("/proc/", pid, "/comm"));
    return cat("process ", pid,
               name.empty() ? std::string() : cat(" (", printable(name.substr(0, name.find('\n'))), ")"));
  }
  return "another process";
}

}  // namespace pawl::sqlite

#include "base/capped_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/own_folder.h"
#include "base/text.h"

namespace pawl {
namespace {

// Never through a link: the name may have been put there by somebody else.
int open_log(int folder, const std::string& name) {
  return ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
}

}  // namespace

Result<CappedLog> CappedLog::open(const std::string& root, const std::string& path, std::size_t cap) {
  const std::size_t slash = path.rfind('/');
  CappedLog log;
  PAWL_ASSIGN(log.folder_, make_below(root, slash == std::string::npos ? "" : path.substr(0, slash), 0700));
  log.name_ = slash == std::string::npos ? path : path.substr(slash + 1);
  log.cap_ = cap;
  log.file_ = Fd(open_log(log.folder_.get(), log.name_));
  struct stat info {};
  if (!log.file_.valid() || fstat(log.file_.get(), &info) != 0)
    return tl::unexpected(io_error("open", cat(root, "/", path), errno));
  log.size_ = static_cast<std::size_t>(info.st_size);
  return log;
}

void CappedLog::begin_again() {
  if (renameat(folder_.get(), name_.c_str(), folder_.get(), cat(name_, ".1").c_str()) != 0) {
    file_.reset();  // rather no more than without end
    return;
  }
  file_ = Fd(open_log(folder_.get(), name_));
  size_ = 0;
}

void CappedLog::append(std::string_view bytes) {
  while (!bytes.empty() && file_.valid()) {
    if (size_ >= cap_) begin_again();
    if (!file_.valid()) return;
    const ssize_t wrote = ::write(file_.get(), bytes.data(), std::min(bytes.size(), cap_ - size_));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    size_ += static_cast<std::size_t>(wrote);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace pawl

#include "store/sqlite/held.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>

#include "base/digest.h"
#include "base/file.h"

namespace pawl::sqlite {
namespace {

std::string file_in(const std::string& folder) { return folder + "/locks"; }

struct flock byte_for(std::string_view name) {
  constexpr std::size_t kDigits = 15;  // a place in a file has 63 bits
  const std::string hash = digest(name).substr(0, kDigits);
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  std::from_chars(hash.data(), hash.data() + hash.size(), range.l_start, 16);
  range.l_len = 1;
  return range;
}

std::int64_t place_of(const Fd& file) {
  struct stat info {};
  return fstat(file.get(), &info) == 0 ? static_cast<std::int64_t>(info.st_ino) : 0;
}

class HeldByte final : public Gate {
 public:
  explicit HeldByte(Fd file) : file_(std::move(file)) {}

 private:
  Fd file_;
};

}  // namespace

Result<Lock> take_lock(const std::string& folder, std::string_view name) {
  const std::string path = file_in(folder);
  Fd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file.valid()) return tl::unexpected(io_error("open", path, errno));
  struct flock range = byte_for(name);
  if (fcntl(file.get(), F_OFD_SETLK, &range) != 0) {
    if (errno == EAGAIN || errno == EACCES) return Lock{};
    return tl::unexpected(io_error("lock", path, errno));
  }
  Lock lock;
  lock.place = place_of(file);
  lock.kept = std::make_unique<HeldByte>(std::move(file));
  return lock;
}

Held is_held(const std::string& folder, std::string_view name, std::int64_t place) {
  const Fd file(open(file_in(folder).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid() || place == 0 || place_of(file) != place) return Held::unknown;
  struct flock range = byte_for(name);
  if (fcntl(file.get(), F_OFD_GETLK, &range) != 0) return Held::unknown;
  return range.l_type == F_UNLCK ? Held::no : Held::yes;
}

}  // namespace pawl::sqlite

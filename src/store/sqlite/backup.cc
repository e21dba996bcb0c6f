#include "store/sqlite/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace pawl::sqlite {
namespace {

// In one step: the source is read-locked for as long as it takes, so others that write in between do not make
// it start again, without end.
Done copy_pages(Connection& from, Connection& to) {
  sqlite3_backup* backup = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
  if (backup == nullptr) return tl::unexpected(to.error(sqlite3_extended_errcode(to.handle())));
  const int stepped = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (stepped == SQLITE_DONE) return done();
  // The code tells whose it is badly; a full disk is the target's.
  return tl::unexpected((stepped & 0xFF) == SQLITE_BUSY ? from.error(stepped) : to.error(stepped));
}

Done sync_file(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || fsync(fd.get()) != 0) return tl::unexpected(io_error("sync", path, errno));
  return done();
}

}  // namespace

Done copy_database(Connection& from, const std::string& target) {
  struct stat there {};
  if (lstat(target.c_str(), &there) == 0)
    return fail(ErrorCode::already_exists, cat(printable(target), " exists already"));
  const std::size_t slash = target.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
  PAWL_ASSIGN(const Fd folder_fd, open_folder(folder));

  std::string temporary = target + ".XXXXXX";
  {
    const Fd made(mkostemp(temporary.data(), O_CLOEXEC));
    if (!made.valid()) return tl::unexpected(io_error("make", target, errno));
  }
  const Done copied = [&]() -> Done {
    {
      PAWL_ASSIGN(const auto to, Connection::open(temporary, Opening::existing, 0));
      // Nobody can see it yet, and it is synced as a whole.
      PAWL_TRY(to->exec("PRAGMA synchronous=OFF;PRAGMA journal_mode=OFF"));
      PAWL_TRY(copy_pages(from, *to));
    }
    PAWL_TRY(sync_file(temporary));
    PAWL_TRY(move_new_at(AT_FDCWD, temporary, AT_FDCWD, target));
    return sync_folder(folder_fd.get());
  }();
  if (!copied) unlink(temporary.c_str());
  return copied;
}

}  // namespace pawl::sqlite

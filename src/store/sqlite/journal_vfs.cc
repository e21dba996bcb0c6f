#include "store/sqlite/journal_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "base/file.h"

namespace pawl::sqlite {
namespace {

// SQLite's file layer writes less than 128 KiB with one call, and silently no more of what it is given.
constexpr std::size_t kMostGathered = 64U * 1024U;

sqlite3_vfs& real_vfs() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  return *vfs;
}

// What SQLite hands around as its file. The real one's memory follows directly.
struct Gathering {
  sqlite3_file base;
  std::string* waiting;  // to be written at `begin`
  sqlite3_int64 begin;
  bool is_wal;
  int failed;  // of a write that SQLite was told had been done

  [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  [[nodiscard]] sqlite3_int64 end() const { return begin + static_cast<sqlite3_int64>(waiting->size()); }

  // Once a write to a journal has failed, it is not what SQLite believes it to be. Everything fails from then on, a
  // rollback too: so that it does not restore pages from a journal that lacks them, but drops its cache and begins
  // anew. From a WAL nothing is restored: the transaction fails, and the next one overwrites what it has left.
  [[nodiscard]] int write_out() {
    if (failed != SQLITE_OK || waiting->empty()) return failed;
    failed = real()->pMethods->xWrite(real(), waiting->data(), static_cast<int>(waiting->size()), begin);
    waiting->clear();
    return is_wal ? std::exchange(failed, SQLITE_OK) : failed;
  }
};

Gathering& of(sqlite3_file* file) { return *reinterpret_cast<Gathering*>(file); }

int on_close(sqlite3_file* file) {
  Gathering& it = of(file);
  const int written = it.write_out();
  const int closed = it.real()->pMethods->xClose(it.real());
  delete it.waiting;
  it.waiting = nullptr;
  return written != SQLITE_OK ? written : closed;
}

int on_read(sqlite3_file* file, void* into, int count, sqlite3_int64 at) {
  Gathering& it = of(file);
  if (const int code = it.write_out(); code != SQLITE_OK) return code;
  return it.real()->pMethods->xRead(it.real(), into, count, at);
}

int on_write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
  Gathering& it = of(file);
  if (it.failed != SQLITE_OK) return it.failed;
  const auto size = static_cast<std::size_t>(count);
  if (at != it.end() || it.waiting->size() + size > kMostGathered) {
    if (const int code = it.write_out(); code != SQLITE_OK) return code;
    if (size > kMostGathered) return it.real()->pMethods->xWrite(it.real(), bytes, count, at);
  }
  if (it.waiting->empty()) it.begin = at;
  try {
    it.waiting->append(static_cast<const char*>(bytes), size);
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
  return SQLITE_OK;
}

int on_truncate(sqlite3_file* file, sqlite3_int64 size) {
  Gathering& it = of(file);
  if (const int code = it.write_out(); code != SQLITE_OK) return code;
  return it.real()->pMethods->xTruncate(it.real(), size);
}

int on_sync(sqlite3_file* file, int flags) {
  Gathering& it = of(file);
  if (const int code = it.write_out(); code != SQLITE_OK) return code;
  return it.real()->pMethods->xSync(it.real(), flags);
}

int on_file_size(sqlite3_file* file, sqlite3_int64* size) {
  Gathering& it = of(file);
  if (const int code = it.write_out(); code != SQLITE_OK) return code;
  return it.real()->pMethods->xFileSize(it.real(), size);
}

int on_lock(sqlite3_file* file, int level) { return of(file).real()->pMethods->xLock(of(file).real(), level); }
int on_unlock(sqlite3_file* file, int level) { return of(file).real()->pMethods->xUnlock(of(file).real(), level); }
int on_check_lock(sqlite3_file* file, int* out) {
  return of(file).real()->pMethods->xCheckReservedLock(of(file).real(), out);
}
int on_control(sqlite3_file* file, int what, void* with) {
  return of(file).real()->pMethods->xFileControl(of(file).real(), what, with);
}
int on_sector_size(sqlite3_file* file) { return of(file).real()->pMethods->xSectorSize(of(file).real()); }
int on_characteristics(sqlite3_file* file) {
  return of(file).real()->pMethods->xDeviceCharacteristics(of(file).real());
}

constexpr sqlite3_io_methods kMethods = {
    .iVersion = 1,
    .xClose = on_close,
    .xRead = on_read,
    .xWrite = on_write,
    .xTruncate = on_truncate,
    .xSync = on_sync,
    .xFileSize = on_file_size,
    .xLock = on_lock,
    .xUnlock = on_unlock,
    .xCheckReservedLock = on_check_lock,
    .xFileControl = on_control,
    .xSectorSize = on_sector_size,
    .xDeviceCharacteristics = on_characteristics,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

// A rollback journal that a transaction has been through to its end: it stays, its first bytes zero.
bool is_left_by_a_commit(const char* name) {
  const Fd file(::open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  std::array<char, 28> header{};
  if (!file.valid() || pread(file.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
    return false;
  return std::all_of(header.begin(), header.end(), [](char c) { return c == 0; });
}

int sync_folder_of(const std::string& name) {
  const auto folder = open_folder(name.substr(0, name.rfind('/')));
  return folder && sync_folder(folder->get()) ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
}

// SQLite syncs a journal's folder whenever it might have made the journal, which costs a command a thirtieth of its
// life. A journal that a commit has left was synced into its folder by that commit. The exception is one whose maker
// was killed before that, and which was rolled back since: there the folder is synced when it is opened for the
// rollback.
int synced_flags(const char* name, int flags, int& code) {
  if (name == nullptr || (flags & SQLITE_OPEN_MAIN_JOURNAL) == 0) return flags;
  if ((flags & SQLITE_OPEN_CREATE) != 0) return is_left_by_a_commit(name) ? flags & ~SQLITE_OPEN_CREATE : flags;
  if ((flags & SQLITE_OPEN_READWRITE) != 0) code = sync_folder_of(name);
  return flags;
}

int on_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  if ((flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) == 0)
    return real_vfs().xOpen(&real_vfs(), name, file, flags, out_flags);
  // Opening a pipe would wait for its other end, for ever.
  struct stat there {};
  if (name != nullptr && lstat(name, &there) == 0 && !S_ISREG(there.st_mode)) {
    file->pMethods = nullptr;
    return SQLITE_CANTOPEN;
  }
  Gathering& it = of(file);
  it.base.pMethods = nullptr;  // not open, should the next call fail
  it.waiting = nullptr;
  it.begin = 0;
  it.is_wal = (flags & SQLITE_OPEN_WAL) != 0;
  it.failed = SQLITE_OK;
  int synced = SQLITE_OK;
  flags = synced_flags(name, flags, synced);
  if (synced != SQLITE_OK) return synced;
  if (const int code = real_vfs().xOpen(&real_vfs(), name, it.real(), flags, out_flags); code != SQLITE_OK) {
    if (it.real()->pMethods != nullptr) it.real()->pMethods->xClose(it.real());
    return code;
  }
  it.waiting = new (std::nothrow) std::string;
  if (it.waiting == nullptr) {
    it.real()->pMethods->xClose(it.real());
    return SQLITE_NOMEM;
  }
  it.base.pMethods = &kMethods;
  return SQLITE_OK;
}

}  // namespace

const char* journal_vfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_initialize();
    sqlite3_vfs copy = real_vfs();  // everything else is the real one's; it looks at its own pAppData only
    copy.zName = "pawl";
    copy.pNext = nullptr;
    copy.szOsFile += static_cast<int>(sizeof(Gathering));
    copy.xOpen = on_open;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;  // nullptr: SQLite's own
}

}  // namespace pawl::sqlite

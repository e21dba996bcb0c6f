#include "engine/begin_anew.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/file.h"
#include "base/text.h"
#include "engine/aside.h"
#include "engine/engine.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl {

std::optional<DatabaseFile> database_file(const Workspace& workspace) {
  struct stat info {};
  if (lstat(cat(workspace.store, "/pawl.db").c_str(), &info) != 0) return std::nullopt;
  return DatabaseFile{info.st_dev, info.st_ino};
}

Result<std::optional<std::string>> set_database_aside(Engine& engine, std::string_view why,
                                                      const std::optional<DatabaseFile>& judged) {
  const std::string stamp = stamp_of(engine.clock().now().wall_ms);
  engine.forget_store();
  PAWL_ASSIGN(const auto gate, take_sqlite_gate(engine.workspace().store, 10'000));
  if (database_file(engine.workspace()) != judged) return std::nullopt;
  PAWL_ASSIGN(const Fd folder, open_folder(engine.workspace().store));
  std::optional<std::string> kept;
  for (const std::string part : {"pawl.db-journal", "pawl.db-wal", "pawl.db-shm", "pawl.db"}) {
    // A journal that stayed behind would be played into the new database.
    if (faccessat(folder.get(), part.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) continue;
    const std::string name = cat(why, "-", stamp, "-", part);
    PAWL_TRY(move_new_at(folder.get(), part, folder.get(), name));
    kept = cat(engine.workspace().store, "/", name);
  }
  // The new one must not be found beside the old one's journal.
  PAWL_TRY(sync_folder(folder.get()));
  return kept;
}

}  // namespace pawl

#include "runners/install/exchange.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "base/writers.h"

namespace pawl::install {
namespace {

constexpr int kLockMs = 20'000;

Error not_written(const std::string& path, Error error) {
  const std::size_t why = error.message.rfind(": ");
  error.message =
      cat("cannot write ", path, ": ", why == std::string::npos ? error.message : error.message.substr(why + 2));
  return error;
}

Result<bool> put_new(const Replacement& one, bool& stands) {
  const Done moved = move_new_at(one.folder, one.staged, one.folder, one.name);
  stands = moved.has_value();
  if (moved) {
    PAWL_TRY(sync_folder(one.folder));
    return true;
  }
  PAWL_TRY(remove_at(one.folder, one.staged));
  if (moved.error().code == ErrorCode::already_exists) return false;
  return tl::unexpected(moved.error());
}

Result<bool> exchange_if_still(const Replacement& one, bool& stands) {
  if (const Done exchanged = exchange_at(one.folder, one.staged, one.folder, one.name); !exchanged) {
    const bool gone = faccessat(one.folder, one.name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
    PAWL_TRY(remove_at(one.folder, one.staged));
    if (gone) return false;
    return tl::unexpected(exchanged.error());
  }
  stands = true;
  PAWL_ASSIGN(const bool same, is_still(one.folder, one.staged, one.before.bytes));
  if (same) {
    PAWL_TRY(sync_folder(one.folder));  // first: what was there goes only when the new one is sure to stay
    PAWL_TRY(remove_at(one.folder, one.staged));
    return true;
  }
  PAWL_TRY(exchange_at(one.folder, one.staged, one.folder, one.name));
  stands = false;
  PAWL_ASSIGN(const bool unseen, is_still(one.folder, one.staged, one.after));
  if (unseen) PAWL_TRY(remove_at(one.folder, one.staged));  // else somebody wrote into that one too: it stays
  return false;
}

}  // namespace

std::string name_beside(const std::string& name) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return cat(".", name, ".pawl-", getpid(), "-", in_ns(now));
}

bool is_named_beside(std::string_view name, std::string_view of) {
  const std::string begin = cat(".", of, ".pawl-");
  if (!name.starts_with(begin)) return false;
  const std::string_view numbers = name.substr(begin.size());
  const std::size_t dash = numbers.find('-');
  return dash != std::string_view::npos && parse_positive(numbers.substr(0, dash)) &&
         parse_positive(numbers.substr(dash + 1));
}

Result<Fd> lock_users_files(const std::string& root, std::string_view path) {
  PAWL_ASSIGN(Fd folder, open_folder(root));
  PAWL_ASSIGN(const bool locked, lock_within(folder.get(), LOCK_EX, kLockMs, root));
  if (locked) return folder;
  return fail(ErrorCode::busy, cat("another pawl has been changing ", path, " for long"), "try again");
}

Result<bool> is_still(int folder, const std::string& name, std::string_view bytes) {
  if (writers_of_at(folder, name) == Writers::some) return false;
  return same_bytes_at(folder, name, bytes);
}

Result<bool> put_if_still(const Replacement& one, bool& stands) {
  stands = false;
  if (const Done written = write_synced_at(one.folder, one.staged, one.after, looks_of(one.before)); !written) {
    static_cast<void>(remove_at(one.folder, one.staged));
    return tl::unexpected(not_written(one.path, written.error()));
  }
  return one.before.exists ? exchange_if_still(one, stands) : put_new(one, stands);
}

Error changed_but(const std::string& path, Error error, bool stood_before) {
  const std::string name = path.substr(path.rfind('/') + 1);
  error.message = cat(path, stood_before ? " was changed" : " was made", ", but that may not last: ", error.message);
  error.hint = cat(stood_before ? cat("what stood there before may lie beside it, as .", name, ".pawl-…; ") : "",
                   "once the disk is well, try again");
  return error;
}

}  // namespace pawl::install

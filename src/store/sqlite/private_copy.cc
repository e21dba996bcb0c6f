#include "store/sqlite/private_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "base/text.h"

namespace pawl::sqlite {
namespace {

constexpr std::array<std::string_view, 3> kTogether = {"", "-journal", "-wal"};

// Enough to notice that somebody else wrote during the copy: another tool does not know of the gate.
struct Look {
  std::int64_t size = -1;  // no file
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  bool operator==(const Look&) const = default;
};

std::array<Look, kTogether.size()> look_at(const std::string& database) {
  std::array<Look, kTogether.size()> looks;
  for (std::size_t i = 0; i < kTogether.size(); ++i) {
    struct stat there {};
    if (stat(cat(database, kTogether[i]).c_str(), &there) != 0) continue;
    looks[i] = {there.st_size, there.st_mtim.tv_sec, there.st_mtim.tv_nsec};
  }
  return looks;
}

Result<Fd> make_file(const std::string& path) {
  Fd out(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!out.valid()) return tl::unexpected(io_error("make", path, errno));
  return out;
}

Done copy_file(const std::string& from, const std::string& to) {
  const Fd in(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.valid()) return errno == ENOENT ? done() : Done(tl::unexpect, io_error("read", from, errno));
  PAWL_ASSIGN(const Fd out, make_file(to));
  while (true) {
    const ssize_t sent = sendfile(out.get(), in.get(), nullptr, std::size_t{1} << 30U);
    if (sent == 0) return done();
    if (sent < 0 && errno != EINTR) return tl::unexpected(io_error("write", to, errno));
  }
}

// The database itself is read through SQLite's handle; see Connection::header().
Done copy_database_file(const Connection& database, const std::string& to) {
  PAWL_ASSIGN(const Fd out, make_file(to));
  std::string piece;
  for (std::int64_t at = 0;; at += static_cast<std::int64_t>(piece.size())) {
    PAWL_ASSIGN(piece, database.raw_bytes(at, std::size_t{1} << 20U));
    if (piece.empty()) return done();
    PAWL_TRY(write_all(out.get(), piece, to));
  }
}

}  // namespace

PrivateCopy::PrivateCopy(std::string folder) : folder_(std::move(folder)), path_(folder_ + "/pawl.db") {}

PrivateCopy::~PrivateCopy() {
  for (const std::string_view end : {"", "-journal", "-wal", "-shm"}) unlink(cat(path_, end).c_str());
  rmdir(folder_.c_str());
}

Result<std::unique_ptr<PrivateCopy>> PrivateCopy::make(const Connection& connection, GateFile& gate, bool interrupted) {
  const std::string& database = connection.path();
  PAWL_ASSIGN(std::string folder, make_temporary_folder("pawl"));
  std::unique_ptr<PrivateCopy> copy(new PrivateCopy(std::move(folder)));
  copy->interrupted_ = interrupted;

  Result<std::unique_ptr<Gate>> held = gate.take(GateMode::shared);
  if (!held && held.error().code == ErrorCode::busy) return tl::unexpected(held.error());
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto before = look_at(database);
    for (const std::string_view end : kTogether) unlink(cat(copy->path_, end).c_str());
    PAWL_TRY(copy_database_file(connection, copy->path_));
    for (const std::string_view end : {"-journal", "-wal"}) {
      PAWL_TRY(copy_file(cat(database, end), cat(copy->path_, end)));
    }
    if (look_at(database) == before) return copy;
  }
  return fail(ErrorCode::busy, cat(database, " is being written by another program"), "try again");
}

}  // namespace pawl::sqlite

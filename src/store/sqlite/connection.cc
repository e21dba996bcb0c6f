#include "store/sqlite/connection.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "store/sqlite/boot_now.h"
#include "store/sqlite/journal_vfs.h"
#include "store/sqlite/lock_holder.h"

namespace pawl::sqlite {
namespace {

constexpr int kLongestValue = 256 << 20;  // bytes

// Counting every allocation takes a lock on each, and nobody here asks for the count. Twenty pages of cache made
// ahead are twenty page faults, for a command that needs eight.
void configure_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, 0);
  });
}

// Why a file cannot be written or opened, asked of the system, as SQLite says only that it cannot.
std::string reason_for(const std::string& path, int system_errno) {
  if (access(path.c_str(), R_OK | W_OK) != 0) return strerror(errno);
  const std::string folder = path.substr(0, path.find_last_of('/'));
  if (access(folder.c_str(), R_OK | W_OK | X_OK) != 0) return cat("the folder: ", strerror(errno));
  if (system_errno != 0) return strerror(system_errno);
  return "it was opened for reading only";
}

std::int32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
  return static_cast<std::int32_t>(value);
}

}  // namespace

Result<bool> Statement::step() {
  const int code = failed_ != SQLITE_OK ? failed_ : sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::unexpected<Error>(connection_->error(code));
}

Done Statement::run() {
  PAWL_TRY(step());
  return done();
}

Result<std::shared_ptr<Connection>> Connection::open(const std::string& path, Opening how, std::int64_t busy_ms) {
  configure_once();
  std::shared_ptr<Connection> connection(new Connection(path, busy_ms));
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= how == Opening::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (how == Opening::make) flags |= SQLITE_OPEN_CREATE;
  // Debian's SQLite reads "file:…" as a URI.
  const std::string name = path.starts_with('/') ? path : "./" + path;
  const int code = sqlite3_open_v2(name.c_str(), &connection->db_, flags, journal_vfs());
  if (code != SQLITE_OK) return tl::unexpected<Error>(connection->error(code));
  sqlite3_busy_handler(connection->db_, &Connection::on_busy, connection.get());
  // pawl has neither triggers nor views: in a database that came with a clone one would undo what is acknowledged, or
  // be without an end. Nor is anything of pawl's as long as what such a one may compute.
  sqlite3_db_config(connection->db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(connection->db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(connection->db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(connection->db_, SQLITE_LIMIT_LENGTH, kLongestValue);
  return connection;
}

Connection::~Connection() {
  if (leave_open_ && db_ != nullptr) {
    // In WAL mode the last one to close brings the database up to date; without that the next one pays for it.
    const Result<Header> now = header();
    if (now && !now->wal) {
      static std::vector<sqlite3*>* const left_open = new std::vector<sqlite3*>;
      left_open->push_back(db_);
      return;
    }
  }
  for (sqlite3_stmt* statement : statements_) sqlite3_finalize(statement);
  sqlite3_close(db_);
}

Result<sqlite3_stmt*> Connection::prepare(const char* sql, unsigned flags) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql, -1, flags, &statement, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(error(code));
  return statement;
}

Result<Statement> Connection::use(Sql which) {
  sqlite3_stmt*& kept = statements_[static_cast<std::size_t>(which)];
  if (kept == nullptr) {
    PAWL_ASSIGN(kept, prepare(text_of(which), SQLITE_PREPARE_PERSISTENT));
  }
  return Statement(*this, kept);
}

Done Connection::exec(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(error(code));
  return done();
}

Done Connection::exec_impatiently(const char* sql) {
  sqlite3_busy_handler(db_, nullptr, nullptr);
  Done executed = exec(sql);
  sqlite3_busy_handler(db_, &Connection::on_busy, this);
  return executed;
}

Result<std::int64_t> Connection::ask_integer(const char* sql) {
  PAWL_ASSIGN(sqlite3_stmt * prepared, prepare(sql, 0));
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(prepared, &sqlite3_finalize);
  Statement statement(*this, prepared);
  PAWL_ASSIGN(const bool row, statement.step());
  return row ? statement.integer(0) : 0;
}

Result<std::string> Connection::ask_text(const char* sql) {
  PAWL_ASSIGN(sqlite3_stmt * prepared, prepare(sql, 0));
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(prepared, &sqlite3_finalize);
  Statement statement(*this, prepared);
  PAWL_ASSIGN(const bool row, statement.step());
  return row ? statement.text(0) : std::string();
}

sqlite3_file* Connection::file() const {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(db_, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  return file;
}

Result<std::string> Connection::raw_bytes(std::int64_t at, std::size_t count) const {
  sqlite3_file* const from = file();
  sqlite3_int64 size = 0;
  int code = from->pMethods->xFileSize(from, &size);
  if (code != SQLITE_OK) return tl::unexpected(error(code));
  std::string bytes(static_cast<std::size_t>(std::clamp<std::int64_t>(size - at, 0, static_cast<std::int64_t>(count))),
                    '\0');
  if (bytes.empty()) return bytes;
  code = from->pMethods->xRead(from, bytes.data(), static_cast<int>(bytes.size()), at);
  if (code != SQLITE_OK) return tl::unexpected(error(code));
  return bytes;
}

Result<Header> Connection::header() const {
  PAWL_ASSIGN(std::string bytes, raw_bytes(0, 100));
  Header header{.empty = bytes.empty()};
  bytes.resize(100);
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  header.blank = !header.empty && bytes.find_first_not_of('\0') == std::string::npos;
  header.sqlite = bytes.starts_with(kMagic);
  header.wal = bytes[18] == 2;
  header.user_version = big_endian(std::string_view(bytes).substr(60));
  header.application_id = big_endian(std::string_view(bytes).substr(68));
  return header;
}

bool Connection::moved() const {
  int moved = 0;
  return sqlite3_file_control(db_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

void Connection::roll_back() {
  // Some errors have already rolled back.
  if (in_transaction()) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
}

// pawl's writers wait at the gate and not here; this is for other tools, and for readers during a commit.
int Connection::on_busy(void* self, int count) {
  auto& connection = *static_cast<Connection*>(self);
  if (count == 0) connection.busy_since_ms_ = boot_now_ms();
  if (boot_now_ms() - connection.busy_since_ms_ >= connection.busy_ms_) return 0;
  const timespec pause{.tv_sec = 0, .tv_nsec = count < 10 ? 100'000 : 1'000'000};
  nanosleep(&pause, nullptr);
  return 1;
}

Error Connection::error(int code) const {
  const std::string detail = db_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db_);
  const int system_errno = db_ == nullptr ? 0 : sqlite3_system_errno(db_);
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return {ErrorCode::io, cat("no space left on the disk: nothing was changed in ", path_), {}};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::corruption, cat(path_, " is damaged: ", printable(detail)),
              "pawl doctor tells more; nothing was deleted"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::busy, cat(path_, " is in use by ", lock_holder(path_, "POSIX")), "try again"};
    case SQLITE_READONLY:
      if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY) {
        return {ErrorCode::unavailable, cat("an interrupted write is in ", path_),
                "the next command that may write takes it back"};
      }
      return {ErrorCode::io, cat("cannot write ", path_, ": ", reason_for(path_, system_errno)), {}};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ErrorCode::io, cat("cannot open ", path_, ": ", reason_for(path_, system_errno)), {}};
    case SQLITE_IOERR:
    case SQLITE_PROTOCOL:
      return {ErrorCode::io,
              cat(path_, ": ", detail, system_errno != 0 ? cat(": ", strerror(system_errno)) : std::string()),
              {}};
    case SQLITE_ERROR:  // what pawl asks is fixed: the tables are not those that it made
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_SCHEMA:
    case SQLITE_FORMAT:
      return {ErrorCode::corruption, cat(path_, " is damaged: ", printable(detail)),
              "pawl doctor tells more; nothing was deleted"};
    case SQLITE_TOOBIG:
      return {ErrorCode::invalid_argument, cat(path_, ": ", printable(detail)), {}};
    default:
      return {ErrorCode::internal, cat(path_, ": ", printable(detail)), {}};
  }
}

}  // namespace pawl::sqlite

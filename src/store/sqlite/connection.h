// One connection: its statements, prepared when first needed and kept; its errors, as pawl's; its patience.
// Used by one thread at a time.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/statement.h"

namespace pawl::sqlite {

// The first bytes of the file, read without a lock and so only a hint, unless a transaction is open.
struct Header {
  bool empty = false;  // no bytes at all
  bool blank = false;  // bytes, but none that says anything: a power cut can leave that of a file just begun
  bool sqlite = false;
  bool wal = false;
  std::int32_t application_id = 0;
  std::int32_t user_version = 0;
};

enum class Opening { read_only, existing, make };

class Connection {
 public:
  [[nodiscard]] static Result<std::shared_ptr<Connection>> open(const std::string& path, Opening how,
                                                                std::int64_t busy_ms);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] sqlite3* handle() const { return db_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] Result<Statement> use(Sql which);
  // A statement that is used once or seldom.
  [[nodiscard]] Done exec(const char* sql);
  // busy at once, where somebody else is in the way.
  [[nodiscard]] Done exec_impatiently(const char* sql);
  [[nodiscard]] Result<std::int64_t> ask_integer(const char* sql);
  [[nodiscard]] Result<std::string> ask_text(const char* sql);

  // Both through SQLite's own handle: opening the file again and closing it would drop this process's locks on it.
  [[nodiscard]] Result<Header> header() const;
  [[nodiscard]] Result<std::string> raw_bytes(std::int64_t at, std::size_t count) const;  // fewer at the end
  // The file at the path is not the one that is open: somebody replaced the store.
  [[nodiscard]] bool moved() const;

  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }
  void roll_back();
  // The process is about to end: giving everything back one by one would be in vain.
  void leave_open() { leave_open_ = true; }

  // What went wrong just now.
  [[nodiscard]] Error error(int code) const;

 private:
  Connection(std::string path, std::int64_t busy_ms) : path_(std::move(path)), busy_ms_(busy_ms) {}
  static int on_busy(void* self, int count);
  [[nodiscard]] sqlite3_file* file() const;
  [[nodiscard]] Result<sqlite3_stmt*> prepare(const char* sql, unsigned flags);

  std::string path_;
  std::int64_t busy_ms_;
  std::int64_t busy_since_ms_ = 0;
  sqlite3* db_ = nullptr;
  bool leave_open_ = false;
  std::array<sqlite3_stmt*, kSqlCount> statements_{};
};

}  // namespace pawl::sqlite

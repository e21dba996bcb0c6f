// SQLite by itself, in the same mode, for the other side of a ratio.
#pragma once

#include <memory>
#include <string>

#include "store/sqlite/gate.h"

struct sqlite3;
struct sqlite3_stmt;

namespace pawl::bench {

// One row a transaction.
class RawRows {
 public:
  // `gate`: the store's own gate, taken before each transaction; empty for none.
  RawRows(const std::string& file, const std::string& gate);
  ~RawRows();
  void put();

 private:
  sqlite3* db_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  std::shared_ptr<sqlite::GateFile> gate_;
};

// The rows, bytes and indexes that the engine writes for `count` moves, in one transaction, into a store's own schema.
class RawMoves {
 public:
  explicit RawMoves(const std::string& store_database);
  ~RawMoves();
  void move(int first, int count);

 private:
  sqlite3* db_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* operation_ = nullptr;
  sqlite3_stmt* event_ = nullptr;
  sqlite3_stmt* record_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  long long turn_ = 0;
};

}  // namespace pawl::bench

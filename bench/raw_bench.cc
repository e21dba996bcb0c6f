#include <sqlite3.h>

#include <cstdio>

#include "base/clock.h"
#include "bench.h"
#include "raw.h"

namespace pawl::bench {
namespace {

sqlite3* open_database(const std::string& file) {
  sqlite3* db = nullptr;
  if (sqlite3_open(file.c_str(), &db) != SQLITE_OK) give_up("cannot open " + file);
  sqlite3_busy_timeout(db, 60'000);
  if (sqlite3_exec(db, "pragma journal_mode=wal; pragma synchronous=full", nullptr, nullptr, nullptr) != SQLITE_OK)
    give_up(sqlite3_errmsg(db));
  return db;
}

sqlite3_stmt* prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
    give_up(sqlite3_errmsg(db));
  return statement;
}

void run(sqlite3_stmt* statement) {
  const int code = sqlite3_step(statement);
  if (code != SQLITE_DONE && code != SQLITE_ROW) give_up(sqlite3_errmsg(sqlite3_db_handle(statement)));
  sqlite3_reset(statement);
}

void bind(sqlite3_stmt* statement, int place, const std::string& text) {
  sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

}  // namespace

RawRows::RawRows(const std::string& file, const std::string& gate) : db_(open_database(file)) {
  sqlite3_exec(db_, "create table if not exists t(id integer primary key, status, doc)", nullptr, nullptr, nullptr);
  begin_ = prepare(db_, "begin immediate");
  insert_ = prepare(
      db_,
      "insert into t values(null, 'working', '{\"job\":1,\"note\":\"as it stands\",\"at\":\"2024-01-30T09:00:00Z\"}')");
  commit_ = prepare(db_, "commit");
  if (!gate.empty()) gate_ = std::make_shared<sqlite::GateFile>(gate, 60'000);
}

RawRows::~RawRows() {
  for (sqlite3_stmt* statement : {begin_, insert_, commit_}) sqlite3_finalize(statement);
  sqlite3_close(db_);
}

void RawRows::put() {
  std::unique_ptr<Gate> held;
  if (gate_ != nullptr) {
    auto taken = gate_->take();
    if (!taken) give_up(taken.error().message);
    held = std::move(*taken);
  }
  run(begin_);
  run(insert_);
  run(commit_);
}

RawMoves::RawMoves(const std::string& store_database) : db_(open_database(store_database)) {
  begin_ = prepare(db_, "begin immediate");
  operation_ = prepare(db_, "insert into operation values(null,?1,'job move','bench',null,0,null,null,null,null)");
  event_ = prepare(db_, "insert into event values(null,?1,?2,'job','',?3,?4,'set',?5,?6,null,0,0,null,?7,0)");
  record_ = prepare(db_,
                    "update record set status=?2,held=null,aside=0,revision=?3,rank=?1,event=?4 where kind='job' and "
                    "scope='' and key=?1");
  commit_ = prepare(db_, "commit");
}

RawMoves::~RawMoves() {
  for (sqlite3_stmt* statement : {begin_, operation_, event_, record_, commit_}) sqlite3_finalize(statement);
  sqlite3_close(db_);
}

void RawMoves::move(int first, int count) {
  ++turn_;
  const std::string to = turn_ % 2 == 0 ? "waiting" : "working", from = turn_ % 2 == 0 ? "working" : "waiting";
  run(begin_);
  sqlite3_bind_int64(operation_, 1, SystemClock().now().wall_ms);
  run(operation_);
  const sqlite3_int64 operation = sqlite3_last_insert_rowid(db_);
  for (int i = first; i < first + count; ++i) {
    char key[16], doc[128];
    std::snprintf(key, sizeof key, "%08d", i);
    std::snprintf(doc, sizeof doc, "{\"job\":%d,\"note\":\"as it stands\",\"at\":\"2024-01-30T09:00:00Z\"}", i);
    const std::string key_text = key, doc_text = doc;
    sqlite3_bind_int64(event_, 1, operation);
    sqlite3_bind_int64(event_, 2, turn_);
    bind(event_, 3, key_text);
    sqlite3_bind_int64(event_, 4, turn_);
    bind(event_, 5, from);
    bind(event_, 6, to);
    bind(event_, 7, doc_text);
    run(event_);
    bind(record_, 1, key_text);
    bind(record_, 2, to);
    sqlite3_bind_int64(record_, 3, turn_ + 1);
    sqlite3_bind_int64(record_, 4, sqlite3_last_insert_rowid(db_));
    run(record_);
  }
  run(commit_);
}

}  // namespace pawl::bench

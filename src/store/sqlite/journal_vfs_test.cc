// The file layer by itself: what SQLite wrote through it is what a SQLite without it reads.
#include "store/sqlite/journal_vfs.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <memory>
#include <string>

#include "store/sqlite/store_folder.h"

namespace pawl::sqlite {
namespace {

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

Database open(const std::string& file, const char* vfs) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK);
  return {db, &sqlite3_close};
}

void run(const Database& db, const std::string& sql) {
  EXPECT_EQ(sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db.get());
}

std::string ask(const Database& db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db.get(), sql, -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(db.get());
  std::string out;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    out = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  }
  sqlite3_finalize(statement);
  return out;
}

class JournalVfs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_NE(journal_vfs(), nullptr);
    db_ = open(file_, journal_vfs());
    // A cache of a few pages, so that journal and WAL are read back in the midst of a transaction.
    run(db_, std::string("PRAGMA page_size=512;PRAGMA cache_size=5;PRAGMA synchronous=FULL;PRAGMA journal_mode=") +
                 GetParam() + ";CREATE TABLE t(id INTEGER PRIMARY KEY,v)");
    run(db_, "INSERT INTO t VALUES(1,'kept')");
  }
  // As anybody else would read it.
  [[nodiscard]] std::string elsewhere(const char* sql) const { return ask(open(file_, nullptr), sql); }

  test::StoreFolder folder_;
  std::string file_ = folder_.path() + "/t.db";
  Database db_{nullptr, &sqlite3_close};
};

constexpr const char* kMuch =
    "WITH RECURSIVE n(i)AS(SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<400)"
    "INSERT INTO t SELECT i,hex(randomblob(700))FROM n";

TEST_P(JournalVfs, MuchMoreThanOneWriteHoldsIsCommittedWhole) {
  run(db_, "BEGIN");
  run(db_, kMuch);
  run(db_, "COMMIT");
  EXPECT_EQ(elsewhere("SELECT count(*)FROM t WHERE length(v)=1400"), "399");
  EXPECT_EQ(elsewhere("PRAGMA integrity_check"), "ok");
}

TEST_P(JournalVfs, RollbackOfWhatWasSpilledLeavesNothing) {
  run(db_, kMuch);
  run(db_, "BEGIN");
  run(db_, "UPDATE t SET v=hex(randomblob(900));DELETE FROM t WHERE id%3=0");
  run(db_, "ROLLBACK");
  EXPECT_EQ(elsewhere("SELECT count(*)FROM t"), "400");
  EXPECT_EQ(elsewhere("SELECT v FROM t WHERE id=1"), "kept");
  EXPECT_EQ(elsewhere("PRAGMA integrity_check"), "ok");
}

TEST_P(JournalVfs, CommitIsSeenByOthersAtOnce) {
  const Database other = open(file_, nullptr);
  for (int i = 2; i < 50; ++i) {
    run(db_, "INSERT INTO t VALUES(" + std::to_string(i) + ",'x')");
    EXPECT_EQ(ask(other, "SELECT max(id)FROM t"), std::to_string(i));
  }
}

// The journal cannot be written (here: a file may not be longer): nothing of the transaction may be seen, by this
// connection either, and the next transaction stands on what was there before.
TEST_P(JournalVfs, WriteThatFailsLateLeavesNothingBehindInTheCache) {
  run(db_, kMuch);
  run(db_, "PRAGMA cache_size=2000;CREATE INDEX by_v ON t(v)");
  const std::string before = ask(db_, "SELECT count(*)||' '||max(v)FROM t");
  struct rlimit old {};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tight { .rlim_cur = 3000, .rlim_max = old.rlim_max };
  setrlimit(RLIMIT_FSIZE, &tight);
  const int code = sqlite3_exec(db_.get(), "UPDATE t SET v='zz'||v WHERE id>1", nullptr, nullptr, nullptr);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  EXPECT_NE(code, SQLITE_OK);
  if (sqlite3_get_autocommit(db_.get()) == 0) run(db_, "ROLLBACK");
  EXPECT_EQ(ask(db_, "SELECT count(*)||' '||max(v)FROM t"), before);
  run(db_, "INSERT INTO t VALUES(1000,'after')");
  EXPECT_EQ(ask(db_, "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(elsewhere("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(elsewhere("SELECT count(*)FROM t"), "401");
}

INSTANTIATE_TEST_SUITE_P(InEachMode, JournalVfs, testing::Values("PERSIST", "DELETE", "TRUNCATE", "WAL"));

}  // namespace
}  // namespace pawl::sqlite

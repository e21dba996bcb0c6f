// The statements behind a listing are seeks: what they cost does not depend on how many records there are.
#include "store/sqlite/sql.h"

#include "store/sqlite/connection.h"
#include "store/sqlite/store_folder.h"

namespace pawl::sqlite {
namespace {

constexpr int kRecords = 5000;

class SqlSeeks : public testing::Test {
 protected:
  SqlSeeks() {
    folder_.open();
    folder_.sql("WITH RECURSIVE n(i)AS(SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<" + std::to_string(kRecords) +
                ")INSERT INTO record SELECT 'story','','US-'||i,CASE i%2 WHEN 0 THEN 'open' ELSE 'done' END,NULL,0,1,"
                "printf('%06d',i),i,0 FROM n");
    connection_ = *Connection::open(folder_.database(), Opening::existing, 0);
  }
  // Instructions of SQLite's machine until the first row, or the end.
  template <class... Values>
  int steps(Sql which, const Values&... values) {
    sqlite3_stmt* prepared = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(connection_->handle(), text_of(which), -1, &prepared, nullptr), SQLITE_OK);
    {
      Statement statement(*connection_, prepared);
      EXPECT_TRUE(statement.bind(values...).step());
    }
    const int taken = sqlite3_stmt_status(prepared, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(prepared);
    return taken;
  }

  test::StoreFolder folder_;
  std::shared_ptr<Connection> connection_;
};

TEST_F(SqlSeeks, EachStatementOfAListingIsOne) {
  constexpr int kFew = 100;
  EXPECT_LT(steps(Sql::next_scope, "story", 0), kFew);
  EXPECT_LT(steps(Sql::next_scope, "story", ""), kFew) << "past all records of a scope";
  EXPECT_LT(steps(Sql::next_status, "story", "", 0, 0), kFew);
  EXPECT_LT(steps(Sql::next_status, "story", "", 0, "done"), kFew) << "past all records of a status";
  EXPECT_LT(steps(Sql::next_status, "story", "", 0, "open"), kFew);
  EXPECT_LT(steps(Sql::scan_group, "story", "", 0, "open", "004000", "US-4000", Blob{""}), kFew);
  EXPECT_LT(steps(Sql::scan_group, "story", "", 0, "open", "005001", "", "006000"), kFew);
  EXPECT_LT(steps(Sql::find_key, "US-4711"), kFew);
  EXPECT_LT(steps(Sql::find_keys, "US-4711", "US-4712"), kFew);
  EXPECT_LT(steps(Sql::record, "story", "", "US-4711"), kFew);
  EXPECT_LT(steps(Sql::event, 1), kFew);
  EXPECT_LT(steps(Sql::newest_event), kFew);
  EXPECT_LT(steps(Sql::effects_under_way, "store.effect:", "store.effect;"), kFew);
  EXPECT_LT(steps(Sql::kept, "store.key:key"), kFew);
}

// The measure itself: without the index it is seen.
TEST_F(SqlSeeks, ScanWouldBeNoticed) {
  sqlite3_exec(connection_->handle(), "DROP INDEX record_rank;CREATE INDEX record_rank ON record(kind)", nullptr,
               nullptr, nullptr);
  EXPECT_GT(steps(Sql::next_status, "story", "", 0, "open"), kRecords);
}

}  // namespace
}  // namespace pawl::sqlite

// What a check finds, and that looking writes nothing.
#include "store/sqlite/health.h"

#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/store_folder.h"

namespace pawl {
namespace {

using test::put;
using test::status_of;
using test::StoreFolder;

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

class SqliteHealth : public testing::Test {
 protected:
  SqliteHealth() {
    const auto store = folder_.open();
    for (const char* status : {"open", "done", "open"}) EXPECT_TRUE(put(*store, "1", status));
    EXPECT_TRUE(put(*store, "2", "open"));
  }
  [[nodiscard]] std::string problems_after(const std::string& sql) const {
    folder_.sql(sql);
    const auto health = folder_.open()->check();
    return health ? joined(health->problems) : health.error().message;
  }

  StoreFolder folder_;
};

TEST_F(SqliteHealth, SoundStoreHasNoProblems) { EXPECT_EQ(problems_after("SELECT 1"), ""); }

TEST_F(SqliteHealth, EachBreachIsFoundAndNamed) {
  const std::vector<std::pair<const char*, const char*>> breaches = {
      {"UPDATE record SET status='wait' WHERE key='1'", "issue/1 is not what its newest event says"},
      {"UPDATE record SET revision=7 WHERE key='1'", "issue/1 is not what its newest event says"},
      {"UPDATE record SET aside=1 WHERE key='1'", "issue/1 is not what its newest event says"},
      {"UPDATE record SET held='x' WHERE key='1'", "issue/1 is not what its newest event says"},
      {"UPDATE record SET event=1,status='open',revision=1 WHERE key='1'", "which is newer than the record"},
      {"DELETE FROM event WHERE id=3", "issue/1 points at event 3, which is not there"},
      {"DELETE FROM event WHERE id=2", "issue/1: the event before event 3 is missing"},
      {"DELETE FROM event WHERE id=1", "issue/1: the event before event 2 is missing"},
      {"UPDATE event SET revision=5 WHERE id=2", "event 2 makes revision 5 of 1"},
      {"DELETE FROM operation WHERE id=2", "belongs to operation 2, which is not there"},
      {"DELETE FROM record WHERE key='2'", "issue/2 has event 4, and is no record"},
      {"UPDATE event SET operation=4 WHERE id=1", "event 2 of operation 2 stands behind one of operation 4"},
      {"UPDATE event SET doc='{' WHERE id=2", "the document of issue/1 is no JSON object in event 2"},
      {"UPDATE event SET doc=NULL WHERE id=2", "the document of issue/1 is no JSON object in event 2"},
      {"UPDATE event SET evidence='[' WHERE id=2", "the evidence of issue/1 is not JSON in event 2"},
      {"UPDATE operation SET answer='x' WHERE id=2", "the answer of operation 2 is not JSON"},
      {"INSERT INTO kept VALUES('store.claim:5:issue0:1','{')", "a claim is damaged"},
      {"INSERT INTO effect VALUES(990001,'done','issue','','1','push','m',NULL,NULL)",
       "effect 990001 belongs to operation 99"},
  };
  const std::string whole = folder_.path() + "/whole";
  std::filesystem::copy_file(folder_.database(), whole);
  for (const auto& [sql, sentence] : breaches) {
    std::filesystem::copy_file(whole, folder_.database(), std::filesystem::copy_options::overwrite_existing);
    const std::string problems = problems_after(sql);
    EXPECT_NE(problems.find(sentence), std::string::npos) << sql << ":\n" << problems;
  }
}

TEST_F(SqliteHealth, ManyOfOneSortAreCounted) {
  const auto store = folder_.open();
  for (int i = 10; i < 60; ++i) EXPECT_TRUE(put(*store, std::to_string(i), "open"));
  const std::string problems = problems_after("UPDATE record SET revision=9 WHERE CAST(key AS INTEGER)>=10");
  EXPECT_NE(problems.find("… and 30 more records that differ from their newest event"), std::string::npos) << problems;
}

TEST_F(SqliteHealth, DamagedPagesAreProblemsAndNotAnError) {
  {
    const auto store = folder_.open();
    for (int i = 0; i < 100; ++i)
      EXPECT_TRUE(put(*store, std::to_string(i), "open", Json{{"t", std::string(300, 'x')}}));
  }
  std::fstream file(folder_.database(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(3 * 4096);
  file << std::string(2 * 4096, '\x7e');
  file.close();
  const auto health = folder_.open()->check();
  ASSERT_TRUE(health) << health.error().message;
  EXPECT_FALSE(health->problems.empty());
}

// --- a reader that must not write ---

SqliteOptions read_only(const StoreFolder& folder) {
  SqliteOptions options = folder.options();
  options.create = false;
  options.read_only = true;
  return options;
}

TEST_F(SqliteHealth, ReadOnlyWritesNothing) {
  const auto before = folder_.everything();
  {
    const auto store = StoreFolder::opened(open_sqlite(read_only(folder_)));
    EXPECT_EQ(status_of(*store, "1"), "open");
    EXPECT_TRUE(store->check()->problems.empty());
    EXPECT_TRUE(store->check()->notes.empty());
    EXPECT_FALSE(store->begin(Access::write));
    EXPECT_FALSE(store->gate());
    EXPECT_FALSE(store->enter_long_lived());
    EXPECT_FALSE(store->shrink());
  }
  EXPECT_EQ(folder_.everything(), before);
}

// A copy of the files as they stand in the middle of a write: what a kill leaves.
void interrupt_a_write(const StoreFolder& from, const StoreFolder& to) {
  sqlite3* db = nullptr;
  sqlite3_open(from.database().c_str(), &db);
  // A cache of a few pages is written out before the commit.
  const char* write =
      "PRAGMA cache_size=2;PRAGMA cache_spill=1;BEGIN;UPDATE record SET status='lost',revision=99;"
      "UPDATE event SET status='lost';INSERT INTO part SELECT value,zeroblob(3000) FROM generate_series(1,200)";
  char* message = nullptr;
  if (sqlite3_exec(db, write, nullptr, nullptr, &message) != SQLITE_OK) {
    sqlite3_exec(db,
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200)"
                 "INSERT INTO part SELECT i,zeroblob(3000) FROM n",
                 nullptr, nullptr, nullptr);
  }
  sqlite3_free(message);
  for (const char* name : {"/pawl.db", "/pawl.db-journal"}) {
    std::filesystem::copy_file(from.path() + name, to.path() + name);
  }
  sqlite3_close(db);
}

TEST_F(SqliteHealth, InterruptedWriteIsLookedAtInACopyAndLeftForTheNextCommand) {
  const StoreFolder killed;
  interrupt_a_write(folder_, killed);
  const auto before = killed.everything();
  {
    const auto store = StoreFolder::opened(open_sqlite(read_only(killed)));
    const auto health = store->check();
    EXPECT_EQ(joined(health->problems), "");
    EXPECT_NE(joined(health->notes).find("an interrupted write is there; the next command takes it back"),
              std::string::npos)
        << joined(health->notes);
    EXPECT_EQ(status_of(*store, "1"), "open") << "what is told is the state before";
  }
  EXPECT_EQ(killed.everything(), before) << "nothing was taken back by looking";
  EXPECT_EQ(status_of(*killed.open(), "1"), "open");
  EXPECT_NE(killed.everything(), before) << "or there was nothing to take back";
}

TEST_F(SqliteHealth, StoreInWalIsLookedAtInACopy) {
  const auto living = folder_.open();
  ASSERT_TRUE(living->enter_long_lived());
  ASSERT_TRUE(put(*living, "1", "newest"));
  const auto before = folder_.everything();
  {
    const auto store = StoreFolder::opened(open_sqlite(read_only(folder_)));
    EXPECT_EQ(status_of(*store, "1"), "newest") << "what is only in the WAL is seen";
    EXPECT_TRUE(store->check()->problems.empty());
    EXPECT_FALSE(store->check()->notes.empty());
  }
  EXPECT_EQ(folder_.everything(), before);
  EXPECT_TRUE(put(*living, "1", "open")) << "and the one that lives on was not disturbed";
}

TEST_F(SqliteHealth, CopiesAreRemoved) {
  const std::string temporary = folder_.path() + "/tmp";
  std::filesystem::create_directory(temporary);
  const auto living = folder_.open();
  ASSERT_TRUE(living->enter_long_lived());
  const char* old = getenv("TMPDIR");
  const std::string before = old == nullptr ? "" : old;
  setenv("TMPDIR", temporary.c_str(), 1);
  {
    const auto store = StoreFolder::opened(open_sqlite(read_only(folder_)));
    EXPECT_FALSE(std::filesystem::is_empty(temporary)) << "or this tests nothing";
  }
  old == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST(SqliteBackup, FailedBackupLeavesNoFile) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_FALSE(store->backup(folder.path() + "/none/copy.db"));
  folder.write("there", "x");
  const auto refused = store->backup(folder.path() + "/there");
  EXPECT_TRUE(!refused && refused.error().code == ErrorCode::already_exists);
  for (const auto& [name, bytes] : folder.everything()) EXPECT_EQ(name.find(".db."), std::string::npos) << name;
}

TEST(SqliteBackup, CopyOfAStoreInWalIsOneFile) {
  const StoreFolder folder, target;
  const auto store = folder.open();
  ASSERT_TRUE(store->enter_long_lived());
  ASSERT_TRUE(put(*store, "1", "open"));
  ASSERT_TRUE(store->backup(target.database()));
  EXPECT_EQ(target.everything().size(), 1u);
  EXPECT_EQ(status_of(*target.open(), "1"), "open");
}

}  // namespace
}  // namespace pawl

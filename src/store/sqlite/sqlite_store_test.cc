// What only SQLite has: journal modes, its errors, its files.
#include "store/sqlite/sqlite_store.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/connection.h"
#include "store/sqlite/store_folder.h"

namespace pawl {
namespace {

using test::put;
using test::status_of;
using test::StoreFolder;

TEST(SqliteMode, CommitKeepsTheJournalFileAndTheMode) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  const auto files = folder.everything();
  ASSERT_EQ(files.count("pawl.db-journal"), 1u) << "kept and overwritten, not deleted";
  EXPECT_EQ(folder.ask("PRAGMA journal_mode"), "delete") << "what others find is rollback mode";
  EXPECT_EQ(files.count("pawl.db-wal"), 0u);
}

TEST(SqliteMode, WriterWorksInTheModeThatItFinds) {
  const StoreFolder folder;
  folder.open();
  folder.sql("PRAGMA journal_mode=WAL");
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  EXPECT_EQ(folder.ask("PRAGMA journal_mode"), "wal");
}

TEST(SqliteMode, LongLivedIsWalAndAfterwardsRollback) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(store->enter_long_lived());
  EXPECT_EQ(store->check()->mode, "wal");
  EXPECT_TRUE(put(*store, "1", "open"));
  EXPECT_TRUE(store->leave_long_lived());
  EXPECT_NE(store->check()->mode, "wal");
  EXPECT_TRUE(put(*store, "1", "done"));
  EXPECT_EQ(folder.everything().count("pawl.db-journal"), 1u) << "and the journal is kept again";
  EXPECT_EQ(folder.ask("PRAGMA journal_mode"), "delete");
}

TEST(SqliteMode, ChangeThatAnotherConnectionPreventsIsNoError) {
  const StoreFolder folder;
  const auto store = folder.open(), other = folder.open();
  {
    const auto reader = other->begin(Access::read);
    EXPECT_TRUE(store->enter_long_lived());
    EXPECT_NE(store->check()->mode, "wal");
  }
  EXPECT_TRUE(store->enter_long_lived());
  EXPECT_EQ(status_of(*other, "1"), "");  // other is in WAL now as well
  EXPECT_TRUE(store->leave_long_lived());
  EXPECT_EQ(store->check()->mode, "wal") << "not alone";
  EXPECT_TRUE(put(*store, "1", "open"));
}

TEST(SqliteMode, EveryWriterSyncsInFull) {
  // Told by the number of syncs: the real thing is tests/crash. Here: the setting is made, whatever the build's is.
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(put(*store, "1", "open"));
  EXPECT_EQ(folder.ask("PRAGMA synchronous"), "2") << "this build's own; a connection of pawl's sets it anyway";
}

TEST(SqliteErrors, FullDiskChangesNothingAndSaysSo) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  auto connection = sqlite::Connection::open(folder.database(), sqlite::Opening::existing, 0);
  ASSERT_TRUE(connection);
  ASSERT_TRUE((*connection)->exec("PRAGMA max_page_count=1"));
  const Done full = (*connection)->exec("INSERT INTO part VALUES(1,zeroblob(1000000))");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::io);
  EXPECT_NE(full.error().message.find("no space left on the disk: nothing was changed"), std::string::npos);
}

// The file system refuses to let a file grow, at one size after another: before, or after, and never between.
TEST(SqliteErrors, WriteThatFailsAnywhereLeavesTheStateBefore) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open", Json{{"text", std::string(20'000, 'x')}}));
  int failed = 0;
  for (rlim_t limit = 0; limit < 200'000; limit += 4096) {
    const pid_t pid = fork();
    if (pid == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit size{limit, limit};
      setrlimit(RLIMIT_FSIZE, &size);
      auto store = open_sqlite(folder.options());
      if (!store) _exit(store.error().code == ErrorCode::io ? 3 : 9);
      const auto done = put(**store, "1", "done", Json{{"text", std::string(30'000, 'y')}});
      if (done) _exit(0);
      _exit(done.error().code == ErrorCode::io ? 3 : 9);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_NE(WEXITSTATUS(status), 9);
    const auto store = folder.open();
    ASSERT_EQ(status_of(*store, "1"), WEXITSTATUS(status) == 0 ? "done" : "open") << "limit " << limit;
    ASSERT_TRUE(store->check()->problems.empty());
    if (WEXITSTATUS(status) == 0) break;
    ++failed;
  }
  EXPECT_GT(failed, 3) << "the test failed nothing";
}

TEST(SqliteErrors, StoreThatMayNotBeWrittenIsReadAndSaysWhy) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  std::filesystem::permissions(folder.database(), std::filesystem::perms::owner_read);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  SqliteOptions options = folder.options();
  const auto store = StoreFolder::opened(open_sqlite(options));
  EXPECT_EQ(status_of(*store, "1"), "open");
  const auto refused = put(*store, "1", "done");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_NE(refused.error().message.find(folder.database()), std::string::npos) << refused.error().message;
}

TEST(SqliteErrors, AnotherProgramThatHoldsTheDatabaseIsBusy) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.busy_ms = 30;
  const auto store = StoreFolder::opened(open_sqlite(options));
  sqlite3* shell = nullptr;
  sqlite3_open(folder.database().c_str(), &shell);
  sqlite3_exec(shell, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
  for (const Access access : {Access::read, Access::write}) {
    const auto busy = store->begin(access);
    EXPECT_TRUE(!busy && busy.error().code == ErrorCode::busy);
  }
  sqlite3_exec(shell, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(shell);
  EXPECT_TRUE(put(*store, "1", "open")) << "and later it works";
}

TEST(SqliteErrors, CommitThatAReaderBlocksIsBusyAndTheStoreGoesOn) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.busy_ms = 30;
  const auto store = StoreFolder::opened(open_sqlite(options));
  const auto other = folder.open();
  {
    const auto reader = other->begin(Access::read);
    const auto busy = put(*store, "1", "open");
    ASSERT_FALSE(busy);
    EXPECT_EQ(busy.error().code, ErrorCode::busy);
  }
  EXPECT_EQ(status_of(*store, "1"), "");
  EXPECT_TRUE(put(*store, "1", "open"));
}

TEST(SqliteErrors, DocumentThatIsNotJsonNamesTheRecord) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(put(*store, "42", "open"));
  folder.sql("UPDATE event SET doc='{\"broken'");
  const auto tx = store->begin(Access::read);
  const auto record = (*tx)->load({"issue", "", "42"});
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().code, ErrorCode::corruption);
  EXPECT_NE(record.error().message.find("issue/42"), std::string::npos) << record.error().message;
  EXPECT_FALSE((*tx)->events_since(0, -1));
  Query query;
  query.kind = "issue";
  EXPECT_FALSE((*tx)->list(query));
}

TEST(SqliteErrors, RowsThatSomebodyEditedAreErrorsAndNotCrashes) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(put(*store, "1", "open"));
  EXPECT_TRUE(put(*store, "1", "done"));
  const auto expect_corrupt = [&](const char* sql, const auto& read) {
    const auto keep = folder.everything();
    folder.sql(sql);
    {
      const auto tx = store->begin(Access::read);
      ASSERT_TRUE(tx) << sql;
      const auto result = read(**tx);
      EXPECT_TRUE(!result && result.error().code == ErrorCode::corruption) << sql;
    }
    EXPECT_FALSE(store->check()->problems.empty()) << "the check finds it too: " << sql;
  };
  MirrorRow mirror;
  mirror.path = "f";
  mirror.bytes = std::string(50'000, 'x');
  mirror.before = "y";
  Batch batch;
  batch.mirrors.push_back(mirror);
  EXPECT_TRUE((*store->begin(Access::write))->commit(batch));
  expect_corrupt("DELETE FROM part WHERE id=(SELECT max(id) FROM part)",
                 [](Transaction& tx) { return tx.mirror("f"); });
  folder.sql("DELETE FROM part;DELETE FROM mirror");
  EXPECT_TRUE((*store->begin(Access::write))->commit(batch));
  expect_corrupt("UPDATE mirror SET before='99999999 0'||char(10)", [](Transaction& tx) { return tx.mirror("f"); });
  folder.sql("UPDATE mirror SET before=NULL");
  expect_corrupt("DELETE FROM event WHERE id=2", [](Transaction& tx) { return tx.load({"issue", "", "1"}); });
}

// Each column of each row of records, events, images and conflicts, changed by hand or by a failing disk.
TEST(SqliteErrors, ValueThatChangedIsNamedAndOtherRowsKeepWorking) {
  const StoreFolder folder;
  auto store = folder.open();
  for (const char* status : {"open", "done"}) EXPECT_TRUE(put(*store, "1", status));
  EXPECT_TRUE(put(*store, "2", "open"));
  Batch batch;
  batch.mirrors.resize(1);
  batch.mirrors[0].path = "f";
  batch.mirrors[0].bytes = std::string(5'000, 'x');
  batch.images.resize(2);
  for (Image& image : batch.images) image.path = "f";
  batch.images[0].bytes = std::string(5'000, 'y');
  batch.images[1].bytes = std::string(4'999, 'x') + "!";
  batch.conflicts.resize(1);
  batch.conflicts[0].cell = {"f", {"issue", "", "1"}, "status"};
  ASSERT_TRUE((*store->begin(Access::write))->commit(batch));
  store.reset();
  folder.sql("PRAGMA journal_mode=DELETE");
  const std::string whole = StoreFolder::bytes_of(folder.database());

  struct Row {
    const char* table;
    const char* where;
    const char* columns;
    const char* name;
    std::function<Result<Nothing>(Transaction&)> read;
  };
  const auto nothing = [](auto result) -> Done { return result ? done() : Done(tl::unexpect, result.error()); };
  const Row rows[] = {
      {"record", "key='1'", "status held aside revision rank event sum", "record issue/1",
       [&](Transaction& tx) {
         return nothing(tx.load({"issue", "", "1"}));
       }},
      {"record", "key='1'", "status held aside revision rank event sum", "record issue/1",
       [&](Transaction& tx) {
         return nothing(tx.load({"issue", "", "1"}, RecordPart::without_doc));
       }},
      {"event", "id=2",
       "operation previous kind scope key revision what from_status status held aside unverified "
       "evidence doc sum",
       "event 2 of ", [&](Transaction& tx) { return nothing(tx.events_since(1, 1)); }},
      {"event", "id=2", "operation previous revision from_status status held aside unverified evidence doc sum",
       "event 2 of issue/1",
       [&](Transaction& tx) {
         return nothing(tx.load({"issue", "", "1"}));
       }},
      {"event", "id=2", "operation previous revision doc sum", "event 2 of issue/1",
       [&](Transaction& tx) {
         return nothing(tx.event_at({"issue", "", "1"}, 1));
       }},
      {"image", "owner='' AND kind=0", "owner operation kind by_command base keys sum bytes", " of f",
       [&](Transaction& tx) { return nothing(tx.images({.path = "f"})); }},
      {"conflict", "id=1", "path kind scope key member code ours theirs waiting image in_file actor opened why sum",
       "conflict 1 about ", [&](Transaction& tx) { return nothing(tx.conflicts({})); }},
  };
  for (const Row& row : rows) {
    for (const std::string_view column : split(row.columns, ' ')) {
      folder.write("pawl.db", whole);
      const std::string change =
          cat("UPDATE ", row.table, " SET ", column, "=CASE WHEN typeof(", column, ")='integer' THEN ", column,
              "+1 ELSE 'x'||ifnull(", column, ",'')END WHERE ", row.where);
      folder.sql(change);
      auto reopened = folder.open();
      {
        const auto tx = *reopened->begin(Access::read);
        const Done read = row.read(*tx);
        ASSERT_FALSE(read) << change;
        EXPECT_EQ(read.error().code, ErrorCode::corruption) << change;
        EXPECT_NE(read.error().message.find(row.name), std::string::npos) << read.error().message;
        EXPECT_TRUE(tx->load({"issue", "", "2"})) << change;
      }
      std::string problems;
      const auto health = reopened->check();
      for (const std::string& problem : health->problems) problems += problem + "\n";
      EXPECT_NE(problems.find(row.name), std::string::npos) << change << problems;
      EXPECT_TRUE(put(*reopened, "2", "done")) << change;
      reopened.reset();
      folder.sql("PRAGMA journal_mode=DELETE");
    }
  }
}

TEST(SqliteErrors, DamagedPagesAreCorruptionAndNothingIsDeleted) {
  const StoreFolder folder;
  {
    const auto store = folder.open();
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(put(*store, std::to_string(i), "open", Json{{"text", std::string(200, 'x')}}));
  }
  const auto size = std::filesystem::file_size(folder.database());
  {
    std::fstream file(folder.database(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(size - 4096, '\x55');
  }
  const auto store = folder.open();
  const auto tx = store->begin(Access::read);
  const auto record = tx ? (*tx)->load({"issue", "", "7"}) : Result<Record>(tl::unexpect, tx.error());
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().code, ErrorCode::corruption);
  EXPECT_NE((record.error().message + record.error().hint).find("pawl doctor"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(folder.database()), size);
}

TEST(SqliteFiles, OneShotLeavesNothingBehind) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.one_shot = true;
  EXPECT_TRUE(put(*StoreFolder::opened(open_sqlite(options)), "1", "open"));
  EXPECT_TRUE(StoreFolder::opened(open_sqlite(options))->enter_long_lived());
  EXPECT_TRUE(put(*StoreFolder::opened(open_sqlite(options)), "1", "done"));
  EXPECT_EQ(folder.everything().count("pawl.db-wal"), 0u) << "in WAL the last one brings the database up to date";
  EXPECT_EQ(status_of(*folder.open(), "1"), "done");
}

// Written by a pawl that did not know of fingerprints, or by whoever made the store.
TEST(SqliteFiles, LongMirrorWithoutFingerprintGivesItsBytes) {
  const StoreFolder folder;
  const auto store = folder.open();
  MirrorRow mirror;
  mirror.path = "prd.json";
  mirror.bytes = std::string(50'000, 'x');
  Batch batch;
  batch.mirrors.push_back(mirror);
  ASSERT_TRUE((*store->begin(Access::write))->commit(batch));
  for (const char* other : {"NULL", "'short'", "zeroblob(500)"}) {
    folder.sql(std::string("UPDATE mirror SET bytes=") + other);
    const auto row = (*store->begin(Access::read))->mirror("prd.json", MirrorPart::to_compare);
    ASSERT_TRUE(row && *row) << other;
    EXPECT_EQ((*row)->bytes, mirror.bytes) << other;
    EXPECT_EQ((*row)->fingerprint, "") << other;
  }
  EXPECT_TRUE(store->check()->problems.empty());
  folder.sql("UPDATE mirror SET bytes=zeroblob(32)");
  EXPECT_EQ(store->check()->false_fingerprints, std::vector<std::string>{"prd.json"}) << "not of these bytes";
}

TEST(SqliteFiles, SmallEditOfALongMirrorWritesFewBytes) {
  const StoreFolder folder;
  const auto store = folder.open();
  const auto write = [&](const std::string& bytes, const std::string& before) {
    MirrorRow mirror;
    mirror.path = "prd.json";
    mirror.bytes = bytes;
    mirror.before = before;
    Batch batch;
    batch.mirrors.push_back(mirror);
    ASSERT_TRUE((*store->begin(Access::write))->commit(batch));
  };
  std::string bytes(300'000, ' ');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>('a' + i * i % 23);
  write(bytes, "");
  ASSERT_TRUE(store->enter_long_lived());
  const std::string before = bytes;
  bytes.insert(150'000, "one word more");
  write(bytes, before);
  // The WAL tells what a commit writes: a frame of 4 KB for each page.
  EXPECT_LT(std::filesystem::file_size(folder.database() + "-wal"), 8 * 4200u);
}

TEST(SqliteFiles, ShrinkGivesBackWhatCompactFreed) {
  const StoreFolder folder;
  const auto store = folder.open();
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(put(*store, "1", i % 2 == 0 ? "open" : "done", Json{{"text", std::string(20'000, 'x')}}));
  }
  const auto before = std::filesystem::file_size(folder.database());
  {
    const auto tx = store->begin(Access::write);
    ASSERT_EQ(*(*tx)->compact(INT64_MAX), 59);
    ASSERT_TRUE((*tx)->commit({}));
  }
  ASSERT_TRUE(store->shrink());
  EXPECT_LT(std::filesystem::file_size(folder.database()), before / 4);
  EXPECT_EQ(status_of(*store, "1"), "done");
}

TEST(SqliteProcesses, EightCommitThroughTheGateAndNothingIsLost) {
  constexpr int kProcesses = 8, kEach = 20;
  const StoreFolder folder;
  folder.open();
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      for (int n = 0; n < kEach; ++n) {
        const auto store = StoreFolder::opened(open_sqlite(folder.options()));  // as commands do
        const auto gate = store->gate();
        if (!gate || !put(*store, "counter", n % 2 == 0 ? "open" : "done")) _exit(1);
      }
      _exit(0);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto store = folder.open();
  EXPECT_EQ((*store->begin(Access::read))->load({"issue", "", "counter"})->revision, kProcesses * kEach);
  EXPECT_TRUE(store->check()->problems.empty());
}

}  // namespace
}  // namespace pawl

// What open_sqlite makes of what it finds.
#include "store/sqlite/opening.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "store/sqlite/store_folder.h"

namespace pawl {
namespace {

using test::put;
using test::status_of;
using test::StoreFolder;

Error error_of(const SqliteOptions& options) {
  auto store = open_sqlite(options);
  if (store) {
    ADD_FAILURE() << "it was opened";
    return {};
  }
  return store.error();
}

TEST(SqliteOpening, NothingThereIsNotFoundUnlessAskedToMakeIt) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.create = false;
  EXPECT_EQ(error_of(options).code, ErrorCode::not_found);
  EXPECT_TRUE(folder.everything().empty()) << "looking makes nothing";
  options.folder = folder.path() + "/none";
  EXPECT_EQ(error_of(options).code, ErrorCode::not_found);
}

TEST(SqliteOpening, MadeInRollbackModeWithItsMarks) {
  const StoreFolder folder;
  folder.open();
  EXPECT_EQ(folder.ask("PRAGMA journal_mode"), "delete");
  EXPECT_EQ(folder.ask("PRAGMA application_id"), std::to_string(sqlite::kApplicationId));
  EXPECT_EQ(folder.ask("PRAGMA user_version"), std::to_string(sqlite::kSchemaVersion));
}

TEST(SqliteOpening, EmptyFileIsMadeIntoAStore) {
  const StoreFolder folder;
  folder.write("pawl.db", "");
  SqliteOptions options = folder.options();
  options.create = false;
  EXPECT_EQ(error_of(options).code, ErrorCode::not_found);
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
}

TEST(SqliteOpening, DatabaseWithoutTablesIsMadeIntoAStore) {
  const StoreFolder folder;
  folder.sql("CREATE TABLE t(a);DROP TABLE t");
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
}

TEST(SqliteOpening, FolderInPlaceOfTheFileIsSaidSo) {
  const StoreFolder folder;
  std::filesystem::create_directory(folder.database());
  const Error error = error_of(folder.options());
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_NE(error.message.find("folder"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find(folder.database()), std::string::npos) << error.message;
}

TEST(SqliteOpening, WhatIsNotADatabaseIsRefusedAndNotTouched) {
  for (const std::string& bytes : {std::string("x"), std::string(5000, 'z'), std::string(5000, '\0')}) {
    const StoreFolder folder;
    folder.write("pawl.db", bytes);
    const auto before = folder.everything();
    EXPECT_EQ(error_of(folder.options()).code, ErrorCode::corruption);
    EXPECT_EQ(folder.everything(), before);
  }
}

TEST(SqliteOpening, EmptyFileIsBegunAnewAndSaidSo) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  std::vector<std::string> notes;
  options.note = [&](const std::string& text) { notes.push_back(text); };
  folder.write("pawl.db", "");
  EXPECT_TRUE(put(*StoreFolder::opened(open_sqlite(options)), "1", "open"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("was empty"), std::string::npos) << notes[0];
}

TEST(SqliteOpening, NewStoreIsNothingToTellOf) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.note = [](const std::string& text) { ADD_FAILURE() << text; };
  EXPECT_TRUE(open_sqlite(options));
}

TEST(SqliteOpening, SomebodyElsesDatabaseIsRefusedAndNotTouched) {
  for (const char* make :
       {"CREATE TABLE theirs(a)", "PRAGMA application_id=77;CREATE TABLE theirs(a)",
        "PRAGMA user_version=3;CREATE TABLE theirs(a)", "PRAGMA journal_mode=WAL;CREATE TABLE t(a)"}) {
    const StoreFolder folder;
    folder.sql(make);
    const auto before = folder.everything();
    const Error error = error_of(folder.options());
    EXPECT_EQ(error.code, ErrorCode::already_exists) << error.message;
    EXPECT_EQ(folder.everything().at("pawl.db"), before.at("pawl.db")) << make;
  }
}

TEST(SqliteOpening, NewerStoreIsRefusedAndNotTouched) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  folder.sql("PRAGMA user_version=7");
  const auto before = folder.everything();
  for (const bool read_only : {false, true}) {
    SqliteOptions options = folder.options();
    options.read_only = read_only;
    const Error error = error_of(options);
    EXPECT_EQ(error.code, ErrorCode::unavailable);
    EXPECT_NE(error.message.find("made by a newer pawl (schema 7; this one knows 2)"), std::string::npos)
        << error.message;
    EXPECT_EQ(folder.everything(), before);
  }
}

TEST(SqliteOpening, StoreThatBecomesNewerInUseIsRefusedFromThenOn) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(put(*store, "1", "open"));
  folder.sql("PRAGMA user_version=7");
  EXPECT_FALSE(store->begin(Access::read));
  EXPECT_FALSE(store->begin(Access::write));
}

TEST(SqliteOpening, StoreThatWasReplacedInUseIsNotWritten) {
  const StoreFolder folder;
  const auto store = folder.open();
  EXPECT_TRUE(put(*store, "1", "open"));
  std::filesystem::rename(folder.database(), folder.path() + "/elsewhere");
  folder.open();
  const auto lost = put(*store, "1", "done");
  ASSERT_FALSE(lost) << "an answer would promise what nobody will find";
  EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
}

// From the version that this pawl makes on.
constexpr Migration kSteps[] = {{2, "ALTER TABLE kept ADD COLUMN note"},
                                {3, "CREATE TABLE third(a);INSERT INTO third VALUES(3)"}};

TEST(SqliteMigration, RunsTheStepsAfterMakingACopyAndSaysSo) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  folder.write("pawl.db.v2.bak", "somebody's");  // is not overwritten
  std::vector<std::string> notes;
  SqliteOptions options = folder.options();
  options.migrations = kSteps;
  options.version = 4;
  options.note = [&](std::string note) { notes.push_back(std::move(note)); };
  const auto store = StoreFolder::opened(open_sqlite(options));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("pawl.db.v2.2.bak"), std::string::npos) << notes[0];
  EXPECT_EQ(status_of(*store, "1"), "open");
  EXPECT_EQ(folder.ask("SELECT a FROM third"), "3");
  EXPECT_EQ(folder.ask("PRAGMA user_version"), "4");
  EXPECT_EQ(StoreFolder::bytes_of(folder.path() + "/pawl.db.v2.bak"), "somebody's");

  const StoreFolder from_copy;
  std::filesystem::copy_file(folder.path() + "/pawl.db.v2.2.bak", from_copy.database());
  EXPECT_EQ(status_of(*from_copy.open(), "1"), "open") << "the copy is a whole store of the old version";
  EXPECT_EQ(from_copy.ask("PRAGMA user_version"), "2");

  const auto again = StoreFolder::opened(open_sqlite(options));
  EXPECT_EQ(notes.size(), 1u) << "once";
}

TEST(SqliteMigration, StepThatFailsLeavesTheStoreAsItWas) {
  const StoreFolder folder;
  EXPECT_TRUE(put(*folder.open(), "1", "open"));
  const Migration steps[] = {{2, "CREATE TABLE second(a)"}, {3, "CREATE TABLE second(a)"}};
  SqliteOptions options = folder.options();
  options.migrations = steps;
  options.version = 4;
  EXPECT_FALSE(open_sqlite(options));
  EXPECT_EQ(folder.ask("PRAGMA user_version"), "2");
  EXPECT_EQ(folder.ask("SELECT count(*) FROM sqlite_schema WHERE name='second'"), "0");
  EXPECT_EQ(status_of(*folder.open(), "1"), "open");
}

TEST(SqliteMigration, MissingStepIsAnErrorAndNotAVersionThatLies) {
  const StoreFolder folder;
  folder.open();
  SqliteOptions options = folder.options();
  options.migrations = std::span(kSteps, 1);
  options.version = 4;
  EXPECT_FALSE(open_sqlite(options));
  EXPECT_EQ(folder.ask("PRAGMA user_version"), "2");
}

TEST(SqliteMigration, FreshStoreIsMadeAtTheNewVersionWithoutACopy) {
  const StoreFolder folder;
  SqliteOptions options = folder.options();
  options.migrations = kSteps;
  options.version = 4;
  options.note = [](const std::string& note) { ADD_FAILURE() << note; };
  EXPECT_TRUE(open_sqlite(options));
  EXPECT_EQ(folder.ask("SELECT a FROM third"), "3");
  EXPECT_EQ(folder.ask("PRAGMA user_version"), "4");
}

TEST(SqliteMigration, ReaderThatMayNotWriteIsToldWhoDoesIt) {
  const StoreFolder folder;
  folder.open();
  const auto before = folder.everything();
  SqliteOptions options = folder.options();
  options.migrations = kSteps;
  options.version = 4;
  options.read_only = true;
  EXPECT_EQ(error_of(options).code, ErrorCode::unavailable);
  EXPECT_EQ(folder.everything(), before);
}

TEST(SqliteMigration, EightProcessesAtOnceMigrateOnce) {
  const StoreFolder folder;
  folder.open();
  const Migration steps[] = {{2, "CREATE TABLE second(a);INSERT INTO second VALUES(1)"}};
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      SqliteOptions options = folder.options();
      options.migrations = steps;
      options.version = 3;
      _exit(open_sqlite(options) ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(folder.ask("SELECT count(*) FROM second"), "1");
  EXPECT_EQ(folder.everything().count("pawl.db.v2.bak"), 1u);
  EXPECT_EQ(folder.everything().count("pawl.db.v2.2.bak"), 0u);
}

TEST(SqliteOpening, EightProcessesAtOnceMakeOneStore) {
  const StoreFolder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      auto store = open_sqlite(folder.options());
      if (!store) _exit(1);
      const auto gate = (*store)->gate();
      _exit(gate && put(**store, std::to_string(i), "open") ? 0 : 2);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto store = folder.open();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(status_of(*store, std::to_string(i)), "open");
}

TEST(SqliteOpening, KilledWhileMakingItTheNextOneMakesIt) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round) {
    const StoreFolder folder;
    const pid_t pid = fork();
    if (pid == 0) {
      static_cast<void>(open_sqlite(folder.options()));
      pause();
      _exit(0);
    }
    // A moment of a random length, spent looking and not sleeping.
    const auto until = std::chrono::steady_clock::now() +
                       std::chrono::microseconds(std::uniform_int_distribution<int>(0, 4000)(random));
    while (std::chrono::steady_clock::now() < until) sched_yield();
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    const auto store = open_sqlite(folder.options());
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(put(**store, "1", "open"));
    ASSERT_TRUE((*store)->check()->problems.empty());
  }
}

}  // namespace
}  // namespace pawl

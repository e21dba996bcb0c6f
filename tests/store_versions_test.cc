// Stores that other versions of pawl have made, opened by this one as it is shipped: an older one is brought up to date
// with its copy named, a newer one is not touched. tests/stores/ has one of every schema there was; whoever raises
// kSchemaVersion adds the one before, and the first test runs for both.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "base/traced_process.h"
#include "store/sqlite/schema.h"
#include "support/binary.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// Every row that `sql` gives, its columns as text.
std::vector<std::vector<std::string>> rows_of(const std::string& database, const std::string& sql) {
  std::vector<std::vector<std::string>> rows;
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK);
  char* message = nullptr;
  const auto keep = [](void* to, int count, char** values, char**) {
    std::vector<std::string> row;
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "" : values[i]);
    static_cast<std::vector<std::vector<std::string>>*>(to)->push_back(std::move(row));
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), keep, &rows, &message), SQLITE_OK) << (message ? message : "");
  sqlite3_free(message);
  sqlite3_close(db);
  return rows;
}

std::string dump_of(int schema) { return cat(PAWL_SOURCE_DIR, "/tests/stores/schema-", schema, ".sql"); }

// The store of that schema in a workspace, with the files that it says it has written.
void put_store(TempWorkspace& ws, int schema) {
  const std::string database = ws.file(".pawl/pawl.db");
  fs::create_directories(ws.file(".pawl/tmp"));
  rows_of(database, read_file(dump_of(schema), std::size_t{16} << 20U)->bytes);
  for (const auto& row : rows_of(database, "SELECT path,CAST(bytes AS TEXT) FROM mirror")) ws.write(row[0], row[1]);
}

std::map<std::string, std::string> everything(const TempWorkspace& ws) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(ws.file("."))) {
    if (!entry.is_regular_file()) continue;
    files[entry.path().string()] = cat(entry.last_write_time().time_since_epoch().count(), " ",
                                       read_file(entry.path().string(), std::size_t{16} << 20U)->bytes);
  }
  return files;
}

TEST(StoreVersions, OneOfEverySchemaIsKept) {
  for (int schema = 1; schema <= sqlite::kSchemaVersion; ++schema)
    EXPECT_TRUE(fs::exists(dump_of(schema))) << "tests/stores/ lacks a store of schema " << schema;
}

TEST(StoreVersions, StoreOfEverySchemaIsOpenedWithNothingLost) {
  for (int schema = 1; schema <= sqlite::kSchemaVersion; ++schema) {
    TempWorkspace ws;
    put_store(ws, schema);
    // The first command that may write brings it up to date, and says where the copy is.
    const Ran set = ws.run({"issue", "set", "9", "running"});
    ASSERT_EQ(set.exit, 0) << set.err;
    EXPECT_EQ(rows_of(ws.file(".pawl/pawl.db"), "PRAGMA user_version")[0][0], std::to_string(sqlite::kSchemaVersion));
    if (schema < sqlite::kSchemaVersion) {
      const std::string copy = cat("pawl.db.v", schema, ".bak");
      EXPECT_TRUE(has(set.err, copy)) << set.err;
      EXPECT_TRUE(fs::exists(ws.file(cat(".pawl/", copy))));
    }
    EXPECT_EQ(ws.run({"issue", "get", "42"}).out, "error\n");
    EXPECT_EQ(ws.run({"issue", "error", "42"}).out, "tests fail\n");
    const Json log = parse_json(ws.run({"log", "--json"}).out).value_or(Json::array());
    ASSERT_EQ(log.size(), 5U);
    EXPECT_EQ(string_or(log[2], "reason"), "the agent said so");
    EXPECT_EQ(string_or(parse_json(ws.run({"story", "show", "US-1", "--json"}).out).value_or(Json()), "status"),
              "pending");
    EXPECT_EQ(ws.run({"issue", "get", "42", "--at", "2"}).out, "running\n") << "the past is there too";
    EXPECT_EQ(ws.run({"undo", "3"}).exit, 0);
    EXPECT_EQ(ws.run({"issue", "get", "42"}).out, "running\n");
    const Ran doctor = ws.run({"doctor"});
    EXPECT_FALSE(has(doctor.out, "problem: ")) << doctor.out;
  }
}

TEST(StoreVersions, OlderPawlSaysSoAndTouchesNothing) {
  TempWorkspace ws;
  put_store(ws, sqlite::kSchemaVersion);
  rows_of(ws.file(".pawl/pawl.db"), cat("PRAGMA user_version=", sqlite::kSchemaVersion + 1));
  const auto before = everything(ws);
  for (const auto& words : std::vector<std::vector<std::string>>{{"status"},
                                                                 {"issue", "get", "42"},
                                                                 {"issue", "set", "42", "complete"},
                                                                 {"undo"},
                                                                 {"init"},
                                                                 {"log"},
                                                                 {"leave"},
                                                                 {"doctor"},
                                                                 {"doctor", "--fix"},
                                                                 {"compact", "--keep", "1d"}}) {
    const Ran ran = ws.run(words);
    EXPECT_NE(ran.exit, 0) << words[0];
    EXPECT_TRUE(has(ran.err + ran.out, "newer pawl")) << words[0] << ": " << ran.err << ran.out;
    EXPECT_EQ(everything(ws), before) << words[0];
  }
}

// A worker that began with 0.1.0 could not write down what it does any more.
TEST(StoreVersions, StoreIsNotBroughtUpToDateUnderAWorkerOfAnOlderPawl) {
  const ProcessIdentity self = this_process();
  const std::int64_t boot_ms = SystemClock().now().boot_ms;
  struct Case {
    std::int64_t pid, started, lease;
    bool refused;
  };
  for (const Case& one : {Case{self.pid, self.started, 0, true}, Case{self.pid, self.started + 1, 0, false},
                          Case{0, 0, boot_ms + 600'000, true}, Case{0, 0, boot_ms - 1, false}}) {
    TempWorkspace ws;
    put_store(ws, 1);
    rows_of(ws.file(".pawl/pawl.db"),
            cat(R"(INSERT INTO kept VALUES('store.claim:5:issue0:42','{"kind":"issue","scope":"","key":"42",)",
                R"("worker":"w1","token":1,"boot_id":")", self.boot, R"(","pid":)", one.pid, R"(,"pid_started":)",
                one.started, R"(,"lease_until_ms":)", one.lease, R"(,"granted_ms":1}'))"));
    const auto before = ws.read(".pawl/pawl.db");
    const Ran ran = ws.run({"issue", "set", "9", "running"});
    EXPECT_EQ(ran.exit == 0, !one.refused) << ran.err;
    if (!one.refused) continue;
    EXPECT_TRUE(has(ran.err, "w1") && has(ran.err, "issue/42") && has(ran.err, "let it finish")) << ran.err;
    EXPECT_EQ(ws.read(".pawl/pawl.db"), before);
    EXPECT_FALSE(fs::exists(ws.file(".pawl/pawl.db.v1.bak")));
  }
}

// In whatever mode 0.1.0 left it, killed at any call that changes the disk: the next command does it.
TEST(StoreVersions, StepThatIsKilledIsTakenByTheNextCommand) {
  for (const char* mode : {"DELETE", "WAL"}) {
    for (int kill_at = 1;; ++kill_at) {
      TempWorkspace ws;
      put_store(ws, 1);
      rows_of(ws.file(".pawl/pawl.db"), cat("PRAGMA journal_mode=", mode));
      TracedCommand command;
      command.arguments = {PAWL_BINARY, "issue", "set", "9", "running"};
      command.environment = {"HOME=" + ws.home(), "PATH=/usr/bin:/bin"};
      command.folder = ws.path();
      CallWatch watch;
      int changes = 0;
      watch.entering = [&](const SystemCall& call) {
        constexpr std::array kChanging = {SYS_pwrite64, SYS_write,     SYS_ftruncate, SYS_fsync, SYS_fdatasync,
                                          SYS_unlink,   SYS_renameat2, SYS_unlinkat,  SYS_rename};
        const bool changing = std::find(kChanging.begin(), kChanging.end(), call.number) != kChanging.end();
        return changing && ++changes == kill_at ? CallVerdict::kill() : CallVerdict::proceed();
      };
      const auto end = run_traced(command, watch);
      if (!end) GTEST_SKIP() << "tracing is not to be had here";
      const Ran again = ws.run({"issue", "set", "9", "running"});
      ASSERT_EQ(again.exit, 0) << kill_at << again.err;
      ASSERT_EQ(ws.run({"issue", "get", "42"}).out, "error\n") << kill_at;
      ASSERT_EQ(rows_of(ws.file(".pawl/pawl.db"), "PRAGMA integrity_check"),
                (std::vector<std::vector<std::string>>{{"ok"}}));
      ASSERT_EQ(ws.run({"issue", "get", "42", "--at", "2"}).out, "running\n") << kill_at;
      if (end->code) break;  // it came to its end
    }
  }
}

// A workspace as 0.1.0 left it (tests/stores/make-0.1.0.sh), with what 0.1.0 said of it.
class StoreOf010 : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const fs::path files = kept("files");
    for (const auto& entry : fs::recursive_directory_iterator(files)) {
      if (!entry.is_regular_file()) continue;
      std::string name = cat("/", fs::relative(entry.path(), files).string());
      for (std::size_t at = name.find("/dot."); at != std::string::npos; at = name.find("/dot.", at))
        name.replace(at, std::string_view("/dot.").size(), "/.");
      ws.write(name.substr(1), read_all(entry.path()).value_or(""));
    }
    fs::create_directories(ws.file(".pawl/tmp"));
    rows_of(ws.file(".pawl/pawl.db"), read_all(kept("pawl.sql")).value_or(""));
  }
  static std::string kept(std::string_view name) {
    return cat(PAWL_SOURCE_DIR, "/tests/stores/0.1.0/", GetParam(), "/", name);
  }
  // "## log --json", and the answer below it.
  static std::map<std::string, std::string> answers() {
    std::map<std::string, std::string> out;
    std::string question;
    const std::string text = read_all(kept("answers.txt")).value_or("");
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with("## ")) {
        question = line.substr(3);
        out[question] = "";
      } else {
        out[question] += cat(line, "\n");
      }
    }
    return out;
  }
  Json ask(const std::string& question) const {
    std::vector<std::string> words;
    for (const std::string_view word : split(question, ' ')) words.emplace_back(word);
    return parse_json(ws.run(words).out).value_or(Json());
  }

  TempWorkspace ws;
};

TEST_P(StoreOf010, SaysWhatItSaidThen) {
  EXPECT_GE(answers().size(), 6U);
  for (const auto& [question, answer] : answers())
    EXPECT_EQ(ask(question), parse_json(answer).value_or(Json())) << question;
}

// From the newest to the oldest: each operation that a person would call a change is undone, or says why not.
TEST_P(StoreOf010, UndoesItsOldOperations) {
  ASSERT_EQ(ws.run({"status"}).exit, 0);
  const Json log = ask("log --json");
  ASSERT_FALSE(log.empty());
  int undone = 0;
  for (const Json& operation : log) {
    const std::int64_t number = integer_or(operation, "operation");
    const Ran ran = ws.run({"undo", std::to_string(number), "--json"});
    if (ran.exit == 0) {
      ++undone;
    } else {
      EXPECT_FALSE(has(ran.err, "corruption") || has(ran.err, "internal") || has(ran.err, "\"io\"")) << ran.err;
    }
  }
  EXPECT_GT(undone, 0);
  EXPECT_EQ(ask("log --json").size(), log.size() + static_cast<std::size_t>(undone)) << "each undo is an operation";
}

INSTANTIATE_TEST_SUITE_P(All, StoreOf010, testing::Values("mixed", "killed", "flagged", "git", "running"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace pawl::test

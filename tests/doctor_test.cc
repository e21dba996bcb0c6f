// `pawl doctor`: looks at everything and changes nothing; with --fix it mends, and deletes nothing.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// Every file with its bytes, mode and time of change; folders too.
std::map<std::string, std::string> tree_of(const TempWorkspace& ws) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(ws.path()).parent_path())) {
    struct stat info {};
    EXPECT_EQ(::lstat(entry.path().c_str(), &info), 0);
    tree[entry.path()] = cat(info.st_mode, " ", info.st_ino, " ", info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec, " ",
                             entry.is_regular_file() ? read_all(entry.path()).value_or("?") : "");
  }
  return tree;
}

void expect_same(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after) {
  for (const auto& [path, facts] : before)
    EXPECT_TRUE(after.contains(path) && after.at(path) == facts) << path << " was changed";
  for (const auto& [path, facts] : after) EXPECT_TRUE(before.contains(path)) << path << " was made";
}

class Doctor : public testing::Test {
 protected:
  // Looks, and has not changed anything by looking.
  Ran look(int exit) {
    const auto before = tree_of(ws);
    const Ran ran = ws.run({"doctor"});
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    expect_same(before, tree_of(ws));
    return ran;
  }
  Ran fix(int exit = 0) {
    const Ran ran = ws.run({"doctor", "--fix"});
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    return ran;
  }
  void set(const std::string& number, const std::string& status) {
    EXPECT_EQ(ws.run({"issue", "set", number, status, "--reason", "test"}).exit, 0);
  }
  void execute(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(ws.file(".pawl/pawl.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::string status_file(int issue) { return cat(".worktrees/.status/", issue, ".json"); }
  // A copy of these bytes is kept somewhere below .pawl.
  bool kept(const std::string& bytes) {
    for (const auto& entry : fs::recursive_directory_iterator(ws.file(".pawl"))) {
      if (entry.is_regular_file() && read_all(entry.path()) == bytes) return true;
    }
    return false;
  }

  TempWorkspace ws;
};

TEST_F(Doctor, BeforeInitWritesNothing) {
  EXPECT_TRUE(has(look(0).out, "pawl init"));
  ws.write(status_file(1), R"({"issue": 1, "status": "running"})");
  EXPECT_TRUE(has(look(0).out, "1.json"));
  ws.write(status_file(2), R"({"issue": 2, "status": "done"})");
  const Ran ran = look(1);
  EXPECT_TRUE(has(ran.out, "done") && has(ran.out, "running, complete or error")) << ran.out;
}

TEST_F(Doctor, HealthyWorkspaceIsWell) {
  for (const char* word : {"running", "complete", "error", "running"}) set("1", word);
  set("2", "running");
  ASSERT_EQ(ws.run({"issue", "remove", "2"}).exit, 0);
  EXPECT_TRUE(has(look(0).out, "nothing is wrong; "));
  const auto json = parse_json(ws.run({"doctor", "--json"}).out);
  ASSERT_TRUE(json);
  EXPECT_TRUE((*json)["healthy"].get<bool>());
  EXPECT_EQ((*json)["operations"], 6);
}

TEST_F(Doctor, DamagedFileIsFoundAndMendedAndKept) {
  set("1", "running");
  const std::string good = ws.read(status_file(1)).value_or("");
  ws.write(status_file(1), "{\"half");
  EXPECT_TRUE(has(look(1).out, "damaged"));
  fix();
  EXPECT_EQ(ws.read(status_file(1)), good);
  EXPECT_TRUE(kept("{\"half"));
  look(0);
}

TEST_F(Doctor, DamagedFileWithoutAnEarlierStateStaysAsItIs) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ws.write(status_file(1), "{\"half");
  look(1);
  fix(1);
  EXPECT_EQ(ws.read(status_file(1)), "{\"half");
}

TEST_F(Doctor, ChangesFromOutsideAreShownAndTakenOver) {
  for (const char* number : {"1", "2", "3"}) set(number, "running");
  ws.write(status_file(1), R"({"issue": 1, "status": "complete"})");
  fs::remove(ws.file(status_file(2)));
  ws.write(status_file(4), R"({"issue": 4, "status": "error"})");
  const Ran ran = look(0);
  EXPECT_TRUE(has(ran.out, "1.json: changed outside") && has(ran.out, "2.json: removed outside") &&
              has(ran.out, "4.json: not known yet"))
      << ran.out;
  fix();
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\tcomplete\n3\trunning\n4\terror\n");
}

TEST_F(Doctor, HeldWordIsFoundUntilItIsGivenAStatus) {
  ws.write(status_file(1), R"({"issue": 1, "status": "done"})");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_TRUE(has(look(1).out, "done"));
  fix(1);
  EXPECT_EQ(ws.read(status_file(1)), R"({"issue": 1, "status": "done"})");
  set("1", "complete");
  look(0);
}

TEST_F(Doctor, AMistakeInPawlTomlIsSaidWithWhatComesOfIt) {
  set("1", "running");
  ws.write("pawl.toml", "gates = 3\n");
  EXPECT_TRUE(has(look(1).out, "until that is mended pawl refuses every command about this project, but for doctor"));
  EXPECT_EQ(ws.run({"issue", "list"}).exit, 2);
}

TEST_F(Doctor, FlaggedValueIsFound) {
  ws.write("pawl.toml", "outside = \"flag\"\n");
  set("1", "running");
  const std::string good = ws.read(status_file(1)).value_or("");
  std::string edited = good;
  edited.replace(edited.find("running"), 7, "invented");
  ws.write(status_file(1), edited);
  EXPECT_EQ(ws.run({"issue", "get", "1"}).exit, 0);
  EXPECT_TRUE(has(look(1).out, "1.json"));
  EXPECT_EQ(ws.read(status_file(1)), edited) << "flagged means left standing";
}

TEST_F(Doctor, FileThatGitOwnsIsFound) {
  set("1", "running");
  ws.write(status_file(1), "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n");
  EXPECT_TRUE(has(look(1).out, "it has conflict markers in it"));
}

TEST_F(Doctor, FolderInPlaceOfAFileIsFound) {
  set("1", "running");
  fs::remove(ws.file(status_file(1)));
  fs::create_directory(ws.file(status_file(1)));
  EXPECT_TRUE(has(look(1).out, "1.json"));
  fs::remove(ws.file(status_file(1)));
  fs::create_symlink("/etc/hostname", ws.file(status_file(1)));
  EXPECT_TRUE(has(look(1).out, "1.json"));
}

TEST_F(Doctor, AFileInTheWayOfAFolderHidesNothingElse) {
  ws.write("prd.json", R"({"stories":[{"id":"A","title":"a","status":"sideways"}]})");
  ws.write(".worktrees", "x");
  for (const bool adopted : {false, true}) {
    if (adopted) {
      ASSERT_EQ(ws.run({"init"}).exit, 0);
    }
    const Ran ran = look(1);
    EXPECT_TRUE(has(ran.out, ".worktrees") && has(ran.out, "so runs were not looked at")) << ran.out;
    EXPECT_TRUE(has(ran.out, "sideways")) << ran.out;
  }
}

// An issue that failed is advised about by what is in the folder of worktrees.
TEST_F(Doctor, AFileInTheWayOfAFolderHidesNoBoard) {
  set("1", "error");
  fs::remove_all(ws.file(".worktrees"));
  fs::create_directory(ws.file("elsewhere"));
  ws.write("pawl.toml", "[issue]\nbase_dir = \"elsewhere\"\n");
  set("2", "error");
  fs::rename(ws.file("elsewhere/.status"), ws.file("kept"));
  fs::remove(ws.file("elsewhere"));
  ws.write("elsewhere", "x");
  const Ran ran = ws.run({"status"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
}

TEST_F(Doctor, LogThatDoesNotMatchTheRecordsIsFoundAndBegunAnew) {
  set("1", "running");
  set("1", "complete");
  set("2", "error");
  execute("UPDATE record SET revision=revision+5 WHERE key='1'");
  const Ran ran = look(1);
  EXPECT_TRUE(has(ran.out, "issue/1")) << ran.out;
  const std::string broken = read_all(ws.file(".pawl/pawl.db")).value_or("");
  const Ran mended = fix();
  EXPECT_TRUE(has(mended.out, "mended:") && has(mended.out, "damaged-")) << mended.out;
  EXPECT_TRUE(kept(broken)) << "the database that was set aside is not what it was";
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\tcomplete\n2\terror\n");
  look(0);
}

TEST_F(Doctor, GapInTheHistoryIsFound) {
  for (const char* word : {"running", "complete", "running"}) set("1", word);
  execute("DELETE FROM event WHERE revision=2");
  look(1);
}

TEST_F(Doctor, CorruptDatabaseIsSetAsideAndBegunAnewFromTheFiles) {
  for (const int issue : {1, 2, 3}) set(std::to_string(issue), issue == 2 ? "error" : "running");
  const std::string file = ws.read(status_file(2)).value_or("");
  std::string bytes = read_all(ws.file(".pawl/pawl.db")).value_or("");
  for (std::size_t at = 4096 * 2; at < bytes.size(); at += 7) bytes[at] = 'x';
  write_all(ws.file(".pawl/pawl.db"), bytes);
  const Ran ran = look(1);
  EXPECT_TRUE(has(ran.out, "doctor --fix")) << ran.out;
  const Ran mended = fix();
  EXPECT_TRUE(kept(bytes));
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\trunning\n2\terror\n3\trunning\n");
  EXPECT_EQ(ws.read(status_file(2)), file);
  look(0);
  fix();
  EXPECT_TRUE(kept(bytes)) << "a second --fix threw it away";
}

TEST_F(Doctor, FixOfAHealthyWorkspaceChangesNothing) {
  set("1", "running");
  const std::string log = ws.run({"log", "--json"}).out, file = ws.read(status_file(1)).value_or("");
  fix();
  EXPECT_EQ(ws.run({"log", "--json"}).out, log);
  EXPECT_EQ(ws.read(status_file(1)), file);
}

TEST_F(Doctor, NewerOrForeignDatabaseIsNotSetAside) {
  set("1", "running");
  std::string bytes = read_all(ws.file(".pawl/pawl.db")).value_or("");
  bytes[63] = 99;  // user_version, big endian, ends at byte 63
  write_all(ws.file(".pawl/pawl.db"), bytes);
  look(1);
  EXPECT_TRUE(parse_json(ws.run({"doctor", "--json"}).out).value_or(Json()).value("records", Json(0)).is_null())
      << ws.run({"doctor", "--json"}).out;
  EXPECT_TRUE(has(ws.run({"doctor"}).out, "store: it cannot be read; see below\n")) << "it is not empty";
  EXPECT_NE(ws.run({"doctor", "--fix"}).exit, 0);
  EXPECT_TRUE(read_all(ws.file(".pawl/pawl.db")) == bytes) << "a newer pawl's database was touched";
}

TEST_F(Doctor, LeftoversOfInterruptedCommandsAreNotedAndCleared) {
  set("1", "running");
  ws.write(".pawl/tmp/123-456-0", "half");
  EXPECT_TRUE(has(look(0).out, "unfinished"));
  fix();
  EXPECT_TRUE(fs::is_empty(ws.file(".pawl/tmp")));
}

TEST_F(Doctor, AdviceNeverSuggestsToDestroy) {
  set("1", "running");
  write_all(ws.file(".pawl/pawl.db"), std::string(9000, 'g'));
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"doctor"}, {"issue", "get", "1"}, {"issue", "set", "1", "error"}, {"log"}}) {
    const Ran ran = ws.run(args);
    for (const std::string_view word : {"rm ", "delete it", "remove the", "git checkout", "git reset"})
      EXPECT_FALSE(has(ran.out + ran.err, word)) << ran.out << ran.err;
  }
}

// Its bytes are whole: history and undo stay.
TEST_F(Doctor, AFalseFingerprintIsNamedAndMadeAnew) {
  std::string list = R"({"stories": [{"id": "A", "title": "first", "status": "pending", "notes": ")";
  list += std::string(4000, 'x') + "\"}]}\n";
  ws.write("prd.json", list);
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  execute("UPDATE mirror SET bytes=randomblob(32) WHERE size>0");
  EXPECT_TRUE(has(look(1).out, "prd.json was changed does not fit")) << look(1).out;
  EXPECT_TRUE(has(fix().out, "made anew"));
  EXPECT_FALSE(has(look(0).out, "does not fit"));
  const auto at = list.find("first");
  ws.write("prd.json", list.replace(at, 5, "FIRST"));
  EXPECT_TRUE(has(ws.run({"log"}).out, "FIRST") || has(ws.run({"story", "list"}).out, "FIRST"));
  EXPECT_TRUE(has(ws.run({"log"}).out, "adopted")) << "the store is the one it was";
}

// As init says it.
TEST_F(Doctor, WhatStandsWhereTheStoreGoesIsNamedBeforeInitRefusesIt) {
  fs::create_symlink("/tmp", ws.file(".pawl"));
  for (const char* const word : {"is a symbolic link", "is not a folder"}) {
    const Ran looked = look(1);
    EXPECT_TRUE(has(looked.out, word)) << looked.out;
    const Ran made = ws.run({"init"});
    EXPECT_NE(made.exit, 0);
    EXPECT_TRUE(has(made.err, word)) << made.err;
    fs::remove(ws.file(".pawl"));
    ws.write(".pawl", "");
  }
}

TEST_F(Doctor, SaysNothingOfWhatInitWouldDoWhereSettingsCanNotBeRead) {
  ws.write("pawl.toml", "gates = 7\n");
  EXPECT_FALSE(has(look(1).out, "pawl init would")) << look(1).out;
}

}  // namespace
}  // namespace pawl::test

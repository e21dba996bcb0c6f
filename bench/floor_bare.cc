// The least that a synced set with a file can be: one SQLite transaction of three rows with a persistent rollback
// journal, and a temporary file, synced and renamed. No rules, no log to read back, no recovery, no fair gate.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

int run(sqlite3* db, const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string folder = argv[1];
  const bool only_get = argc > 2;
  sqlite3* db = nullptr;
  if (sqlite3_open_v2((folder + "/bare.db").c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
      SQLITE_OK)
    return 5;
  if (only_get) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, "select status from record where key=42", -1, &statement, nullptr) != SQLITE_OK)
      return 5;
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return found ? 0 : 3;
  }
  run(db,
      "pragma synchronous=full; pragma journal_mode=persist;"
      "create table if not exists operation(id integer primary key, at, actor);"
      "create table if not exists event(id integer primary key, record, status);"
      "create table if not exists record(key integer primary key, status, doc)");
  if (run(db,
          "begin immediate; insert into operation values(null, 1, 'me'); insert into event values(null, 42, 'running');"
          "replace into record values(42, 'running', '{\"issue\":42}'); commit") != SQLITE_OK) {
    return 5;
  }
  sqlite3_close(db);
  const std::string temporary = folder + "/42.json.tmp", file = folder + "/42.json";
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const std::string bytes =
      "{\n  \"issue\": 42,\n  \"status\": \"running\",\n  \"session\": \"pi-issue-42\",\n  \"timestamp\": "
      "\"2024-01-30T09:00:00Z\"\n}\n";
  if (fd < 0 || write(fd, bytes.data(), bytes.size()) < 0 || fdatasync(fd) != 0 || close(fd) != 0) return 5;
  return rename(temporary.c_str(), file.c_str()) == 0 ? 0 : 5;
}

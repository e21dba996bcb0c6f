// For tests: a folder for a store, removed at the end, and hands that reach behind the store's back.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/text.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::test {

class StoreFolder {
 public:
  StoreFolder() {
    // In memory where that can be had: these tests are not about the disk's patience.
    std::string name =
        std::filesystem::is_directory("/dev/shm") ? "/dev/shm/pawl-test-XXXXXX" : "/tmp/pawl-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  StoreFolder(const StoreFolder&) = delete;
  StoreFolder& operator=(const StoreFolder&) = delete;
  ~StoreFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string database() const { return path_ + "/pawl.db"; }

  [[nodiscard]] SqliteOptions options() const {
    SqliteOptions options;
    options.folder = path_;
    options.create = true;
    return options;
  }
  std::unique_ptr<Store> open() const { return opened(open_sqlite(options())); }

  static std::unique_ptr<Store> opened(Result<std::unique_ptr<Store>> store) {
    if (!store) throw std::runtime_error(store.error().message);
    return std::move(*store);
  }

  // As somebody with the sqlite3 shell would.
  void sql(const std::string& text) const {
    sqlite3* db = nullptr;
    char* message = nullptr;
    sqlite3_open(database().c_str(), &db);
    EXPECT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, &message), SQLITE_OK) << (message ? message : "");
    sqlite3_free(message);
    sqlite3_close(db);
  }
  [[nodiscard]] std::string ask(const std::string& text) const {
    sqlite3* db = nullptr;
    std::string answer;
    sqlite3_open(database().c_str(), &db);
    const auto keep = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) = values[0] == nullptr ? "" : values[0];
      return 0;
    };
    sqlite3_exec(db, text.c_str(), keep, &answer, nullptr);
    sqlite3_close(db);
    return answer;
  }

  // Every file, with what tells whether it was written: its time, its size and its bytes (as a hash).
  [[nodiscard]] std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      const std::string bytes = entry.is_regular_file() ? bytes_of(entry.path().string()) : std::string();
      files[entry.path().filename().string()] = cat(entry.last_write_time().time_since_epoch().count(), " ",
                                                    bytes.size(), " ", std::hash<std::string>()(bytes));
    }
    return files;
  }
  [[nodiscard]] static std::string bytes_of(const std::string& path) {
    std::stringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
  }

 private:
  std::string path_;
};

// Makes or moves a record, in one commit, without the gate. "" removes it.
inline Result<Committed> put(Store& store, const std::string& key, const std::string& status,
                             const Json& doc = Json::object(), std::int64_t at_ms = 1000) {
  auto tx = store.begin(Access::write);
  if (!tx) return tl::unexpected(tx.error());
  auto before = (*tx)->load({"issue", "", key});
  if (!before) return tl::unexpected(before.error());
  Batch batch;
  batch.operations.resize(1);
  batch.operations[0].operation.at_ms = at_ms;
  batch.operations[0].changes.resize(1);
  Change& change = batch.operations[0].changes[0];
  change.before = change.after = *before;
  change.after.status = status;
  change.after.doc = doc;
  change.what = "set";
  return (*tx)->commit(batch);
}

inline std::string status_of(Store& store, const std::string& key) {
  const auto tx = store.begin(Access::read);
  if (!tx) return tx.error().message;
  const auto record = (*tx)->load({"issue", "", key});
  return record ? record->status : record.error().message;
}

}  // namespace pawl::test

// SQLite, in both of its modes, held to the suite.
#include "conformance/store_suite.h"
#include "store/sqlite/store_folder.h"

namespace pawl::test {
namespace {

class SqliteHome final : public StoreHome {
 public:
  explicit SqliteHome(bool long_lived) {
    if (!long_lived) return;
    // In WAL from the first to the last: this connection keeps it so.
    keeper_ = folder_.open();
    must(keeper_->enter_long_lived());
  }

  Result<std::unique_ptr<Store>> open(std::int64_t busy_ms) override {
    SqliteOptions options = folder_.options();
    options.busy_ms = busy_ms;
    return open_sqlite(options);
  }
  std::string free_path() override {
    backups_.push_back(std::make_unique<StoreFolder>());
    return backups_.back()->database();
  }
  Result<std::unique_ptr<Store>> open_backup(const std::string& path) override {
    SqliteOptions options;
    options.folder = path.substr(0, path.find_last_of('/'));
    return open_sqlite(options);
  }

 private:
  StoreFolder folder_;
  std::unique_ptr<Store> keeper_;
  std::vector<std::unique_ptr<StoreFolder>> backups_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreConformance,
                         testing::Values(StoreFactory{"rollback", [] { return std::make_unique<SqliteHome>(false); }},
                                         StoreFactory{"wal", [] { return std::make_unique<SqliteHome>(true); }}),
                         [](const auto& factory) { return factory.param.name; });

}  // namespace
}  // namespace pawl::test

// What every store must do, whatever is behind it. A new engine joins by one file with one factory:
//
//   INSTANTIATE_TEST_SUITE_P(Postgres, StoreConformance, testing::Values(StoreFactory{"postgres", make_home}));
//
// and changes nothing here. The tests are in the *_suite.cc files, one subject each.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace pawl::test {

// Where one store lives, empty at first, gone with this.
class StoreHome {
 public:
  virtual ~StoreHome() = default;
  // Another connection to the same store. `busy_ms`: how long it waits for others.
  virtual Result<std::unique_ptr<Store>> open(std::int64_t busy_ms) = 0;
  // A path for a backup that nothing stands at.
  virtual std::string free_path() = 0;
  // Opens what backup() made there.
  virtual Result<std::unique_ptr<Store>> open_backup(const std::string& path) = 0;
};

struct StoreFactory {
  std::string name;
  std::function<std::unique_ptr<StoreHome>()> make;
};

inline void PrintTo(const StoreFactory& factory, std::ostream* out) { *out << factory.name; }

// The value, or a test that fails with the error's words.
template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

class StoreConformance : public testing::TestWithParam<StoreFactory> {
 protected:
  static constexpr std::int64_t kPatient = 30'000;

  StoreConformance() : home_(GetParam().make()), store_(must(home_->open(kPatient))) {}

  [[nodiscard]] std::unique_ptr<Store> another(std::int64_t busy_ms = kPatient) { return must(home_->open(busy_ms)); }
  [[nodiscard]] std::unique_ptr<Transaction> reading() { return must(store_->begin(Access::read)); }

  // One operation with these changes, under the gate, on `store` or on the test's own.
  Committed commit(std::vector<Change> changes, Store* store = nullptr) {
    Batch batch;
    batch.operations.push_back(operation(std::move(changes)));
    return commit(batch, store);
  }
  Committed commit(const Batch& batch, Store* store = nullptr) {
    Store& target = store == nullptr ? *store_ : *store;
    const auto gate = must(target.gate());
    return must(must(target.begin(Access::write))->commit(batch));
  }
  // Something in a write transaction that is then committed.
  template <class Work>
  void write(Work work) {
    const auto gate = must(store_->gate());
    const auto tx = must(store_->begin(Access::write));
    work(*tx);
    must(tx->commit(Batch{}));
  }

  [[nodiscard]] Record load(const RecordId& id) { return must(reading()->load(id)); }
  [[nodiscard]] std::vector<std::string> keys(const Query& query) {
    std::vector<std::string> keys;
    for (const Record& record : must(reading()->list(query))) keys.push_back(record.id.key);
    return keys;
  }

  static OperationDraft operation(std::vector<Change> changes, std::int64_t at_ms = 1000) {
    OperationDraft draft;
    draft.operation.verb = "story set";
    draft.operation.actor = "tester";
    draft.operation.at_ms = at_ms;
    draft.changes = std::move(changes);
    return draft;
  }
  static RecordId story(std::string key, std::string scope = "") { return {"story", std::move(scope), std::move(key)}; }

  // From `before` to a status, with a rank; what a caller does who has loaded `before`.
  static Change moved(const Record& before, std::string status, std::string rank = "5") {
    Change change;
    change.before = before;
    change.after = before;
    change.after.status = std::move(status);
    change.after.held.reset();
    change.after.rank = std::move(rank);
    Json doc = change.after.doc;
    doc["status was"] = before.status;
    change.after.doc = doc;
    change.what = "set";
    return change;
  }
  static Change made(const RecordId& id, std::string status, std::string rank = "5") {
    Record before;
    before.id = id;
    return moved(before, std::move(status), std::move(rank));
  }
  static Change removed(const Record& before) {
    Change change = moved(before, "");
    change.what = "removed";
    return change;
  }
  static Change held(const RecordId& id, std::string word, std::string rank = "5") {
    Change change = made(id, "", std::move(rank));
    change.after.held = std::move(word);
    return change;
  }
  static Change set_aside(const RecordId& id, std::string status, std::string rank = "5") {
    Change change = made(id, std::move(status), std::move(rank));
    change.after.aside = true;
    return change;
  }

  std::unique_ptr<StoreHome> home_;
  std::unique_ptr<Store> store_;
};

}  // namespace pawl::test

// Several connections at once.
#include <atomic>
#include <chrono>
#include <thread>

#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

TEST_P(StoreConformance, CommitIsSeenByAnotherConnection) {
  const auto other = another();
  commit({made(story("a"), "open")});
  EXPECT_EQ(must(must(other->begin(Access::read))->load(story("a"))).status, "open");
  commit({moved(load(story("a")), "done")}, other.get());
  EXPECT_EQ(load(story("a")).status, "done");
}

TEST_P(StoreConformance, WriteIsNotSeenBeforeItsCommit) {
  commit({made(story("a"), "open")});
  const auto other = another();
  const auto gate = must(store_->gate());
  const auto tx = must(store_->begin(Access::write));
  must(tx->keep("name", "value"));
  EXPECT_EQ(must(must(other->begin(Access::read))->kept("name")), std::nullopt);
  must(tx->commit(Batch{}));
  EXPECT_EQ(must(must(other->begin(Access::read))->kept("name")), "value");
}

// An engine may let the writer go on or make it wait; the reader sees one moment in either case.
TEST_P(StoreConformance, ReaderSeesOneMoment) {
  commit({made(story("a"), "open"), made(story("b"), "open")});
  const auto other = another(20);
  {
    const auto tx = reading();
    EXPECT_EQ(must(tx->load(story("a"))).status, "open");
    const auto writing = other->begin(Access::write);
    if (writing) {
      Batch batch;
      batch.operations.push_back(operation(
          {moved(must((*writing)->load(story("a"))), "done"), moved(must((*writing)->load(story("b"))), "done")}));
      const auto committed = (*writing)->commit(batch);
      EXPECT_TRUE(committed || committed.error().code == ErrorCode::busy);
    }
    EXPECT_EQ(must(tx->load(story("b"))).status, "open");
    EXPECT_EQ(must(tx->newest_event()), 2);
  }
  const std::string a = load(story("a")).status, b = load(story("b")).status;
  EXPECT_EQ(a, b) << "both or none";
}

TEST_P(StoreConformance, MomentIsFixedWhenTheTransactionBegins) {
  commit({made(story("a"), "open")});
  const auto other = another(20);
  const auto tx = reading();  // nothing read yet
  if (const auto writing = other->begin(Access::write)) {
    Batch batch;
    batch.operations.push_back(operation({moved(must((*writing)->load(story("a"))), "done")}));
    static_cast<void>((*writing)->commit(batch));
  }
  EXPECT_EQ(must(tx->load(story("a"))).status, "open");
}

TEST_P(StoreConformance, GateIsHeldByOneAtATime) {
  const auto other = another(50);
  {
    const auto gate = must(store_->gate());
    const auto refused = other->gate();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::busy);
    EXPECT_FALSE(refused.error().message.empty());
  }
  EXPECT_TRUE(other->gate()) << "and is free when it was let go";
}

TEST_P(StoreConformance, GateLetsReadersThrough) {
  commit({made(story("a"), "open")});
  const auto gate = must(store_->gate());
  const auto other = another(50);
  EXPECT_EQ(must(must(other->begin(Access::read))->load(story("a"))).status, "open");
}

TEST_P(StoreConformance, GateIsHandedToWhoeverWaits) {
  auto gate = must(store_->gate());
  std::atomic<bool> asking = false, has_it = false;
  std::thread waiting([&] {
    const auto other = another();
    asking = true;
    const auto theirs = must(other->gate());
    has_it = true;
  });
  while (!asking) std::this_thread::yield();
  EXPECT_FALSE(has_it);
  gate.reset();
  waiting.join();
  EXPECT_TRUE(has_it);
}

TEST_P(StoreConformance, SecondTransactionInOneStoreIsRefused) {
  const auto tx = reading();
  EXPECT_FALSE(store_->begin(Access::read));
}

TEST_P(StoreConformance, EightThreadsCommitAndNothingIsLost) {
  constexpr int kThreads = 8, kEach = 25;
  commit({made(story("counter"), "open")});
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto store = another();
      for (int n = 0; n < kEach; ++n) {
        const auto gate = store->gate();
        const auto tx =
            gate ? store->begin(Access::write) : Result<std::unique_ptr<Transaction>>(tl::unexpect, gate.error());
        if (!tx) {
          ++failures;
          continue;
        }
        const Record counter = must((*tx)->load(story("counter")));
        Change change = moved(counter, "open");
        change.after.doc = Json{{"n", counter.doc.json().value("n", 0) + 1}};
        Batch batch;
        batch.operations.push_back(
            operation({change, made(story(std::to_string(i) + "." + std::to_string(n)), "done")}));
        if (!(*tx)->commit(batch)) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(load(story("counter")).doc["n"], kThreads * kEach);
  EXPECT_EQ(load(story("counter")).revision, 1 + kThreads * kEach);
  Query query;
  query.kind = "story";
  query.status = "done";
  EXPECT_EQ(keys(query).size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_TRUE(must(store_->check()).problems.empty());
}

TEST_P(StoreConformance, BackupIsAWholeCopy) {
  commit({made(story("a"), "open")});
  const std::string path = home_->free_path();
  must(store_->backup(path));
  commit({moved(load(story("a")), "done")});
  const auto copy = must(home_->open_backup(path));
  EXPECT_EQ(must(must(copy->begin(Access::read))->load(story("a"))).status, "open");
  EXPECT_TRUE(must(copy->check()).problems.empty());
}

TEST_P(StoreConformance, BackupDoesNotReplaceWhatIsThere) {
  commit({made(story("a"), "open")});
  const std::string path = home_->free_path();
  must(store_->backup(path));
  const auto again = store_->backup(path);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::already_exists);
}

TEST_P(StoreConformance, BackupWhileOthersWriteIsOfOneMoment) {
  commit({made(story("a"), "open"), made(story("b"), "open")});
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    const auto store = another();
    while (!stop) {
      const auto gate = must(store->gate());
      const auto tx = must(store->begin(Access::write));
      const Record a = must(tx->load(story("a"))), b = must(tx->load(story("b")));
      Batch batch;
      batch.operations.push_back(operation({moved(a, "open"), moved(b, "open")}));
      static_cast<void>(tx->commit(batch));
    }
  });
  for (int i = 0; i < 5; ++i) {
    const std::string path = home_->free_path();
    must(store_->backup(path));
    const auto copy = must(home_->open_backup(path));
    const auto tx = must(copy->begin(Access::read));
    EXPECT_EQ(must(tx->load(story("a"))).revision, must(tx->load(story("b"))).revision);
  }
  stop = true;
  writer.join();
}

TEST_P(StoreConformance, LongLivedAndBackKeepsEverything) {
  commit({made(story("a"), "open")});
  must(store_->enter_long_lived());
  commit({moved(load(story("a")), "done")});
  const auto other = another();
  commit({moved(load(story("a")), "wait")}, other.get());
  must(store_->leave_long_lived());
  EXPECT_EQ(load(story("a")).revision, 3);
  commit({moved(load(story("a")), "open")});
  EXPECT_EQ(must(must(other->begin(Access::read))->load(story("a"))).revision, 4);
}

}  // namespace
}  // namespace pawl::test

// Commits: all or nothing, and only onto what was expected.
#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

TEST_P(StoreConformance, CommitCountsRevisions) {
  commit({made(story("a"), "open")});
  commit({moved(load(story("a")), "done")});
  EXPECT_EQ(load(story("a")).revision, 2);
  EXPECT_EQ(load(story("a")).status, "done");
}

TEST_P(StoreConformance, CommitOntoAnotherRevisionIsAConflictAndWritesNothing) {
  commit({made(story("a"), "open"), made(story("b"), "open")});
  const Record old = load(story("a"));
  commit({moved(old, "done")});
  const std::int64_t newest = must(reading()->newest_event());
  {
    const auto gate = must(store_->gate());
    const auto tx = must(store_->begin(Access::write));
    must(tx->keep("name", "value"));
    Batch batch;
    batch.operations.push_back(operation({moved(must(tx->load(story("b"))), "done"), moved(old, "wait")}));
    MirrorRow mirror;
    mirror.path = "f";
    batch.mirrors.push_back(mirror);
    const auto committed = tx->commit(batch);
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().code, ErrorCode::conflict);
    EXPECT_NE(committed.error().message.find("story/a"), std::string::npos) << committed.error().message;
  }
  EXPECT_EQ(load(story("a")).status, "done");
  EXPECT_EQ(load(story("b")).status, "open") << "the change before the conflict is not there either";
  EXPECT_EQ(must(reading()->newest_event()), newest);
  EXPECT_EQ(must(reading()->operations({})).size(), 2u);
  EXPECT_EQ(must(reading()->mirror("f")), std::nullopt);
  EXPECT_EQ(must(reading()->kept("name")), std::nullopt);
}

TEST_P(StoreConformance, CommitOfANewRecordThatExistsIsAConflict) {
  commit({made(story("a"), "open")});
  const auto tx = must(store_->begin(Access::write));
  Batch batch;
  batch.operations.push_back(operation({made(story("a"), "done")}));
  const auto committed = tx->commit(batch);
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::conflict);
}

TEST_P(StoreConformance, CommitOntoARevisionThatIsNotThereYetIsAConflict) {
  Record never;
  never.id = story("a");
  never.status = "open";
  never.revision = 4;
  const auto tx = must(store_->begin(Access::write));
  Batch batch;
  batch.operations.push_back(operation({moved(never, "done")}));
  const auto committed = tx->commit(batch);
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::conflict);
}

TEST_P(StoreConformance, TransactionDroppedWithoutCommitDidNothing) {
  commit({made(story("a"), "open")});
  {
    const auto gate = must(store_->gate());
    const auto tx = must(store_->begin(Access::write));
    Claim claim;
    claim.record = story("a");
    must(tx->put_claim(claim));
    must(tx->keep("name", "value"));
    must(tx->compact(INT64_MAX));
  }
  EXPECT_EQ(must(reading()->claim(story("a"))).has_value(), false);
  EXPECT_EQ(must(reading()->kept("name")), std::nullopt);
  EXPECT_EQ(must(reading()->compacted_until()), 0);
  commit({moved(load(story("a")), "done")});  // and the store goes on
}

TEST_P(StoreConformance, TransactionAfterItsEndRefuses) {
  const auto tx = must(store_->begin(Access::write));
  must(tx->commit(Batch{}));
  EXPECT_FALSE(tx->load(story("a")));
  EXPECT_FALSE(tx->commit(Batch{}));
}

TEST_P(StoreConformance, TransactionBegunForReadingDoesNotWrite) {
  const auto tx = reading();
  EXPECT_FALSE(tx->keep("name", "value"));
  EXPECT_FALSE(tx->put_claim(Claim{}));
  EXPECT_FALSE(tx->drop_claim(story("a")));
  EXPECT_FALSE(tx->compact(0));
  Batch batch;
  batch.operations.push_back(operation({made(story("a"), "open")}));
  EXPECT_FALSE(tx->commit(batch));
}

TEST_P(StoreConformance, OneRecordTwiceInOneBatch) {
  const Change first = made(story("a"), "open");
  Record between = first.after;
  between.revision = 1;
  const Change second = moved(between, "done");
  between = second.after;
  between.revision = 2;
  Batch batch;
  batch.operations.push_back(operation({first, second}));
  batch.operations.push_back(operation({moved(between, "wait")}));
  const Committed committed = commit(batch);
  ASSERT_EQ(committed.operations.size(), 2u);
  EXPECT_LT(committed.operations[0], committed.operations[1]);
  EXPECT_EQ(load(story("a")).revision, 3);
  EXPECT_EQ(load(story("a")).status, "wait");
  const auto events = must(reading()->events_of(committed.operations[0]));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].after.revision, 1);
  EXPECT_EQ(events[1].after.revision, 2);
  EXPECT_EQ(events[1].from, "open");
}

TEST_P(StoreConformance, RevisionsGoOnAfterARemoval) {
  commit({made(story("a"), "open")});
  commit({removed(load(story("a")))});
  const Record gone = load(story("a"));
  EXPECT_FALSE(gone.present());
  EXPECT_EQ(gone.revision, 2);
  commit({moved(gone, "open")});
  EXPECT_EQ(load(story("a")).revision, 3);
  const auto tx = must(store_->begin(Access::write));
  Batch batch;
  batch.operations.push_back(operation({made(story("a"), "done")}));
  EXPECT_FALSE(tx->commit(batch)) << "as if it had never been there";
}

TEST_P(StoreConformance, CommitThatEndsNothingIsFine) {
  const auto tx = must(store_->begin(Access::write));
  const auto committed = must(tx->commit(Batch{}));
  EXPECT_TRUE(committed.operations.empty());
  EXPECT_EQ(must(reading()->newest_event()), 0);
}

TEST_P(StoreConformance, RecordThatIsHeldAndHasAStatusIsRefused) {
  Change change = made(story("a"), "open");
  change.after.held = "?";
  const auto tx = must(store_->begin(Access::write));
  Batch batch;
  batch.operations.push_back(operation({change}));
  EXPECT_FALSE(tx->commit(batch));
}

TEST_P(StoreConformance, OperationKeepsWhatWasSaidOfIt) {
  OperationDraft draft = operation({made(story("a"), "open")}, 12345);
  draft.operation.reason = "because";
  draft.operation.outside = true;
  draft.operation.undoes = 7;
  draft.operation.idempotency_key = "key 1";
  draft.operation.request_digest = "abc";
  draft.operation.answer = Json{{"ok", true}};
  Batch batch;
  batch.operations.push_back(draft);
  const std::int64_t id = commit(batch).operations.at(0);
  const auto found = must(reading()->operation(id));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, id);
  EXPECT_EQ(found->verb, "story set");
  EXPECT_EQ(found->actor, "tester");
  EXPECT_EQ(found->reason, "because");
  EXPECT_EQ(found->at_ms, 12345);
  EXPECT_TRUE(found->outside);
  EXPECT_EQ(found->undoes, 7);
  EXPECT_EQ(found->idempotency_key, "key 1");
  EXPECT_EQ(found->request_digest, "abc");
  EXPECT_EQ(found->answer, (Json{{"ok", true}}));
  EXPECT_EQ(must(reading()->operation(id + 1)).has_value(), false);
}

TEST_P(StoreConformance, IdempotencyKeyIsFoundAndCanNotBeUsedTwice) {
  OperationDraft draft = operation({});
  draft.operation.idempotency_key = "key 1";
  Batch batch;
  batch.operations.push_back(draft);
  const std::int64_t id = commit(batch).operations.at(0);
  commit({made(story("a"), "open")});
  commit({made(story("b"), "open")});  // two without a key are no conflict
  EXPECT_EQ(must(reading()->operation_by_key("key 1"))->id, id);
  EXPECT_FALSE(must(reading()->operation_by_key("key 2")));
  EXPECT_FALSE(must(reading()->operation_by_key("")));
  const auto again = must(store_->begin(Access::write))->commit(batch);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
}

}  // namespace
}  // namespace pawl::test

// What happened: events, operations, the past, and forgetting it.
#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

std::vector<std::int64_t> ids_of(const std::vector<Operation>& operations) {
  std::vector<std::int64_t> ids;
  for (const Operation& operation : operations) ids.push_back(operation.id);
  return ids;
}

TEST_P(StoreConformance, EventKeepsWhatHappened) {
  commit({made(story("a"), "open")});
  Change change = moved(load(story("a")), "done", "9");
  change.what = "edited outside";
  change.evidence = Json{{"tests", "pass"}};
  change.unverified = true;
  const std::int64_t operation_id = commit({change}).operations.at(0);
  const auto events = must(reading()->events_of(operation_id));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, must(reading()->newest_event()));
  EXPECT_EQ(events[0].operation, operation_id);
  EXPECT_EQ(events[0].what, "edited outside");
  EXPECT_EQ(events[0].from, "open");
  EXPECT_TRUE(events[0].unverified);
  EXPECT_EQ(events[0].evidence, change.evidence);
  EXPECT_EQ(events[0].after.id, story("a"));
  EXPECT_EQ(events[0].after.status, "done");
  EXPECT_EQ(events[0].after.revision, 2);
  EXPECT_EQ(events[0].after.doc, change.after.doc);
}

TEST_P(StoreConformance, EventWithoutEvidenceHasNone) {
  const auto id = commit({made(story("a"), "open")}).operations.at(0);
  EXPECT_TRUE(must(reading()->events_of(id)).at(0).evidence.is_null());
}

TEST_P(StoreConformance, EventsOfHeldAsideAndRemoved) {
  Change change = held(story("a"), "later");
  change.after.aside = true;
  commit({change});
  commit({removed(load(story("a")))});
  const auto events = must(reading()->events_since(0, -1));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].from, "");
  EXPECT_EQ(events[0].after.held, "later");
  EXPECT_TRUE(events[0].after.aside);
  EXPECT_FALSE(events[1].after.present());
}

TEST_P(StoreConformance, EventsOfEachOperationAmongMany) {
  std::vector<std::pair<std::int64_t, std::size_t>> expected;
  int key = 0;
  for (const std::size_t count : {1u, 3u, 0u, 2u, 0u, 5u, 1u}) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < count; ++i) changes.push_back(made(story(std::to_string(++key)), "open"));
    expected.emplace_back(commit(changes).operations.at(0), count);
  }
  const auto tx = reading();
  for (const auto& [id, count] : expected) {
    const auto events = must(tx->events_of(id));
    EXPECT_EQ(events.size(), count) << "operation " << id;
    for (const Event& event : events) EXPECT_EQ(event.operation, id);
  }
  EXPECT_TRUE(must(tx->events_of(0)).empty());
  EXPECT_TRUE(must(tx->events_of(expected.back().first + 1)).empty());
}

TEST_P(StoreConformance, EventsSinceGoOnFromACursor) {
  EXPECT_EQ(must(reading()->newest_event()), 0);
  for (const char* key : {"a", "b", "c"}) commit({made(story(key), "open")});
  const auto all = must(reading()->events_since(0, 100));
  ASSERT_EQ(all.size(), 3u);
  const auto two = must(reading()->events_since(0, 2));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].after.id.key, "b");
  const auto rest = must(reading()->events_since(two[1].id, 100));
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].after.id.key, "c");
  EXPECT_EQ(rest[0].id, must(reading()->newest_event()));
  EXPECT_TRUE(must(reading()->events_since(rest[0].id, 100)).empty());
}

TEST_P(StoreConformance, HappenedBeforeIsOfAKindAndOfThePast) {
  commit({made(story("a"), "open")});
  const std::int64_t first = must(reading()->newest_event());
  commit({removed(load(story("a")))});
  const auto tx = reading();
  EXPECT_FALSE(must(tx->happened_before("story", first)));
  EXPECT_TRUE(must(tx->happened_before("story", first + 1))) << "also of what is gone by now";
  EXPECT_FALSE(must(tx->happened_before("issue", first + 1)));
}

TEST_P(StoreConformance, EventAtAnOperationIsTheStateThen) {
  const auto first = commit({made(story("a"), "open")}).operations.at(0);
  const auto other = commit({made(story("b"), "open")}).operations.at(0);
  const auto second = commit({moved(load(story("a")), "done")}).operations.at(0);
  const auto tx = reading();
  EXPECT_EQ(must(tx->event_at(story("a"), first))->after.status, "open");
  EXPECT_EQ(must(tx->event_at(story("a"), other))->after.status, "open");
  EXPECT_EQ(must(tx->event_at(story("a"), second))->after.status, "done");
  EXPECT_EQ(must(tx->event_at(story("a"), second + 100))->after.status, "done");
  EXPECT_FALSE(must(tx->event_at(story("b"), first))) << "it did not exist yet";
  EXPECT_FALSE(must(tx->event_at(story("c"), second)));
}

TEST_P(StoreConformance, EventBeforeAnother) {
  commit({made(story("a"), "open")});
  commit({made(story("b"), "open")});
  commit({moved(load(story("a")), "done")});
  const auto events = must(reading()->events_since(0, -1));
  ASSERT_EQ(events.size(), 3u);
  const auto tx = reading();
  EXPECT_EQ(must(tx->event_before(story("a"), events[2].id))->id, events[0].id);
  EXPECT_EQ(must(tx->event_before(story("a"), events[1].id))->id, events[0].id) << "of another record's event";
  EXPECT_EQ(must(tx->event_before(story("a"), events[2].id + 1))->id, events[2].id);
  EXPECT_FALSE(must(tx->event_before(story("a"), events[0].id)));
  EXPECT_FALSE(must(tx->event_before(story("b"), events[1].id)));
  EXPECT_FALSE(must(tx->event_before(story("c"), 100)));
}

TEST_P(StoreConformance, ListAtIsTheWorldThen) {
  commit({made(story("a"), "open"), made(story("b", "x"), "open"), made({"issue", "", "i"}, "open")});
  const auto then = commit({moved(load(story("a")), "done")}).operations.at(0);
  commit({removed(load(story("b", "x"))), made(story("c"), "open"), moved(load(story("a")), "wait")});
  const auto records = must(reading()->list_at("story", then));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].id, story("a"));
  EXPECT_EQ(records[0].status, "done");
  EXPECT_EQ(records[0].revision, 2);
  EXPECT_EQ(records[1].id, story("b", "x"));
  const auto now = must(reading()->list_at("story", then + 1));
  ASSERT_EQ(now.size(), 2u);
  EXPECT_EQ(now[0].status, "wait");
  EXPECT_EQ(now[1].id, story("c"));
  EXPECT_TRUE(must(reading()->list_at("story", 0)).empty());
}

TEST_P(StoreConformance, OperationsAreNewestFirstInPages) {
  std::vector<std::int64_t> ids;
  for (const char* key : {"a", "b", "c", "d"}) ids.push_back(commit({made(story(key), "open")}).operations.at(0));
  OperationQuery query;
  query.limit = 3;
  const auto page = must(reading()->operations(query));
  EXPECT_EQ(ids_of(page), (std::vector{ids[3], ids[2], ids[1]}));
  query.before = page.back().id;
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[0]}));
}

TEST_P(StoreConformance, OperationsAreOldestFirstWhereAsked) {
  std::vector<std::int64_t> ids;
  for (const char* key : {"a", "b", "c", "d"}) ids.push_back(commit({made(story(key), "open")}).operations.at(0));
  OperationQuery query;
  query.limit = 3;
  query.after = 0;
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[0], ids[1], ids[2]}));
  query.after = ids[2];
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[3]}));
  query.after = ids[3];
  EXPECT_TRUE(must(reading()->operations(query)).empty());
}

TEST_P(StoreConformance, OperationsOfARecordInPages) {
  std::vector<std::int64_t> ids;
  ids.push_back(commit({made(story("a"), "open")}).operations.at(0));
  commit({made(story("b"), "open")});
  Record record = load(story("a"));
  const Change first = moved(record, "wait");
  record = first.after;
  record.revision = 2;
  ids.push_back(commit({first, moved(record, "done")}).operations.at(0));  // twice, and named once
  ids.push_back(commit({moved(load(story("a")), "open")}).operations.at(0));
  OperationQuery query;
  query.record = story("a");
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[2], ids[1], ids[0]}));
  query.limit = 1;
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[2]}));
  query.before = ids[2];
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[1]}));
  query.before = ids[1];
  EXPECT_EQ(ids_of(must(reading()->operations(query))), (std::vector{ids[0]}));
  query.record = story("nobody");
  query.before.reset();
  EXPECT_TRUE(must(reading()->operations(query)).empty());
}

TEST_P(StoreConformance, CompactForgetsThePastAndKeepsThePresent) {
  const auto at = [&](std::int64_t ms, std::vector<Change> changes) {
    Batch batch;
    batch.operations.push_back(operation(std::move(changes), ms));
    return commit(batch).operations.at(0);
  };
  at(100, {made(story("a"), "open"), made(story("b"), "open")});
  const auto removal = at(200, {moved(load(story("a")), "wait"), removed(load(story("b")))});
  const auto last_old = at(300, {moved(load(story("a")), "done")});
  const auto young = at(400, {moved(load(story("a")), "open")});
  const std::string doc = load(story("a")).doc.line();
  std::int64_t gone = 0;
  write([&](Transaction& tx) { gone = must(tx.compact(350)); });
  EXPECT_EQ(gone, 3) << "all from before but the newest of each";
  EXPECT_EQ(load(story("a")).doc.line(), doc);
  EXPECT_EQ(load(story("a")).revision, 4);
  EXPECT_EQ(load(story("b")).revision, 2);
  EXPECT_EQ(ids_of(must(reading()->operations({}))), (std::vector{young, last_old, removal}));
  EXPECT_EQ(must(reading()->events_of(removal)).size(), 1u) << "what still has an event stays";
  EXPECT_EQ(must(reading()->compacted_until()), last_old);
  const auto tx = reading();
  EXPECT_EQ(must(tx->list_at("story", last_old)).at(0).status, "done") << "from there on the past can be told";
  EXPECT_EQ(must(tx->event_before(story("a"), must(tx->newest_event())))->operation, last_old);
  EXPECT_FALSE(must(tx->event_at(story("a"), removal)));
  OperationQuery of_a;
  of_a.record = story("a");
  EXPECT_EQ(ids_of(must(tx->operations(of_a))), (std::vector{young, last_old}));
}

TEST_P(StoreConformance, CompactedStoreGoesOn) {
  commit({made(story("a"), "open"), made(story("b"), "open")});
  commit({moved(load(story("a")), "wait"), removed(load(story("b")))});
  commit({moved(load(story("a")), "done")});
  write([&](Transaction& tx) { must(tx.compact(INT64_MAX)); });
  EXPECT_TRUE(must(store_->check()).problems.empty());
  commit({moved(load(story("b")), "open"), moved(load(story("a")), "done")});
  EXPECT_EQ(load(story("b")).revision, 3);
  EXPECT_TRUE(must(store_->check()).problems.empty());
}

TEST_P(StoreConformance, CompactNeverLeadsToANumberGivenTwice) {
  commit({made(story("a"), "open")});
  commit(std::vector<Change>{});  // the newest operation, without an event
  const std::int64_t newest = must(reading()->operations({})).at(0).id;
  write([&](Transaction& tx) { must(tx.compact(INT64_MAX)); });
  EXPECT_GT(commit({moved(load(story("a")), "done")}).operations.at(0), newest);
}

TEST_P(StoreConformance, CompactOfNothingOldDoesNothing) {
  commit({made(story("a"), "open")});
  commit({moved(load(story("a")), "done")});
  std::int64_t gone = -1;
  write([&](Transaction& tx) { gone = must(tx.compact(1000)); });  // they happened at 1000
  EXPECT_EQ(gone, 0);
  EXPECT_EQ(must(reading()->compacted_until()), 0);
  EXPECT_EQ(must(reading()->operations({})).size(), 2u);
}

TEST_P(StoreConformance, CompactStopsAtTheFirstYoungOperationWhateverClocksSaid) {
  const auto at = [&](std::int64_t ms, std::vector<Change> changes) {
    Batch batch;
    batch.operations.push_back(operation(std::move(changes), ms));
    commit(batch);
  };
  at(900, {made(story("a"), "open")});
  at(100, {moved(load(story("a")), "wait")});  // the clock was set back
  at(900, {moved(load(story("a")), "done")});
  write([&](Transaction& tx) { must(tx.compact(500)); });
  EXPECT_EQ(must(reading()->operations({})).size(), 3u) << "no hole in the middle";
}

TEST_P(StoreConformance, CompactKeepsEffectsThatWaitForAnAnswer) {
  Batch batch;
  batch.operations.push_back(operation({}, 100));
  Effect effect;
  effect.record = story("a");
  effect.kind = "comment";
  batch.operations[0].effects = {effect, effect};
  const Committed committed = commit(batch);
  commit({made(story("a"), "open")});
  Batch settle;
  effect.id = committed.effects.at(0);
  effect.state = EffectState::done;
  settle.effects.push_back(effect);
  commit(settle);
  write([&](Transaction& tx) { must(tx.compact(500)); });
  EXPECT_TRUE(must(reading()->operation(committed.operations.at(0))));
  effect.id = committed.effects.at(1);
  settle.effects = {effect};
  commit(settle);
  commit({made(story("b"), "open")});
  write([&](Transaction& tx) { must(tx.compact(2000)); });
  EXPECT_FALSE(must(reading()->operation(committed.operations.at(0))));
  EXPECT_TRUE(must(reading()->effects_of(committed.operations.at(0))).empty());
}

TEST_P(StoreConformance, ShrinkKeepsEverything) {
  for (int i = 0; i < 20; ++i) commit({made(story(std::to_string(i)), "open")});
  for (int i = 0; i < 20; ++i) commit({moved(load(story(std::to_string(i))), "done")});
  write([&](Transaction& tx) { must(tx.compact(2000)); });
  must(store_->shrink());
  EXPECT_EQ(must(reading()->newest_event()), 40);
  EXPECT_EQ(load(story("7")).status, "done");
  EXPECT_TRUE(must(store_->check()).problems.empty());
}

TEST_P(StoreConformance, CheckCountsWhatIsThere) {
  commit({made(story("a"), "open"), made(story("b"), "open")});
  commit({removed(load(story("a")))});
  const StoreHealth health = must(store_->check());
  EXPECT_EQ(health.problems, std::vector<std::string>{});
  EXPECT_EQ(health.records, 1);
  EXPECT_EQ(health.events, 3);
  EXPECT_EQ(health.operations, 2);
}

}  // namespace
}  // namespace pawl::test

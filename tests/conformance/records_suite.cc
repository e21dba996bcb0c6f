// Records: loading, listing, order, paging.
#include <rapidcheck.h>
#include <algorithm>

#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

using Keys = std::vector<std::string>;

Query stories() {
  Query query;
  query.kind = "story";
  return query;
}

TEST_P(StoreConformance, LoadOfWhatWasNeverSeenIsAbsentAtRevisionZero) {
  const Record record = load(story("US-1"));
  EXPECT_EQ(record.id, story("US-1"));
  EXPECT_FALSE(record.present());
  EXPECT_EQ(record.revision, 0);
}

TEST_P(StoreConformance, LoadGivesBackEverything) {
  Change change = made(story("US-1", "other checkout"), "open", "1.a");
  change.after.doc = Json::parse(R"({"z":[1,2.5,null,true],"a":{"ü":"\u0000\n"},"big":9007199254740993})");
  commit({change});
  const Record record = load(story("US-1", "other checkout"));
  EXPECT_EQ(record.status, "open");
  EXPECT_EQ(record.held, std::nullopt);
  EXPECT_FALSE(record.aside);
  EXPECT_EQ(record.rank, "1.a");
  EXPECT_EQ(record.revision, 1);
  EXPECT_EQ(record.doc.line(), change.after.doc.line()) << "members keep their order";
  EXPECT_EQ(load(story("US-1")).revision, 0) << "another scope is another record";
}

TEST_P(StoreConformance, LoadWithoutTheDocumentCanBeMovedWithAnotherAndNotWithoutOne) {
  commit({made(story("a"), "open")});
  const auto gate = must(store_->gate());
  const auto tx = must(store_->begin(Access::write));
  const Record record = must(tx->load(story("a"), RecordPart::without_doc));
  EXPECT_EQ(record.status, "open");
  EXPECT_EQ(record.revision, 1);
  Change change{record, record, "set", Json(), false};
  change.after.status = "done";
  Batch batch;
  batch.operations.push_back(operation({change}));
  EXPECT_FALSE(tx->commit(batch)) << "its document would be lost";
  const auto again = must(store_->begin(Access::write));
  change.before = must(again->load(story("a"), RecordPart::without_doc));
  change.after.doc = Json{{"new", true}};
  batch.operations.front() = operation({change});
  must(again->commit(batch));
  EXPECT_EQ(load(story("a")).doc.line(), R"({"new":true})");
}

TEST_P(StoreConformance, LoadTellsHeldAndAside) {
  Change change = held(story("a"), "in progress");
  change.after.aside = true;
  commit({change});
  const Record record = load(story("a"));
  EXPECT_TRUE(record.present());
  EXPECT_EQ(record.status, "");
  EXPECT_EQ(record.held, "in progress");
  EXPECT_TRUE(record.aside);
}

TEST_P(StoreConformance, NamesWithAnyBytesAreKept) {
  const std::string odd("a\0b'\"\n%_/\xff", 10);
  commit({made(story(odd), "open"), made(story("a"), "open", "6")});
  EXPECT_EQ(load(story(odd)).id.key, odd);
  EXPECT_EQ(load(story(odd)).revision, 1);
  EXPECT_EQ(keys(stories()), (Keys{odd, "a"}));
}

TEST_P(StoreConformance, ListIsByRankThenKeyThenScope) {
  commit({made(story("c"), "open", "2"), made(story("a"), "done", "3"), made(story("b", "y"), "open", "2"),
          made(story("b", "x"), "done", "2"), made(story("d"), "open", "1"), made({"issue", "", "e"}, "open", "0")});
  const auto listed = must(reading()->list(stories()));
  std::vector<RecordId> ids;
  for (const Record& record : listed) ids.push_back(record.id);
  EXPECT_EQ(ids, (std::vector<RecordId>{story("d"), story("b", "x"), story("b", "y"), story("c"), story("a")}));
  EXPECT_EQ(listed[0].doc, load(story("d")).doc);
  EXPECT_EQ(listed[0].rank, "1");
}

TEST_P(StoreConformance, ListByRankOnlyLeavesTheDocumentsAndTellsTheRest) {
  Change put_aside = made(story("b", "x"), "done", "2");
  put_aside.after.aside = true;
  commit({made(story("c"), "open", "2"), put_aside, held(story("d"), "?")});
  Query query = stories();
  query.include_aside = true;
  const auto whole = must(reading()->list(query));
  query.by_rank_only = true;
  const auto listed = must(reading()->list(query));
  ASSERT_EQ(listed.size(), whole.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    EXPECT_EQ(listed[i].id, whole[i].id);
    EXPECT_EQ(listed[i].status, whole[i].status);
    EXPECT_EQ(listed[i].held, whole[i].held);
    EXPECT_EQ(listed[i].aside, whole[i].aside);
    EXPECT_EQ(listed[i].rank, whole[i].rank);
    EXPECT_EQ(listed[i].doc.is_known(), listed[i].held.has_value()) << "one that is held comes whole";
  }
}

TEST_P(StoreConformance, ListByStatus) {
  commit({made(story("a"), "open"), made(story("b"), "done"), made(story("c"), "open"), held(story("d"), "?")});
  Query query = stories();
  query.status = "open";
  EXPECT_EQ(keys(query), (Keys{"a", "c"}));
  query.status = "done";
  EXPECT_EQ(keys(query), (Keys{"b"}));
  query.status = "closed";
  EXPECT_EQ(keys(query), Keys{});
  query.status = "";
  EXPECT_EQ(keys(query), Keys{}) << "no status is not a status";
}

TEST_P(StoreConformance, ListByScope) {
  commit({made(story("a", "x"), "open"), made(story("b", ""), "open"), made(story("c", "x"), "done")});
  Query query = stories();
  query.scope = "x";
  EXPECT_EQ(keys(query), (Keys{"a", "c"}));
  query.scope = "";
  EXPECT_EQ(keys(query), (Keys{"b"}));
  query.status = "open";
  query.scope = "x";
  EXPECT_EQ(keys(query), (Keys{"a"}));
  query.scope = "nowhere";
  EXPECT_EQ(keys(query), Keys{});
}

TEST_P(StoreConformance, ListHeldOnly) {
  commit({made(story("a"), "open"), held(story("b"), "later", "9"), held(story("c"), "never", "1")});
  EXPECT_EQ(keys(stories()), (Keys{"c", "a", "b"})) << "held records are present";
  Query query = stories();
  query.held_only = true;
  EXPECT_EQ(keys(query), (Keys{"c", "b"}));
  query.status = "open";
  EXPECT_EQ(keys(query), Keys{}) << "what is held has no status";
}

TEST_P(StoreConformance, ListLeavesOutWhatIsAsideUnlessAsked) {
  commit({made(story("a"), "open", "3"), set_aside(story("b"), "open", "1"), set_aside(story("c"), "done", "2")});
  EXPECT_EQ(keys(stories()), (Keys{"a"}));
  Query query = stories();
  query.include_aside = true;
  EXPECT_EQ(keys(query), (Keys{"b", "c", "a"}));
  query.status = "open";
  EXPECT_EQ(keys(query), (Keys{"b", "a"}));
}

TEST_P(StoreConformance, ListNeverShowsWhatIsAbsent) {
  commit({made(story("a"), "open"), made(story("b", "x"), "open"), held(story("c", "x"), "?")});
  commit({removed(load(story("a"))), removed(load(story("b", "x")))});
  Query query = stories();
  query.include_aside = true;
  EXPECT_EQ(keys(query), (Keys{"c"}));
  query.scope = "x";
  EXPECT_EQ(keys(query), (Keys{"c"}));
}

TEST_P(StoreConformance, ListUnclaimedOnly) {
  commit({made(story("a"), "open", "1"), made(story("b"), "open", "2"), made(story("c"), "done", "3")});
  write([&](Transaction& tx) {
    Claim claim;
    claim.worker = "w";
    claim.record = story("a");
    must(tx.put_claim(claim));
    claim.record = {"issue", "", "b"};
    must(tx.put_claim(claim));
  });
  Query query = stories();
  query.unclaimed_only = true;
  EXPECT_EQ(keys(query), (Keys{"b", "c"}));
  query.limit = 1;
  EXPECT_EQ(keys(query), (Keys{"b"})) << "a claimed record does not count towards the limit";
}

TEST_P(StoreConformance, ListWithinRanks) {
  commit({made(story("a"), "open", "1"), made(story("b"), "done", "2"), made(story("c"), "open", "20"),
          made(story("d"), "open", "3"), made(story("e"), "open", "")});
  Query query = stories();
  query.rank_from = "2";
  EXPECT_EQ(keys(query), (Keys{"b", "c", "d"}));
  query.rank_below = "3";
  EXPECT_EQ(keys(query), (Keys{"b", "c"})) << "the upper end is left out";
  query.rank_from = "";
  EXPECT_EQ(keys(query), (Keys{"e", "a", "b", "c"}));
  query.status = "open";
  query.rank_from = "2";
  EXPECT_EQ(keys(query), (Keys{"c"}));
}

TEST_P(StoreConformance, ListAfterGoesOnBehindThatRecord) {
  commit({made(story("a"), "open", "1"), made(story("b", "x"), "done", "2"), made(story("b", "y"), "open", "2"),
          made(story("c"), "open", "2"), made(story("d"), "done", "3")});
  Query query = stories();
  query.after = story("b", "x");
  EXPECT_EQ(keys(query), (Keys{"b", "c", "d"}));
  query.after = story("b", "y");
  EXPECT_EQ(keys(query), (Keys{"c", "d"}));
  query.after = story("d");
  EXPECT_EQ(keys(query), Keys{});
  query.after = story("a");
  query.limit = 2;
  EXPECT_EQ(keys(query), (Keys{"b", "b"}));
  query.limit = -1;
  query.status = "open";
  query.after = story("b", "x");
  EXPECT_EQ(keys(query), (Keys{"b", "c"})) << "the record itself need not match";
  query.rank_from = "1";
  query.rank_below = "2";
  EXPECT_EQ(keys(query), Keys{}) << "both bounds hold";
}

TEST_P(StoreConformance, ListAfterARemovedRecordGoesOnWhereItWas) {
  commit({made(story("a"), "open", "1"), made(story("b"), "open", "2"), made(story("c"), "open", "3")});
  Record record = load(story("b"));
  Change change = removed(record);
  change.after.rank = "2";
  commit({change});
  Query query = stories();
  query.after = story("b");
  EXPECT_EQ(keys(query), (Keys{"c"}));
}

TEST_P(StoreConformance, ListAfterWhatWasNeverSeenIsNotFound) {
  Query query = stories();
  query.after = story("nobody");
  const auto listed = reading()->list(query);
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::not_found);
}

TEST_P(StoreConformance, ListLimit) {
  commit({made(story("a"), "open", "1"), made(story("b"), "done", "2"), made(story("c"), "open", "3")});
  Query query = stories();
  query.limit = 0;
  EXPECT_EQ(keys(query), Keys{});
  query.limit = 2;
  EXPECT_EQ(keys(query), (Keys{"a", "b"}));
  query.limit = 100;
  EXPECT_EQ(keys(query), (Keys{"a", "b", "c"}));
}

TEST_P(StoreConformance, FindKeyFindsPresentRecordsOfAnyKind) {
  commit({made(story("7"), "open"), made({"issue", "", "7"}, "open"), made(story("7", "x"), "open"),
          made(story("70"), "open"), held({"pr", "", "7"}, "?"), made({"loop", "", "7"}, "open")});
  commit({removed(load({"loop", "", "7"}))});
  EXPECT_EQ(
      must(reading()->find_key("7")),
      (std::vector<RecordId>{{"issue", "", "7"}, {"loop", "", "7"}, {"pr", "", "7"}, story("7"), story("7", "x")}));
  EXPECT_TRUE(must(reading()->find_key("8")).empty());
}

TEST_P(StoreConformance, FindKeysFindsThoseOfARangeAlsoWhatIsGone) {
  commit({made(story("p/1"), "open"), made(story("p/20"), "open"), made({"issue", "", "p/3"}, "open"),
          made(story("p0"), "open"), made(story("p"), "open"), made(story("q/1"), "open")});
  commit({removed(load(story("p/20")))});
  EXPECT_EQ(must(reading()->find_keys("p/", "p0")),
            (std::vector<RecordId>{story("p/1"), story("p/20"), {"issue", "", "p/3"}}));
  EXPECT_TRUE(must(reading()->find_keys("r", "s")).empty());
}

// Any records, any query, in pages of any size: what a plain filter and sort of all of them says.
TEST_P(StoreConformance, ListAgreesWithAModel) {
  const bool passed = rc::check([&] {
    const auto home = GetParam().make();
    const auto store = must(home->open(kPatient));
    const auto word = [](std::initializer_list<const char*> words) {
      return std::string(*rc::gen::elementOf(std::vector<const char*>(words)));
    };
    std::vector<Record> all;
    std::vector<Change> changes;
    for (int i = 0, count = *rc::gen::inRange(0, 25); i < count; ++i) {
      Change change = made(story(word({"a", "b", "c", "d", "e"}), word({"", "x", "y"})), word({"open", "done", "wait"}),
                           word({"", "1", "10", "2"}));
      if (*rc::gen::inRange(0, 5) == 0) {
        change.after.status.clear();
        change.after.held = "?";
      }
      change.after.aside = *rc::gen::inRange(0, 4) == 0;
      const auto same = [&](const Record& record) { return record.id == change.after.id; };
      if (std::any_of(all.begin(), all.end(), same)) continue;
      all.push_back(change.after);
      changes.push_back(change);
    }
    commit(changes, store.get());

    Query query = stories();
    if (*rc::gen::arbitrary<bool>()) query.scope = word({"", "x", "y", "z"});
    if (*rc::gen::arbitrary<bool>()) query.status = word({"open", "done", "none"});
    query.held_only = *rc::gen::inRange(0, 4) == 0;
    query.include_aside = *rc::gen::arbitrary<bool>();
    query.rank_from = word({"", "1", "2"});
    query.rank_below = word({"", "10", "3"});

    std::vector<Record> expected;
    for (const Record& record : all) {
      if (query.scope && record.id.scope != *query.scope) continue;
      if (query.status && record.status != *query.status) continue;
      if (query.held_only && !record.held) continue;
      if (record.aside && !query.include_aside) continue;
      if (record.rank < query.rank_from || (!query.rank_below.empty() && record.rank >= query.rank_below)) continue;
      expected.push_back(record);
    }
    const auto place = [](const Record& r) { return std::tie(r.rank, r.id.key, r.id.scope); };
    std::sort(expected.begin(), expected.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });

    const auto tx = must(store->begin(Access::read));
    query.limit = *rc::gen::inRange(1, 6);
    std::vector<RecordId> ids, expected_ids;
    for (const Record& record : expected) expected_ids.push_back(record.id);
    while (true) {
      const auto page = must(tx->list(query));
      RC_ASSERT(static_cast<std::int64_t>(page.size()) <= query.limit);
      for (const Record& record : page) ids.push_back(record.id);
      if (static_cast<std::int64_t>(page.size()) < query.limit || ids.size() > all.size()) break;
      query.after = page.back().id;
    }
    RC_ASSERT(ids == expected_ids);

    // One by one: all of them, in runs of one scope and status, each by rank.
    const auto run = [](const Record& r) { return std::tie(r.id.scope, r.aside, r.status, r.rank, r.id.key); };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return run(a) < run(b); });
    std::vector<Record> visited;
    const Done each = tx->each("story", none_alike, [&](const Record& record, std::size_t count) {
      RC_ASSERT(count == 1);
      visited.push_back(record);
      return done();
    });
    RC_ASSERT(each.has_value());
    RC_ASSERT(visited.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(visited[i].id == all[i].id);
      RC_ASSERT(visited[i].status == all[i].status);
      RC_ASSERT(visited[i].held == all[i].held);
      RC_ASSERT(visited[i].aside == all[i].aside);
      RC_ASSERT(visited[i].rank == all[i].rank);
    }

    // The same where those of one status are only counted.
    const std::string status = *rc::gen::elementOf(std::vector<std::string>{"pending", "merged", "no such"});
    const auto counted = [&](const Record& record) { return record.status == status; };
    std::size_t at = 0;
    const Done some = tx->each("story", counted, [&](const Record& record, std::size_t count) {
      RC_ASSERT(count == 1 || record.status == status);
      RC_ASSERT(at + count <= all.size());
      for (std::size_t i = 0; i < count; ++i) {
        RC_ASSERT(std::tie(all[at + i].id.scope, all[at + i].aside, all[at + i].status) ==
                  std::tie(record.id.scope, record.aside, record.status));
      }
      RC_ASSERT(record.id == all[at].id);
      at += count;
      const bool ends = at == all.size() || record.status != status || all[at].status != status ||
                        all[at].id.scope != record.id.scope || all[at].aside != record.aside;
      RC_ASSERT(ends);
      return done();
    });
    RC_ASSERT(some.has_value());
    RC_ASSERT(at == all.size());
  });
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace pawl::test

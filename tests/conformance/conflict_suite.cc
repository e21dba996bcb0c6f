// Outside changes that were not taken.
#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

StoredConflict conflict_of(std::string path, std::string key) {
  StoredConflict conflict;
  conflict.cell = {std::move(path), {"story", "", std::move(key)}, "status"};
  conflict.code = "gate";
  conflict.theirs = R"("done")";
  return conflict;
}

TEST_P(StoreConformance, ConflictGivesBackEverything) {
  Batch batch;
  batch.operations.push_back(operation({}));
  StoredConflict conflict = conflict_of("prd.json", "US-1");
  conflict.cell.record.scope = "x";
  conflict.ours = "null";
  conflict.group = R"([{"member":"note"}])";
  conflict.in_file = true;
  conflict.actor = "ann";
  conflict.opened = in_batch(0);
  MirrorRow row;
  row.path = "prd.json";
  batch.mirrors = {row};
  batch.images.resize(1);
  batch.images[0].path = "prd.json";
  conflict.image = in_batch(0);
  batch.conflicts = {conflict};
  const Committed made = commit(batch);
  ASSERT_EQ(made.conflicts.size(), 1u);
  const auto found = must(reading()->conflict(made.conflicts[0]));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, made.conflicts[0]);
  EXPECT_EQ(found->cell, conflict.cell);
  EXPECT_EQ(found->code, "gate");
  EXPECT_EQ(found->ours, "null");
  EXPECT_EQ(found->theirs, R"("done")");
  EXPECT_EQ(found->group, conflict.group);
  EXPECT_EQ(found->image, made.images[0]);
  EXPECT_TRUE(found->in_file);
  EXPECT_EQ(found->actor, "ann");
  EXPECT_EQ(found->opened, made.operations[0]);
  EXPECT_EQ(found->closed, 0);
  EXPECT_FALSE(must(reading()->conflict(made.conflicts[0] + 1)));
}

TEST_P(StoreConformance, ConflictsAreFound) {
  Batch batch;
  batch.conflicts = {conflict_of("a", "1"), conflict_of("a", "2"), conflict_of("b", "1")};
  batch.conflicts[2].opened = 7;
  const Committed made = commit(batch);
  const auto found = [&](const ConflictQuery& query) {
    std::vector<std::int64_t> ids;
    for (const StoredConflict& conflict : must(reading()->conflicts(query))) ids.push_back(conflict.id);
    return ids;
  };
  const auto& ids = made.conflicts;
  EXPECT_EQ(found({}), ids);
  EXPECT_EQ(found({.path = "a"}), (std::vector<std::int64_t>{ids[0], ids[1]}));
  EXPECT_EQ(found({.record = RecordId{"story", "", "1"}}), (std::vector<std::int64_t>{ids[0], ids[2]}));

  StoredConflict closed = *must(reading()->conflict(ids[0]));
  closed.closed = 7;
  closed.why_closed = "agreed";
  batch.conflicts = {closed};
  EXPECT_EQ(commit(batch).conflicts, (std::vector<std::int64_t>{ids[0]}));
  EXPECT_EQ(found({}), (std::vector<std::int64_t>{ids[1], ids[2]}));
  EXPECT_EQ(found({.open_only = false}), ids);
  EXPECT_EQ(found({.open_only = false, .operation = 7}), (std::vector<std::int64_t>{ids[0], ids[2]}));
  EXPECT_EQ(must(reading()->conflict(ids[0]))->why_closed, "agreed");

  closed.closed = 0;
  batch.conflicts = {closed};
  commit(batch);
  EXPECT_EQ(found({}), ids) << "opened again";
}

TEST_P(StoreConformance, CompactForgetsClosedConflicts) {
  commit({made(story("1"), "pending")});
  commit({moved(load(story("1")), "done")});
  Batch batch;
  batch.operations.push_back(operation({moved(load(story("1")), "pending")}, 9000));
  batch.conflicts = {conflict_of("a", "1"), conflict_of("a", "2"), conflict_of("a", "3")};
  batch.conflicts[0].closed = 2;
  batch.conflicts[1].closed = in_batch(0);
  const Committed made = commit(batch);
  write([&](Transaction& tx) { must(tx.compact(5000)); });
  EXPECT_FALSE(must(reading()->conflict(made.conflicts[0])));
  EXPECT_TRUE(must(reading()->conflict(made.conflicts[1])));
  EXPECT_TRUE(must(reading()->conflict(made.conflicts[2])));
}

}  // namespace
}  // namespace pawl::test

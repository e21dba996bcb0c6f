// What a survey of everything makes rows of: each kind's first few, whatever the kind before it had.
#include <gtest/gtest.h>

#include <map>

#include "engine/engine.h"
#include "engine/placed.h"
#include "lifecycles/table.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

// Loops and ultrawork are both "active": where the first kind's rows end with what the second's begin with, both have
// their own.
TEST(BoardRows, EachKindIsCountedFromItsOwnFirstRow) {
  const TempWorkspace ws;
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "p"}).exit, 0);
  ASSERT_EQ(ws.run({"ultrawork", "start", "--prompt", "p"}).exit, 0);
  const SystemClock clock;
  EngineOptions options;
  options.dir = ws.path();
  options.lifecycles = &builtin_lifecycles();
  options.clock = &clock;
  const auto engine = Engine::open(options);
  ASSERT_TRUE(engine) << engine.error().message;
  PlaceCounts one_each{};
  one_each.fill(1);
  std::map<std::string, std::size_t> rows;
  const Done good = (*engine)->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const Survey found, survey(view, builtin_lifecycles(), clock.now(), one_each));
    for (const Placed& row : found.rows) ++rows[row.record.id.kind];
    return done();
  });
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(rows, (std::map<std::string, std::size_t>{{"ralph", 1}, {"ultrawork", 1}}));
}

}  // namespace
}  // namespace pawl::test

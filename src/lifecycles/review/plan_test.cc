#include "lifecycles/review/plan.h"

#include <gtest/gtest.h>

namespace pawl::review {
namespace {

TEST(ReviewPlan, IsReadInBothForms) {
  const auto json =
      read_plan(R"({"chunks": [{"chunk": 1, "files": ["a.ts"], "loc": 3}, {"files": ["b.ts", "c.ts"]}]})");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->size(), 2U);
  const auto table = read_plan("| Chunk | Files | LOC |\n|---|---|---|\n| 2 | b.ts | 4 |\n| 1 | a.ts, c.ts | 3 |\n");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->at(0).files.size(), 2U);
  for (const char* wrong : {"", "[]", "{", "[{\"files\": [\"../x\"]}]", "[{\"files\": [\"a\\nb\"]}]",
                            "[{\"files\": [\"a\"]}, {\"files\": [\"a\"]}]", "| Chunk | LOC |\n|---|---|\n"})
    EXPECT_FALSE(read_plan(wrong)) << wrong;
}

TEST(ReviewPlan, IsMadeOfRelatedFiles) {
  const auto plan = make_plan({{"src/a/x.ts", 100},
                               {"src/a/x.css", 100},
                               {"src/b/y.ts", 200},
                               {"tests/y.test.ts", 50},
                               {"src/big.ts", 900},
                               {"src/a/z.ts", 150}});
  ASSERT_GE(plan.size(), 3U);
  EXPECT_EQ(plan.back().files, std::vector<std::string>{"tests/y.test.ts"});
  std::size_t files = 0;
  for (const PlannedChunk& chunk : plan) {
    files += chunk.files.size();
    EXPECT_TRUE(chunk.loc <= kMostLines || chunk.files.size() == 1) << chunk.loc;
  }
  EXPECT_EQ(files, 6U);
  // Many small files: each chunk but the last of its sort is in the range.
  std::vector<FileChange> many;
  for (int i = 0; i < 200; ++i)
    many.push_back({"d" + std::to_string(i % 7) + "/f" + std::to_string(i) + ".c", 20 + i % 60});
  const auto chunks = make_plan(many);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    EXPECT_LE(chunks[i].loc, kMostLines);
    EXPECT_GE(chunks[i].loc, i + 1 < chunks.size() ? kFewestLines : 1);
  }
}

}  // namespace
}  // namespace pawl::review

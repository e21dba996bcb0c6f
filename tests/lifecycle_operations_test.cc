// An operation may change several records of a lifecycle that the engine has never heard of: they are committed
// together and taken back together, or not at all.
#include <gtest/gtest.h>

#include "engine/undo.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kTwoItems =
    R"({"project": "alpha", "items": [{"id": "a", "state": "open"},  {"state": "doing", "id": "b"}]})";

class SeveralTodos : public testing::Test {
 protected:
  SeveralTodos() { project_.put(kTwoItems); }
  TodoProject project_;
};

TEST_F(SeveralTodos, OneRefusedAmongThemMovesNone) {
  ASSERT_TRUE(project_.change({todo("a"), todo("b")}, decide_nothing));  // taken over: what is refused makes no store
  const auto refused = project_.change({todo("a"), todo("b")}, [](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(Change a, moved(view, "a", "doing"));
    PAWL_ASSIGN(Change b, moved(view, "b", "done"));  // without its proof
    decision.changes = {std::move(a), std::move(b)};
    return decision;
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
  EXPECT_EQ(project_.status("a"), "open");
  EXPECT_EQ(project_.bytes(), kTwoItems);
}

TEST_F(SeveralTodos, TwoMovedInOneOperationAreUndoneTogether) {
  const auto outcome = project_.change({todo("a"), todo("b")}, [](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(Change a, moved(view, "a", "doing"));
    PAWL_ASSIGN(Change b, moved(view, "b", "open"));
    decision.changes = {std::move(a), std::move(b)};
    return decision;
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(project_.status("a"), "doing");
  EXPECT_EQ(project_.status("b"), "open");
  Request request;
  const auto undone = undo(project_.engine(), request, outcome->operation);
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->changes.size(), 2U);
  EXPECT_EQ(project_.bytes(), kTwoItems);
}

TEST_F(SeveralTodos, TwoMovedInOneOperationAreNotUndoneByHalves) {
  const auto outcome = project_.change({todo("a"), todo("b")}, [](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(Change a, moved(view, "a", "doing"));
    PAWL_ASSIGN(Change b, moved(view, "b", "open"));
    decision.changes = {std::move(a), std::move(b)};
    return decision;
  });
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(project_.move("b", "doing"));
  Request request;
  const auto refused = undo(project_.engine(), request, outcome->operation);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("todo/b"), std::string::npos);
  EXPECT_EQ(project_.status("a"), "doing");
}

// Later operations led back to the same content; they stand on the first one all the same.
TEST_F(SeveralTodos, UndoIsRefusedUnderALaterOneAlsoWhenTheContentIsTheSame) {
  const auto first = project_.move("a", "doing");
  ASSERT_TRUE(first);
  ASSERT_TRUE(project_.move("a", "open"));
  const auto third = project_.move("a", "doing");
  ASSERT_TRUE(third);
  Request request;
  const auto refused = undo(project_.engine(), request, first->operation);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("operation " + std::to_string(third->operation)), std::string::npos);
  EXPECT_EQ(project_.status("a"), "doing");
}

}  // namespace
}  // namespace pawl::test

#include "base/conversation.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

constexpr std::size_t kEnough = 1'000;
constexpr int kPatienceMs = 60'000;

bool is_line(std::string_view answer) { return answer.ends_with('\n'); }

// Says how many questions it has been asked, with the question; dies of one.
Conversation counting() {
  return {{"sh", "-c", "n=0; while read -r q; do n=$((n+1)); [ \"$q\" = die ] && exit; echo \"$n $q $WORD\"; done"},
          {"WORD=x=y"},
          kEnough,
          kPatienceMs};
}

TEST(Conversation, IsOneProcessForManyQuestions) {
  Conversation with = counting();
  for (int i = 1; i <= 3; ++i)
    EXPECT_EQ(with.ask("why\n", is_line).value_or("(none)"), std::to_string(i) + " why x=y\n");
}

TEST(Conversation, OneThatDiedIsBegunAnew) {
  Conversation with = counting();
  EXPECT_EQ(with.ask("a\n", is_line).value_or("(none)"), "1 a x=y\n");
  EXPECT_FALSE(with.ask("die\n", is_line));
  EXPECT_EQ(with.ask("b\n", is_line).value_or("(none)"), "1 b x=y\n");
  with.end();
  EXPECT_EQ(with.ask("c\n", is_line).value_or("(none)"), "1 c x=y\n");
}

TEST(Conversation, TooMuchAndTooLateAreErrors) {
  Conversation talks({"sh", "-c", "read q; exec yes"}, {}, kEnough, kPatienceMs);
  EXPECT_FALSE(talks.ask("?\n", [](std::string_view) { return false; }));
  Conversation silent({"sh", "-c", "read q; exec tail -f /dev/null"}, {}, kEnough, 1);
  const auto answer = silent.ask("?\n", is_line);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::busy);
  EXPECT_FALSE(Conversation({"no-such-program-here"}, {}, kEnough, kPatienceMs).ask("?\n", is_line));
}

}  // namespace
}  // namespace pawl

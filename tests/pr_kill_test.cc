// Runs killed at any moment, each on a machine that knows nothing of the one before: in the end everything is done, and
// everything is posted once.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

constexpr int kRuns = 200;

const char* const kFindings = R"({"findings": [
  {"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", "score": 7},
  {"path": "a.txt", "line": 5, "finding": "five is not needed at all", "assessment": "Drop it.", "score": 3},
  {"path": "zz.txt", "line": 9, "finding": "zz is missing", "assessment": "Add it.", "score": 2}]})";

TEST(PrKill, TwoHundredRunsOnFreshMachinesPostEachCommentOnce) {
  const auto seed = static_cast<unsigned>(std::random_device{}());
  SCOPED_TRACE(cat("seed ", seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };

  PrStage stage;
  stage.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'k'), "PAWL_PR_AUTO_REVIEW=always"};
  stage.answers("full-review", kFindings);
  stage.answers("dispute-resolution", R"({"outcome": "maintained", "reply": "No."})");
  stage.opened();
  std::size_t questions = 0, disputes = 0;
  int finished = 0;
  for (int run = 0; run < kRuns; ++run) {
    // Now and then somebody does something.
    if (run % 4 == 1) stage.comment("ann", cat("@rmc-bot question ", questions++, "?"));
    if (run % 20 == 10) stage.push({{"b.txt", cat("pushed in run ", run, "\n")}});
    if (const Json threads = stage.review_comments(); run % 15 == 14 && !threads.empty()) {
      stage.reply(threads[0], "ann", cat("no ", disputes));
      ++disputes;
    }
    TempWorkspace machine;
    stage.practice.control("DELETE", "/requests");
    Child child(PAWL_BINARY, {"pr", "run", "o/r#1"}, stage.options(machine));
    // Killed when it has made so many requests; the moments between them come by themselves.
    const auto until = static_cast<std::size_t>(below(2) == 0 ? below(4) : below(20));
    while (stage.practice.requests().size() < until && ::kill(child.pid(), 0) == 0) {
      if (child.wait_for("\x01", 1)) break;  // reads what it says; false at its end, or after a millisecond
      std::string state = read_all(cat("/proc/", child.pid(), "/stat")).value_or("");
      if (state.empty() || state.find(") Z") != std::string::npos) break;
    }
    child.send(SIGKILL);
    if (child.finish().exit != 128 + SIGKILL) ++finished;
  }
  for (int run = 0; run < 2; ++run) EXPECT_EQ(stage.run().exit, 1);  // 2 is still not two
  EXPECT_EQ(stage.pending(), std::vector<std::string>());
  EXPECT_GT(kRuns - finished, kRuns / 4) << "too few were killed to prove anything";

  EXPECT_EQ(stage.blocks("auto-review-trigger").size(), 1U);
  EXPECT_EQ(stage.blocks("auto-review-trigger")[0]["sha"], stage.head());
  EXPECT_EQ(stage.blocks("review-finding").size(), 3U);
  std::map<std::string, int> answers, resolutions, nonces;
  for (const Json& one : stage.blocks("question-answer")) ++answers[string_or(one, "reply_to_comment_id")];
  for (const Json& one : stage.blocks("dispute-resolution")) ++resolutions[string_or(one, "reply_to_comment_id")];
  EXPECT_EQ(answers.size(), questions);
  for (const auto& [id, count] : answers) EXPECT_EQ(count, 1) << id;
  for (const auto& [id, count] : resolutions) EXPECT_EQ(count, 1) << id;
  EXPECT_GE(disputes, resolutions.size());
  for (const char* type : {"auto-review-trigger", "review-finding", "question-answer", "dispute-resolution"}) {
    for (const Json& one : stage.blocks(type)) EXPECT_EQ(++nonces[string_or(one, "nonce")], 1) << type;
  }
}

}  // namespace
}  // namespace pawl::test

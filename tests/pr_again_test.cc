// A head that was reviewed and is the head again; state that somebody has spoilt; and the comment on the review that
// another run has written meanwhile. None of it lets a pull request through that was not reviewed.
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/text.h"
#include "support/pr_stage.h"

namespace pawl::test {
namespace {

constexpr const char* kNothing = R"({"findings": [], "summary": "Fine."})";

// On one machine that remembers, and on a fresh one each time.
class PrAgain : public testing::TestWithParam<bool> {
 protected:
  Ran run() {
    TempWorkspace fresh;
    return stage_.run_on(GetParam() ? kept_ : fresh);
  }
  Json finding() const { return stage_.review_comments()[0]; }
  Json trigger() const {
    for (const Json& one : stage_.comments()) {
      if (string_or(one, "body").find("rmcoc-auto-review-trigger") != std::string::npos) return one;
    }
    return {};
  }
  PrStage stage_;
  TempWorkspace kept_;
};

TEST_P(PrAgain, HeadThatComesBackIsReviewedAgainAndWhatIsFoundIsPosted) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  const std::string first = stage_.head(), id = string_or(stage_.blocks("review-finding")[0], "id");
  stage_.answers("full-review", cat(R"({"findings": [], "fixed": [")", id, "\"]}"));
  stage_.push({{"a.txt", "one\ntwo\nthree\n"}}, true);
  EXPECT_EQ(run().exit, 0);
  stage_.answers("full-review", kBlocking);
  stage_.push_back_to(first);
  EXPECT_EQ(stage_.head(), first);
  const Ran again = run();
  EXPECT_EQ(again.exit, 1) << again.out << again.err;
  const auto found = stage_.blocks("review-finding");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["status"], "RESOLVED");
  EXPECT_EQ(found[1]["status"], "PENDING");
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1) << "it stays shut";
  EXPECT_EQ(stage_.pending(), Ids());
}

TEST_P(PrAgain, HeadThatComesBackIsFinishedByTheNextRunWhenTheFirstIsKilled) {
  stage_.opened();
  EXPECT_EQ(run().exit, 0);
  const std::string first = stage_.head();
  stage_.push({}, true);
  EXPECT_EQ(run().exit, 0);
  stage_.push_back_to(first);
  stage_.agent("#!/bin/sh\nkill -KILL $PPID\nexec cat\n");
  EXPECT_EQ(run().exit, 128 + 9);
  stage_.agent("#!/bin/sh\ncat >/dev/null\necho '" + std::string(kBlocking) + "'\n");
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.blocks("review-finding").size(), 1U);
  EXPECT_EQ(stage_.blocks("auto-review-trigger").size(), 1U);
}

std::string without_member(std::string body, const std::string& member) {
  const std::size_t at = body.find("\"" + member + "\"");
  if (at == std::string::npos) return body;
  const std::size_t comma = body.rfind(',', at), end = body.find_first_of(",}", at);
  return body[end] == '}' ? body.erase(comma, end - comma) : body.erase(at, end + 1 - at);
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST_P(PrAgain, TakingTheSignaturesOutMakesNothingTrue) {
  const Ran made = kept_.run({"pr", "key", "new"});
  std::string key(trim(made.out));
  ASSERT_TRUE(key.starts_with("pawl1.")) << key;
  key = "pawl1.1767312000" + key.substr(key.rfind('.'));  // long ago: what is of the same second counts as older
  stage_.env = {"PAWL_BLOCK_KEY=" + key};
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  stage_.edit(finding(), replaced(without_member(string_or(finding(), "body"), "signature"), "PENDING", "RESOLVED"),
              "eve");
  stage_.edit(trigger(), replaced(without_member(string_or(trigger(), "body"), "signature"), "\"open\"", "\"shut\""),
              "eve");
  stage_.comment("bob", "hello");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("not believed"), std::string::npos) << ran.err;
}

TEST_P(PrAgain, AnotherKeyMeansUnreviewedAndIsSaid) {
  stage_.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'a')};
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  stage_.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'b')};
  stage_.comment("bob", "hello");
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_NE(ran.err.find("another key"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("a line below the new one in PAWL_BLOCK_KEY"), std::string::npos) << ran.err;
  // Both keys, the new one first: all is as it was, and nothing is said.
  stage_.env = {"PAWL_BLOCK_KEY=" + std::string(64, 'c') + "\n" + std::string(64, 'b') + "\n" + std::string(64, 'a')};
  stage_.comment("bob", "hello");
  const Ran both = run();
  EXPECT_EQ(both.exit, 1);
  EXPECT_EQ(both.err.find("not believed"), std::string::npos) << both.err;
}

TEST_P(PrAgain, SpoiltTriggerAndDeletedFindingAreFoundAnew) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  const Json comment = trigger();
  stage_.edit(comment, replaced(string_or(comment, "body"), "rmcoc\n{", "rmcoc\n{{"), "eve");
  stage_.remove(finding());
  stage_.opened();
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  // A machine that knows better needs no comment; one that does not reviews anew, and mends it in place.
  EXPECT_EQ(stage_.blocks("auto-review-trigger").size(), GetParam() ? 0U : 1U);
  EXPECT_EQ(stage_.comments().size(), 1U);
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1);
}

TEST_P(PrAgain, WhatAnotherRunHasFinishedMeanwhileIsNotSetBack) {
  // While this one's agent thinks, a run on another machine reviews the same head to its end.
  stage_.opened();
  const TempWorkspace other;
  std::string line;
  const RunOptions how = stage_.options(other);
  for (const std::string& word : how.env) line += cat("'", word, "' ");
  stage_.answers("full-review", kNothing);
  stage_.agent(cat("#!/bin/sh\nhere=$(dirname \"$0\")\ncat >/dev/null\n[ -e $here/once ] || { touch $here/once; cd ",
                   other.path(), " && env ", line, " ", PAWL_BINARY,
                   " pr run o/r#1 >/dev/null 2>&1; }\ncat $here/answer-full-review\n"));
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  ASSERT_EQ(stage_.blocks("auto-review-trigger").size(), 1U);
  EXPECT_TRUE(stage_.blocks("auto-review-trigger")[0].contains("completedAt"));
}

TEST_P(PrAgain, AnotherBaseIsAnotherDiffAndIsReviewed) {
  const auto retarget = [&](const char* base) {
    EXPECT_EQ(stage_.practice.request("PATCH", "/repos/o/r/pulls/1", {{"base", base}}).status, 200);
  };
  // A branch of the repository has it all but one file: against that there is nothing to find.
  const std::string git = string_or(stage_.practice.control("GET", "/repos/o/r"), "git");
  ASSERT_EQ(std::system(cat("git -C '", git, "' branch evil ", stage_.head()).c_str()), 0);
  stage_.push({{"harmless.txt", "hi\n"}});
  retarget("evil");
  stage_.opened();
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(stage_.asked(), Ids{"review/auto"});
  retarget("main");
  stage_.answers("full-review", kBlocking);
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.asked(), Ids{"review/auto"});
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.asked(), Ids()) << "and once";
}

TEST_P(PrAgain, DiffOfAnotherHeadIsNotReviewedAsThisOnes) {
  const std::string first = stage_.head();
  stage_.comment("ann", "@rmc-bot why is it 2?");
  stage_.opened();
  // The question comes first, and while it is answered another head is pushed: the diff that is fetched next is that
  // one's. When that is reviewed the first one is back.
  stage_.agent(
      cat("#!/bin/sh\nhere=$(dirname \"$0\")\ncat >$here/task.json\n",
          "force() { curl -s -d \"$1\" $GITHUB_API_URL/_practice/repos/o/r/pulls/1/force-push >/dev/null; }\n",
          "if [ $PAWL_TASK_TYPE = question-answering ]; then\n",
          "  force '{\"files\": {\"a.txt\": \"one\\ntwo\\nthree\\nfour\\n\"}}'; cat $here/answer-question-answering\n",
          "else\n  force '{\"sha\": \"", first, "\"}'\n", "  if grep -q '+2' $here/task.json; then echo '", kBlocking,
          "'; else echo '", kNothing, "'; fi\nfi\n"));
  const Ran ran = run();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(stage_.head(), first);
  EXPECT_EQ(stage_.blocks("review-finding").size(), 1U);
}

TEST_P(PrAgain, CommentOfAFindingAloneDoesNotSettleIt) {
  stage_.answers("full-review", kBlocking);
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  stage_.edit(finding(), replaced(string_or(finding(), "body"), "PENDING", "RESOLVED"), "eve");
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1) << "the comment on the review still lists it";
  const Json data = {{"type", "dispute-resolution"},
                     {"finding", string_or(stage_.blocks("review-finding")[0], "id")},
                     {"outcome", "concession"},
                     {"status", "RESOLVED"},
                     {"updatedAt", "2030-01-01T00:00:00Z"}};
  stage_.edit(finding(), with(string_or(finding(), "body"), "dispute-resolution", data), "eve");
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 1) << "an answer is a comment of its own";
}

TEST_P(PrAgain, QuotationOfOneFindingDisputesThatOneAlone) {
  stage_.answers("full-review", R"({"findings": [
    {"path": "zzz.py", "line": 9, "finding": "x leaks", "assessment": "m", "score": 8},
    {"path": "zzz.py", "line": 30, "finding": "x leaks memory in y", "assessment": "m", "score": 8},
    {"path": "yyy.py", "line": 9, "finding": "x leaks", "assessment": "m", "score": 8}]})");
  stage_.opened();
  EXPECT_EQ(run().exit, 1);
  stage_.asked();
  stage_.comment("bob", "> `zzz.py:30`\n>\n> **x leaks memory in y** (8/10)\n>\n> m\n\nno way");
  EXPECT_EQ(run().exit, 1);
  EXPECT_EQ(stage_.asked().size(), 1U);
  EXPECT_EQ(stage_.state()["metadata"]["blockingFindings"], 2);
}

TEST_P(PrAgain, RequestThatIsEditedIsAskedAnew) {
  const Json request = stage_.comment("ann", "@rmc-bot please review");
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(stage_.asked().size(), 1U);
  stage_.comment("bob", "hello");
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(stage_.asked(), Ids());
  stage_.edit(request, "@rmc-bot please review this once more", "ann");
  EXPECT_EQ(run().exit, 0);
  EXPECT_EQ(stage_.asked().size(), 1U);
  EXPECT_EQ(stage_.pending(), Ids());
}

INSTANTIATE_TEST_SUITE_P(Machines, PrAgain, testing::Bool());

}  // namespace
}  // namespace pawl::test

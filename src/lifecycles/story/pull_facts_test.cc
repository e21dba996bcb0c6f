#include "lifecycles/story/pull_facts.h"

#include <gtest/gtest.h>

namespace pawl::story {
namespace {

Said said(const std::string& id, const std::string& at, const std::string& body, const std::string& state = {}) {
  Said out;
  out.id = id;
  out.author = "ann";
  out.association = "MEMBER";
  out.at = at;
  out.body = body;
  out.state = state;
  out.commit = "head";
  out.trusted = true;
  return out;
}

PullFacts good() {
  PullFacts facts;
  facts.number = 7;
  facts.repo = "o/r";
  facts.state = "open";
  facts.head_sha = "head";
  facts.base_ref = "main";
  facts.merge_state = "clean";
  facts.pushed_at = "2026-01-01T12:00:00Z";
  facts.said = {said("review 1", "2026-01-01T13:00:00Z", "", "APPROVED")};
  return facts;
}

TEST(MergeReadiness, EachThingThatLacksBlocks) {
  EXPECT_TRUE(merge_blockers(good(), 1, "main").empty());
  EXPECT_FALSE(merge_blockers(good(), 2, "main").empty());
  EXPECT_FALSE(merge_blockers(good(), 1, "trunk").empty()) << "it goes into another branch";
  const auto blocked = [](const auto& spoil) {
    PullFacts facts = good();
    spoil(facts);
    return !merge_blockers(facts, 1, "main").empty();
  };
  EXPECT_TRUE(blocked([](PullFacts& f) { f.draft = true; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.said[0].trusted = false; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.said[0].ours = true; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.said[0].commit = "an earlier one"; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.said[0].state = "COMMENTED"; }));
  EXPECT_TRUE(
      blocked([](PullFacts& f) { f.said.push_back(said("review 2", "2026-01-01T14:00:00Z", "", "DISMISSED")); }));
  EXPECT_TRUE(blocked([](PullFacts& f) {
    f.said.push_back(said("review 2", "2026-01-01T14:00:00Z", "", "CHANGES_REQUESTED"));
    f.said.back().author = "bob";
  }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.failed_checks = {"build"}; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.waiting_checks = {"build"}; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.open_threads = 1; }));
  for (const char* state : {"dirty", "behind", "blocked", "unknown"})
    EXPECT_TRUE(blocked([&](PullFacts& f) { f.merge_state = state; })) << state;
  EXPECT_TRUE(blocked([](PullFacts& f) { f.decision = "review_required"; }));
  EXPECT_TRUE(blocked([](PullFacts& f) { f.state = "closed"; }));
}

TEST(WhoWentLast, NewestTrustedWordAgainstNewestPush) {
  PullFacts facts = good();
  EXPECT_FALSE(turn_of(facts, {}, "").reviewer_went_last) << "an approval without a word asks for nothing";
  facts.said.push_back(said("comment 2", "2026-01-01T12:00:00Z", "equal"));
  EXPECT_FALSE(turn_of(facts, {}, "").reviewer_went_last) << "equal means the bot";
  facts.said.push_back(said("comment 3", "2026-01-01T12:00:01Z", "later"));
  EXPECT_TRUE(turn_of(facts, {}, "").reviewer_went_last);
  EXPECT_FALSE(turn_of(facts, {"comment 3"}, "").reviewer_went_last);
  facts.said.back().trusted = false;
  EXPECT_EQ(turn_of(facts, {}, "").left_out, 1);
  EXPECT_FALSE(turn_of(facts, {}, "").reviewer_went_last);
  facts.said.back().ours = true;
  EXPECT_EQ(turn_of(facts, {}, "").left_out, 0);
}

TEST(WhoWentLast, WhatWasSaidWhileTheAgentWorkedIsNotLost) {
  PullFacts facts = good();
  facts.said = {said("comment 2", "2026-01-01T11:59:00Z", "answered"),
                said("comment 3", "2026-01-01T11:59:59Z", "not yet")};
  EXPECT_FALSE(turn_of(facts, {"comment 2"}, "").reviewer_went_last) << "somebody else pushed after it";
  const Turn turn = turn_of(facts, {"comment 2"}, "head");
  ASSERT_EQ(turn.news.size(), 1U);
  EXPECT_EQ(turn.news[0].id, "comment 3");
}

TEST(DoneElsewhere, ByTheLetter) {
  const auto where = [](const std::string& body) {
    PullFacts facts = good();
    facts.said.push_back(said("comment 2", "2026-01-01T12:00:00Z", body));
    const auto found = done_elsewhere(facts);
    return found ? found->where : std::string();
  };
  EXPECT_EQ(where("Done elsewhere: #12"), "#12");
  EXPECT_EQ(where("thanks!\nAlready done in o/other#3."), "o/other#3");
  EXPECT_EQ(where("duplicate of https://github.com/o/r/pull/9"), "https://github.com/o/r/pull/9");
  EXPECT_EQ(where("superseded by #8"), "#8");
  EXPECT_EQ(where("already done"), "") << "it has to be named";
  EXPECT_EQ(where("duplicate of #7"), "") << "itself";
  EXPECT_EQ(where("is this a duplicate of #8?"), "");
  EXPECT_EQ(where("> duplicate of #8"), "");
  EXPECT_EQ(where("```\nduplicate of #8\n```"), "");
  EXPECT_EQ(where("already donexyz #8"), "");
  EXPECT_EQ(where("Already fixed by commit 1a2b3c4d."), "1a2b3c4d");
  EXPECT_EQ(where("done elsewhere (see pull request #12)"), "#12");
  for (const char* says : {"already done in my opinion, but see #8", "Already fixed the typo; #8 is another matter",
                           "duplicate of #8?", "already done in #8, except for the tests", "superseded by #8 in part",
                           "already done in https://github.com/o/r/issues/8", "already fixed in deadbee",
                           "````\n```\nduplicate of #8\n````", "<!--\nduplicate of #8\n-->", "\tduplicate of #8"})
    EXPECT_EQ(where(says), "") << says;
}

TEST(ClosesIssue, GitHubsOwnWords) {
  EXPECT_TRUE(closes_issue("Fixes #5", "o/r", 5));
  EXPECT_TRUE(closes_issue("this closes: #5, and more", "o/r", 5));
  EXPECT_TRUE(closes_issue("RESOLVES O/R#5", "o/r", 5));
  EXPECT_TRUE(closes_issue("fix https://github.com/o/r/issues/5", "o/r", 5));
  EXPECT_FALSE(closes_issue("Fixes #55", "o/r", 5));
  EXPECT_FALSE(closes_issue("Fixes other/r#5", "o/r", 5));
  EXPECT_FALSE(closes_issue("prefixes #5", "o/r", 5));
  EXPECT_FALSE(closes_issue("see #5", "o/r", 5));
  EXPECT_TRUE(closes_issue("```\ncode\n```\nFixes #5", "o/r", 5));
  for (const char* text : {"```\nFixes #5\n```", "~~~~\n~~~\nFixes #5\n~~~~", "> Fixes #5", "<!-- Fixes #5 -->",
                           "<!--\nFixes #5\n-->", "    Fixes #5", "as in `Fixes #5` of the template"})
    EXPECT_FALSE(closes_issue(text, "o/r", 5)) << text;
}

TEST(DoneElsewhere, CommentSignInCodeHidesNothing) {
  const auto says = [](const std::string& body) {
    PullFacts facts = good();
    facts.said = {said("comment 2", "2026-01-01T13:00:00Z", body)};
    return done_elsewhere(facts).has_value();
  };
  EXPECT_TRUE(says("The template begins with `<!--`, by the way.\nAlready done in #8."));
  EXPECT_TRUE(says("```\n<!--\n```\nAlready done in #8."));
  EXPECT_FALSE(says("<!-- a\nAlready done in #8.\n-->"));
  EXPECT_FALSE(says("a <!--\nAlready done in #8.\n"));
  EXPECT_TRUE(closes_issue("see `<!--`\nFixes #5", "o/r", 5));
  EXPECT_FALSE(closes_issue("see `Fixes #5`", "o/r", 5));
  EXPECT_FALSE(closes_issue("<!-- Fixes #5 -->", "o/r", 5));
  EXPECT_TRUE(closes_issue("<!-- a --> Fixes #5", "o/r", 5));
}

// An answer with another commit would undo it.
TEST(Turn, AnApprovalAsksForNothingWhateverItSays) {
  PullFacts facts = good();
  facts.said = {said("review 1", "2026-01-01T13:00:00Z", "LGTM", "APPROVED")};
  EXPECT_FALSE(turn_of(facts, {}, "").reviewer_went_last);
  facts.said.push_back(said("comment 2", "2026-01-01T14:00:00Z", "but rename it"));
  EXPECT_EQ(turn_of(facts, {}, "").news.size(), 1U);
}

// Of what somebody else's push has answered the bot's own next push must not make news again.
TEST(Turn, WhatWasAnsweredBeforeAnothersPushIsTold) {
  PullFacts facts = good();
  facts.said = {said("comment 1", "2026-01-01T11:00:00Z", "old"), said("comment 2", "2026-01-01T13:00:00Z", "new")};
  const Turn turn = turn_of(facts, {}, "");
  ASSERT_EQ(turn.news.size(), 1U);
  EXPECT_EQ(turn.news[0].id, "comment 2");
  EXPECT_EQ(turn.settled, std::vector<std::string>{"comment 1"});
  std::vector<std::string> answered = turn.settled;
  answered.push_back(turn.news[0].id);
  EXPECT_FALSE(turn_of(facts, answered, facts.head_sha).reviewer_went_last);
}

}  // namespace
}  // namespace pawl::story

// A finding that is on GitHub is not said there again, whatever happens to the review; and nothing is approved that
// nobody looked at.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewSaidOnce : public ReviewOnGithub {
 protected:
  void lose_the_answer() const {
    practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "lost"}});
  }
  void start_and_lose() const {
    json({"start", "o/r#1"});
    add("core/engine.c", 42, "recommended", "One", {"--body", "text"});
    lose_the_answer();
    EXPECT_NE(run({"post", "--yes"}).exit, 0);
    ASSERT_EQ(reviews(1).size(), 1U);
  }
  // Posted until there is nothing to post; what is said by the first.
  std::string post_until_over() const {
    const Ran first = run({"post", "--yes"});
    EXPECT_EQ(first.exit, 0) << first.err;
    for (int i = 0; i < 2; ++i) {
      const Ran again = run({"post", "--yes"});
      EXPECT_EQ(again.exit, 3) << again.out << again.err;
    }
    return first.out;
  }
  void undo() const { EXPECT_EQ(project.run({"undo"}).exit, 0); }
  [[nodiscard]] std::size_t said(std::string_view title) const {
    std::size_t count = 0;
    for (const Json& one : inline_comments(1)) count += has(string_or(one, "body"), title) ? 1 : 0;
    for (const Json& one : reviews(1)) count += has(string_or(one, "body"), title) ? 1 : 0;
    return count;
  }
  void is_said_once(const std::string& out) const {
    EXPECT_TRUE(has(out, "it had been posted before")) << out;
    EXPECT_FALSE(has(out, "added or changed since")) << out;
    EXPECT_EQ(reviews(1).size(), 1U);
    EXPECT_EQ(said("One"), 1U);
  }
};

TEST_F(ReviewSaidOnce, AfterAnUndo) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  const Ran undone = project.run({"undo"});
  EXPECT_TRUE(has(undone.out, "What it did outside stays:\n    review for review/o/r#1 (done)")) << undone.out;
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterTheIntentIsUndoneToo) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  undo();
  undo();
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterALostAnswerAndAnUndo) {
  start_and_lose();
  undo();
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterALostAnswerAndAnotherReview) {
  start_and_lose();
  json({"start", "o/r#2", "--yes"});
  json({"continue", "o/r#1"});
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterALostAnswerAndTwoToggles) {
  start_and_lose();
  json({"toggle", "M1"});
  json({"toggle", "M1"});
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterALostAnswerWhenItsLineMoves) {
  start_and_lose();
  push(1, {{"core/engine.c", "top\n" + lines(1, 400, "engine")}});
  json({"validate", "--update"});
  EXPECT_EQ(json({"finding", "show", "M1"})["line"], 43);
  is_said_once(post_until_over());
}

TEST_F(ReviewSaidOnce, AfterCleaningAndStartingAnew) {
  start_and_lose();
  json({"clean"});
  json({"start", "o/r#1"});
  add("core/engine.c", 50, "recommended", "One", {"--body", "text"});
  add("core/engine.c", 51, "recommended", "Two");
  const Ran ran = run({"post", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "on GitHub already, and not said again:")) << ran.out;
  EXPECT_EQ(said("One"), 1U);
  EXPECT_EQ(said("Two"), 1U);
  EXPECT_FALSE(project.exists(kStateFile));
}

// History goes; what was said stays known.
TEST_F(ReviewSaidOnce, AfterHistoryIsCompacted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  EXPECT_EQ(project.run({"compact", "--keep", "0s"}).exit, 0);
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  EXPECT_EQ(json({"post", "--yes"})["there"].size(), 1U);
  EXPECT_EQ(said("One"), 1U);
}

TEST_F(ReviewSaidOnce, TwoThatSayTheSameAreTwo) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "Same");
  add("core/engine.c", 52, "recommended", "Same");
  json({"post", "--yes"});
  EXPECT_EQ(said("Same"), 2U);
}

TEST_F(ReviewSaidOnce, AnotherWordingIsAnother) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  undo();
  undo();
  json({"finding", "edit", "M1", "--body", "but why"});
  json({"post", "--yes"});
  EXPECT_EQ(said("One"), 2U);
}

// --- what is approved ---

TEST_F(ReviewSaidOnce, AHeadThatNobodyReviewedIsNotApproved) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  for (const char* how : {"--dry-run", "--yes"}) {
    const Ran ran = run({"post", how});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "COMMENT") && !has(ran.out, "APPROVE")) << ran.out;
    EXPECT_TRUE(has(ran.out, old) && has(ran.out, now) && has(ran.out, "pawl review validate")) << ran.out;
  }
  EXPECT_EQ(reviews(1)[0]["state"], "COMMENTED");
}

TEST_F(ReviewSaidOnce, AHeadWrittenByHandIsPutBack) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  project.edit_file(kStateFile, old, now);
  const Ran ran = run({"status"});
  EXPECT_TRUE(has(ran.err, "head_sha became “" + now + "”") && has(ran.err, "was put back")) << ran.err;
  EXPECT_TRUE(has(project.state_file(), old));
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "COMMENT");
}

TEST_F(ReviewSaidOnce, TheExportDoesNotSayWhichHeadWasReviewed) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  json({"export"});
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  project.write("mine.md", replaced(*project.read(kExportFile), old, now));
  EXPECT_EQ(json({"post", "--from", "mine.md", "--yes"})["verdict"], "COMMENT");
}

TEST_F(ReviewSaidOnce, AFileInNoChunkKeepsFromApproving) {
  push(1, {{"ui/a <!-- b.c", "x\n"}});
  const Ran started = run({"start", "o/r#1"});
  EXPECT_EQ(started.exit, 0) << started.err;
  EXPECT_TRUE(has(started.err, "left out of the plan: “ui/a <!-- b.c”")) << started.err;
  mark_all();
  EXPECT_TRUE(has(run({"status"}).out, "[!] in no chunk, as its name can not stand there: ui/a <!-- b.c"));
  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["verdict"], "COMMENT");
  EXPECT_TRUE(has(string_or(posted, "why"), "ui/a <!-- b.c")) << posted;
}

TEST_F(ReviewSaidOnce, FollowingTheHeadLeavesSuchNamesOutToo) {
  json({"start", "o/r#1"});
  mark_all();
  push(1, {{"ui/a <!-- b.c", "x\n"}, {"ui/new.c", "y\n"}});
  const Ran ran = run({"validate", "--update"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "left out of the plan: “ui/a <!-- b.c”")) << ran.err;
  EXPECT_TRUE(has(ran.out, "1 new chunk,")) << ran.out;
  EXPECT_FALSE(has(project.state_file(), "<!--") || has(project.todo(), "<!--")) << project.state_file();
  mark_all();
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "COMMENT");
}

TEST_F(ReviewSaidOnce, AGraveFindingThatIsKeptBackKeepsFromApproving) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Grave, perhaps", {"--confidence", "50"});
  const Json shown = json({"post", "--dry-run"});
  EXPECT_EQ(shown["verdict"], "COMMENT");
  EXPECT_TRUE(has(string_or(shown, "why"), "1 action-required finding is not marked")) << shown;
  json({"finding", "drop", "H1"});
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
}

TEST_F(ReviewSaidOnce, RestartRestartsAlsoWhereTheHeadStands) {
  json({"start", "o/r#1"});
  EXPECT_EQ(json({"validate", "--restart"})["reason"], "user_restart");
  EXPECT_FALSE(project.exists(kStateFile));
}

}  // namespace
}  // namespace pawl::test

// A finding that is on GitHub is not said there again, whatever happens to the review.
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
  // What would be done is what is done.
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "0 inline, 0 in the text\n") &&
              has(dry.out, "on GitHub already, and not said again:\n[x] M1"))
      << dry.out;
  const std::string out = post_until_over();
  EXPECT_TRUE(has(out, "0 inline, 0 in the text\n") && has(out, "on GitHub already, and not said again:\n[x] M1"))
      << out;
  is_said_once(out);
}

TEST_F(ReviewSaidOnce, WhatIsNewAfterAnUndoIsPostedAndTheReviewIsNotEndedUnasked) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  undo();
  add("core/engine.c", 42, "recommended", "Two");
  EXPECT_EQ(run({"post"}).exit, 1) << "nobody can be asked";
  EXPECT_TRUE(has(run({"status"}).out, "o/r#1")) << "it is still there";
  const Ran posted = run({"post", "--yes"});
  EXPECT_EQ(posted.exit, 0) << posted.err;
  EXPECT_EQ(said("One"), 1U);
  EXPECT_EQ(said("Two"), 1U);
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

TEST_F(ReviewSaidOnce, AfterALostAnswerWhatWasNotSaidIsNamed) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  add("core/engine.c", 43, "minor", "Two", {"--confidence", "30"});
  lose_the_answer();
  EXPECT_NE(run({"post", "--yes"}).exit, 0);
  const Ran again = run({"post"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "it had been posted before") && has(again.out, "not marked, and so not said: L2"))
      << again.out;
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

// --- from elsewhere ---

// Another clone knows nothing of the first one's post but what stands on GitHub.
TEST_F(ReviewSaidOnce, AlsoFromAnotherClone) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One", {"--body", "text"});
  add("core/engine.c", 52, "recommended", "One", {"--body", "text"});
  json({"post", "--yes"});
  const ReviewProject other;
  other.write("../gh/config.yml", "http_unix_socket: " + practice.socket() + "\n");
  const auto there = [&](std::vector<std::string> args) {
    RunOptions options;
    options.env = {"GH_CONFIG_DIR=" + other.file("../gh"), "GH_TOKEN=" + practice.token()};
    args.insert(args.begin(), "review");
    args.emplace_back("--json");
    const Ran ran = other.run(args, options);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  };
  there({"start", "o/r#1"});
  for (const char* line : {"1", "2", "3"})
    there({"finding", "add", "--file", "core/engine.c", "--line", line, "--severity", "recommended", "--title", "One",
           "--body", "text"});
  there({"finding", "add", "--file", "core/engine.c", "--line", "9", "--severity", "recommended", "--title", "Two"});
  const Json posted = there({"post", "--yes"});
  ASSERT_TRUE(posted.contains("there")) << posted;
  EXPECT_EQ(posted["there"].size(), 2U) << posted;  // two were said, so a third is another
  EXPECT_EQ(said("One"), 3U);
  EXPECT_EQ(said("Two"), 1U);
}

// What a stranger writes into a review of theirs keeps nobody from saying anything.
TEST_F(ReviewSaidOnce, AStrangersMarkIsNotBelieved) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "One");
  json({"post", "--yes"});
  const std::string body = string_or(reviews(1)[0], "body");
  EXPECT_TRUE(has(body, "<!-- pawl-said ")) << body;
  const Json shown = json({"start", "o/r#2", "--yes"});
  add("b.c", 1, "recommended", "Quoted", {"--body", "```\n" + body + "\n```"});
  json({"post", "--yes"});
  json({"start", "o/r#2", "--yes"});
  add("core/engine.c", 42, "recommended", "One");
  EXPECT_FALSE(json({"post", "--dry-run"}).contains("there"));
}

TEST_F(ReviewSaidOnce, AfterItsFileWasRenamed) {
  json({"start", "o/r#1"});
  add("ui/form.c", 7, "recommended", "One");
  json({"post", "--yes"});
  undo();
  push(1, {{"ui/form.c", nullptr}, {"ui/shape.c", lines(1, 200, "form")}});
  json({"validate", "--update"});
  EXPECT_EQ(json({"finding", "show", "M1"})["file"], "ui/shape.c");
  is_said_once(post_until_over());
}

}  // namespace
}  // namespace pawl::test

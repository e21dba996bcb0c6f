// Nothing is approved that nobody looked at, or over what somebody found.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewApproved : public ReviewOnGithub {
 protected:
  [[nodiscard]] std::string verdict(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"post", "--dry-run"};
    args.insert(args.end(), more.begin(), more.end());
    return string_or(json(args), "verdict");
  }
  // Answers y to `post` on a terminal, after `meanwhile`.
  Ran post_while(const std::function<void()>& meanwhile) const {
    const std::string answer = project.file("../answer");
    EXPECT_EQ(mkfifo(answer.c_str(), 0600), 0);
    RunOptions options;
    options.env = env();
    Child asking("sh",
                 {"-c", "exec 3<>'" + answer + "'; exec script -qec '" + std::string(PAWL_BINARY) +
                            " review post' /dev/null <&3"},
                 project.options(options));
    EXPECT_TRUE(asking.wait_for("Post this review?"));
    meanwhile();
    std::ofstream(answer) << "y\n" << std::flush;
    return asking.finish();
  }
};

TEST_F(ReviewApproved, AHeadThatNobodyReviewedIsNotApproved) {
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

TEST_F(ReviewApproved, TheQuestionNamesWhatNobodyReviewed) {
  json({"start", "o/r#1"});
  const Ran asked = project.at_terminal({"review", "post"}, "n\n", env());
  EXPECT_TRUE(has(asked.out, "Post this review?") && has(asked.out, "not reviewed yet: chunk")) << asked.out;
}

TEST_F(ReviewApproved, AHeadWrittenByHandIsPutBack) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  project.edit_file(kStateFile, old, now);
  const Ran ran = run({"status"});
  EXPECT_TRUE(has(ran.err, "head_sha became “" + now + "”") && has(ran.err, "was put back")) << ran.err;
  EXPECT_TRUE(has(project.state_file(), old));
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "COMMENT");
}

TEST_F(ReviewApproved, TheExportDoesNotSayWhichHeadWasReviewed) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  json({"export"});
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  project.write("mine.md", replaced(*project.read(kExportFile), old, now));
  EXPECT_EQ(json({"post", "--from", "mine.md", "--yes"})["verdict"], "COMMENT");
}

TEST_F(ReviewApproved, AFileInNoChunkKeepsFromApproving) {
  push(1, {{"ui/a <!-- b.c", "x\n"}});
  const Ran started = run({"start", "o/r#1"});
  EXPECT_EQ(started.exit, 0) << started.err;
  EXPECT_TRUE(has(started.err, "left out of the plan: “ui/a <!-- b.c”")) << started.err;
  mark_all();
  EXPECT_TRUE(has(run({"status"}).out, "[!] in no chunk, as its name cannot stand there: ui/a <!-- b.c"));
  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["verdict"], "COMMENT");
  EXPECT_TRUE(has(string_or(posted, "why"), "ui/a <!-- b.c")) << posted;
}

TEST_F(ReviewApproved, FollowingTheHeadLeavesSuchNamesOutToo) {
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

TEST_F(ReviewApproved, AGraveFindingThatIsKeptBackKeepsFromApproving) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Grave, perhaps", {"--confidence", "50"});
  const Json shown = json({"post", "--dry-run"});
  EXPECT_EQ(shown["verdict"], "COMMENT");
  EXPECT_TRUE(has(string_or(shown, "why"), "1 action-required finding is not marked")) << shown;
  json({"finding", "drop", "H1"});
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
}

// An export was made before the finding.
TEST_F(ReviewApproved, AnExportThatLacksAGraveFindingDoesNotApprove) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 1, "minor", "small");
  json({"export"});
  project.write("old.md", *project.read(kExportFile));
  EXPECT_EQ(verdict({"--from", "old.md"}), "APPROVE");
  add("core/engine.c", 42, "action-required", "Grave");
  const Json posted = json({"post", "--from", "old.md", "--yes"});
  EXPECT_EQ(posted["verdict"], "COMMENT") << posted;
  EXPECT_TRUE(has(string_or(posted, "why"), "1 action-required finding of the review is not in the export")) << posted;
  const Json left = json({"finding", "list"});
  ASSERT_EQ(left.size(), 1U) << left;
  EXPECT_EQ(left[0]["title"], "Grave");
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "REQUEST_CHANGES");
}

TEST_F(ReviewApproved, AnExportThatMakesLightOfAFindingDoesNotApprove) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Grave");
  json({"export"});
  project.write("light.md", replaced(*project.read(kExportFile), "🔴 Action Required", "🟢 Minor"));
  EXPECT_EQ(verdict({"--from", "light.md"}), "COMMENT");
}

// While another review is open somebody brings the first one's file back, and says in it that all is done.
TEST_F(ReviewApproved, AFileOfAReviewThatWasSetAsideIsHeldToWhatWasReviewed) {
  const std::string old = string_or(json({"start", "o/r#1"}), "head_sha");
  EXPECT_EQ(run({"mark", "1", "skipped"}).exit, 0);
  const std::string kept = project.state_file();
  add("core/engine.c", 42, "recommended", "Kept");
  const std::string now = push(1, {{"ui/form.c", "unseen\n"}});
  json({"start", "o/r#2", "--yes"});
  std::string forged = replaced(kept, old, now);
  for (int i = 0; i < 2; ++i) forged = replaced(forged, "| pending |", "| reviewed |");
  project.write(kStateFile, forged);
  const Json state = json({"status"});
  EXPECT_EQ(state["pr"], "o/r#1");
  EXPECT_EQ(state["head_sha"], old);
  EXPECT_EQ(state["chunks"][1]["status"], "pending") << state;
  EXPECT_EQ(state["findings"].size(), 1U) << state;
  EXPECT_TRUE(has(project.state_file(), "Kept") && has(project.state_file(), old)) << project.state_file();
  EXPECT_EQ(verdict(), "COMMENT");
}

TEST_F(ReviewApproved, AHeadThatMovesWhileItIsAskedIsNotApproved) {
  json({"start", "o/r#1"});
  mark_all();
  const Ran ran = post_while([&] { push(1, {{"ui/form.c", "unseen\n"}}); });
  EXPECT_TRUE(has(ran.out, "APPROVE on o/r#1") && has(ran.out, "nothing was posted")) << ran.out;
  EXPECT_TRUE(reviews(1).empty());
}

TEST_F(ReviewApproved, AThreadThatIsOpenedWhileItIsAskedCounts) {
  json({"start", "o/r#1"});
  mark_all();
  const Ran ran = post_while([&] {
    practice.control(
        "POST", "/repos/o/r/pulls/1/threads",
        {{"path", "core/engine.c"}, {"line", 3}, {"comments", Json::array({{{"author", "bob"}, {"body", "?"}}})}});
  });
  EXPECT_TRUE(has(ran.out, "it would be COMMENT by now")) << ran.out;
  EXPECT_TRUE(reviews(1).empty());
}

TEST_F(ReviewApproved, WhatLooksLikeAFindingAndComesWhileItIsAskedCounts) {
  json({"start", "o/r#1"});
  mark_all();
  const Ran ran = post_while(
      [&] { project.edit_file(kStateFile, "## Comments by File", "- 🔴 Action Required: bad\n\n## Comments by File"); });
  EXPECT_TRUE(has(ran.out, "APPROVE on o/r#1") && has(ran.out, "looks like a finding")) << ran.out;
  EXPECT_TRUE(reviews(1).empty());
}

// A short name of the head is enough to begin with; `validate` completes it.
TEST_F(ReviewApproved, AShortNameIsCompleted) {
  const std::string head = string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
  json({"start", "o/r#1", "--head", head.substr(0, 10)});
  mark_all();
  EXPECT_EQ(verdict(), "COMMENT");
  EXPECT_EQ(json({"validate"})["state_sha"], head);
  EXPECT_EQ(verdict(), "APPROVE");
}

TEST_F(ReviewApproved, AnAdoptedHeadInCapitalsIsTheSame) {
  const std::string head = string_or(json({"start", "o/r#1"}), "head_sha");
  mark_all();
  std::string capitals = head;
  for (char& c : capitals) c = static_cast<char>(toupper(c));
  const std::string file = replaced(project.state_file(), head, capitals);
  json({"clean"});
  project.write(kStateFile, file);
  EXPECT_EQ(json({"validate"})["valid"], true);
  EXPECT_EQ(project.state_file(), file);
  add("core/engine.c", 1, "minor", "small");
  EXPECT_TRUE(has(project.state_file(), capitals)) << project.state_file();
  EXPECT_EQ(verdict(), "APPROVE");
}

}  // namespace
}  // namespace pawl::test

// What somebody wrote into the state file and nobody could read: it may be a finding, so it is told of until a person
// has decided about it, and nothing is approved over it.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewUnread : public ReviewOnGithub {
 protected:
  // A finding as an agent mangles it, read by a prompt that throws the note away. Answers with the kept copy.
  [[nodiscard]] std::string mangle() const {
    project.edit_file(kStateFile, "## Comments by File",
                      "### [HIGH] SQL injection\n**File:** `ui/form.c:3` 99/100\n\n## Comments by File");
    EXPECT_EQ(project.run({"status"}).exit, 0);
    EXPECT_FALSE(has(project.state_file(), "SQL injection"));
    return project.only_kept("damaged");
  }
};

TEST_F(ReviewUnread, IsNamedUntilItIsSettledAndNothingIsApprovedOverIt) {
  json({"start", "o/r#1"});
  mark_all();
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
  const std::string copy = mangle();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(has(run({"status"}).out, copy));
    EXPECT_TRUE(has(run({"show"}).out, copy));
    const Ran board = project.run({"status"});
    EXPECT_TRUE(has(board.out, "Needs you") && has(board.out, "pawl dismiss " + copy)) << board.out;
  }
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "COMMENT") && has(dry.out, copy) && !has(dry.out, "APPROVE")) << dry.out;

  const Ran settled = project.run({"dismiss", copy, "--reason", "no injection: it is a constant"});
  EXPECT_EQ(settled.exit, 0) << settled.err;
  EXPECT_TRUE(has(settled.out, ".pawl/damaged/settled/")) << settled.out;
  EXPECT_FALSE(has(run({"status"}).out, copy));
  EXPECT_FALSE(has(project.run({"status"}).out, copy));
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "APPROVE");
  EXPECT_EQ(reviews(1)[0]["state"], "APPROVED");
}

TEST_F(ReviewUnread, IsPostedAsACommentWhereNobodyLooked) {
  json({"start", "o/r#1"});
  mark_all();
  const std::string copy = mangle();
  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["verdict"], "COMMENT");
  EXPECT_EQ(posted["unread"], Json::array({copy})) << posted;
  EXPECT_EQ(reviews(1)[0]["state"], "COMMENTED");
  EXPECT_FALSE(has(reviews(1)[0].dump(), copy)) << "a path of this machine is on GitHub";
}

// Of an edit that did other work too.
TEST_F(ReviewUnread, OneFindingComesBackWithoutTheRestOfTheEdit) {
  json({"start", "o/r#1"});
  EXPECT_EQ(run({"mark", "1", "in-progress"}).exit, 0);
  std::string old = project.state_file();
  add("ui/form.c", 3, "recommended", "Mine");
  old.replace(old.find("| in-progress |"), 15, "| reviewed |");
  project.write(kStateFile, old);
  const Ran seen = project.run({"status"});
  EXPECT_TRUE(has(seen.err, "brings it back, and takes back what else that edit changed")) << seen.err;
  EXPECT_TRUE(has(run({"status"}).out, "pawl review finding restore M1 --pr o/r#1  # brings it back"));
  const Ran back = run({"finding", "restore", "M1", "--pr", "o/r#1"});
  EXPECT_EQ(back.exit, 0) << back.err;
  const Json state = json({"status"});
  EXPECT_FALSE(state.contains("vanished"));
  EXPECT_EQ(state["chunks"][0]["status"], "reviewed");
  ASSERT_EQ(state["findings"].size(), 1U);
  EXPECT_EQ(state["findings"][0]["id"], "M1");
  EXPECT_TRUE(has(project.state_file(), "Mine")) << project.state_file();
  // Also one that was dropped; not one that is there, or never was.
  EXPECT_EQ(run({"finding", "restore", "M1"}).exit, 1);
  EXPECT_EQ(run({"finding", "drop", "M1"}).exit, 0);
  EXPECT_EQ(run({"finding", "restore", "M1"}).exit, 0);
  EXPECT_EQ(run({"finding", "restore", "M9"}).exit, 3);
}

// Whatever was taken back since, nobody has let go of it.
TEST_F(ReviewUnread, OneThatCameBackAndWentByUndoIsMissedAgain) {
  json({"start", "o/r#1"});
  const std::string old = project.state_file();
  add("ui/form.c", 3, "action-required", "Bad");
  project.write(kStateFile, old);
  EXPECT_TRUE(json({"status"}).contains("vanished"));
  EXPECT_EQ(run({"finding", "restore", "H1"}).exit, 0);
  EXPECT_FALSE(json({"status"}).contains("vanished"));
  project.must({"undo"});
  EXPECT_TRUE(json({"status"}).contains("vanished"));
  project.must({"undo"});
  EXPECT_FALSE(json({"status"}).contains("vanished"));
}

// An agent that rewrites the file leaves a finding out.
TEST_F(ReviewUnread, NothingIsApprovedOverAFindingThatVanished) {
  json({"start", "o/r#1"});
  mark_all();
  const std::string without = project.state_file();
  add("ui/form.c", 3, "action-required", "SQL injection");
  project.write(kStateFile, without);
  EXPECT_TRUE(has(project.run({"status"}).err, "no longer shows finding/o/r#1/H1"));
  for (int i = 0; i < 2; ++i) {
    const Ran board = project.run({"status"});
    EXPECT_TRUE(has(board.out, "Needs you") && has(board.out, "by an edit its file lost the finding H1")) << board.out;
    const Ran status = run({"status"});
    EXPECT_TRUE(has(status.out, "went from the review's file by an edit: H1") && has(status.out, "pawl undo ") &&
                has(status.out, "pawl review finding drop H1 --pr o/r#1"))
        << status.out;
  }
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "COMMENT") && has(dry.out, "pawl review finding drop H1") && !has(dry.out, "APPROVE"))
      << dry.out;
  // It comes back as it was, and goes again.
  const std::string undo = std::to_string(json({"status"})["vanished"][0]["operation"].get<int>());
  EXPECT_EQ(project.run({"undo", undo}).exit, 0);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "REQUEST_CHANGES");
  EXPECT_FALSE(json({"status"}).contains("vanished"));
  project.write(kStateFile, without);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "COMMENT");
  // Somebody lets it go, and takes that back.
  const Ran dropped = run({"finding", "drop", "H1", "--reason", "it is a constant"});
  EXPECT_EQ(dropped.exit, 0) << dropped.err;
  EXPECT_TRUE(has(dropped.out, "dropped H1")) << dropped.out;
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
  EXPECT_EQ(project.run({"undo"}).exit, 0);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "COMMENT");
  EXPECT_EQ(run({"finding", "drop", "H1"}).exit, 0);
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "APPROVE");
}

// Whatever number somebody gave it.
TEST_F(ReviewUnread, AFindingOfAnyNumberIsMissed) {
  json({"start", "o/r#1"});
  mark_all();
  const std::string without = project.state_file();
  add("ui/form.c", 3, "action-required", "SQL injection");
  project.edit_file(kStateFile, "Action Required SQL", "H4711 Action Required: SQL");
  ASSERT_EQ(json({"finding", "list"})[0]["id"], "H4711") << project.state_file();
  project.write(kStateFile, without);
  const Json status = json({"status"});
  ASSERT_TRUE(status.contains("vanished")) << status;
  ASSERT_EQ(status["vanished"].size(), 1U) << status << "it went once, by its last number";
  EXPECT_EQ(status["vanished"][0]["id"], "H4711") << status;
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "COMMENT");
  EXPECT_EQ(run({"finding", "drop", "H4711"}).exit, 0);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
}

TEST_F(ReviewUnread, AFindingThatACommandDroppedOrThatIsMinorKeepsNothingBack) {
  json({"start", "o/r#1"});
  mark_all();
  const std::string without = project.state_file();
  add("ui/form.c", 3, "action-required", "SQL injection");
  EXPECT_EQ(run({"finding", "drop", "H1"}).exit, 0);
  add("ui/form.c", 4, "minor", "a typo");
  project.write(kStateFile, without);
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
}

TEST_F(ReviewUnread, AnotherReviewsCopyIsNotThisOnes) {
  json({"start", "o/r#2"});
  json({"start", "o/r#1", "--yes"});
  json({"continue", "o/r#2"});
  const std::string copy = mangle();
  EXPECT_TRUE(has(run({"status"}).out, copy));
  json({"continue", "o/r#1"});
  EXPECT_FALSE(has(run({"status"}).out, copy));
}

// Also where its front matter is what cannot be read.
TEST_F(ReviewUnread, ACopyIsTheReviewsThatItsLinesName) {
  json({"start", "o/r#1"});
  json({"start", "o/r#2", "--yes"});
  project.write(kStateFile, replaced(project.state_file(), "---\n", "--\n"));
  EXPECT_EQ(project.run({"status"}).exit, 0);
  const Ran ran = project.run({"dismiss", "--all"});
  EXPECT_EQ(ran.exit, 2) << ran.out;
  EXPECT_TRUE(has(ran.err, "keeps the review of o/r#2 from approving")) << ran.err;
}

TEST_F(ReviewUnread, AllOfThemGoAtOnce) {
  json({"start", "o/r#1"});
  const std::string copy = mangle();
  EXPECT_EQ(project.run({"dismiss", ".pawl/damaged/none.20240130T090000Z"}).exit, 3);
  EXPECT_EQ(project.run({"dismiss", "--all", "--reason", "seen"}).exit, 0);
  EXPECT_FALSE(project.exists(copy));
  EXPECT_FALSE(has(run({"status"}).out, copy));
}

TEST_F(ReviewUnread, WhoLetItGoAndWhyIsTold) {
  json({"start", "o/r#1"});
  const std::string copy = mangle();
  const Ran bare = project.run({"dismiss", copy});
  EXPECT_EQ(bare.exit, 2);
  EXPECT_TRUE(has(bare.err, "keeps the review of o/r#1 from approving") &&
              has(bare.err, "pawl dismiss " + copy + " --reason TEXT"))
      << bare.err;
  EXPECT_EQ(project.run({"dismiss", "--all"}).exit, 2);
  EXPECT_TRUE(project.exists(copy));

  const std::string state = project.state_file();
  const Ran let_go = project.run({"dismiss", copy, "--reason", "no injection", "--actor", "ann"});
  EXPECT_EQ(let_go.exit, 0) << let_go.err;
  EXPECT_FALSE(project.exists(copy));
  EXPECT_EQ(project.state_file(), state);
  const Json newest = Json::parse(project.run({"log", "review/o/r#1", "--limit", "1", "--json"}).out)[0];
  EXPECT_EQ(newest["verb"], "dismiss");
  EXPECT_EQ(newest["actor"], "ann");
  EXPECT_EQ(newest["reason"], "no injection");
  EXPECT_EQ(newest["events"][0]["evidence"]["copies"], Json::array({copy}));
  // It is no step of undo, and stands in the way of none.
  EXPECT_TRUE(has(project.run({"undo", "--dry-run"}).out, "(review start)"));
}

}  // namespace
}  // namespace pawl::test

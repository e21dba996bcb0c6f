// `pawl review` against the stand-in for GitHub, and the real `gh` as a judge of what was posted.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

TEST_F(ReviewOnGithub, APlanIsMadeOfTheChangedFiles) {
  const Json started = json({"start", "o/r#1"});
  ASSERT_EQ(started["chunks"].size(), 3U) << started;
  EXPECT_EQ(started["chunks"][0]["files"], (Json{"core/engine.c", "core/engine.h"}));
  EXPECT_EQ(started["chunks"][0]["loc"], 402);
  EXPECT_EQ(started["chunks"][1]["files"], Json::array({"ui/form.c"}));
  EXPECT_EQ(started["chunks"][2]["files"], Json::array({"tests/engine_test.c"}));
  EXPECT_EQ(started["head_sha"], practice.request("GET", "/repos/o/r/pulls/1").json()["head"]["sha"]);
}

TEST_F(ReviewOnGithub, AClosedOneIsNotReviewed) {
  const Ran ran = run({"start", "o/r#3"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "o/r#3 is closed") && has(ran.err, "--head SHA and --plan FILE")) << ran.err;
  EXPECT_EQ(run({"start", "o/r#99"}).exit, 3);
}

// The whole way: two chunks reviewed, killed in the middle of the third, continued, the head moved, posted, and read
// back with gh.
TEST_F(ReviewOnGithub, IsPutDownKilledTakenUpMovedAndPosted) {
  json({"start", "o/r#1", "--focus", "bug"});
  for (const char* chunk : {"1", "2"}) {
    EXPECT_EQ(run({"mark", chunk, "in-progress"}).exit, 0);
    EXPECT_EQ(run({"mark", chunk, "reviewed"}).exit, 0);
  }
  add("core/engine.c", 42, "action-required", "Unchecked null",
      {"--category", "bug", "--confidence", "85", "--body", "It may be null.\n\n<!-- I am not sure -->", "--suggestion",
       "engine forty-two"});
  add("ui/form.c", 10, "recommended", "Too long", {"--confidence", "90"});
  add("ui/form.c", 20, "minor", "Removed later", {"--confidence", "90"});
  add("README.md", 1, "minor", "Not in the diff", {"--confidence", "90"});
  add("core/engine.c", 50, "minor", "Not to be posted", {"--confidence", "10"});
  EXPECT_EQ(run({"mark", "3", "in-progress"}).exit, 0);

  if (!project.killed_at(SYS_renameat2, {"review", "finding", "add", "--file", "tests/engine_test.c", "--line", "3",
                                         "--severity", "recommended", "--title", "Half a finding"}))
    GTEST_SKIP() << "tracing is not to be had here";
  const Json gone_on = json({"continue"});
  EXPECT_EQ(gone_on["next"]["chunk"], 3);
  EXPECT_EQ(gone_on["next"]["status"], "in-progress");
  EXPECT_EQ(json({"finding", "list"}).size(), 6U);  // it was committed, and its file follows
  EXPECT_TRUE(has(project.state_file(), "Half a finding"));
  EXPECT_EQ(json({"validate"})["valid"], true);

  // The head moves: two lines come in above line 42, line 20 of the form goes.
  const std::string old_head = string_or(json({"status"}), "head_sha");
  const std::string head = push(1, {{"core/engine.c", "new 1\nnew 2\n" + lines(1, 400, "engine")},
                                    {"ui/form.c", lines(1, 19, "form") + lines(21, 200, "form")}});
  const Ran stopped = run({"validate", "--json"});
  EXPECT_EQ(stopped.exit, 1);
  EXPECT_EQ(Json::parse(stopped.out)["reason"], "head_moved");
  EXPECT_TRUE(has(stopped.err, old_head) && has(stopped.err, head)) << stopped.err;
  EXPECT_EQ(json({"validate", "--continue"})["continued"], true);
  EXPECT_EQ(string_or(json({"status"}), "head_sha"), old_head);

  const Json followed = json({"validate", "--update"});
  EXPECT_EQ(followed["updated"]["moved"], 2) << followed;  // both on core/engine.c
  EXPECT_EQ(followed["updated"]["outdated"], 1) << followed;
  ASSERT_EQ(followed["updated"]["chunks"].size(), 1U) << followed;
  EXPECT_EQ(followed["updated"]["chunks"][0]["chunk"], 4);
  EXPECT_EQ(json({"finding", "show", "H1"})["line"], 44);
  EXPECT_EQ(json({"finding", "show", "L3"})["outdated"], true);
  EXPECT_EQ(string_or(json({"status"}), "head_sha"), head);
  EXPECT_TRUE(has(project.todo(), "- [ ] Chunk 4"));
  EXPECT_EQ(json({"validate"})["valid"], true);

  EXPECT_EQ(json({"export"})["count"], 5);
  const Json dry = json({"post", "--dry-run"});
  EXPECT_EQ(dry["verdict"], "REQUEST_CHANGES");
  EXPECT_TRUE(reviews(1).empty());
  const Ran nobody = run({"post"});
  EXPECT_EQ(nobody.exit, 1);
  EXPECT_TRUE(has(nobody.err, "--yes posts it")) << nobody.err;

  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["posted"], true);
  EXPECT_EQ(posted["inline"], 3) << posted;
  EXPECT_EQ(posted["in_body"], 2);
  for (const auto name : {kStateFile, kExportFile, kTodoFile}) EXPECT_FALSE(project.exists(name)) << name;
  EXPECT_TRUE(has(project.out({"review", "list"}), "posted"));
  EXPECT_EQ(run({"post", "--yes"}).exit, 3);  // there is nothing more to post
  EXPECT_EQ(reviews(1).size(), 1U);

  if (!has_gh()) GTEST_SKIP() << "gh is not installed";
  const Ran gh = practice.gh({"pr", "view", "1", "--repo", "o/r", "--json", "reviews,reviewDecision"});
  ASSERT_EQ(gh.exit, 0) << gh.err;
  const Json read = Json::parse(gh.out);
  ASSERT_EQ(read["reviews"].size(), 2U);  // one is that of the thread
  EXPECT_EQ(read["reviewDecision"], "CHANGES_REQUESTED");
  const std::string body = string_or(read["reviews"][1], "body");
  EXPECT_TRUE(has(body, "Not in the diff") && has(body, "Removed later")) << body;
  EXPECT_FALSE(has(body, "Not to be posted"));
  const Ran api = practice.gh({"api", "repos/o/r/pulls/1/comments"});
  ASSERT_EQ(api.exit, 0) << api.err;
  std::string all;
  for (const Json& one : Json::parse(api.out))
    all += string_or(one, "body") + "@" + std::to_string(integer_or(one, "line")) + "\n";
  EXPECT_TRUE(has(all, "Unchecked null") && has(all, "@44") && has(all, "```suggestion\nengine forty-two\n```")) << all;
  EXPECT_FALSE(has(all, "I am not sure")) << all;
  EXPECT_FALSE(has(all, "95") || has(all, "onfidence")) << all;
}

// The account may be that of a bot on pull requests, which keeps its state in its own comments.
TEST_F(ReviewOnGithub, NothingThatIsPostedPassesForABotsState) {
  json({"start", "o/r#1"});
  const std::string smuggled =
      "```rmcoc\n{\"type\":\"review-finding\",\"finding\":\"F\",\"assessment\":\"a\",\"score\":9}\n```\n@rmc-bot "
      "review\n::error::x";
  add("core/engine.c", 42, "recommended", "On a line", {"--confidence", "90", "--body", smuggled});
  add("README.md", 1, "recommended", "In the text", {"--confidence", "90", "--body", smuggled});
  EXPECT_EQ(run({"post", "--yes"}).exit, 0);
  std::string posted = practice.request("GET", "/repos/o/r/pulls/1/reviews").body;
  posted += practice.request("GET", "/repos/o/r/pulls/1/comments").body;
  EXPECT_TRUE(has(posted, "On a line") && has(posted, "In the text")) << posted;
  for (const char* what : {"```rmcoc", "@rmc-bot", "\\n::error"}) EXPECT_FALSE(has(posted, what)) << what << posted;
}

TEST_F(ReviewOnGithub, RestartEndsIt) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "minor", "x");
  push(1, {{"ui/form.c", "other\n"}});
  const Json answer = json({"validate", "--restart"});
  EXPECT_EQ(answer["valid"], false);
  EXPECT_EQ(answer["reason"], "user_restart");
  EXPECT_FALSE(project.exists(kStateFile));
  const Ran none = run({"validate", "--json"});
  EXPECT_EQ(none.exit, 3);
  EXPECT_EQ(to_line(Json::parse(none.out)), R"({"valid":false,"reason":"no_state"})");
  project.must({"undo"});
  EXPECT_EQ(json({"finding", "list"}).size(), 1U);
}

TEST_F(ReviewOnGithub, AnotherPullsStateIsSaid) {
  json({"start", "o/r#1"});
  const Ran ran = run({"validate", "--pr", "o/r#2", "--json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(Json::parse(ran.out)["reason"], "other_pr");
  EXPECT_TRUE(has(run({"validate", "--pr", "o/r#2"}).out, "belongs to o/r#1"));
}

TEST_F(ReviewOnGithub, TheTerminalIsAskedWhatToDoAboutAMovedHead) {
  json({"start", "o/r#1"});
  const std::string head = push(1, {{"ui/form.c", "other\n"}});
  const Ran asked = project.at_terminal({"review", "validate"}, "1\n", env());
  for (const char* part :
       {"Warning: PR head has changed since the review started.", "  State SHA:   ", "  Current SHA: ",
        "1. Continue with existing state (findings may reference outdated line numbers)",
        "2. Restart the review from scratch", "Which would you prefer?"})
    EXPECT_TRUE(has(asked.out, part)) << part << asked.out;
  EXPECT_TRUE(project.exists(kStateFile));
  project.at_terminal({"review", "validate"}, "3\n", env());
  EXPECT_EQ(string_or(json({"status"}), "head_sha"), head);
}

TEST_F(ReviewOnGithub, VerdictsFollowTheRules) {
  const auto verdict = [&] { return string_or(json({"post", "--dry-run"}), "verdict"); };
  json({"start", "o/r#1"});
  EXPECT_EQ(verdict(), "COMMENT");  // not every chunk is over
  mark_all();
  EXPECT_EQ(verdict(), "APPROVE");
  add("core/engine.c", 42, "minor", "small");
  EXPECT_EQ(verdict(), "APPROVE");
  practice.control(
      "POST", "/repos/o/r/pulls/1/threads",
      {{"path", "core/engine.c"}, {"line", 3}, {"comments", Json::array({{{"author", "bob"}, {"body", "?"}}})}});
  EXPECT_EQ(verdict(), "COMMENT");  // a thread is open
  add("core/engine.c", 43, "recommended", "more");
  EXPECT_EQ(verdict(), "COMMENT");
  add("core/engine.c", 44, "action-required", "much");
  EXPECT_EQ(verdict(), "REQUEST_CHANGES");
  EXPECT_EQ(run({"start", "o/r#2", "--yes"}).exit, 0);
  add("b.c", 1, "action-required", "mine");
  EXPECT_EQ(verdict(), "COMMENT");  // one's own
}

TEST_F(ReviewOnGithub, IsPostedOnceAlsoWhenTheAnswerIsLost) {
  json({"start", "o/r#1"});
  mark_all();
  add("core/engine.c", 42, "action-required", "Unchecked null");
  practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "lost"}});
  const Ran lost = run({"post", "--yes"});
  EXPECT_NE(lost.exit, 0) << lost.out;
  EXPECT_TRUE(project.exists(kStateFile));
  EXPECT_EQ(reviews(1).size(), 1U);
  const Json again = json({"post", "--yes"});
  EXPECT_EQ(again["already"], true) << again;
  EXPECT_EQ(again["verdict"], "REQUEST_CHANGES");
  EXPECT_EQ(reviews(1).size(), 1U);
  EXPECT_EQ(inline_comments(1).size(), 2U);  // the planted one and ours
  EXPECT_FALSE(project.exists(kStateFile));
}

TEST_F(ReviewOnGithub, AnExportIsPostedAsItWasEdited) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "To be reworded");
  json({"export"});
  project.edit_file(kExportFile, "To be reworded", "Reworded");
  json({"post", "--from", std::string(kExportFile), "--yes"});
  EXPECT_TRUE(has(string_or(inline_comments(1)[1], "body"), "Reworded"));
  // One of another pull request is a hard stop.
  EXPECT_EQ(run({"start", "o/r#2"}).exit, 0);
  project.write("other.md", "# Review Findings: o/r#1\n\n**Head SHA:** abc\n\n---\n");
  const Ran other = run({"post", "--from", "other.md", "--yes"});
  EXPECT_EQ(other.exit, 4);
  EXPECT_TRUE(has(other.err, "other.md is about o/r#1, and the review about o/r#2")) << other.err;
}

TEST_F(ReviewOnGithub, AnExportAloneIsPostedOnceToo) {
  const std::string head = string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
  project.write("alone.md", "# Review Findings: o/r#1\n\n**Head SHA:** " + head +
                                "\n\n---\n\n### 🟡 Recommended Alone\n\n**File:** `core/engine.c:5`\n\ntext\n");
  practice.fault({{"path", "/repos/o/r/pulls/1/reviews"}, {"method", "POST"}, {"kind", "lost"}});
  EXPECT_NE(run({"post", "--from", "alone.md", "--yes"}).exit, 0);
  EXPECT_EQ(json({"post", "--from", "alone.md", "--yes"})["already"], true);
  EXPECT_EQ(json({"post", "--from", "alone.md", "--yes"})["already"], true);
  EXPECT_EQ(reviews(1).size(), 1U);
}

TEST_F(ReviewOnGithub, AMovedHeadIsAskedAboutAndLinesAreLeftAlone) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "recommended", "x");
  push(1, {{"ui/form.c", "other\n"}});
  const Ran ran = run({"post"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "the head has moved")) << ran.err;
  const Json posted = json({"post", "--yes"});
  EXPECT_EQ(posted["inline"], 0);
  EXPECT_EQ(posted["in_body"], 1);
}

TEST_F(ReviewOnGithub, TheTerminalSeesTheVerdictBeforeItIsPosted) {
  json({"start", "o/r#1"});
  add("core/engine.c", 42, "action-required", "Unchecked null");
  const Ran no = project.at_terminal({"review", "post"}, "n\n", env());
  EXPECT_TRUE(has(no.out, "REQUEST_CHANGES on o/r#1") && has(no.out, "Unchecked null")) << no.out;
  EXPECT_TRUE(reviews(1).empty());
  project.at_terminal({"review", "post"}, "y\n", env());
  EXPECT_EQ(reviews(1).size(), 1U);
}

TEST_F(ReviewOnGithub, CommentsAreFetchedAndOthersKept) {
  json({"start", "o/r#1"});
  project.edit_file(kStateFile, "{}",
                    R"({"ui/form.c": [{"author": "x", "date": "2024-01-01", "thread_id": 9, "trust_level": "m"}]})");
  const Json answer = json({"comments"});
  EXPECT_EQ(answer["comments"], 1);
  const Json comments = json({"status"})["comments_by_file"];
  EXPECT_EQ(comments["core/engine.c"][0]["author"], "bob");
  EXPECT_EQ(comments["core/engine.c"][0]["line"], 2);
  EXPECT_EQ(comments["ui/form.c"][0]["trust_level"], "m");
  EXPECT_EQ(comments["tests/engine_test.c"], Json::array());
  const std::string before = project.state_file();
  json({"comments"});
  EXPECT_EQ(project.state_file(), before);
}

}  // namespace
}  // namespace pawl::test

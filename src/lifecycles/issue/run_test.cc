#include "lifecycles/issue/run.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/issue/naming.h"

namespace pawl::issue {
namespace {

TEST(IssueNaming, Slugs) {
  EXPECT_EQ(slug("Fix: Login!! page"), "fix-login-page");
  EXPECT_EQ(slug("  --A__b  "), "a-b");
  EXPECT_EQ(slug("ログイン画面を直す"), "");
  EXPECT_EQ(slug("?!…"), "");
  EXPECT_EQ(slug("API を v2 に"), "api-v2");
  EXPECT_EQ(slug("../../etc/passwd"), "etc-passwd");
  const std::string forty = slug("aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee");
  EXPECT_EQ(forty, "aaaaaaaaa-bbbbbbbbb-ccccccccc-ddddddddd");  // 40 would end in "-"
  EXPECT_LE(slug(std::string(1000, 'x')).size(), 40U);
}

TEST(IssueNaming, WorktreeAndBranch) {
  EXPECT_EQ(worktree_name(42, "Fix login"), "issue-42-fix-login");
  EXPECT_EQ(worktree_name(42, "…"), "issue-42");
  EXPECT_EQ(branch_name(42, "Fix login"), "feature/issue-42-fix-login");
  EXPECT_EQ(branch_name(42, ""), "feature/issue-42");
}

TEST(IssueNaming, Issue4IsNever42) {
  EXPECT_EQ(issue_of_worktree("issue-4"), 4);
  EXPECT_EQ(issue_of_worktree("issue-42-x"), 42);
  EXPECT_EQ(issue_of_worktree("issue-4-2"), 4);
  for (const std::string_view name : {"issue-", "issue-x", "issue-0", "issue-04", "issue-4x", "tissue-4", "issue"})
    EXPECT_EQ(issue_of_worktree(name), std::nullopt) << name;
  Settings settings;
  EXPECT_EQ(issue_of_session("pi-issue-42", settings), 42);
  EXPECT_EQ(issue_of_session("pi-issue-42-x", settings), std::nullopt);
  settings.set("issue.session_prefix", "my-issue", SettingSource::flag);
  EXPECT_EQ(session_name(4, settings), "my-issue-4");
  EXPECT_EQ(issue_of_session("my-issue-4", settings), 4);
}

// The seed's table: what is detected, and what the status becomes.
TEST(IssueRun, TheFourTriggersInTheirOrder) {
  Seen seen;
  EXPECT_FALSE(judge(seen));
  seen.gone = true;
  EXPECT_EQ(judge(seen)->status, kError);
  EXPECT_EQ(judge(seen)->message, "Session unexpectedly terminated");
  EXPECT_EQ(judge(seen)->ended, kLost);
  seen.exit = 3;
  EXPECT_EQ(judge(seen)->ended, kEnded);
  EXPECT_EQ(judge(seen)->message, "Session unexpectedly terminated");
  seen.said.error = 10;
  seen.said.message = "テストが失敗しました";
  EXPECT_EQ(judge(seen)->message, "テストが失敗しました");
  seen.said.complete = 5;
  EXPECT_EQ(judge(seen)->status, kComplete);
  seen.signal_error = "\x1b[31mby file\x1b[0m\n";
  EXPECT_EQ(judge(seen)->status, kError);
  EXPECT_EQ(judge(seen)->message, "by file");
  seen.signal_complete = "";
  EXPECT_EQ(judge(seen)->status, kComplete);
}

TEST(IssueRun, WhatWasThereBeforeWatchingDoesNotCount) {
  Seen seen;
  seen.said.complete = 100;
  seen.watched_from = 100;
  EXPECT_FALSE(judge(seen));
  seen.watched_from = 99;
  EXPECT_TRUE(judge(seen));
}

TEST(IssueRun, AnErrorWaitsForItsMessage) {
  Seen seen;
  seen.said.error = 10;
  seen.said.message_open = true;
  EXPECT_FALSE(judge(seen));
  seen.said.message_open = false;
  EXPECT_EQ(judge(seen)->message, kUnknownError);
}

TEST(IssueRun, LimitRefuses) {
  EXPECT_TRUE(check_limit({1, 2, 3, 4, 5}, 0));
  EXPECT_TRUE(check_limit({1}, 2));
  const auto full = check_limit({1, 42}, 2);
  EXPECT_EQ(full.error().code, ErrorCode::gate_failed);
  EXPECT_EQ(full.error().message, "issues 1, 42 are running, and issue.max_concurrent is 2");
  EXPECT_EQ(some_numbers({1, 2, 3, 4, 5, 6, 7, 8}), "1, 2, 3, 4, 5, 6 and 2 more");
}

TEST(IssueRun, OneThatIsOverDoesNotSpeakForWhatRunsNow) {
  issue::Run run;
  run.revision = 5;
  EXPECT_FALSE(is_over(run, {}, 0));
  EXPECT_FALSE(is_over(run, {.became_running = 5}, 1'000)) << "it began with this run";
  EXPECT_TRUE(is_over(run, {.became_running = 7}, 0)) << "it was something else in between";
  const StatusPast again{.became_running = 5, .said_again_ms = 2'000, .said_again = 6};
  EXPECT_FALSE(is_over(run, again, 0)) << "a script says so while it runs";
  EXPECT_FALSE(is_over(run, again, 3'000)) << "said before its output ended";
  EXPECT_TRUE(is_over(run, again, 1'000)) << "said of another one, as this one's output had ended";
  run.ended = kComplete;
  EXPECT_TRUE(is_over(run, {}, 0));
  EXPECT_FALSE(is_over(issue::Run{}, {.became_running = 7}, 0)) << "of an older pawl's runs it is not known";
}

TEST(IssueRun, MarkersFromBeforeItWasWatchedAreKnownAsSuch) {
  Said said;
  EXPECT_EQ(told_too_early(said, 0), "");
  said.completes = 1;  // on the screen of a session that was taken over
  EXPECT_EQ(told_too_early(said, 0), kComplete);
  said.complete = 100;
  EXPECT_EQ(told_too_early(said, 200), kComplete);
  EXPECT_EQ(told_too_early(said, 50), "") << "it counts";
  said = {};
  said.errors = 1;
  EXPECT_EQ(told_too_early(said, 0), kError);
}

TEST(IssueRun, FactsComeBackAsTheyWere) {
  issue::Run run;
  run.number = 42;
  run.id = "pawl-1";
  run.title = "日本";
  run.command = {"sh", "-c", "x;"};
  run.copied[".env"] = "1-2";
  run.watched_from = 7;
  run.watch = false;
  EXPECT_EQ(issue::Run::from(run.json()).json(), run.json());
  EXPECT_EQ(issue::Run::from(Json()).number, 0);
  EXPECT_EQ(issue::Run::from(Json{{"command", 3}, {"copied", {1}}}).command.size(), 0U);
}

TEST(IssueRun, WordsAreFilledIn) {
  issue::Run run;
  run.number = 7;
  run.title = "T";
  run.branch = "b";
  const std::string prompt = prompt_for(run, "", false), resumed = prompt_for(run, "go on with {title}", true);
  EXPECT_NE(prompt.find("issue #7: T"), std::string::npos) << prompt;
  EXPECT_NE(resumed.find("You resume"), std::string::npos);
  EXPECT_NE(resumed.find("go on with T"), std::string::npos);
  // What pawl tells the agent is not taken for what the agent says.
  MarkerReader reader(7, "");
  reader.feed(prompt);
  reader.feed(resumed);
  EXPECT_EQ(reader.said().completes + reader.said().errors, 0);
}

// The table is in core/placeholder_test.cc.
TEST(IssueCommand, WhatOthersWriteIsNoProgram) {
  issue::Run run;
  run.title = "T";
  run.branch = "feature/t";
  for (const char* word : {"claude {title}", "x '{prompt}'", "x {branch} | y", "cd {worktree}"}) {
    run.command = {"sh", "-c", word};
    const Done checked = check_command(run);
    ASSERT_FALSE(checked) << word;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(checked.error().hint.find("PAWL_"), std::string::npos) << checked.error().hint;
  }
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"claude", "-p", "{prompt}"}, Words{"sh", "-c", "claude \"$1\"", "sh", "{title}"},
        Words{"sh", "-c", "echo {number}; cat {prompt_file}"}, Words{"pi", "@{prompt_file}", "{worktree}/x"}}) {
    run.command = words;
    EXPECT_TRUE(check_command(run)) << words.back();
  }
  run.command = {"claude", "{title}"};
  run.title = "--dangerously-skip-permissions";
  EXPECT_FALSE(check_command(run)) << "a title is no option";
}

}  // namespace
}  // namespace pawl::issue

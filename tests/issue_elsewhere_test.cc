// Statuses below another base folder, as a script has them that names its own: what is said of them can be done there.
#include <gtest/gtest.h>

#include "support/run_project.h"

namespace pawl::test {
namespace {

class IssueElsewhere : public testing::Test {
 protected:
  IssueElsewhere() { project.ok({"init"}); }
  void says(const std::string& folder, int number, const std::string& status) const {
    const std::string n = std::to_string(number);
    const Ran ran =
        project.pawl({"issue", "set", n, status, "--session", "pi-issue-" + n}, {"PAWL_ISSUE_BASE_DIR=" + folder});
    EXPECT_EQ(ran.exit, 0) << ran.err;
  }
  // What a script has written long ago.
  void wrote(const std::string& folder, int number) const {
    const std::string n = std::to_string(number);
    project.write(folder + "/.status/" + n + ".json", "{\"issue\": " + n +
                                                          ", \"status\": \"running\", \"session\": \"pi-issue-" + n +
                                                          "\", \"timestamp\": \"2026-01-30T09:00:00Z\"}\n");
    static_cast<void>(project.pawl({"issue", "get", n}, {"PAWL_ISSUE_BASE_DIR=" + folder}));
  }
  Json row(const std::string& ref) const {
    const Json board = Json::parse(project.ok({"status", "--json"}));
    for (const Json& one : board["work"]) {
      if (one["ref"] == ref) return one;
    }
    return Json::object();
  }
  RunProject project;
};

TEST_F(IssueElsewhere, WhatTheBoardAdvisesWorksThere) {
  wrote("wt", 9);
  const std::string advice = string_or(row("issue/9"), "advice");
  EXPECT_EQ(advice,
            "PAWL_ISSUE_BASE_DIR=wt pawl issue run 9 --again --title TITLE -- AGENT  # begins anew\n"
            "PAWL_ISSUE_BASE_DIR=wt pawl issue reconcile 9  # ends it");
  // Its worktree is looked for where it is.
  project.git({"worktree", "add", "-q", "-b", "feature/9", "wt/issue-9-mine"});
  EXPECT_TRUE(string_or(row("issue/9"), "advice")
                  .starts_with("PAWL_ISSUE_BASE_DIR=wt pawl issue run 9 --again -- AGENT  # goes on with it\n"))
      << row("issue/9");
  const std::string typed = advice.substr(advice.find('\n') + 1);
  const Ran ran =
      run_program("sh", {"-c", "pawl() { '" + std::string(PAWL_BINARY) + "' \"$@\"; }; " + typed}, project.with_tmux());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(project.read("wt/.status/9.json").value_or(""), "\"error\"")) << ran.out;
  EXPECT_TRUE(has(string_or(row("issue/9"), "advice"), "PAWL_ISSUE_BASE_DIR=wt pawl issue ")) << row("issue/9");
}

// Two issues of one number are two.
TEST_F(IssueElsewhere, ARunHereIsNotTheirs) {
  project.start(9, kReadyAndWaits);
  ASSERT_TRUE(project.says(9, "ready"));
  wrote("wt", 9);
  const Json board = Json::parse(project.ok({"status", "--json"}));
  std::string names, titles;
  for (const Json& one : board["work"]) {
    names += string_or(one, "name") + " ";
    titles += string_or(one, "headline") + " ";
  }
  EXPECT_TRUE(has(names, "issue/9 in .worktrees/.status/9.json ")) << names;
  EXPECT_TRUE(has(names, "issue/9 in wt/.status/9.json ")) << names;
  EXPECT_EQ(titles.find("Title 9"), titles.rfind("Title 9")) << titles;
}

TEST_F(IssueElsewhere, AFileTellsThemApart) {
  says("wt", 9, "running");
  says("other", 9, "complete");
  const Ran both = project.pawl({"log", "issue/9"});
  EXPECT_NE(both.exit, 0);
  EXPECT_TRUE(has(both.err,
                  "“issue/9” may be issue/9 in other, issue/9 in wt\n"
                  "  --file FILE names the one that is meant: other/.status/9.json or wt/.status/9.json"))
      << both.err;
  EXPECT_TRUE(has(project.ok({"log", "issue/9", "--file", "wt/.status/9.json"}), "running"));
  EXPECT_TRUE(has(project.ok({"show", "issue/9", "--file", "other/.status/9.json"}), "complete"));
  EXPECT_EQ(project.pawl({"show", "issue/9", "--file", "third/.status/9.json"}).exit, 3);
}

}  // namespace
}  // namespace pawl::test

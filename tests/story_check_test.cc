// Checks of acceptance criteria, through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

class StoryCheck : public testing::Test {
 protected:
  StoryCheck() {
    project.start_git();
    project.write(".gitignore", "prd.json\npawl.toml\n.pawl\n");
    project.commit_all("one");
    project.git({"checkout", "--quiet", "-b", "work"});
  }
  void checks(const std::string& table, const std::string& more = {}) const {
    written(table, more);
    project.must({"trust"});
  }
  void written(const std::string& table, const std::string& more) const {
    project.write("pawl.toml", "[story]\n" + more + "[story.checks]\n" + table);
  }
  // What cannot be run is said when it is to be trusted.
  [[nodiscard]] std::string refused(const std::string& table, const std::string& more = {}) const {
    written(table, more);
    const Ran ran = project.run({"trust"});
    EXPECT_EQ(ran.exit, 2) << ran.out;
    return ran.err;
  }
  void story(const std::vector<std::string>& criteria, const Json& more = Json::object()) const {
    Json one = StoryProject::story("US-1", "pending", 1, more);
    one["acceptanceCriteria"] = criteria;
    one["branchName"] = "work";
    project.stories({one});
  }
  [[nodiscard]] Ran check(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"story", "check", "US-1"};
    args.insert(args.end(), more.begin(), more.end());
    return project.run(args);
  }
  [[nodiscard]] Json checked(int exit) const { return project.json({"story", "check", "US-1"}, exit); }
  StoryProject project;
};

TEST_F(StoryCheck, AllPassAndTheMoveIsMade) {
  checks(
      "\"Typecheck passes\" = [\"true\"]\n\"*tests*\" = [\"sh\", \"-c\", \"echo ran $PAWL_STORY on $PAWL_BRANCH\"]\n");
  story({"Typecheck passes", "All tests pass"});
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1) << "nothing was checked yet";
  const Json answer = checked(0);
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(string_or(answer["checks"][1], "tail"), "ran US-1 on work");
  const Ran moved = project.run({"story", "move", "US-1", "committed"});
  EXPECT_EQ(moved.exit, 0) << moved.err;
  EXPECT_EQ(project.in_file("US-1"), "committed");
  const std::string log = project.out({"log", "story/US-1", "--json"});
  for (const char* part : {"ran US-1 on work", "\"exit\"", "\"ms\"", "\"commit\""}) EXPECT_TRUE(has(log, part)) << part;
}

TEST_F(StoryCheck, ARepositoryThatIsNotThereIsSaidByTheMoveAsByTheCheck) {
  checks("", "repo = \"src/brave\"\ngates = \"record\"\n");
  story({"works"});
  constexpr std::string_view kWhy = "src/brave is no git repository";
  constexpr std::string_view kWayOn = "# set story.repo in pawl.toml";
  const Ran looked = check();
  EXPECT_EQ(looked.exit, 3);
  EXPECT_TRUE(has(looked.err, kWhy) && has(looked.err, kWayOn)) << looked.err;
  const Ran moved = project.run({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(has(moved.out, kWhy) && !has(moved.out, "there is no branch")) << moved.out;
  const Json shown = project.json({"story", "show", "US-1"});
  EXPECT_TRUE(string_or(shown, "advice").starts_with(kWayOn))
      << "an attest has no commit to be about either: " << shown;
  project.must({"undo"});
  checks("", "repo = \"src/brave\"\ngates = \"require\"\n");
  const Ran refused_move = project.run({"story", "move", "US-1", "committed"});
  EXPECT_EQ(refused_move.exit, 1);
  EXPECT_TRUE(has(refused_move.err, kWhy) && has(refused_move.err, kWayOn)) << refused_move.err;
}

TEST_F(StoryCheck, WhatPawlItselfWroteHoldsNoCheckUpOrIsNamedToBeCommitted) {
  checks("\"works\" = [\"true\"]\n");
  story({"works"});
  project.must({"leave"});
  project.must({"init"});
  project.must({"trust"});
  ASSERT_TRUE(project.exists("pawl-left/log.jsonl"));
  EXPECT_EQ(check().exit, 0) << check().err;
  project.write("pawl-left-mine/notes.txt", "x\n");
  EXPECT_TRUE(has(check().err, "pawl-left-mine/notes.txt")) << "that is somebody's own";
  std::filesystem::remove_all(project.file("pawl-left-mine"));
  const std::string said = project.out({"init", "--all"});
  EXPECT_TRUE(has(said, "git add :/.claude/settings.json :/.opencode/plugins/pawl.js :/AGENTS.md ")) << said;
  EXPECT_EQ(check().exit, 1) << "they are the user's files, with pawl's part in them";
  project.git({"add", ".claude/settings.json", ".opencode/plugins/pawl.js", "AGENTS.md"});
  project.git({"commit", "--quiet", "-m", "pawl's own"});
  EXPECT_EQ(check().exit, 0) << check().err;
  EXPECT_FALSE(has(project.out({"init", "--all"}), "git add")) << "it is done";
}

TEST_F(StoryCheck, AnotherCommitIsCheckedAnew) {
  checks("\"works\" = [\"true\"]\n");
  story({"works"});
  ASSERT_EQ(checked(0)["ok"], true);
  project.write("more.txt", "x\n");
  project.commit_all("two");
  const Ran moved = project.run({"story", "move", "US-1", "committed"});
  EXPECT_EQ(moved.exit, 1) << "what was shown holds for the commit before";
  EXPECT_TRUE(has(moved.err, "story check")) << moved.err;
}

TEST_F(StoryCheck, OneThatFailsIsShown) {
  checks("\"works\" = [\"sh\", \"-c\", \"echo the reason >&2; exit 7\"]\n");
  story({"works"});
  const Ran ran = check();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.out, "the reason")) << ran.out;
  EXPECT_TRUE(has(ran.err, "exit 7")) << ran.err;
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1);
}

TEST_F(StoryCheck, OneThatNeverEndsIsEndedWithItsChildren) {
  checks("\"works\" = [\"sh\", \"-c\", \"cat /dev/zero >/dev/null & echo $!; wait\"]\n", "check_timeout = \"300ms\"\n");
  story({"works"});
  const Json answer = checked(1);
  EXPECT_TRUE(has(string_or(answer["checks"][0], "ended"), "took longer")) << to_line(answer);
  const auto child = parse_positive(trim(string_or(answer["checks"][0], "tail")));
  ASSERT_TRUE(child);
  EXPECT_TRUE(ends(static_cast<pid_t>(*child)));
}

TEST_F(StoryCheck, WhatACheckStartedEndsWithIt) {
  checks("\"works\" = [\"sh\", \"-c\", \"cat /dev/zero >/dev/null & echo $!\"]\n");
  story({"works"});
  const Json answer = checked(0);
  const auto child = parse_positive(trim(string_or(answer["checks"][0], "tail")));
  ASSERT_TRUE(child);
  EXPECT_TRUE(ends(static_cast<pid_t>(*child)));
}

TEST_F(StoryCheck, OneThatPrintsAGigabyteIsCapped) {
  checks("\"works\" = [\"sh\", \"-c\", \"head -c 1000000000 /dev/zero | tr '\\\\000' x; echo; echo the end\"]\n");
  story({"works"});
  const Json answer = checked(0);
  EXPECT_TRUE(string_or(answer["checks"][0], "tail").ends_with("the end"));
  EXPECT_LT(string_or(answer["checks"][0], "tail").size(), 8'000U);
  EXPECT_LT(read_all(string_or(answer["checks"][0], "log")).value_or("").size(), std::size_t{3} << 20U);
}

TEST_F(StoryCheck, UntrustedCommandsAreNotRun) {
  project.write("pawl.toml", "[story.checks]\n\"works\" = [\"touch\", \"ran\"]\n");
  story({"works"});
  const Ran ran = check();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "pawl trust")) << ran.err;
  EXPECT_FALSE(project.exists("ran"));
}

TEST_F(StoryCheck, AStorysOwnCommandsAreTrustedOneByOne) {
  checks("\"other\" = [\"true\"]\n");
  story({"works"}, {{"checks", {{"works", {"sh", "-c", "echo own"}}}}});
  EXPECT_TRUE(has(check().err, "pawl trust --stories"));
  project.must({"trust", "--stories"});
  EXPECT_EQ(string_or(checked(0)["checks"][0], "tail"), "own");
  project.edit_prd("echo own", "echo evil");
  EXPECT_TRUE(has(check().err, "pawl trust --stories")) << "another command is another matter";
}

TEST_F(StoryCheck, ValuesAreWordsAndNoCommands) {
  checks("\"works\" = [\"printf\", \"%s|\", \"{id}\", \"--f={testFilter}\"]\n");
  story({"works"}, {{"testFilter", "$(touch pwned); `touch pwned` 'x' {id}"}});
  EXPECT_EQ(string_or(checked(0)["checks"][0], "tail"), "US-1|--f=$(touch pwned); `touch pwned` 'x' {id}|");
  checks("\"works\" = \"printf %s {testFilter} --f={testFilter} | cat\"\n", "shell = true\n");
  static_cast<void>(checked(0));
  for (const char* command : {"[\"sh\", \"-c\", \"echo {testFilter}\"]", "[\"env\", \"-S\", \"{testFilter}\"]",
                              "\"{testFilter}; true\"", "\"eval {testFilter}\""}) {
    EXPECT_TRUE(has(refused(cat("\"works\" = ", command, "\n"), "shell = true\n"), "$PAWL_TEST_FILTER")) << command;
  }
  checks("\"works\" = [\"sh\", \"-c\", \"printf %s \\\"$PAWL_TEST_FILTER\\\"\"]\n");
  EXPECT_TRUE(has(string_or(checked(0)["checks"][0], "tail"), "$(touch pwned)"));
  EXPECT_FALSE(project.exists("pwned"));
}

TEST_F(StoryCheck, AValueDoesNotBecomeAnOption) {
  checks("\"works\" = [\"ls\", \"{testFilter}\"]\n");
  story({"works"}, {{"testFilter", "--help"}});
  EXPECT_TRUE(has(check().err, "option"));
}

TEST_F(StoryCheck, ALineThatNeedsAShellSaysSo) {
  EXPECT_TRUE(has(refused("\"works\" = \"echo a | grep a\"\n"), "story.shell"));
  story({"works"});
  checks("\"works\" = \"echo a | grep a\"\n", "shell = true\n");
  EXPECT_EQ(checked(0)["ok"], true);
}

TEST_F(StoryCheck, DirtyTreeDetachedHeadMissingBranch) {
  checks("\"works\" = [\"true\"]\n");
  story({"works"});
  project.write("new.txt", "x\n");
  EXPECT_TRUE(has(check().err, "new.txt"));
  project.commit_all("two");
  EXPECT_TRUE(has(check({"--branch", "nope"}).err, "no branch"));
  project.git({"checkout", "--quiet", "--detach"});
  EXPECT_TRUE(has(check().err, "checked out nowhere"));
  project.edit_prd("\"branchName\": \"work\"", "\"branchName\": \"\"");
  EXPECT_TRUE(has(check().err, "detached")) << check().err;
}

TEST_F(StoryCheck, ACheckThatChangesTheTreeFails) {
  checks("\"works\" = [\"sh\", \"-c\", \"echo x > left.txt\"]\n");
  story({"works"});
  const Json answer = checked(1);
  EXPECT_TRUE(has(string_or(answer["checks"][0], "ended"), "left.txt"));
}

TEST_F(StoryCheck, WhatHasNoCommandIsAttested) {
  checks("\"works\" = [\"true\"]\n");
  story({"works", "looks good"});
  EXPECT_EQ(checked(1)["without_command"], Json::array({"looks good"}));
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1);
  EXPECT_EQ(project.run({"story", "attest", "US-1", "nothing", "--evidence", "x"}).exit, 2);
  project.must({"story", "attest", "US-1", "looks", "--evidence", "seen in Firefox", "--actor", "ann"});
  project.must({"story", "move", "US-1", "committed"});
  const std::string log = project.out({"log", "story/US-1", "--json"});
  EXPECT_TRUE(has(log, "seen in Firefox"));
  EXPECT_TRUE(has(log, "\"ann\""));
}

TEST_F(StoryCheck, NobodysWordStandsForACheck) {
  checks("\"works\" = [\"false\"]\n");
  story({"works", "looks good"});
  EXPECT_EQ(checked(1)["ok"], false);
  const Ran talked = project.run({"story", "attest", "US-1", "works", "--evidence", "trust me", "--actor", "ann"});
  EXPECT_EQ(talked.exit, 1) << talked.out;
  EXPECT_TRUE(has(talked.err, "has a command")) << talked.err;
  const Ran unnamed = project.run({"story", "attest", "US-1", "looks", "--evidence", "seen"});
  EXPECT_EQ(unnamed.exit, 2) << unnamed.out;
  EXPECT_TRUE(has(unnamed.err, "PAWL_ACTOR")) << unnamed.err;
}

TEST_F(StoryCheck, WhatAnotherCommandShowedShowsNothing) {
  checks("\"works\" = [\"true\"]\n");
  story({"works"}, {{"testFilter", "a"}});
  ASSERT_EQ(checked(0)["ok"], true);
  checks("\"works\" = [\"false\"]\n");
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1) << "another command stands for it now";
  checks("");
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1) << "none does";
  checks("\"works\" = [\"true\"]\n");
  project.edit_prd("\"testFilter\": \"a\"", "\"testFilter\": \"b\"");
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1) << "it was another filter's";
  ASSERT_EQ(checked(0)["ok"], true);
  project.must({"story", "move", "US-1", "committed"});
}

TEST_F(StoryCheck, WhatGitWasToldNotToLookAtIsNotClean) {
  checks("\"works\" = [\"true\"]\n");
  project.write("code.txt", "good\n");
  project.commit_all("two");
  story({"works"});
  for (const std::string how : {"assume-unchanged", "skip-worktree"}) {
    project.git({"update-index", "--" + how, "code.txt"});
    project.write("code.txt", "not what was committed\n");
    const Ran ran = check();
    EXPECT_EQ(ran.exit, 1) << how;
    EXPECT_TRUE(has(ran.err, "code.txt") && has(ran.err, "--no-" + how)) << ran.err;
    project.git({"update-index", "--no-" + how, "code.txt"});
    project.git({"checkout", "--quiet", "--", "code.txt"});
  }
  EXPECT_EQ(checked(0)["ok"], true);
  project.git({"update-index", "--skip-worktree", "code.txt"});
  EXPECT_TRUE(has(project.run({"story", "move", "US-1", "committed"}).err, "code.txt"));
}

TEST_F(StoryCheck, RepositoryWithinIsNamed) {
  checks("\"works\" = [\"true\"]\n");
  story({"works"});
  ASSERT_EQ(run_program("git", {"init", "--quiet", project.path() + "/within/inner"}).exit, 0);
  const Ran ran = check();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "within/inner")) << ran.err;
  project.write(".gitignore", "prd.json\npawl.toml\n.pawl\nwithin/\n");
  project.commit_all("ignored");
  EXPECT_EQ(checked(0)["ok"], true) << "what is ignored stays so";
}

TEST_F(StoryCheck, SuggestionIsTomlThatFailsUntilItIsFilledIn) {
  story({"works", "a \"quoted\"\nnew line \\ and $(x)"});
  const std::string toml = project.out({"story", "checks", "--suggest"});
  project.write("pawl.toml", toml);
  project.must({"trust"});
  const Json answer = checked(1);
  EXPECT_EQ(answer["checks"].size(), 2U) << toml;
  EXPECT_EQ(project.out({"story", "checks", "--suggest"}), "# every criterion has a command\n");
}

// It is read by whoever is about to trust it: nothing in it looks like something else.
TEST_F(StoryCheck, SuggestionShowsWhatATerminalWouldHide) {
  story({"a\u0085b\u009b31mc", "d\u202ee\u2028f", "\u00e9 \U0001F600"});
  const std::string toml = project.out({"story", "checks", "--suggest"});
  EXPECT_TRUE(has(toml, R"("a\u0085b\u009B31mc")")) << toml;
  EXPECT_TRUE(has(toml, R"("d\u202Ee\u2028f")")) << toml;
  EXPECT_TRUE(has(toml, "\"\u00e9 \U0001F600\"")) << toml;
  project.write("pawl.toml", toml);
  project.must({"trust"});
  EXPECT_EQ(project.out({"story", "checks", "--suggest"}), "# every criterion has a command\n") << "it is read back";
}

TEST_F(StoryCheck, InitBeginsWithRecordWhereNothingCanBeChecked) {
  Json one = StoryProject::story("US-1", "pending", 1, {{"branchName", "work"}});
  one["acceptanceCriteria"] = {"works"};
  project.write("prd.json", to_pretty(Json{{"stories", Json::array({one})}}));
  const std::string told = project.out({"init"});
  EXPECT_TRUE(has(told, "record")) << told;
  EXPECT_TRUE(has(project.read("pawl.toml").value_or(""), "gates = \"record\""));
  const Ran moved = project.run({"story", "move", "US-1", "committed"});
  EXPECT_EQ(moved.exit, 0) << moved.err;
  EXPECT_TRUE(has(moved.out + moved.err, "unverified")) << moved.out << moved.err;
  // The mark is the status's: an edit of something else does not take it off.
  std::string list = project.read("prd.json").value_or("");
  list.replace(list.find("\"title\": \""), 10, "\"title\": \"x");
  project.write("prd.json", list);
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "moved without what the move needs")) << board;
}

TEST_F(StoryCheck, OnlyTheseAndEachOnce) {
  checks("\"*\" = [\"true\"]\n");
  story({"a", "b", "c"});
  const Ran twice = check({"--only", "a", "--only", "a"});
  EXPECT_EQ(twice.exit, 0) << twice.err;
  const Ran unknown = check({"--only", "a", "--only", "x", "--only", "y"});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_TRUE(has(unknown.err, "has no criterion “x” or “y”")) << unknown.err;
}

TEST_F(StoryCheck, BranchThatWasCheckedIsTheStorys) {
  checks("\"works\" = [\"true\"]\n");
  Json one = StoryProject::story("US-1");
  one["acceptanceCriteria"] = {"works"};
  project.stories({one});
  ASSERT_EQ(checked(0)["ok"], true);
  project.must({"story", "move", "US-1", "committed"});
  EXPECT_EQ(string_or(project.json({"story", "show", "US-1"}), "branchName"), "work");
  EXPECT_TRUE(has(project.prd(), "\"branchName\": \"work\"")) << project.prd();
}

}  // namespace
}  // namespace pawl::test

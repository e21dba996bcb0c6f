// A check that cannot be run has no verdict: the work neither passed nor failed, nothing is counted, and no agent is
// paid to mend it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "support/bot_project.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

// --- the check of a loop ---

std::size_t lines_in(const std::optional<std::string>& text) {
  return text ? static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n')) : 0;
}

class LoopCheckNotRun : public testing::Test {
 protected:
  // An agent that counts how often it is called, and says that it is done.
  [[nodiscard]] Ran run(const std::vector<std::string>& options) const {
    std::vector<std::string> args = {"ralph", "run", "--json"};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {"--", "/bin/sh", "-c", "echo x >> calls; echo '<promise>TASK_COMPLETE</promise>'"});
    return project.run(args);
  }
  // The last line: what the agent prints comes before it.
  [[nodiscard]] static Json answer(const Ran& ran) {
    const std::size_t begin = ran.out.find("{\n");
    return begin == std::string::npos ? Json() : Json::parse(ran.out.substr(begin), nullptr, false);
  }
  [[nodiscard]] std::size_t calls() const { return lines_in(project.read("calls")); }
  [[nodiscard]] Json loop() const { return parse_json(project.out({"ralph", "show", "--json"})).value_or(Json()); }
  [[nodiscard]] Json verification() const {
    return parse_json(project.out({"verify", "show", "--json"})).value_or(Json());
  }
  void script(const std::string& text, bool executable = true) const {
    project.write("check.sh", text);
    fs::permissions(project.file("check.sh"), executable ? fs::perms::owner_all : fs::perms::owner_read);
  }
  IssueProject project;
};

TEST_F(LoopCheckNotRun, IsToldBeforeAnAgentIsPaid) {
  script("true\n", false);
  fs::create_directories(project.file("folder"));
  for (const char* const verify :
       {"no-such-program", "  no-such-program --all", "/no/such/program", "./check.sh", "./folder"}) {
    SCOPED_TRACE(verify);
    const Ran ran = run({"--prompt", "do it", "--verify", verify});
    EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.err, "cannot be run")) << ran.err;
    EXPECT_EQ(calls(), 0U);
    EXPECT_FALSE(project.exists(kLoopFile)) << "no loop was begun";
  }
}

// Words of the shell are no files; nor is what only the shell can tell.
TEST_F(LoopCheckNotRun, IsNotSaidOfWhatAShellKnows) {
  std::size_t expected = 0;
  for (const char* const verify :
       {"true", "test -e .", ": nothing", "! false", "if true\nthen true\nfi", "no-such-program || true",
        "X=1 sh -c true", "\"true\"", "no-such-program 2>/dev/null; true"}) {
    SCOPED_TRACE(verify);
    const Ran ran = run({"--prompt", "do it", "--verify", verify});
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_EQ(calls(), ++expected);
  }
}

TEST_F(LoopCheckNotRun, EndsTheRunAndTheNextOneBeginsWithTheClaim) {
  for (const char* const verify :
       {"true && no-such-program", "./check.sh", "exit 126", "exit 127", "sh -c 'no-such-program'"}) {
    SCOPED_TRACE(verify);
    fs::remove(project.file("calls"));
    const Ran ran = run({"--prompt", "do it", "--max", "1", "--verify", verify});
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_EQ(answer(ran)["ended"], "check_not_run") << ran.out;
    EXPECT_EQ(answer(ran)["check"]["command"], verify);
    EXPECT_NE(string_or(answer(ran)["check"], "why"), "");
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(loop()["status"], "active");
    EXPECT_EQ(loop()["state"]["iteration"], 1);
    EXPECT_EQ(verification()["status"], "pending");
    EXPECT_EQ(verification()["state"]["verification_attempts"], 0);
    EXPECT_EQ(answer(run({}))["ended"], "check_not_run");
    EXPECT_EQ(calls(), 1U) << "it still cannot be run";
    const Ran again = run({"--verify", "true"});
    EXPECT_EQ(again.exit, 0) << again.out << again.err;
    EXPECT_EQ(answer(again)["ended"], "promise");
    EXPECT_EQ(calls(), 1U) << "the claim was checked, at the maximum too";
    EXPECT_EQ(loop()["status"], "complete");
    EXPECT_EQ(verification()["state"]["verification_attempts"], 1);
  }
}

TEST_F(LoopCheckNotRun, IsAskedAgainWhenItIsThere) {
  EXPECT_EQ(answer(run({"--prompt", "do it", "--max", "2", "--verify", "./check.sh"}))["ended"], "check_not_run");
  script("#!/bin/sh\necho asked >> asked; exit 1\n");
  const Ran rejected = run({});
  EXPECT_EQ(answer(rejected)["ended"], "maximum") << rejected.out << rejected.err;
  EXPECT_EQ(project.read("asked"), "asked\nasked\n") << "once about the claim that waited, once about the next";
  EXPECT_EQ(calls(), 2U);
}

TEST_F(LoopCheckNotRun, ThatCameApartIsToldBeforeTheNextAgentIsPaid) {
  script("#!/bin/sh\nexit 1\n");
  EXPECT_EQ(answer(run({"--prompt", "do it", "--attempts", "1", "--verify", "./check.sh"}))["ended"], "rejected");
  fs::permissions(project.file("check.sh"), fs::perms::owner_read);
  const Ran ran = run({});
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "is not executable")) << ran.err;
  EXPECT_EQ(calls(), 1U);
}

TEST_F(LoopCheckNotRun, SaysNothingOfALoopThatWasCompletedPastIt) {
  project.write("pawl.toml", "gates = \"record\"\n");
  const Ran ran =
      project.run({"ralph", "run", "--json", "--prompt", "do it", "--max", "1", "--verify", "exit 127", "--", "/bin/sh",
                   "-c", cat("echo x >> calls; env -u PAWL_ITERATION ", PAWL_BINARY, " ralph complete")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(answer(ran)["ended"], "check_not_run") << ran.out;
  EXPECT_EQ(calls(), 1U);
}

// --- the checks of stories ---

class StoryCheckNotRun : public testing::Test {
 protected:
  StoryCheckNotRun() { count_calls(); }
  void count_calls() const {
    project.agent(cat("echo x >> ", project.home(), "/calls\necho work >> \"$PAWL_STORY.txt\"\n"));
  }
  [[nodiscard]] std::size_t calls() const { return lines_in(read_all(project.home() + "/calls")); }
  // A check that is outside of the worktrees.
  void check_script(const std::string& text) const { write_all(project.home() + "/check.sh", text); }
  void check_by_script(const std::string& more = {}) const {
    project.settings(more, cat("\"works\" = [\"sh\", \"", project.home(), "/check.sh\"]\n"));
  }
  [[nodiscard]] bool log_has(const std::string& what) const {
    return has(project.out({"log", "--json", "--limit", "100"}), what);
  }
  BotProject project;
};

TEST_F(StoryCheckNotRun, IsToldBeforeTheFirstAgentIsPaid) {
  project.settings({}, "\"works\" = [\"no-such-program\"]\n");
  project.stories({BotProject::story("US-1"), BotProject::story("US-2")});
  EXPECT_TRUE(has(project.pawl({"story", "run", "--dry-run"}).out, "but not yet: the check for “works”"));
  const Ran ran = project.pawl({"story", "run", "--until-idle"});
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "no program called no-such-program is in PATH")) << ran.err;
  EXPECT_EQ(calls(), 0U);
  EXPECT_EQ(project.not_picked("US-1"), "") << "no story is to blame";
  project.settings({}, "\"works\" = [\"true\"]\n");
  project.carry();
  EXPECT_EQ(calls(), 2U);
  EXPECT_EQ(project.status("US-1"), "pushed");
}

TEST_F(StoryCheckNotRun, OfItsOwnHoldsTheStoryBeforeAnAgentIsPaid) {
  project.stories(
      {BotProject::story("US-1", 1, {{"checks", {{"works", {"no-such-program"}}}}}), BotProject::story("US-2", 2)});
  project.must({"trust", "--stories"});
  project.carry();
  EXPECT_EQ(calls(), 1U) << "for the other one";
  EXPECT_EQ(project.status("US-2"), "pushed");
  EXPECT_TRUE(has(project.not_picked("US-1"), "no-such-program")) << project.not_picked("US-1");
  EXPECT_EQ(project.json({"story", "show", "US-1"})["not_picked_for"], "person");
  EXPECT_EQ(integer_or(project.json({"story", "show", "US-1"}), "failures"), 0);
}

TEST_F(StoryCheckNotRun, AfterTheAgentHoldsTheStoryUntilTheCheckIsMended) {
  for (const char* const code : {"126", "127"}) {
    SCOPED_TRACE(code);
    const std::string id = cat("US-", code);
    fs::remove(project.home() + "/calls");
    check_script(cat("exit ", code, "\n"));
    check_by_script();
    project.stories({BotProject::story(id)});
    project.carry();
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(project.status(id), "pending");
    EXPECT_TRUE(has(project.not_picked(id), "cannot be run")) << project.not_picked(id);
    EXPECT_EQ(integer_or(project.json({"story", "show", id}), "failures"), 0);
    EXPECT_FALSE(log_has("checks failed")) << "that is no verdict";
    project.must({"story", "retry", id});
    project.carry();
    EXPECT_EQ(calls(), 1U) << "no agent mends a check";
    check_script("true\n");
    project.must({"story", "retry", id});
    project.carry();
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(project.status(id), "pushed");
  }
}

// What failed beside it waits too: the agent's next try could not be checked either.
TEST_F(StoryCheckNotRun, KeepsTheAgentFromOthersThatFailed) {
  check_script("exit 127\n");
  project.settings({}, cat("\"works\" = [\"sh\", \"", project.home(), "/check.sh\"]\n\"holds\" = [\"false\"]\n"));
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", {"holds", "works"}}})});
  project.carry();
  EXPECT_EQ(calls(), 1U);
  EXPECT_TRUE(has(project.not_picked("US-1"), "works")) << project.not_picked("US-1");
}

TEST_F(StoryCheckNotRun, IsNoResultOfACheckByHand) {
  check_script("exit 127\n");
  project.settings("shell = true\n", cat("\"a\" = [\"true\"]\n\"b\" = [\"no-such-program\"]\n\"c\" = \"exit 126\"\n",
                                         "\"d\" = [\"sh\", \"", project.home(), "/check.sh\"]\n"));
  project.git({"checkout", "--quiet", "-b", "work"});
  project.stories(
      {BotProject::story("US-1", 1, {{"acceptanceCriteria", {"a", "b", "c", "d"}}, {"branchName", "work"}})});
  const Json answer = project.json({"story", "check", "US-1"}, 1);
  EXPECT_EQ(answer["ok"], false);
  ASSERT_EQ(answer["checks"].size(), 4U) << answer;
  EXPECT_EQ(answer["checks"][0]["ok"], true);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(answer["checks"][i]["ok"], false) << answer["checks"][i];
    EXPECT_NE(string_or(answer["checks"][i], "not_run"), "") << answer["checks"][i];
  }
  // Only the first has a result.
  const std::string checks = to_line(project.json({"story", "show", "US-1"})["checks"]);
  EXPECT_TRUE(has(checks, "\"ok\":true")) << checks;
  EXPECT_FALSE(has(checks, "\"ok\":false")) << checks;
}

}  // namespace
}  // namespace pawl::test

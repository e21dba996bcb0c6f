// Loops under attack: copies at other places, counters turned back, files that cannot be read, readers that do not
// read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kSessions = ".omc/state/sessions/s1/ralph-state.json";

class LoopUnderAttack : public testing::Test {
 protected:
  Ran hook(const std::string& input, std::vector<std::string> args = {"hook", "claude"},
           std::vector<std::string> env = {}) const {
    RunOptions options;
    options.input = input;
    options.env = std::move(env);
    return project.run(args, options);
  }
  bool holds(const std::string& session) const {
    const Ran ran = hook(cat(R"({"hook_event_name":"Stop","session_id":")", session, "\"}"));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return has(ran.out, "\"block\"");
  }
  void start(const char* prompt = "p") const {
    project.must({"ralph", "start", "--prompt", prompt, "--session", "s1"});
  }
  std::string bytes() const { return project.read(kLoopFile).value_or("(none)"); }

  IssueProject project;
};

TEST_F(LoopUnderAttack, AnEndedLoopDoesNotComeBackAtAnotherPlace) {
  for (const char* end : {"cancel", "clear"}) {
    for (const std::string_view place : {kSessions, std::string_view(".omc/state/ralph-state.json")}) {
      start();
      const std::string old = bytes();
      project.must({"ralph", end, "--session", "s1"});
      project.write(place, old);
      EXPECT_FALSE(holds("s1")) << end << " " << place;
      EXPECT_FALSE(project.exists(place)) << end << " " << place;
      project.must({"ralph", "clear", "--session", "s1"});
    }
  }
}

TEST_F(LoopUnderAttack, ALoopThatWasTakenOverDoesNotComeBackInItsOldSessionsFolder) {
  start();
  const std::string old = bytes();
  project.must({"ralph", "own", "--session", "s2"});
  project.write(kSessions, old);
  EXPECT_FALSE(holds("s1"));
  EXPECT_TRUE(holds("s2"));
}

TEST_F(LoopUnderAttack, ACopyOfALoopThatIsUnderWayIsNotASecondOne) {
  start();
  project.write(kSessions, bytes());
  EXPECT_TRUE(holds("s1"));
  EXPECT_EQ(parse_json(project.out({"ralph", "list", "--json"}))->size(), 1U);
  project.must({"ralph", "cancel", "--session", "s1"});
  EXPECT_FALSE(holds("s1"));
}

TEST_F(LoopUnderAttack, CancelEndsEverythingThatCouldHoldTheSession) {
  start();
  project.write(kSessions,
                replaced(bytes(), "\"started_at\": \"20", "\"started_at\": \"19"));  // another loop of the same session
  EXPECT_TRUE(holds("s1"));
  project.must({"ralph", "cancel", "--session", "s1"});
  EXPECT_FALSE(holds("s1"));
}

TEST_F(LoopUnderAttack, AnOldCopyOfTheFileGivesNoIterationBack) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1", "--max", "3"});
  const std::string old = bytes();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(holds("s1")) << i;
    project.write(kLoopFile, old);
  }
  EXPECT_FALSE(holds("s1"));
  EXPECT_EQ(parse_json(project.out({"ralph", "show", "--session", "s1", "--json"}))->at("status"), "exhausted");
}

TEST_F(LoopUnderAttack, AnAgentThatTurnsTheCounterBackDoesNotRunForEver) {
  const Ran ran =
      project.run({"ralph", "run", "--prompt", "p", "--max", "3", "--", "/bin/sh", "-c",
                   "echo x >> trace; sed -i 's/\"iteration\": [0-9]*/\"iteration\": 0/' .omc/ralph-state.json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(project.read("trace"), "x\nx\nx\n");
}

TEST_F(LoopUnderAttack, ARefusedOldCopyChangesNothingOfWhatStoodThere) {
  start();
  const std::string old = bytes();
  project.must({"ralph", "tick", "--session", "s1"});
  project.must({"ralph", "cancel", "--session", "s1"});
  const std::string cancelled = bytes();
  project.write(kLoopFile, old);
  EXPECT_FALSE(holds("s1"));
  EXPECT_EQ(bytes(), cancelled);
}

TEST_F(LoopUnderAttack, CancelIsRecordedWhereTheFileCanNotBeRead) {
  for (const char* how : {"huge", "folder", "fifo", "link"}) {
    const IssueProject other;
    other.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
    const std::string old = other.read(kLoopFile).value_or("");
    const std::string file = other.file(kLoopFile);
    fs::remove(file);
    if (std::string_view(how) == "huge") other.write(kLoopFile, std::string(5'000'000, ' '));
    if (std::string_view(how) == "folder") fs::create_directory(file);
    if (std::string_view(how) == "fifo") {
      ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    }
    if (std::string_view(how) == "link") fs::create_symlink("/nowhere", file);
    const Ran ran = other.run({"ralph", "cancel", "--session", "s1"});
    EXPECT_EQ(ran.exit, 0) << how << ran.err;
    EXPECT_NE(ran.err, "") << how;
    // Whatever becomes of the file, the loop stays cancelled.
    fs::remove_all(file);
    other.write(kLoopFile, old);
    RunOptions options;
    options.input = R"({"hook_event_name":"Stop","session_id":"s1"})";
    EXPECT_FALSE(has(other.run({"hook", "claude"}, options).out, "block")) << how;
    EXPECT_FALSE(has(other.read(kLoopFile).value_or(""), "\"active\": true")) << how;
  }
}

TEST_F(LoopUnderAttack, TheRunnerSeesACancelAlsoWhereTheFileCanNotBeRead) {
  Child child(PAWL_BINARY,
              {"ralph", "run", "--prompt", "p", "--", "/bin/sh", "-c",
               "rm .omc/ralph-state.json; mkdir .omc/ralph-state.json; echo ready; exec tail -f /dev/null"},
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  EXPECT_EQ(project.run({"ralph", "cancel", "--all"}).exit, 0);
  EXPECT_EQ(child.finish().exit, 1);
}

TEST_F(LoopUnderAttack, AReaderThatDoesNotReadDoesNotStopTheTimeLimit) {
  ASSERT_EQ(mkfifo(project.file("pipe").c_str(), 0600), 0);
  const int reader = open(project.file("pipe").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  RunOptions options = project.options();
  options.out_path = project.file("pipe");
  Child child(PAWL_BINARY, {"ralph", "run", "--prompt", "p", "--max", "1", "--timeout", "300ms", "--", "yes"}, options);
  // It ends the agent and the loop; only its answer waits for the reader.
  const auto exhausted = [&] { return has(project.run({"ralph", "show"}).out, "exhausted"); };
  for (int looks = 0; looks < 10'000 && !exhausted(); ++looks) {
  }
  EXPECT_TRUE(exhausted());
  close(reader);
  EXPECT_EQ(child.finish().exit, 1);
}

TEST_F(LoopUnderAttack, SomebodyWithoutASessionDrivesNoSessionsLoop) {
  start();
  EXPECT_EQ(project.run({"ralph", "tick"}).exit, 3);
  EXPECT_EQ(project.run({"ralph", "run", "--", "true"}).exit, 3);
  EXPECT_EQ(project.run({"ralph", "complete"}).exit, 3);
  EXPECT_EQ(parse_json(bytes())->at("iteration"), 0);
  EXPECT_EQ(project.run({"ralph", "show"}).exit, 0);
  EXPECT_EQ(project.run({"ralph", "cancel"}).exit, 0);  // ending reaches it
}

TEST_F(LoopUnderAttack, AHookExitsZeroWhateverIsWrongWithItsCommandLineItsSettingsOrItsOutput) {
  const std::string event = R"({"hook_event_name":"Stop","session_id":"s1"})";
  EXPECT_EQ(hook(event, {"hook", "claude"}, {"PAWL_ACTOR=\xff"}).exit, 0);
  EXPECT_EQ(hook(event, {"hook", "claude", "foo", "--bar"}).exit, 0);
  EXPECT_EQ(hook(event, {"hook", "nobody"}).exit, 0);
  EXPECT_EQ(hook(event, {"-C", "/nowhere", "hook", "claude"}).exit, 0);
  EXPECT_NE(hook(event, {"issue", "hook"}).exit, 0);
  for (const char* toml : {"[[\n", "[.", "[", "a = ", "loop = 7"}) {
    project.write("pawl.toml", toml);
    EXPECT_EQ(hook(event).exit, 0) << toml;
    EXPECT_NE(project.run({"status"}).exit, 134) << toml;
  }
  fs::remove(project.file("pawl.toml"));
  start();
  RunOptions options = project.options();
  options.input = event;
  options.out_path = "/dev/full";
  EXPECT_EQ(run_pawl({"hook", "claude"}, options).exit, 0);
}

TEST_F(LoopUnderAttack, AHookWhoseStdinIsNeverClosedAnswersWhenTheEventIsWhole) {
  start();
  ASSERT_EQ(mkfifo(project.file("pipe").c_str(), 0600), 0);
  RunOptions options = project.options();
  const Ran ran =
      run_program("/bin/sh",
                  {"-c", cat("exec 3<>pipe; printf '%s' '{\"hook_event_name\":\"Stop\",\"session_id\":\"s1\"}' >&3; ",
                             PAWL_BINARY, " hook claude <&3")},
                  options);
  EXPECT_TRUE(has(ran.out, "block")) << ran.err;
}

TEST_F(LoopUnderAttack, AnEnvironmentFileThatIsNoneIsNotWaitedForAndNoLineStandsTwice) {
  ASSERT_EQ(mkfifo(project.file("pipe").c_str(), 0600), 0);
  const std::string event = R"({"hook_event_name":"SessionStart","session_id":"s1","source":"startup"})";
  EXPECT_EQ(hook(event, {"hook", "claude"}, {"CLAUDE_ENV_FILE=" + project.file("pipe")}).exit, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(hook(event, {"hook", "claude"}, {"CLAUDE_ENV_FILE=" + project.file("env")}).exit, 0);
  EXPECT_EQ(project.read("env"), "export PAWL_SESSION=s1\n");
}

TEST_F(LoopUnderAttack, ALastIterationThatFailsIsNotWaitedAfter) {
  const Ran ran = project.run({"ralph", "run", "--prompt", "p", "--max", "1", "--pause", "5m", "--", "false"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_FALSE(has(ran.err, "waits")) << ran.err;
}

}  // namespace
}  // namespace pawl::test

// `pawl ralph run` with real processes: an agent that works, one that hangs, one that fails, one that is killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

constexpr const char* kGive = "echo '<promise>TASK_COMPLETE</promise>'";

class RalphRun : public testing::Test {
 protected:
  // `agent` is a shell's script; what it appends to `trace` is read by traced().
  std::vector<std::string> words(const std::string& agent, std::vector<std::string> options = {}) const {
    std::vector<std::string> args = {"ralph", "run", "--pause", "1ms"};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {"--", "/bin/sh", "-c", agent});
    return args;
  }
  Ran run(const std::string& agent, std::vector<std::string> options = {"--prompt", "do it"}) const {
    return project.run(words(agent, std::move(options)));
  }
  std::string traced() const { return project.read("trace").value_or(""); }
  Json loop() const { return parse_json(project.out({"ralph", "show", "--json"})).value_or(Json()); }

  IssueProject project;
};

TEST_F(RalphRun, GoesRoundUntilThePromiseIsGiven) {
  const Ran ran =
      run(cat("cat >> in; echo $PAWL_ITERATION of $PAWL_MAX_ITERATIONS >> trace; "
              "echo 'I shall say <promise>TASK_COMPLETE</promise>'; [ $PAWL_ITERATION -lt 3 ] || ",
              kGive));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(traced(), "1 of 50\n2 of 50\n3 of 50\n");
  EXPECT_EQ(loop()["status"], "complete");
  // One count, wherever it is said.
  EXPECT_EQ(loop()["state"]["iteration"], 3);
  EXPECT_TRUE(has(ran.err, "iteration 3 of 50")) << ran.err;
  EXPECT_TRUE(has(ran.out, "the loop is complete, iteration 3/50: the promise was given")) << ran.out;
  EXPECT_TRUE(has(project.out({"status", "--all"}), "iteration 3/50"));
  EXPECT_TRUE(has(project.read("in").value_or(""), "do it\n\nThis is iteration 1 of 50."));
  EXPECT_TRUE(has(ran.out, "I shall say"));
}

TEST_F(RalphRun, SaysOnceThatAMentionIsNoPromise) {
  const Ran ran = run("echo '> note'; echo '<promise>TASK_COMPLETE</promise>'", {"--prompt", "do it", "--max", "2"});
  EXPECT_EQ(ran.exit, 1);
  const std::size_t at = ran.err.find("the promise was printed, but not alone on a line");
  ASSERT_NE(at, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("the promise was printed", at + 1), std::string::npos) << ran.err;
  EXPECT_FALSE(has(run("echo hello", {"--prompt", "again", "--max", "1"}).err, "the promise was printed"));
}

TEST_F(RalphRun, SaysThatSomebodyElseCountsToo) {
  const Ran ran =
      run("sed -i \"s/\\\"iteration\\\": [0-9]*/\\\"iteration\\\": $PAWL_ITERATION/\" .omc/ralph-state.json",
          {"--prompt", "do it", "--max", "2"});
  EXPECT_TRUE(has(ran.err, "somebody else set iteration to 1 meanwhile")) << ran.err;
}

// Whoever types what is advised gets on: a loop that a run has in hand is not gone on with by another.
TEST_F(RalphRun, WhoBeginsAnotherBesideOneThatIsDrivenIsToldSo) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "a", "--verify", "true"}),
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  for (const Ran& ran :
       {run("true", {"--prompt", "b"}), run("true", {}), project.run({"ralph", "start", "--prompt", "c"})}) {
    EXPECT_EQ(ran.exit, 4) << ran.err;
    EXPECT_TRUE(has(ran.err, "is driven already, by ralph run ")) << ran.err;
    EXPECT_TRUE(has(ran.err, "pawl ralph run --session NAME --prompt P -- AGENT  # begins another beside it"))
        << ran.err;
    EXPECT_FALSE(has(ran.err, "goes on with it")) << ran.err;
    EXPECT_FALSE(has(ran.err, "is checked with")) << "it is refused: nothing is checked\n" << ran.err;
  }
  project.must({"ralph", "cancel"});
  (void)child.finish();
}

// As other versions of the tool write it; the standard one holds, as with the maximum.
TEST_F(RalphRun, ALoopWhoseFileNamesNoPromiseHasTheStandardOne) {
  for (const auto& [member, iterations] : {std::pair{"", 1}, {R"("completion_promise": null, )", 3}}) {
    project.write(".omc/ralph-state.json",
                  cat(R"({"active": true, "iteration": 0, "max_iterations": 3, )", member,
                      R"("prompt": "do it", "started_at": "2026-01-0)", iterations, R"(T00:00:00.000Z"})"));
    const Ran ran = project.run(
        {"ralph", "run", "--no-prd", "--", "sh", "-c", cat("cat > in; echo $PAWL_ITERATION >> trace; ", kGive)});
    EXPECT_EQ(loop()["state"]["iteration"], iterations) << ran.out << ran.err;
    EXPECT_EQ(loop()["status"], iterations == 1 ? "complete" : "exhausted");
    EXPECT_EQ(has(project.read("in").value_or(""), "<promise>TASK_COMPLETE</promise>"), iterations == 1);
  }
}

TEST_F(RalphRun, AnAgentThatCompletesTheLoopItselfEndsItsIteration) {
  const Ran ran = run(cat(PAWL_BINARY, " ralph complete"));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "the loop is complete, iteration 1/50: it was said to be complete")) << ran.out;
  EXPECT_EQ(loop()["state"]["iteration"], 1);
}

TEST_F(RalphRun, ANewLoopSaysWhichOneGaveItsFileUp) {
  run(kGive);
  const std::string first = cat("ralph/", string_or(loop(), "loop"));
  const Ran ran = run(kGive, {"--prompt", "another"});
  EXPECT_TRUE(has(ran.err, cat("the loop before it, complete at iteration 1/50, gives .omc/ralph-state.json up; it is "
                               "kept\n  pawl show ",
                               first, "  # tells what it was")))
      << ran.err;
  EXPECT_TRUE(has(project.out({"show", first}), "do it"));
}

TEST_F(RalphRun, PromptStandsWhereTheCommandHasIt) {
  const Ran ran =
      project.run({"ralph", "run", "--prompt", "say \"$(id)\" 'x'", "--max", "1", "--", "/bin/echo", "<{prompt}>"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(has(ran.out, "<say \"$(id)\" 'x'\n\nThis is iteration 1 of 1.")) << ran.out;
}

TEST_F(RalphRun, AMentionAFenceAQuotationAndTheEchoedPromptEndNothing) {
  const Ran ran =
      run("cat; echo 'and then <promise>TASK_COMPLETE</promise>'; echo '```'; echo '<promise>TASK_COMPLETE</promise>'; "
          "echo '```'; echo '> <promise>TASK_COMPLETE</promise>'",
          {"--prompt", "p", "--max", "3"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(loop()["status"], "exhausted");
  EXPECT_EQ(loop()["state"]["iteration"], 3);
}

TEST_F(RalphRun, EndsWhenNoStoryIsLeft) {
  project.write("prd.json", R"({"userStories":[{"id":"US-2","title":"second","priority":2,"passes":false},)"
                            R"({"id":"US-1","title":"first","priority":1,"passes":false}]})");
  // Each time it makes the story pass that it was given.
  const Ran ran =
      run("echo $PAWL_STORY >> trace; if [ $PAWL_STORY = US-1 ]; then n=2; else n=1; fi; "
          "sed -i \"s/\\\"priority\\\":$((3-n)),\\\"passes\\\":false/\\\"priority\\\":$((3-n)),\\\"passes\\\":true/\" "
          "prd.json");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(traced(), "US-1\nUS-2\n");
  EXPECT_EQ(loop()["status"], "complete");
  EXPECT_EQ(loop()["state"]["current_story_id"], "US-2");
}

TEST_F(RalphRun, AListThatWasFinishedBeforeSaysNothingAboutThePrompt) {
  project.write("prd.json", R"({"userStories":[{"id":"US-1","passes":true}]})");
  const Ran ran = run(cat("echo $PAWL_ITERATION >> trace; ", kGive));
  EXPECT_TRUE(has(ran.out, "the promise was given")) << ran.out << ran.err;
  EXPECT_EQ(traced(), "1\n");
}

TEST_F(RalphRun, WithNoPrdGoesByThePromptAlone) {
  project.write("prd.json", R"({"userStories":[{"id":"US-1","passes":false}]})");
  const Ran ran = run(cat("echo \"[$PAWL_STORY]\" >> trace; ", kGive), {"--prompt", "p", "--no-prd"});
  EXPECT_TRUE(has(ran.out, "the promise was given")) << ran.out << ran.err;
  EXPECT_EQ(traced(), "[]\n");
}

TEST_F(RalphRun, AFinishedListIsAClaimThatIsCheckedToo) {
  project.write("prd.json", R"({"userStories":[{"id":"US-1","passes":false}]})");
  const Ran ran = run("sed -i s/false/true/ prd.json", {"--prompt", "p", "--verify", "echo not so; exit 1"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_EQ(loop()["status"], "active");
}

// While a check runs, which may take hours, the loop is ended by somebody else: it does not come back by any verdict.
TEST_F(RalphRun, EndedWhileAClaimIsCheckedStaysEnded) {
  for (const char* verdict : {"true", "false"}) {
    for (const std::vector<std::string>& end :
         {std::vector<std::string>{"ralph", "cancel"}, {"ralph", "clear"}, {"ralph", "own", "--session", "s2"}}) {
      const IssueProject other;
      // The check waits for the end to have been made, and then says yes or no.
      std::vector<std::string> args = words(
          kGive, {"--prompt", "p", "--verify", cat("echo checking; while [ ! -e ended ]; do :; done; ", verdict)});
      Child child(PAWL_BINARY, args, other.options());
      ASSERT_TRUE(child.wait_for("checking"));
      other.must(end);
      other.write("ended", "");
      const Ran ran = child.finish();
      EXPECT_EQ(ran.exit, 1) << verdict << " " << end[1] << ran.out << ran.err;
      const Json loops = parse_json(other.out({"ralph", "list", "--json"})).value_or(Json());
      if (end[1] == "cancel") {
        EXPECT_EQ(loops[0]["status"], "cancelled") << verdict;
      }
      if (end[1] == "clear") {
        EXPECT_TRUE(loops.empty()) << verdict << loops;
      }
      if (end[1] == "own") {
        ASSERT_EQ(loops.size(), 1U) << loops;
        EXPECT_EQ(loops[0]["session"], "s2");
        EXPECT_EQ(loops[0]["state"]["iteration"], 0);
      }
    }
  }
}

TEST_F(RalphRun, CompletedByItsOwnAgentIsDone) {
  const Ran ran = run(cat(PAWL_BINARY, " ralph complete"));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "it was said to be complete")) << ran.out;
}

TEST_F(RalphRun, AnotherLoopsVerificationDoesNotStandInTheWay) {
  EXPECT_EQ(run(kGive, {"--prompt", "first", "--verify", "false", "--attempts", "9", "--max", "2"}).exit, 1);
  EXPECT_EQ(loop()["status"], "exhausted");
  const Ran ran = run(kGive, {"--prompt", "second", "--verify", "true"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

// Its own check is not another tool's, nor somebody's own.
TEST_F(RalphRun, AVerificationThatAnotherBeganHoldsNoRun) {
  project.must({"verify", "start", "--task", "other", "--claim", "mine"});
  const std::string theirs = project.read(".omc/ralph-verification.json").value_or("");
  const Ran ran = run(kGive, {"--prompt", "w", "--verify", "echo asked >> trace; [ $(wc -l < trace) -gt 1 ]"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(traced(), "asked\nasked\n");
  EXPECT_EQ(loop()["status"], "complete");
  EXPECT_EQ(project.read(".omc/ralph-verification.json"), theirs);
  const std::string own_file = ".omc/state/sessions/check-nobody/ralph-verification.json";
  EXPECT_TRUE(has(project.read(own_file).value_or(""), "\"pending\": false"));
  // The next one's is in the same place.
  EXPECT_EQ(run(kGive, {"--prompt", "v", "--verify", "false", "--attempts", "1"}).exit, 1);
  EXPECT_TRUE(has(project.read(own_file).value_or(""), "\"pending\": true"));
  project.must({"ralph", "cancel"});
  EXPECT_FALSE(project.exists(own_file)) << "it ends with its loop";
  // Of the same session, and while the check has been asked already: whose attempt it is stays clear.
  project.must({"verify", "clear"});
  project.write(".omc/ralph-verification.json",
                R"({"pending": true, "original_task": "T", "completion_claim": "C", "session_id": "s1"})");
  const Ran own = run(kGive, {"--session", "s1", "--prompt", "w", "--verify",
                              cat(PAWL_BINARY, " verify attempt --session s1 --rejected --feedback no")});
  EXPECT_EQ(own.exit, 0) << own.err;
  const Json other = parse_json(project.read(".omc/ralph-verification.json").value_or("")).value_or(Json());
  EXPECT_EQ(other["verification_attempts"], 1);
}

TEST_F(RalphRun, NobodyIsToldToGoOnWithWhatARunHasInHand) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--session", "s1", "--prompt", "a"}),
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  const Ran ran = run("true", {});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "is under way, driven by ralph run ")) << ran.err;
  EXPECT_FALSE(has(ran.err, "goes on with it") || has(ran.err, "takes it over")) << ran.err;
  EXPECT_TRUE(has(ran.err, "begins another beside it")) << ran.err;
  project.must({"ralph", "cancel", "s1"});
  (void)child.finish();
}

TEST_F(RalphRun, TheAgentsSessionIsTheLoopsAndNotTheCallers) {
  RunOptions options;
  options.env = {"PAWL_SESSION=outer", "PAWL_ITERATION=99"};
  Ran ran = project.run(
      words(cat("echo \"<$PAWL_SESSION $PAWL_ITERATION>\"; ", kGive), {"--prompt", "p", "--session", "inner"}),
      options);
  EXPECT_TRUE(has(ran.out, "<inner 1>")) << ran.out;
}

TEST_F(RalphRun, WhatTheAgentStartedDoesNotOutliveAKilledRunner) {
  {
    Child child(PAWL_BINARY, words("tail -f /dev/null & echo $! > pid; echo ready; wait", {"--prompt", "p"}),
                project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    child.send(SIGKILL);
    child.finish();
  }
  const auto pid = parse_positive(trim(project.read("pid").value_or("")));
  ASSERT_TRUE(pid);
  EXPECT_TRUE(ends(static_cast<pid_t>(*pid)));
}

TEST_F(RalphRun, ALoopThatIsOnlyInItsFileIsGoneOnWith) {
  project.write(".omc/ralph-state.json",
                R"({"active":true,"iteration":4,"original_prompt":"theirs","started_at":"2026-01-01T00:00:00Z",)"
                R"("completion_promise":"<promise>TASK_COMPLETE</promise>"})");
  const Ran ran = run(cat("cat; echo $PAWL_ITERATION >> trace; ", kGive), {});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(traced(), "5\n");
  EXPECT_TRUE(has(ran.out, "theirs"));
}

TEST_F(RalphRun, OptionsThatALoopUnderWayDoesNotHaveAreRefused) {
  project.must({"ralph", "start", "--prompt", "p"});
  EXPECT_TRUE(has(run(kGive, {"--promise", "OTHER"}).err, "another promise"));
  EXPECT_TRUE(has(run(kGive, {"--no-prd"}).err, "another mode"));
  EXPECT_NE(run(kGive, {"--idempotency-key", "k"}).exit, 0);
  EXPECT_EQ(loop()["state"]["iteration"], 0);
}

TEST_F(RalphRun, ASessionIdOfEveryLengthHasALog) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--session", std::string(256, 's')}).exit, 0);
}

TEST_F(RalphRun, KilledInTheMidstOfAnIterationGoesOnAtThatOne) {
  const std::string agent =
      cat("echo $PAWL_ITERATION >> trace; if [ -e go ]; then ", kGive,
          "; elif [ $PAWL_ITERATION = 2 ]; then echo $$ > pid; echo ready; exec tail -f /dev/null; fi");
  {
    Child child(PAWL_BINARY, words(agent, {"--prompt", "p"}), project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    child.send(SIGKILL);
    EXPECT_EQ(child.finish().exit, 128 + SIGKILL);
  }
  // The agent does not outlive it.
  const auto pid = parse_positive(trim(project.read("pid").value_or("")));
  ASSERT_TRUE(pid);
  EXPECT_TRUE(ends(static_cast<pid_t>(*pid)));
  EXPECT_EQ(loop()["status"], "active");
  EXPECT_EQ(loop()["state"]["iteration"], 1);
  project.write("go", "");
  const Ran ran = project.run(words(agent));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(traced(), "1\n2\n2\n");
}

TEST_F(RalphRun, StoppedByCtrlCLeavesALoopThatGoesOn) {
  const std::string agent = "echo ready; exec tail -f /dev/null";
  {
    Child child(PAWL_BINARY, words(agent, {"--prompt", "p"}), project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    child.send(SIGINT);
    const Ran ran = child.finish();
    EXPECT_EQ(ran.exit, 130) << ran.err;
    EXPECT_TRUE(has(ran.out, "\n  pawl ralph run -- AGENT  # goes on with it\n")) << ran.out;
  }
  EXPECT_EQ(loop()["status"], "active");
  EXPECT_EQ(project.run(words(kGive)).exit, 0);
}

TEST_F(RalphRun, CancelledElsewhereEndsTheAgentAtOnce) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "p"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  project.must({"ralph", "cancel"});
  const Ran ran = child.finish();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_FALSE(has(ran.err, "has ended")) << "the iteration was broken off: " << ran.err;
  EXPECT_EQ(loop()["status"], "cancelled");
}

TEST_F(RalphRun, WhileItRunsTheBoardSaysWhoDrivesAndNobodyElseCounts) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "p"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  const std::string board = project.out({"status", "--json"});
  EXPECT_TRUE(has(board, "ralph run ")) << board;
  EXPECT_FALSE(has(board, "nobody drives it")) << board;
  const Ran tick = project.run({"ralph", "tick"});
  EXPECT_EQ(tick.exit, 4) << tick.out;
  EXPECT_TRUE(has(tick.err, "which counts its iterations")) << tick.err;
  EXPECT_EQ(loop()["state"]["iteration"], 0);
  child.send(SIGTERM);
  child.finish();
  project.must({"ralph", "tick"});
}

TEST_F(RalphRun, StoppedAfterPawlWasLeftSaysHowToComeBack) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "p"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  project.must({"leave"});
  child.send(SIGINT);
  const Ran ran = child.finish();
  EXPECT_TRUE(has(ran.out, "pawl init  # comes back")) << ran.out << ran.err;
}

// It writes its file as before, and finds no stranger's hand in what it wrote itself.
TEST_F(RalphRun, GoesOnToItsEndAfterPawlWasLeftAndAccusesNobody) {
  Child child(PAWL_BINARY, words("echo ready; while [ ! -e go ]; do :; done", {"--prompt", "p", "--max", "3"}),
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  project.must({"leave"});
  project.write("go", "");
  const Ran ran = child.finish();
  EXPECT_FALSE(has(ran.err, "changed outside pawl")) << ran.err;
  EXPECT_FALSE(project.exists(".pawl/refused") && !project.kept("refused").empty());
  const Json file = parse_json(project.read(kLoopFile).value_or("")).value_or(Json());
  EXPECT_EQ(integer_or(file, "iteration"), 3) << file;
  EXPECT_FALSE(bool_or(file, "active", true)) << file;
}

TEST_F(RalphRun, RemovingTheFileStopsItToo) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "p"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  std::filesystem::remove(project.file(".omc/ralph-state.json"));
  EXPECT_EQ(child.finish().exit, 1);
  EXPECT_FALSE(project.exists(".omc/ralph-state.json"));
}

TEST_F(RalphRun, TwoRunnersDoNotDriveOneLoop) {
  Child child(PAWL_BINARY, words("echo ready; exec tail -f /dev/null", {"--prompt", "p"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  const Ran second = project.run(words(kGive, {"--max", "7"}));
  EXPECT_EQ(second.exit, 4) << second.err;
  EXPECT_EQ(loop()["state"]["max_iterations"], 50);
  EXPECT_TRUE(has(second.err, "is driven already, by ralph run ")) << second.err;
  EXPECT_TRUE(has(second.err, "pawl ralph cancel ")) << second.err;
  child.send(SIGTERM);
  EXPECT_EQ(child.finish().exit, 143);
}

TEST_F(RalphRun, AnIterationThatTakesTooLongIsEndedAndCounted) {
  const Ran ran = run("exec tail -f /dev/null", {"--prompt", "p", "--max", "1", "--timeout", "100ms"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "longer than it may")) << ran.err;
  EXPECT_EQ(loop()["status"], "exhausted");
}

TEST_F(RalphRun, AnAgentThatFailsAtOnceIsGivenTime) {
  const Ran ran = run("exit 3", {"--prompt", "p", "--max", "4"});
  EXPECT_EQ(ran.exit, 1);
  for (const char* wait : {"waits 1 ms", "waits 2 ms", "waits 4 ms"}) EXPECT_TRUE(has(ran.err, wait)) << ran.err;
}

TEST_F(RalphRun, AnAgentThatIsNotThereIsSaidBeforeALoopBegins) {
  for (const char* agent : {"/no/such/agent", "no-such-agent"}) {
    const Ran ran = project.run({"ralph", "run", "--prompt", "p", "--", agent});
    EXPECT_EQ(ran.exit, 3);
    EXPECT_TRUE(has(ran.err, agent)) << ran.err;
    EXPECT_FALSE(project.exists(".omc/ralph-state.json"));
  }
}

TEST_F(RalphRun, OptionsOfTheAgentThatStandBeforeTheDashesAreToldOfThem) {
  const Ran ran = project.run({"ralph", "run", "--prompt", "p", "sh", "-c", "true"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(has(ran.err, "pawl ralph run … -- AGENT -c")) << ran.err;
  EXPECT_TRUE(has(project.run({"ralph", "run"}).err, "[--pause D] -- COMMAND…")) << "usage";
}

// --- the check is the loop's ---

TEST_F(RalphRun, WhoGoesOnAfterAnInterruptionGoesOnWithTheCheck) {
  {
    Child child(
        PAWL_BINARY,
        words("echo ready; exec tail -f /dev/null", {"--prompt", "p", "--verify", "echo no; false", "--attempts", "2"}),
        project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    child.send(SIGINT);
    (void)child.finish();
  }
  const Ran ran = project.run(words(cat("cat > in; ", kGive)));
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "checked with echo no; false")) << ran.err;
  EXPECT_TRUE(has(ran.err, "attempt 2 of 2")) << ran.err;
  EXPECT_EQ(loop()["status"], "active");
  // Rejected too often, and run again: with the check, and with what it said last.
  EXPECT_EQ(project.run(words(cat("cat > in; ", kGive), {"--attempts", "1"})).exit, 1);
  EXPECT_TRUE(has(project.read("in").value_or(""), "> no")) << project.read("in").value_or("");
  EXPECT_EQ(loop()["status"], "active");
  // The user's word changes it.
  EXPECT_EQ(project.run(words(kGive, {"--verify", "true"})).exit, 0);
  EXPECT_EQ(loop()["status"], "complete");
}

TEST_F(RalphRun, ACheckGoesWithTheLoopToAnotherSessionAndToOneLikeIt) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  project.must({"ralph", "own", "--session", "s2"});
  EXPECT_EQ(project.run(words(kGive, {"--session", "s2"})).exit, 1);
  EXPECT_EQ(loop()["status"], "active");
  project.must({"ralph", "cancel", "--session", "s2"});
  project.must({"ralph", "start", "--like", "s2"});
  EXPECT_EQ(project.run(words(kGive, {"--session", "s2"})).exit, 1);
  EXPECT_EQ(loop()["status"], "active");
}

TEST_F(RalphRun, ALoopsCheckIsShown) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  EXPECT_EQ(string_or(loop().value("check", Json::object()), "command"), "false");
  EXPECT_TRUE(has(project.out({"ralph", "show"}), "  check: false\n")) << project.out({"ralph", "show"});
}

TEST_F(RalphRun, AnAgentOfALoopWithACheckDoesNotCompleteItByItself) {
  const Ran ran = run(cat(PAWL_BINARY, " ralph complete"), {"--prompt", "p", "--verify", "false", "--max", "1"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err + ran.out, "complete only when its check agrees")) << ran.err;
  EXPECT_EQ(loop()["status"], "exhausted");
}

// Nor by writing into its file that it is over: that is the same move, and goes by the same gate.
TEST_F(RalphRun, AnAgentOfALoopWithACheckDoesNotCompleteItInItsFile) {
  const std::string agent = "sed -i 's/\"active\": true/\"active\": false/' .omc/ralph-state.json; ";
  const Ran ran = run(agent, {"--prompt", "p", "--verify", "false", "--max", "1"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err + ran.out, "to become complete it needs “check”")) << ran.err << ran.out;
  // All that is advised stands below what is said.
  EXPECT_TRUE(has(ran.err, "\n  it is complete when its check agrees")) << ran.err;
  EXPECT_TRUE(has(ran.err, "\n  pawl ralph cancel ")) << ran.err;
  EXPECT_EQ(loop()["status"], "exhausted");
  EXPECT_EQ(project.kept("refused").size(), 1U);
}

TEST_F(RalphRun, WhereGatesAreOnlyRecordedSuchACompletionIsMarked) {
  project.write("pawl.toml", "gates = \"record\"\n");
  const std::string agent = "sed -i 's/\"active\": true/\"active\": false/' .omc/ralph-state.json; ";
  const Ran ran = run(agent, {"--prompt", "p", "--verify", "false", "--max", "1"});
  EXPECT_TRUE(has(ran.err + ran.out, "is complete now, unverified: nothing shows “check”")) << ran.err << ran.out;
  EXPECT_EQ(loop()["status"], "complete");
}

// However the agent has the record say that it is complete: the run asks the check, and goes by what that says.
// Who leaves for a moment may be seen by the run in it, and tries again.
TEST_F(RalphRun, ACompletionPastTheCheckIsCheckedByTheRun) {
  const std::string pawl = PAWL_BINARY,
                    finish = "sed -i 's/\"active\": true/\"active\": false/' .omc/ralph-state.json; ";
  const std::string by_word =
      cat("echo 'gates = \"record\"' > pawl.toml; env -u PAWL_ITERATION ", pawl, " ralph complete; ");
  const std::string by_leaving = cat(pawl, " leave; ", finish, pawl, " init; ");
  for (const std::string& agent : {by_word, by_leaving}) {
    for (const char* const says : {"false", "true"}) {
      SCOPED_TRACE(cat(agent, says));
      const bool agrees = std::string_view(says) == "true";
      const Ran ran = run(agent, {"--prompt", "p", "--verify", cat("echo >> asked; ", says), "--max", "50"});
      EXPECT_EQ(ran.exit, agrees ? 0 : 1) << ran.out << ran.err;
      EXPECT_TRUE(has(ran.err, "the loop was completed without its check; checking with ")) << ran.err;
      EXPECT_EQ(has(ran.out, "completed without its check, which does not agree"), !agrees) << ran.out;
      EXPECT_EQ(project.read("asked").value_or(""), "\n");
      for (const char* const file : {"asked", "pawl.toml"}) std::filesystem::remove(project.file(file));
    }
  }
}

// Nor by the copy of what was refused: whoever takes it as it is does not stand for the check.
TEST_F(RalphRun, ACopyOfWhatACheckKeptOutIsNotTakenEither) {
  const std::string agent = "sed -i 's/\"active\": true/\"active\": false/' .omc/ralph-state.json; ";
  const Ran ran = run(agent + kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"});
  EXPECT_TRUE(has(ran.err, "to become complete it needs “check”")) << ran.err;
  EXPECT_FALSE(has(ran.err, "pawl accept")) << ran.err;
  const std::string copy = project.only_kept("refused");
  const Ran accepted = project.run({"accept", copy});
  EXPECT_NE(accepted.exit, 0) << accepted.out;
  EXPECT_TRUE(has(accepted.err, "to become complete it needs “check”")) << accepted.err;
  EXPECT_EQ(loop()["status"], "active");
  EXPECT_TRUE(project.exists(copy));
  project.write("pawl.toml", "gates = \"record\"\n");
  const Ran marked = project.run({"accept", copy});
  EXPECT_TRUE(has(marked.err, "is complete now, unverified: nothing shows “check”")) << marked.err << marked.out;
  EXPECT_EQ(loop()["status"], "complete");
}

TEST_F(RalphRun, ALoopWithACheckIsNotCompleteByAFileThatWasTakenAwayAndWrittenAgain) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  const std::string bytes = project.read(kLoopFile).value_or("");
  std::filesystem::remove(project.file(kLoopFile));
  project.must({"ralph", "list"});
  project.write(kLoopFile, replaced(bytes, "\"active\": true", "\"active\": false"));
  const Ran ran = project.run({"ralph", "list"});
  EXPECT_TRUE(has(ran.err, "to become complete it needs “check”")) << ran.err << ran.out;
  EXPECT_EQ(loop()["status"], "cancelled");
}

// While pawl was left nobody was there to be asked: the file counts, and that the check did not agree is marked.
TEST_F(RalphRun, ALoopWithACheckThatWasCompletedWhilePawlWasLeftIsMarked) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  project.must({"leave"});
  const std::string bytes = project.read(kLoopFile).value_or("");
  const std::string completed = replaced(bytes, "\"active\": true", "\"active\": false");
  project.write(kLoopFile, completed);
  const Ran back = project.run({"init"});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_TRUE(has(back.err, "is complete now, unverified: nothing shows “check”")) << back.err << back.out;
  EXPECT_EQ(loop()["status"], "complete");
  EXPECT_EQ(project.read(kLoopFile), completed);
  EXPECT_TRUE(has(project.out({"log"}), "[unverified]"));
  // And it is marked wherever somebody looks.
  EXPECT_TRUE(has(project.out({"status", "--all"}), "unverified  iteration")) << project.out({"status", "--all"});
  EXPECT_FALSE(has(project.out({"status", "--all"}), "pawl ralph run")) << "nothing goes on with it";
  for (const auto& look :
       {std::vector<std::string>{"ralph", "list"}, {"ralph", "show"}, {"show", "ralph/" + string_or(loop(), "loop")}})
    EXPECT_TRUE(has(project.out(look), "complete (unverified)")) << project.out(look);
  EXPECT_EQ(loop()["unverified"], true);
  // Also once a tool has written into its file.
  project.write(".omc/ralph-state.json", replaced(project.read(".omc/ralph-state.json").value_or(""), "\"prompt\"",
                                                  "\"theirs\": 1,\n  \"prompt\""));
  EXPECT_TRUE(has(project.out({"ralph", "list"}), "complete (unverified)")) << project.out({"ralph", "list"});
}

TEST_F(RalphRun, WhoeverCompletesALoopThatIsDrivenIsToldWhatWorks) {
  Child child(PAWL_BINARY,
              {"ralph", "run", "--prompt", "p", "--verify", "false", "--", "/bin/sh", "-c",
               "cat > /dev/null; echo ready; exec tail -f /dev/null"},
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  const Ran ran = project.run({"ralph", "complete"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl ralph run drives it") && has(ran.err, "pawl ralph cancel ")) << ran.err;
  EXPECT_FALSE(has(ran.err, "-- AGENT")) << ran.err;
  project.must({"ralph", "cancel"});
  EXPECT_EQ(child.finish().exit, 1);
}

// The whole state, by the verb: the same move.
TEST_F(RalphRun, ALoopWithACheckIsNotCompleteByItsStateBeingWritten) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  Json state = loop()["state"];
  state["active"] = false;
  const Ran ran = project.run({"ralph", "write", "--state", to_line(state)});
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_TRUE(has(ran.err, "to become complete it needs “check”")) << ran.err;
  EXPECT_EQ(loop()["status"], "active");
  state["status"] = "cancelled";
  project.must({"ralph", "write", "--state", to_line(state)});
  EXPECT_EQ(loop()["status"], "cancelled");
}

// One whose claim waits for somebody's answer has a check, also where its command is not known here.
TEST_F(RalphRun, ALoopWhoseClaimIsBeingVerifiedIsNotCompleteByItsFile) {
  project.must({"ralph", "start", "--prompt", "p"});
  const std::string key = string_or(loop(), "loop");
  project.write(".omc/ralph-verification.json",
                cat(R"({"pending": true, "verification_attempts": 0, "max_verification_attempts": 3, )",
                    R"("original_task": "p", "completion_claim": "done", "request_id": ")", key, "\"}"));
  project.must({"verify", "show"});
  const std::string bytes = project.read(kLoopFile).value_or("");
  project.write(kLoopFile, replaced(bytes, "\"active\": true", "\"active\": false"));
  const Ran ran = project.run({"ralph", "list"});
  EXPECT_TRUE(has(ran.err, "to become complete it needs “check”")) << ran.err << ran.out;
  EXPECT_EQ(loop()["status"], "active");
}

TEST_F(RalphRun, WhoStopsALoopWithACheckInItsFileIsTakenAtTheirWord) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  const std::string bytes = project.read(kLoopFile).value_or("");
  project.write(kLoopFile, replaced(bytes, "\"active\": true", "\"active\": false,\n  \"status\": \"cancelled\""));
  EXPECT_EQ(loop()["status"], "cancelled");
}

// What waits for an answer about it ends with it, and comes back with it.
TEST_F(RalphRun, AVerificationThatWaitsEndsWithItsLoop) {
  for (const char* const end : {"cancel", "clear"}) {
    SCOPED_TRACE(end);
    const IssueProject other;
    EXPECT_EQ(other.run(words(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "9", "--max", "2"})).exit, 1);
    other.must({"undo"});  // it is not at its end
    const auto waits = [&] { return other.run({"verify", "show", "--json"}); };
    ASSERT_TRUE(has(waits().out, "\"pending\"")) << waits().out;
    const std::size_t operations = other.operations();
    other.must({"ralph", end});
    EXPECT_EQ(other.operations(), operations + 1);
    EXPECT_EQ(waits().exit, 3) << waits().out;
    EXPECT_FALSE(other.exists(".omc/ralph-verification.json"));
    other.must({"undo"});
    EXPECT_TRUE(has(waits().out, "\"pending\"")) << waits().out;
    EXPECT_EQ(parse_json(other.out({"ralph", "show", "--json"}))->at("status"), "active");
  }
}

// A store that came with somebody's clone: its check is shown, and not run.
TEST_F(RalphRun, ACheckThatWasNotGivenOnThisMachineIsNotRun) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "touch owned; false", "--attempts", "1"}).exit, 1);
  std::filesystem::remove(project.file("owned"));
  RunOptions elsewhere;
  elsewhere.env = {cat("HOME=", project.path(), "/other-home"), cat("XDG_STATE_HOME=", project.path(), "/other-home")};
  const Ran ran = project.run(words(kGive), elsewhere);
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "that was not given on this machine: touch owned; false")) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl ralph run --verify <command> -- <agent>  # names it again, and goes on")) << ran.err;
  EXPECT_FALSE(project.exists("owned"));
  EXPECT_EQ(loop()["status"], "active");
}

TEST_F(RalphRun, AClaimIsCheckedAndWhatTheCheckSaysIsTold) {
  const Ran ran = run(cat("cat > in.$PAWL_ITERATION; ", kGive),
                      {"--prompt", "p", "--verify", "[ -e in.2 ] || { echo 'two are needed'; exit 1; }"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(project.read("in.1").value_or(""), "two are needed"));
  EXPECT_TRUE(has(project.read("in.2").value_or(""), "two are needed"));
  const Json verification = parse_json(project.out({"verify", "show", "--json"})).value_or(Json());
  EXPECT_EQ(verification["status"], "approved");
  EXPECT_EQ(verification["state"]["verification_attempts"], 2);
}

// A check that cleans up takes the file of its own verification along: what it says counts all the same.
TEST_F(RalphRun, AnApprovalCountsAlsoWhereItsFileWasTakenAwayMeanwhile) {
  const Ran ran = run(kGive, {"--prompt", "p", "--max", "2", "--verify", "rm -f .omc/ralph-verification.json; true"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "the check agrees")) << ran.err;
  EXPECT_EQ(loop()["status"], "complete");
  EXPECT_EQ(loop()["state"]["iteration"], 1);
  EXPECT_EQ(parse_json(project.out({"verify", "show", "--json"}))->at("status"), "approved");
}

TEST_F(RalphRun, ARejectionCountsAlsoWhereItsFileWasTakenAwayMeanwhile) {
  const Ran ran = run(kGive, {"--prompt", "p", "--max", "2", "--verify", "rm -f .omc/ralph-verification.json; false"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(has(ran.err, "the check does not agree")) << ran.err;
  EXPECT_EQ(loop()["status"], "exhausted");
}

TEST_F(RalphRun, ClaimsThatAreRejectedTooOftenEndTheRunAndApproveNothing) {
  const Ran ran = run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "2"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.out, "rejected too often")) << ran.out;
  EXPECT_EQ(loop()["status"], "active");
  EXPECT_EQ(loop()["state"]["iteration"], 2);
  EXPECT_EQ(parse_json(project.out({"verify", "show", "--json"}))->at("status"), "exhausted");
  // Another run begins another verification.
  EXPECT_EQ(project.run(words(kGive, {"--verify", "true"})).exit, 0);
}

TEST_F(RalphRun, MaximumIsRaisedForALoopThatGoesOn) {
  EXPECT_EQ(run("exit 0; echo", {"--prompt", "p", "--max", "2"}).exit, 1);
  EXPECT_EQ(loop()["status"], "exhausted");
  project.must({"ralph", "start", "--prompt", "q", "--max", "2"});
  EXPECT_EQ(project.run(words("true", {"--max", "5"})).exit, 1);
  EXPECT_EQ(loop()["state"]["iteration"], 5);
}

TEST_F(RalphRun, AnotherPromptIsNotPutIntoALoopUnderWay) {
  project.must({"ralph", "start", "--prompt", "first"});
  const Ran ran = run(kGive, {"--prompt", "second"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "another prompt")) << ran.err;
  EXPECT_EQ(run(kGive, {"--prompt", "first"}).exit, 0);
}

TEST_F(RalphRun, WithoutALoopOrAPromptSaysWhatToType) {
  const Ran ran = project.run(words(kGive));
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "--prompt")) << ran.err;
  EXPECT_EQ(project.run({"ralph", "run", "--prompt", "p"}).exit, 2);  // no command
}

TEST_F(RalphRun, WhatWasPrintedIsInALogThatDoesNotGrowWithoutEnd) {
  const Ran ran = run(cat("head -c 9000000 /dev/zero | tr '\\0' x; echo; ", kGive));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(project.file(".pawl/logs"))) bytes += entry.file_size();
  EXPECT_GT(bytes, 4U << 20U);
  EXPECT_LE(bytes, 8U << 20U);
}

TEST_F(RalphRun, JsonAnswersOnStdoutAloneAndTheAgentIsOnStderr) {
  std::vector<std::string> args = words(cat("echo noise; ", kGive), {"--prompt", "p", "--json"});
  const Ran ran = project.run(args);
  const auto answer = parse_json(ran.out);
  ASSERT_TRUE(answer) << ran.out;
  EXPECT_EQ((*answer)["ended"], "promise");
  EXPECT_TRUE(has(ran.err, "noise"));
}

// What ended does not go on; the same is begun anew with what it had, its check too.
TEST_F(RalphRun, OfALoopThatHasEndedItsCheckIsInWhatIsAdvised) {
  EXPECT_EQ(run("true; ", {"--prompt", "p", "--verify", "test -f done.txt", "--max", "1"}).exit, 1);
  ASSERT_EQ(loop()["status"], "exhausted");
  const std::string key = string_or(loop(), "loop");
  const Ran ran = run(kGive, {});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_TRUE(has(ran.err, cat("pawl ralph start --like ", key, "  # begins the same anew, with its check\n")))
      << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl ralph run --prompt P --verify 'test -f done.txt' -- AGENT  # begins another\n"))
      << ran.err;
  project.must({"ralph", "start", "--like", key});
  EXPECT_EQ(string_or(loop().value("check", Json::object()), "command"), "test -f done.txt");
}

// Attempts that were made stay made, whoever takes the file away in which they are counted.
TEST_F(RalphRun, ACheckThatRemovesItsFileDoesNotBeginItsAttemptsAnew) {
  for (const char* const removes : {"check", "agent"}) {
    SCOPED_TRACE(removes);
    const bool by_check = std::string_view(removes) == "check";
    const std::string remove = "rm -f .omc/ralph-verification.json; ";
    const Ran ran = run((by_check ? std::string() : remove) + kGive,
                        {"--prompt", "p", "--session", removes, "--verify", (by_check ? remove : "") + "false",
                         "--attempts", "3", "--max", "9"});
    EXPECT_EQ(ran.exit, 1) << ran.out;
    EXPECT_TRUE(has(ran.out, "iteration 3/9: its claims were rejected too often")) << ran.out << ran.err;
    project.must({"ralph", "cancel", "--all"});
  }
}

// Nor does whoever writes into that file get more of them than the loop was given.
TEST_F(RalphRun, TheFileOfAVerificationDoesNotSayHowManyAttemptsThereAre) {
  const std::string more =
      "sed -i 's/\"max_verification_attempts\": [0-9]*/\"max_verification_attempts\": 1000/' "
      ".omc/ralph-verification.json; ";
  const Ran ran = run(more + kGive, {"--prompt", "p", "--verify", "false", "--attempts", "2", "--max", "6"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "attempt 2 of 2")) << ran.err;
  EXPECT_TRUE(has(ran.out, "iteration 2/6: its claims were rejected too often")) << ran.out << ran.err;
  const Json verification = parse_json(project.out({"verify", "show", "--json"})).value_or(Json());
  EXPECT_EQ(verification["state"]["max_verification_attempts"], 2);
}

TEST_F(RalphRun, AttemptsStayMadeWhenTheRunnerIsKilledAndTheirFileGoes) {
  const std::string file = ".omc/ralph-verification.json";
  const std::string then_waits =
      cat("if [ $PAWL_ITERATION = 1 ]; then ", kGive, "; else echo ready; exec tail -f /dev/null; fi");
  Child child(PAWL_BINARY, words(then_waits, {"--prompt", "p", "--verify", "false", "--attempts", "3"}),
              project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  child.send(SIGKILL);
  (void)child.finish();
  std::filesystem::remove(project.file(file));
  const Ran ran = run(kGive, {"--max", "9"});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "attempt 2 of 3") && !has(ran.err, "attempt 1 of 3")) << ran.err;
  EXPECT_TRUE(has(ran.out, "iteration 3/9: its claims were rejected too often")) << ran.out;
  // Who goes on after the last one has all of them again.
  EXPECT_TRUE(has(run(kGive, {}).err, "attempt 1 of 3"));
}

// A check is not gone around by a person's word either: as by the file, it is refused, or marked.
TEST_F(RalphRun, WhoCompletesALoopWithACheckBesidesARunIsRefusedOrItIsMarked) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "1"}).exit, 1);
  const Ran refused = project.run({"ralph", "complete", "--reason", "I looked"});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_TRUE(has(refused.err, "is complete only when its check agrees")) << refused.err;
  EXPECT_TRUE(has(refused.err, "pawl ralph run -- AGENT  # goes on with it") && has(refused.err, "pawl ralph cancel "))
      << refused.err;
  EXPECT_EQ(loop()["status"], "active");
  project.write("pawl.toml", "gates = \"record\"\n");
  const Ran marked = project.run({"ralph", "complete", "--reason", "I looked"});
  EXPECT_EQ(marked.exit, 0) << marked.err;
  EXPECT_TRUE(has(marked.err, "is complete now, unverified: nothing shows “check”")) << marked.err;
  EXPECT_EQ(loop()["status"], "complete");
  EXPECT_TRUE(has(project.out({"log"}), "[unverified]"));
}

// Nobody waits for an answer about a loop that came to its last iteration, nor has to do anything about a claim of one
// that was cancelled.
TEST_F(RalphRun, AVerificationEndsWithALoopThatRunsOut) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--max", "1", "--verify", "false"}).exit, 1);
  EXPECT_EQ(loop()["status"], "exhausted");
  EXPECT_EQ(project.run({"verify", "show"}).exit, 3);
  EXPECT_FALSE(project.exists(".omc/ralph-verification.json"));
  EXPECT_FALSE(has(project.out({"status"}), "verification/"));
}

TEST_F(RalphRun, AVerificationThatWasNeverConfirmedEndsWithItsLoop) {
  EXPECT_EQ(run(kGive, {"--prompt", "p", "--verify", "false", "--attempts", "2"}).exit, 1);
  ASSERT_TRUE(has(project.out({"status"}), "verification/"));
  project.must({"ralph", "cancel"});
  EXPECT_FALSE(has(project.out({"status"}), "verification/"));
  project.must({"undo"});
  EXPECT_TRUE(has(project.out({"status"}), "verification/"));
}

// One that goes on after leaving writes no file but its own and its verification's.
TEST_F(RalphRun, AVerificationEndsWithALoopThatRunsOutAfterPawlWasLeft) {
  const std::string agent = cat("echo ready; while [ ! -e go ]; do :; done; ", kGive);
  Child child(PAWL_BINARY, words(agent, {"--prompt", "p", "--max", "1", "--verify", "false"}), project.options());
  ASSERT_TRUE(child.wait_for("ready"));
  project.must({"leave"});
  project.write("go", "");
  (void)child.finish();
  EXPECT_FALSE(project.exists(".omc/ralph-verification.json"))
      << project.read(".omc/ralph-verification.json").value_or("");
}

}  // namespace
}  // namespace pawl::test

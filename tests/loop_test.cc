// `pawl ralph`, `pawl ultrawork` and `pawl verify` as people and agents use them: every verb, and the file that it
// leaves.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kRalphFile = ".omc/ralph-state.json";
constexpr std::string_view kUltraworkFile = ".omc/ultrawork-state.json";
constexpr std::string_view kVerificationFile = ".omc/ralph-verification.json";

Json parsed(const std::string& text) {
  const auto value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(Json());
}

class Loops : public testing::Test {
 protected:
  Json json(std::vector<std::string> args) const {
    args.emplace_back("--json");
    return parsed(project.out(args));
  }
  Json file(std::string_view name) const { return parsed(project.read(name).value_or("(none)")); }
  // The exit code and the message of a command that is refused.
  Ran refused(const std::vector<std::string>& args, const std::string& env = {}) const {
    RunOptions options;
    if (!env.empty()) options.env = {env};
    Ran ran = project.run(args, options);
    EXPECT_NE(ran.exit, 0) << ran.out;
    return ran;
  }

  IssueProject project;
};

TEST_F(Loops, StartWritesTheSeedsFileByteForByte) {
  project.must({"ralph", "start", "--prompt", "Büro, \"quoted\"\nline", "--session", "s1"});
  const std::string bytes = project.read(kRalphFile).value_or("(none)");
  const std::string time = string_or(parsed(bytes), "started_at");
  EXPECT_EQ(time.size(), std::string("2025-01-22T10:30:00.000Z").size());
  EXPECT_EQ(bytes,
            "{\n  \"active\": true,\n  \"iteration\": 0,\n  \"max_iterations\": 50,\n"
            "  \"completion_promise\": \"<promise>TASK_COMPLETE</promise>\",\n  \"started_at\": \"" +
                time +
                "\",\n  \"prompt\": \"Büro, \\\"quoted\\\"\\nline\",\n  \"session_id\": \"s1\",\n"
                "  \"prd_mode\": true,\n  \"current_story_id\": null,\n  \"last_activity_at\": \"" +
                time + "\"\n}");
  project.must({"ultrawork", "start", "--prompt", "fix", "--session", "s1"});
  const std::string ultrawork = project.read(kUltraworkFile).value_or("(none)");
  const std::string then = string_or(parsed(ultrawork), "started_at");
  EXPECT_EQ(ultrawork, "{\n  \"active\": true,\n  \"started_at\": \"" + then +
                           "\",\n  \"original_prompt\": \"fix\",\n  \"session_id\": \"s1\",\n"
                           "  \"reinforcement_count\": 0,\n  \"last_checked_at\": \"" +
                           then + "\"\n}");
  project.must({"verify", "start", "--task", "T", "--claim", "C"});
  EXPECT_EQ(project.read(kVerificationFile).value_or("(none)"),
            "{\n  \"pending\": true,\n  \"original_task\": \"T\",\n  \"completion_claim\": \"C\",\n"
            "  \"verification_attempts\": 0,\n  \"max_verification_attempts\": 3,\n  \"oracle_feedback\": null,\n"
            "  \"last_attempt_at\": null,\n  \"session_id\": \"\"\n}");
}

TEST_F(Loops, OptionsOfStartAreKept) {
  project.must({"ralph", "start", "--prompt", "p", "--max", "7", "--no-prd", "--promise", "a.*b"});
  const Json state = file(kRalphFile);
  EXPECT_EQ(state["max_iterations"], 7);
  EXPECT_EQ(state["prd_mode"], false);
  EXPECT_EQ(state["completion_promise"], "a.*b");
  EXPECT_EQ(state["session_id"], "");
}

TEST_F(Loops, SessionComesFromTheEnvironmentToo) {
  RunOptions options;
  options.env = {"PAWL_SESSION=from-env"};
  EXPECT_EQ(project.run({"ralph", "start", "--prompt", "p"}, options).exit, 0);
  EXPECT_EQ(file(kRalphFile)["session_id"], "from-env");
  EXPECT_EQ(project.run({"ralph", "tick"}, options).exit, 0);
  EXPECT_EQ(refused({"ralph", "tick"}, "PAWL_SESSION=another").exit, 3);
  EXPECT_EQ(refused({"ralph", "tick"}, "PAWL_SESSION=../x").exit, 2);
}

TEST_F(Loops, TickChangesTheValuesThatChangeAndEndsAtTheMaximum) {
  project.must({"ralph", "start", "--prompt", "p", "--max", "2"});
  EXPECT_EQ(json({"ralph", "tick"})["state"]["iteration"], 1);
  EXPECT_EQ(json({"ralph", "tick", "--story", "US-1"})["state"]["current_story_id"], "US-1");
  const Json last = json({"ralph", "tick"});
  EXPECT_EQ(last["status"], "exhausted");
  EXPECT_EQ(file(kRalphFile)["active"], false);
  EXPECT_EQ(file(kRalphFile)["iteration"], 2);
  EXPECT_EQ(refused({"ralph", "tick"}).exit, 1);
  const std::string key = string_or(json({"ralph", "show"}), "loop");
  EXPECT_EQ(project.out({"ralph", "list"}),
            cat("ralph/", key, "  exhausted  iteration 2/2  -  .omc/ralph-state.json\n    p\n"));
}

TEST_F(Loops, ListCutsALongPromptAlsoInAPipe) {
  project.must({"ralph", "start", "--prompt", cat(std::string(400, 'x'), "\nsecond line")});
  const std::string text = project.out({"ralph", "list"});
  for (const std::string_view line : split(text, '\n')) EXPECT_LT(line.size(), 100U) << line;
  EXPECT_EQ(text.find("second"), std::string::npos);
  EXPECT_TRUE(has(project.out({"ralph", "list", "--json"}), std::string(400, 'x')));
}

TEST_F(Loops, CancelledTwiceIsCancelled) {
  project.must({"ralph", "start", "--prompt", "p"});
  project.must({"ralph", "cancel", "--reason", "enough"});
  const std::string before = project.read(kRalphFile).value_or("");
  const Ran again = project.run({"ralph", "cancel", "--reason", "once more"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.out, "the loop had been cancelled before: cancelled, iteration 0/50, nobody\n");
  EXPECT_EQ(project.read(kRalphFile), before) << "when and why stay";
  EXPECT_EQ(json({"ralph", "cancel"})[0]["already"], true);
}

TEST_F(Loops, CancelLeavesAnotherEndAsItIs) {
  project.must({"ralph", "start", "--prompt", "p", "--max", "1"});
  project.must({"ralph", "complete"});
  const std::string before = project.read(kRalphFile).value_or("");
  const std::string key = string_or(json({"ralph", "show"}), "loop");
  for (const auto& args : {std::vector<std::string>{"ralph", "cancel"}, {"ralph", "cancel", key}}) {
    const Ran ran = refused(args);
    EXPECT_EQ(ran.exit, 1);
    EXPECT_TRUE(has(ran.err, "is complete already; nothing is under way that could be cancelled")) << ran.err;
    EXPECT_TRUE(has(ran.err, cat("pawl ralph clear ", key))) << ran.err;
  }
  EXPECT_EQ(project.read(kRalphFile), before);
  project.must({"ralph", "start", "--prompt", "again", "--max", "1"});
  project.must({"ralph", "tick"});
  project.must({"ralph", "tick"});
  EXPECT_EQ(refused({"ralph", "cancel"}).exit, 1) << "it came to its last iteration, and that stays";
  EXPECT_EQ(json({"ralph", "show"})["status"], "exhausted");
}

TEST_F(Loops, WhoeverLeavesWithoutIssuesIsToldNothingOfTheirScripts) {
  project.must({"ralph", "start", "--prompt", "p"});
  EXPECT_FALSE(has(project.out({"leave", "--dry-run"}), "shell bash"));
  project.must({"issue", "set", "1", "running"});
  EXPECT_TRUE(has(project.out({"leave", "--dry-run"}), "shell bash"));
}

TEST_F(Loops, StartSaysWhichLoopGaveItsFileUp) {
  project.must({"ralph", "start", "--prompt", "one"});
  project.must({"ralph", "complete"});
  const std::string first = cat("ralph/", string_or(json({"ralph", "show"}), "loop"));
  EXPECT_TRUE(has(project.out({"ralph", "start", "--prompt", "two"}), cat("pawl show ", first)));
  EXPECT_TRUE(has(project.out({"show", first}), "one"));
}

TEST_F(Loops, GuessesAreToldWhatIsMeant) {
  for (const char* guess : {"stop", "pause", "kill"})
    EXPECT_TRUE(has(project.run({"ralph", guess}).err, "`pawl ralph cancel` ends the loop for good")) << guess;
  EXPECT_TRUE(has(project.run({"ralph", "resume"}).err, "`pawl ralph run -- AGENT` goes on"));
  EXPECT_TRUE(has(project.run({"ralph", "rm"}).err, "did you mean `pawl ralph clear`?"));
  EXPECT_TRUE(has(project.run({"story", "release"}).err, "`pawl claim release story/ID --token T`"));
  EXPECT_TRUE(has(project.run({"review", "resume"}).err, "did you mean `pawl review continue`?"));
}

TEST_F(Loops, CompleteAtTheMaximumIsNotExhausted) {
  project.must({"ralph", "start", "--prompt", "p", "--max", "1"});
  project.must({"ralph", "tick"});
  EXPECT_EQ(json({"ralph", "complete"})["status"], "complete");
  std::filesystem::remove_all(project.file(".pawl"));  // what the file alone says
  EXPECT_EQ(json({"ralph", "show"})["status"], "complete");
}

TEST_F(Loops, TwoSessionsNeverDriveEachOthersLoop) {
  project.must({"ralph", "start", "--prompt", "one", "--session", "s1"});
  project.must({"ralph", "start", "--prompt", "two", "--session", "s2"});
  project.must({"ralph", "tick", "--session", "s2"});
  EXPECT_EQ(json({"ralph", "show", "--session", "s1"})["state"]["iteration"], 0);
  EXPECT_EQ(json({"ralph", "show", "--session", "s2"})["state"]["iteration"], 1);
  EXPECT_EQ(file(".omc/state/sessions/s2/ralph-state.json")["prompt"], "two");
  EXPECT_EQ(refused({"ralph", "tick", "--session", "s3"}).exit, 3);
  EXPECT_EQ(refused({"ralph", "cancel"}).exit, 2) << "which of the two?";
  EXPECT_EQ(json({"ralph", "list"}).size(), 2U);
  project.must({"ralph", "cancel", "--session", "s1"});
  EXPECT_EQ(json({"ralph", "show", "--session", "s2"})["status"], "active");
  EXPECT_EQ(json({"ralph", "cancel", "--all"}).size(), 1U);
  EXPECT_EQ(json({"ralph", "cancel", "--all"}).size(), 0U);
}

TEST_F(Loops, ASessionWithALoopUnderWayGetsNoSecond) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  EXPECT_NE(refused({"ralph", "start", "--prompt", "q", "--session", "s1"}).err.find("under way"), std::string::npos);
  project.must({"ralph", "complete", "--session", "s1"});
  project.must({"ralph", "start", "--prompt", "q", "--session", "s1"});
  EXPECT_EQ(file(kRalphFile)["prompt"], "q");
  EXPECT_EQ(json({"ralph", "list"}).size(), 1U) << "the one before is set aside";
  project.must({"undo"});
  EXPECT_EQ(file(kRalphFile)["prompt"], "p");
  EXPECT_EQ(json({"ralph", "show"})["status"], "complete");
}

TEST_F(Loops, OwnTakesTheLoopFromItsSession) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(kRalphFile).value_or("");
  project.must({"ralph", "own", "--session", "s2"});
  EXPECT_EQ(file(kRalphFile)["session_id"], "s2");
  EXPECT_EQ(refused({"ralph", "tick", "--session", "s1"}).exit, 3);
  project.must({"ralph", "tick", "--session", "s2"});
  project.write(kRalphFile, before);  // session s1 writes what it had
  const Json list = json({"ralph", "list"});
  ASSERT_EQ(list.size(), 1U) << "who has none displaces nobody's";
  EXPECT_EQ(list[0]["session"], "s2");
  EXPECT_EQ(list[0]["status"], "active");
  EXPECT_EQ(file(kRalphFile)["session_id"], "s2");
  EXPECT_EQ(refused({"ralph", "own"}).exit, 2);
}

TEST_F(Loops, CancelMeansCancelled) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(kRalphFile).value_or("");
  project.must({"ralph", "cancel", "--reason", "enough"});  // at a terminal, without a session
  EXPECT_EQ(file(kRalphFile)["active"], false);
  EXPECT_EQ(file(kRalphFile)["cancel_reason"], "enough");
  EXPECT_TRUE(file(kRalphFile).contains("cancelled_at"));
  project.write(kRalphFile, before);
  const Json shown = json({"ralph", "show"});
  EXPECT_EQ(shown["status"], "cancelled");
  EXPECT_EQ(file(kRalphFile)["active"], false);
  EXPECT_EQ(project.read(project.only_kept("refused")), before);
  EXPECT_EQ(refused({"ralph", "tick", "--session", "s1"}).exit, 1);
}

TEST_F(Loops, ClearedLoopIsRefusedAndAnotherIsNew) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(kRalphFile).value_or("");
  project.must({"ralph", "clear", "--session", "s1"});
  EXPECT_FALSE(project.exists(kRalphFile));
  EXPECT_EQ(json({"ralph", "clear"})["cleared"], false);
  project.write(kRalphFile, before);
  const Ran ran = project.run({"ralph", "list"});
  EXPECT_EQ(ran.out, "there is no loop here\n");
  EXPECT_NE(ran.err.find("does not come back"), std::string::npos) << ran.err;
  EXPECT_FALSE(project.exists(kRalphFile));
  EXPECT_EQ(project.read(project.only_kept("refused")), before);
  const std::string other = replaced(before, "\"started_at\": \"2", "\"started_at\": \"3");
  project.write(kRalphFile, other);
  EXPECT_EQ(json({"ralph", "show"})["status"], "active");
  EXPECT_EQ(project.read(kRalphFile), other);
}

TEST_F(Loops, RemovingTheFileByHandEndsTheLoop) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(kRalphFile).value_or("");
  std::filesystem::remove(project.file(kRalphFile));
  EXPECT_EQ(refused({"ralph", "tick", "--session", "s1"}).exit, 3);
  EXPECT_FALSE(project.exists(kRalphFile));
  project.write(kRalphFile, before);
  EXPECT_EQ(project.out({"ralph", "list"}), "there is no loop here\n");
  EXPECT_FALSE(project.exists(kRalphFile));
}

TEST_F(Loops, VerificationRunsOutAndSaysSo) {
  project.must({"verify", "start", "--task", "T", "--claim", "C", "--session", "s1", "--max", "2"});
  // Nobody else uses its attempts up.
  EXPECT_EQ(refused({"verify", "attempt", "--rejected", "--feedback", "stray"}).exit, 3);
  EXPECT_EQ(json({"verify", "attempt", "--session", "s1", "--rejected", "--feedback", "needs tests"})["status"],
            "pending");
  EXPECT_EQ(json({"verify", "attempt", "--session", "s1", "--rejected", "--feedback", "still"})["status"], "exhausted");
  EXPECT_EQ(file(kVerificationFile)["pending"], true);
  EXPECT_EQ(file(kVerificationFile)["verification_attempts"], 2);
  EXPECT_NE(project.out({"verify", "show"}).find("not approved"), std::string::npos);
  EXPECT_EQ(refused({"verify", "attempt", "--session", "s1", "--approved", "--feedback", "now"}).exit, 1);
  // Nor by an edit of the file.
  project.write(kVerificationFile,
                replaced(project.read(kVerificationFile).value_or(""), "\"pending\": true", "\"pending\": false"));
  EXPECT_EQ(json({"verify", "show"})["status"], "exhausted");
  EXPECT_EQ(file(kVerificationFile)["pending"], true);
  project.must({"verify", "clear"});
  EXPECT_FALSE(project.exists(kVerificationFile));
  EXPECT_EQ(refused({"verify", "attempt", "--feedback", "f"}).exit, 2);
  EXPECT_EQ(refused({"verify", "attempt", "--feedback", "f", "--approved", "--rejected"}).exit, 2);
}

TEST_F(Loops, AVerificationIsNotApprovedByTheFirstWordOfItsFile) {
  project.must({"verify", "start", "--task", "T", "--claim", "C", "--max", "1"});
  project.must({"verify", "attempt", "--rejected", "--feedback", "no"});
  const std::string other =
      R"({"pending": false, "original_task": "T", "completion_claim": "C, really", "verification_attempts": 1})";
  project.write(kVerificationFile, other);
  const Ran board = project.run({"status"});
  EXPECT_TRUE(has(board.out, "Needs you") && has(board.out, "came into its file as “approved”")) << board.out;
  EXPECT_TRUE(has(board.out, "write true under “pending”")) << board.out;
  EXPECT_TRUE(has(board.err, "pawl accept .omc/ralph-verification.json")) << board.err;
  EXPECT_EQ(json({"verify", "show"})["status"], Json());
  EXPECT_EQ(project.read(kVerificationFile), other);
  EXPECT_EQ(refused({"verify", "write", "--state", R"({"pending": false, "original_task": "another"})"}).exit, 1);
  // It is verified after all, as any is.
  project.write(kVerificationFile, replaced(other, "false", "true"));
  EXPECT_EQ(json({"verify", "show"})["status"], "pending");
  project.write(kVerificationFile, other);
  EXPECT_EQ(json({"verify", "show"})["status"], "approved");
}

TEST_F(Loops, AnApprovedVerificationThatWasThereBeforePawlIsTakenAsItIs) {
  project.write(kVerificationFile, R"({"pending": false, "original_task": "T", "completion_claim": "C"})");
  project.must({"init"});
  EXPECT_EQ(json({"verify", "show"})["status"], "approved");
}

TEST_F(Loops, AVerificationThatContradictsItselfIsToldWhatMendsIt) {
  project.write(kVerificationFile, R"({"pending": false, "architect_approved": false, "completion_claim": "C"})");
  project.must({"init"});
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "pending no more, and that it was not approved")) << board;
  EXPECT_FALSE(has(board, "write true or false") || has(board, "is not a status")) << board;
  project.write(kVerificationFile, R"({"pending": true, "architect_approved": false, "completion_claim": "C"})");
  EXPECT_EQ(json({"verify", "show"})["status"], "pending");
}

// What a file says with true or false is not told the words of the command line.
TEST_F(Loops, AFlagThatIsNeitherTrueNorFalseIsCalledByItsName) {
  project.must({"ralph", "start", "--prompt", "p"});
  project.write(kRalphFile,
                replaced(project.read(kRalphFile).value_or(""), "\"active\": true", "\"active\": \"active\""));
  const Ran ran = project.run({"ralph", "list"});
  EXPECT_TRUE(has(ran.err, "“active” is true or false, not the text “active”")) << ran.err;
  EXPECT_FALSE(has(ran.err, "did you mean")) << ran.err;
}

TEST_F(Loops, ApprovedVerificationIsNoLongerPending) {
  project.must({"verify", "start", "--task", "T", "--claim", "C"});
  EXPECT_EQ(json({"verify", "attempt", "--approved", "--feedback", "good"})["status"], "approved");
  EXPECT_EQ(file(kVerificationFile)["pending"], false);
  EXPECT_EQ(file(kVerificationFile)["oracle_feedback"], "good");
}

class Ultrawork : public Loops {
 protected:
  std::string global() const { return read_all(project.home() + "/.opencode/ultrawork-state.json").value_or("(none)"); }
};

TEST_F(Ultrawork, GlobalCopyIsWrittenOnlyWhenAskedForOrByItsSession) {
  project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1"});
  EXPECT_EQ(global(), "(none)");
  project.must({"ultrawork", "clear"});
  project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1", "--global"});
  EXPECT_EQ(global(), project.read(kUltraworkFile)) << "a copy";
  project.must({"ultrawork", "check", "--session", "s1"});
  EXPECT_EQ(parsed(global())["reinforcement_count"], 1);
  const std::string before = global();
  const Ran stray = refused({"ultrawork", "check"});  // by nobody
  EXPECT_EQ(stray.exit, 3);
  EXPECT_TRUE(has(stray.err, "is driven by nobody else\n  say with --session ID that it is yours\n")) << stray.err;
  project.must({"ultrawork", "clear"});
  EXPECT_EQ(global(), before);
  EXPECT_EQ(json({"ultrawork", "show"})["global"], true) << "local, then global";
  project.must({"ultrawork", "start", "--prompt", "mine", "--session", "s2"});
  project.must({"ultrawork", "check", "--session", "s2"});
  EXPECT_EQ(global(), before) << "session s2 is not named in it";
  EXPECT_EQ(json({"ultrawork", "show"})["global"], false);
  project.must({"ultrawork", "clear", "--global"});
  EXPECT_EQ(global(), "(none)");
}

TEST_F(Ultrawork, TwoProjectsShareTheGlobalCopyWithoutAFight) {
  project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1", "--global"});
  std::filesystem::create_directories(project.home() + "/other/.git");
  RunOptions there;
  there.cwd = project.home() + "/other";
  EXPECT_EQ(project.run({"ultrawork", "show"}, there).exit, 0);
  const Ran refused_there = project.run({"ultrawork", "start", "--prompt", "q", "--session", "s2", "--global"}, there);
  EXPECT_NE(refused_there.exit, 0);
  EXPECT_NE(refused_there.err.find("session s1's"), std::string::npos) << refused_there.err;
  EXPECT_FALSE(std::filesystem::exists(there.cwd + "/.omc")) << "what was refused was not half done";
  EXPECT_EQ(project.run({"ultrawork", "clear", "--global"}, there).exit, 0);
  project.must({"ultrawork", "clear"});
  EXPECT_EQ(refused({"ultrawork", "show"}).exit, 3) << "cleared for one project is cleared for all";
}

// The file is everybody's: pawl looks at it, and says what it says.
TEST_F(Ultrawork, TheSharedFileIsNeverTakenAwayOrMendedByLooking) {
  const std::string path = project.home() + "/.opencode/ultrawork-state.json";
  project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1", "--global"});
  const std::string written = global();
  project.must({"ultrawork", "clear", "--global"});
  EXPECT_EQ(global(), "(none)");
  write_all(path, written);
  EXPECT_EQ(json({"ultrawork", "show", "--session", "s1"})["status"], "active");
  EXPECT_EQ(global(), written);
  const std::string odd = replaced(written, "true", "\"perhaps\"");
  write_all(path, odd);
  EXPECT_TRUE(has(project.run({"ultrawork", "show"}).err, "left standing"));
  EXPECT_EQ(global(), odd);
  write_all(path, replaced(written, "\"reinforcement_count\": 0", "\"reinforcement_count\": -3"));
  project.must({"ultrawork", "show"});
  EXPECT_TRUE(has(global(), "-3"));
}

TEST_F(Ultrawork, WhatTheSharedFileSaidIsKeptWhenItIsCleared) {
  project.must({"ultrawork", "start", "--prompt", "p", "--session", "s1", "--global"});
  const std::string written = global();
  project.must({"ultrawork", "clear"});
  const Ran another = project.run({"ultrawork", "clear", "other", "--global"});
  EXPECT_TRUE(has(another.err, "another one's and stays")) << another.err;
  EXPECT_EQ(global(), written);
  const Ran ran = project.run({"ultrawork", "clear", "s1", "--global"});
  EXPECT_FALSE(has(ran.err, "there is no ultrawork")) << ran.err;
  EXPECT_TRUE(has(ran.out, "pawl undo does not bring it back")) << ran.out;
  const std::size_t at = ran.out.find("what it said is in /");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::string kept = ran.out.substr(at + 19, ran.out.find('\n', at) - at - 19);
  EXPECT_EQ(read_all(kept), written) << kept;
}

TEST_F(Ultrawork, WhatAllProjectsShareIsOnTheBoardAndTheDoctorSaysWhoseItIs) {
  std::filesystem::create_directories(project.home() + "/.opencode");
  write_all(project.home() + "/.opencode/ultrawork-state.json",
            cat(R"({"active": true, "original_prompt": "all of it", "session_id": "s9", "started_at": ")",
                iso_time(SystemClock().now().wall_ms, true), R"("})"));
  project.must({"init"});
  const Ran board = project.run({"status"});
  EXPECT_TRUE(has(board.out, "> ultrawork/s9  active")) << board.out;
  EXPECT_TRUE(has(board.out, "for all projects")) << board.out;
  EXPECT_EQ(json({"status"})["count"]["running"], 1);
  const Ran doctor = project.run({"doctor"});
  EXPECT_FALSE(has(doctor.out, "not known yet")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "shared by all projects")) << doctor.out;
}

// On a machine on which pawl has written nothing of the user's own yet: what is advised works, and is advised alike.
TEST_F(Ultrawork, OneThatWasLeftForAllProjectsIsEndedByWhatIsAdvised) {
  std::filesystem::create_directories(project.home() + "/.opencode");
  const std::string file = project.home() + "/.opencode/ultrawork-state.json";
  write_all(file, R"({"active": true, "original_prompt": "all", "started_at": "2020-01-25T06:05:48.777Z"})");
  project.must({"init"});
  EXPECT_TRUE(has(project.run({"status"}).out, "Needs you"));
  const Ran doctor = project.run({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  const std::size_t at = doctor.out.find("problem: ultrawork/");
  ASSERT_NE(at, std::string::npos) << doctor.out;
  const std::size_t line = doctor.out.find("pawl ultrawork clear ", at);
  ASSERT_NE(line, std::string::npos) << doctor.out;
  const std::string name = doctor.out.substr(line + 21, doctor.out.find(' ', line + 21) - line - 21);
  const Ran cleared = project.run({"ultrawork", "clear", name, "--global"});
  EXPECT_EQ(cleared.exit, 0) << cleared.err;
  EXPECT_TRUE(has(cleared.out, "what it said is in /")) << cleared.out;
  EXPECT_FALSE(read_all(file));
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
  project.must({"ultrawork", "start", "--global", "--prompt", "x"});
}

TEST_F(Ultrawork, DamagedLocalFileFallsThroughToTheGlobalOne) {
  std::filesystem::create_directories(project.home() + "/.opencode");
  write_all(project.home() + "/.opencode/ultrawork-state.json", R"({"active": true, "original_prompt": "global"})");
  project.write(kUltraworkFile, "{\"active\": tru");
  EXPECT_EQ(json({"ultrawork", "show"})["state"]["original_prompt"], "global");
  EXPECT_EQ(project.read(kUltraworkFile), "{\"active\": tru") << "never a lost file";
  project.write(kUltraworkFile, R"({"active": false})");
  EXPECT_EQ(json({"ultrawork", "show"})["status"], "ended") << "an inactive one does not fall through";
}

TEST_F(Ultrawork, WithoutAHomeThereIsNothingGlobal) {
  const std::vector<std::string> in_env = {"-u", "HOME", "-u", "XDG_STATE_HOME", PAWL_BINARY, "ultrawork"};
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> args = in_env;
    args.insert(args.end(), more.begin(), more.end());
    RunOptions options;
    options.cwd = project.path();
    return run_program("env", args, options);
  };
  EXPECT_EQ(run({"show"}).exit, 3);
  EXPECT_EQ(run({"start", "--prompt", "p", "--session", "s1"}).exit, 0);
  EXPECT_EQ(run({"check", "--session", "s1"}).exit, 0);
  const Ran global_start = run({"start", "--prompt", "p", "--session", "s2", "--global"});
  EXPECT_NE(global_start.exit, 0);
  EXPECT_NE(global_start.err.find("HOME"), std::string::npos);
}

TEST_F(Loops, BadArgumentsAreRefusedByName) {
  const std::string long_id(10'240, 'a');
  for (const std::string& id : {std::string("../../etc/passwd"), std::string("/abs"), std::string("a/b"), std::string(),
                                std::string("null"), std::string("-x"), std::string("a b"), long_id}) {
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"ralph", "start", "--prompt", "p"},
                                               {"ralph", "own"},
                                               {"ultrawork", "start", "--prompt", "p"},
                                               {"verify", "start", "--task", "t", "--claim", "c"}}) {
      std::vector<std::string> args = verb;
      args.push_back("--session=" + id);
      const Ran ran = refused(args);
      EXPECT_EQ(ran.exit, 2) << id.substr(0, 20);
      EXPECT_NE(ran.err.find("session"), std::string::npos) << ran.err;
      EXPECT_LT(ran.err.size(), 1000U);
    }
  }
  for (const char* most : {"0", "-1", "many", "1.5", "", "99999999999999999999"}) {
    EXPECT_EQ(refused({"ralph", "start", "--prompt", "p", std::string("--max=") + most}).exit, 2) << most;
    EXPECT_EQ(refused({"verify", "start", "--task", "t", "--claim", "c", std::string("--max=") + most}).exit, 2)
        << most;
  }
  EXPECT_EQ(refused({"ralph", "start", "--prompt", "p", "--promise="}).exit, 2);
  EXPECT_EQ(refused({"ralph", "start", "--prompt="}).exit, 2);
  EXPECT_EQ(refused({"ralph", "start", "--prompt", "\x1b[31m"}).exit, 2);
  EXPECT_EQ(refused({"ralph", "start"}).exit, 2);
  for (const char* state : {"", "[]", "5", "{", "{\"session_id\": \"../x\"}", "{\"active\": \"yes\"}"})
    EXPECT_NE(refused({"ralph", "write", "--state", state}).exit, 0) << state;
  EXPECT_FALSE(project.exists(".omc"));
}

}  // namespace
}  // namespace pawl::test

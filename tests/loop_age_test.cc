// When somebody was last in a loop, who drives it, and what a hand in its file may change: as the board and the
// messages tell it.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

constexpr std::int64_t kDay = 86'400'000;

std::string days_ago(std::int64_t days) { return iso_time(SystemClock().now().wall_ms - days * kDay - 60'000, true); }

class LoopAge : public testing::Test {
 protected:
  Json row(std::string_view ref) const {
    const Json board = project.json({"status"});
    for (const Json& one : board["work"]) {
      if (string_or(one, "ref").starts_with(ref)) return one;
    }
    return Json::object();
  }
  // Begun 27 days ago, and last heard of `active` days ago.
  void write_loop(std::int64_t active, std::string_view more = {}) const {
    project.write(kLoopFile, cat(R"({"active": true, "iteration": 6, "max_iterations": 20, "prompt": "p", )",
                                 R"("session_id": "s1", "started_at": ")", started, R"(", "last_activity_at": ")",
                                 days_ago(active), "\"", more, "}"));
  }

  const std::string started = days_ago(27);
  StoryProject project;
};

TEST_F(LoopAge, IsCountedFromTheLastActivity) {
  write_loop(3);
  EXPECT_EQ(string_or(row("ralph/"), "why"), "nobody has been in it for 3 days");
  EXPECT_TRUE(has(project.run({"doctor"}).out, "nobody has been in it for 3 days"));
}

TEST_F(LoopAge, AnotherToolsEditCounts) {
  write_loop(3);
  project.must({"init"});
  write_loop(0);
  EXPECT_EQ(string_or(row("ralph/"), "stands"), "running");
  // One that says only that it goes on was made when pawl found it, at the latest.
  write_loop(3);
  project.must({"status"});
  project.write(kLoopFile, replaced(project.read(kLoopFile).value_or(""), "\"iteration\": 6", "\"iteration\": 7"));
  EXPECT_EQ(string_or(row("ralph/"), "stands"), "running");
}

TEST_F(LoopAge, AnOldOneThatIsBroughtBackIsOld) {
  write_loop(3);
  project.must({"status"});
  project.must({"ralph", "cancel", "s1"});
  project.must({"undo"});
  EXPECT_EQ(string_or(row("ralph/"), "why"), "nobody has been in it for 3 days");
}

TEST_F(LoopAge, AVerificationThatNobodyAnswersIsNotWaitedForWithoutEnd) {
  project.write(
      ".omc/ralph-verification.json",
      cat(R"({"pending": true, "original_task": "t", "completion_claim": "c", "verification_attempts": 1, )",
          R"("max_verification_attempts": 3, "session_id": "s1", "last_attempt_at": ")", days_ago(300), "\"}"));
  const Json old = row("verification/");
  EXPECT_EQ(string_or(old, "stands"), "needs_person");
  EXPECT_EQ(string_or(old, "why"), "nobody has been in it for 300 days");
  const std::string advice = string_or(old, "advice");
  ASSERT_TRUE(advice.starts_with("pawl verify clear s1@")) << advice;
  project.must({"verify", "clear", advice.substr(18, advice.find(' ', 18) - 18)});
  EXPECT_FALSE(project.exists(".omc/ralph-verification.json"));
}

TEST_F(LoopAge, WhatNobodyDrivesIsNotRunning) {
  const Ran begun = project.run({"ralph", "start", "--prompt", "p"});
  EXPECT_TRUE(has(begun.out, "nobody drives it yet\n  pawl ralph run -- AGENT  # goes on with it\n")) << begun.out;
  const Json loop = row("ralph/");
  EXPECT_EQ(string_or(loop, "stands"), "next");
  EXPECT_EQ(string_or(loop, "why"), "nobody drives it");
  // A session's is: its hook holds it.
  project.must({"ralph", "start", "--session", "s1", "--prompt", "p"});
  EXPECT_EQ(string_or(row("ralph/s1@"), "stands"), "running");
}

TEST_F(LoopAge, WhoeverMayNotBeginIsToldHowToBeginBesideIt) {
  write_loop(0);
  const Ran ran = project.run({"ralph", "run", "--prompt", "mine", "--", "/bin/true"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "session s1's loop is under way already")) << ran.err;
  EXPECT_TRUE(has(ran.err, "  pawl ralph run --session NAME --prompt P -- AGENT  # begins yours beside it")) << ran.err;
  EXPECT_FALSE(has(ran.err, "cancel")) << ran.err;
  const Ran named = project.run({"ralph", "run", "--session", "mine", "--prompt", "mine", "--max", "1", "--",
                                 "/bin/echo", "<promise>TASK_COMPLETE</promise>"});
  EXPECT_EQ(named.exit, 0) << named.err;
}

TEST_F(LoopAge, ATickWithoutASessionDoesNotMeanOneThatEndedLongAgo) {
  project.write(".omc/state/ralph-state.json", R"({"active": false, "iteration": 3, "prompt": "old"})");
  write_loop(0);
  const Ran ran = project.run({"ralph", "tick"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "session s1's, and is driven by nobody else")) << ran.err;
}

TEST_F(LoopAge, WhatAHandTakesBackIsRefusedKeptAndSaid) {
  write_loop(0);
  project.must({"init"});
  const std::string good = project.read(kLoopFile).value_or("");
  int n = 0;
  for (const char* wrong : {"3", "-1", "\"many\"", "null", "6.5"}) {
    const std::string written = replaced(good, "\"iteration\": 6", cat("\"iteration\": ", wrong));
    project.write(kLoopFile, written);
    const Ran told = project.run({"status"});
    EXPECT_TRUE(has(told.err, "is 6 and only grows")) << wrong << told.err;
    EXPECT_EQ(project.read(kLoopFile), good) << wrong;
    EXPECT_EQ(project.kept("refused").size(), static_cast<std::size_t>(++n)) << wrong;
  }
  project.write(kLoopFile, replaced(good, "\"max_iterations\": 20", "\"max_iterations\": 2"));
  const Ran told = project.run({"status"});
  EXPECT_TRUE(has(told.err, "max_iterations of ralph/s1@")) << told.err;
  EXPECT_TRUE(has(told.err, "cannot be 2: 6 have been made already")) << told.err;
  EXPECT_EQ(project.read(kLoopFile), good);
  // What an edit gives is taken.
  project.write(kLoopFile, replaced(good, "\"iteration\": 6", "\"iteration\": 9"));
  EXPECT_EQ(project.json({"ralph", "show"})["state"]["iteration"], 9);
  const Ran less = project.run({"ralph", "run", "--session", "s1", "--max", "2", "--", "/bin/true"});
  EXPECT_TRUE(has(less.err, "--max 2: the loop has made 9 iterations already")) << less.err;
}

TEST_F(LoopAge, WhatDrivesALoopIsNotTakenOutOfItByAnEdit) {
  write_loop(0, R"(, "completion_promise": "DONE")");
  project.must({"init"});
  const std::string good = project.read(kLoopFile).value_or("");
  const auto expect_put_back = [&](std::string_view from, const std::string& to, std::string_view told) {
    project.write(kLoopFile, replaced(good, from, to));
    const Ran ran = project.run({"status"});
    EXPECT_TRUE(has(ran.err, told)) << to << "\n" << ran.err;
    EXPECT_EQ(project.read(kLoopFile), good) << to;
  };
  const std::string most = "\"max_iterations\": ";
  for (const char* wrong : {"\"lots\"", "null", "\"2\"", "1.5", "true", "99999999999999999999"})
    expect_put_back(cat(most, "20"), cat(most, wrong), cat("is a whole number; ", wrong, " was written"));
  expect_put_back(cat(most, "20, "), "", "is a whole number; it was taken out");
  for (const char* never : {"\"   \"", "\"```\"", "\"DONE\\nNOW\""})  // can be given by nobody
    expect_put_back("\"DONE\"", never, cat("completion_promise of ralph/s1@"));
  for (const char* wrong : {"null", "\"\"", "7"}) {
    expect_put_back("\"prompt\": \"p\"", cat("\"prompt\": ", wrong), cat("is a text; ", wrong, " was written"));
    expect_put_back("\"DONE\"", wrong, cat("completion_promise of ralph/s1@"));
  }
  // Others are taken, and so is none at all of a loop that is seen for the first time.
  project.write(kLoopFile,
                replaced(replaced(replaced(good, cat(most, "20"), cat(most, "0")), "\"p\"", "\"q\""), "DONE", "OVER"));
  const Json state = project.json({"ralph", "show"})["state"];
  EXPECT_EQ(state["max_iterations"], 0);
  EXPECT_EQ(state["prompt"], "q");
  EXPECT_EQ(state["completion_promise"], "OVER");
  const std::string other = R"({"active": true, "session_id": "s2", "prompt": null, "max_iterations": "lots"})";
  project.write(".omc/state/sessions/s2/ralph-state.json", other);
  EXPECT_EQ(string_or(project.json({"ralph", "show", "--session", "s2"}), "status"), "active");
  EXPECT_EQ(project.read(".omc/state/sessions/s2/ralph-state.json"), other);
}

TEST_F(LoopAge, LoopsAreNoProgress) {
  for (const char* prompt : {"a", "b", "c"}) {
    project.must({"ralph", "start", "--session", prompt, "--prompt", prompt});
    if (*prompt != 'c') project.must({"ralph", "cancel", prompt});
  }
  EXPECT_TRUE(project.json({"status"})["progress"].empty()) << project.json({"status"})["progress"];
}

TEST_F(LoopAge, OneThatIsSetAsideIsNotSaidToBeInItsFile) {
  project.must({"ralph", "start", "--prompt", "one"});
  project.must({"ralph", "complete"});
  const std::string one = string_or(project.json({"ralph", "show"}), "ref");
  project.must({"ralph", "start", "--prompt", "two"});
  for (const std::vector<std::string>& show : {std::vector<std::string>{"show", one}, {"ralph", "show", one}}) {
    const std::string out = project.out(show);
    EXPECT_TRUE(has(out, "is another's now")) << out;
  }
}

TEST_F(LoopAge, AWrongWordIsQuotedOnceAndAnOptionCalledAsItIsTyped) {
  project.write(kLoopFile, R"({"active": "paused", "iteration": 1, "prompt": "p"})");
  for (const char* verb : {"doctor", "status"}) {
    const Ran told = project.run({verb});
    EXPECT_TRUE(has(told.out + told.err, "“paused”")) << told.out << told.err;
    EXPECT_FALSE(has(told.out + told.err, "“\"paused\"”")) << told.out << told.err;
  }
  EXPECT_TRUE(has(project.run({"ralph", "start", "--prompt", "p", "--max", "0"}).err, "--max: “0” is not"));
}

TEST_F(LoopAge, TheGuideNamesWhatIsThere) {
  const std::string guide = project.out({"guide"});
  EXPECT_TRUE(has(guide, "pawl undo N")) << guide;
  EXPECT_TRUE(has(guide, "$PAWL_SESSION")) << guide;
  EXPECT_FALSE(has(guide, "\"$ID\"")) << guide;
  EXPECT_FALSE(has(guide, "pawl ultrawork")) << guide;
  EXPECT_LE(split(guide, '\n').size(), 60U) << guide;
  project.must({"ultrawork", "start", "--session", "s1", "--prompt", "p"});
  EXPECT_TRUE(has(project.out({"guide"}), "pawl ultrawork check"));
}

}  // namespace
}  // namespace pawl::test

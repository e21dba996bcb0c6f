// Loops as a person meets them on the board: one that was cancelled stays so whatever is typed, each is called by the
// name that the board gives it, one that lost its file to another is not out of reach, and what nobody drives is not
// called running.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/run_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

std::string state(std::string_view session, std::string_view start, std::string_view prompt = "p") {
  return cat(R"({"active": true, "iteration": 1, "prompt": ")", prompt, R"(", "session_id": ")", session,
             R"(", "started_at": "2026-01-0)", start, R"(T00:00:00.000Z"})");
}

class LoopsStand : public testing::Test {
 protected:
  Json row(std::string_view ref, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"status"};
    args.insert(args.end(), more.begin(), more.end());
    const Json board = project.json(args);
    for (const Json& one : board["work"]) {
      if (string_or(one, "ref").starts_with(ref)) return one;
    }
    return Json::object();
  }
  std::string active() const {  // the prompt of the loop that the file shows under way
    const Json shown = parse_json(project.read(kLoopFile).value_or("{}")).value_or(Json::object());
    return shown.value("active", false) ? string_or(shown, "prompt") : std::string();
  }

  StoryProject project;
};

TEST_F(LoopsStand, ACancelledOneIsNotAcceptedInThePlaceOfAnother) {
  project.must({"ralph", "start", "--prompt", "one"});
  const std::string one = project.read(kLoopFile).value_or("");
  project.must({"ralph", "cancel"});
  project.write(kLoopFile, one);
  project.must({"status"});
  const std::string copy = project.only_kept("refused");
  project.must({"ralph", "start", "--prompt", "two"});
  EXPECT_EQ(string_or(row(copy), "advice"), cat("pawl dismiss ", copy, "  # lets it go"));
  const Ran accepted = project.run({"accept", copy});
  EXPECT_EQ(accepted.exit, 1) << accepted.out;
  EXPECT_TRUE(has(accepted.err, "has ended and does not come back")) << accepted.err;
  EXPECT_EQ(active(), "two");
  project.must({"ralph", "clear"});
  EXPECT_NE(project.run({"accept", copy}).exit, 0) << "nor where there is no other";
  EXPECT_EQ(active(), "");
}

TEST_F(LoopsStand, OfAClearedOneNobodyIsToldToAcceptIt) {
  project.must({"ralph", "start", "--prompt", "one"});
  const std::string one = project.read(kLoopFile).value_or("");
  project.must({"ralph", "clear"});
  project.write(kLoopFile, one);
  const Ran refused = project.run({"ralph", "clear"});
  EXPECT_TRUE(has(refused.err, "has ended and does not come back")) << refused.err;
  EXPECT_FALSE(has(refused.err, "pawl accept")) << refused.err;
  EXPECT_EQ(project.run({"accept", project.only_kept("refused")}).exit, 1);
  EXPECT_EQ(active(), "");
}

TEST_F(LoopsStand, TheLogSaysWhoAccepted) {
  project.must({"issue", "set", "2", "complete"});
  project.edit(2, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "2"});
  project.must({"accept", project.only_kept("refused"), "--actor", "ada", "--reason", "broken"});
  EXPECT_TRUE(has(project.out({"log"}), "ada  accept of what was changed in a file outside pawl"))
      << project.out({"log"});
}

TEST_F(LoopsStand, OneThatLostItsFileWhileUnderWayIsEndedByItsName) {
  project.write(kLoopFile, state("a", "1", "one"));
  project.must({"ralph", "tick", "--session", "a"});
  const auto lose_it_to = [&](std::string_view session, std::string_view start) {
    project.write(kLoopFile, state(session, start, session));
    project.must({"ralph", "tick", "--session", std::string(session)});
  };
  lose_it_to("b", "2");
  EXPECT_EQ(string_or(row("ralph/a@"), "stands"), "waiting");
  project.must({"ralph", "cancel", "a@20260101T000000.000Z"});
  EXPECT_EQ(string_or(row("ralph/a@", {"--all"}), "status"), "cancelled");
  EXPECT_EQ(active(), "b") << "the file is another's";
  lose_it_to("c", "3");
  project.must({"ralph", "cancel", "--session", "b"});
  EXPECT_EQ(string_or(row("ralph/b@", {"--all"}), "status"), "cancelled");
  lose_it_to("d", "4");
  EXPECT_TRUE(has(project.out({"ralph", "clear", "ralph/c"}), "is cleared"));
  EXPECT_EQ(row("ralph/c@", {"--all"}), Json::object());
  EXPECT_EQ(active(), "d") << "the file is another's";
  project.must({"undo"});
  EXPECT_EQ(string_or(row("ralph/c@"), "stands"), "waiting");
  EXPECT_EQ(active(), "d");
  project.must({"ralph", "cancel", "--all"});
  EXPECT_EQ(string_or(row("ralph/c@", {"--all"}), "status"), "cancelled");
  EXPECT_EQ(active(), "");
}

TEST_F(LoopsStand, EachIsCalledAsTheBoardCallsIt) {
  project.write(kLoopFile, state("sess-A", "1"));
  project.write(".omc/state/ralph-state.json", state("sess-B", "2"));
  project.write(".omc/ultrawork-state.json", state("sess-A", "1"));
  EXPECT_EQ(string_or(row("ralph/sess-A@"), "name"), "ralph/sess-A");
  for (const char* name : {"ralph/sess-A", "sess-A", "ralph/sess-A@20260101T000000.000Z"})
    EXPECT_EQ(project.json({"ralph", "show", name})["session"], "sess-A") << name;
  EXPECT_EQ(project.json({"ultrawork", "show", "ultrawork/sess-A"})["session"], "sess-A");
  EXPECT_EQ(project.json({"ralph", "show", "--session", "ralph/sess-B"})["session"], "sess-B");
  // Two are under way: the one that is meant is named.
  const Ran unclear = project.run({"ralph", "own", "--session", "mine"});
  EXPECT_EQ(unclear.exit, 2);
  EXPECT_TRUE(has(unclear.err, "pawl ralph own ralph/sess-")) << unclear.err;
  EXPECT_EQ(project.json({"ralph", "own", "ralph/sess-B", "--session", "mine"})["session"], "mine");
  project.must({"ralph", "cancel", "ralph/sess-A"});
  EXPECT_EQ(project.json({"ralph", "show", "sess-A"})["status"], "cancelled") << "the last, where none is under way";
  EXPECT_TRUE(has(project.out({"ultrawork", "clear", "sess-A"}), "is cleared"));
  EXPECT_EQ(project.run({"ralph", "cancel", "sess-B"}).exit, 3) << "it went over to another";
  EXPECT_EQ(project.run({"ralph", "cancel", "ses"}).exit, 3);
  // Four signs of a session's id are enough where no other begins so.
  EXPECT_EQ(project.json({"ralph", "show", "sess"})["session"], "sess-A");
  project.write(".omc/state/ralph-state.json", state("sess-C", "3"));
  project.write(".omc/state/sessions/sess-D/ralph-state.json", state("sess-D", "4"));
  const Ran several = project.run({"ralph", "cancel", "sess"});
  EXPECT_EQ(several.exit, 2) << several.out;
  EXPECT_TRUE(has(several.err, "session sess-C's, session sess-D's")) << several.err;
}

TEST_F(LoopsStand, AnExhaustedOneIsAmongTheEndedWhenAnotherHasItsFile) {
  project.must({"ralph", "start", "--prompt", "one", "--max", "1"});
  project.must({"ralph", "tick"});
  project.must({"ralph", "tick"});
  const Json there = row("ralph/");
  EXPECT_EQ(string_or(there, "stands"), "needs_person");
  project.must({"ralph", "start", "--prompt", "two"});
  const Json after = row(string_or(there, "ref"), {"--all"});
  EXPECT_EQ(string_or(after, "stands"), "ended");
  EXPECT_EQ(string_or(after, "status"), "exhausted");
  EXPECT_EQ(project.json({"status"})["count"]["ended"], 1);
}

TEST_F(LoopsStand, AStartThatIsRepeatedSaysAgainWhatItReplaced) {
  project.must({"ralph", "start", "--prompt", "one"});
  project.must({"ralph", "complete"});
  const std::vector<std::string> start = {"ralph", "start", "--prompt", "two", "--idempotency-key", "k"};
  const Json first = project.json(start);
  EXPECT_TRUE(string_or(first, "replaced").starts_with("ralph/")) << first;
  EXPECT_EQ(project.json(start), first);
}

TEST_F(LoopsStand, ARunIsToldWhoseIsUnderWayAndHowToGoOnWithIt) {
  project.write(kLoopFile, state("sess-A", "1", "mend it"));
  const Ran ran = project.run({"ralph", "run", "--", "/bin/true"});
  EXPECT_EQ(ran.exit, 3);
  for (const char* part :
       {"session sess-A's is under way: mend it", "\n  pawl ralph run --session sess-A -- AGENT  # goes on with it\n",
        "\n  pawl ralph own ralph/sess-A@20260101T000000.000Z --session NAME  # takes it over\n",
        "\n  pawl ralph run --session NAME --prompt P -- AGENT  # begins another beside it\n"})
    EXPECT_TRUE(has(ran.err, part)) << part << "\n" << ran.err;
  const Json old = row("ralph/");
  EXPECT_EQ(string_or(old, "stands"), "needs_person") << "nobody has been in it for long";
  EXPECT_EQ(string_or(old, "advice"),
            "pawl ralph run --session sess-A -- AGENT  # goes on with it\n"
            "pawl ralph cancel sess-A@20260101T000000.000Z  # ends it");
  for (const char* verb : {"doctor", "status"}) {
    const Ran told = project.run({verb});
    EXPECT_TRUE(has(told.out,
                    "\n    pawl ralph run --session sess-A -- AGENT  # goes on with it\n"
                    "    pawl ralph cancel sess-A@20260101T000000.000Z  # ends it\n"))
        << told.out;
  }
}

TEST_F(LoopsStand, WhoTypesAPartOfASessionIsAskedWhetherThatIsMeant) {
  project.must({"ralph", "start", "--session", "6f1c2d3e-77aa", "--prompt", "p"});
  project.must({"ralph", "start", "--session", "old", "--prompt", "o"});
  project.must({"ralph", "complete", "--session", "old"});
  const Ran ran = project.run({"ralph", "tick", "--session", "6f1c"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "session 6f1c has no ralph here; under way is session 6f1c2d3e-77aa's\n")) << ran.err;
  EXPECT_TRUE(has(ran.err, "did you mean --session 6f1c2d3e-77aa?")) << ran.err;
  EXPECT_FALSE(has(ran.err, "own") || has(ran.err, "old")) << ran.err;
  EXPECT_TRUE(has(project.run({"ralph", "tick", "--session", "other"}).err, "pawl ralph own --session other"));
}

TEST_F(LoopsStand, ARefusedCopyIsToldOfAsItWasWhateverBecomesOfTheLoop) {
  project.must({"ralph", "start", "--prompt", "one"});
  const std::string one = project.read(kLoopFile).value_or("");
  project.must({"ralph", "cancel"});
  project.write(kLoopFile, one);
  project.must({"status"});
  const std::string copy = project.only_kept("refused"), why = string_or(row(copy), "why");
  EXPECT_FALSE(has(why, "taken out")) << why;
  std::filesystem::remove(project.file(kLoopFile));
  EXPECT_EQ(string_or(row(copy), "why"), why);
}

TEST_F(LoopsStand, OneWhoseRunnerStoppedIsNotRunningUntilSomebodyIsInIt) {
  const auto expect_left = [&](std::string_view why) {
    const Json left = row("ralph/");
    EXPECT_EQ(string_or(left, "stands"), "needs_person") << left;
    EXPECT_TRUE(has(string_or(left, "why"), why)) << left;
    EXPECT_TRUE(has(string_or(left, "advice"), "pawl ralph run -- AGENT  # goes on with it")) << left;
  };
  const auto stopped_by = [&](int signal) {
    Child child(PAWL_BINARY,
                {"ralph", "run", "--prompt", "p", "--", "/bin/sh", "-c", "echo ready; exec tail -f /dev/null"},
                project.options());
    ASSERT_TRUE(child.wait_for("ready"));
    EXPECT_EQ(string_or(row("ralph/"), "stands"), "running") << "though it had been left before";
    child.send(signal);
    (void)child.finish();
    expect_left("its runner was stopped");
  };
  stopped_by(SIGINT);
  stopped_by(SIGTERM);
  project.must({"ralph", "tick"});  // as a session's hook does
  EXPECT_EQ(string_or(row("ralph/"), "stands"), "next") << "nobody drives one without a session";
  EXPECT_NE(project.run({"ralph", "run", "--", "/no/such/agent"}).exit, 0);
  EXPECT_EQ(string_or(row("ralph/"), "stands"), "next") << "that was seen before anything was begun";
  EXPECT_EQ(project
                .run({"ralph", "run", "--verify", "false", "--attempts", "1", "--", "/bin/echo",
                      "<promise>TASK_COMPLETE</promise>"})
                .exit,
            1);
  expect_left("its claims were rejected too often");
  project.must({"ralph", "cancel"});
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 0) << "its verification has ended with it";
}

TEST_F(LoopsStand, AnExhaustedOneIsBegunAnewByWhatTheBoardSays) {
  project.must({"ralph", "start", "--session", "s1", "--prompt", "one", "--max", "1", "--promise", "DONE", "--no-prd"});
  project.must({"ralph", "tick", "--session", "s1"});
  project.must({"ralph", "tick", "--session", "s1"});
  const Json there = row("ralph/");
  const std::string key = string_or(there, "ref").substr(std::string_view("ralph/").size());
  EXPECT_EQ(string_or(there, "advice"),
            cat("pawl ralph start --like ", key, "  # begins it anew\npawl ralph clear ", key, "  # lets it go"));
  const Json again = project.json({"ralph", "start", "--like", key, "--max", "7"})["state"];
  EXPECT_EQ(string_or(again, "prompt"), "one");
  EXPECT_EQ(string_or(again, "session_id"), "s1");
  EXPECT_EQ(string_or(again, "completion_promise"), "DONE");
  EXPECT_EQ(again["prd_mode"], false);
  EXPECT_EQ(again["max_iterations"], 7);
  EXPECT_EQ(again["iteration"], 0);
  EXPECT_EQ(project.run({"ralph", "start", "--like", "none"}).exit, 3);
  const Ran nothing = project.run({"ralph", "start"});
  EXPECT_EQ(nothing.exit, 2);
  EXPECT_TRUE(has(nothing.err, "--prompt P")) << nothing.err;
}

TEST_F(LoopsStand, OneThatIsBegunAnewNeedsNobodyAnyMore) {
  project.must({"ralph", "start", "--session", "s1", "--prompt", "a"});
  project.must({"ralph", "start", "--session", "s2", "--prompt", "b", "--max", "1"});
  project.must({"ralph", "tick", "--session", "s2"});
  project.must({"ralph", "tick", "--session", "s2"});
  project.must({"ralph", "complete", "--session", "s1"});
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 1);
  const Json again = project.json({"ralph", "start", "--like", "ralph/s2"});
  EXPECT_EQ(string_or(again, "file"), ".omc/state/sessions/s2/ralph-state.json") << "where its last one was";
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 0);
}

TEST_F(LoopsStand, TakenOverItsFileIsWhereItsSessionLooks) {
  project.must({"ralph", "start", "--session", "s1", "--prompt", "a"});
  project.must({"ralph", "start", "--session", "s2", "--prompt", "b"});
  const Json owned = project.json({"ralph", "own", "ralph/s2", "--session", "s3"});
  EXPECT_EQ(string_or(owned, "file"), ".omc/state/sessions/s3/ralph-state.json");
  EXPECT_TRUE(project.exists(".omc/state/sessions/s3/ralph-state.json"));
  EXPECT_FALSE(project.exists(".omc/state/sessions/s2/ralph-state.json"));
}

TEST_F(LoopsStand, OneThatIsHeldIsEndedByWhatTheBoardSays) {
  project.write(".omc/ralph-state.json", R"({"active":"yes","session_id":"abc123","iteration":"two"})");
  EXPECT_TRUE(has(project.run({"doctor"}).out, "pawl ralph cancel abc123@unknown")) << project.run({"doctor"}).out;
  project.must({"init"});
  EXPECT_TRUE(has(project.out({"status"}), "pawl ralph cancel abc123@unknown")) << project.out({"status"});
  project.must({"ralph", "cancel", "abc123@unknown"});
  EXPECT_EQ(project.json({"status"})["count"]["needs_person"], 0);
}

TEST_F(LoopsStand, WhatHasEndedHasNoBar) {
  project.must({"ralph", "start", "--prompt", "p"});
  EXPECT_TRUE(row("ralph/").contains("of"));
  project.must({"ralph", "tick"});
  project.must({"ralph", "complete"});
  EXPECT_FALSE(row("ralph/", {"--all"}).contains("of"));
}

}  // namespace
}  // namespace pawl::test

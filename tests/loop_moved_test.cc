// State files of loops that somebody moves from one place where tools keep them to another, as a tool's new version
// does: the loop goes on there. A copy, while the first one stands, stays one.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirst = ".omc/ralph-state.json";
constexpr const char* kSecond = ".omc/state/ralph-state.json";
constexpr const char* kThird = ".omc/state/sessions/w1/ralph-state.json";

class LoopMoved : public testing::Test {
 protected:
  void start(const char* session = "w1") const {
    project.must({"ralph", "start", "--session", session, "--prompt", "w"});
  }
  void move(const std::string& from, const std::string& to) const {
    fs::create_directories(fs::path(project.file(to)).parent_path());
    fs::rename(project.file(from), project.file(to));
  }
  Json shown(const char* noun = "ralph") const {
    return parse_json(project.out({noun, "show", "--json"})).value_or(Json());
  }
  Json file(const char* path) const { return parse_json(project.read(path).value_or("{}")).value_or(Json()); }

  IssueProject project;
};

// It has left that place, and has not ended.
TEST_F(LoopMoved, ACopyWhereItWasIsToldWhereItIsKept) {
  start();
  const std::string bytes = project.read(kFirst).value_or("");
  move(kFirst, kSecond);
  project.must({"ralph", "list"});
  project.write(kFirst, bytes);
  const Ran ran = project.run({"ralph", "list"});
  EXPECT_TRUE(has(ran.err, cat("is kept in ", kSecond, ", and is not begun again here"))) << ran.err;
  EXPECT_FALSE(has(ran.err, "has ended")) << ran.err;
  EXPECT_FALSE(project.exists(kFirst));
  EXPECT_EQ(string_or(shown(), "status"), "active");
  // Once it has, that is said.
  project.must({"ralph", "cancel", "--session", "w1"});
  project.write(kFirst, bytes);
  EXPECT_TRUE(has(project.run({"ralph", "list"}).err, "has ended and does not come back"));
}

TEST_F(LoopMoved, GoesOnAtTheNewPlaceAndBack) {
  start();
  const std::string bytes = project.read(kFirst).value_or("");
  const std::string key = string_or(shown(), "loop");
  std::string from = kFirst;
  for (const char* to : {kSecond, kThird, kFirst}) {
    move(from, to);
    const Ran ran = project.run({"status"});
    EXPECT_TRUE(has(ran.err, cat(from, " was moved to ", to, "; ralph/", key, " is kept there now"))) << ran.err;
    EXPECT_FALSE(has(ran.err, "removed")) << ran.err;
    EXPECT_EQ(project.read(to), bytes);
    EXPECT_FALSE(project.exists(from));
    EXPECT_EQ(string_or(shown(), "status"), "active");
    EXPECT_EQ(string_or(shown(), "loop"), key);
    EXPECT_EQ(string_or(shown(), "file"), to);
    EXPECT_EQ(parse_json(project.out({"status", "--json"}))->at("count")["needs_person"], 0);
    from = to;
  }
  EXPECT_TRUE(project.kept("refused").empty());
  project.must({"ralph", "tick", "--session", "w1"});
  EXPECT_EQ(file(kFirst)["iteration"], 1);
}

TEST_F(LoopMoved, WhatIsChangedOnTheWayIsAnEditUnderItsRules) {
  start();
  project.must({"ralph", "tick", "--session", "w1"});
  project.must({"ralph", "tick", "--session", "w1"});
  const std::string bytes = project.read(kFirst).value_or("");
  fs::remove(project.file(kFirst));
  project.write(kSecond, replaced(replaced(bytes, "\"prompt\": \"w\"", "\"prompt\": \"other\""), "\"iteration\": 2",
                                  "\"iteration\": 1"));
  project.must({"status"});
  EXPECT_EQ(string_or(file(kSecond), "prompt"), "other");
  EXPECT_EQ(file(kSecond)["iteration"], 2) << "it only grows";
  EXPECT_EQ(string_or(shown(), "status"), "active");
}

TEST_F(LoopMoved, TheOtherKindsGoOnToo) {
  project.must({"ultrawork", "start", "--session", "w1", "--prompt", "u"});
  project.must({"verify", "start", "--task", "T", "--claim", "C"});
  move(".omc/ultrawork-state.json", ".omc/state/ultrawork-state.json");
  move(".omc/ralph-verification.json", ".omc/state/ralph-verification.json");
  const Ran ran = project.run({"status"});
  EXPECT_FALSE(has(ran.err, "removed")) << ran.err;
  EXPECT_TRUE(project.exists(".omc/state/ultrawork-state.json"));
  EXPECT_TRUE(project.exists(".omc/state/ralph-verification.json"));
  EXPECT_EQ(string_or(shown("ultrawork"), "status"), "active");
  EXPECT_EQ(string_or(shown("verify"), "status"), "pending");
}

TEST_F(LoopMoved, ACopyWhileTheFirstStandsIsTakenOutAndSaidSo) {
  start();
  project.write(kSecond, project.read(kFirst).value_or(""));
  const std::string board = project.out({"status", "--json"});
  EXPECT_TRUE(has(board, "so it was taken out again")) << board;
  EXPECT_FALSE(project.exists(kSecond));
  EXPECT_TRUE(project.exists(kFirst));
  EXPECT_EQ(string_or(shown(), "status"), "active");
}

TEST_F(LoopMoved, AnotherMayHaveTakenTheOldPlace) {
  start();
  const std::string bytes = project.read(kFirst).value_or("");
  move(kFirst, kThird);
  project.write(kFirst, R"({"active": true, "iteration": 0, "session_id": "w2", "prompt": "second",)"
                        R"( "started_at": "2026-01-28T21:26:00.000Z"})");
  const Ran ran = project.run({"status"});
  EXPECT_FALSE(has(ran.err, "set aside")) << ran.err;
  EXPECT_EQ(project.read(kThird), bytes);
  for (const char* session : {"w1", "w2"}) {
    const auto loop = parse_json(project.out({"ralph", "show", "--session", session, "--json"}));
    EXPECT_EQ(string_or(*loop, "status"), "active") << session;
  }
}

TEST_F(LoopMoved, AfterLeavingAndComingBackItGoesOn) {
  start();
  project.must({"leave"});
  move(kFirst, kSecond);
  project.must({"init"});
  EXPECT_EQ(string_or(shown(), "status"), "active");
  EXPECT_TRUE(project.exists(kSecond));
}

TEST_F(LoopMoved, TheDoctorsFixRemovesNothing) {
  start();
  move(kFirst, kSecond);
  const Ran mended = project.run({"doctor", "--fix"});
  EXPECT_EQ(mended.exit, 0) << mended.out;
  EXPECT_TRUE(project.exists(kSecond));
  EXPECT_EQ(string_or(shown(), "status"), "active");
}

TEST_F(LoopMoved, UndoBringsTheFileBackToWhereItWas) {
  start();
  const std::string bytes = project.read(kFirst).value_or("");
  move(kFirst, kSecond);
  project.must({"status"});
  project.must({"undo"});
  EXPECT_EQ(project.read(kFirst), bytes);
  EXPECT_FALSE(project.exists(kSecond));
  EXPECT_EQ(string_or(shown(), "status"), "active");
}

// A tool has begun another where it was: an undo of the move does not write over that.
TEST_F(LoopMoved, UndoDoesNotWriteOverWhatCameToItsOldPlace) {
  start();
  move(kFirst, kSecond);
  project.must({"status"});
  const std::string another =
      R"({"active": true, "session_id": "s9", "iteration": 1, "started_at": "2026-01-28T21:26:00.000Z", "prompt": "q"})";
  project.write(kFirst, another);
  project.must({"status"});
  const Ran undone = project.run({"undo"});
  EXPECT_EQ(undone.exit, 4) << undone.out << undone.err;
  EXPECT_TRUE(has(undone.err, "another one is by now")) << undone.err;
  EXPECT_EQ(project.read(kFirst), another);
  EXPECT_TRUE(project.exists(kSecond));
}

// One that was there before makes room, and comes back with the same undo.
TEST_F(LoopMoved, OverAnotherIsOneOperation) {
  start();
  const std::string another =
      R"({"active": true, "session_id": "s9", "iteration": 1, "started_at": "2026-01-28T21:26:00.000Z", "prompt": "q"})";
  project.write(kSecond, another);
  project.must({"status"});
  const std::string bytes = project.read(kFirst).value_or("");
  const std::size_t before = project.operations();
  move(kFirst, kSecond);
  project.must({"status"});
  EXPECT_EQ(project.operations(), before + 1);
  EXPECT_EQ(project.read(kSecond), bytes);
  project.must({"undo"});
  EXPECT_EQ(project.read(kFirst), bytes);
  EXPECT_EQ(file(kSecond), parse_json(another).value());
  for (const char* session : {"w1", "s9"}) {
    const auto loop = parse_json(project.out({"ralph", "show", "--session", session, "--json"}));
    EXPECT_EQ(string_or(*loop, "status"), "active") << session;
  }
}

// A link where it was lets older tools find it: that is one file, and no copy.
TEST_F(LoopMoved, WithALinkLeftBehindItIsTheSameFile) {
  start();
  move(kFirst, kSecond);
  fs::create_symlink("state/ralph-state.json", project.file(kFirst));
  const Ran ran = project.run({"status"});
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(project.kept("refused").empty());
  EXPECT_EQ(string_or(shown(), "status"), "active");
  project.must({"ralph", "tick", "--session", "w1"});
  EXPECT_EQ(file(kSecond)["iteration"], 1);
  EXPECT_TRUE(fs::is_symlink(project.file(kFirst)));
  EXPECT_EQ(parse_json(project.out({"ralph", "list", "--json"}))->size(), 1U);

  // Without the link it has moved; and a link that comes back leads to what is known.
  fs::remove(project.file(kFirst));
  EXPECT_TRUE(has(project.run({"status"}).err, "was moved to"));
  fs::create_symlink("state/ralph-state.json", project.file(kFirst));
  EXPECT_EQ(project.run({"status"}).err, "");
  project.must({"ralph", "tick", "--session", "w1"});
  EXPECT_EQ(file(kSecond)["iteration"], 2);
  EXPECT_TRUE(fs::is_symlink(project.file(kFirst)));
  EXPECT_TRUE(project.kept("refused").empty());
}

// What drives it, and what checks it, go along.
TEST_F(LoopMoved, ItsRunnerAndItsCheckGoAlong) {
  ASSERT_EQ(mkfifo(project.file("go").c_str(), 0600), 0);
  Child runner(PAWL_BINARY,
               {"ralph", "run", "--session", "w1", "--prompt", "p", "--max", "2", "--verify", "test -e checked", "--",
                "/bin/sh", "-c", "echo ready; cat go; touch checked; echo '<promise>TASK_COMPLETE</promise>'"},
               project.options());
  ASSERT_TRUE(runner.wait_for("ready"));
  move(kFirst, kSecond);
  // At once, before its runner has seen that it was moved.
  const Ran second = project.run({"ralph", "run", "--session", "w1", "--", "true"});
  EXPECT_EQ(second.exit, 4) << second.out << second.err;
  EXPECT_TRUE(has(second.err, "is driven already, by ralph run ")) << second.err;
  const std::string board = project.run({"status"}).out;
  EXPECT_TRUE(has(board, "by ralph run ")) << board;
  EXPECT_FALSE(has(board, "nobody drives it")) << board;
  const Json check = shown().value("check", Json::object());
  EXPECT_EQ(string_or(check, "command"), "test -e checked") << shown();
  EXPECT_EQ(check.value("given_here", false), true);
  std::ofstream(project.file("go")) << "on\n";
  const Ran ran = runner.finish();
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(string_or(shown(), "status"), "complete");
  EXPECT_EQ(file(kSecond)["active"], false);
  EXPECT_FALSE(project.exists(kFirst));
}

}  // namespace
}  // namespace pawl::test

// What somebody wrote into a file and its lifecycle does not allow: put back or flagged, gates skipped, and the two
// ways in which a person settles it. Through the real binary.
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

// --- a value that its lifecycle does not allow ---

TEST(RefusedValue, IsPutBackAndTheMessageNamesWhatIsLegal) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string before = project.bytes(1);
  project.edit(1, "\"running\"", "\"done\"");
  const std::string written = project.bytes(1);
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_EQ(project.bytes(1), before);
  EXPECT_EQ(project.operations(), 1U);
  const std::string copy = project.only_kept("refused");
  EXPECT_EQ(project.read(copy), written);
  for (const std::string& part : {IssueProject::path_of(1), std::string("“done” is not a status"),
                                  std::string("running, complete or error"), copy}) {
    EXPECT_TRUE(has(ran.err, part)) << part << "\nis not in\n" << ran.err;
  }
  // What would be refused again is not advised.
  EXPECT_FALSE(has(ran.err, "pawl accept")) << ran.err;
  EXPECT_EQ(project.run({"accept", copy}).exit, 1);
  // Said once.
  EXPECT_EQ(project.run({"issue", "get", "1"}).err, "");
}

TEST(RefusedValue, IsPutBackAndTheRestIsTakenOver) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  project.edit(1, "\"running\"", "\"completed\"");
  project.edit(1, "\"one\"", "\"two\",\n  \"mine\": {\"a\": [1, 2]}");
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_TRUE(has(ran.err, "did you mean complete?")) << ran.err;
  const Json content = project.content(1);
  EXPECT_EQ(content["status"], "running");
  EXPECT_EQ(content["session"], "two");
  EXPECT_EQ(content["mine"], Json::parse(R"({"a": [1, 2]})"));
  EXPECT_EQ(project.operations(), 2U);
}

TEST(RefusedValue, OfEveryWrongTypeIsPutBack) {
  for (const std::string value :
       {"null", "1", "true", "[]", "{}", "\"\"", "\"RUNNING\"", "\"absent\"", "\" running\"", "1e400"}) {
    SCOPED_TRACE(value);
    const IssueProject project;
    project.must({"issue", "set", "1", "running"});
    const std::string before = project.bytes(1);
    project.edit(1, "\"running\"", value);
    const Ran ran = project.run({"issue", "get", "1"});
    EXPECT_EQ(ran.out, "running\n");
    EXPECT_NE(ran.err, "");
    EXPECT_EQ(project.bytes(1), before);
    EXPECT_EQ(project.operations(), 1U);
  }
}

TEST(RefusedValue, StatusMemberTakenOutIsPutBack) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "  \"status\": \"running\",\n", "");
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.content(1)["status"], "running");
  EXPECT_EQ(project.kept("refused").size(), 1U);
}

TEST(RefusedValue, TerminalEscapesInItAreNotPrinted) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"\\u001b[31mred\\u0007\"");
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_FALSE(has(ran.err, "\x1b")) << ran.err;
  EXPECT_FALSE(has(ran.err, "\x07")) << ran.err;
}

TEST(RefusedValue, SameRefusalTwiceKeepsOneCopyAndAnotherASecond) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  for (const char* word : {"\"done\"", "\"done\"", "\"finished\""}) {
    project.edit(1, "\"running\"", word);
    EXPECT_EQ(project.get(1), "running");
  }
  EXPECT_EQ(project.kept("refused").size(), 2U);
}

TEST(RefusedValue, ACommandThatFollowsGoesOnFromWhatWasKept) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"done\"");
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.content(1)["status"], "complete");
  EXPECT_EQ(project.log()[0]["events"][0]["from"], "running");
  EXPECT_EQ(project.kept("refused").size(), 1U);
}

// --- outside = "flag" ---

class FlaggedValue : public testing::Test {
 protected:
  FlaggedValue() {
    project_.write("pawl.toml", "outside = \"flag\"\n");
    project_.must({"issue", "set", "1", "running", "--session", "one"});
    project_.edit(1, "\"running\"", "\"done\"");
  }
  IssueProject project_;
};

TEST_F(FlaggedValue, IsOnTheBoardThatFindsItWithItsNameAndWord) {
  const std::string line = project_.out({"status", "--line"});
  EXPECT_TRUE(has(line, "1 needs you")) << line;
  for (const char* const verb : {"status", "doctor"}) {
    const std::string told = project_.run({verb}).out;
    EXPECT_TRUE(has(told, "issue/1 is “done” there (pawl knows it as “running”), which pawl does not allow")) << told;
    EXPECT_FALSE(has(told, "lifecycle")) << told;
  }
}

TEST_F(FlaggedValue, IsLeftStandingAndShown) {
  const std::string written = project_.bytes(1);
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "running\n");
  EXPECT_TRUE(has(ran.err, "“done” is not a status")) << ran.err;
  EXPECT_TRUE(has(ran.err, "running, complete or error")) << ran.err;
  EXPECT_EQ(project_.bytes(1), written);
  EXPECT_EQ(project_.operations(), 1U);
  const Ran doctor = project_.run({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_TRUE(has(doctor.out, "does not allow")) << doctor.out;
}

TEST_F(FlaggedValue, IsLeftStandingWhenAnotherFieldIsEdited) {
  project_.must({"issue", "get", "1"});
  project_.edit(1, "\"one\"", "\"two\"");
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.shown(1)["session"], "two");
  EXPECT_EQ(project_.content(1)["status"], "done");
}

TEST_F(FlaggedValue, GivesWayToTheNextCommand) {
  project_.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project_.content(1)["status"], "complete");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

TEST_F(FlaggedValue, CorrectedInTheFileIsTakenOver) {
  project_.must({"issue", "get", "1"});
  project_.edit(1, "\"done\"", "\"complete\"");
  EXPECT_EQ(project_.get(1), "complete");
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

TEST_F(FlaggedValue, PutBackByHandIsNoChange) {
  project_.must({"issue", "get", "1"});
  project_.edit(1, "\"done\"", "\"running\"");
  EXPECT_EQ(project_.get(1), "running");
  EXPECT_EQ(project_.operations(), 1U);
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

TEST_F(FlaggedValue, RestoreWritesPawlsValue) {
  project_.must({"issue", "get", "1"});
  project_.must({"restore", IssueProject::path_of(1)});
  EXPECT_EQ(project_.content(1)["status"], "running");
  EXPECT_TRUE(has(*project_.read(project_.only_kept("refused/settled")), "done"));
  EXPECT_EQ(project_.run({"doctor"}).exit, 0);
}

// Nothing of it is taken over, so nothing of it is written over.
TEST(FlaggedLoop, ThatHasEndedIsLeftAsItsToolWroteIt) {
  for (const char* const end : {"clear", "cancel"}) {
    SCOPED_TRACE(end);
    const IssueProject project;
    project.write("pawl.toml", "outside = \"flag\"\n");
    project.must({"ralph", "start", "--session", "w1", "--prompt", "p"});
    const std::string again =
        replaced(project.read(kLoopFile).value_or(""), "\"prompt\"", "\"theirs\": [1, 2],\n  \"prompt\"");
    project.must({"ralph", end});
    project.write(kLoopFile, again);
    const Ran seen = project.run({"status"});
    EXPECT_TRUE(has(seen.err, "does not come back")) << seen.err;
    EXPECT_EQ(project.read(kLoopFile), again);
    for (int look = 0; look < 3; ++look) {  // for as long as it stands
      const std::string board = project.out({"status", "--json"});
      EXPECT_TRUE(has(board, "does not allow")) << board;
      EXPECT_EQ(project.run({"doctor"}).exit, 1);
    }
    EXPECT_EQ(project.read(kLoopFile), again);
    project.must({"ralph", "start", "--session", "w2", "--prompt", "q"});
    EXPECT_FALSE(has(project.out({"status", "--json"}), "does not allow"));
  }
}

// What the board advises about it can be typed.
TEST(FlaggedLoop, IsRestoredToWhatPawlKnowsOfIt) {
  for (const std::string end : {"clear", "cancel"}) {
    SCOPED_TRACE(end);
    const IssueProject project;
    project.write("pawl.toml", "outside = \"flag\"\n");
    project.must({"ralph", "start", "--prompt", "p"});
    const std::string again = project.read(kLoopFile).value_or("");
    project.must({"ralph", end});
    const std::string before = project.read(kLoopFile).value_or("(none)");
    project.write(kLoopFile, again);
    project.must({"status"});
    EXPECT_TRUE(has(project.out({"status"}), "pawl restore .omc/ralph-state.json"));
    project.must({"restore", std::string(kLoopFile)});
    EXPECT_EQ(project.read(kLoopFile).value_or("(none)"), before);
    EXPECT_EQ(project.read(project.only_kept("refused/settled")), again);
    EXPECT_EQ(project.run({"doctor"}).exit, 0);
  }
}

// A status that there is, and that no move leads to: as good as a word that is none.
TEST(FlaggedStatus, StaysFlaggedWhileItStands) {
  const IssueProject project;
  project.write("pawl.toml", "outside = \"flag\"\n");
  project.must({"issue", "set", "1", "complete", "--session", "one"});
  project.edit(1, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "1"});
  EXPECT_EQ(project.run({"doctor"}).exit, 1);
  project.edit(1, "\"one\"", "\"two\"");
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.shown(1)["session"], "two");
  EXPECT_EQ(project.content(1)["status"], "error");
  EXPECT_EQ(project.run({"doctor"}).exit, 1);
  project.edit(1, "\"error\"", "\"complete\"");
  project.must({"issue", "get", "1"});
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
}

// --- a gate skipped ---

class SkippedGate : public testing::Test {
 protected:
  SkippedGate() {
    project_.must({"issue", "set", "1", "complete"});
    project_.edit(1, "\"complete\"", "\"error\"");
  }
  IssueProject project_;
};

TEST_F(SkippedGate, IsRefusedUnderRequire) {
  const Ran ran = project_.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_TRUE(has(ran.err, "reason")) << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl accept " + project_.only_kept("refused"))) << ran.err;
  EXPECT_EQ(project_.content(1)["status"], "complete");
  EXPECT_EQ(project_.operations(), 1U);
}

TEST_F(SkippedGate, IsTakenAndMarkedUnverifiedUnderRecord) {
  project_.write("pawl.toml", "gates = \"record\"\n");
  EXPECT_EQ(project_.get(1), "error");
  const Json event = project_.log()[0]["events"][0];
  EXPECT_EQ(event["to"], "error");
  EXPECT_EQ(event["unverified"], true);
  EXPECT_EQ(event["evidence"]["missing"], Json::parse(R"(["reason"])"));
  EXPECT_TRUE(has(project_.out({"log"}), "[unverified]"));
  EXPECT_TRUE(project_.kept("refused").empty());
}

TEST(SkippedGateByCommand, IsTreatedAsTheSameEditByHand) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.run({"issue", "set", "1", "error"}).exit, 1);
  EXPECT_EQ(project.get(1), "complete");
  project.write("pawl.toml", "gates = \"record\"\n");
  project.must({"issue", "set", "1", "error"});
  EXPECT_EQ(project.get(1), "error");
  EXPECT_EQ(project.log()[0]["events"][0]["unverified"], true);
}

// --- accept ---

TEST_F(SkippedGate, AcceptTakesTheCopyOnAPersonsWord) {
  project_.must({"issue", "get", "1"});
  project_.must({"accept", project_.only_kept("refused"), "--actor", "ada", "--reason", "the marker lied"});
  EXPECT_EQ(project_.get(1), "error");
  EXPECT_EQ(project_.content(1)["status"], "error");
  const Json log = project_.log();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["actor"], "ada");
  EXPECT_EQ(log[0]["reason"], "the marker lied");
}

// Another tool writes the whole file: what went wrong belongs to the status that was put back.
TEST(RefusedValue, IsPutBackWithWhatItSaid) {
  const IssueProject project;
  project.must({"issue", "set", "43", "error", "--message", "oops"});
  project.put(43, R"({"issue": 43, "status": "complete", "session": "s", "timestamp": "2030-01-01T00:00:00Z"})");
  EXPECT_EQ(project.get(43), "error");
  EXPECT_EQ(project.content(43)["error_message"], "oops");
  EXPECT_EQ(project.content(43)["session"], "s") << "what is not the status's is taken over";
  EXPECT_TRUE(has(project.out({"status"}), "oops"));
  // Taken over after all, it goes with the status.
  project.must({"accept", project.only_kept("refused"), "--reason", "it is done"});
  EXPECT_EQ(project.get(43), "complete");
  EXPECT_FALSE(project.content(43).contains("error_message")) << project.bytes(43);
}

TEST(RefusedValue, ThatIsLeftStandingChangesNothingElseInTheFile) {
  const IssueProject project;
  project.write("pawl.toml", "outside = \"flag\"\n");
  project.must({"issue", "set", "43", "error", "--message", "oops"});
  const std::string written = R"({"issue": 43, "status": "complete", "session": "s", "timestamp": "x"})";
  project.put(43, written);
  EXPECT_EQ(project.get(43), "error");
  EXPECT_EQ(project.bytes(43), written);
}

TEST(RefusedValue, LeavesNoMessageBehindWhereThereWasNone) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  const std::string error = R"({"issue": 1, "status": "error", "session": "s", "error_message": "oops"})";
  project.put(1, error);
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_FALSE(project.content(1).contains("error_message")) << project.bytes(1);
  project.must({"accept", project.only_kept("refused"), "--reason", "it failed"});
  EXPECT_EQ(project.content(1)["error_message"], "oops");
}

TEST(Accept, OfAWordThatIsNoStatusIsRefused) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"done\"");
  project.must({"issue", "get", "1"});
  const std::string copy = project.only_kept("refused");
  const Ran ran = project.run({"accept", copy});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(has(ran.err, "running, complete or error")) << ran.err;
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.operations(), 1U);
  EXPECT_TRUE(project.exists(copy));
}

// What tells one that was changed is not a short name for its text, for which anybody finds another text.
TEST(Accept, OfACopyThatWasMadeToLookLikeTheRefusedOneIsNotKnownByItsDigest) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  project.edit(1, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "1"});
  const std::string copy = project.only_kept("refused"), refused = project.read(copy).value_or("");
  EXPECT_FALSE(has(project.store_image(), digest(refused)));
  project.must({"accept", copy, "--reason", "r"});
  EXPECT_EQ(project.get(1), "error");
}

// Whoever accepts it was told of something else: that copy is anybody's to write into.
TEST(Accept, OfACopyThatWasChangedSinceIsRefused) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  project.edit(1, "\"complete\"", "\"error\"");
  project.must({"issue", "get", "1"});
  const std::string copy = project.only_kept("refused"), refused = project.read(copy).value_or("");
  project.write(copy, replaced(refused, "\"error\"", "\"running\""));
  const Ran ran = project.run({"accept", copy, "--reason", "r"});
  EXPECT_EQ(ran.exit, 4) << ran.out;
  EXPECT_TRUE(has(ran.err, "was changed after pawl refused it")) << ran.err;
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_FALSE(has(project.out({"status"}), "pawl accept")) << "nor is that advised";
  project.write(copy, refused);
  project.must({"accept", copy, "--reason", "r"});
  EXPECT_EQ(project.get(1), "error");
}

TEST(Accept, OfACopyOfIssue11IsNotTakenForIssue1) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "11", "complete"});
  project.edit(11, "\"complete\"", "\"error\"");
  EXPECT_EQ(project.get(11), "complete");
  project.must({"accept", project.only_kept("refused"), "--reason", "r"});
  EXPECT_EQ(project.get(11), "error");
  EXPECT_EQ(project.get(1), "running");
}

TEST(Accept, OfACopyIsOfThatFileAndNotOfOneWithTheSameName) {
  const IssueProject project;
  project.must({"issue", "set", "5", "running"});
  project.write("pawl.toml", "[issue]\nbase_dir = \"zz\"\n");
  project.must({"issue", "set", "5", "complete"});
  project.write("zz/.status/5.json", replaced(project.read("zz/.status/5.json").value_or(""), "complete", "error"));
  project.must({"issue", "get", "5"});
  project.must({"accept", project.only_kept("refused"), "--reason", "r"});
  EXPECT_EQ(project.get(5), "error");
  project.write("pawl.toml", "");
  EXPECT_EQ(project.get(5), "running");
}

TEST(RefusedValue, IsNotPutBackWhereNoCopyCanBeKept) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.write(".pawl/refused", "a file where the folder should be");
  project.edit(1, "\"running\"", "\"done\"");
  const std::string written = project.bytes(1);
  const std::size_t operations = project.operations();
  const Ran ran = project.run({"status"});
  EXPECT_EQ(project.bytes(1), written);
  EXPECT_EQ(project.operations(), operations);
  EXPECT_TRUE(has(ran.out + ran.err, "refused")) << ran.out << ran.err;
}

TEST(Accept, OfWhatIsNoFileOfPawlsIsNotFound) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.write("notes.json", "{}");
  EXPECT_EQ(project.run({"accept", "notes.json"}).exit, 3);
  EXPECT_EQ(project.run({"accept", "nowhere.json"}).exit, 3);
  EXPECT_EQ(project.run({"accept", ".pawl/refused/1.json.nothing"}).exit, 3);
  EXPECT_EQ(project.run({"restore", "notes.json"}).exit, 3);
}

// What a command asks for, a copy is taken with.
TEST(AcceptWithAReason, IsAskedForAndOffered) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  project.edit(1, "complete", "error");
  project.must({"issue", "get", "1"});
  const std::string copy = project.only_kept("refused");
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, cat("pawl accept ", copy, " --reason TEXT"))) << board;
  const Ran bare = project.run({"accept", copy});
  EXPECT_EQ(bare.exit, 1) << bare.out;
  EXPECT_TRUE(has(bare.err, "--reason TEXT")) << bare.err;
  EXPECT_EQ(project.get(1), "complete");
  project.must({"accept", copy, "--reason", "the tests fail"});
  EXPECT_EQ(project.get(1), "error");
}

TEST(AcceptOfWhatCanNotBeRead, IsRefusedWithWhatHelps) {
  const IssueProject project;
  project.put(8, "{\"iss");
  project.must({"init"});
  const Ran ran = project.run({"accept", IssueProject::path_of(8)});
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_TRUE(has(ran.err, "cannot be read")) << ran.err;
  for (const char* const advised : {"pawl issue set 8 STATUS", "pawl issue remove 8"}) {
    EXPECT_TRUE(has(ran.err, advised)) << ran.err;
    EXPECT_TRUE(has(project.out({"status"}), advised));
  }
  project.must({"issue", "set", "8", "running"});
  EXPECT_EQ(project.get(8), "running");
}

}  // namespace
}  // namespace pawl::test

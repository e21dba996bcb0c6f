// Taking back: every operation can be undone by a new one, unless a later one stands on it. Through the real binary;
// what undo says about effects is in effects_test.cc.
#include <gtest/gtest.h>

#include "support/issue_project.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

std::int64_t undone_by(const IssueProject& project, const std::vector<std::string>& args = {"undo", "--json"}) {
  return Json::parse(project.out(args), nullptr, false).value("undone", std::int64_t{-1});
}

TEST(Undo, TakesBackTheNewestAndAgainGoesFurther) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  project.must({"issue", "set", "1", "complete", "--session", "two"});
  project.must({"issue", "set", "2", "running"});
  EXPECT_EQ(undone_by(project), 3);
  EXPECT_EQ(project.bytes(2), "(none)");
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(undone_by(project), 2);
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.content(1)["session"], "one");
  EXPECT_EQ(undone_by(project), 1);
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_EQ(project.bytes(1), "(none)");
  const Ran nothing_left = project.run({"undo"});
  EXPECT_EQ(nothing_left.exit, 3);
  EXPECT_TRUE(has(nothing_left.err, "nothing to undo")) << nothing_left.err;
}

TEST(Undo, DryRunTellsAndChangesNothing) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "1", "complete"});
  const Ran ran = project.run({"undo", "--dry-run"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "operation 2 (issue set) would be undone")) << ran.out;
  EXPECT_TRUE(has(ran.out, "complete → running")) << ran.out;
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.log().size(), 2U);
  EXPECT_EQ(project.run({"undo", "1", "--dry-run"}).exit, 4) << "a later one stands on it: the same refusal";
}

TEST(Undo, IsANewOperationThatNamesWhoAndWhat) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"undo", "--actor", "ada", "--reason", "wrong number"});
  const Json log = project.log();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["undoes"], 1);
  EXPECT_EQ(log[0]["actor"], "ada");
  EXPECT_EQ(log[0]["reason"], "wrong number");
  EXPECT_EQ(log[0]["events"][0]["to"], "absent");
  EXPECT_EQ(log[0]["events"][0]["revision"], 2);  // revisions go on
}

TEST(Undo, OfANamedOperationLeavesOthersAlone) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "2", "running"});
  project.must({"undo", "1"});
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_EQ(project.get(2), "running");
  EXPECT_EQ(project.run({"undo", "99"}).exit, 3);
}

TEST(Undo, OfAnUndoBringsTheOperationBack) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "1", "error", "--message", "m"});
  const std::string bytes = project.bytes(1);
  project.must({"undo"});
  ASSERT_EQ(project.get(1), "running");
  EXPECT_EQ(undone_by(project, {"undo", "3", "--json"}), 3);
  EXPECT_EQ(project.get(1), "error");
  EXPECT_EQ(project.bytes(1), bytes);
  // It stands again, and is again what a bare undo takes back.
  EXPECT_EQ(undone_by(project), 2);
  EXPECT_EQ(project.get(1), "running");
}

TEST(Undo, IsRefusedWhereALaterOneStandsOnItAndNamesIt) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  project.must({"issue", "set", "1", "complete", "--session", "two"});
  const std::string bytes = project.bytes(1);
  const Ran ran = project.run({"undo", "1"});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_TRUE(has(ran.err, "operation 2")) << ran.err;
  EXPECT_TRUE(has(ran.err, "issue/1")) << ran.err;
  EXPECT_EQ(project.bytes(1), bytes);
  EXPECT_EQ(project.operations(), 2U);
}

TEST(Undo, OfWhatIsUndoneAlreadyIsRefused) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"undo", "1"});
  const Ran ran = project.run({"undo", "1"});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_TRUE(has(ran.err, "operation 1 is undone already\n  pawl undo 2  # makes it again")) << ran.err;
  project.must({"undo", "2"});
  project.must({"undo", "1"});
}

TEST(Undo, IsRefusedWhereAnUnseenEditStandsOnIt) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"complete\"");
  const Ran ran = project.run({"undo", "1"});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_TRUE(has(ran.err, "an edit outside pawl")) << ran.err;
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_TRUE(has(project.run({"undo", "1"}).err, "operation 2"));
}

// What undo takes back is what the user last saw; an edit that nobody has looked at yet is newer than that.
TEST(Undo, WithoutANumberTakesBackAnUnseenEdit) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  const std::string before = project.bytes(1);
  project.edit(1, "\"one\"", "\"two\"");
  project.must({"undo"});
  EXPECT_EQ(project.bytes(1), before);
  EXPECT_EQ(project.get(1), "running");
}

TEST(Undo, OfARemovalBringsTheFileBackByteForByte) {
  const IssueProject project;
  const std::string theirs =
      "{\"status\" : \"error\",\r\n\t\"issue\":1, \"mine\":[1.0,\"\\u00e9\"] ,\"error_message\":\"m\"}";
  project.put(1, theirs);
  project.must({"init"});
  project.must({"issue", "remove", "1"});
  ASSERT_EQ(project.bytes(1), "(none)");
  project.must({"undo"});
  EXPECT_EQ(project.bytes(1), theirs);
  EXPECT_EQ(project.get(1), "error");
}

TEST(Undo, OfAnOutsideEditPutsTheBytesBack) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const std::string before = project.bytes(1);
  project.edit(1, "\"running\"", "\"complete\"");
  project.edit(1, "\"session\"", "\"mine\": 1,\n  \"session\"");
  project.must({"issue", "get", "1"});
  project.must({"undo"});
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.bytes(1), before);
}

TEST(Undo, OfAFileRemovedOutsideBringsItBackByteForByte) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "{\n", "{\n\n");  // as only a person would write it
  project.must({"issue", "get", "1"});
  const std::string bytes = project.bytes(1);
  project.drop(1);
  EXPECT_EQ(project.get(1), "unknown");
  project.must({"undo"});
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.bytes(1), bytes);
}

// "… pawl undo 17 brings it back": the 17.
std::string hinted(const std::string& said) {
  const std::size_t at = said.find("pawl undo ");
  if (at == std::string::npos) return "(none)";
  const std::size_t from = at + std::string_view("pawl undo ").size();
  return said.substr(from, said.find_first_not_of("0123456789", from) - from);
}

TEST(Undo, AHintHoldsAlsoAfterOtherOperations) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "2", "complete"});
  project.drop(1);
  const std::string gone = hinted(project.run({"issue", "list"}).err);
  const std::string removed = hinted(project.out({"issue", "remove", "2"}));
  project.must({"issue", "set", "3", "running"});
  EXPECT_EQ(project.run({"undo", gone}).exit, 0) << gone;
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.run({"undo", removed}).exit, 0) << removed;
  EXPECT_EQ(project.get(2), "complete");
  EXPECT_EQ(project.get(3), "running");
}

TEST(Undo, AHintOfStoriesHoldsAlsoAfterOtherOperations) {
  const StoryProject project;
  project.write(kPrd, R"({"stories":[{"id":"A","title":"a","status":"pending"},{"id":"B","title":"b"}]})");
  project.must({"init"});
  const std::string dropped = hinted(project.run({"story", "drop", "A", "--reason", "r"}).out);
  project.must({"issue", "set", "3", "running"});
  EXPECT_EQ(project.run({"undo", dropped}).exit, 0) << dropped;
  project.must({"story", "show", "A"});
  // Another list in its place.
  project.write(kPrd, R"({"project":"other","stories":[{"id":"X","title":"x","status":"pending"}]})");
  const std::string said = project.run({"story", "list"}).err;
  EXPECT_EQ(said.find('\x1a'), std::string::npos) << said;
  EXPECT_NE(hinted(said), "") << said;
}

TEST(Undo, OfAnAdoptionTakesTheFileAwayAndCanBeTakenBack) {
  const IssueProject project;
  project.must({"issue", "set", "7", "running"});
  project.put(1, "{\"issue\":1,\"status\":\"done\"}");
  project.must({"init"});
  project.must({"undo"});
  EXPECT_EQ(project.get(1), "unknown");
  project.must({"undo", "3"});
  EXPECT_EQ(project.content(1)["status"], "done");
}

// What somebody had before pawl came is not taken away because pawl has looked at it.
TEST(Undo, OfTheFirstLookTakesNoFileAway) {
  const IssueProject project;
  const std::string loop = R"({"active": true, "iteration": 2, "prompt": "p", "session_id": "s1"})";
  const std::string list = R"({"userStories": [{"id": "A", "title": "a", "passes": false}]})";
  project.put(1, "{\"issue\":1,\"status\":\"done\"}");
  project.write("prd.json", list);
  project.must({"init"});
  const Ran ran = project.run({"undo"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_TRUE(has(ran.err, "only took over what stood in the files already")) << ran.err;
  // Nor where it first looks at loops later than at the rest.
  project.write(".omc/ralph-state.json", loop);
  project.must({"status"});
  EXPECT_EQ(project.run({"undo"}).exit, 3);
  EXPECT_EQ(project.read(".omc/ralph-state.json"), loop);
  EXPECT_EQ(project.read("prd.json"), list);
  EXPECT_EQ(project.content(1)["status"], "done");
}

// What was a first look then is one for ever, and what was none does not become one.
TEST(Undo, AFirstLookIsToldByWhatWasThereThen) {
  const StoryProject project;
  project.must({"issue", "set", "7", "running"});
  project.write("prd.json", R"({"stories": [{"id": "A", "title": "a", "status": "pending"}]})");
  project.must({"status"});
  project.must({"story", "add", "B", "--title", "b"});
  const Ran first = project.run({"undo", "2"});
  EXPECT_EQ(first.exit, 3);
  EXPECT_TRUE(has(first.err, "only took over what stood in the files already")) << first.err;
  project.put(1, "{\"issue\":1,\"status\":\"running\"}");
  project.must({"status"});
  project.must({"issue", "remove", "7"});
  const Ran new_file = project.run({"undo", "4"});
  EXPECT_EQ(new_file.exit, 1);
  EXPECT_TRUE(has(new_file.err, "undo takes no file away that pawl did not make")) << new_file.err;
  EXPECT_EQ(project.get(1), "running");
}

// A repetition that did nothing, or a key that was only kept: there is nothing in it to take back.
TEST(Undo, SkipsOperationsThatChangedNothing) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "remove", "9", "--idempotency-key", "k"});  // there is no 9
  project.must({"undo"});
  EXPECT_EQ(project.get(1), "unknown");
}

// A worker that took a story has only looked at it.
TEST(Undo, StepsOverBookkeepingAndIsNotKeptFromWhatCameBefore) {
  const StoryProject project;
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  project.must({"story", "pause", "A", "--reason", "later"});
  project.must({"story", "retry", "A"});
  (void)project.take("w1");
  ASSERT_EQ(string_or(project.log()[0]["events"][0], "what"), "looked at");
  const std::string out = project.out({"undo"});
  EXPECT_TRUE(has(out, "(story retry) is undone")) << out;
  EXPECT_TRUE(has(project.out({"undo"}), "(story pause) is undone"));
  // By its number it is taken back all the same; and what was noted since stays.
  const StoryProject noted;
  noted.stories({StoryProject::story("A")});
  noted.must({"story", "pause", "A", "--reason", "later"});
  noted.must({"story", "retry", "A"});
  const std::string retried = std::to_string(integer_or(noted.log()[0], "operation"));
  (void)noted.take("w1");
  const Json looked = noted.log()[0]["events"][0]["document"]["_pawl"]["looked_ms"];
  ASSERT_TRUE(looked.is_number());
  noted.must({"undo", retried});
  EXPECT_EQ(noted.log()[0]["events"][0]["document"]["_pawl"]["looked_ms"], looked);
  const StoryProject other;
  other.stories({StoryProject::story("A")});
  (void)other.take("w1");
  other.must({"undo", std::to_string(integer_or(other.log()[0], "operation"))});
}

TEST(Undo, WithNothingThereIsNotFound) {
  const IssueProject project;
  EXPECT_EQ(project.run({"undo"}).exit, 3);
  EXPECT_FALSE(project.exists(".pawl"));
  project.must({"init"});
  EXPECT_EQ(project.run({"undo"}).exit, 3);
}

// --- --at ---

class At : public testing::Test {
 protected:
  At() {
    project_.must({"issue", "set", "1", "running", "--session", "one"});     // 1
    project_.must({"issue", "set", "1", "error", "--message", "it broke"});  // 2
    project_.must({"issue", "set", "2", "complete"});                        // 3
    project_.must({"issue", "remove", "1"});                                 // 4
  }
  [[nodiscard]] std::string at(const std::string& operation, std::vector<std::string> args) const {
    args.insert(args.end(), {"--at", operation});
    return project_.out(args);
  }
  IssueProject project_;
};

TEST_F(At, EveryReadOfIssuesShowsTheStateAfterThatOperation) {
  EXPECT_EQ(at("1", {"issue", "get", "1"}), "running\n");
  EXPECT_EQ(at("2", {"issue", "get", "1"}), "error\n");
  EXPECT_EQ(at("4", {"issue", "get", "1"}), "unknown\n");
  EXPECT_EQ(at("1", {"issue", "error", "1"}), "");
  EXPECT_EQ(at("3", {"issue", "error", "1"}), "it broke\n");
  EXPECT_EQ(at("2", {"issue", "list"}), "1\terror\n");
  EXPECT_EQ(at("3", {"issue", "list"}), "1\terror\n2\tcomplete\n");
  EXPECT_EQ(at("3", {"issue", "list", "--status", "complete"}), "2\tcomplete\n");
  EXPECT_EQ(at("4", {"issue", "list"}), "2\tcomplete\n");
  EXPECT_EQ(at("3", {"issue", "orphans"}), "1\n2\n");
  EXPECT_TRUE(has(at("1", {"issue", "show", "1"}), "Session: one"));
  EXPECT_EQ(project_.run({"issue", "show", "2", "--at", "2"}).exit, 3);
  EXPECT_EQ(project_.run({"issue", "show", "1", "--at", "4"}).exit, 3);
}

TEST_F(At, StatusAndLogShowTheStateAfterThatOperation) {
  EXPECT_TRUE(has(at("1", {"status"}), "issue/1  running"));
  EXPECT_TRUE(has(at("2", {"status"}), "issue/1  error"));
  const Json log = Json::parse(at("2", {"log", "--json"}), nullptr, false);
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["operation"], 2);
}

// Who has a claim now had none then, or another; that is not kept.
TEST_F(At, NobodysClaimOfNowIsShown) {
  project_.must({"claim", "take", "issue/2", "--worker", "bot-1", "--lease", "10m"});
  EXPECT_TRUE(has(project_.out({"show", "issue/2"}), "bot-1"));
  EXPECT_FALSE(has(at("3", {"show", "issue/2"}), "bot-1"));
  project_.must({"issue", "set", "3", "running"});
  project_.must({"claim", "take", "issue/3", "--worker", "bot-2", "--lease", "10m"});
  EXPECT_TRUE(has(project_.out({"status"}), "bot-2"));
  const Json log = Json::parse(project_.out({"log", "--json"}), nullptr, false);
  EXPECT_FALSE(has(at(log[0]["operation"].dump(), {"status"}), "bot-2"));
}

TEST_F(At, ShowFindsWhatIsGoneNow) {
  EXPECT_TRUE(has(at("1", {"show", "issue/1"}), "running"));
  EXPECT_TRUE(has(at("2", {"show", "1"}), "it broke"));
  EXPECT_EQ(project_.run({"show", "issue/2", "--at", "1"}).exit, 3);  // it was not there yet
}

TEST_F(At, LogOfWhatIsGoneNowIsStillThere) {
  const Ran ran = project_.run({"log", "issue/1", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out, nullptr, false).size(), 3U);
}

TEST_F(At, AnOperationThatDoesNotExistIsNotFoundOnEveryRead) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"issue", "get", "1"}, {"issue", "list"}, {"status"}, {"show", "issue/2"}, {"log"}, {"issue", "orphans"}}) {
    std::vector<std::string> whole = args;
    whole.insert(whole.end(), {"--at", "99"});
    EXPECT_EQ(project_.run(whole).exit, 3) << args.front() << " " << args.back();
  }
}

TEST_F(At, DoesNotTakeOverWhatItDoesNotShow) {
  project_.edit(2, "\"complete\"", "\"running\"");
  EXPECT_EQ(at("3", {"issue", "get", "2"}), "complete\n");
  EXPECT_EQ(project_.get(2), "running");
}

TEST_F(At, AWriteRefusesIt) {
  EXPECT_EQ(project_.run({"issue", "set", "1", "running", "--at", "1"}).exit, 2);
  EXPECT_EQ(project_.run({"undo", "--at", "1"}).exit, 2);
}

TEST(IssueLog, TellsTheFoldersApart) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  RunOptions other;
  other.env = {"PAWL_ISSUE_BASE_DIR=other"};
  EXPECT_EQ(project.run({"issue", "set", "1", "complete"}, other).exit, 0);
  EXPECT_TRUE(has(project.out({"log"}), "issue/1 in other")) << project.out({"log"});
  EXPECT_TRUE(has(project.run({"undo"}).err, "issue/1 in other")) << "its file would stay as it is";
  EXPECT_TRUE(has(project.run({"undo"}, other).out, "issue/1 in other"));
  EXPECT_EQ(project.run({"issue", "get", "1"}, other).out, "unknown\n");
  EXPECT_EQ(project.get(1), "running");
}

// Another tool's first file is nobody's change here: what was done before it can be taken back.
TEST(Undo, StepsOverAFirstLookAtAnotherKind) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "1", "complete"});
  project.write(".omc/ralph-state.json", R"({"active": true, "iteration": 1, "prompt": "x", "session_id": "s"})");
  project.must({"status"});
  const std::string undone = project.out({"undo"});
  EXPECT_TRUE(has(undone, "issue/1: complete → running")) << undone;
  EXPECT_FALSE(project.read(".omc/ralph-state.json").value_or("").empty());
}

TEST(Undo, OfAnEditThatLeftTheStatusNamesWhatGoesBack) {
  const IssueProject project;
  project.must({"issue", "set", "2", "complete", "--session", "a"});
  project.edit(2, "\"a\"", "\"b\"");
  project.must({"status"});
  for (const char* const flag : {"--dry-run", "--no-color"}) {
    const std::string undone = project.out({"undo", flag});
    EXPECT_TRUE(has(undone, "issue/2: complete (undone): session “b” → “a”")) << undone;
  }
  EXPECT_EQ(project.content(2)["session"], "a");
}

// A hand gave what was held a status; the file says again what it came with.
TEST(Undo, OfAStatusGivenByHandBringsTheHeldWordBack) {
  for (const std::string word :
       {"\"done\"", "7", "1e400", "\"7\"", "\"true\"", "\"null\"", "\"[1]\"", R"("\"7\"")", R"("\"x\"")"}) {
    SCOPED_TRACE(word);
    const IssueProject project;
    const std::string held = "{\n  \"issue\": 1,\n  \"status\": " + word + ",\n  \"mine\": 1\n}\n";
    project.put(1, held);
    project.must({"init"});
    project.edit(1, word, "\"running\"");
    EXPECT_EQ(project.get(1), "running");
    project.must({"undo"});
    EXPECT_EQ(project.bytes(1), held);
  }
  for (const std::string word : {"\"yes\"", "7"}) {
    SCOPED_TRACE(word);
    const IssueProject loops;
    const std::string held =
        "{\"active\": " + word + ", \"iteration\": 1, \"started_at\": \"2026-01-01T00:00:00Z\", \"n\": [1]}";
    loops.write(kLoopFile, held);
    loops.must({"init"});
    loops.write(kLoopFile, replaced(held, word, "true"));
    EXPECT_TRUE(has(loops.out({"ralph", "list"}), "active"));
    loops.must({"undo"});
    EXPECT_EQ(loops.read(kLoopFile), held);
  }
}

// The newest may be anybody's: whose it is, and when it was done, stands with what is taken back.
TEST(UndoWhose, ItSaysWhoDidWhatItTakesBack) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "1", "running", "--actor", "me"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "1", "complete", "--actor", "an-agent", "--reason", "it said so"}).exit, 0);
  const std::string dry = ws.run({"undo", "--dry-run", "--actor", "me"}).out;
  EXPECT_TRUE(has(dry, "done by an-agent ") && has(dry, "because: it said so")) << dry;
  EXPECT_FALSE(has(dry, "brings it back")) << "there is nothing to bring back\n" << dry;
  const std::string undone = ws.run({"undo", "--actor", "me"}).out;
  EXPECT_TRUE(has(undone, "done by an-agent ") && has(undone, "because: it said so")) << undone;
  const std::string back = "# brings it back, if it was not meant";
  ASSERT_TRUE(has(undone, back)) << undone;
  const std::size_t at = undone.find("    pawl undo ") + std::string("    pawl undo ").size();
  ASSERT_EQ(ws.run({"undo", undone.substr(at, undone.find(' ', at) - at), "--actor", "me"}).exit, 0);
  EXPECT_EQ(ws.run({"issue", "get", "1"}).out, "complete\n");

  ASSERT_EQ(ws.run({"issue", "set", "2", "running", "--actor", "me"}).exit, 0);
  const std::string own = ws.run({"undo", "--actor", "me"}).out;
  EXPECT_TRUE(has(own, "done by me ") && !has(own, back)) << own;

  ws.write(".worktrees/.status/1.json", R"({"issue": 1, "status": "running", "session": "s"})");
  const Ran found = ws.run({"undo", "--actor", "me"});
  EXPECT_TRUE(has(found.out, "a change to a file outside pawl, found ") && has(found.out, back))
      << found.out << found.err;
}

}  // namespace
}  // namespace pawl::test

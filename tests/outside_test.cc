// What counts as a change from outside, row by row of the design's table, through the real binary. Rows with a file of
// their own: what is refused (outside_refused_test.cc), damage (outside_damaged_test.cc), git (outside_git_test.cc).
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "support/issue_project.h"

namespace pawl::test {
namespace {

#define PAWL_KILL_OR_SKIP(killed) \
  if (!(killed)) GTEST_SKIP() << "this machine forbids tracing"

// --- stale ---

TEST(StaleFile, FirstSetKilledBeforeTheFileIsWrittenByTheNextCommand) {
  const IssueProject project;
  project.must({"init"});
  PAWL_KILL_OR_SKIP(project.killed_at(SYS_renameat2, {"issue", "set", "1", "running"}));
  ASSERT_EQ(project.bytes(1), "(none)");
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.content(1)["status"], "running");
  EXPECT_EQ(project.operations(), 1U);
  EXPECT_TRUE(project.kept("tmp").empty());
}

TEST(StaleFile, KilledBetweenCommitAndRenameIsWrittenAndNothingIsCalledAnEdit) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  const std::string before = project.bytes(1);
  PAWL_KILL_OR_SKIP(project.killed_at(SYS_renameat2, {"issue", "set", "1", "complete", "--session", "two"}));
  ASSERT_EQ(project.bytes(1), before);
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "complete\n");
  EXPECT_FALSE(has(ran.err, "outside")) << ran.err;
  EXPECT_EQ(project.content(1)["session"], "two");
  EXPECT_EQ(project.operations(), 2U);
  EXPECT_TRUE(project.kept("tmp").empty());
}

TEST(StaleFile, KilledRemovalIsFinishedByTheNextCommand) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  const bool killed = project.killed_at(SYS_renameat2, {"issue", "remove", "1"});
  PAWL_KILL_OR_SKIP(killed);
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_EQ(project.bytes(1), "(none)");
  EXPECT_EQ(project.operations(), 2U);
}

TEST(StaleFile, EditedAfterTheKillKeepsBothChanges) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  PAWL_KILL_OR_SKIP(project.killed_at(SYS_renameat2, {"issue", "set", "1", "complete"}));
  project.edit(1, "\"one\"", "\"by hand\"");
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["status"], "complete");
  EXPECT_EQ(project.content(1)["session"], "by hand");
  EXPECT_EQ(project.operations(), 3U);
}

TEST(StaleFile, RemovedAfterTheKillEndsTheRecord) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  PAWL_KILL_OR_SKIP(project.killed_at(SYS_renameat2, {"issue", "set", "1", "complete"}));
  project.drop(1);
  EXPECT_EQ(project.get(1), "unknown");
  EXPECT_EQ(project.bytes(1), "(none)");
  EXPECT_EQ(project.operations(), 3U);  // the complete that was acknowledged by the store, and its end
}

// --- edited legally ---

TEST(OutsideEdit, LegalStatusIsTakenOverAsOneEventOfNobody) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"complete\"");
  const std::string edited = project.bytes(1);
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.bytes(1), edited);  // it says all there is to say
  const Json log = project.log();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["actor"], "outside");
  EXPECT_EQ(log[0]["outside"], true);
  ASSERT_EQ(log[0]["events"].size(), 1U);
  EXPECT_EQ(log[0]["events"][0]["from"], "running");
  EXPECT_EQ(log[0]["events"][0]["to"], "complete");
}

TEST(OutsideEdit, SeveralFieldsAtOnceAreStillOneEvent) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  project.edit(1, "\"running\"", "\"error\"");
  project.edit(1, "\"one\"", "\"two\",\n  \"error_message\": \"out of disk\"");
  EXPECT_EQ(project.get(1), "error");
  EXPECT_EQ(project.out({"issue", "error", "1"}), "out of disk\n");
  const Json log = project.log();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0]["events"].size(), 1U);
}

TEST(OutsideEdit, IsTakenOverBeforeACommandDecides) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"running\"", "\"complete\"");
  const Ran refused = project.run({"issue", "set", "1", "error"});  // complete → error needs a reason
  EXPECT_EQ(refused.exit, 1);
  EXPECT_TRUE(has(refused.err, "--reason")) << refused.err;
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.operations(), 2U);  // the refused command left the edit recorded
}

TEST(OutsideEdit, OfAnUnknownMemberIsKeptAndShown) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.edit(1, "\"session\"", "\"pr_url\": \"https://example.org/7\",\n  \"session\"");
  EXPECT_EQ(project.shown(1)["pr_url"], "https://example.org/7");
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.content(1)["pr_url"], "https://example.org/7");
  project.edit(1, "  \"pr_url\": \"https://example.org/7\",\n", "");
  EXPECT_FALSE(project.shown(1).contains("pr_url"));
}

TEST(OutsideEdit, OldCopySavedWithOneFieldEditedChangesThatFieldAlone) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running", "--session", "one"});
  const std::string old_copy = project.bytes(1);
  project.must({"issue", "set", "1", "complete"});
  project.put(1, replaced(old_copy, "\"one\"", "\"two\""));
  EXPECT_EQ(project.shown(1)["session"], "two");
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["status"], "complete");
}

// The file is then byte for byte what it was before pawl's last write, but pawl has not died: somebody meant it.
TEST(OutsideEdit, BackToTheStatusBeforeIsTakenOver) {
  const IssueProject project;
  std::string first, second;
  for (int number = 1; number < 50; ++number) {  // until both were set in the same second
    const std::string n = std::to_string(number);
    project.must({"issue", "set", n, "running"});
    first = project.bytes(number);
    project.must({"issue", "set", n, "complete"});
    second = project.bytes(number);
    if (replaced(second, "\"complete\"", "\"running\"") != first) continue;
    const std::size_t operations = project.operations();
    project.edit(number, "\"complete\"", "\"running\"");
    EXPECT_EQ(project.get(number), "running");
    EXPECT_EQ(project.bytes(number), first);
    EXPECT_EQ(project.operations(), operations + 1);
    return;
  }
  FAIL() << "two commands never fell into one second";
}

// --- gone ---

TEST(GoneFile, EndsTheRecordAndIsNotRestored) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.drop(1);
  const Ran ran = project.run({"issue", "get", "1"});
  EXPECT_EQ(ran.out, "unknown\n");
  EXPECT_TRUE(has(ran.err, IssueProject::path_of(1) + " was removed outside pawl")) << ran.err;
  const Json log = project.log();
  EXPECT_EQ(log[0]["actor"], "outside");
  EXPECT_EQ(log[0]["events"][0]["to"], "absent");
  // Said once, and never brought back by itself.
  EXPECT_EQ(project.run({"issue", "get", "1"}).err, "");
  project.must({"status"});
  project.must({"issue", "set", "2", "running"});
  EXPECT_EQ(project.run({"doctor", "--fix"}).exit, 0);
  EXPECT_EQ(project.bytes(1), "(none)");
  EXPECT_EQ(project.run({"issue", "show", "1"}).exit, 3);
}

TEST(GoneFile, CanBeSetAnewAndTheHistoryGoesOn) {
  const IssueProject project;
  project.must({"issue", "set", "1", "complete"});
  project.drop(1);
  project.must({"issue", "set", "1", "error", "--message", "again"});  // from absent any status may be set
  EXPECT_EQ(project.content(1)["status"], "error");
  const Json log = project.log();
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0]["events"][0]["revision"], 3);
}

TEST(GoneFile, WholeFolderRemovedEndsAllOfThem) {
  const IssueProject project;
  for (const char* n : {"1", "2", "3"}) project.must({"issue", "set", n, "running"});
  for (const int n : {1, 2, 3}) project.drop(n);
  EXPECT_EQ(project.out({"issue", "list"}), "");
  const Json log = project.log();
  ASSERT_EQ(log.size(), 4U);
  EXPECT_EQ(log[0]["events"].size(), 3U);
}

// --- never seen before ---

TEST(FreshFile, IsAdoptedUnchangedToTheByte) {
  const IssueProject project;
  const std::string odd =
      "{ \"timestamp\":\"x\",\r\n\t\"status\" : \"comple\\u0074e\", \"issue\":1, \"mine\":[1.0, 2e3]}";
  project.put(1, odd);
  project.must({"init"});
  EXPECT_EQ(project.bytes(1), odd);
  EXPECT_EQ(project.get(1), "complete");
  const Json log = project.log();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0]["events"][0]["what"], "adopted");
  EXPECT_EQ(project.bytes(1), odd);
}

TEST(FreshFile, AppearingLaterIsAdoptedByARead) {
  const IssueProject project;
  project.must({"init"});
  project.put(7, "{\"issue\": 7, \"status\": \"error\"}\n");
  EXPECT_EQ(project.out({"issue", "list"}), "7\terror\n");
  EXPECT_EQ(project.operations(), 1U);
  EXPECT_EQ(project.bytes(7), "{\"issue\": 7, \"status\": \"error\"}\n");
}

TEST(FreshFile, InventedStatusIsHeldAndShown) {
  const IssueProject project;
  const std::string bytes = "{\"issue\": 1, \"status\": \"done\", \"session\": \"s\"}\n";
  project.put(1, bytes);
  const Ran init = project.run({"init"});
  EXPECT_EQ(init.exit, 0);
  EXPECT_TRUE(has(init.out, "held: issue/1: it has “done” for a status, which is none of running, complete or error"))
      << init.out;
  const Ran got = project.run({"issue", "get", "1"});
  EXPECT_EQ(got.exit, 0);
  EXPECT_EQ(got.out, "unknown\n");
  EXPECT_TRUE(has(got.err, "done")) << got.err;
  EXPECT_TRUE(has(project.out({"status"}), "“done” is not a status"));
  EXPECT_EQ(project.run({"doctor"}).exit, 1);
  EXPECT_EQ(project.bytes(1), bytes);
  EXPECT_EQ(project.shown(1)["status"], "done");
  // Until it is given one.
  project.must({"issue", "set", "1", "complete"});
  EXPECT_EQ(project.get(1), "complete");
  EXPECT_EQ(project.content(1)["session"], "s");
}

TEST(FreshFile, WithoutAStatusReadsUnknownAndStaysAsItIs) {
  for (const std::string bytes : {"{\"issue\": 1}\n", "{\"issue\": 1, \"status\": null}\n", "{}"}) {
    const IssueProject project;
    project.put(1, bytes);
    EXPECT_EQ(project.get(1), "unknown") << bytes;  // without a store
    project.must({"init"});
    EXPECT_EQ(project.get(1), "unknown") << bytes;
    EXPECT_EQ(project.bytes(1), bytes);
  }
}

TEST(FreshFile, OfAnotherNameIsLeftAlone) {
  const IssueProject project;
  for (const char* name : {"1.pid", "0.json", "01.json", "-1.json", "1.json.tmp.77", "tracker.jsonl", "output-1.log"}) {
    project.write(std::string(".worktrees/.status/") + name, "{\"status\":\"running\"}");
  }
  project.must({"init"});
  EXPECT_EQ(project.out({"issue", "list"}), "");
  EXPECT_EQ(project.log().size(), 0U);
}

// --- a read that finds nothing changed ---

TEST(UnchangedFile, ReadsWriteNothing) {
  const IssueProject project;
  project.must({"issue", "set", "1", "running"});
  project.must({"issue", "set", "2", "complete"});
  const std::string before = project.store_image();
  project.must({"issue", "get", "1"});
  project.must({"issue", "show", "1"});
  project.must({"issue", "list"});
  project.must({"issue", "orphans"});
  project.must({"status"});
  project.must({"show", "issue/1"});
  project.must({"log"});
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
  EXPECT_EQ(project.store_image(), before);
}

TEST(UnchangedFile, ReadingBeforeInitMakesNothing) {
  const IssueProject project;
  project.put(1, "{\"issue\": 1, \"status\": \"running\"}");
  EXPECT_EQ(project.get(1), "running");
  EXPECT_EQ(project.out({"issue", "list"}), "1\trunning\n");
  EXPECT_EQ(project.run({"doctor"}).exit, 0);
  project.must({"status"});
  project.must({"log"});
  EXPECT_FALSE(project.exists(".pawl"));
}

}  // namespace
}  // namespace pawl::test

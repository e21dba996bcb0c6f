// What somebody changed in a list of stories, and what can be had back of it: what was refused, what was left out, what
// git brought. Through the real binary.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/bot_project.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

using Of = StoryProject;

std::string row_of(const StoryProject& project, std::string_view kind) {
  const Json board = project.json({"status"});
  for (const Json& row : board["work"]) {
    if (string_or(row, "kind") == kind)
      return cat(string_or(row, "name"), ": ", string_or(row, "why"), "\n") + string_or(row, "advice");
  }
  return {};
}

std::string log_of_last(const StoryProject& project) { return project.out({"log", "--limit", "1"}); }

// --- what was refused ---

class RefusedStory : public testing::Test {
 protected:
  RefusedStory() {
    project.start_git();
    project.write("pawl.toml", "[story]\ngates = \"require\"\n[story.checks]\n\"U\" = [\"true\"]\n");
    project.must({"trust"});
    project.stories({Of::story("A", "pending", 1, {{"acceptanceCriteria", {"T"}}}),
                     Of::story("B", "pending", 2, {{"acceptanceCriteria", {"U"}}})});
    project.commit_all("list");
    project.git({"checkout", "-qb", "work"});
    project.must({"status"});
  }
  void write_status(int which, const std::string& word) const {
    Json list = parse_json(project.prd()).value_or(Json());
    list["stories"][static_cast<std::size_t>(which)]["status"] = word;
    project.write(kPrd, to_pretty(list) + "\n");
  }
  StoryProject project;
};

TEST_F(RefusedStory, AcceptedLaterTakesBackNothingThatCameSince) {
  write_status(0, "committed");
  project.must({"story", "list"});
  const std::string copy = project.only_kept("refused");
  project.commit_all("copy");
  project.must({"story", "check", "B"});
  project.must({"story", "move", "B", "committed"});
  EXPECT_TRUE(has(row_of(project, "refused"), "story/A: is pending; to become committed it needs"))
      << row_of(project, "refused");
  project.must({"accept", copy, "--actor", "ada"});
  EXPECT_EQ(project.status("A"), "committed");
  EXPECT_EQ(project.status("B"), "committed");
  EXPECT_EQ(project.in_file("B"), "committed");
  EXPECT_TRUE(has(log_of_last(project), "ada  accept of what was changed in a file outside pawl"))
      << log_of_last(project);
  EXPECT_FALSE(has(log_of_last(project), "story/B")) << log_of_last(project);
  EXPECT_EQ(project.kept("refused/settled").size(), 1U);
  project.must({"undo"});
  EXPECT_EQ(project.status("A"), "pending");
}

TEST_F(RefusedStory, RestoreOfACopyNamesWhatTakesItOver) {
  write_status(0, "committed");
  project.must({"story", "list"});
  const std::string copy = project.only_kept("refused");
  const Ran ran = project.run({"restore", copy});
  EXPECT_EQ(ran.exit, 2) << ran.out;
  EXPECT_TRUE(has(ran.err, "is a copy of what was written into a file") && has(ran.err, "pawl accept " + copy))
      << ran.err;
  EXPECT_FALSE(has(project.out({"restore", "--help"}), "or a copy of one"));
}

TEST_F(RefusedStory, TheBoardNamesOnlyWhatWasRefused) {
  project.write("pawl.toml", "[story]\ngates = \"record\"\n");
  write_status(0, "done");
  project.must({"story", "list"});
  project.must({"story", "move", "B", "committed"});
  const std::string told = row_of(project, "refused");
  EXPECT_TRUE(has(told, "story/A: “done” is not a status")) << told;
  EXPECT_FALSE(has(told, "story/B")) << told;
}

TEST(RefusedChunk, TheBoardNamesOnlyThatOne) {
  const ReviewProject project;
  project.start();
  project.edit_file(kStateFile, "| 120 | pending |", "| 120 | reviewed |");
  EXPECT_TRUE(has(project.run({"review", "status"}).err, "“pending” was put back"));
  project.must({"review", "mark", "3", "in-progress"});
  project.must({"review", "mark", "3", "reviewed"});
  std::string why;
  const Json board = project.json({"status"});
  for (const Json& row : board["work"]) why += string_or(row, "kind") == "refused" ? string_or(row, "name") : "";
  EXPECT_EQ(why, "chunk/octo/cat#7/1") << board.dump(1);
}

TEST_F(RefusedStory, WhatHasBecomeSoMeanwhileIsNotAskedAbout) {
  write_status(1, "committed");
  project.must({"story", "list"});
  project.commit_all("copy");
  EXPECT_NE(row_of(project, "refused"), "");
  project.must({"story", "check", "B"});
  project.must({"story", "move", "B", "committed"});
  EXPECT_EQ(row_of(project, "refused"), "");
}

// An edit of the file itself that nobody has seen yet is an edit like any other.
TEST_F(RefusedStory, AcceptedWithAnEditInTheFileTakesBoth) {
  write_status(0, "committed");
  project.must({"story", "list"});
  const std::string copy = project.only_kept("refused");
  project.edit_prd("\"B\"", "\"B\", \"mine\": 1");
  project.must({"accept", copy});
  EXPECT_EQ(project.status("A"), "committed");
  EXPECT_EQ(project.json({"story", "show", "B"})["mine"], 1);
}

TEST_F(RefusedStory, WithAWordThatCanNotBeHadIsNotOffered) {
  Json list = parse_json(project.prd()).value_or(Json());
  list["stories"][0]["status"] = "committed";
  list["stories"][1]["status"] = "done";
  project.write(kPrd, to_pretty(list) + "\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_FALSE(has(seen.err, "pawl accept")) << seen.err;
  EXPECT_NE(project.run({"accept", project.only_kept("refused")}).exit, 0);
}

TEST_F(RefusedStory, TwoCopiesOfOneSecondHaveTwoNames) {
  write_status(0, "done");
  project.must({"story", "list"});
  project.must({"dismiss", "--all"});
  write_status(0, "finished");
  project.must({"story", "list"});
  const auto names = project.kept("refused");
  const std::string settled = project.only_kept("refused/settled");
  ASSERT_EQ(names.size(), 2U);  // the copy, and the folder of those that are settled
  EXPECT_NE(names[0], settled.substr(settled.rfind('/') + 1));
  EXPECT_NE(names[1], settled.substr(settled.rfind('/') + 1));
}

// --- what was left out ---

constexpr std::string_view kSpelled = R"({
  "project": "p",
  "config": {"big": 12345678901234567890123, "f": 1.50, "e": 1E2, "p":0.1000000000000000055, "t": "\u00e9"},
  "stories": [
    {"id": "A", "title": "a", "limits": {"n": 1.50, "t": "\u00e9"}, "priority": 1, "status": "pending"},
    {"id": "B", "title": "b", "priority": 2, "status": "pending"}
  ],
  "notes": [1.0,  2]
}
)";

TEST(DroppedMembers, ComeBackAsTheyWereSpelledAndWhereTheyStood) {
  StoryProject project;
  project.write(kPrd, kSpelled);
  project.must({"init"});
  std::string edited = replaced(std::string(kSpelled),
                                "  \"config\": {\"big\": 12345678901234567890123, \"f\": 1.50, "
                                "\"e\": 1E2, \"p\":0.1000000000000000055, \"t\": \"\\u00e9\"},\n",
                                "");
  edited = replaced(edited, ",\n  \"notes\": [1.0,  2]", "");
  edited = replaced(edited, "\"title\": \"b\"", "\"title\": \"c\"");
  project.write(kPrd, edited);
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "does not have “config”, “notes” any more")) << seen.err;
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kSpelled);
}

TEST(DroppedMembers, WhatIsEmptiedIsAsGoodAsGone) {
  StoryProject project;
  project.write(kPrd, kSpelled);
  project.must({"init"});
  std::string edited = replaced(std::string(kSpelled), "\"notes\": [1.0,  2]", "\"notes\": []");
  edited = replaced(edited, "\"title\": \"b\"", "\"title\": \"c\"");
  project.write(kPrd, edited);
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "does not have “notes” any more, or nothing in it")) << seen.err;
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kSpelled);
}

TEST(DroppedMembers, OfAStoryComeBackAsTheyWereSpelledAndWhereTheyStood) {
  StoryProject project;
  project.write(kPrd, kSpelled);
  project.must({"init"});
  project.edit_prd("\"limits\": {\"n\": 1.50, \"t\": \"\\u00e9\"}, ", "");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "story/A: without “limits” now")) << seen.err;
  EXPECT_TRUE(has(seen.err, "pawl undo ")) << seen.err;
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kSpelled);
}

TEST(DroppedMembers, ChangedCriteriaAreSaidAndTheLogTellsWhatChanged) {
  StoryProject project;
  project.stories(
      {Of::story("A", "pending", 1, {{"acceptanceCriteria", {"Tests pass", "Typecheck passes"}}, {"prNumber", 7}})});
  Json list = parse_json(project.prd()).value_or(Json());
  list["stories"][0]["acceptanceCriteria"].erase(0);
  list["stories"][0].erase("prNumber");
  list["stories"][0]["title"] = "other";
  project.write(kPrd, to_pretty(list) + "\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "story/A: without “prNumber” now; its acceptance criteria were changed")) << seen.err;
  const std::string log = log_of_last(project);
  for (const std::string_view part : {"acceptanceCriteria", "Tests pass", "prNumber “7” → nothing", "→ “other”"})
    EXPECT_TRUE(has(log, part)) << part << "\n" << log;
  EXPECT_EQ(project.run({"story", "list"}).err, "") << "once";
}

TEST(EditedIssue, TheLogTellsWhatChanged) {
  IssueProject project;
  project.must({"issue", "set", "9", "running", "--session", "one"});
  project.edit(9, "\"one\"", "\"two\"");
  EXPECT_EQ(project.get(9), "running");
  const std::string log = project.out({"log", "issue/9", "--limit", "1"});
  EXPECT_TRUE(has(log, "session “one” → “two”")) << log;
}

// --- what nobody touched ---

TEST(UntouchedStory, IsNoPartOfAnEditOfAnother) {
  StoryProject project;
  project.record_gates();
  project.stories({Of::story("A"), Of::story("B", "pending", 2)});
  const Json taken = project.take("w1");
  project.must({"story", "move", "A", "committed", "--branch", "main", "--token", to_line(taken["claim"]["token"])});
  const std::int64_t moved = project.log()[0]["operation"].get<std::int64_t>();
  Json list = parse_json(project.prd()).value_or(Json());
  list["stories"][1]["title"] = "other";
  project.write(kPrd, to_pretty(list) + "\n");
  project.must({"story", "list"});
  const std::string log = log_of_last(project);
  EXPECT_TRUE(has(log, "story/B")) << log;
  EXPECT_FALSE(has(log, "story/A")) << log;
  project.must({"undo", std::to_string(moved)});
  EXPECT_EQ(project.status("A"), "pending");
}

// --- what git brought ---

TEST(GitsList, AcceptedTakesAStatusThatNoMoveLeadsTo) {
  StoryProject project;
  project.start_git();
  project.record_gates();
  project.stories({Of::story("A", "committed")});
  project.commit_all("list");
  project.git({"checkout", "-q", "-b", "work"});
  project.must({"story", "move", "A", "pushed", "--pr", "3"});
  project.commit_all("pushed");
  project.git({"checkout", "-q", "-"});
  const std::string theirs = project.prd();
  EXPECT_TRUE(has(row_of(project, "file"), "pawl accept prd.json")) << row_of(project, "file");
  project.must({"accept", "prd.json", "--actor", "ada"});
  EXPECT_EQ(project.status("A"), "committed");
  EXPECT_EQ(project.prd(), theirs);
  EXPECT_TRUE(has(log_of_last(project), "pushed → committed (taken as it stands)")) << log_of_last(project);
  // Back again: that git brings it shows nothing of what leads there.
  project.git({"checkout", "-q", "work"});
  project.must({"accept", "prd.json", "--actor", "ada"});
  EXPECT_EQ(project.status("A"), "pushed");
  EXPECT_EQ(project.json({"story", "show", "A"})["unverified"], true);
  project.must({"undo"});
  EXPECT_EQ(project.status("A"), "committed");
}

TEST(GitsList, WithConflictMarkersIsToBeResolvedFirst) {
  StoryProject project;
  project.start_git();
  project.stories({Of::story("A")});
  project.commit_all("list");
  project.must({"status"});
  project.write(kPrd, "<<<<<<< ours\n" + project.prd() + "=======\n>>>>>>> theirs\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "resolve them there; then, to take it: pawl accept prd.json")) << seen.err;
}

// --- what is shown of one that came unverified ---

TEST(UnverifiedPush, StaysSoUntilWhatItLackedIsShown) {
  StoryProject project;
  project.start_git();
  project.write("pawl.toml", "[story]\ngates = \"record\"\n[story.checks]\n\"T\" = [\"true\"]\n");
  project.must({"trust"});
  project.git({"checkout", "-q", "-b", "work"});
  project.stories({Of::story("A", "committed", 1, {{"acceptanceCriteria", {"T"}}, {"branchName", "work"}})});
  project.commit_all("list");
  project.must({"status"});
  project.must({"story", "move", "A", "pushed", "--pr", "99"});
  project.commit_all("pushed");
  EXPECT_EQ(project.json({"story", "show", "A"})["unverified"], true);
  EXPECT_TRUE(has(string_or(project.json({"story", "show", "A"}), "advice"), "pawl story move A pushed"));
  project.must({"story", "check", "A"});
  EXPECT_EQ(project.json({"story", "show", "A"})["unverified"], true) << "nothing shows that it is published";
  const Ran again = project.run({"story", "move", "A", "pushed"});
  EXPECT_TRUE(has(again.out + again.err, "published")) << again.out << again.err;
  EXPECT_FALSE(has(again.out + again.err, "criteria: it could not be looked up")) << again.out << again.err;
  EXPECT_EQ(project.json({"story", "show", "A"})["unverified"], true);
}

// --- what a run leaves ---

TEST(StoriesLeft, PausedOnesDoNotNeedAnybody) {
  BotProject project;
  project.agent("exit 0\n");
  project.stories({BotProject::story("US-1")});
  project.must({"story", "pause", "US-1"});
  const Ran ran = project.pawl({"story", "run", "--until-idle"});
  EXPECT_TRUE(has(ran.out, "1 is paused")) << ran.out << ran.err;
  EXPECT_FALSE(has(ran.out, "needs you")) << ran.out;
}

TEST(StoriesLeft, OfUntrustedCommandsTheBoardNamesTheTrustFirst) {
  BotProject project;
  project.agent("exit 0\n");
  project.stories({BotProject::story("US-1")});
  project.write("pawl.toml", project.read("pawl.toml").value_or("") + "\n# nobody has read this\n");
  static_cast<void>(project.pawl({"story", "run", "--until-idle", "--", "true"}));
  const Json board = project.json({"status"});
  std::string advice;
  for (const Json& row : board["work"]) advice += string_or(row, "ref") == "story/US-1" ? string_or(row, "advice") : "";
  EXPECT_TRUE(advice.starts_with("pawl trust  # ") && has(advice, "\npawl story retry US-1")) << board.dump(1);
}

TEST(EndedStory, SaysNothingOfNotBeingPicked) {
  StoryProject project;
  project.record_gates();
  project.stories({Of::story("A")});
  project.must({"story", "pause", "A"});
  project.edit_prd("pending", "skipped");
  const std::string list = project.out({"story", "list"});
  EXPECT_TRUE(has(list, "skipped")) << list;
  EXPECT_FALSE(has(list, "not picked")) << list;
}

// --- a list that was removed, and is there again ---

TEST(StoryListBack, UndoOfAnEditInItLeavesTheListThere) {
  const StoryProject project;
  project.stories({Of::story("A", "pending", 1), Of::story("B", "pending", 2)});
  const std::string list = project.prd();
  const std::string title = string_or(project.json({"story", "show", "A"}), "title");
  std::filesystem::remove(project.file(kPrd));
  project.must({"status"});
  // Until then it is told of where somebody looks for it.
  const Ran doctor = project.run({"doctor"}), next = project.run({"story", "next"});
  for (const std::string& said : {doctor.out + doctor.err, next.out + next.err})
    EXPECT_TRUE(has(said, "prd.json is not there; story/A and 1 more are set aside with it") &&
                has(said, "pawl undo 2"))
        << said;
  project.write(kPrd, replaced(list, "\"title\": \"" + title + "\"", "\"title\": \"quite another\""));
  project.must({"status"});
  ASSERT_EQ(project.json({"story", "show", "A"})["title"], "quite another");
  project.must({"undo"});
  EXPECT_EQ(project.prd(), list);
  EXPECT_EQ(project.json({"story", "show", "A"})["title"], title);
  EXPECT_EQ(project.status("B"), "pending");

  // Where it is only there again there is nothing to take back, and a bare undo goes further.
  std::filesystem::remove(project.file(kPrd));
  project.must({"status"});
  project.write(kPrd, list);
  project.must({"status"});
  const Json newest = project.json({"log", "--limit", "1"});
  const Ran ran = project.run({"undo", std::to_string(newest[0]["operation"].get<int>())});
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_TRUE(has(ran.err, "only took up again what stands in a file")) << ran.err;
  EXPECT_EQ(project.prd(), list);
}

TEST(StoryListOfPasses, NamesItsOwnStatuses) {
  const StoryProject project;
  project.write(kPrd, R"({"userStories": [{"id": "A", "title": "one", "passes": false}]})");
  project.must({"init"});
  const Ran ran = project.run({"story", "list", "--status", "passd"});
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_TRUE(has(ran.err, "did you mean passed?") && !has(ran.err, "committed")) << ran.err;
}

// --- a copy from before several of pawl's writes ---

// The members that a seed's format has from the beginning, with nothing in them.
class SavedAsItWas : public testing::Test {
 protected:
  SavedAsItWas() {
    project.start_git();
    project.record_gates();
    const Json none{{"branchName", nullptr}, {"prNumber", nullptr}, {"prUrl", nullptr}, {"lastActivityBy", nullptr}};
    project.stories({Of::story("A", "pending", 1, none), Of::story("B", "pending", 2, none)});
    project.commit_all("list");
    stale = project.prd();
    project.git({"branch", "us-a"});
    project.must({"story", "move", "A", "committed", "--branch", "us-a"});
    project.must({"story", "move", "A", "pushed", "--pr", "17"});
    project.must({"story", "activity", "A", "reviewer"});
    now = project.prd();
  }
  StoryProject project;
  std::string stale, now;
};

TEST_F(SavedAsItWas, NothingInItIsAnEdit) {
  project.edit_prd("\"Title of B\"", "\"Another title\"");
  project.must({"story", "list"});
  now = project.prd();
  project.write(kPrd, stale);
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "“pushed” was put back")) << seen.err;
  EXPECT_EQ(project.prd(), now);
  EXPECT_EQ(project.json({"story", "show", "A"})["tier"], "urgent");
  EXPECT_EQ(string_or(project.json({"story", "show", "B"}), "title"), "Another title");
  const Json log = project.json({"log"});
  EXPECT_FALSE(log[0].value("outside", false) && log[0]["events"].size() > 1) << log[0].dump(1);
}

// With an edit in it, that one counts; what only moves write is not emptied with a status that is put back.
TEST_F(SavedAsItWas, WithAnEditInItThatIsTakenAndNothingIsEmptied) {
  project.write(kPrd, replaced(stale, "\"Title of A\"", "\"Mine\""));
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "“pushed” was put back")) << seen.err;
  const Json story = project.json({"story", "show", "A"});
  EXPECT_EQ(string_or(story, "title"), "Mine");
  EXPECT_EQ(string_or(story, "branchName"), "us-a");
  EXPECT_EQ(story["prNumber"], 17);
  EXPECT_EQ(string_or(story, "lastActivityBy"), "reviewer");
}

// By hand, and with the status as it is: then it is meant, and said with the way back.
TEST_F(SavedAsItWas, WhatSomebodyEmptiesIsSaid) {
  project.edit_prd("\"prNumber\": 17", "\"prNumber\": null");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "story/A: without “prNumber” now\n  pawl undo ")) << seen.err;
  project.must({"undo"});
  EXPECT_EQ(project.prd(), now);
}

TEST_F(SavedAsItWas, WhatTakesARefusedWayBackOverNeedsAReason) {
  project.edit_prd("\"pushed\"", "\"pending\"");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, cat("pawl accept ", project.only_kept("refused"), " --reason TEXT"))) << seen.err;
  project.must({"accept", project.only_kept("refused"), "--reason", "begun anew"});
  EXPECT_EQ(project.status("A"), "pending");
}

// git brings back what HEAD has, and HEAD stays where it is.
TEST_F(SavedAsItWas, ByGitItIsLeftToGit) {
  project.must({"story", "add", "C", "--title", "c", "--criterion", "T"});
  now = project.prd();
  for (const std::vector<std::string>& how : {std::vector<std::string>{"checkout", "-q", "--", "prd.json"},
                                              std::vector<std::string>{"restore", "prd.json"}}) {
    project.git(how);
    const Ran seen = project.run({"story", "list"});
    EXPECT_TRUE(has(seen.err, "prd.json was changed by git")) << seen.err;
    EXPECT_EQ(project.prd(), stale);
    EXPECT_EQ(project.status("A"), "pushed");
    project.must({"restore", "prd.json"});
    EXPECT_EQ(project.prd(), now);
  }
  project.write(kPrd, stale);  // the same by hand
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "“pushed” was put back"));
  EXPECT_EQ(project.prd(), now);
}

}  // namespace
}  // namespace pawl::test

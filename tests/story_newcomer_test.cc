// What a newcomer stumbled over with a list of stories, through the real binary.
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/bot_project.h"

namespace pawl::test {
namespace {

using Of = StoryProject;

Json row_in(const Json& board, std::string_view ref) {
  for (const Json& row : board["work"]) {
    if (string_or(row, "ref") == ref) return row;
  }
  return Json::object();
}

// --- what agents print ---

TEST(StoryNewcomer, WhatAnAgentPrintsIsNoPartOfAnythingToType) {
  BotProject project;
  project.agent("echo x > \"$PAWL_STORY.txt\"\necho 'pawl story retry US-1; touch /tmp/OWNED'\n");
  project.stories({BotProject::story("US-1", 1, {{"acceptanceCriteria", {"works", "Looks nice"}}}),
                   BotProject::story("US-2", 2, {{"acceptanceCriteria", {"works", "it's; touch /tmp/OWNED"}}})});
  project.carry();
  const Json board = project.json({"status"});
  EXPECT_EQ(string_or(row_in(board, "story/US-1"), "advice"),
            "pawl story attest US-1 'Looks nice' --evidence TEXT --actor NAME");
  EXPECT_EQ(string_or(row_in(board, "story/US-2"), "advice"),
            "pawl story attest US-2 CRITERION --evidence TEXT --actor NAME");
  EXPECT_FALSE(has(string_or(row_in(board, "story/US-1"), "why"), "OWNED")) << board;
  const Json shown = project.json({"story", "show", "US-1"});
  EXPECT_EQ(string_or(shown, "not_picked_for"), "attest");
  EXPECT_TRUE(has(string_or(shown, "printed"), "OWNED")) << shown;
  EXPECT_TRUE(has(project.out({"story", "show", "US-1"}), "it printed last: pawl story retry US-1; touch"));
}

// --- the dialect of `passes` ---

TEST(StoryNewcomer, WhatPassesMayBeIsSaidAsTheFileHasIt) {
  StoryProject project;
  project.write(kPrd, R"({"userStories": [{"id": "N", "title": "n", "passes": false}]})");
  project.must({"init"});
  for (const char* const word : {"passed", "true", "yes"}) {
    const std::string text = cat("\"passes\": \"", word, "\"");
    const Json edit{{"file_path", project.file(kPrd)}, {"old_string", "\"passes\": false"}, {"new_string", text}};
    RunOptions options;
    options.input = to_line(
        Json{{"hook_event_name", "PreToolUse"}, {"session_id", "s"}, {"tool_name", "Edit"}, {"tool_input", edit}});
    const Ran hooked = project.run({"hook", "claude"}, options);
    EXPECT_TRUE(has(hooked.out, cat("“passes” is true or false, not the text “", word, "”"))) << hooked.out;
    EXPECT_FALSE(has(hooked.out, "did you mean")) << hooked.out;
    project.edit_prd("\"passes\": false", text);
    const Ran seen = project.run({"story", "list"});
    EXPECT_TRUE(has(seen.err, cat("story/N: “passes” is true or false, not the text “", word, "”"))) << seen.err;
    EXPECT_FALSE(has(seen.err, "did you mean") || has(seen.err, "pending or passed")) << seen.err;
  }
  EXPECT_TRUE(has(project.run({"story", "move", "N", "done"}).err, "pending or passed")) << "a command has the words";
}

// --- ids ---

TEST(StoryNewcomer, AStoryWithoutAnIdHasNoIdAndNoStatusOfThatName) {
  StoryProject project;
  project.write(kPrd,
                R"({"stories": [{"title": "t", "status": "pending"}, {"id": "A", "title": "a", "status": "pending"},
    {"id": "A", "title": "b", "status": "pending"}, "just text"]})");
  const std::string doctor = project.run({"doctor"}).out;
  EXPECT_TRUE(has(doctor, "story/(without id 1): it has no id") && has(doctor, "it has the id A again") &&
              has(doctor, "it stands among the stories and is none"))
      << doctor;
  EXPECT_FALSE(has(doctor, "is not a status") || has(doctor, "gives them a status")) << doctor;
  project.must({"init"});
  project.edit_prd("{\"title\": \"t\"", "{\"id\": \"B\", \"title\": \"t\"");
  const Ran mended = project.run({"story", "list"});
  EXPECT_EQ(project.status("B"), "pending");
  EXPECT_FALSE(has(mended.err, "is gone") || has(mended.err, "brings it back")) << mended.err;
}

// --- members of the file itself ---

TEST(StoryNewcomer, MembersThatAnAgentDropsAreSaidKeptAndComeBackByUndo) {
  StoryProject project;
  project.stories({Of::story("A"), Of::story("B")});
  Json list = parse_json(project.prd()).value_or(Json());
  list["config"] = {{"retries", 3}};
  list["notes"] = "mine";
  project.write(kPrd, to_pretty(list) + "\n");
  project.must({"status"});
  const std::string before = project.prd();
  Json agents = parse_json(before).value_or(Json());
  agents.erase("config");
  agents.erase("notes");
  agents["stories"][0]["title"] = "written anew";
  project.write(kPrd, to_pretty(agents) + "\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "does not have “config”, “notes” any more")) << seen.err;
  EXPECT_EQ(project.read(project.only_kept("dropped")), before);
  project.must({"undo"});
  const Json back = parse_json(project.prd()).value_or(Json());
  EXPECT_EQ(nlohmann::json::parse(project.prd()), nlohmann::json::parse(before)) << project.prd();
  // Where no story changed there is nothing to undo; it is said and kept all the same.
  agents = back;
  agents.erase("notes");
  project.write(kPrd, to_pretty(agents) + "\n");
  EXPECT_TRUE(has(project.run({"story", "list"}).err, "does not have “notes” any more"));
  EXPECT_EQ(project.run({"story", "list"}).err, "") << "once";
}

// --- the board, and what is picked ---

TEST(StoryNewcomer, NextOnTheBoardIsWhatStoryNextGives) {
  StoryProject project;
  project.record_gates();
  project.stories({Of::story("P-9", "pending", 2), Of::story("P-10", "pending", 2), Of::story("C", "pending", 5),
                   Of::story("U", "pushed", 9), Of::story("W", "pending", 1, {{"dependsOn", {"C"}}})});
  project.must({"story", "move", "C", "committed"});  // unverified
  const auto board_next = [&] {
    const Json board = project.json({"status"});
    std::vector<std::string> ids;
    for (const Json& row : board["work"]) {
      if (string_or(row, "stands") == "next") ids.push_back(string_or(row, "key"));
    }
    return ids;
  };
  EXPECT_EQ(board_next(), (std::vector<std::string>{"U", "C", "P-9", "P-10"}));
  for (const char* id : {"U", "C", "P-9", "P-10"}) {
    ASSERT_FALSE(board_next().empty());
    EXPECT_EQ(board_next().front(), id);
    EXPECT_EQ(project.next(), id);
    EXPECT_EQ(string_or(project.take(cat("bot-", id)), "id"), id);
    const Json row = row_in(project.json({"status"}), cat("story/", id));
    EXPECT_EQ(string_or(row, "stands"), "running") << row;
  }
  EXPECT_TRUE(board_next().empty());
}

TEST(StoryNewcomer, InAListOfPassesStoriesAreCalledStories) {
  StoryProject project;
  project.write(kPrd, R"({"userStories": [{"id": "W1", "title": "a", "passes": true},
    {"id": "W2", "title": "b", "passes": true}, {"id": "W5", "title": "c", "passes": false}]})");
  project.must({"init"});
  EXPECT_TRUE(has(project.out({"show", "story/W5"}), "story/W5: pending")) << project.out({"show", "story/W5"});
  EXPECT_TRUE(has(project.out({"log", "--kind", "story"}), "story/W5"));
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "story/W5  pending") && has(board, "  story  ") && !has(board, "passes")) << board;
  EXPECT_EQ(project.json({"status"})["work"][0]["kind"], "story");
  EXPECT_EQ(project.run({"show", "nokind/W5"}).exit, 2);
}

TEST(StoryNewcomer, OfTwoListsWithOneIdTheBoardNamesTheFile) {
  StoryProject project;
  project.write(".omc/prd.json", R"({"stories": [{"id": "A", "title": "other", "status": "pending"}]})");
  project.stories({Of::story("A"), Of::story("B")});
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "story/A in prd.json") && has(board, "story/A in .omc/prd.json")) << board;
  EXPECT_FALSE(has(board, "story/B in")) << board;
}

// --- what a move lacked ---

class StoryUnverified : public testing::Test {
 protected:
  StoryUnverified() {
    project.start_git();
    project.write(".gitignore", "prd.json\n.pawl\n");
    project.commit_all("one");
    project.git({"checkout", "--quiet", "-b", "work"});
    project.write("pawl.toml", "[story]\ngates = \"record\"\n[story.checks]\n\"works\" = [\"true\"]\n");
    project.must({"trust"});
  }
  void story(const std::string& status = "pending") const {
    Json one = Of::story("US-1", status, 1, {{"branchName", "work"}});
    one["acceptanceCriteria"] = {"works", "Looks nice"};
    project.stories({one});
  }
  [[nodiscard]] bool marked() const { return project.json({"story", "show", "US-1"}).contains("unverified"); }
  StoryProject project;
};

TEST_F(StoryUnverified, WhatIsShownAfterwardsTakesTheMarkOff) {
  story();
  project.must({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(marked());
  EXPECT_TRUE(has(project.out({"story", "list"}), "(unverified)"));
  EXPECT_TRUE(has(project.out({"status"}), "    pawl story check US-1  # "));
  const Ran checked = project.run({"story", "check", "US-1"});
  EXPECT_EQ(checked.exit, 1);
  EXPECT_TRUE(has(checked.out, "pawl story attest US-1 'Looks nice' --evidence TEXT --actor NAME\n")) << checked.out;
  EXPECT_TRUE(marked());
  project.must({"story", "attest", "US-1", "Looks nice", "--evidence", "seen", "--actor", "ann"});
  EXPECT_FALSE(marked()) << "both are shown at this commit";
  EXPECT_FALSE(has(project.out({"status"}), "moved without"));
  // check and move agree with attest.
  const Ran again = project.run({"story", "check", "US-1"});
  EXPECT_EQ(again.exit, 0) << again.out;
  EXPECT_TRUE(has(again.out, "attested: Looks nice")) << again.out;
}

// A check would run nothing.
TEST_F(StoryUnverified, WhereNothingHasACommandSomebodysWordIsAskedFor) {
  project.write("pawl.toml", "[story]\ngates = \"record\"\n");
  story();
  project.must({"story", "move", "US-1", "committed"});
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "pawl story attest US-1 works --evidence TEXT --actor NAME")) << board;
  EXPECT_FALSE(has(board, "pawl story check ")) << board;
  EXPECT_TRUE(has(project.out({"story", "show", "US-1", "--json"}), "pawl story attest US-1"));
  project.write("pawl.toml", "");
  const Ran refused = project.run({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(has(refused.err, "pawl story attest US-1")) << refused.err;
  EXPECT_FALSE(has(refused.err, "pawl story check ")) << refused.err;
}

TEST_F(StoryUnverified, TheSameMoveAgainShowsIt) {
  story();
  project.must({"story", "move", "US-1", "committed"});
  EXPECT_EQ(project.run({"story", "move", "US-1", "committed"}).exit, 1);
  project.must({"story", "check", "US-1", "--only", "works"});
  project.must({"story", "attest", "US-1", "Looks nice", "--evidence", "seen", "--actor", "ann"});
  ASSERT_FALSE(marked());
  const Ran there = project.run({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(has(there.err, "is committed already")) << there.err;
}

TEST_F(StoryUnverified, AnEndKeepsItsMark) {
  story("pushed");
  project.must({"story", "move", "US-1", "merged"});
  EXPECT_TRUE(marked());
  EXPECT_TRUE(has(project.out({"story", "list"}), "(unverified)"));
  const std::string all = project.out({"status", "--all"});
  EXPECT_TRUE(has(all, "unverified")) << all;
  EXPECT_EQ(project.run({"story", "move", "US-1", "merged"}).exit, 1) << "nothing shows it";
}

TEST_F(StoryUnverified, WithoutCriteriaNothingHolds) {
  Json one = Of::story("US-1", "pending", 1, {{"branchName", "work"}});
  one["acceptanceCriteria"] = Json::array();
  project.stories({one});
  project.must({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(has(project.out({"status"}), "# once its acceptanceCriteria are in prd.json")) << project.out({"status"});
  EXPECT_FALSE(has(project.out({"status"}), "shows what the move lacked"));
  const Ran checked = project.run({"story", "check", "US-1"});
  EXPECT_EQ(checked.exit, 1);
  EXPECT_TRUE(has(checked.out, "it has no acceptance criteria")) << checked.out;
}

// pawl.toml, which nobody has committed, was no hindrance in any of these. Committed and then changed it is.
TEST_F(StoryUnverified, SettingsThatAreCommittedAreAFileLikeOthers) {
  story();
  EXPECT_EQ(project.run({"story", "check", "US-1", "--only", "works"}).exit, 0);
  project.commit_all("settings");
  project.write("pawl.toml", (project.read("pawl.toml").value_or("")) + "\n# more\n");
  project.must({"trust"});
  EXPECT_TRUE(has(project.run({"story", "check", "US-1"}).err, "pawl.toml"));
}

TEST_F(StoryUnverified, HintsNameTheBranchAndMainIsNobodys) {
  project.write("pawl.toml", "[story.checks]\n\"works\" = [\"true\"]\n");
  project.must({"trust"});
  Json one = Of::story("US-1");
  one["acceptanceCriteria"] = {"works"};
  project.stories({one});
  const Ran refused = project.run({"story", "move", "US-1", "committed", "--branch", "work"});
  EXPECT_TRUE(has(refused.err, "  pawl story check US-1 --branch work  # ")) << refused.err;
  EXPECT_TRUE(has(refused.err, "“criteria” (all acceptance criteria pass")) << refused.err;
  project.git({"checkout", "--quiet", "-B", "main"});
  project.must({"story", "check", "US-1"});
  const Ran on_main = project.run({"story", "move", "US-1", "committed"});
  EXPECT_EQ(on_main.exit, 1) << on_main.out;
  EXPECT_TRUE(has(on_main.err, "“main” is the branch that stories go into, and none's own")) << on_main.err;
  EXPECT_TRUE(has(on_main.err, "pawl story move US-1 committed --branch B")) << on_main.err;
  EXPECT_FALSE(has(project.prd(), "branchName")) << project.prd();
  project.must({"story", "move", "US-1", "committed", "--branch", "work"});
}

// --- what is said ---

TEST(StoryNewcomer, ARefusalNamesTheStoryAndSoDoesTheBoard) {
  StoryProject project;
  std::vector<Json> list;
  for (int i = 1; i <= 14; ++i) list.push_back(Of::story(cat("US-", i)));
  project.stories(list);
  Json edited = parse_json(project.prd()).value_or(Json());
  edited["stories"][12]["status"] = "done";
  project.write(kPrd, to_pretty(edited) + "\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "changed outside pawl: story/US-13: “done” is not a status")) << seen.err;
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "! story/US-13  refused")) << board;
}

TEST(StoryNewcomer, WhatIsToBeTypedIsWhole) {
  StoryProject project;
  project.stories({Of::story("A"), Of::story("B"), Of::story("C")});
  Json edited = parse_json(project.prd()).value_or(Json());
  edited["stories"].erase(2);
  project.write(kPrd, to_pretty(edited) + "\n");
  const Ran seen = project.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "\n  pawl story drop ID --reason R  # ")) << seen.err;
  for (const char* const verb : {"drop", "reset", "fix"})
    EXPECT_TRUE(has(project.out({"help", "story", verb}), "--reason TEXT")) << verb;
  project.write("pawl.toml", "[story.check]\n\"a\" = [\"true\"]\n");
  EXPECT_TRUE(has(project.run({"status"}).err, "did you mean [story.checks]?")) << project.run({"status"}).err;
}

TEST(StoryNewcomer, ACircleIsSpelledWholeAndTheDoctorTells) {
  StoryProject project;
  project.stories({Of::story("C", "pending", 1, {{"dependsOn", {"D"}}}),
                   Of::story("D", "pending", 2, {{"dependsOn", {"C"}}}),
                   Of::story("E", "pending", 3, {{"dependsOn", {"gone"}}})});
  EXPECT_TRUE(has(project.out({"status"}), "waits for itself: C → D → C")) << project.out({"status"});
  const Ran doctor = project.run({"doctor"});
  EXPECT_EQ(doctor.exit, 1);
  EXPECT_TRUE(has(doctor.out, "wait for each other: C → D → C")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "story/E waits for “gone”, which is no story")) << doctor.out;
}

TEST(StoryNewcomer, ADamagedListIsToldOfInOneLineAndTheBoardHasIt) {
  StoryProject project;
  project.stories({Of::story("A")});
  project.write(kPrd, "{\"stories\": [");
  const Ran seen = project.run({"status"});
  EXPECT_TRUE(seen.err.starts_with("pawl: prd.json was damaged outside pawl")) << seen.err;
  EXPECT_TRUE(has(seen.out, "story/A")) << seen.out;
}

TEST(StoryNewcomer, AfterLeavingABotIsToldAndDoesNotWait) {
  StoryProject project;
  project.stories({Of::story("A")});
  project.must({"leave"});
  const Ran ran = project.run({"story", "next", "--claim", "--worker", "bot"});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.err, "pawl was left here")) << ran.err;
  const Ran bot = project.run({"story", "run", "--once", "--", "true"});
  EXPECT_EQ(bot.exit, 3) << bot.out << bot.err;
  EXPECT_TRUE(has(bot.err, "pawl was left here")) << bot.err;
  EXPECT_EQ(bot.out, "");
}

TEST(StoryNewcomer, OnlyMovesThatThereAreAreOffered) {
  StoryProject project;
  project.stories({Of::story("A"), Of::story("B", "pushed")});
  const auto offered = [&](const std::string& id) { return project.out({"__complete", "story", "move", id, ""}); };
  EXPECT_TRUE(has(offered("A"), "committed\t") && has(offered("A"), "skipped\t")) << offered("A");
  EXPECT_FALSE(has(offered("A"), "pending\t") || has(offered("A"), "merged\t")) << offered("A");
  EXPECT_TRUE(has(offered("story/B"), "merged\t") && !has(offered("story/B"), "pending\t")) << offered("story/B");
  EXPECT_TRUE(has(offered("nobody"), "pending\t"));
}

// --- beginning anew ---

TEST(StoryNewcomer, APendingStoryIsBegunAnewAndWhatItsBranchHasIsKept) {
  BotProject project;
  project.settings("max_failures = 1\n");
  project.agent("echo wrong > wrong.txt\n");  // the check wants another file
  project.stories({BotProject::story("US-1")});
  project.carry();
  ASSERT_EQ(project.status("US-1"), "pending");
  const std::string tip = project.git({"rev-parse", "story/US-1"});
  const Ran reset = project.run({"story", "reset", "US-1", "--reason", "r"});
  EXPECT_TRUE(has(reset.err, "  pawl story cleanup US-1 --force  # ")) << reset.err;
  EXPECT_EQ(project.run({"story", "cleanup", "US-1"}).exit, 1);
  const Ran cleaned = project.run({"story", "cleanup", "US-1", "--force"});
  EXPECT_EQ(cleaned.exit, 0) << cleaned.out << cleaned.err;
  EXPECT_EQ(project.git({"branch", "--list", "story/US-1"}), "");
  EXPECT_FALSE(project.exists(".worktrees/story-US-1"));
  EXPECT_TRUE(has(project.git({"for-each-ref", "refs/pawl", "--format=%(objectname)"}), tip.substr(0, 40)));
  project.agent("echo x > \"$PAWL_STORY.txt\"\n");
  const std::string told = project.carry();
  EXPECT_EQ(project.status("US-1"), "pushed") << told;
  EXPECT_EQ(project.on_remote("story/US-1", "wrong.txt"), "");
}

TEST(ListWithoutCriteria, BeginsWithMovesThatAreMadeAndMarked) {
  const StoryProject project;
  project.write(kPrd, R"({"stories":[{"id":"A","title":"a","status":"pending"}]})");
  const std::string told = project.out({"init"});
  EXPECT_TRUE(has(told, "none of them has acceptance criteria yet")) << told;
  EXPECT_TRUE(has(project.read("pawl.toml").value_or(""), "gates = \"record\""));
  EXPECT_TRUE(has(project.read("pawl.toml").value_or(""), "have no acceptance criteria yet"));
  project.edit_prd("\"pending\"", "\"committed\"");
  EXPECT_EQ(project.status("A"), "committed");
}

TEST(ListWithoutCriteria, OfStoriesThatAreOverIsLeftAlone) {
  const StoryProject project;
  project.write(kPrd, R"({"stories":[{"id":"A","title":"a","status":"merged"}]})");
  project.must({"init"});
  EXPECT_FALSE(project.exists("pawl.toml"));
}

// What is on the branch that stories go into is everybody's: neither a check nor somebody's word shows it of this one.
TEST_F(StoryUnverified, OnTheSharedBranchTheMarkStays) {
  project.write("pawl.toml", "[story]\ngates = \"record\"\nbase = \"main\"\n");
  project.git({"checkout", "--quiet", "main"});
  project.stories({Of::story("US-1", "pending")});
  project.must({"story", "move", "US-1", "committed"});
  EXPECT_TRUE(marked());
  const std::string board = project.out({"status"});
  EXPECT_TRUE(has(board, "    pawl story move US-1 committed --branch B  # ")) << board;
  project.must({"story", "attest", "US-1", "Tests pass", "--evidence", "seen", "--actor", "ann"});
  EXPECT_TRUE(marked());
  project.must({"story", "move", "US-1", "committed", "--branch", "work"});
  EXPECT_FALSE(marked()) << project.out({"story", "show", "US-1"});
}

}  // namespace
}  // namespace pawl::test

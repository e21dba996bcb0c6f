// prd.json as other hands leave it: rewritten, damaged, replaced, moved by git, and in every form that is met. An edit
// by pawl changes only the bytes of what changed.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "support/story_project.h"

namespace pawl::test {
namespace {

// Escapes as some writers make them, numbers as others do, unknown members, no newline at the end.
constexpr std::string_view kAsWritten =
    "{\n"
    "    \"project\": \"Caf\\u00e9\",\n"
    "    \"branchName\": \"ralph/caf\\u00e9\",\n"
    "    \"description\":\"tight\",\n"
    "    \"userStories\": [\n"
    "        {\n"
    "            \"id\": \"US-001\",\n"
    "            \"title\": \"Sch\\u00f6ne \\\"Gr\\u00fc\\u00dfe\\\" $(touch pwned) `x`\",\n"
    "            \"acceptanceCriteria\": [\"Typecheck passes\", \"Tests \\u2713\"],\n"
    "            \"priority\": 1.0,\n"
    "            \"weight\": 1e3,\n"
    "            \"status\": \"pushed\",\n"
    "            \"lastActivityBy\": null,\n"
    "            \"prNumber\": 9007199254740993,\n"
    "            \"iterationLogs\": [ ]\n"
    "        },\n"
    "        {\"id\": \"US-002\", \"title\": \"two\", \"passes\": false, \"priority\": 2, \"notes\": \"\"}\n"
    "    ]\n"
    "}";

class StoryFiles : public testing::Test {
 protected:
  [[nodiscard]] Ran look() const { return project.run({"story", "list"}); }
  StoryProject project;
};

TEST_F(StoryFiles, NothingButWhatChangedChanges) {
  project.write(kPrd, kAsWritten);
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  project.must({"story", "list"});
  EXPECT_EQ(project.prd(), kAsWritten);
  project.must({"story", "activity", "US-001", "reviewer"});
  EXPECT_EQ(project.prd(),
            replaced(std::string(kAsWritten), "\"lastActivityBy\": null", "\"lastActivityBy\": \"reviewer\""));
  project.must({"undo"});
  EXPECT_EQ(project.prd(), kAsWritten);
  project.record_gates();
  project.must({"story", "move", "US-002", "passed"});
  EXPECT_EQ(project.prd(), replaced(std::string(kAsWritten), "\"passes\": false", "\"passes\": true"));
  project.must({"story", "move", "US-001", "merged"});
  EXPECT_EQ(project.prd(), replaced(replaced(std::string(kAsWritten), "\"passes\": false", "\"passes\": true"),
                                    "\"pushed\"", "\"merged\""));
  EXPECT_FALSE(project.exists("pwned"));
}

// A long list is known by a few bytes that stand for it: an edit that leaves its length as it was is seen all the same,
// wherever in it, and so is the next one.
TEST_F(StoryFiles, EditOfOneByteInALongListIsSeenByTheBoard) {
  std::vector<Json> list;
  for (int i = 0; i < 300; ++i) list.push_back(StoryProject::story("US-" + std::to_string(1000 + i), "merged"));
  project.stories(list);
  ASSERT_GT(project.prd().size(), 20'000u);
  for (const std::string id : {"US-1000", "US-1150", "US-1299"}) {
    const std::string title = string_or(project.json({"story", "show", id}), "title");
    project.edit_prd("\"id\": \"" + id + "\",\n      \"title\": \"" + title.substr(0, 1),
                     "\"id\": \"" + id + "\",\n      \"title\": \"#");
    project.must({"status"});
    const Json shown = project.json({"story", "show", id});
    EXPECT_EQ(string_or(shown, "title"), "#" + title.substr(1));
    EXPECT_TRUE(has(project.out({"log", "--limit", "1"}), "title")) << project.out({"log", "--limit", "1"});
  }
  EXPECT_EQ(project.json({"status"})["count"]["ended"], 300) << "counted, and not read one by one";
}

TEST_F(StoryFiles, LookingAndPausingWriteNothingIntoTheFile) {
  project.write(kPrd, kAsWritten);
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  EXPECT_EQ(string_or(project.take("w"), "id"), "US-001");
  project.must({"story", "pause", "US-002", "--reason", "r"});
  EXPECT_EQ(project.prd(), kAsWritten);
  // Nor does what somebody writes under pawl's own name get in.
  project.edit_prd("\"notes\": \"\"", "\"notes\": \"\", \"_pawl\": {\"checks\": {}, \"due_ms\": 1}");
  EXPECT_EQ(project.json({"story", "show", "US-002"})["not_picked"], "paused: r");
  EXPECT_TRUE(has(project.out({"story", "log", "US-002"}), "because: r")) << project.out({"story", "log", "US-002"});
}

TEST_F(StoryFiles, EveryPlaceAndEveryContainerIsRead) {
  for (const std::string path : {"prd.json", "data/prd.json", ".omc/prd.json", ".ralph/prd.json", "plans/todo.json"}) {
    for (const std::string list : {"stories", "userStories"}) {
      const StoryProject one;
      if (path == "plans/todo.json") one.write("pawl.toml", "[story]\nfile = \"./plans/todo.json\"\n");
      one.write(path, "{\"" + list + "\":[{\"id\":1,\"status\":\"pushed\"},{\"id\":\"b\",\"passes\":false}]}");
      EXPECT_EQ(one.json({"story", "list"}).size(), 2U) << path;
      EXPECT_EQ(one.json({"story", "show", "1"})["file"], path);
      one.must({"story", "activity", "1", "bot"});
      EXPECT_EQ(*one.read(path), "{\"" + list +
                                     "\":[{\"id\":1,\"status\":\"pushed\",\"lastActivityBy\":\"bot\"},"
                                     "{\"id\":\"b\",\"passes\":false}]}");
    }
  }
}

TEST_F(StoryFiles, OneIdInTwoListsIsToldApartByTheFile) {
  project.write("prd.json", R"({"stories":[{"id":"A","status":"pushed"}]})");
  project.write(".omc/prd.json", R"({"stories":[{"id":"A","status":"pushed"}]})");
  const Ran which = project.run({"story", "activity", "A", "bot"});
  EXPECT_EQ(which.exit, 2);
  EXPECT_TRUE(has(which.err, ".omc/prd.json") && has(which.err, "--file")) << which.err;
  project.must({"story", "activity", "A", "bot", "--file", ".omc/prd.json"});
  EXPECT_FALSE(has(project.prd(), "bot"));
}

TEST_F(StoryFiles, StoriesMissingFromARewrittenFileArePutBackWhereTheyWere) {
  project.stories(
      {StoryProject::story("A"), StoryProject::story("B"), StoryProject::story("C"), StoryProject::story("D")});
  const std::string before = project.prd();
  Json root = Json::parse(before);
  root["stories"] = Json::array({root["stories"][1]});
  root["stories"][0]["notes"] = "worked on it";
  project.write(kPrd, root.dump());  // an agent that rewrites the whole file
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "story/A, story/C, story/D are missing from prd.json; they were put back")) << seen.err;
  EXPECT_TRUE(has(seen.err, "pawl story drop ID")) << seen.err;
  const Json after = Json::parse(project.prd());
  ASSERT_EQ(after["stories"].size(), 4U);
  EXPECT_EQ(after["stories"][0]["id"], "A");
  EXPECT_EQ(after["stories"][1]["notes"], "worked on it");
  EXPECT_EQ(after["stories"][2]["id"], "C");
  EXPECT_EQ(after["stories"][3]["id"], "D");
  project.must({"story", "drop", "C", "--reason", "not wanted"});
  EXPECT_EQ(Json::parse(project.prd())["stories"].size(), 3U);
  EXPECT_EQ(look().err, "");
}

TEST_F(StoryFiles, CopiesInLinkedWorktreesAreNoLists) {
  project.start_git();
  project.stories({StoryProject::story("A", "pushed")});
  project.commit_all("stories");
  project.git({"worktree", "add", "-q", "../linked-of-story"});
  const std::string linked = project.path() + "/../linked-of-story";
  write_all(linked + "/prd.json", R"({"stories":[{"id":"A","status":"done"},{"id":"Z"}]})");
  RunOptions there = project.options();
  there.cwd = linked;
  const Ran listed = run_pawl({"story", "list", "--json"}, there);
  EXPECT_EQ(Json::parse(listed.out).size(), 1U) << listed.err;
  EXPECT_EQ(run_pawl({"story", "activity", "A", "bot"}, there).exit, 0);
  EXPECT_TRUE(has(*read_all(linked + "/prd.json"), "done"));
  EXPECT_TRUE(has(project.prd(), "\"lastActivityBy\": \"bot\""));
  std::filesystem::remove_all(linked);
}

TEST_F(StoryFiles, RemovedAndWrittenAgainItGoesOnFromWhereItWas) {
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  const std::string before = project.prd();
  std::filesystem::remove(project.file(kPrd));
  const Ran gone = look();
  EXPECT_TRUE(has(gone.err, "prd.json was removed outside pawl; story/A, story/B are set aside")) << gone.err;
  EXPECT_EQ(look().err, "");  // said once
  EXPECT_FALSE(project.exists(kPrd));
  EXPECT_EQ(project.run({"story", "move", "A", "committed"}).exit, 3);
  // Not a way around the gates.
  project.write(kPrd, replaced(before, "\"status\": \"pending\"", "\"status\": \"merged\""));
  EXPECT_TRUE(has(look().err, "was put back"));
  EXPECT_EQ(project.prd(), before);
  EXPECT_EQ(project.status("A"), "pending");
}

TEST_F(StoryFiles, TheNextProjectsFileIsAnotherList) {
  project.stories({StoryProject::story("US-1", "merged"), StoryProject::story("US-2", "merged")});
  const std::string first = project.prd();
  const std::string retitled =
      replaced(replaced(first, "Title of US-1", "Something else"), "Title of US-2", "Another thing");
  const std::string second = replaced(replaced(retitled, "\"merged\"", "\"pending\""), "Example", "Next");
  project.write(kPrd, second);
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "prd.json is another one's now")) << seen.err;
  EXPECT_EQ(project.status("US-1"), "pending");
  EXPECT_EQ(project.prd(), second);
  project.must({"undo"});
  EXPECT_EQ(project.status("US-1"), "merged");
  EXPECT_EQ(project.prd(), first);
}

TEST_F(StoryFiles, WhatTheNextProjectTookThePlaceOfComesBackToTheByte) {
  project.stories({StoryProject::story("US-1", "merged"), StoryProject::story("US-2", "merged")});
  const std::string first = project.prd();
  for (const char* id : {"US-", "X-"}) {  // the same ids, and others
    Json root = Json::parse(first);
    root["project"] = "Second";
    for (std::size_t i = 0; i < 2; ++i) {
      root["stories"][i]["id"] = id + std::to_string(i + 1);
      root["stories"][i]["title"] = "Something else " + std::to_string(i);
    }
    project.write(kPrd, root.dump());
    EXPECT_TRUE(has(look().err, "prd.json is another one's now"));
    project.must({"undo"});
    EXPECT_EQ(project.prd(), first);
    EXPECT_EQ(project.status("US-1"), "merged");
  }
}

TEST_F(StoryFiles, AStoryThatLostItsStatusGetsThatBackAndNotTheOtherDialects) {
  const std::string both =
      "{\"stories\": [\n {\"id\": \"A\", \"title\": \"a\", \"passes\": false},\n"
      " {\"id\": \"S\", \"title\": \"s\", \"status\": \"committed\"}\n]}\n";
  project.write(kPrd, both);
  project.must({"init"});
  project.edit_prd(", \"status\": \"committed\"", "");
  EXPECT_TRUE(has(look().err, "was put back"));
  EXPECT_EQ(project.prd(), both);
}

TEST_F(StoryFiles, AStoryThatLostItsPassesGetsThatBackAndNoStatus) {
  const std::string both =
      "{\"stories\": [\n {\"id\": \"A\", \"title\": \"a\", \"status\": \"pending\"},\n"
      " {\"id\": \"D\", \"title\": \"d\", \"passes\": true}\n]}\n";
  project.write(kPrd, both);
  project.must({"init"});
  project.edit_prd(", \"passes\": true", "");
  EXPECT_TRUE(has(look().err, "was put back"));
  EXPECT_EQ(project.prd(), both);
}

TEST_F(StoryFiles, WhatIsPutBackIsSpelledAsItWas) {
  const std::string first =
      R"( {"id": "A", "title": "caf\u00e9", "status": "pending", "n": {"w": [1e3, 1.0]}, "note": "a\/b"},)"
      "\n";
  const std::string second = R"( {"id": 7, "title": "seven \u00e9", "status": "pending", "priority": 1.0},)"
                             "\n";
  const std::string all = "{\"stories\": [\n" + first + second +
                          R"( {"id": "C", "title": "c", "status": "pending"})"
                          "\n]}\n";
  project.write(kPrd, all);
  project.must({"init"});
  project.edit_prd(first, "");
  EXPECT_TRUE(has(look().err, "put back"));
  EXPECT_EQ(project.prd(), all);
  project.edit_prd(first + second, "");
  EXPECT_TRUE(has(look().err, "put back"));
  EXPECT_EQ(project.prd(), all);
}

TEST_F(StoryFiles, BadStoriesAreHeldAndTheRestGoesOn) {
  project.write(kPrd, R"({"stories": [
  {"id": "A", "title": "first", "status": "pending", "priority": "2"},
  {"id": "A", "title": "the id again", "status": "merged"},
  {"title": "no id", "status": "pending"},
  {"id": "", "title": "an empty id"},
  {"id": "B", "title": "a word for a priority", "priority": "high"},
  {"id": "C", "title": ["not", "a text"], "acceptanceCriteria": "one text", "priority": -1},
  "not a story", null, 7
]}
)");
  const std::string before = project.prd();
  project.write("pawl.toml", "gates = \"require\"\n");
  const Ran adopted = project.run({"init"});
  EXPECT_EQ(adopted.exit, 0) << adopted.err;
  EXPECT_TRUE(has(adopted.out, "it has the id A again\n    # give it an id of its own")) << adopted.out;
  EXPECT_TRUE(has(adopted.out, "it has no id\n")) << adopted.out;
  const Ran doctor = project.run({"doctor"});
  EXPECT_TRUE(has(doctor.out + doctor.err, "it has the id A again") &&
              has(doctor.out + doctor.err, "give it an id of its own in prd.json"))
      << doctor.out << doctor.err;
  EXPECT_FALSE(has(doctor.out + doctor.err, "story fix 'A (again")) << doctor.out << doctor.err;
  EXPECT_EQ(project.prd(), before);
  EXPECT_EQ(project.next(), "C");
  project.must({"story", "pause", "C"});
  EXPECT_EQ(project.next(), "A");
  EXPECT_EQ(project.run({"story", "move", "A (again 2)", "committed"}).exit, 1);
  EXPECT_TRUE(
      has(project.run({"story", "fix", "A (again 2)", "pending", "--reason", "r"}).err, "give it one in its file"));
  EXPECT_EQ(project.prd(), before);
  // Mended in the file, it is a story like any other, and nothing is put back.
  project.edit_prd("{\"title\": \"no id\"", "{\"id\": \"N\", \"title\": \"no id\"");
  static_cast<void>(look());
  EXPECT_EQ(project.status("N"), "pending");
  EXPECT_EQ(Json::parse(project.prd())["stories"].size(), 9U);
  const Ran none = project.run({"story", "move", "B", "committed"});
  EXPECT_TRUE(has(none.err, "it has no acceptance criteria")) << none.err;
}

TEST_F(StoryFiles, AnIdThatStandsThereTwiceGetsOneThatNoOtherHas) {
  const std::string before =
      R"x({"stories": [
  {"id":"A","title":"one"},
  {"id":"A","title":"two"},
  {"id":"A#2","title":"three","status":"pending"},
  {"title":"four"},
  {"id":"A (again 2)","title":"five"}
]})x";
  project.write(kPrd, before);
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  EXPECT_EQ(project.prd(), before);
  EXPECT_EQ(project.json({"story", "list"}).size(), 5U);
  EXPECT_EQ(project.json({"story", "show", "A#2"})["title"], "three");
  EXPECT_EQ(project.json({"story", "show", "A (again 2)"})["title"], "two");
  EXPECT_EQ(project.json({"story", "show", "A (again 2) (again 1)"})["title"], "five");
  project.must({"story", "pause", "A#2", "--reason", "r"});
  project.must({"undo"});
  project.must({"story", "drop", "A#2", "--reason", "r"});
  project.must({"undo"});
  EXPECT_EQ(Json::parse(project.prd()), Json::parse(before));
  EXPECT_EQ(project.run({"story", "drop", "A", "--reason", "r"}).exit, 4) << "which of the two?";
  EXPECT_EQ(Json::parse(project.prd()), Json::parse(before));
}

TEST_F(StoryFiles, UndoingTheFirstLookTakesNothingAway) {
  project.write(kPrd, kAsWritten);
  project.must({"init"});
  const Ran undone = project.run({"undo"});
  EXPECT_EQ(undone.exit, 3) << undone.out;
  EXPECT_TRUE(has(undone.err, "only took over what stood in the files already")) << undone.err;
  EXPECT_EQ(project.prd(), kAsWritten);
}

TEST_F(StoryFiles, StoryThatComesBackIsSpelledAsItWas) {
  const std::string before = R"({"stories": [
  {"title": "one", "id": "A"},
  {"title": "two", "id": "B", "status": "pending"},
  {"title": "three", "id": "C"}
]})";
  project.write(kPrd, before);
  project.write("pawl.toml", "gates = \"require\"\n");
  project.must({"init"});
  project.must({"story", "drop", "A", "--reason", "r"});
  project.must({"undo"});
  EXPECT_EQ(project.prd(), before);
  // Also where it comes back later.
  project.must({"story", "drop", "B", "--reason", "r"});
  project.must({"story", "drop", "C", "--reason", "r"});
  const Json log = project.json({"log"});
  project.must({"story", "pause", "A"});
  project.must({"undo", std::to_string(log[0]["operation"].get<int>())});
  EXPECT_EQ(Json::parse(project.prd())["stories"].size(), 2U) << project.prd();
  EXPECT_FALSE(has(project.prd(), "status")) << project.prd();
  // And where another hand takes it out.
  Json root = Json::parse(project.prd());
  root["stories"].erase(0);
  project.write(kPrd, root.dump(2));
  static_cast<void>(look());
  EXPECT_EQ(Json::parse(project.prd())["stories"].size(), 2U) << project.prd();
  EXPECT_FALSE(has(project.prd(), "status")) << project.prd();
}

// What others wrote is not handed to somebody as a command to type.
TEST_F(StoryFiles, HintsQuoteWhatOthersWrote) {
  project.stories({StoryProject::story("A; rm -rf ."), StoryProject::story("--file=x")});
  const std::string quoted = project.run({"story", "reset", "A; rm -rf .", "--reason", "r"}).err;
  EXPECT_TRUE(has(quoted, "pawl story retry 'A; rm -rf .'")) << quoted;
  const std::string left_out = project.run({"story", "reset", "--reason", "r", "--", "--file=x"}).err;
  EXPECT_TRUE(has(left_out, "pawl story retry ID")) << left_out;
}

TEST_F(StoryFiles, DamageIsKeptAsideAndTheLastGoodListRestored) {
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  const std::string before = project.prd();
  for (const std::string& bad :
       {replaced(before, "\n  ]\n", ",\n  ]\n"), std::string(), std::string("{\"stories\": {}}"),
        before.substr(0, before.size() / 2), std::string("[]")}) {
    project.write(kPrd, bad);
    const Ran seen = look();
    EXPECT_EQ(seen.exit, 0);
    EXPECT_TRUE(has(seen.err, "prd.json")) << seen.err;
    EXPECT_EQ(project.prd(), before);
  }
  // Without an earlier state nothing is written over it.
  const StoryProject fresh;
  fresh.write(kPrd, "{\"stories\": [{\"id\": \"A\"},]}");
  EXPECT_TRUE(has(fresh.run({"story", "list"}).err, "line 1"));
  // Nor does it pass for a list without stories.
  for (const char* verb : {"list", "next"}) {
    const Ran seen = fresh.run({"story", verb});
    EXPECT_EQ(seen.exit, 5) << seen.out << seen.err;
    EXPECT_TRUE(has(seen.err, "line 1")) << seen.err;
  }
  EXPECT_EQ(fresh.prd(), "{\"stories\": [{\"id\": \"A\"},]}");
}

TEST_F(StoryFiles, ConflictMarkersAreSaidOnce) {
  project.start_git();
  project.stories({StoryProject::story("A")});
  project.must({"story", "pause", "A", "--reason", "later"});  // so that nothing is next
  project.commit_all("one");
  project.write(kPrd, cat("<<<<<<< HEAD\n", project.prd(), "=======\n>>>>>>> other\n"));
  const auto times = [](std::string_view text) {
    std::size_t count = 0;
    for (const std::string_view line : split(text, '\n')) count += line.starts_with("pawl: prd.json") ? 1U : 0U;
    return count;
  };
  project.must({"story", "show", "A"});
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"story", "next"}, {"story", "list"}, {"story", "add", "Z", "--title", "z"}}) {
    const Ran ran = project.run(verb);
    EXPECT_EQ(times(ran.err), 1U) << verb[1] << ": " << ran.err;
  }
}

TEST_F(StoryFiles, GitsFilesAreGits) {
  project.start_git();
  project.stories({StoryProject::story("A", "pushed")});
  project.commit_all("one");
  project.git({"checkout", "-q", "-b", "other"});
  project.must({"story", "activity", "A", "reviewer"});
  project.commit_all("two");
  project.git({"checkout", "-q", "-"});
  const Ran seen = look();
  EXPECT_TRUE(has(seen.err, "prd.json was changed by git")) << seen.err;
  EXPECT_FALSE(has(project.prd(), "reviewer"));
  project.must({"accept", "prd.json"});
  EXPECT_EQ(project.json({"story", "show", "A"}).contains("lastActivityBy"), false);
  const std::string good = project.prd();
  project.write(kPrd, "<<<<<<< ours\n" + good + "=======\n" + good + ">>>>>>> theirs\n");
  EXPECT_TRUE(has(look().err, "has conflict markers in it"));
  EXPECT_TRUE(has(project.prd(), "<<<<<<< ours"));
  const Ran accepted = project.run({"accept", "prd.json"});
  EXPECT_EQ(accepted.exit, 4) << accepted.out;
  EXPECT_TRUE(has(accepted.err, "resolve them")) << accepted.err;
  project.must({"restore", "prd.json"});
  EXPECT_EQ(project.prd(), good);
  EXPECT_EQ(look().err, "");
  // Resolved by hand it is taken under the rules for what a person accepts.
  project.write(kPrd, "<<<<<<< ours\n" + good + "=======\n" + good + ">>>>>>> theirs\n");
  static_cast<void>(look());
  project.write(kPrd, replaced(good, "Title of A", "Resolved"));
  project.must({"accept", "prd.json"});
  EXPECT_EQ(project.json({"story", "show", "A"})["title"], "Resolved");
  // One that pawl has never seen is not known to be anybody's.
  const StoryProject fresh;
  fresh.write(kPrd, "<<<<<<< ours\n" + good + "=======\n" + good + ">>>>>>> theirs\n");
  for (const char* verb : {"init", "status"}) {
    const Ran told = fresh.run({verb});
    EXPECT_EQ(told.exit, 0) << verb << told.err;
    EXPECT_TRUE(has(told.out + told.err, "conflict markers")) << told.out << told.err;
  }
  EXPECT_EQ(fresh.run({"story", "list"}).exit, 5);
}

// What an agent is about to write is stopped, and it is told the words.
TEST_F(StoryFiles, AnAgentsHookKnowsTheSixWords) {
  project.stories({StoryProject::story("A"), StoryProject::story("B")});
  const auto ask = [&](const std::string& from, const std::string& to) {
    RunOptions options;
    options.input =
        Json{{"hook_event_name", "PreToolUse"},
             {"session_id", "s"},
             {"tool_name", "Edit"},
             {"tool_input",
              {{"file_path", project.file(kPrd)}, {"old_string", from}, {"new_string", to}, {"replace_all", true}}}}
            .dump();
    return project.run({"hook", "claude"}, options).out;
  };
  const std::string denied = ask("\"pending\"", "\"done\"");
  EXPECT_TRUE(has(denied, "deny") && has(denied, "pending, committed, pushed, merged, skipped or invalid")) << denied;
  EXPECT_TRUE(has(ask("\"pending\"", "\"merged\""), "deny"));
  EXPECT_EQ(ask("As a user", "As a guest"), "");
}

TEST_F(StoryFiles, RecordedMoveByTheFileSaysWhatLacked) {
  project.stories({StoryProject::story("A")});
  project.record_gates();
  project.edit_prd("\"pending\"", "\"committed\"");
  const Ran seen = look();
  EXPECT_TRUE(
      has(seen.err, "story/A is committed now, unverified: nothing shows “criteria” (not shown yet: “Tests pass”)"))
      << seen.err;
  EXPECT_TRUE(has(project.out({"story", "log", "A", "--json"}), "not shown yet: “Tests pass”"));
  project.edit_prd("\"committed\"", "\"pushed\"");
  EXPECT_TRUE(has(look().err, "“published” (a file does not show that its branch is on the remote"));
}

TEST_F(StoryFiles, FiftyMegabytesAreReadAndMoreAreLeftAlone) {
  std::string large = "{\"stories\": [\n";
  const std::string text(10'000, 'x');
  for (int i = 0; large.size() < 50'000'000; ++i)
    large += std::string(i == 0 ? "" : ",\n") + "{\"id\": \"L-" + std::to_string(i) +
             "\", \"title\": \"t\", \"description\": \"" + text + "\", \"status\": \"pushed\"}";
  large += "\n]}\n";
  project.write(kPrd, large);
  project.must({"story", "activity", "L-4000", "reviewer"});
  EXPECT_EQ(project.next(), "L-4000");
  EXPECT_EQ(project.prd().size(), large.size() + std::string_view(", \"lastActivityBy\": \"reviewer\"").size());
  const StoryProject huge;
  huge.write(kPrd, "{\"stories\": [{\"id\": \"A\", \"title\": \"" + std::string(65 << 20, 'x') + "\"}]}");
  const Ran seen = huge.run({"story", "list"});
  EXPECT_TRUE(has(seen.err, "prd.json is larger than")) << seen.err.substr(0, 300);
}

}  // namespace
}  // namespace pawl::test

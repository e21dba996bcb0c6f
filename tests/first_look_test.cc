// The first day: `pawl doctor` and `pawl init` in a repository that is full of other tools' files. Through the real
// binary; doctor writes nothing at all, and init changes no file that it finds.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "base/columns.h"
#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"
#include "support/review_examples.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class FirstLook : public testing::Test {
 protected:
  FirstLook() {
    ws.write("prd.json", R"({"userStories": [{"id": "US-1", "title": "a", "passes": true}, {"id": "US-2", "title": "b",
      "passes": false}]})");
    ws.write(".omc/ralph-state.json",
             R"({"active": true, "started_at": "2026-01-27T00:00:00.000Z", "iteration": 6, "max_iterations": 20,
      "prompt": "make it so"})");
    ws.write(".worktrees/.status/4.json", R"({"issue": 4, "status": "complete", "session": "pi-issue-4"})");
  }
  // Every file and folder, with its bytes and its time.
  [[nodiscard]] std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ws.path()).parent_path())) {
      struct stat info {};
      EXPECT_EQ(::lstat(entry.path().c_str(), &info), 0);
      out[entry.path()] = cat(info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec, " ",
                              entry.is_regular_file() ? read_all(entry.path()).value_or("?") : "");
    }
    return out;
  }
  Ran doctor(int exit) {
    const auto before = tree();
    Ran ran = ws.run({"doctor"});
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    EXPECT_EQ(tree(), before) << "looking has changed something";
    return ran;
  }
  void expect_told(const Ran& ran, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
      EXPECT_TRUE(has(ran.out, part)) << "not told: " << part << "\n" << ran.out;
  }

  TempWorkspace ws;
};

TEST_F(FirstLook, AWholePromptIsNotToldOfAFile) {
  ws.write(".omc/ultrawork-state.json", cat(R"({"active": true, "started_at": "2026-01-27T00:00:00.000Z",
      "session_id": "s1", "original_prompt": ")",
                                            std::string(300, 'x'), "\"}"));
  for (const char* const verb : {"doctor", "init"}) {
    const std::string told = ws.run({verb}).out;
    EXPECT_TRUE(has(told, "xxx…") && !has(told, std::string(130, 'x'))) << told;
  }
}

TEST_F(FirstLook, DoctorTellsWhatIsHereAndWhatWouldBeDone) {
  const Ran ran = doctor(1);  // the loop is months old
  expect_told(ran, {"prd.json", "2 stories: 1 passed, 1 pending", ".omc/ralph-state.json", "iteration 6/20: make it so",
                    ".worktrees/.status/4.json", "1 issue: complete", "nobody has been in it for",
                    "-- AGENT  # goes on with it\n    pawl ralph cancel", "issue 4 has a status and no worktree",
                    "pawl init would take over 4 things from 3 files; no file is changed by it"});
}

TEST_F(FirstLook, AFileThatOnlyAddsToAnotherIsCountedWithIt) {
  const TempWorkspace review;
  review.write(".review-buddy/review-buddy-state.md", kSeed);
  review.write(".review-buddy/review-todo.md", "# Review Todo\n\n- [x] Chunk 1: types\n- [x] Chunk 2: helpers\n");
  const Ran ran = review.run({"doctor"});
  EXPECT_TRUE(has(ran.out, "pawl init would take over 7 things from 2 files")) << ran.out;
}

TEST_F(FirstLook, DoctorNamesFilesThatDisagree) {
  ws.write(".omc/state/ralph-state.json",
           R"({"active": false, "started_at": "2026-01-27T00:00:00.000Z", "iteration": 3, "max_iterations": 20})");
  ws.write(".omc/prd.json", ws.read("prd.json").value_or(""));
  const Ran ran = doctor(1);
  expect_told(ran, {".omc/ralph-state.json and .omc/state/ralph-state.json disagree", "active in the first",
                    "complete in the second", ".omc/prd.json and prd.json show the same"});
}

TEST_F(FirstLook, DoctorNamesWordsThatAreNoStatusAndFilesThatCanNotBeRead) {
  ws.write(".worktrees/.status/5.json", R"({"issue": 5, "status": "finished"})");
  ws.write(".worktrees/.status/6.json", "{\"iss");
  const Ran ran = doctor(1);
  expect_told(ran, {"“finished” is not a status of an issue: running, complete or error", "pawl issue set 5 STATUS",
                    "6.json: it cannot be read", "pawl takes nothing from it"});
}

TEST_F(FirstLook, DoctorNamesOtherLoopDrivers) {
  ws.write(".claude/settings.local.json",
           R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "node persistent-mode.mjs"}]}]}})");
  ws.write(".claude/ralph-loop.local.md", "---\nactive: true\niteration: 4\n---\ndo it\n");
  ws.write(".opencode/plugins/other.js", "export const x = 'session.idle'\n");
  ws.write(".opencode/plugins/harmless.js", "export const x = 1\n");
  const Ran ran = doctor(1);
  expect_told(ran, {"hooks of oh-my-claudecode, which drives loops",
                    "a loop of Anthropic's ralph-loop: active, iteration 4", ".opencode/plugins/other.js"});
  EXPECT_FALSE(has(ran.out, "harmless.js")) << ran.out;
}

TEST_F(FirstLook, AnothersLoopThatIsActiveForLongIsAProblem) {
  fs::remove(ws.file(".omc/ralph-state.json"));
  ws.write(".claude/ralph-loop.local.md",
           "---\nactive: true\niteration: 4\nstarted_at: \"2026-01-27T00:00:00Z\"\n---\ndo it\n");
  expect_told(doctor(1), {"begun ", " days ago", "that is active, and was begun more than a day ago"});
  ws.write(".claude/ralph-loop.local.md",
           "---\nactive: false\niteration: 4\nstarted_at: \"2026-01-27T00:00:00Z\"\n---\ndo it\n");
  doctor(0);
}

TEST_F(FirstLook, DoctorNamesAPluginThatAllProjectsOfTheUserHave) {
  fs::create_directories(ws.home() + "/.config/opencode");
  write_all(ws.home() + "/.config/opencode/opencode.jsonc", "{ // mine\n\"plugin\": [\"oh-my-opencode@latest\"]}\n");
  ws.write("opencode.json", R"({"theme": "oh-my-opencode", "plugin": []})");
  const Ran ran = doctor(1);
  expect_told(ran, {"~/.config/opencode/opencode.jsonc"});
  EXPECT_FALSE(has(ran.out, "\n  opencode.json")) << ran.out;
}

TEST_F(FirstLook, AFileThatIsMadeIsNotCalledChanged) {
  expect_told(ws.run({"init", "--agents"}), {"AGENTS.md: made"});
  expect_told(ws.run({"init", "--agents"}), {"AGENTS.md: as it should be already"});
  expect_told(ws.run({"init", "--agents", "--remove"}), {"AGENTS.md: removed"});
  ws.write("AGENTS.md", "mine\n");
  expect_told(ws.run({"init", "--agents"}), {"AGENTS.md: changed"});
}

TEST_F(FirstLook, AWordThatIsNoStatusIsQuotedOnce) {
  ws.write(".omc/ralph-state.json", R"({"active": "maybe", "iteration": 1, "prompt": "x", "session_id": "s"})");
  const Ran ran = ws.run({"init"});
  expect_told(ran, {"has the text “maybe” under “active”, which is true or false"});
  const std::string board = ws.run({"status"}).out;
  EXPECT_TRUE(has(board, "has the text “maybe” under “active”, which is true or false")) << board;
}

TEST_F(FirstLook, TwoDriversAtOnceAreAProblem) {
  ASSERT_EQ(ws.run({"init", "--claude"}).exit, 0);
  ws.write(".claude/settings.local.json",
           R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "node persistent-mode.mjs"}]}]}})");
  expect_told(ws.run({"doctor"}), {"oh-my-claudecode drives loops here, and so does pawl"});
}

TEST_F(FirstLook, DoctorKnowsTheFileThatAllProjectsShare) {
  fs::create_directories(ws.home() + "/.opencode");
  write_all(ws.home() + "/.opencode/ultrawork-state.json",
            R"({"active": true, "started_at": "2026-01-25T06:05:48.777Z", "original_prompt": "ultrawork"})");
  expect_told(doctor(1), {"~/.opencode/ultrawork-state.json", "1 ultrawork: active"});
  expect_told(ws.run({"init"}), {"~/.opencode/ultrawork-state.json", "1 ultrawork: active"});
}

TEST_F(FirstLook, ManyFilesOfAFolderAreOneLine) {
  for (int i = 10; i < 60; ++i)
    ws.write(cat(".worktrees/.status/", i, ".json"), cat(R"({"issue": )", i, R"(, "status": "running"})"));
  const Ran ran = doctor(1);
  expect_told(ran, {".worktrees/.status/ (51 files)", "51 issues: "});
  EXPECT_LT(split(ran.out, '\n').size(), 25U) << ran.out;
}

TEST_F(FirstLook, DoctorInAnEmptyRepositoryIsShort) {
  TempWorkspace empty;
  const Ran ran = empty.run({"doctor"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "find nothing to take over")) << ran.out;
  EXPECT_FALSE(empty.exists(".pawl"));
}

// --- init ---

TEST_F(FirstLook, InitTellsWhatItFoundAndChangesNoFile) {
  ws.write(".worktrees/.status/5.json", R"({"issue": 5, "status": "finished"})");
  ws.write(".worktrees/.status/6.json", "{\"iss");
  auto before = tree();
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  expect_told(ran, {"pawl now guards", "2 stories: 1 passed, 1 pending", "iteration 6/20: make it so",
                    "held: issue/5: it has “finished” for a status, which is none of running, complete or error",
                    "pawl issue set 5 STATUS", "left alone: .worktrees/.status/6.json", "pawl status",
                    "pawl init --all", "pawl issue run N -- AGENT"});
  for (const auto& [path, facts] : before) {
    if (!fs::is_regular_file(path)) continue;
    EXPECT_EQ(tree()[path], facts) << path << " was changed";
  }
  EXPECT_EQ(ws.run({"settings", "story.gates"}).exit, 0);
  EXPECT_TRUE(has(ran.out, "wrote gates = \"record\" into pawl.toml")) << ran.out;
  EXPECT_FALSE(has(ran.err, "finished")) << "said once: " << ran.err;

  before = tree();
  const Ran again = ws.run({"init"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "is guarded already")) << again.out;
  EXPECT_FALSE(has(again.out, "2 stories")) << again.out;
  const auto after = tree();
  for (const auto& [path, facts] : before) {
    if (!fs::is_regular_file(path)) continue;
    EXPECT_EQ(after.at(path), facts) << path;
  }
  EXPECT_EQ(before.size(), after.size());
}

// What is refused there is not recommended.
TEST_F(FirstLook, InitOutsideOfGitRecommendsNoRun) {
  fs::remove_all(ws.file(".git"));
  ws.write(".worktrees/.status/5.json", R"({"issue": 5, "status": "complete"})");
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  expect_told(ran, {"pawl status"});
  EXPECT_FALSE(has(ran.out, "pawl issue run")) << ran.out;
}

// Whatever stands where a status belongs: it is held, and stays as it is, byte for byte; also beside one that changes.
TEST_F(FirstLook, OddValuesStayAsTheyStandInTheFile) {
  for (const char* member : {"status", "passes"}) {
    for (const char* value :
         {"\"yes\"", "\"\"", "\"true\"", "\"a \\\"quote\\\"\"", "1", "null", "[1, 2]", "{\"a\": 1}"}) {
      TempWorkspace odd;
      const std::string file =
          cat("{\"project\": \"p\", \"stories\": [{\"id\": \"A\",\"title\": \"a\", \"", member, "\":  ", value,
              "},\n  {\"id\": \"B\", \"title\": \"b\", \"status\": \"pending\", \"x\": [ ]}]}");
      odd.write("prd.json", file);
      ASSERT_EQ(odd.run({"init", "--no-settings"}).exit, 0);
      EXPECT_EQ(odd.read("prd.json").value_or(""), file);
      ASSERT_EQ(odd.run({"status"}).exit, 0);
      EXPECT_EQ(odd.read("prd.json").value_or(""), file);
      ASSERT_EQ(odd.run({"story", "pause", "B"}).exit, 0);
      const std::string after = odd.read("prd.json").value_or("");
      EXPECT_TRUE(after.starts_with(file.substr(0, file.find("},")))) << after;
    }
  }
}

// A terminal breaks in the middle of a word; pawl does not.
TEST_F(FirstLook, OnATerminalLinesAreFoldedBetweenWords) {
  ws.write(".worktrees/.status/5.json", R"({"issue": 5, "status": "finished"})");
  for (const char* verb : {"doctor", "init"}) {
    for (const std::size_t width : {std::size_t{40}, std::size_t{80}}) {
      RunOptions options;
      options.out = RunOptions::Stdout::terminal;
      options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"};
      const Ran ran = run_program(
          "sh",
          {"-c", cat("cd '", ws.path(), "' && stty cols ", width, " <&1; '", PAWL_BINARY, "' ", verb, " >&1; exit 0")},
          options);
      for (std::string_view line : split(ran.out, '\n')) {
        while (line.ends_with('\r')) line.remove_suffix(1);
        const bool longer = line.find(' ', line.find_first_not_of(' ')) != std::string_view::npos &&
                            !line.starts_with("    pawl ") && !has(line, ws.path());
        if (longer) {
          EXPECT_LE(columns_of(line), width) << verb << ": " << line;
        }
      }
    }
  }
}

TEST_F(FirstLook, InitNamesIssueRunsOnlyWhereThereAreIssues) {
  TempWorkspace stories;
  stories.write("prd.json", R"({"userStories": [{"id": "US-1", "title": "a", "passes": false}]})");
  const Ran ran = stories.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "issue run")) << ran.out;
}

// After init the same files are no news: what is said is that they are kept in step, and what is wrong still is.
TEST_F(FirstLook, DoctorAfterInitSaysWhatIsInStep) {
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  const Ran ran = ws.run({"doctor"});
  EXPECT_EQ(ran.exit, 1) << "the loop is still months old";
  expect_told(ran, {"store: ", "3 files are in step", "nobody has been in it for", "something needs you, see above"});
  for (const std::string_view gone : {"not known yet", "pawl init", "would"})
    EXPECT_FALSE(has(ran.out, gone)) << gone << "\n" << ran.out;
  ASSERT_EQ(ws.run({"ralph", "cancel"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "remove", "4"}).exit, 0);
  const Ran well = ws.run({"doctor"});
  EXPECT_EQ(well.exit, 0) << well.out;
  EXPECT_TRUE(has(well.out, "all is well")) << well.out;
}

TEST_F(FirstLook, InitTakesTheStoryBotsSettingsAndExplainsThem) {
  ws.write("config.json",
           R"({"project": {"name": "p", "org": "octo", "prRepository": "octo/cat", "defaultBranch": "main",
    "targetRepoPath": "."}, "bot": {"username": "b", "claudeModel": "opus", "claudeBin": null}, "labels": {}})");
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  expect_told(ran, {"config.json", "trusted_org = \"octo\"", "pawl trust", "left: config.json: labels",
                    "left: config.json: project.name", "left: config.json: project.prRepository",
                    "left: config.json: bot.username"});
  for (const std::string_view taken : {"project.org", "project.targetRepoPath", "bot.claudeModel"})
    EXPECT_FALSE(has(ran.out, cat("config.json: ", taken))) << ran.out;
  const std::string toml = ws.read("pawl.toml").value_or("");
  EXPECT_TRUE(has(toml, "# what branches begin at and go into")) << toml;
  EXPECT_TRUE(has(toml, "base = \"main\"")) << toml;
  EXPECT_TRUE(has(toml, "command = [\"claude\", \"-p\", \"--model\", \"opus\"]")) << toml;
  EXPECT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_EQ(ws.read("pawl.toml"), toml);
}

TEST_F(FirstLook, DoctorLooksWhereTheRunnersSettingsSay) {
  ws.write(".pi-runner.yaml", "worktree:\n  base_dir: .wt\n");
  ws.write(".wt/.status/8.json", R"({"issue": 8, "status": "running"})");
  const Ran ran = doctor(1);
  expect_told(ran, {".wt/.status/8.json", ".pi-runner.yaml"});
  expect_told(ws.run({"init"}), {".wt/.status/8.json"});
  expect_told(ws.run({"doctor"}), {"in step"});
}

TEST_F(FirstLook, SomebodyElsesConfigIsNotTaken) {
  ws.write("config.json", R"({"port": 8080, "project": "x", "bot": 1})");
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "config.json")) << ran.out;
  EXPECT_FALSE(has(ws.read("pawl.toml").value_or(""), "config.json"));
}

TEST_F(FirstLook, AWrongValueInASettingsFileIsNamedAndNothingIsMade) {
  ws.write("config.json", R"({"project": {"prRepository": "octo/cat", "defaultBranch": 7}, "bot": {}})");
  const Ran ran = ws.run({"init"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(has(ran.err, "project.defaultBranch must be a text")) << ran.err;
  EXPECT_TRUE(has(ran.err, "--no-settings")) << ran.err;
  EXPECT_FALSE(ws.exists(".pawl"));
  EXPECT_EQ(ws.run({"init", "--no-settings"}).exit, 0);
}

TEST_F(FirstLook, GatesAndSettingsGoIntoOneFile) {
  ws.write("prd.json",
           R"({"stories": [{"id": "US-1", "title": "a", "status": "pending", "acceptanceCriteria": ["works"]}]})");
  ws.write("config.json",
           R"({"project": {"prRepository": "octo/cat", "defaultBranch": "trunk"}, "bot": {"claudeModel": ""}})");
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const std::string toml = ws.read("pawl.toml").value_or("");
  EXPECT_TRUE(has(toml, "base = \"trunk\"") && has(toml, "gates = \"record\"")) << toml;
  EXPECT_EQ(toml.find("[story]"), toml.rfind("[story]")) << toml;
  EXPECT_TRUE(has(ran.out, "wrote pawl.toml, from config.json")) << ran.out;
  EXPECT_EQ(ws.run({"status"}).exit, 0);
  // What it has by now is not told of each time.
  const std::string again = ws.run({"init"}).out;
  EXPECT_FALSE(has(again, "would give")) << again;
  ws.write("pawl.toml", "[story]\ngates = \"record\"\nbase = \"main\"\n");
  const std::string other = ws.run({"init"}).out;
  EXPECT_TRUE(has(other, "would give\n    [story]\n    base = \"trunk\"")) << other;
}

// What pawl itself would add for stories without commands is no other tool's setting.
TEST_F(FirstLook, GatesAreNotSaidToComeFromAnothersSettings) {
  ws.write("prd.json",
           R"({"stories": [{"id": "US-1", "title": "a", "status": "pending", "acceptanceCriteria": ["works"]}]})");
  ws.write("config.json",
           R"({"project": {"prRepository": "octo/cat", "defaultBranch": "trunk"}, "bot": {"claudeModel": ""}})");
  ws.write("pawl.toml", "[story]\nbase = \"trunk\"\n");
  const Ran ran = ws.run({"init"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "would give")) << ran.out;
  ws.write("pawl.toml", "[story]\nbase = \"main\"\n");
  const Json again = parse_json(ws.run({"init", "--json"}).out).value_or(Json());
  EXPECT_TRUE(has(string_or(again["settings"], "taken"), "base = \"trunk\"")) << again;
  EXPECT_FALSE(has(string_or(again["settings"], "taken"), "gates")) << again;
}

TEST_F(FirstLook, TheFolderItselfIsNoSettingAndOneThatIsNotThereIsSaid) {
  const auto config = [&](const std::string& path) {
    ws.write("config.json", cat(R"({"project": {"prRepository": "octo/cat", "targetRepoPath": ")", path,
                                R"("}, "bot": {"claudeModel": ""}})"));
  };
  config("./");
  EXPECT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_FALSE(has(ws.read("pawl.toml").value_or(""), "repo")) << ws.read("pawl.toml").value_or("");
  TempWorkspace other;
  other.write("config.json", R"({"project": {"prRepository": "octo/cat", "targetRepoPath": "../nowhere"}, "bot": {}})");
  other.write("prd.json",
              R"({"stories": [{"id": "US-1", "title": "a", "status": "pending", "acceptanceCriteria": ["works"]}]})");
  EXPECT_TRUE(has(other.run({"doctor"}).out, "it would write pawl.toml")) << other.run({"doctor"}).out;
  const Ran ran = other.run({"init"});
  EXPECT_TRUE(has(ran.out, "/nowhere, which story.repo names")) << ran.out;
}

TEST_F(FirstLook, WhereAHookCanNotBeEnteredNoSettingsAreWrittenEither) {
  ws.write("prd.json",
           R"({"stories": [{"id": "US-1", "title": "a", "status": "pending", "acceptanceCriteria": ["works"]}]})");
  ws.write("config.json",
           R"({"project": {"prRepository": "octo/cat", "defaultBranch": "trunk"}, "bot": {"claudeModel": ""}})");
  fs::create_directories(ws.file("AGENTS.md"));
  const auto before = tree();
  EXPECT_NE(ws.run({"init", "--agents"}).exit, 0);
  EXPECT_EQ(tree(), before);
  fs::remove(ws.file("AGENTS.md"));
  ASSERT_EQ(ws.run({"init", "--agents"}).exit, 0);
  const std::string toml = ws.read("pawl.toml").value_or("");
  EXPECT_TRUE(has(toml, "base = \"trunk\"") && has(toml, "gates = \"record\"")) << toml;
}

// Where pawl-world is not installed.
TEST_F(FirstLook, DoctorWithoutTheSecondProgramLooksInTheSameFolder) {
  ws.write(".pi-runner.yaml", "worktree:\n  base_dir: .worktrees\n");
  const std::string alone = ws.home() + "/alone";
  fs::create_directories(alone);
  fs::copy_file(PAWL_BINARY, alone + "/pawl");
  RunOptions options = ws.options();
  options.cwd = alone;
  expect_told(run_program(alone + "/pawl", {"-C", ws.path(), "doctor"}, options), {".worktrees/.status/4.json"});
}

// A folder for each of many sessions: no handle is kept of any.
TEST_F(FirstLook, HundredsOfSessionsNeedFewHandles) {
  for (int i = 0; i < 200; ++i)
    ws.write(
        cat(".omc/state/sessions/s", i, "/ralph-state.json"),
        cat(R"({"active": true, "iteration": 1, "max_iterations": 9, "prompt": "x", "session_id": "s)", i, R"("})"));
  for (const char* verb : {"status", "doctor", "init", "status"}) {
    const Ran ran = run_program(
        "sh", {"-c", cat("cd '", ws.path(), "' && ulimit -n 40 && '", PAWL_BINARY, "' ", verb, " 2>&1; exit 0")},
        ws.options());
    EXPECT_FALSE(has(ran.out, "too many open files")) << verb << ran.out;
    EXPECT_TRUE(has(ran.out, "ralph")) << ran.out;
  }
}

TEST(FirstFiles, ARunnersSettingsThatCanNotBeReadNameTheWayAroundThem) {
  TempWorkspace ws;
  ws.write(".pi-runner.yaml", std::string((std::size_t{1} << 20U) + 1, 'a'));
  ws.write("outside.yaml", "agent:\n  type: pi\n");
  const auto refused = [&](std::string_view why) {
    const Ran ran = ws.run({"init"});
    EXPECT_EQ(ran.exit, 5) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.err, why) && has(ran.err, "pawl init --no-settings")) << ran.err;
    EXPECT_FALSE(ws.exists(".pawl/pawl.db"));
  };
  refused("larger than 1 MiB");
  std::filesystem::remove(ws.file(".pi-runner.yaml"));
  std::filesystem::create_symlink(cat(ws.home(), "/elsewhere.yaml"), ws.file(".pi-runner.yaml"));
  write_all(cat(ws.home(), "/elsewhere.yaml"), "agent:\n  type: pi\n");
  refused("leads out of the workspace");
  // One that stays inside is followed.
  ws.write("conf/runner.yaml", "worktree:\n  base_dir: \".trees\"\n");
  std::filesystem::remove(ws.file(".pi-runner.yaml"));
  std::filesystem::create_symlink("conf/runner.yaml", ws.file(".pi-runner.yaml"));
  const Ran ran = ws.run({"init"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ws.read("pawl.toml").value_or(""), ".trees")) << ran.out;
}

TEST(FirstFiles, ARunnersSettingsAreLeftAloneOnlyWherePawlHasItsOwn) {
  TempWorkspace ws;
  ws.write(".pi-runner.yaml", "zzz: 1\n");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ASSERT_FALSE(ws.exists("pawl.toml"));
  EXPECT_FALSE(has(ws.run({"doctor"}).out, "pawl.toml counts here")) << ws.run({"doctor"}).out;
  ws.write("pawl.toml", "");
  EXPECT_TRUE(has(ws.run({"doctor"}).out, "pawl.toml counts here")) << ws.run({"doctor"}).out;
}

TEST(FirstFiles, EveryDamagedFileIsSaidAlsoWithoutAStore) {
  TempWorkspace ws;
  ws.write(".worktrees/.status/1.json", std::string_view("{\"a\0", 5));
  ws.write(".omc/ralph-state.json", std::string_view("{\"active\": tr\0", 14));
  ws.write("prd.json", "{\"stories\": [");
  const auto says_all = [&] {
    const Ran ran = ws.run({"status"});
    for (const char* const file : {".worktrees/.status/1.json", ".omc/ralph-state.json", "prd.json"})
      EXPECT_TRUE(has(ran.out, cat("! ", file))) << file << "\n" << ran.out << ran.err;
  };
  says_all();
  ASSERT_FALSE(ws.exists(".pawl/pawl.db"));
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  says_all();
}

// What another tool's settings name is trusted no more by a look than by `pawl init`.
TEST_F(FirstLook, AFolderOutsideThatAnothersSettingsNameIsNotLookedInto) {
  const std::string outside = cat(ws.home(), "/outside");
  std::filesystem::create_directories(cat(outside, "/.status"));
  write_all(cat(outside, "/.status/8.json"), R"({"issue": 8, "status": "running", "session": "not-ours"})");
  ws.write(".pi-runner.yaml", cat("worktree:\n  base_dir: ", outside, "\n"));
  const Ran ran = ws.run({"doctor"});
  EXPECT_FALSE(has(ran.out, "not-ours")) << ran.out;
  EXPECT_TRUE(has(ran.out, "is outside the workspace, and is not looked into (issue.base_dir, by another"))
      << ran.out << ran.err;
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_FALSE(has(ws.run({"issue", "list"}).out, "8")) << "and so it is";
}

// A command that is broken cannot be pasted.
TEST_F(FirstLook, CommandsStandOnLinesOfTheirOwn) {
  const std::string id = "a-story-with-an-id-that-is-as-long-as-a-sentence-and-still-an-id";
  ws.write("prd.json", cat(R"({"stories": [{"id": ")", id, R"(", "title": "a", "status": "wip"}]})"));
  RunOptions options;
  options.out = RunOptions::Stdout::terminal;
  options.env = {"TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1", "HOME=" + ws.home()};
  const auto shown = [&] {
    const std::string words = cat("cd '", ws.path(), "' && stty cols 80 <&1 && exec '", PAWL_BINARY, "' doctor");
    return run_program("sh", {"-c", words}, options).out;
  };
  const std::string command = cat("\n    pawl story fix ", id, " STATUS --reason R\r\n");
  EXPECT_TRUE(has(shown(), command)) << shown();
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  EXPECT_TRUE(has(shown(), command)) << shown();
}

TEST_F(FirstLook, AnIdInTwoListsIsTypedWithItsFile) {
  const auto list = [](std::string_view title) {
    return cat(R"({"stories": [{"id": "US-1", "title": ")", title, R"(", "status": "wip"}]})");
  };
  ws.write("pawl.toml", "[story]\nfile = \"plans/two.json\"\n");
  ws.write("prd.json", list("first"));
  ws.write("plans/two.json", list("second"));
  const std::string first = "pawl story fix US-1 --file prd.json STATUS --reason R";
  const std::string second = "pawl story fix US-1 --file plans/two.json STATUS --reason R";
  expect_told(ws.run({"doctor"}), {first, second});
  expect_told(ws.run({"init"}), {first, second});
  expect_told(ws.run({"doctor"}), {first, second});
  expect_told(ws.run({"status", "--all"}), {first, second});
  const Ran fixed = ws.run({"story", "fix", "US-1", "--file", "plans/two.json", "pending", "--reason", "R"});
  EXPECT_EQ(fixed.exit, 0) << fixed.err;
  expect_told(ws.run({"doctor"}), {first});
}

// Also where the other one is over, and on no board.
TEST_F(FirstLook, AnIdThatAnotherListHasDoneIsTypedWithItsFile) {
  ws.write("pawl.toml", "[story]\nfile = \"plans/two.json\"\n");
  ws.write("prd.json", R"({"stories": [{"id": "US-1", "title": "first", "status": "wip"}]})");
  ws.write("plans/two.json", R"({"stories": [{"id": "US-1", "title": "second", "status": "merged"}]})");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  expect_told(ws.run({"status"}), {"pawl story fix US-1 --file prd.json STATUS --reason R"});
  const Ran fixed = ws.run({"story", "fix", "US-1", "--file", "prd.json", "pending", "--reason", "R"});
  EXPECT_EQ(fixed.exit, 0) << fixed.err;
}

// A todo list that does not fit the state file is changed by nobody: it is told of until somebody settles it.
TEST(FirstLookAtAReview, FilesThatDisagreeAreNamedUntilThatIsSettled) {
  const ReviewProject project;
  project.start();
  fs::remove_all(project.file(".pawl"));
  project.edit_file(kTodoFile, "[ ] Chunk 3", "[x] Chunk 3");
  const std::string state = project.state_file(), todo = project.todo();
  const std::string said = cat(kTodoFile, " and ", kStateFile,
                               " disagree about chunk/octo/cat#7/3: reviewed in the first, pending in the second");
  const Ran before = project.run({"doctor"});
  EXPECT_TRUE(has(before.out, said) && !has(before.out, "all is well")) << before.out;
  project.must({"init"});
  EXPECT_EQ(project.state_file(), state);
  EXPECT_EQ(project.todo(), todo);
  const Ran after = project.run({"doctor"});
  EXPECT_TRUE(has(after.out, said) && !has(after.out, "all is well")) << after.out;
  const std::string restore = cat("pawl restore ", kTodoFile);
  EXPECT_TRUE(has(after.out, restore)) << after.out;
  project.must({"restore", std::string(kTodoFile)});
  EXPECT_TRUE(has(project.todo(), "[ ] Chunk 3")) << project.todo();
  const Ran settled = project.run({"doctor"});
  EXPECT_TRUE(has(settled.out, "all is well")) << settled.out;
}

// Run again it is a command like any other: what was edited meanwhile is taken over, and it says so.
TEST(FirstLookAtAReview, ASecondInitSaysWhatItTookOver) {
  const ReviewProject project;
  project.start();
  project.must({"review", "mark", "1", "in-progress"});
  project.edit_file(kTodoFile, "[ ] Chunk 1", "[x] Chunk 1");
  const Ran again = project.run({"init"});
  EXPECT_FALSE(has(again.out, "changed none of it") || has(again.out, "the next command")) << again.out;
  EXPECT_TRUE(has(again.out, cat("brought into step just now\n    ", kTodoFile, "\n"))) << again.out;
  EXPECT_TRUE(has(again.out, "    chunk/octo/cat#7/1: in-progress → reviewed    pawl undo ")) << again.out;
  EXPECT_TRUE(has(project.state_file(), "| 120 | reviewed |")) << project.state_file();
}

TEST_F(FirstLook, WhatIsToBeAddedIsNamedFromTheRoot) {
  fs::create_directories(ws.file("sub"));
  const Ran ran = ws.run({"-C", "sub", "init", "--claude"});
  EXPECT_TRUE(has(ran.out, "git add :/pawl.toml :/.claude/settings.json")) << ran.out << ran.err;
}

// Whoever is refused has begun nothing: `pawl init` finds all as it was, and tells it.
TEST_F(FirstLook, ARefusalBeforeInitMakesNoStore) {
  const auto before = tree();
  const Ran refused = ws.run({"story", "reset", "US-2", "--reason", "r"});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_TRUE(has(refused.err, "story US-2 is pending already")) << refused.err;
  EXPECT_EQ(tree(), before);
  const Ran made = ws.run({"init"});
  EXPECT_TRUE(has(made.out, "pawl now guards") && has(made.out, "gates = \"record\"")) << made.out;
  EXPECT_EQ(ws.run({"story", "reset", "US-2", "--reason", "r"}).exit, 1);
}

}  // namespace
}  // namespace pawl::test

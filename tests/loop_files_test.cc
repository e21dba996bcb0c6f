// The files of loops as other tools write them: kept byte for byte, in every place where they are met, whatever is in
// them.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

struct Sample {
  const char* noun;
  const char* status;
  const char* bytes;
};

// The shapes of files found in public repositories: most of the seed's members are missing, others are there.
constexpr std::array kSamples = {
    Sample{"ralph", "complete",
           "{\n  \"active\": false,\n  \"mode\": \"ralph\",\n  \"plan_path\": \".omc/plans/a.md\",\n"
           "  \"started_at\": \"2026-01-28T21:26:00Z\",\n  \"completed_at\": \"2026-01-28T21:35:00Z\",\n"
           "  \"current_phase\": \"complete\",\n  \"verdict\": \"APPROVED\"\n}\n"},
    Sample{"ralph", "complete",
           "{\n  \"active\": false,\n  \"iteration\": 6,\n  \"max_iterations\": 20,\n  \"current_phase\": 13,\n"
           "  \"started_at\": \"2026-01-27T00:00:00.000Z\",\n  \"completed_at\": \"2026-01-28T00:00:00.000Z\",\n"
           "  \"git\": {\n    \"done\": [1, 2, 3],\n    \"open\": [],\n    \"last\": \"58ac79b\"\n  }\n}\n"},
    Sample{"ralph", "cancelled",
           "{\n  \"active\": false,\n  \"started_at\": \"2026-02-12T08:57:37.594Z\",\n"
           "  \"original_prompt\": \"现在能否实现\",\n  \"reinforcement_count\": 0,\n  \"iteration\": 3,\n"
           "  \"cancelled_at\": \"2026-02-12T09:00:00.000Z\",\n  \"cancel_reason\": \"user-requested\"\n}"},
    Sample{
        "ralph", "active",
        "{ \"session_id\":\"s1\" ,\t\"started_at\":\"2026-02-12T08:57:37Z\", \"iteration\":1.0, \"_meta\":{\"a\":[ ]},"
        " \"active\":true }\r\n"},
    Sample{"ultrawork", "active",
           "{\n  \"active\": true,\n  \"started_at\": \"2026-03-14T07:22:00.961Z\",\n"
           "  \"original_prompt\": \"ulw o wamt\",\n  \"reinforcement_count\": 10,\n"
           "  \"last_checked_at\": \"2026-04-01T07:49:26.756Z\"\n}\n"},
    Sample{"ultrawork", "active",
           "{\n  \"active\": true,\n  \"started_at\": \"2026-01-25T06:05:48.777Z\",\n"
           "  \"original_prompt\": \"\\u0075ltrawork\",\n  \"reinforcement_count\": 10\n}"},
};

std::string file_of(const Sample& sample) { return std::string(".omc/") + sample.noun + "-state.json"; }

class LoopFiles : public testing::TestWithParam<Sample> {
 protected:
  Json shown(const std::string& noun) const {
    return parse_json(project.out({noun, "show", "--json"})).value_or(Json());
  }
  IssueProject project;
};

TEST_P(LoopFiles, IsReadAndKeptByteForByte) {
  project.write(file_of(GetParam()), GetParam().bytes);
  EXPECT_EQ(shown(GetParam().noun)["status"], GetParam().status);
  project.must({"init"});
  project.must({"status"});
  EXPECT_EQ(shown(GetParam().noun)["status"], GetParam().status);
  EXPECT_EQ(project.read(file_of(GetParam())), GetParam().bytes);
}

TEST_P(LoopFiles, ComesBackByteForByteAfterAChangeAndItsUndo) {
  const std::string noun = GetParam().noun;
  project.write(file_of(GetParam()), GetParam().bytes);
  const bool active = std::string_view(GetParam().status) == "active";
  std::vector<std::vector<std::string>> changes = {{noun, "clear"}};
  if (!active) changes.push_back({noun, "start", "--prompt", "another"});
  if (active && noun == "ralph") changes.insert(changes.end(), {{noun, "tick"}, {noun, "complete"}, {noun, "cancel"}});
  if (active && noun == "ultrawork") changes.push_back({noun, "check"});
  for (const auto& change : changes) {
    RunOptions options;
    if (has(GetParam().bytes, "\"s1\"")) options.env = {"PAWL_SESSION=s1"};
    EXPECT_EQ(project.run(change, options).exit, 0) << change[1];
    EXPECT_NE(project.read(file_of(GetParam())), GetParam().bytes) << change[1];
    project.must({"undo"});
    EXPECT_EQ(project.read(file_of(GetParam())), GetParam().bytes) << change[1];
    EXPECT_EQ(shown(noun)["status"], GetParam().status) << change[1];
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, LoopFiles, testing::ValuesIn(kSamples));

TEST(LoopFile, TickTouchesOnlyTheBytesOfWhatChanges) {
  const IssueProject project;
  const std::string before =
      "{ \"mine\":[1,2 ],\n\"active\":true, \"iteration\": 7 ,\"started_at\":\"2026-01-01T00:00:00Z\",\n"
      "\"last_activity_at\":\"THEN\", \"caf\\u00e9\":1.50}\n\n";
  project.write(".omc/ralph-state.json", before);
  project.must({"ralph", "tick"});
  const std::string after = project.read(".omc/ralph-state.json").value_or("");
  const std::string time = string_or(parse_json(after).value_or(Json()), "last_activity_at");
  EXPECT_EQ(after, replaced(replaced(before, "\"iteration\": 7", "\"iteration\": 8"), "THEN", time));
}

TEST(LoopFile, RemovedByHandIsACancelledLoopThatDoesNotComeBack) {
  const IssueProject project;
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string path = ".omc/ralph-state.json";
  const std::string before = project.read(path).value_or("");
  std::filesystem::remove(project.file(path));
  const Ran listed = project.run({"ralph", "list"});
  EXPECT_EQ(listed.out, "there is no loop here\n");
  EXPECT_NE(listed.err.find("is cancelled"), std::string::npos) << listed.err;
  EXPECT_FALSE(project.exists(path));
  EXPECT_NE(project.out({"log"}).find("cancelled"), std::string::npos);
  EXPECT_NE(project.run({"ralph", "tick", "--session", "s1"}).exit, 0);
  // Whoever still has it in memory and writes it again does not bring it back.
  project.write(path, before);
  EXPECT_EQ(project.out({"ralph", "list"}), "there is no loop here\n");
  EXPECT_FALSE(project.exists(path));
  project.must({"ralph", "start", "--prompt", "another", "--session", "s1"});
}

TEST(LoopFile, RemovedByHandComesBackWithUndo) {
  const IssueProject project;
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(".omc/ralph-state.json").value_or("");
  std::filesystem::remove(project.file(".omc/ralph-state.json"));
  project.must({"ralph", "list"});
  project.must({"undo"});
  EXPECT_EQ(project.read(".omc/ralph-state.json"), before);
  project.must({"ralph", "tick", "--session", "s1"});
}

TEST(LoopFile, InTheFolderOfAnotherToolForAllProjectsIsKeptInStep) {
  const IssueProject project;
  const std::string all = project.home() + "/omc";
  const std::string name = std::filesystem::path(project.path()).filename();
  RunOptions options;
  options.env = {"OMC_STATE_DIR=" + all};
  for (const std::string& folder : {name + "-0123456789abcdef", name}) {
    std::filesystem::remove_all(all);
    const std::string path = all + "/" + folder + "/state/ralph-state.json";
    std::filesystem::create_directories(all + "/" + folder + "/state");
    std::filesystem::create_directories(all + "/" + name + "-not-this-one");
    write_all(path, cat("{\"active\": true, \"iteration\": 1, \"session_id\": \"abc\", \"started_at\": \"2026-01-",
                        10 + folder.size() % 10, "\"}"));
    EXPECT_EQ(project.run({"ralph", "tick", "--session", "abc"}, options).exit, 0);
    EXPECT_EQ(parse_json(read_all(path).value_or(""))->at("iteration"), 2) << folder;
    EXPECT_EQ(project.run({"ralph", "clear", "--session", "abc"}, options).exit, 0);
  }
}

TEST(LoopFile, IsKeptInStepWhereItLives) {
  for (const std::string path : {".omc/state/ralph-state.json", ".omc/state/sessions/abc/ralph-state.json"}) {
    const IssueProject project;
    project.write(path,
                  "{\"active\": true, \"iteration\": 1, \"session_id\": \"abc\", \"started_at\": \"2026-01-01\"}");
    project.must({"ralph", "tick", "--session", "abc"});
    EXPECT_EQ(parse_json(project.read(path).value_or(""))->at("iteration"), 2) << path;
    EXPECT_FALSE(project.exists(".omc/ralph-state.json"));
    project.must({"ralph", "clear", "--session", "abc"});
    EXPECT_FALSE(project.exists(path));
    project.must({"undo"});
    EXPECT_TRUE(project.exists(path));
  }
  for (const std::string name : {"verification-state.json", "ralph-verification-state.json"}) {
    const IssueProject project;
    const std::string path = ".omc/" + name;
    project.write(path, "{\"pending\": true, \"architect_feedback\": null, \"architect_approved\": null}");
    project.must({"verify", "attempt", "--rejected", "--feedback", "no"});
    const Json state = *parse_json(project.read(path).value_or(""));
    EXPECT_EQ(state["architect_feedback"], "no") << path;
    EXPECT_EQ(state["architect_approved"], false) << path;
    EXPECT_FALSE(state.contains("oracle_feedback"));
    EXPECT_FALSE(project.exists(".omc/ralph-verification.json"));
  }
}

TEST(LoopFile, AnotherFolderOfTheProjectIsASetting) {
  const IssueProject project;
  const std::string elsewhere = project.home() + "/omc/project-1";
  fs::create_directories(elsewhere + "/state");
  write_all(elsewhere + "/state/ralph-state.json", "{\"active\": true, \"started_at\": \"2026-01-01T00:00:00Z\"}");
  RunOptions options;
  options.env = {"PAWL_LOOP_STATE_DIR=" + elsewhere};
  EXPECT_EQ(project.run({"ralph", "tick"}, options).exit, 0);
  EXPECT_NE(read_all(elsewhere + "/state/ralph-state.json")->find("\"iteration\": 1"), std::string::npos);
}

TEST(LoopFile, FoldersThatStandForManyAreWatchedAndAccepted) {
  const IssueProject project;
  const std::string path = ".omc/state/sessions/abc/ralph-state.json";
  project.write(path, "{\"active\": true, \"session_id\": \"abc\", \"started_at\": \"2026-01-01T00:00:00Z\"}");
  project.must({"ralph", "cancel"});
  project.must({"restore", path});
  fs::create_directories(project.file(".omc/state/sessions/.hidden"));
  project.write(".omc/state/sessions/.hidden/ralph-state.json", "{\"active\": true}");
  project.write(".omc/state/sessions/plain.json", "{}");
  EXPECT_EQ(parse_json(project.out({"ralph", "list", "--json"}))->size(), 1U);
}

TEST(LoopFile, AFileInTheWayOfAFolderStopsNothingElse) {
  const IssueProject project;
  project.write(".omc/state", "not a folder");
  EXPECT_EQ(project.run({"status"}).exit, 0);
  project.must({"ralph", "start", "--prompt", "p"});
  project.must({"ralph", "tick"});
  EXPECT_EQ(parse_json(project.out({"ralph", "list", "--json"}))->size(), 1U);
  const IssueProject other;
  other.write(".omc", "not a folder");
  EXPECT_EQ(other.run({"status"}).exit, 0);
  EXPECT_EQ(other.run({"ralph", "start", "--prompt", "p"}).exit, 5);
  EXPECT_EQ(other.read(".omc"), "not a folder");
}

TEST(LoopFile, LinkOutOfTheProjectIsNotFollowed) {
  const IssueProject project;
  fs::create_directories(project.home() + "/theirs");
  write_all(project.home() + "/theirs/ralph-state.json",
            "{\"active\": true, \"started_at\": \"2026-01-01T00:00:00Z\"}");
  fs::create_directories(project.file(".omc/state/sessions"));
  fs::create_directory_symlink(project.home() + "/theirs", project.file(".omc/state/sessions/abc"));
  EXPECT_EQ(parse_json(project.out({"ralph", "list", "--json"}))->size(), 0U);
}

TEST(LoopFile, WrongTypesAreKeptAndHeld) {
  const IssueProject project;
  const std::string bytes =
      "{\"active\": \"yes\", \"iteration\": \"three\", \"max_iterations\": null, \"started_at\": 17, \"session_id\": "
      "5}";
  project.write(".omc/ralph-state.json", bytes);
  const Ran list = project.run({"ralph", "list"});
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_NE(list.out.find("held"), std::string::npos) << list.out;
  EXPECT_NE(project.run({"ralph", "tick"}).exit, 0);
  EXPECT_EQ(project.read(".omc/ralph-state.json"), bytes);
  project.must({"ralph", "cancel"});
  EXPECT_EQ(parse_json(project.read(".omc/ralph-state.json").value_or(""))->at("iteration"), "three");
  EXPECT_EQ(parse_json(project.read(".omc/ralph-state.json").value_or(""))->at("active"), false);
}

TEST(LoopFile, DamagedOnesAreNeverLost) {
  for (const std::string bytes : {"", "[]", "{\"active\": tru", "\"active\"", "\xff\xfe", "{\"a\":1}{\"b\":2}"}) {
    const IssueProject project;
    project.write(".omc/ralph-state.json", bytes);
    const Ran shown = project.run({"ralph", "show"});
    EXPECT_EQ(shown.exit, 3) << shown.err;
    EXPECT_EQ(project.read(".omc/ralph-state.json"), bytes);
    project.must({"ralph", "start", "--prompt", "p"});
    EXPECT_EQ(project.read(project.only_kept("damaged")), bytes);
    const std::string good = project.read(".omc/ralph-state.json").value_or("");
    project.write(".omc/ralph-state.json", bytes + "\n{");
    project.must({"ralph", "show"});
    EXPECT_EQ(project.read(".omc/ralph-state.json"), good);
    EXPECT_EQ(project.kept("damaged").size(), 2U);
  }
}

TEST(LoopFile, OfADuplicateKeyTheLastCounts) {
  const IssueProject project;
  project.write(
      ".omc/ralph-state.json",
      "{\"active\": false, \"active\": true, \"iteration\": 1, \"iteration\": 4, \"started_at\": \"2026-01-01\"}");
  project.must({"ralph", "tick"});
  const std::string after = project.read(".omc/ralph-state.json").value_or("");
  EXPECT_NE(after.find("\"active\": false, \"active\": true, \"iteration\": 1, \"iteration\": 5"), std::string::npos)
      << after;
}

// A loop that was cleared stays out also when its file was edited before the removal had reached the disk.
TEST(LoopFile, EditedAfterAKilledClearDoesNotComeBack) {
  const IssueProject project;
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string before = project.read(".omc/ralph-state.json").value_or("");
  if (!project.killed_at(SYS_renameat2, {"ralph", "clear", "--session", "s1"})) GTEST_SKIP() << "no tracing here";
  project.write(".omc/ralph-state.json", replaced(before, "\"iteration\": 0", "\"iteration\": 1"));
  EXPECT_EQ(project.out({"ralph", "list"}), "there is no loop here\n");
  EXPECT_FALSE(project.exists(".omc/ralph-state.json"));
}

TEST(LoopFile, TerminalEscapesInItAreNotObeyed) {
  const IssueProject project;
  project.write(".omc/ralph-state.json",
                "{\"active\": true, \"prompt\": \"\\u001b]0;x\\u0007\", \"session_id\": \"\\u001b[31m\", "
                "\"current_story_id\": \"\\u001b[2J\", \"started_at\": \"\\u001b[1m\"}");
  for (const char* verb : {"show", "list", "cancel"}) {
    const Ran ran = project.run({"ralph", verb});
    EXPECT_EQ((ran.out + ran.err).find('\x1b'), std::string::npos) << verb;
  }
  EXPECT_EQ(project.run({"log"}).out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pawl::test

// `pawl issue …` as the people see it who have scripts around .worktrees/.status/: every verb, every move of the
// lifecycle, and the file byte for byte as their jq wrote it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile42 = ".worktrees/.status/42.json";
const std::array<std::string, 3> kWords = {"running", "complete", "error"};

Json json_of(const std::string& text) {
  const auto parsed = parse_json(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Json();
}

class Issue : public testing::Test {
 protected:
  // stdout of a command that has to succeed.
  std::string ok(const std::vector<std::string>& args, std::vector<std::string> env = {}) {
    RunOptions options;
    options.env = std::move(env);
    const Ran ran = ws.run(args, options);
    EXPECT_EQ(ran.exit, 0) << testing::PrintToString(args) << ran.err;
    return ran.out;
  }
  std::string file42() { return ws.read(kFile42).value_or("(no file)"); }
  std::string timestamp() { return string_or(json_of(file42()), "timestamp"); }

  TempWorkspace ws;
};

// The seed's build_json_with_jq, with the real jq.
std::string seeds_jq(const std::string& status, const std::string& session, const std::string& message,
                     const std::string& timestamp) {
  std::vector<std::string> args = {"-n",    "--argjson", "issue", "42",    "--arg",     "status", status,
                                   "--arg", "session",   session, "--arg", "timestamp", timestamp};
  std::string filter = "{issue: $issue, status: $status, session: $session, timestamp: $timestamp}";
  if (!message.empty()) {
    args.insert(args.end(), {"--arg", "error", message});
    filter = "{issue: $issue, status: $status, session: $session, error_message: $error, timestamp: $timestamp}";
  }
  args.push_back(filter);
  const Ran ran = run_program("jq", args);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return ran.out;
}

TEST_F(Issue, FileIsByteForByteWhatTheSeedsJqWrites) {
  const std::array<std::string, 8> messages = {
      "tests fail",     "テストが失敗しました",      "he said \"no\"", R"(C:\temp\new \u0041 \\)", "tab\there",
      "two\nlines\r\n", "emoji 🔴 and é / </script>", "  blanks  "};
  for (const std::string& status : kWords) {
    ok({"issue", "remove", "42"});
    ok({"issue", "set", "42", status});
    EXPECT_EQ(file42(), seeds_jq(status, "pi-issue-42", "", timestamp()));
  }
  for (const std::string& message : messages) {
    ok({"issue", "remove", "42"});
    ok({"issue", "set", "42", "error", "--session", "セッション \"1\"", "--message", message});
    EXPECT_EQ(file42(), seeds_jq("error", "セッション \"1\"", message, timestamp()));
  }
}

TEST_F(Issue, FileThatIsUpdatedIsStillWhatTheSeedsJqWrites) {
  ok({"issue", "set", "42", "running"});
  ok({"issue", "set", "42", "error", "--message", "失敗"});
  EXPECT_EQ(file42(), seeds_jq("error", "pi-issue-42", "失敗", timestamp()));
  ok({"issue", "set", "42", "running", "--session", "other"});
  EXPECT_EQ(file42(), seeds_jq("running", "other", "", timestamp()));
}

TEST_F(Issue, TimestampIsThePresentInUtcSeconds) {
  const std::string before = run_program("date", {"-u", "+%Y-%m-%dT%H:%M:%SZ"}).out.substr(0, 20);
  ok({"issue", "set", "42", "running"});
  const std::string after = run_program("date", {"-u", "+%Y-%m-%dT%H:%M:%SZ"}).out.substr(0, 20);
  EXPECT_LE(before, timestamp());
  EXPECT_GE(after, timestamp());
}

TEST_F(Issue, GetPrintsTheWordOrUnknown) {
  EXPECT_EQ(ok({"issue", "get", "42"}), "unknown\n");
  EXPECT_FALSE(ws.exists(".pawl")) << "a read made a store";
  for (const std::string& status : kWords) {
    ok({"issue", "set", "42", status, "--reason", "table"});
    EXPECT_EQ(ok({"issue", "get", "42"}), status + "\n");
  }
  EXPECT_EQ(ok({"issue", "get", "4"}), "unknown\n");
}

TEST_F(Issue, ShowPrintsTheSeedsLines) {
  ok({"issue", "set", "42", "complete"});
  EXPECT_EQ(ok({"issue", "show", "42"}),
            cat("Issue #42: complete\nSession: pi-issue-42\nTimestamp: ", timestamp(), "\n"));
  ok({"issue", "set", "42", "error", "--message", "テストが失敗しました", "--reason", "it was not"});
  EXPECT_EQ(ok({"issue", "show", "42"}),
            cat("Issue #42: error\nSession: pi-issue-42\nError: テストが失敗しました\nTimestamp: ", timestamp(), "\n"));
}

TEST_F(Issue, ShowStaysFourLinesWhateverTheMessageHolds) {
  ok({"issue", "set", "42", "error", "--message", "one\ntwo\nTimestamp: forged"});
  const std::string shown = ok({"issue", "show", "42"});
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 4) << shown;
}

TEST_F(Issue, ShowJsonIsTheFilesContent) {
  ok({"issue", "set", "42", "error", "--message", "a \"quote\" \\ 日本"});
  EXPECT_EQ(ok({"issue", "show", "42", "--json"}), file42());
}

TEST_F(Issue, ShowOfNoneExitsThree) {
  const Ran ran = ws.run({"issue", "show", "42"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("issue 42"), std::string::npos) << ran.err;
  ok({"issue", "set", "42", "running"});
  ok({"issue", "remove", "42"});
  EXPECT_EQ(ws.run({"issue", "show", "42"}).exit, 3);
}

TEST_F(Issue, ErrorPrintsTheMessageOrNothing) {
  EXPECT_EQ(ok({"issue", "error", "42"}), "");
  ok({"issue", "set", "42", "error", "--message", "two\nlines"});
  EXPECT_EQ(ok({"issue", "error", "42"}), "two\nlines\n");
  ok({"issue", "set", "42", "running"});
  EXPECT_EQ(ok({"issue", "error", "42"}), "");
}

TEST_F(Issue, ListIsByNumberAndByStatus) {
  EXPECT_EQ(ok({"issue", "list"}), "");
  for (const std::string number : {"10", "9", "100", "1"})
    ok({"issue", "set", number, number == "9" ? "error" : "running"});
  EXPECT_EQ(ok({"issue", "list"}), "1\trunning\n9\terror\n10\trunning\n100\trunning\n");
  EXPECT_EQ(ok({"issue", "list", "--status", "running"}), "1\trunning\n10\trunning\n100\trunning\n");
  EXPECT_EQ(ok({"issue", "list", "--status", "complete"}), "");
  const Ran wrong = ws.run({"issue", "list", "--status", "completed"});
  EXPECT_EQ(wrong.exit, 1);
  EXPECT_NE(wrong.err.find("did you mean complete?"), std::string::npos) << wrong.err;
}

TEST_F(Issue, ListLeavesOtherFilesAlone) {
  for (const std::string name : {"watcher.pid", "42.json.tmp.77", "tracker.jsonl", "output-42.log",
                                 "signal-complete-42", "abc.json", "42.lock/x"}) {
    ws.write(".worktrees/.status/" + name, "{\"status\": \"running\"}");
  }
  ok({"issue", "set", "7", "running"});
  EXPECT_EQ(ok({"issue", "list"}), "7\trunning\n");
  EXPECT_EQ(ws.read(".worktrees/.status/abc.json"), "{\"status\": \"running\"}");
  EXPECT_EQ(ok({"issue", "orphans"}), "7\n");
}

TEST_F(Issue, RemoveTakesTheFileAndIsNoErrorTwice) {
  ok({"issue", "set", "42", "running"});
  ok({"issue", "set", "4", "running"});
  ok({"issue", "remove", "42"});
  EXPECT_FALSE(ws.exists(kFile42));
  EXPECT_EQ(ok({"issue", "list"}), "4\trunning\n");
  ok({"issue", "remove", "42"});
  ok({"undo"});
  EXPECT_EQ(ok({"issue", "get", "42"}), "running\n");
  EXPECT_TRUE(ws.exists(kFile42));
}

TEST_F(Issue, OrphansNeverTakesFourForFortyTwo) {
  for (const std::string number : {"4", "42", "43", "44", "45"}) ok({"issue", "set", number, "running"});
  fs::create_directories(ws.file(".worktrees/issue-42-x"));
  fs::create_directories(ws.file(".worktrees/issue-43"));
  fs::create_directories(ws.file(".worktrees/issue-445"));
  ws.write(".worktrees/issue-45-file", "not a folder");
  EXPECT_EQ(ok({"issue", "orphans"}), "4\n44\n45\n");
  fs::create_directories(ws.file(".worktrees/issue-4"));
  EXPECT_EQ(ok({"issue", "orphans"}), "44\n45\n");
}

// Every state and every word, without a reason and with one.
TEST_F(Issue, EveryMoveIsAllowedOrRefusedAsTheTableSays) {
  for (const std::string state : {"absent", "running", "complete", "error"}) {
    for (const std::string& word : kWords) {
      for (const bool reason : {false, true}) {
        SCOPED_TRACE(cat(state, " → ", word, reason ? " with a reason" : ""));
        ok({"issue", "remove", "42"});
        if (state != "absent") ok({"issue", "set", "42", state, "--session", "before"});
        const bool correction = (state == "complete" && word == "error") || (state == "error" && word == "complete");
        std::vector<std::string> args = {"issue", "set", "42", word, "--session", "after"};
        if (reason) args.insert(args.end(), {"--reason", "because"});
        const std::string file_before = file42();
        const Ran ran = ws.run(args);
        EXPECT_EQ(ran.exit, correction && !reason ? 1 : 0) << ran.err;
        EXPECT_EQ(ok({"issue", "get", "42"}), (ran.exit == 0 ? word : state) + "\n");
        if (ran.exit != 0) {
          EXPECT_NE(ran.err.find("--reason"), std::string::npos) << ran.err;
          EXPECT_EQ(file42(), file_before);
        } else {
          EXPECT_EQ(string_or(json_of(file42()), "session"), "after");
        }
      }
    }
  }
}

TEST_F(Issue, SameStatusRefreshesSessionMessageAndTime) {
  ws.write(
      kFile42,
      R"({"issue": 42, "status": "error", "session": "old", "error_message": "old", "timestamp": "2020-01-01T00:00:00Z"})");
  ok({"issue", "set", "42", "error", "--session", "new", "--message", "newer"});
  const Json now = json_of(file42());
  EXPECT_EQ(string_or(now, "session"), "new");
  EXPECT_EQ(string_or(now, "error_message"), "newer");
  EXPECT_GT(string_or(now, "timestamp"), "2020-01-01T00:00:00Z");
  ok({"issue", "set", "42", "error"});
  EXPECT_EQ(string_or(json_of(file42()), "session"), "new") << "a session that nobody changed is kept";
}

TEST_F(Issue, EmptyMessageIsLeftOutAndAnOldOneGoesWhenItRunsAgain) {
  ok({"issue", "set", "42", "error", "--message", ""});
  EXPECT_FALSE(json_of(file42()).contains("error_message"));
  ok({"issue", "set", "42", "error", "--message", "x"});
  EXPECT_TRUE(json_of(file42()).contains("error_message"));
  ok({"issue", "set", "42", "running"});
  EXPECT_FALSE(json_of(file42()).contains("error_message")) << file42();
}

TEST_F(Issue, UnknownKeysAndTheirPlaceAreKept) {
  ws.write(kFile42,
           "{\n    \"session_label\": \"ラベル\",\n    \"status\": \"running\",\n    \"issue\": 42,\n    \"session\": "
           "\"s\",\n    \"timestamp\": \"2020-01-01T00:00:00Z\",\n    \"pid\": 12345678901234567890\n}");
  ok({"issue", "set", "42", "complete"});
  const std::string after = file42();
  EXPECT_TRUE(
      after.starts_with("{\n    \"session_label\": \"ラベル\",\n    \"status\": \"complete\",\n    \"issue\": 42,\n"))
      << after;
  EXPECT_NE(after.find("\"pid\": 12345678901234567890"), std::string::npos) << after;
  EXPECT_FALSE(after.ends_with('\n')) << "the style of the file is kept";
}

TEST_F(Issue, FilesOfOtherToolsReadUnknownWhereTheyHaveNoStatus) {
  ws.write(".worktrees/.status/1.json", R"({"issue": 1})");
  ws.write(".worktrees/.status/2.json", R"({"issue": 2, "status": null})");
  ws.write(".worktrees/.status/3.json", "{half");
  ws.write(".worktrees/.status/4.json", R"({"issue": 4, "status": "done"})");
  for (const std::string number : {"1", "2", "3", "4"}) EXPECT_EQ(ok({"issue", "get", number}), "unknown\n") << number;
  ok({"init"});
  for (const std::string number : {"1", "2", "3", "4"}) EXPECT_EQ(ok({"issue", "get", number}), "unknown\n") << number;
  EXPECT_EQ(ws.read(".worktrees/.status/4.json"), R"({"issue": 4, "status": "done"})");
}

TEST_F(Issue, SessionFollowsThePrefix) {
  const auto session_with = [&](const std::string& number, const std::string& prefix) {
    ok({"issue", "set", number, "running"}, {"PAWL_ISSUE_SESSION_PREFIX=" + prefix});
    return string_or(json_of(ws.read(cat(".worktrees/.status/", number, ".json")).value_or("")), "session");
  };
  EXPECT_EQ(session_with("1", "bot"), "bot-issue-1");
  EXPECT_EQ(session_with("2", "my-issue"), "my-issue-2");
  EXPECT_EQ(session_with("3", ""), "pi-issue-3");
  ws.write("pawl.toml", "[issue]\nsession_prefix = \"team\"\n");
  ok({"issue", "set", "4", "running"});
  EXPECT_EQ(string_or(json_of(ws.read(".worktrees/.status/4.json").value_or("")), "session"), "team-issue-4");
}

TEST_F(Issue, WordThatIsNoStatusIsRefusedBeforeAnythingIsMade) {
  const Ran ran = ws.run({"issue", "set", "42", "completed"});
  EXPECT_EQ(ran.exit, 1);
  for (const std::string& word : kWords) EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean complete?"), std::string::npos) << ran.err;
  EXPECT_FALSE(ws.exists(".pawl"));
  EXPECT_FALSE(ws.exists(".worktrees"));
}

TEST_F(Issue, BaseFolderComesFromTheSettings) {
  ws.write("pawl.toml", "[issue]\nbase_dir = \"work/trees\"\n");
  ok({"issue", "set", "42", "running"});
  EXPECT_TRUE(ws.exists("work/trees/.status/42.json"));
  EXPECT_FALSE(ws.exists(".worktrees"));
  fs::create_directories(ws.file("work/trees/issue-42-x"));
  EXPECT_EQ(ok({"issue", "orphans"}), "");
  // The environment wins; statuses of another folder are others.
  const std::vector<std::string> other = {"PAWL_ISSUE_BASE_DIR=./elsewhere/"};
  EXPECT_EQ(ok({"issue", "get", "42"}, other), "unknown\n");
  ok({"issue", "set", "42", "error"}, other);
  EXPECT_TRUE(ws.exists("elsewhere/.status/42.json"));
  EXPECT_EQ(ok({"issue", "get", "42"}), "running\n");
}

// A script that says $(pwd)/.worktrees means the same folder, and the same issues.
TEST_F(Issue, AbsoluteBaseFolderInsideIsTheSameFolder) {
  ok({"issue", "set", "42", "running"});
  for (const std::string& folder : {ws.file(".worktrees"), ws.file(".worktrees/"), ws.file("./x/../.worktrees")}) {
    EXPECT_EQ(ok({"issue", "get", "42"}, {"PAWL_ISSUE_BASE_DIR=" + folder}), "running\n") << folder;
  }
  const std::string link = ws.home() + "/link";
  fs::create_directory_symlink(ws.path(), link);
  EXPECT_EQ(ok({"issue", "get", "42"}, {cat("PAWL_ISSUE_BASE_DIR=", link, "/.worktrees")}), "running\n");
  ok({"issue", "set", "42", "complete"}, {cat("PAWL_ISSUE_BASE_DIR=", link, "/.worktrees")});
  EXPECT_EQ(ok({"issue", "get", "42"}), "complete\n");
  EXPECT_EQ(ok({"log", "--json"}).find("\"outside\""), std::string::npos) << "one folder was taken for two";
}

TEST_F(Issue, BaseFolderMayBeTheWorkspaceItself) {
  ok({"issue", "set", "42", "running"}, {"PAWL_ISSUE_BASE_DIR=."});
  EXPECT_TRUE(ws.exists(".status/42.json"));
  EXPECT_EQ(ok({"issue", "list"}, {"PAWL_ISSUE_BASE_DIR=" + ws.path()}), "42\trunning\n");
  EXPECT_EQ(ok({"doctor"}, {"PAWL_ISSUE_BASE_DIR=."}).find("problem"), std::string::npos);
}

TEST_F(Issue, BaseFolderOutsideIsUsedOnlyWhereItIsTrusted) {
  const std::string outside = ws.home() + "/trees";
  ws.write("pawl.toml", cat("[issue]\nbase_dir = \"", outside, "\"\n"));
  const Ran refused = ws.run({"issue", "set", "42", "running"});
  EXPECT_EQ(refused.exit, 1) << "a fresh clone's pawl.toml must not choose where pawl writes";
  EXPECT_FALSE(fs::exists(outside));
  ok({"trust"});
  ok({"issue", "set", "42", "running"});
  EXPECT_TRUE(fs::exists(outside + "/.status/42.json"));
  EXPECT_EQ(ok({"issue", "list"}), "42\trunning\n");
}

TEST_F(Issue, BaseFolderOutsideFromTheEnvironmentIsTheUsersOwnWord) {
  const std::string outside = ws.home() + "/trees";
  ok({"issue", "set", "42", "running"}, {"PAWL_ISSUE_BASE_DIR=" + outside});
  EXPECT_TRUE(fs::exists(outside + "/.status/42.json"));
  EXPECT_EQ(ok({"issue", "get", "42"}, {"PAWL_ISSUE_BASE_DIR=" + outside}), "running\n");
}

}  // namespace
}  // namespace pawl::test

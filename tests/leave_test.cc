// After `pawl leave` the other tools work as before: the status functions of the runner whose files pawl guarded, as
// their document has them, run by bash on what is left.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "store/sqlite/sqlite_store.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

// As another tool would source them; without jq where `path` has none.
Ran other_tool(const TempWorkspace& ws, std::string_view script, const std::string& path = {}) {
  const std::string functions = read_all(cat(PAWL_SOURCE_DIR, "/tests/other_tools/issue_status.sh")).value_or("false");
  const std::string only = path.empty() ? std::string() : cat("PATH='", path, "'\n");
  return run_program("bash", {"-c", cat(only, functions, script)}, ws.options());
}

TEST(Leave, TheRunnersOwnFunctionsGoOnWithWhatIsLeft) {
  TempWorkspace ws;
  ws.write(".worktrees/issue-42-feature/README", "work\n");
  ASSERT_EQ(ws.run({"init", "--claude", "--agents"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "43", "error", "--message", "テスト \"失敗\""}).exit, 0);
  const Ran left = ws.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  EXPECT_FALSE(ws.exists(".claude/settings.json"));
  EXPECT_FALSE(ws.exists("AGENTS.md"));
  const std::string log = ws.read("pawl-left/log.jsonl").value_or("");
  for (const std::string_view line : split(log, '\n')) {
    if (line.empty()) continue;
    EXPECT_TRUE(parse_json(line)) << line;
  }

  const auto bash = [&](std::string_view script) {
    const Ran ran = other_tool(ws, script);
    EXPECT_EQ(ran.exit, 0) << script << "\n" << ran.err;
    return ran.out;
  };
  EXPECT_EQ(bash("get_status 42; get_status 43; get_status 99; get_error_message 43"),
            "running\nerror\nunknown\nテスト \"失敗\"\n");
  EXPECT_EQ(bash("list_issues_by_status error; find_orphaned_statuses; list_all_statuses"),
            "43\n43\n42\trunning\n43\terror\n");
  EXPECT_EQ(bash("save_status 42 complete pi-issue-42; save_status 44 running pi-issue-44; remove_status 43;"
                 "get_status 42; list_issues_by_status running"),
            "complete\n44\n");
  // And who comes back finds what was done meanwhile.
  const Ran back = ws.run({"issue", "list"});
  EXPECT_EQ(back.exit, 0);
  EXPECT_TRUE(has(back.out, "42") && has(back.out, "complete") && has(back.out, "44")) << back.out << back.err;
  EXPECT_FALSE(has(back.out, "43")) << back.out;
}

// Their other half, for machines without jq: it reads and writes lines of text, so every byte that pawl left counts.
TEST(Leave, AlsoTheFunctionsThatDoWithoutJq) {
  TempWorkspace ws;
  const std::string path = ws.file("tools");
  for (const char* tool : {"date", "mkdir", "cat", "rm", "basename", "sed", "awk"}) {
    const Ran found = run_program("sh", {"-c", cat("command -v ", tool)});
    ASSERT_EQ(found.exit, 0) << tool;
    std::filesystem::create_directories(path);
    std::filesystem::create_symlink(trim(found.out), cat(path, "/", tool));
  }
  ws.write(".worktrees/issue-42-feature/README", "work\n");
  const std::string before = other_tool(ws, "set_status 42 running; set_status 44 running; load_status 42", path).out;
  ASSERT_TRUE(has(before, "\"session\": \"pi-issue-42\"")) << before;
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "44", "error", "--message", "a \\ and a \"quote\""}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  EXPECT_EQ(other_tool(ws, "load_status 42", path).out, before);
  EXPECT_EQ(other_tool(ws, "get_status 42; get_status 44; get_error_message 44", path).out,
            "running\nerror\na \\\\ and a \\\"quote\\\"\n");
  const Ran cleaned = other_tool(ws, "find_orphaned_statuses; cleanup_issue 42; list_all_statuses", path);
  EXPECT_EQ(cleaned.out, "44\nCleaned up issue #42\n44\terror\n") << cleaned.err;
  EXPECT_FALSE(ws.exists(".worktrees/issue-42-feature"));
}

TEST(Leave, DryRunNamesEveryHookAndTouchesNone) {
  TempWorkspace ws;
  ws.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
  ASSERT_EQ(ws.run({"init", "--all"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  const auto files = [&] {
    std::string all;
    for (const char* file : {".claude/settings.json", ".opencode/plugins/pawl.js", "AGENTS.md"})
      all += cat(file, "\n", ws.read(file).value_or("(none)\n"));
    return all;
  };
  const std::string before = files();
  const Ran would = ws.run({"leave", "--dry-run"});
  EXPECT_EQ(would.exit, 0) << would.err;
  for (const char* file : {".claude/settings.json", "AGENTS.md"})
    EXPECT_TRUE(has(would.out, cat("take pawl's part out of ", file))) << would.out;
  EXPECT_TRUE(has(would.out, "issue/42 says running, and pawl knows of nobody at work on it")) << would.out;
  EXPECT_FALSE(has(would.out, "goes on") || has(would.out, "watcher")) << would.out;
  EXPECT_EQ(files(), before);
  EXPECT_FALSE(ws.exists("pawl-left"));
  // And does what it said.
  const Ran left = ws.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "taken out of .claude/settings.json")) << left.out;
  EXPECT_TRUE(has(ws.read(".claude/settings.json").value_or(""), "opus"));
  EXPECT_FALSE(has(files(), "pawl hook"));
}

TEST(Leave, DryRunNamesTheFolderThatIsWritten) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ws.write("pawl-left/mine", "kept\n");
  const Ran would = ws.run({"leave", "--dry-run"});
  EXPECT_TRUE(has(would.out, "pawl-left-2/log.jsonl")) << would.out;
  EXPECT_FALSE(ws.exists("pawl-left-2"));
  EXPECT_TRUE(has(ws.run({"leave"}).out, "pawl-left-2/log.jsonl"));
  EXPECT_TRUE(ws.exists("pawl-left-2/log.jsonl"));
}

TEST(Leave, AFileThatIsCalledLikeItsFolderDoesNotStopIt) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ws.write("pawl-left", "mine\n");
  std::filesystem::create_symlink("nowhere", ws.file("pawl-left-2"));
  EXPECT_TRUE(has(ws.run({"leave", "--dry-run"}).out, "pawl-left-3/log.jsonl"));
  const Ran left = ws.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(ws.exists("pawl-left-3/log.jsonl")) << left.out;
  EXPECT_EQ(ws.read("pawl-left"), "mine\n");
}

TEST(Leave, ASectionBehindALinkStaysAndIsSaid) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"init", "--agents"}).exit, 0);
  const std::string page = ws.read("AGENTS.md").value_or("");
  const std::string elsewhere = ws.home() + "/AGENTS.md";
  std::filesystem::rename(ws.file("AGENTS.md"), elsewhere);
  std::filesystem::create_symlink(elsewhere, ws.file("AGENTS.md"));
  std::filesystem::create_symlink("AGENTS.md", ws.file("CLAUDE.md"));
  const std::string said =
      cat("AGENTS.md: a link to ", elsewhere, ", which is not touched: pawl's section stays in it");
  EXPECT_TRUE(has(ws.run({"leave", "--dry-run"}).out, said));
  const Ran left = ws.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, said)) << left.out;
  EXPECT_EQ(read_all(elsewhere), page);
}

TEST(Leave, ALinkToNothingOfPawlsIsNotSpokenOf) {
  TempWorkspace ws;
  write_all(ws.home() + "/AGENTS.md", "mine\n");
  std::filesystem::create_symlink(ws.home() + "/AGENTS.md", ws.file("AGENTS.md"));
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  EXPECT_FALSE(has(ws.run({"leave"}).out, "AGENTS.md"));
}

// Its hook goes, and with it what kept it going.
TEST(Leave, ALoopThatHooksHoldIsNamed) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"init", "--claude"}).exit, 0);
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "go on", "--session", "s1"}).exit, 0);
  ASSERT_EQ(ws.run({"ultrawork", "start", "--prompt", "no hook holds it", "--session", "s1"}).exit, 0);
  const Ran would = ws.run({"leave", "--dry-run"});
  const std::size_t at = would.out.find("What is under way:\n  ralph/");
  EXPECT_NE(at, std::string::npos) << would.out;
  EXPECT_TRUE(has(would.out, "nothing keeps it going")) << would.out;
  EXPECT_FALSE(has(would.out, "ultrawork/")) << would.out;
  EXPECT_TRUE(has(ws.run({"leave"}).out, "nothing keeps it going"));
}

TEST(Leave, WhatWasPrintedIsCopiedOut) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  const std::string store = string_or(*parse_json(ws.run({"leave", "--dry-run", "--json"}).out), "store");
  std::filesystem::create_directories(store + "/runs/42-abc");
  std::filesystem::create_directories(store + "/logs");
  write_all(store + "/runs/42.lock", "");
  write_all(store + "/runs/42-abc/output.0", "first\n");
  write_all(store + "/runs/42-abc/output.1", "second\n");
  write_all(store + "/runs/42-abc/said.json", "{}");
  write_all(store + "/logs/ralph-s1.log", "a line\n");
  const Ran left = ws.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "pawl-left/runs/: 2 files with what the sessions of issues printed")) << left.out;
  EXPECT_TRUE(has(left.out, "pawl-left/logs/: 1 file with what agents and checks printed; git add passes over them"))
      << left.out;
  std::filesystem::remove_all(store);  // as it says one may
  EXPECT_EQ(ws.read("pawl-left/runs/42-abc/output.1"), "second\n");
  EXPECT_EQ(ws.read("pawl-left/logs/ralph-s1.log"), "a line\n");
  EXPECT_FALSE(ws.exists("pawl-left/runs/42-abc/said.json"));
  EXPECT_EQ(ws.read("pawl-left/runs/.gitignore"), "*\n") << "a token may have been printed";
}

TEST(Leave, OutputThatWouldFillADiskIsNamedAndNotCopied) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  const std::string store = string_or(*parse_json(ws.run({"leave", "--dry-run", "--json"}).out), "store");
  std::filesystem::create_directories(store + "/logs");
  write_all(store + "/logs/story-a-agent.log", "x");
  std::filesystem::resize_file(store + "/logs/story-a-agent.log", std::uintmax_t{300} << 20U);  // a hole: no room taken
  const Ran left = ws.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "/logs: 1 file with what agents and checks printed, 300 MiB: too much to copy"))
      << left.out;
  EXPECT_FALSE(ws.exists("pawl-left/logs"));
}

TEST(Leave, WhatOnlyTheStoreHasIsCopiedOut) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ws.write(".worktrees/.status/42.json", "{\"issue\": 42, \"status\": \"sideways\"}\n");
  ASSERT_EQ(ws.run({"status"}).exit, 0);  // refused
  ws.write(".worktrees/.status/42.json", "{\"issue\": 42, \"sta");
  ASSERT_EQ(ws.run({"status"}).exit, 0);  // damaged
  ws.write(".pawl/kept/issue-7-20260101T000000Z/config/.env", "SECRET=1\n");
  const std::string store = ws.run({"leave", "--dry-run", "--json"}).out;
  const std::string where = string_or(*parse_json(store), "store");
  if (where != ws.file(".pawl")) {  // without git the store is elsewhere
    std::filesystem::create_directories(where);
    std::filesystem::copy(ws.file(".pawl/kept"), cat(where, "/kept"), std::filesystem::copy_options::recursive);
  }
  const Ran would = ws.run({"leave", "--dry-run"});
  for (const char* line : {"pawl-left/kept/: 1 file that", "pawl-left/damaged/: 1 file that pawl found damaged",
                           "pawl-left/refused/: 1 file with"})
    EXPECT_TRUE(has(would.out, line)) << line << "\n" << would.out;
  EXPECT_FALSE(ws.exists("pawl-left"));
  const Ran left = ws.run({"leave"});
  ASSERT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "pawl-left/kept/: 1 file that")) << left.out;
  EXPECT_TRUE(has(left.out, "git add passes over them"))
      << "whoever commits pawl-left must not lose them: " << left.out;
  EXPECT_FALSE(has(left.out, "git ignores them")) << "once is enough: " << left.out;
  std::filesystem::remove_all(where);  // as it says one may
  EXPECT_EQ(ws.read("pawl-left/kept/issue-7-20260101T000000Z/config/.env"), "SECRET=1\n");
  EXPECT_EQ(ws.read("pawl-left/kept/.gitignore"), "*\n");
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ws.file("pawl-left")))
    if (entry.is_regular_file()) all += read_all(entry.path()).value_or("");
  EXPECT_TRUE(has(all, "\"status\": \"sideways\"}\n")) << all;
  EXPECT_TRUE(has(all, "{\"issue\": 42, \"sta")) << all;
}

TEST(Leave, WhoHasLeftIsToldSoAndNothingIsWritten) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  // What the store would have refused and put back stands as somebody wrote it.
  const std::string odd = "{\"issue\": 42, \"status\": \"sideways\"}\n";
  ws.write(".worktrees/.status/42.json", odd);
  const Ran set = ws.run({"issue", "set", "42", "complete"});
  EXPECT_EQ(set.exit, 3) << set.out;
  EXPECT_TRUE(has(set.err, "pawl was left here just now") || has(set.err, "ago")) << set.err;
  EXPECT_TRUE(has(set.err, "pawl init")) << set.err;
  for (const auto& verb : std::vector<std::vector<std::string>>{
           {"status"}, {"doctor"}, {"issue", "list"}, {"show", "issue/42"}, {"log"}, {"status", "--line"}})
    (void)ws.run(verb);
  EXPECT_EQ(ws.read(".worktrees/.status/42.json"), odd);
  EXPECT_TRUE(has(ws.run({"status"}).out, "pawl was left here")) << ws.run({"status"}).out;
  EXPECT_TRUE(has(ws.run({"doctor"}).out, "pawl was left here"));
  EXPECT_EQ(ws.run({"claim", "take", "issue/42", "--worker", "w", "--lease", "1m"}).exit, 3);
  EXPECT_EQ(ws.run({"undo"}).exit, 3);
  const Ran again = ws.run({"leave"});
  EXPECT_EQ(again.exit, 3);
  EXPECT_TRUE(has(again.err, "already")) << again.err;
  EXPECT_FALSE(ws.exists("pawl-left-2"));
}

TEST(Leave, NothingIsAdvisedThatWouldBeRefused) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "error", "--message", "x"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "43", "complete"}).exit, 0);
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "p", "--session", "s"}).exit, 0);
  ws.write("prd.json", R"({"stories":[{"id":"A","title":"a","status":"merged"}]})");
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  ws.write(".worktrees/.status/44.json", "{\"issue\": 44, \"status\": \"sideways\"}\n");
  ws.write(".worktrees/.status/45.json", "{\"issue\": 45, \"sta");
  const auto loop = parse_json(ws.read(".omc/ralph-state.json").value_or(""));
  ASSERT_TRUE(loop);
  Json old = *loop;
  for (const char* time : {"started_at", "last_activity_at"}) old[time] = "2020-01-01T00:00:00.000Z";
  ws.write(".omc/ralph-state.json", cat(to_line(old), "\n"));
  for (const char* verb : {"status", "doctor"}) {
    const Ran ran = ws.run({verb});
    EXPECT_TRUE(has(ran.out, "pawl init comes back")) << ran.out;
    bool after_init = false;  // what stands below "after pawl init …" is for then
    for (const std::string_view line : split(ran.out, '\n')) {
      const bool then = std::exchange(after_init, has(line, "after pawl init"));
      const bool allowed = !has(line, "pawl ") || has(line, "pawl init") || then ||
                           has(line, "pawl takes nothing from it") || has(line, "pawl status --all");
      EXPECT_TRUE(allowed) << verb << ": " << line;
    }
  }
}

TEST(Leave, WhatIsToBeDoneByHandIsAdvisedAllTheSame) {
  TempWorkspace ws;
  ws.write("prd.json", R"({"stories":[{"id":"A","title":"a","status":"pending","dependsOn":["B"]},)"
                       R"({"id":"B","title":"b","status":"pending","dependsOn":["A"]}]})");
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  const Ran ran = ws.run({"doctor"});
  EXPECT_TRUE(has(ran.out, "wait for each other")) << ran.out;
  EXPECT_TRUE(has(ran.out, "# take one of these dependencies out of prd.json")) << ran.out;
}

TEST(Leave, ARunnerThatGoesOnIsNamedAndTheLogIsFound) {
  TempWorkspace ws;
  Child child(PAWL_BINARY,
              {"ralph", "run", "--prompt", "p", "--", "/bin/sh", "-c", "echo ready; exec tail -f /dev/null"},
              ws.options());
  ASSERT_TRUE(child.wait_for("ready"));
  const Ran left = ws.run({"leave"});
  EXPECT_TRUE(has(left.out, cat("ralph run ", child.pid(), " is at work on ralph/"))) << left.out;
  child.send(SIGTERM);
  (void)child.finish();
  const Ran log = ws.run({"log"});
  EXPECT_TRUE(has(log.err, "pawl-left/log.jsonl")) << log.err;
}

TEST(Leave, AHookThatStayedSomewhereHasNoSay) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"ralph", "start", "--prompt", "work", "--session", "s1"}).exit, 0);
  RunOptions options = ws.options();
  options.input = R"({"hook_event_name":"Stop","session_id":"s1"})";
  ASSERT_TRUE(has(run_pawl({"hook", "claude"}, options).out, "block"));
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  const Ran hook = run_pawl({"hook", "claude"}, options);
  EXPECT_EQ(hook.exit, 0);
  EXPECT_EQ(hook.out, "");
  EXPECT_EQ(hook.err, "");
}

TEST(Leave, ComingBackTakesWhatTheFilesSayByThen) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "complete"}).exit, 0);
  ASSERT_EQ(ws.run({"issue", "set", "43", "running"}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  // Neither move is one that the old store would take.
  ws.write(".worktrees/.status/42.json", "{\"issue\": 42, \"status\": \"running\"}\n");
  ws.write(".worktrees/.status/43.json", "{\"issue\": 43, \"status\": \"sideways\"}\n");
  const Ran back = ws.run({"init"});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_TRUE(has(back.out, "pawl is back")) << back.out;
  EXPECT_TRUE(has(back.out, "pawl took them as they are")) << back.out;
  EXPECT_TRUE(has(ws.read(".worktrees/.status/42.json").value_or(""), "running"));
  EXPECT_TRUE(has(ws.read(".worktrees/.status/43.json").value_or(""), "sideways"));
  EXPECT_TRUE(has(ws.run({"show", "issue/42"}).out, "running"));
  EXPECT_TRUE(has(ws.run({"show", "issue/43"}).out, "held"));
  EXPECT_EQ(ws.run({"issue", "set", "44", "running"}).exit, 0);
  EXPECT_TRUE(has(ws.run({"init"}).out, "is guarded already"));
  EXPECT_EQ(ws.run({"doctor"}).exit, 1) << "43 is held";
}

TEST(Leave, ComingBackToFilesAsTheyWereGoesOnWithTheStore) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ASSERT_EQ(ws.run({"leave"}).exit, 0);
  const Ran back = ws.run({"init"});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_TRUE(has(back.out, "goes on with what it kept")) << back.out;
  EXPECT_TRUE(has(ws.run({"log"}).out, "issue set"));
  EXPECT_EQ(ws.run({"undo"}).exit, 0);
}

// What was acknowledged is in what is left, however close it came; what came later is told that pawl was left.
TEST(Leave, WritersBesideItLoseNothingThatWasAcknowledged) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"init"}).exit, 0);
  const std::string script = cat("for i in 1 2 3 4; do (for j in 1 2 3; do '", PAWL_BINARY,
                                 "' issue set $i$j running >/dev/null 2>&1 && echo $i$j; done) & done; '", PAWL_BINARY,
                                 "' leave >/dev/null; wait");
  const Ran ran = run_program("sh", {"-c", script}, ws.options());
  const std::string log = ws.read("pawl-left/log.jsonl").value_or("");
  for (const std::string_view number : split(ran.out, '\n')) {
    if (!number.empty()) {
      EXPECT_TRUE(has(log, cat("\"issue/", number, "\""))) << number << "\n" << log;
    }
  }
  EXPECT_NE(ws.run({"issue", "set", "99", "running"}).exit, 0);
}

// One that cannot be mended stops it before it has begun.
TEST(Leave, AForgedMarkerStopsItBeforeAnythingIsTakenOut) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"init", "--all"}).exit, 0);
  ws.write("AGENTS.md", cat(ws.read("AGENTS.md").value_or(""), "\n<!-- pawl: end -->\n"));
  const std::string settings = ws.read(".claude/settings.json").value_or("");
  const Ran left = ws.run({"leave"});
  EXPECT_NE(left.exit, 0) << left.out;
  EXPECT_EQ(ws.read(".claude/settings.json").value_or(""), settings);
  EXPECT_FALSE(ws.exists("pawl-left"));
}

// What is no file among the copies that only the store has holds nothing up.
TEST(Leave, APipeAmongTheCopiesIsPassedOverAndSaid) {
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  ws.write(".pawl/refused/1-copy.json", "{}\n");
  ws.write(".pawl/damaged/x", "");
  std::filesystem::remove(ws.file(".pawl/damaged/x"));
  for (const char* const path : {".pawl/refused/a-pipe", ".pawl/damaged/a-pipe"})
    ASSERT_EQ(mkfifo(ws.file(path).c_str(), 0600), 0);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"leave", "--dry-run"}, {"leave"}}) {
    const Ran ran = ws.run(command);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, ".pawl/refused/a-pipe: no file but a pipe or the like")) << ran.out;
    EXPECT_TRUE(has(ran.out, ".pawl/damaged/a-pipe: no file")) << ran.out;
    EXPECT_FALSE(has(ran.out, "pawl-left/damaged")) << ran.out;
  }
  EXPECT_EQ(ws.read("pawl-left/refused/1-copy.json"), "{}\n");
  EXPECT_FALSE(ws.exists("pawl-left/refused/a-pipe"));
}

// The log goes to the disk as it is read: it may be larger than memory, and others wait meanwhile.
TEST(Leave, ALogThatIsLargerThanMemoryIsWrittenOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes more memory than is given here";
#endif
  constexpr int kOperations = 60'000;
  TempWorkspace ws;
  ASSERT_EQ(ws.run({"issue", "set", "42", "running"}).exit, 0);
  {
    SqliteOptions options;
    options.folder = ws.file(".pawl");
    const auto store = open_sqlite(options);
    ASSERT_TRUE(store) << store.error().message;
    const auto gate = (*store)->gate();
    const auto tx = (*store)->begin(Access::write);
    ASSERT_TRUE(gate && tx);
    Batch batch;
    batch.operations.resize(kOperations);
    for (OperationDraft& draft : batch.operations) {
      draft.operation.verb = "note";
      draft.operation.actor = "somebody";
      draft.operation.reason = std::string(1000, 'x');
    }
    ASSERT_TRUE((*tx)->commit(batch));
  }
  const Ran ran = run_program("sh", {"-c", cat("ulimit -v 60000; exec '", PAWL_BINARY, "' leave")}, ws.options());
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, cat("all that happened, ", kOperations + 1, " operations"))) << ran.out;
  const std::string log = ws.read("pawl-left/log.jsonl").value_or("");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), kOperations + 1);
  EXPECT_TRUE(log.starts_with("{\"operation\":1,")) << "oldest first: " << log.substr(0, 200);
}

// A project that cannot be left keeps its hooks.
TEST(Leave, WhereItCanNotBeNotedNothingIsTakenOut) {
  TempWorkspace ws;
  ws.write("AGENTS.md", "mine\n");
  ASSERT_EQ(ws.run({"issue", "set", "1", "running"}).exit, 0);
  ASSERT_EQ(ws.run({"init", "--agents"}).exit, 0);
  std::filesystem::create_directories(ws.file(".pawl/left.new"));  // stands for all that keeps a file from being made
  const Ran left = ws.run({"leave"});
  std::filesystem::remove(ws.file(".pawl/left.new"));
  EXPECT_NE(left.exit, 0);
  EXPECT_TRUE(has(ws.read("AGENTS.md").value_or(""), "pawl")) << left.out << left.err;
  EXPECT_FALSE(ws.exists("pawl-left"));
  EXPECT_EQ(ws.run({"leave"}).exit, 0);
}

// A copy of what was refused is kept before it is written over; where that cannot be, it stands there still.
TEST(Leave, OnlyWhatWasPutBackIsSaidToBe) {
  const std::string file = ".worktrees/.status/1.json";
  for (const bool kept : {false, true}) {
    TempWorkspace ws;
    ASSERT_EQ(ws.run({"issue", "set", "1", "running"}).exit, 0);
    ws.write(file, "{\"issue\": 1, \"status\": \"done\"}\n");
    if (!kept) ws.write(".pawl/refused", "no folder\n");
    const Ran left = ws.run({"leave"});
    ASSERT_EQ(left.exit, 0) << left.err;
    EXPECT_EQ(has(ws.read(file).value_or(""), "done"), !kept);
    EXPECT_EQ(has(left.out, file + ": what stood there before was put back"), kept) << left.out;
    EXPECT_EQ(has(left.out, file + ": it could not be brought up to date"), !kept) << left.out;
  }
}

}  // namespace
}  // namespace pawl::test

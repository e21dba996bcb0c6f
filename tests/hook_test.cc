// `pawl hook claude` and `pawl hook opencode`, with what the agents send: who is held, who is not, and which edits are
// stopped.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "support/issue_project.h"

namespace pawl::test {
namespace {

class Hook : public testing::Test {
 protected:
  Ran send(const std::string& agent, const std::string& input, std::vector<std::string> env = {}) const {
    RunOptions options;
    options.input = input;
    options.env = std::move(env);
    return project.run({"hook", agent}, options);
  }
  // Whatever it is sent, it never fails the agent.
  Json claude(const Json& event, std::vector<std::string> env = {}) const {
    const Ran ran = send("claude", to_line(event), std::move(env));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out.empty() ? Json() : parse_json(ran.out).value_or(Json("not JSON: " + ran.out));
  }
  Json stop(const std::string& session, const std::string& transcript = "") const {
    return claude({{"hook_event_name", "Stop"}, {"session_id", session}, {"transcript_path", transcript}});
  }
  bool holds(const Json& answer) const { return answer.is_object() && string_or(answer, "decision") == "block"; }
  // A transcript whose agent said this last.
  std::string said(const std::string& text, const Json& usage = Json::object(), bool with_a_tool = false) const {
    Json content = Json::array({Json{{"type", "text"}, {"text", text}}});
    if (with_a_tool) content.push_back(Json{{"type", "tool_use"}, {"name", "Bash"}});
    const Json user{{"type", "user"}, {"message", {{"role", "user"}, {"content", "go on"}}}};
    const Json agent{{"type", "assistant"}, {"message", {{"id", "m1"}, {"content", content}, {"usage", usage}}}};
    project.write("transcript.jsonl", cat(to_line(user), "\n", to_line(agent), "\n"));
    return project.file("transcript.jsonl");
  }
  Json loop(const std::string& session) const {
    return parse_json(project.out({"ralph", "show", "--session", session, "--json"})).value_or(Json());
  }
  Json edit(const char* event, const std::string& file, const std::string& from, const std::string& to) const {
    return claude({{"hook_event_name", event},
                   {"session_id", "s1"},
                   {"tool_name", "Edit"},
                   {"tool_input", {{"file_path", file}, {"old_string", from}, {"new_string", to}}}});
  }

  IssueProject project;
};

TEST_F(Hook, StopHoldsTheSessionThatOwnsALoopAndNobodyElse) {
  project.must({"ralph", "start", "--prompt", "fix it", "--session", "s1"});
  for (const char* other : {"s2", "s", "s11", "", "null", "../s1", "S1"}) EXPECT_TRUE(stop(other).is_null()) << other;
  EXPECT_TRUE(claude({{"hook_event_name", "Stop"}}).is_null());
  EXPECT_TRUE(claude({{"hook_event_name", "Stop"}, {"session_id", nullptr}}).is_null());
  const Json held = stop("s1");
  EXPECT_TRUE(holds(held));
  const std::string reason = string_or(held, "reason");
  EXPECT_TRUE(reason.starts_with("fix it\n")) << reason;
  EXPECT_TRUE(has(reason, "iteration 1 of 50"));
  EXPECT_TRUE(reason.ends_with("\n  pawl ralph cancel --session s1")) << reason;
  EXPECT_EQ(loop("s1")["state"]["iteration"], 1);
  EXPECT_EQ(parse_json(project.read(".omc/ralph-state.json").value_or(""))->at("iteration"), 1);
}

TEST_F(Hook, ALoopOfNobodysHoldsNobody) {
  for (const char* owner : {"", "null"}) {
    project.write(".omc/ralph-state.json", cat(R"({"active":true,"iteration":1,"prompt":"p","session_id":")", owner,
                                               R"(","started_at":")", iso_time(SystemClock().now().wall_ms), "\"}"));
    for (const char* session : {"s1", "null", ""}) EXPECT_TRUE(stop(session).is_null()) << owner << session;
  }
}

TEST_F(Hook, TwoSessionsInOneCheckoutNeverDriveEachOthersLoop) {
  project.must({"ralph", "start", "--prompt", "one", "--session", "s1"});
  project.must({"ralph", "start", "--prompt", "two", "--session", "s2"});
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(has(string_or(stop("s1"), "reason"), "one"));
    EXPECT_EQ(loop("s1")["state"]["iteration"], i);
    EXPECT_EQ(loop("s2")["state"]["iteration"], i - 1);
    EXPECT_TRUE(has(string_or(stop("s2"), "reason"), "two"));
  }
  project.must({"ralph", "cancel", "--session", "s1"});
  EXPECT_FALSE(holds(stop("s1")));
  EXPECT_TRUE(holds(stop("s2")));
}

TEST_F(Hook, StopLetsGoWhenThePromiseWasGivenAndNotWhenItWasMentioned) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  for (const char* text : {"I will say <promise>TASK_COMPLETE</promise>.", "> <promise>TASK_COMPLETE</promise>",
                           "```\n<promise>TASK_COMPLETE</promise>\n```"}) {
    EXPECT_TRUE(holds(stop("s1", said(text)))) << text;
  }
  EXPECT_FALSE(holds(stop("s1", said("Done.\n\n<promise>TASK_COMPLETE</promise>"))));
  EXPECT_EQ(loop("s1")["status"], "complete");
  EXPECT_FALSE(holds(stop("s1")));
}

// As `pawl ralph run` counts it in whatever the agent prints.
TEST_F(Hook, APromiseCountsAlsoBeforeATool) {
  const auto line = [](std::string_view type, std::string_view id, const Json& block, std::int64_t at_ms) {
    return cat(to_line(Json{{"type", type},
                            {"timestamp", iso_time(at_ms, true)},
                            {"message", {{"id", id}, {"content", Json::array({block})}}}}),
               "\n");
  };
  const auto text = [](std::string_view words) { return Json{{"type", "text"}, {"text", words}}; };
  const auto turn = [&](std::int64_t at_ms, std::string_view first, bool more = true) {
    project.write(
        "transcript.jsonl",
        cat(line("user", "", text("go on"), at_ms), line("assistant", "m1", text(first), at_ms),
            line("assistant", "m1", {{"type", "tool_use"}, {"name", "Bash"}}, at_ms),
            line("user", "", {{"type", "tool_result"}, {"content", "<promise>TASK_COMPLETE</promise>"}}, at_ms),
            more ? line("assistant", "m2", text("All done."), at_ms) : std::string()));
    return project.file("transcript.jsonl");
  };
  const std::int64_t before = SystemClock().now().wall_ms - 60'000;
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string promise = "Finished.\n<promise>TASK_COMPLETE</promise>";
  for (const bool more : {true, false})
    EXPECT_TRUE(holds(stop("s1", turn(before, promise, more)))) << "said before the loop began";
  const std::int64_t now = SystemClock().now().wall_ms + 1000;
  for (const char* other : {"I shall say <promise>TASK_COMPLETE</promise>", "> <promise>TASK_COMPLETE</promise>"})
    EXPECT_TRUE(holds(stop("s1", turn(now, other)))) << other;
  EXPECT_FALSE(holds(stop("s1", turn(now, promise))));
  EXPECT_EQ(loop("s1")["status"], "complete");
}

TEST_F(Hook, TheMessageThatIsHandedOverCountsBeforeTheTranscript) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  EXPECT_FALSE(holds(claude({{"hook_event_name", "Stop"},
                             {"session_id", "s1"},
                             {"transcript_path", said("older")},
                             {"last_assistant_message", "<promise>TASK_COMPLETE</promise>"}})));
  EXPECT_EQ(loop("s1")["status"], "complete");
}

TEST_F(Hook, StopLetsGoAtTheMaximumAndWhenCancelled) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1", "--max", "2"});
  EXPECT_TRUE(holds(stop("s1")));
  EXPECT_TRUE(holds(stop("s1")));
  EXPECT_FALSE(holds(stop("s1")));
  EXPECT_EQ(loop("s1")["status"], "exhausted");
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  project.must({"ralph", "cancel", "--session", "s1"});
  EXPECT_FALSE(holds(stop("s1")));
}

TEST_F(Hook, StopLetsGoAfterTwoHoursOfNothing) {
  project.write(".omc/ralph-state.json",
                R"({"active":true,"iteration":1,"prompt":"p","session_id":"s1","started_at":"2026-01-01T00:00:00Z",)"
                R"("last_activity_at":"2026-01-01T00:00:00Z"})");
  EXPECT_TRUE(has(string_or(stop("s1"), "systemMessage"), "two hours"));
  EXPECT_TRUE(has(string_or(stop("s1", said("I only talk.")), "systemMessage"), "two hours"));
  EXPECT_TRUE(holds(stop("s1", said("A long turn, but I worked.", Json::object(), true))));
  project.must({"ralph", "tick", "--session", "s1"});
  EXPECT_TRUE(holds(stop("s1")));
}

TEST_F(Hook, StopLetsGoWhenTheContextIsNearlyFull) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  EXPECT_TRUE(holds(stop("s1", said("x", {{"input_tokens", 10}, {"cache_read_input_tokens", 100'000}}))));
  EXPECT_FALSE(holds(stop("s1", said("x", {{"input_tokens", 10}, {"cache_read_input_tokens", 185'000}}))));
  EXPECT_EQ(loop("s1")["status"], "active");
  // It waits for somebody, as any other whose session was let go does.
  const Json board = parse_json(project.out({"status", "--json"})).value_or(Json());
  EXPECT_EQ(board["count"]["needs_person"], 1) << board;
  EXPECT_TRUE(has(to_line(board), "its context is nearly full")) << board;
  EXPECT_TRUE(holds(stop("s1", said("y", {{"input_tokens", 10}}))));
  EXPECT_EQ(parse_json(project.out({"status", "--json"}))->at("count")["needs_person"], 0);
}

TEST_F(Hook, StopLetsGoAfterSevenTimesWithoutProgressAndSaysHowToGoOn) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const std::string only_words = said("I wait for you.");
  for (int i = 0; i < 7; ++i) EXPECT_TRUE(holds(stop("s1", only_words))) << i;
  EXPECT_TRUE(has(string_or(stop("s1", only_words), "systemMessage"), "pawl ralph cancel"));
  EXPECT_EQ(loop("s1")["status"], "active");
  // Until something is done, a person is asked; that is written down once.
  const auto needs_person = [&] { return parse_json(project.out({"status", "--json"}))->at("count")["needs_person"]; };
  EXPECT_EQ(needs_person(), 1);
  EXPECT_TRUE(has(project.out({"status", "--json"}), "its session was let go")) << project.out({"status"});
  const std::size_t operations = project.operations();
  EXPECT_FALSE(holds(stop("s1", only_words)));
  EXPECT_EQ(project.operations(), operations);
  EXPECT_TRUE(holds(stop("s1", said("I did it.", Json::object(), true))));
  EXPECT_EQ(needs_person(), 0);
  EXPECT_TRUE(holds(stop("s1", said("I wait."))));
}

TEST_F(Hook, StopLetsGoWhereARunnerDrives) {
  RunOptions options = project.options();
  options.env.push_back("PAWL_SESSION=s1");
  Child runner(PAWL_BINARY,
               {"ralph", "run", "--prompt", "p", "--", "/bin/sh", "-c", "echo ready; exec tail -f /dev/null"}, options);
  ASSERT_TRUE(runner.wait_for("ready"));
  EXPECT_FALSE(holds(stop("s1")));
  EXPECT_EQ(loop("s1")["state"]["iteration"], 0);
  runner.send(SIGKILL);
  runner.finish();
  EXPECT_TRUE(holds(stop("s1")));
}

TEST_F(Hook, SessionStartHandsTheSessionItsIdAndTellsAResumedOneWhereItStands) {
  const std::string env = "CLAUDE_ENV_FILE=" + project.file("env");
  project.write("env", "export MINE=1\n");
  const Json start{{"hook_event_name", "SessionStart"}, {"session_id", "s1"}, {"source", "startup"}};
  EXPECT_TRUE(claude(start, {env}).is_null());
  EXPECT_EQ(project.read("env"), "export MINE=1\nexport PAWL_SESSION=s1\n");
  project.must({"ralph", "start", "--prompt", "mend the roof", "--session", "s1"});
  project.must({"ralph", "start", "--prompt", "another's", "--session", "s2"});
  project.must({"issue", "set", "7", "running"});
  Json resumed = start;
  resumed["source"] = "resume";
  const std::string told = string_or(claude(resumed, {env})["hookSpecificOutput"], "additionalContext");
  EXPECT_TRUE(has(told, "mend the roof")) << told;
  EXPECT_TRUE(has(told, "issue/7")) << told;
  EXPECT_FALSE(has(told, "another's")) << told;
  // An id that can be none is not written where a shell reads it.
  claude({{"hook_event_name", "SessionStart"}, {"session_id", "x; rm -rf /"}, {"source", "startup"}}, {env});
  EXPECT_FALSE(has(project.read("env").value_or(""), "rm"));
}

TEST_F(Hook, PreToolUseStopsAStatusThatDoesNotExistAndSaysWhichDo) {
  project.must({"issue", "set", "7", "running"});
  const std::string file = project.file(IssueProject::path_of(7));
  const Json denied = edit("PreToolUse", file, "running", "done")["hookSpecificOutput"];
  EXPECT_EQ(denied["permissionDecision"], "deny");
  EXPECT_TRUE(has(string_or(denied, "permissionDecisionReason"), "running, complete or error")) << denied;
  EXPECT_TRUE(edit("PreToolUse", file, "running", "complete").is_null());
  EXPECT_TRUE(edit("PreToolUse", project.file("README.md"), "a", "b").is_null());
  const Json write{
      {"hook_event_name", "PreToolUse"},
      {"tool_name", "Write"},
      {"tool_input", {{"file_path", IssueProject::path_of(8)}, {"content", R"({"issue":8,"status":"wip"})"}}}};
  EXPECT_EQ(claude(write)["hookSpecificOutput"]["permissionDecision"], "deny");  // also of a file that is new
  EXPECT_EQ(project.get(7), "running");
}

TEST_F(Hook, PreToolUseStopsTheReturnOfACancelledLoop) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  project.must({"ralph", "cancel"});
  EXPECT_EQ(edit("PreToolUse", project.file(".omc/ralph-state.json"), "\"active\": false",
                 "\"active\": true")["hookSpecificOutput"]["permissionDecision"],
            "deny");
}

TEST_F(Hook, PreToolUseSaysWhatMayStandInALoopsFile) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const Json denied = edit("PreToolUse", project.file(".omc/ralph-state.json"), "\"active\": true",
                           "\"active\": \"maybe\"")["hookSpecificOutput"];
  EXPECT_EQ(denied["permissionDecision"], "deny");
  EXPECT_TRUE(has(string_or(denied, "permissionDecisionReason"), "“active” is true or false, not the text “maybe”"))
      << denied;
}

TEST_F(Hook, PostToolUseTellsWhatWasRefused) {
  project.must({"issue", "set", "7", "running"});
  project.edit(7, "running", "done");
  const Json told = edit("PostToolUse", project.file(IssueProject::path_of(7)), "running", "done");
  EXPECT_TRUE(holds(told));
  EXPECT_TRUE(has(string_or(told, "reason"), "put back")) << told;
  EXPECT_TRUE(edit("PostToolUse", project.file(IssueProject::path_of(7)), "a", "b").is_null());
  project.edit(7, "running", "complete");
  EXPECT_TRUE(edit("PostToolUse", project.file(IssueProject::path_of(7)), "running", "complete").is_null());
  EXPECT_EQ(project.get(7), "complete");
}

TEST_F(Hook, NeverFailsTheAgentWhateverItIsSent) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  for (const char* input :
       {"", "{", "[]", "null", "7", "{}", R"({"hook_event_name":7})", R"({"hook_event_name":"Stop","session_id":{}})",
        R"({"hook_event_name":"PreToolUse","tool_input":[]})", R"({"hook_event_name":"New"})"}) {
    for (const char* agent : {"claude", "opencode"}) {
      const Ran ran = send(agent, input);
      EXPECT_EQ(ran.exit, 0) << input;
      EXPECT_EQ(ran.out, "") << input;
    }
  }
  const Ran deep = send("claude", std::string(1'000'000, '['));
  EXPECT_EQ(deep.exit, 0);
  EXPECT_EQ(deep.out, "");
}

// Who sends an event waits until it is taken, or is told that nobody did.
TEST_F(Hook, WhoeverSendsTheEventMayWriteANewlineBehindItByItself) {
  const std::string script = cat("set -o pipefail; { printf '{\"hook_event_name\":\"Stop\",\"session_id\":\"q\"}'; ",
                                 "printf '\\n'; printf '\\n'; } | ", PAWL_BINARY, " hook claude");
  const Ran ran = run_program("/bin/bash", {"-c", script}, project.options());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  // One that leaves the stream open is answered all the same.
  const Ran open = run_program("/bin/bash",
                               {"-c", cat("mkfifo open; exec 3<>open; printf '{\"hook_event_name\":\"Stop\"}' >&3; ",
                                          PAWL_BINARY, " hook claude <&3 && echo answered")},
                               project.options());
  EXPECT_TRUE(has(open.out, "answered")) << open.out << open.err;
}

TEST_F(Hook, AnEventIsTakenAlsoWherePawlWasLeft) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  project.must({"leave"});
  const Ran ran = run_program("bash",
                              {"-c", cat("set -o pipefail; cd '", project.path(), "'; head -c 3000000 /dev/zero | ",
                                         PAWL_BINARY, " hook claude")},
                              project.options());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(Hook, NeverFailsTheAgentWithABrokenStore) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  project.write(".pawl/pawl.db", std::string(8192, 'x'));
  const Ran ran = send("claude", R"({"hook_event_name":"Stop","session_id":"s1"})");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err, "");
}

TEST_F(Hook, OpencodeIsAnsweredInItsPluginsWords) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "ses_1"});
  const auto opencode = [&](const Json& event) {
    const Ran ran = send("opencode", to_line(event));
    EXPECT_EQ(ran.exit, 0);
    return ran.out.empty() ? Json() : parse_json(ran.out).value_or(Json());
  };
  EXPECT_TRUE(opencode({{"event", "session.idle"}, {"session", "ses_2"}}).is_null());
  EXPECT_TRUE(
      has(string_or(opencode({{"event", "session.idle"}, {"session", "ses_1"}, {"text", "hm"}}), "prompt"), "p\n"));
  project.must({"issue", "set", "7", "running"});
  const Json arguments{
      {"filePath", project.file(IssueProject::path_of(7))}, {"oldString", "running"}, {"newString", "done"}};
  EXPECT_TRUE(
      has(string_or(opencode({{"event", "tool.execute.before"}, {"arguments", arguments}}), "deny"), "complete"));
  project.edit(7, "running", "done");
  EXPECT_TRUE(
      has(string_or(opencode({{"event", "tool.execute.after"}, {"arguments", arguments}}), "tell"), "put back"));
  EXPECT_TRUE(
      has(string_or(
              opencode({{"event", "session.idle"}, {"session", "ses_1"}, {"text", "<promise>TASK_COMPLETE</promise>"}}),
              "tell"),
          "complete"));
  EXPECT_EQ(loop("ses_1")["status"], "complete");
}

// opencode's own words are not to be had here; its plugin is, with what the documentation hands a plugin.
TEST_F(Hook, OpencodesPluginAsksAndDoesWhatItIsTold) {
  if (run_program("/bin/sh", {"-c", "command -v node"}).exit != 0) GTEST_SKIP() << "node is not installed";
  project.must({"init", "--opencode"});
  project.must({"ralph", "start", "--prompt", "mend it", "--session", "ses_1"});
  project.must({"issue", "set", "7", "running"});
  project.write("package.json", R"({"type": "module"})");  // node 18 does not find out by itself; opencode does
  project.write("drive.mjs", R"js(
import { Pawl } from "./.opencode/plugins/pawl.js"
const messages = [
  { info: { role: "user" }, parts: [{ type: "text", text: "go" }] },
  { info: { role: "assistant", tokens: { input: 5, output: 5 } }, parts: [{ type: "tool" }, { type: "text", text: "hm" }] },
]
const client = { session: {
  messages: async () => ({ data: messages.map((one) => ({ ...one, info: { time: { created: Date.now() }, ...one.info } })) }),
  prompt: async ({ path, body }) => console.log("prompted", path.id, body.parts[0].text.split("\n")[0]),
} }
const hooks = await Pawl({ client, directory: process.cwd() })
const idle = (sessionID) => hooks.event({ event: { type: "session.idle", properties: { sessionID } } })
await idle("ses_2")
await idle("ses_1")
const args = { filePath: process.cwd() + "/.worktrees/.status/7.json", oldString: "running", newString: "done" }
try {
  await hooks["tool.execute.before"]({ tool: "edit", sessionID: "ses_1", callID: "c1" }, { args })
} catch (error) { console.log("denied", error.message.includes("complete")) }
const env = { env: {} }
await hooks["shell.env"]({ sessionID: "ses_1" }, env)
console.log(env.env.PAWL_SESSION)
messages[1].parts[1].text = "<promise>TASK_COMPLETE</promise>"
messages.push({ info: { role: "assistant" }, parts: [{ type: "text", text: "All done." }] })
await idle("ses_1")
)js");
  RunOptions options = project.options();
  const std::string binary = PAWL_BINARY;
  options.env.push_back(cat("PATH=", binary.substr(0, binary.rfind('/')), ":/usr/bin:/bin"));
  const Ran ran = run_program("node", {"drive.mjs"}, options);
  EXPECT_EQ(ran.out, "prompted ses_1 mend it\ndenied true\nses_1\n") << ran.err;
  EXPECT_EQ(loop("ses_1")["status"], "complete");
}

TEST_F(Hook, WhatIsSomebodysOwnStaysAndIsNamed) {
  project.must({"init", "--all"});
  const std::string own = "PAWL_LOG=debug pawl hook claude";
  const std::string settings = project.read(".claude/settings.json").value_or("");
  project.write(".claude/settings.json", replaced(settings, "\"pawl hook claude\"", cat("\"", own, "\"")));
  project.write(".opencode/plugins/pawl.js", cat(project.read(".opencode/plugins/pawl.js").value_or(""), "// mine\n"));
  const Ran removed = project.run({"init", "--all", "--remove"});
  EXPECT_NE(removed.exit, 0);
  EXPECT_TRUE(has(removed.err, ".claude/settings.json: pawl's part was taken out")) << removed.err;
  EXPECT_TRUE(has(removed.err, "AGENTS.md: pawl's part was taken out")) << removed.err;
  EXPECT_TRUE(has(removed.err, ".opencode/plugins/pawl.js")) << removed.err;
  EXPECT_TRUE(has(removed.err, "pawl's part stays in it")) << removed.err;
  EXPECT_FALSE(has(removed.err, "no part in it")) << removed.err;
  EXPECT_TRUE(has(project.read(".claude/settings.json").value_or(""), own));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"leave", "--dry-run"}, {"leave"}}) {
    const Ran left = project.run(words);
    EXPECT_TRUE(has(left.out, cat(".claude/settings.json: a hook of your own asks pawl: ", own))) << left.out;
  }
}

TEST_F(Hook, InitEntersTheHooksOnceAndTakesThemOutAgain) {
  const std::string theirs = "{\n  \"model\": \"opus\"\n}\n";
  project.write(".claude/settings.json", theirs);
  project.must({"init", "--claude"});
  const std::string with = project.read(".claude/settings.json").value_or("");
  EXPECT_TRUE(has(with, "pawl hook claude"));
  project.must({"init", "--claude"});
  EXPECT_EQ(project.read(".claude/settings.json"), with);
  project.must({"init", "--claude", "--remove"});
  EXPECT_EQ(project.read(".claude/settings.json"), theirs);
  project.write(".claude/settings.json", "{ not json");
  EXPECT_NE(project.run({"init", "--claude"}).exit, 0);
  EXPECT_EQ(project.read(".claude/settings.json"), "{ not json");
}

TEST_F(Hook, InitNamesAnotherDriverAndLeavesStopToIt) {
  project.write(".claude/ralph-loop.local.md", "---\nactive: true\niteration: 3\n---\nmend it\n");
  const std::string said = project.out({"init", "--claude"});
  EXPECT_TRUE(has(said, "Anthropic's ralph-loop")) << said;
  EXPECT_FALSE(has(project.read(".claude/settings.json").value_or(""), "\"Stop\""));
  EXPECT_TRUE(has(project.out({"ralph", "list"}), "active  iteration 3/50  -  .claude/ralph-loop.local.md"));
  project.must({"init", "--claude", "--drive"});
  EXPECT_TRUE(has(project.read(".claude/settings.json").value_or(""), "\"Stop\""));
}

TEST_F(Hook, ALoopOfAnothersThatIsNotActiveDrivesNobody) {
  project.write(".claude/ralph-loop.local.md", "---\nactive: false\niteration: 3\n---\nmend it\n");
  project.must({"init", "--claude"});
  EXPECT_TRUE(has(project.read(".claude/settings.json").value_or(""), "\"Stop\""));
}

TEST_F(Hook, TheDoctorSaysWhoDrivesAndWhenNobodyDoes) {
  const std::string loop = "---\nactive: true\niteration: 3\n---\nmend it\n";
  project.write(".claude/ralph-loop.local.md", loop);
  project.must({"init", "--claude"});
  const Ran other = project.run({"doctor"});
  EXPECT_TRUE(has(other.out, "Anthropic's ralph-loop drives loops here; pawl leaves that to it")) << other.out;
  EXPECT_TRUE(has(other.out, "\n    pawl init --claude --drive  # pawl drives too\n")) << other.out;
  std::filesystem::remove(project.file(".claude/ralph-loop.local.md"));
  const Ran nobody = project.run({"doctor"});
  EXPECT_TRUE(has(nobody.out, "but for Stop: its loops hold no session")) << nobody.out;
  EXPECT_TRUE(has(nobody.out, "\n    pawl init --claude  # enters that one too\n")) << nobody.out;
  project.must({"init", "--claude"});
  EXPECT_FALSE(has(project.run({"doctor"}).out, "but for Stop"));
  project.write(".claude/ralph-loop.local.md", loop);
  const Ran both = project.run({"doctor"});
  EXPECT_TRUE(has(both.out, "drives loops here, and so does pawl")) << both.out;
  EXPECT_TRUE(has(both.out, "\n    pawl init --claude  # takes pawl's Stop hook out")) << both.out;
  project.must({"init", "--claude"});
  EXPECT_FALSE(has(project.read(".claude/settings.json").value_or(""), "\"Stop\""));
  EXPECT_TRUE(has(project.run({"doctor"}).out, "pawl leaves that to it"));
}

TEST_F(Hook, TheDoctorSaysWhenNothingDrivesASessionsLoop) {
  project.must({"ralph", "start", "--prompt", "p", "--session", "s1"});
  const Ran nobody = project.run({"doctor"});
  EXPECT_EQ(nobody.exit, 0) << nobody.out;
  EXPECT_TRUE(has(nobody.out, "nothing here drives it")) << nobody.out;
  project.write(
      ".claude/settings.json",
      R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "node ~/.claude/hooks/omc-stop.mjs"}]}]}})");
  const Ran unknown = project.run({"doctor"});
  EXPECT_TRUE(has(unknown.out,
                  "a Stop hook in .claude/settings.json that pawl does not know (node "
                  "~/.claude/hooks/omc-stop.mjs), and no runner"))
      << unknown.out;
  EXPECT_FALSE(has(unknown.out, "no hook")) << unknown.out;
  project.must({"init", "--claude"});
  EXPECT_FALSE(has(project.run({"doctor"}).out, "nothing here drives it"));
  project.must({"leave"});
  EXPECT_TRUE(has(project.out({"init"}), "pawl init --all")) << "the hooks went with leaving";
}

TEST_F(Hook, FoldersThatWereMadeForTheHooksGoWithThem) {
  project.must({"init", "--all"});
  project.must({"init", "--all", "--remove"});
  EXPECT_FALSE(project.exists(".opencode"));
  EXPECT_FALSE(project.exists(".claude"));
  std::filesystem::create_directories(project.file(".opencode/plugins"));
  project.must({"init", "--all"});
  project.must({"leave"});
  EXPECT_TRUE(project.exists(".opencode/plugins")) << "it was there before";
}

// The runner asks the check; a session that gives the promise cannot get around it.
TEST_F(Hook, APromiseOfALoopWithACheckDoesNotCompleteIt) {
  EXPECT_EQ(project
                .run({"ralph", "run", "--session", "s1", "--prompt", "p", "--verify", "false", "--attempts", "1", "--",
                      "/bin/echo", "<promise>TASK_COMPLETE</promise>"})
                .exit,
            1);
  const Json let_go = stop("s1", said("<promise>TASK_COMPLETE</promise>"));
  EXPECT_FALSE(holds(let_go));
  EXPECT_TRUE(has(string_or(let_go, "systemMessage"), "\n  pawl ralph run --session s1 -- AGENT")) << let_go;
  EXPECT_EQ(loop("s1")["status"], "active");
  const std::string board = project.out({"status", "--json"});
  EXPECT_TRUE(has(board, "its check has not been asked yet")) << board;
  EXPECT_TRUE(has(board, "pawl ralph run --session s1 -- AGENT")) << board;
}

TEST_F(Hook, InitDoesNotWriteThroughALinkThatLeadsElsewhere) {
  std::filesystem::create_directory(project.file(".claude"));
  const std::string elsewhere = project.home() + "/elsewhere.json";
  write_all(elsewhere, "{}");
  std::filesystem::create_symlink(elsewhere, project.file(".claude/settings.json"));
  EXPECT_NE(project.run({"init", "--claude"}).exit, 0);
  EXPECT_EQ(read_all(elsewhere), "{}");
  project.write(".opencode/plugins/pawl.js", "mine");
  EXPECT_NE(project.run({"init", "--opencode"}).exit, 0);
  EXPECT_NE(project.run({"init", "--opencode", "--remove"}).exit, 0);
  EXPECT_EQ(project.read(".opencode/plugins/pawl.js"), "mine");
}

}  // namespace
}  // namespace pawl::test

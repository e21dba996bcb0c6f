// After `pawl leave` the other tools work as before: the status functions of the runner whose files pawl guarded, as
// their document has them, run by bash on what is left.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The functions of lib/status.sh, with the few helpers that they call.
constexpr std::string_view kFunctions = R"sh(
set -euo pipefail
log_debug() { :; }
get_config() { echo .worktrees; }
get_status_dir() { echo "$(get_config worktree_base_dir)/.status"; }
init_status_dir() { mkdir -p "$(get_status_dir)"; }
build_json_with_jq() {
    local issue_number="$1" status="$2" session_name="$3" timestamp="$4" error_message="${5:-}"
    if [[ -n "$error_message" ]]; then
        jq -n --argjson issue "$issue_number" --arg status "$status" --arg session "$session_name" \
            --arg error "$error_message" --arg timestamp "$timestamp" \
            '{issue: $issue, status: $status, session: $session, error_message: $error, timestamp: $timestamp}'
    else
        jq -n --argjson issue "$issue_number" --arg status "$status" --arg session "$session_name" \
            --arg timestamp "$timestamp" \
            '{issue: $issue, status: $status, session: $session, timestamp: $timestamp}'
    fi
}
save_status() {
    local issue_number="$1" status="$2" session_name="${3:-}" error_message="${4:-}"
    init_status_dir
    local status_file timestamp
    status_file="$(get_status_dir)/${issue_number}.json"
    timestamp="$(date -u +"%Y-%m-%dT%H:%M:%SZ")"
    echo "$(build_json_with_jq "$issue_number" "$status" "$session_name" "$timestamp" "$error_message")" > "$status_file"
}
get_status() { jq -r '.status // "unknown"' "$(get_status_dir)/$1.json" 2>/dev/null || echo unknown; }
get_error_message() { jq -r '.error_message // ""' "$(get_status_dir)/$1.json"; }
list_issues_by_status() {
    local status_file
    for status_file in "$(get_status_dir)"/*.json; do
        [[ "$(jq -r .status "$status_file")" == "$1" ]] && basename "$status_file" .json
    done
    return 0
}
remove_status() { rm -f "$(get_status_dir)/$1.json"; }
find_orphaned_statuses() {
    local worktree_base status_file issue_number has_worktree dir
    worktree_base="$(get_config worktree_base_dir)"
    for status_file in "$(get_status_dir)"/*.json; do
        [[ -f "$status_file" ]] || continue
        issue_number="$(basename "$status_file" .json)"
        has_worktree=false
        for dir in "$worktree_base"/issue-"${issue_number}"-*; do
            if [[ -d "$dir" ]]; then has_worktree=true; break; fi
        done
        if [[ "$has_worktree" == "false" ]]; then echo "$issue_number"; fi
    done
}
)sh";

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
    const Ran ran = run_program("bash", {"-c", cat(kFunctions, script)}, ws.options());
    EXPECT_EQ(ran.exit, 0) << script << "\n" << ran.err;
    return ran.out;
  };
  EXPECT_EQ(bash("get_status 42; get_status 43; get_status 99; get_error_message 43"),
            "running\nerror\nunknown\nテスト \"失敗\"\n");
  EXPECT_EQ(bash("list_issues_by_status error; find_orphaned_statuses"), "43\n43\n");
  EXPECT_EQ(bash("save_status 42 complete pi-issue-42; save_status 44 running pi-issue-44; remove_status 43;"
                 "get_status 42; list_issues_by_status running"),
            "complete\n44\n");
  // And who comes back finds what was done meanwhile.
  const Ran back = ws.run({"issue", "list"});
  EXPECT_EQ(back.exit, 0);
  EXPECT_TRUE(has(back.out, "42") && has(back.out, "complete") && has(back.out, "44")) << back.out << back.err;
  EXPECT_FALSE(has(back.out, "43")) << back.out;
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
    EXPECT_TRUE(has(would.out, cat("pawl's part would be taken out of ", file))) << would.out;
  EXPECT_TRUE(has(would.out, "issue/42 is running, and goes on")) << would.out;
  EXPECT_EQ(files(), before);
  EXPECT_FALSE(ws.exists("pawl-left"));
  // And does what it said.
  const Ran left = ws.run({"leave"});
  EXPECT_EQ(left.exit, 0) << left.err;
  EXPECT_TRUE(has(left.out, "taken out of .claude/settings.json")) << left.out;
  EXPECT_TRUE(has(ws.read(".claude/settings.json").value_or(""), "opus"));
  EXPECT_FALSE(has(files(), "pawl hook"));
}

}  // namespace
}  // namespace pawl::test

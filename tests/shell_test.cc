// The shell door, as a script meets it: bash reads `pawl shell bash` of the real binary and calls the functions.
// jq is the judge of the bytes, as it is what such scripts write their files with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A project with a script in it. $PAWL is the binary, $STATUS the folder where files are expected.
class Shell : public testing::Test {
 protected:
  static constexpr std::string_view kSource = "source <(\"$PAWL\" shell bash)\n";

  [[nodiscard]] RunOptions options(std::vector<std::string> env = {}) const {
    RunOptions base;
    base.env = {std::string("PAWL=") + PAWL_BINARY, "STATUS=" + project_.file(".worktrees/.status"), "LC_ALL=C.UTF-8"};
    base.env.insert(base.env.end(), env.begin(), env.end());
    return project_.options(std::move(base));
  }

  // The script as it is, from a file: $0 is a name.
  [[nodiscard]] Ran run_plain(std::string_view script, std::vector<std::string> env = {}) const {
    project_.write("runner.sh", script);
    return run_program("bash", {project_.file("runner.sh")}, options(std::move(env)));
  }
  // Under strict mode, with an ERR trap that tells of every failure nobody expected, and the functions read.
  [[nodiscard]] Ran run(std::string_view script, std::vector<std::string> env = {}) const {
    return run_plain(std::string("set -Eeuo pipefail\ntrap 'echo \"unexpected: $BASH_COMMAND\" >&2' ERR\n")
                         .append(kSource)
                         .append(script),
                     std::move(env));
  }
  // What the script prints, when all went well and in silence.
  [[nodiscard]] std::string out(std::string_view script, std::vector<std::string> env = {}) const {
    const Ran ran = run(script, std::move(env));
    EXPECT_EQ(ran.exit, 0) << script << "\n" << ran.err;
    EXPECT_EQ(ran.err, "") << script;
    return ran.out;
  }
  [[nodiscard]] std::string status_file(int number) const {
    return project_.read(".worktrees/.status/" + std::to_string(number) + ".json").value_or("(none)");
  }

  TempWorkspace project_;
};

TEST_F(Shell, DefinesTheFunctionsOfTheLibraryAndOnlyItsOwnBesides) {
  EXPECT_EQ(out("declare -F | sed 's/declare -f //' | grep -v '^_pawl_' | sort | tr '\\n' ' '"),
            "build_json_fallback build_json_with_jq find_orphaned_statuses get_error_message get_status get_status_dir "
            "init_status_dir json_escape list_all_statuses list_issues_by_status load_status remove_status save_status "
            "set_status ");
}

TEST_F(Shell, LeavesNoVariableAndNoOptionBehind) {
  EXPECT_EQ(out(R"SH(
before="$(compgen -v | sort; set +o; shopt)"
source <("$PAWL" shell bash)
save_status 1 running s; set_status 1 error m; load_status 1 >/dev/null; list_issues_by_status error >/dev/null
json_escape "$(printf 'a\tb')" >/dev/null
after="$(compgen -v | grep -vx before | sort; set +o; shopt)"
diff <(echo "$before") <(echo "$after") && echo same)SH"),
            "same\n");
}

// What the document of such a library shows, in its order: also complete followed by error.
TEST_F(Shell, TheLibrarysOwnExamplesRunUnderStrictMode) {
  EXPECT_EQ(out(R"SH(
save_status 42 "running" "pi-issue-42"
save_status 42 "complete" "pi-issue-42"
save_status 42 "error" "pi-issue-42" "エラーメッセージ"
set_status 42 "running"
set_status 42 "complete"
set_status 42 "error" "エラーメッセージ"
status="$(get_status 42)"; json="$(load_status 42)"; error="$(get_error_message 42)"
echo "$status|$error|$(jq -c '[.issue, .status, .session, .error_message]' <<<"$json")"
save_status 42 running pi-issue-42; save_status 43 complete pi-issue-43; save_status 44 error pi-issue-44 x
list_all_statuses
list_issues_by_status "running"
list_issues_by_status "complete"
for issue in $(find_orphaned_statuses); do remove_status "$issue"; done
list_all_statuses)SH"),
            "error|エラーメッセージ|[42,\"error\",\"pi-issue-42\",\"エラーメッセージ\"]\n"
            "42\trunning\n43\tcomplete\n44\terror\n42\n43\n");
}

TEST_F(Shell, SavingWritesTheBytesThatJqWrites) {
  // Each message in a file of its own, and then on top of one that is there already.
  EXPECT_EQ(out(R"SH(
judge() { # issue status session message
  local at; at="$(sed -n 's/^  "timestamp": "\(.*\)"$/\1/p' "$STATUS/$1.json")"
  [[ "$at" =~ ^20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$ ]] || echo "time: $at"
  jq -n --argjson n "$1" --arg st "$2" --arg se "$3" --arg m "$4" --arg at "$at" \
    '{issue: $n, status: $st, session: $se, error_message: $m, timestamp: $at} | if $m == "" then del(.error_message) else . end' |
    cmp - "$STATUS/$1.json" || cat -A "$STATUS/$1.json"
  build_json_with_jq "$1" "$2" "$3" "$at" "$4" | cmp - "$STATUS/$1.json"
  build_json_fallback "$1" "$2" "$3" "$at" "$4" | cmp - "$STATUS/$1.json"
}
words=(running complete error error) n=100
for message in '' plain 'テストが失敗しました' 'say "hi"' 'C:\dir\new' $'tab\there' '' $'two\nlines\n' $'cr\r' '-n' '--strip' '&' '' '/<>' '😀 é'; do
  n=$((n + 1)) word="${words[n % 4]}"
  save_status "$n" "$word" "pi-issue-$n" "$message"; judge "$n" "$word" "pi-issue-$n" "$message"
  save_status 7 "$word" "s-$message" "$message"; judge 7 "$word" "s-$message" "$message"
done
echo "$n")SH"),
            "115\n");
}

TEST_F(Shell, SavingPrintsNothing) {
  EXPECT_EQ(out("save_status 1 running s; set_status 1 complete; remove_status 1; init_status_dir"), "");
}

TEST_F(Shell, AnEmptySessionIsKeptEmpty) {
  EXPECT_EQ(out("save_status 1 running; save_status 2 running ''; jq -c '[.issue, .session]' \"$STATUS\"/*.json"),
            "[1,\"\"]\n[2,\"\"]\n");
}

TEST_F(Shell, ValuesThatLookLikeOptionsAreValues) {
  EXPECT_EQ(out(R"SH(
save_status 1 error '--help' '--json'; save_status 2 error '-' '-v'
jq -c '[.session, .error_message]' "$STATUS"/*.json; get_error_message 1)SH"),
            "[\"--help\",\"--json\"]\n[\"-\",\"-v\"]\n--json\n");
}

TEST_F(Shell, AWordThatIsNoStatusIsRefusedAndEndsTheScript) {
  ASSERT_EQ(out("save_status 42 running pi-issue-42"), "");
  const std::string before = status_file(42);
  for (const std::string call :
       {"save_status 42 completed s", "set_status 42 completed", "list_issues_by_status completed"}) {
    const Ran ran = run_plain(std::string("set -euo pipefail\n").append(kSource) + call + "\necho went on");
    EXPECT_EQ(ran.exit, 1) << call;
    EXPECT_EQ(ran.out, "") << call;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("completed"), HasSubstr("running"), HasSubstr("error"),
                               HasSubstr("did you mean complete?")))
        << call;
  }
  EXPECT_EQ(status_file(42), before);
  EXPECT_EQ(out("save_status 42 'Complete!' 2>/dev/null || echo \"no: $?\""), "no: 1\n");
}

TEST_F(Shell, EndsCorrectEachOtherAndTheLogNamesTheScript) {
  EXPECT_EQ(out("save_status 1 error s broken; save_status 1 complete s; get_status 1"), "complete\n");
  EXPECT_EQ(out("PAWL_REASON='flaky test' save_status 1 error s again; get_status 1"), "error\n");
  const Ran log = project_.run({"log", "issue/1", "--json"});
  EXPECT_EQ(log.exit, 0) << log.err;
  EXPECT_THAT(log.out, AllOf(HasSubstr("save_status in runner.sh"), HasSubstr("flaky test")));
}

TEST_F(Shell, WhatATerminalWouldObeyIsTakenOutOfMessages) {
  EXPECT_EQ(out(R"SH(save_status 1 error s $'\e[31mred\e[0m \abell \xff.'; get_error_message 1)SH"),
            "red bell \xEF\xBF\xBD.\n");
}

TEST_F(Shell, AMessageOfAMebibyteIsCut) {
  EXPECT_EQ(out(R"SH(
big="$(head -c 1048576 /dev/zero | tr '\0' x)"; save_status 1 error s "$big"; get_error_message 1 | wc -c
wide="$(printf 'あ%.0s' {1..100000})"; save_status 2 error s "$wide"; get_error_message 2 | tr -d 'あ\n' | wc -c
echo $(( $(get_error_message 2 | wc -c) > 65000 )))SH"),
            "65537\n0\n1\n");
}

TEST_F(Shell, ALabelIsNotKeptAndThatIsSaid) {
  const Ran ran = run("save_status 1 running s '' nightly");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, HasSubstr("nightly"));
  EXPECT_EQ(out("log_info() { echo \"told: $*\"; }; save_status 1 running s '' nightly"),
            "told: the session label of issue #1 is not kept: nightly\n");
}

TEST_F(Shell, SetStatusNamesTheSessionAsTheScriptDoes) {
  const std::string set = "set_status 5 running; jq -r .session \"$STATUS/5.json\"";
  EXPECT_EQ(out(set), "pi-issue-5\n");
  EXPECT_EQ(out("save_status 5 running mine; " + set), "pi-issue-5\n");
  EXPECT_EQ(out("generate_session_name() { echo \"team-issue-$1\"; }; " + set), "team-issue-5\n");
  EXPECT_EQ(out("generate_session_name() { return 1; }; " + set), "pi-issue-5\n");
  EXPECT_EQ(out(set, {"PAWL_ISSUE_SESSION_PREFIX=bot"}), "bot-issue-5\n");
  EXPECT_EQ(out(set, {"PAWL_ISSUE_SESSION_PREFIX=bot-issue"}), "bot-issue-5\n");
}

TEST_F(Shell, SetStatusKeepsAMessageForErrorsOnly) {
  EXPECT_EQ(out(R"SH(
set_status 5 error boom; get_error_message 5; set_status 5 running ignored; get_error_message 5
set_status 5 complete ignored; get_error_message 5; jq -c keys_unsorted "$STATUS/5.json")SH"),
            "boom\n[\"issue\",\"status\",\"session\",\"timestamp\"]\n");
}

TEST_F(Shell, WhatIsNotThereReadsAsUnknownOrNothing) {
  EXPECT_EQ(out("get_status 9; load_status 9; get_error_message 9; list_all_statuses; list_issues_by_status running; "
                "find_orphaned_statuses; remove_status 9; echo \"[$(load_status 9)$(get_error_message 9)]\""),
            "unknown\n[]\n");
}

TEST_F(Shell, AFileWithoutAStatusReadsAsUnknown) {
  project_.write(".worktrees/.status/1.json", "{\"issue\": 1, \"session\": \"s\"}\n");
  project_.write(".worktrees/.status/2.json", "{\"issue\": 2, \"status\": null}\n");
  EXPECT_EQ(run("get_status 1; get_status 2").out, "unknown\nunknown\n");
  project_.write(".worktrees/.status/3.json", "{\"issue\": 3, \"sta");
  EXPECT_EQ(run("get_status 3").out, "unknown\n");
}

TEST_F(Shell, LoadPrintsTheFileToTheByte) {
  EXPECT_EQ(out("save_status 42 error s 'テスト'; load_status 42 | cmp - \"$STATUS/42.json\" && load_status 42 | jq -r "
                ".status"),
            "error\n");
}

TEST_F(Shell, ListsAreByNumberAndLeaveOtherFilesAlone) {
  for (const std::string name :
       {"10.watcher.pid", "11.json.tmp.77", "tracker.jsonl", "output-9.log", "signal-complete-9"}) {
    project_.write(".worktrees/.status/" + name, "running\n");
  }
  fs::create_directory(project_.file(".worktrees/.status/9.cleanup.lock"));
  EXPECT_EQ(out("save_status 10 running s; save_status 9 running s; save_status 100 complete s; list_all_statuses; "
                "list_issues_by_status running | tr '\\n' ,; IFS=1; list_issues_by_status complete"),
            "9\trunning\n10\trunning\n100\tcomplete\n9,10,100\n");
  EXPECT_EQ(project_.read(".worktrees/.status/11.json.tmp.77"), "running\n");
}

TEST_F(Shell, RemovingTakesTheFileAway) {
  EXPECT_EQ(
      out("save_status 8 running s; remove_status 8; get_status 8; remove_status 8; [[ ! -e \"$STATUS/8.json\" ]]"),
      "unknown\n");
}

TEST_F(Shell, AnIssueIsOrphanedWhenItsOwnWorktreeIsGone) {
  EXPECT_EQ(out(R"SH(
for n in 4 42 43 421 5; do save_status "$n" running s; done
mkdir -p .worktrees/issue-42-x .worktrees/issue-43; touch .worktrees/issue-5-not-a-folder
find_orphaned_statuses | tr '\n' ' ')SH"),
            "4 5 421 ");
}

TEST_F(Shell, TheBaseFolderComesFromTheScriptsConfiguration) {
  const std::string save =
      "save_status 3 running s; get_status 3; list_all_statuses; find_orphaned_statuses; get_status_dir";
  const auto said = [](const std::string& folder) { return "running\n3\trunning\n3\n" + folder + "/.status\n"; };
  const std::string other = fs::path(project_.path()).parent_path().string() + "/trees";
  EXPECT_EQ(out("get_config() { [[ $1 == worktree_base_dir ]] && echo '" + other + "'; }\n" + save), said(other));
  EXPECT_TRUE(fs::exists(other + "/.status/3.json"));
  EXPECT_EQ(out("get_config() { echo sub/trees; }\n" + save), said(project_.file("sub/trees")));
  EXPECT_TRUE(project_.exists("sub/trees/.status/3.json"));
  EXPECT_FALSE(project_.exists(".worktrees"));
  // An answer that has to be read first, by a function that is noisy and fails.
  EXPECT_EQ(
      out("conf=wrong; load_config() { echo noise; conf=late; return 1; }\nget_config() { echo \"$conf\"; }\n" + save),
      said(project_.file("late")));
  // The script's answer goes before the environment's.
  EXPECT_EQ(out("get_config() { echo late; }; get_status_dir", {"PAWL_ISSUE_BASE_DIR=elsewhere"}),
            project_.file("late/.status\n"));
  EXPECT_EQ(out("get_status_dir", {"PAWL_ISSUE_BASE_DIR=elsewhere"}), project_.file("elsewhere/.status\n"));
}

TEST_F(Shell, AConfigurationThatSaysNothingLeavesTheFolderToPawl) {
  for (const std::string config :
       {"get_config() { :; }", "get_config() { return 3; }", "get_config() { false; }", ":"}) {
    EXPECT_EQ(out(config + "\nsave_status 3 running s; get_status 3; get_status_dir"),
              "running\n" + project_.file(".worktrees/.status\n"))
        << config;
  }
}

TEST_F(Shell, TwoSpellingsOfAFolderAreOneFolder) {
  EXPECT_EQ(out("get_config() { echo \"$PWD/.worktrees/\"; }; save_status 3 running s"), "");
  EXPECT_EQ(project_.run({"issue", "get", "3"}).out, "running\n");
  EXPECT_EQ(out("get_config() { echo ./.worktrees; }; save_status 3 complete s"), "");
  EXPECT_EQ(project_.run({"issue", "list"}).out, "3\tcomplete\n");
}

TEST_F(Shell, ASubfolderIsTheSameProject) {
  fs::create_directories(project_.file("src/deep"));
  EXPECT_EQ(out("cd src/deep; save_status 3 running s; get_status_dir; init_status_dir; ls -A"),
            project_.file(".worktrees/.status\n"));
  EXPECT_THAT(status_file(3), HasSubstr("running"));
}

TEST_F(Shell, TheFolderIsMadeOnce) {
  EXPECT_EQ(out("log_debug() { echo \"debug: $*\"; }; init_status_dir; init_status_dir; [[ -d \"$STATUS\" ]]"),
            "debug: Created status directory: " + project_.file(".worktrees/.status\n"));
}

TEST_F(Shell, TheScriptsLogIsCalledAndMayFail) {
  EXPECT_EQ(out(R"SH(
log_debug() { echo "debug: $*"; return 1; }
save_status 42 running s; set_status 42 complete; remove_status 42; remove_status 42; get_status 42)SH"),
            "debug: Saved status for issue #42: running\ndebug: Saved status for issue #42: complete\n"
            "debug: Removed status file for issue #42\nunknown\n");
}

TEST_F(Shell, EscapingIsJqs) {
  EXPECT_EQ(out(R"SH(
all="$(printf "$(printf '\\x%02x' {1..127})"; echo .)"
for text in "$all" '' '\' '"' '\"' '-n' '-e \t' $'a\n' '*' '&' '${x}' '日本語' '😀'; do
  [[ "\"$(json_escape "$text")\"" == "$(jq -n --arg t "$text" '$t')" ]] || printf 'differs: %q\n' "$text"
done
json_escape; json_escape 'plain')SH"),
            "\nplain\n");
}

TEST_F(Shell, WithoutJqEverythingWorksTheSame) {
  const std::string script = R"SH(
save_status 1 error "s" $'a "b" \\ \t\n テスト';
build_json_with_jq 1 error s "2024-01-30T09:00:00Z" $'a "b" \\ \t\n テスト'
build_json_with_jq 2 running '' "2024-01-30T09:00:00Z"
build_json_fallback 2 running '' "2024-01-30T09:00:00Z" ''
get_status 1; get_error_message 1; list_all_statuses; load_status 1 | { read -r l; echo "$l"; })SH";
  const std::string with_jq = out(script);
  // A PATH with nothing in it: the functions need only bash and pawl.
  const std::string without =
      out("hash -r; if command -v jq; then echo found; fi\n" + script, {"PATH=" + project_.home()});
  EXPECT_EQ(without, with_jq);
  EXPECT_THAT(without, HasSubstr("{\n  \"issue\": 2,\n  \"status\": \"running\",\n  \"session\": \"\",\n"
                                 "  \"timestamp\": \"2024-01-30T09:00:00Z\"\n}\n"));
}

TEST_F(Shell, ArgumentsThatMakeNoSenseAreExplainedNotUnbound) {
  for (const std::string call : {"get_status", "get_status abc", "get_status -5", "get_status 042", "get_status 0",
                                 "load_status ''", "remove_status '4 2'", "get_error_message 1.5", "save_status",
                                 "set_status x running", "get_status ../../etc/passwd"}) {
    const Ran ran = run_plain(std::string("set -euo pipefail\n").append(kSource) + call);
    EXPECT_EQ(ran.exit, 2) << call << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << call;
    EXPECT_THAT(ran.err, AllOf(Not(IsEmpty()), Not(HasSubstr("unbound")))) << call;
  }
  EXPECT_EQ(run_plain(std::string("set -u\n").append(kSource) + "save_status 42").exit, 1);
}

TEST_F(Shell, ScriptsWithHabitsOfTheirOwnAreNoTrouble) {
  EXPECT_EQ(out(R"SH(
source <("$PAWL" shell bash)
IFS='-= s1/'
readonly status=mine issue=mine json=mine message=mine session=mine dir=mine code=mine
pawl() { echo 'not the binary'; }; jq() { command jq "$@"; }
save_status 11 running s-s=s; set_status 11 error '- -'; get_status 11; get_error_message 11; list_issues_by_status error
printf '12\n13\n' | while read -r n; do set_status "$n" running; done
exec 3>&1; load_status 99 >&3; remove_status 99; (source <("$PAWL" shell bash); get_status 12)
if save_status 12 nonsense 2>/dev/null; then echo bad; fi
list_all_statuses | grep -c . || true
echo "$status")SH"),
            "error\n- -\n11\nrunning\n3\nmine\n");
}

TEST_F(Shell, WorksThroughEvalAndInPosixMode) {
  const std::string script =
      "save_status 3 running s; get_status 3; load_status 4; echo \"${PAWL_ISSUE_BASE_DIR-unset}\"";
  EXPECT_EQ(run_plain("set -eu; eval \"$(\"$PAWL\" shell bash)\"; get_config() { echo trees; }\n" + script).out,
            "running\nunset\n");
  EXPECT_EQ(
      run_plain("set -eu; set -o posix; eval \"$(\"$PAWL\" shell bash)\"; get_config() { echo trees; }\n" + script).out,
      "running\nunset\n");
}

TEST_F(Shell, AnotherShellIsToldThatThisIsBash) {
  if (run_program("bash", {"-c", "command -v dash"}).exit != 0) GTEST_SKIP() << "there is no dash here";
  project_.write("functions", project_.run({"shell", "bash"}).out);
  const Ran ran = run_program("dash", {"-c", ". ./functions && echo read"}, options());
  EXPECT_THAT(ran.err, HasSubstr("for bash"));
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.exit, 0);
}

TEST_F(Shell, ThePathOfTheBinaryMayHoldAnything) {
  const std::string folder = project_.home() + "/it's a \"$(touch pwned)\" `dir`\n&";
  fs::create_directory(folder);
  fs::copy_file(PAWL_BINARY, folder + "/pawl");
  EXPECT_EQ(
      out("source <(\"$ODD\" shell bash); save_status 3 running s; get_status 3; ls -A", {"ODD=" + folder + "/pawl"}),
      "running\n.git\n.pawl\n.worktrees\nrunner.sh\n");
}

TEST_F(Shell, NotesAreForPeople) {
  project_.write("fake",
                 "#!/bin/sh\necho 'pawl: 5.json was changed outside pawl' >&2\n"
                 "case \"$*\" in *--json*) echo 'asked for JSON' >&2;; esac\n"
                 "if [ \"$4\" = 9 ]; then echo 'issue 9 is removed'; exit 0; fi\n"
                 "[ \"$2\" = dir ] && exec pwd\n"
                 "echo 'pawl: broken' >&2; exit 5\n");
  fs::permissions(project_.file("fake"), fs::perms::owner_all);
  const Ran gone = run("PAWL_BIN=./fake; load_status 9; remove_status 9; echo went on");
  EXPECT_EQ(gone.exit, 0);
  EXPECT_EQ(gone.out, "went on\n");
  EXPECT_THAT(gone.err, AllOf(HasSubstr("pawl: 5.json was changed outside pawl\n"), Not(HasSubstr("JSON"))));
  const Ran broken = run("PAWL_BIN=./fake; load_status 8");
  EXPECT_EQ(broken.exit, 5);
  EXPECT_THAT(broken.err, HasSubstr("pawl: broken"));
  // The same with the real one, where something is to be said.
  EXPECT_EQ(out("save_status 7 complete s"), "");
  project_.write(".worktrees/.status/7.json", "{\"issue\": 7, \"status\": \"done\", \"session\": \"s\"}\n");
  const Ran said = run("load_status 7 | jq -r .status");
  EXPECT_EQ(said.out, "complete\n");
  EXPECT_THAT(said.err, AllOf(HasSubstr("pawl: "), Not(HasSubstr("{\"note\""))));
}

TEST_F(Shell, AFileOfOneLineIsLoadedAsItIs) {
  const std::string line =
      "{\"timestamp\":\"2026-01-30T09:00:00Z\",\"status\":\"complete\",\"issue\":8,\"session\":\"s\"}\n";
  project_.write(".worktrees/.status/8.json", line);
  EXPECT_EQ(out("load_status 8"), line);
}

TEST_F(Shell, AFileThatCanNotBeReadIsListedAsUnknown) {
  project_.write(".worktrees/.status/9.json", "{\"issue\": 9, \"sta");
  project_.write(".worktrees/.status/3.json", "");
  const Ran ran =
      run("save_status 10 running s; list_all_statuses; find_orphaned_statuses | tr '\\n' ' '; "
          "list_issues_by_status unknown; list_issues_by_status running; remove_status 9; list_all_statuses");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "3\tunknown\n9\tunknown\n10\trunning\n3 9 10 3\n9\n10\n3\tunknown\n10\trunning\n");
}

TEST_F(Shell, AnotherBinaryCanBeNamed) {
  project_.write("fake", "#!/bin/sh\necho \"fake $PAWL_ISSUE_BASE_DIR: $*\"\n");
  fs::permissions(project_.file("fake"), fs::perms::owner_all);
  EXPECT_EQ(out("PAWL_BIN=./fake; get_config() { echo b; }; get_status 3; list_all_statuses"),
            "fake b: issue get -- 3\nfake b: issue list\n");
}

TEST_F(Shell, TwentyScriptsAtOnceLoseNothing) {
  std::vector<std::unique_ptr<Child>> scripts;
  project_.write("runner.sh",
                 std::string("set -euo pipefail\n").append(kSource) +
                     "for i in 1 2 3; do save_status 875 running \"test-$1-$i\"; save_status \"$1\" running \"s-$i\"; "
                     "done; set_status \"$1\" complete\n");
  for (int i = 1; i <= 20; ++i) {
    scripts.push_back(std::make_unique<Child>(
        "bash", std::vector<std::string>{project_.file("runner.sh"), std::to_string(i)}, options()));
  }
  for (const auto& script : scripts) {
    const Ran ran = script->finish();
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.out + ran.err, "");
  }
  EXPECT_EQ(out("list_issues_by_status complete | tr '\\n' ' '; list_issues_by_status running; jq -r .session "
                "\"$STATUS/875.json\" | "
                "grep -cE '^test-[0-9]+-3$'; ls \"$STATUS\" | grep -c json; ls -A \"$STATUS\" | grep -vc json || true"),
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 875\n1\n21\n0\n");
}

// --- beside a tool that knows nothing of pawl and keeps the same files with jq ---

class BesideAnotherTool : public Shell {
 protected:
  void SetUp() override {
    project_.write("other_tool.sh", R"TOOL(
# usage: other_tool.sh save N STATUS SESSION [MESSAGE] | save_late … LABEL | get N | message N | list | drop N
set -euo pipefail
dir=.worktrees/.status
put() { cat >"$dir/$1.json.tmp.$$"; mv -f "$dir/$1.json.tmp.$$" "$dir/$1.json"; }
now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
what="$1" n="${2:-}"
case "$what" in
  save)
    mkdir -p "$dir"
    jq -n --argjson n "$n" --arg st "$3" --arg se "$4" --arg m "${5:-}" --arg at "$(now)" \
      'if $m == "" then {issue: $n, status: $st, session: $se, timestamp: $at}
       else {issue: $n, status: $st, session: $se, error_message: $m, timestamp: $at} end' | put "$n" ;;
  save_late)
    mkdir -p "$dir"
    jq -n --argjson n "$n" --arg st "$3" --arg se "$4" --arg m "$5" --arg la "$6" --arg at "$(now)" \
      '{issue: $n, status: $st, session: $se, timestamp: $at, error_message: $m, session_label: $la}' | put "$n" ;;
  get) if [[ -f "$dir/$n.json" ]]; then jq -r '.status // "unknown"' "$dir/$n.json"; else echo unknown; fi ;;
  message) jq -r '.error_message // ""' "$dir/$n.json" ;;
  list) for f in "$dir"/*.json; do if [[ -f "$f" ]]; then printf '%s\t%s\n' "$(basename "$f" .json)" "$(jq -r .status "$f")"; fi; done | sort -n ;;
  drop) rm -f "$dir/$n.json" ;;
esac
)TOOL");
  }

  [[nodiscard]] std::string other(std::vector<std::string> args) const {
    args.insert(args.begin(), project_.file("other_tool.sh"));
    const Ran ran = run_program("bash", args, options());
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out;
  }
  // Notes about outside changes on stderr are welcome here.
  [[nodiscard]] std::string ours(std::string_view script) const {
    const Ran ran = run(script);
    EXPECT_EQ(ran.exit, 0) << script << "\n" << ran.err;
    return ran.out;
  }
};

TEST_F(BesideAnotherTool, WhatOneWritesTheOtherReads) {
  const std::vector<std::string> walk = {"running", "running", "complete", "running",
                                         "error",   "error",   "running",  "complete"};
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const std::string message = walk[i] == "error" ? "失敗 \"" + std::to_string(i) + "\" \\" : "";
    if (i % 2 == 0) {
      EXPECT_EQ(other({"save", "42", walk[i], "theirs", message}), "");
    } else {
      EXPECT_EQ(ours("save_status 42 " + walk[i] + " ours '" + message + "'"), "");
    }
    EXPECT_EQ(other({"get", "42"}), walk[i] + "\n") << i;
    EXPECT_EQ(ours("get_status 42"), walk[i] + "\n") << i;
    EXPECT_EQ(other({"message", "42"}), message + "\n") << i;
    EXPECT_EQ(ours("echo \"$(get_error_message 42)\""), message + "\n") << i;
    EXPECT_EQ(ours("jq . \"$STATUS/42.json\" | cmp - \"$STATUS/42.json\""), "") << i;
  }
}

TEST_F(BesideAnotherTool, BothListTheSame) {
  EXPECT_EQ(other({"save", "10", "running", "s"}) + other({"save", "9", "error", "s", "m"}), "");
  EXPECT_EQ(ours("save_status 2 complete s; save_status 100 running s"), "");
  EXPECT_EQ(ours("list_all_statuses"), "2\tcomplete\n9\terror\n10\trunning\n100\trunning\n");
  EXPECT_EQ(other({"list"}), ours("list_all_statuses"));
}

TEST_F(BesideAnotherTool, ItsOrderAndItsOwnKeysStay) {
  EXPECT_EQ(other({"save_late", "5", "error", "theirs", "too slow", "nightly"}), "");
  EXPECT_EQ(ours("save_status 5 error ours 'still too slow'; jq -c '[keys_unsorted, .session, .error_message, "
                 ".session_label]' "
                 "\"$STATUS/5.json\""),
            "[[\"issue\",\"status\",\"session\",\"timestamp\",\"error_message\",\"session_label\"],\"ours\",\"still "
            "too slow\","
            "\"nightly\"]\n");
}

TEST_F(BesideAnotherTool, AStatusThatItInventsIsPutBack) {
  EXPECT_EQ(ours("save_status 5 running s"), "");
  EXPECT_EQ(other({"save", "5", "done", "theirs"}), "");
  EXPECT_EQ(ours("get_status 5"), "running\n");
  EXPECT_EQ(other({"get", "5"}), "running\n");
  EXPECT_THAT(status_file(5), HasSubstr("theirs"));
}

TEST_F(BesideAnotherTool, WhatItRemovesStaysRemoved) {
  EXPECT_EQ(ours("save_status 5 running s; save_status 6 running s"), "");
  EXPECT_EQ(other({"drop", "5"}), "");
  EXPECT_EQ(ours("get_status 5; list_all_statuses"), "unknown\n6\trunning\n");
  EXPECT_EQ(other({"list"}), "6\trunning\n");
  EXPECT_EQ(ours("save_status 5 complete again"), "");
  EXPECT_EQ(other({"get", "5"}), "complete\n");
}

}  // namespace
}  // namespace pawl::test

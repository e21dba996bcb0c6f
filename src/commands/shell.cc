// What the shell door is made of: the text of its functions, and the two names that the functions ask for.
#include <array>

#include "base/place.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/shell_bash.h"
#include "commands/table.h"
#include "engine/settings.h"
#include "engine/workspace.h"
#include "lifecycles/issue/issue.h"

namespace pawl {
namespace {

Result<Reply> run_bash(Context& context, const Arguments&) {
  return Reply{Json{{"shell", "bash"}, {"text", bash_functions(context.self())}}};
}

// A script reads this, not a terminal: it is printed as it is. Nothing in it comes from a stranger.
std::string bash_text(const Json& data, const TextStyle&) { return string_or(data, "text"); }

constexpr std::array kBashExamples = {
    Example{"source <(pawl shell bash)", "in a script, in place of: source lib/status.sh"},
    Example{"eval \"$(pawl shell bash)\"", "the same in bash 3.2, as macOS has it"},
};

// Both below only look at settings: they answer where there is no store yet, and without opening one.
Result<Reply> run_dir(Context& context, const Arguments&) {
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(const Settings settings, load_settings(workspace, context.lifecycles()));
  const Roots roots(workspace.root, workspace.home, {});
  return Reply{Json{{"dir", roots.absolute(cat(issue::base_dir(settings), "/.status"))}}};
}

// A path is for the shell to use: bytes that a terminal would not show must reach it unchanged.
std::string dir_text(const Json& data, const TextStyle&) { return cat(string_or(data, "dir"), "\n"); }

constexpr std::array kDirExamples = {
    Example{"pawl issue dir", "prints /home/me/project/.worktrees/.status"},
    Example{"PAWL_ISSUE_BASE_DIR=/srv/trees pawl issue dir", "prints /srv/trees/.status"},
};

Result<Reply> run_session(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  PAWL_ASSIGN(const Settings settings, load_settings(workspace, context.lifecycles()));
  return Reply{Json{{"session", issue::session_name(arguments.number("number").value_or(0), settings)}}};
}

std::string session_text(const Json& data, const TextStyle&) { return cat(string_or(data, "session"), "\n"); }

constexpr std::array kSessionParams = {
    Param{.name = "number",
          .type = ParamType::positive,
          .value = "N",
          .summary = "the issue's number",
          .positional = true,
          .required = true},
};

constexpr std::array kSessionExamples = {
    Example{"pawl issue session 42", "prints pi-issue-42"},
    Example{"tmux attach -t \"$(pawl issue session 42)\"", "go to the terminal where the agent works"},
};

}  // namespace

const Verb kShellBash = {
    .noun = "shell",
    .name = "bash",
    .summary = "print bash functions that keep issue statuses: save_status, get_status and the rest",
    .manual =
        "The functions have the names, arguments and output of those in lib/status.sh: init_status_dir, "
        "get_status_dir, save_status, set_status, get_status, load_status, get_error_message, list_all_statuses, "
        "list_issues_by_status, remove_status, find_orphaned_statuses, json_escape, build_json_with_jq and "
        "build_json_fallback. A script that reads them goes on as before, also under set -euo pipefail; every "
        "status it sets is checked, logged and can be undone.\n\n"
        "Where the script has a function get_config, the folder is the one it gives for worktree_base_dir. Its "
        "log_debug, log_info and generate_session_name are called where they exist. PAWL_BIN names another "
        "pawl to call, PAWL_REASON says why a status is set.",
    .examples = kBashExamples,
    .for_a_file = true,
    .run = run_bash,
    .text = bash_text,
};

const Verb kIssueDir = {
    .noun = "issue",
    .name = "dir",
    .summary = "print the folder of the status files",
    .manual =
        "The folder need not exist. It is .status below the base folder: issue.base_dir in pawl.toml or "
        "PAWL_ISSUE_BASE_DIR, otherwise .worktrees in the workspace.",
    .examples = kDirExamples,
    .for_a_file = true,
    .run = run_dir,
    .text = dir_text,
};

const Verb kIssueSession = {
    .noun = "issue",
    .name = "session",
    .summary = "print what the terminal session of an issue is called",
    .manual =
        "The name follows from the number and the prefix: issue.session_prefix in pawl.toml or "
        "PAWL_ISSUE_SESSION_PREFIX, otherwise pi. `pawl issue show` tells which session a status was saved with.",
    .params = kSessionParams,
    .examples = kSessionExamples,
    .for_a_file = true,
    .run = run_session,
    .text = session_text,
};

}  // namespace pawl

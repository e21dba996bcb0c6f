#include "commands/shell_bash.h"

#include "base/text.h"

namespace pawl {
namespace {

// What the text must survive, since it runs inside somebody else's script:
//   1. `set -euo pipefail`, an ERR trap, any IFS: nothing is split, no expected failure is a bare command;
//   2. bash scopes dynamically: the script's own functions (get_config, log_debug, generate_session_name) are
//      called from in here and would see our locals, and a readonly global forbids a local of its name. So
//      every local starts with _pawl_;
//   3. bash 3.2 (macOS): no namerefs, no mapfile, no empty array under `set -u`. There `source <(…)` reads nothing,
//      so the text must work under `eval` too;
//   4. being read twice, and being read by another shell, which stops at the first command.
// No rule of a lifecycle stands here: what is legal, where files are and what a session is called, pawl knows.
constexpr std::string_view kHead = R"BASH(# Issue statuses, kept by pawl. Use:  source <(pawl shell bash)
# In bash 3.2, where that reads nothing:  eval "$(pawl shell bash)"
#
# PAWL_BIN     another pawl than the one that printed this
# PAWL_REASON  why a status is set, for the log

if [ -z "${BASH_VERSION:-}" ]; then
    echo "pawl: 'pawl shell bash' is for bash, and this is another shell; run the script with bash" >&2
    return 1 2>/dev/null || exit 1
fi

# The folder comes from the script's own configuration where it has one. A configuration that says nothing,
# or fails, leaves it to pawl's.
_pawl_call() {
    local _pawl_bin="${PAWL_BIN:-}" _pawl_base=""
    if [[ -z "$_pawl_bin" ]]; then
        _pawl_bin=)BASH";

constexpr std::string_view kTail = R"BASH(
        # A script can outlive the version of pawl that it started with.
        [[ -x "$_pawl_bin" ]] || _pawl_bin=pawl
    fi
    if declare -F get_config >/dev/null; then
        _pawl_base="$(_pawl_configured_base)" || _pawl_base=""
    fi
    if [[ -n "$_pawl_base" ]]; then
        PAWL_ISSUE_BASE_DIR="$_pawl_base" command -- "$_pawl_bin" "$@"
    else
        command -- "$_pawl_bin" "$@"
    fi
}

# get_config answers from what load_config has read, in scripts that have both.
_pawl_configured_base() {
    if declare -F load_config >/dev/null; then
        load_config >/dev/null || :
    fi
    get_config worktree_base_dir
}

# _pawl_log FUNCTION TEXT: the script's own log, where it has one. A log that fails is not worth a script's end.
# Without one, what a user should know still goes to stderr.
_pawl_log() {
    if declare -F "$1" >/dev/null; then
        "$@" || :
    elif [[ "$1" != log_debug ]]; then
        printf 'pawl: %s\n' "$2" >&2
    fi
}

# _pawl_set CALLER ISSUE STATUS SESSION MESSAGE
_pawl_set() {
    local _pawl_message="$5"
    # Linux takes no argument beyond 128 KiB. pawl keeps 64 KiB of a message, so what is cut here is lost anyway.
    if (( ${#_pawl_message} > 24576 )); then
        _pawl_message="$(LC_ALL=C; printf '%s' "${_pawl_message:0:98304}")"
    fi
    # Old scripts have no words for why they correct a status, so the log gets the script's name.
    _pawl_call issue set --strip "--session=$4" "--message=$_pawl_message" \
        "--reason=${PAWL_REASON:-$1 in ${0##*/}}" -- "$2" "$3" >/dev/null || return
    _pawl_log log_debug "Saved status for issue #$2: $3"
}

get_status_dir() {
    _pawl_call issue dir
}

init_status_dir() {
    local _pawl_dir
    _pawl_dir="$(get_status_dir)" || return
    if [[ ! -d "$_pawl_dir" ]]; then
        mkdir -p -- "$_pawl_dir" || return
        _pawl_log log_debug "Created status directory: $_pawl_dir"
    fi
}

# save_status ISSUE STATUS [SESSION [MESSAGE]]
save_status() {
    if [[ -n "${5-}" ]]; then
        _pawl_log log_info "the session label of issue #${1-} is not kept: $5"
    fi
    _pawl_set save_status "${1-}" "${2-}" "${3-}" "${4-}"
}

# set_status ISSUE STATUS [MESSAGE]: the session is called as the script calls its sessions, or as pawl does.
# Only an error has a message.
set_status() {
    local _pawl_session="" _pawl_text=""
    if [[ "${2-}" == error ]]; then
        _pawl_text="${3-}"
    fi
    if declare -F generate_session_name >/dev/null; then
        _pawl_session="$(generate_session_name "${1-}")" || _pawl_session=""
    fi
    if [[ -z "$_pawl_session" ]]; then
        _pawl_session="$(_pawl_call issue session -- "${1-}")" || return
    fi
    _pawl_set set_status "${1-}" "${2-}" "$_pawl_session" "$_pawl_text"
}

# One word; unknown where there is no status
get_status() {
    _pawl_call issue get -- "${1-}"
}

# What is in the file, byte for byte; nothing when there is none. pawl looks first, so that what is no status is not read.
load_status() {
    local _pawl_dir _pawl_text=""
    _pawl_call issue get -- "${1-}" >/dev/null || return
    _pawl_dir="$(get_status_dir)" || return
    if [[ -f "$_pawl_dir/${1-}.json" ]]; then
        IFS= read -r -d '' _pawl_text <"$_pawl_dir/${1-}.json" || :
        printf '%s' "$_pawl_text"
    fi
}

get_error_message() {
    _pawl_call issue error -- "${1-}"
}

# ISSUE<TAB>STATUS, by number
list_all_statuses() {
    _pawl_call issue list
}

list_issues_by_status() {
    local _pawl_rows
    _pawl_rows="$(_pawl_call issue list "--status=${1-}")" || return
    if [[ -n "$_pawl_rows" ]]; then
        printf '%s\n' "$_pawl_rows" | while IFS=$'\t' read -r _pawl_issue _pawl_rest; do
            printf '%s\n' "$_pawl_issue"
        done
    fi
}

remove_status() {
    local _pawl_answer
    _pawl_answer="$(_pawl_call issue remove -- "${1-}")" || return
    if [[ "$_pawl_answer" == *' is removed'* ]]; then
        _pawl_log log_debug "Removed status file for issue #${1-}"
    fi
}

# Issues whose worktree is gone
find_orphaned_statuses() {
    _pawl_call issue orphans
}

# The inside of a JSON string, as jq writes it.
json_escape() {
    local _pawl_text="${1-}" _pawl_byte _pawl_raw _pawl_as
    _pawl_text="${_pawl_text//\\/\\\\}"
    _pawl_text="${_pawl_text//\"/\\\"}"
    if [[ "$_pawl_text" == *[[:cntrl:]]* ]]; then
        for _pawl_byte in 001 002 003 004 005 006 007 010 011 012 013 014 015 016 017 020 \
            021 022 023 024 025 026 027 030 031 032 033 034 035 036 037 177; do
            printf -v _pawl_raw "\\$_pawl_byte"
            case "$_pawl_byte" in
                010) _pawl_as='\b' ;;
                011) _pawl_as='\t' ;;
                012) _pawl_as='\n' ;;
                014) _pawl_as='\f' ;;
                015) _pawl_as='\r' ;;
                *) printf -v _pawl_as '\\u%04x' "0$_pawl_byte" ;;
            esac
            _pawl_text="${_pawl_text//$_pawl_raw/$_pawl_as}"
        done
    fi
    printf '%s\n' "$_pawl_text"
}

# build_json_with_jq ISSUE STATUS SESSION TIMESTAMP [MESSAGE]
build_json_with_jq() {
    if ! command -v jq >/dev/null 2>&1; then
        build_json_fallback "$@"
        return
    fi
    jq -n --argjson issue "${1-}" --arg state "${2-}" --arg session "${3-}" --arg at "${4-}" --arg message "${5-}" \
        '{issue: $issue, status: $state, session: $session}
            + (if $message == "" then {} else {error_message: $message} end) + {timestamp: $at}'
}

# The same without jq
build_json_fallback() {
    printf '{\n  "issue": %s,\n  "status": "%s",\n  "session": "%s",\n' \
        "${1-}" "$(json_escape "${2-}")" "$(json_escape "${3-}")"
    if [[ -n "${5-}" ]]; then
        printf '  "error_message": "%s",\n' "$(json_escape "$5")"
    fi
    printf '  "timestamp": "%s"\n}\n' "$(json_escape "${4-}")"
}
)BASH";

}  // namespace

std::string bash_functions(std::string_view pawl_path) {
  std::string out(kHead);
  out += shell_quoted(pawl_path.empty() ? "pawl" : pawl_path);
  out += kTail;
  return out;
}

}  // namespace pawl

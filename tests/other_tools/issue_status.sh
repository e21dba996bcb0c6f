# The status functions of the issue runner whose files pawl guards, as its document has them, word for word; then the
# few that it names without showing them, by what it says of them. Read by leave_test.cc, run by bash.
set -euo pipefail

build_json_with_jq() {
    local issue_number="$1"
    local status="$2"
    local session_name="$3"
    local timestamp="$4"
    local error_message="${5:-}"

    if [[ -n "$error_message" ]]; then
        jq -n \
            --argjson issue "$issue_number" \
            --arg status "$status" \
            --arg session "$session_name" \
            --arg error "$error_message" \
            --arg timestamp "$timestamp" \
            '{issue: $issue, status: $status, session: $session, error_message: $error, timestamp: $timestamp}'
    else
        jq -n \
            --argjson issue "$issue_number" \
            --arg status "$status" \
            --arg session "$session_name" \
            --arg timestamp "$timestamp" \
            '{issue: $issue, status: $status, session: $session, timestamp: $timestamp}'
    fi
}

build_json_fallback() {
    local issue_number="$1"
    local status="$2"
    local session_name="$3"
    local timestamp="$4"
    local error_message="${5:-}"

    # JSONエスケープ処理
    local escaped_status escaped_session escaped_timestamp
    escaped_status="$(json_escape "$status")"
    escaped_session="$(json_escape "$session_name")"
    escaped_timestamp="$(json_escape "$timestamp")"

    if [[ -n "$error_message" ]]; then
        local escaped_message
        escaped_message="$(json_escape "$error_message")"
        cat << EOF
{
  "issue": $issue_number,
  "status": "$escaped_status",
  "session": "$escaped_session",
  "error_message": "$escaped_message",
  "timestamp": "$escaped_timestamp"
}
EOF
    else
        cat << EOF
{
  "issue": $issue_number,
  "status": "$escaped_status",
  "session": "$escaped_session",
  "timestamp": "$escaped_timestamp"
}
EOF
    fi
}

json_escape() {
    local str="$1"
    # バックスラッシュを最初にエスケープ（順序重要）
    str="${str//\\/\\\\}"
    # ダブルクォート
    str="${str//\"/\\\"}"
    # タブ
    str="${str//$'\t'/\\t}"
    # 改行
    str="${str//$'\n'/\\n}"
    # キャリッジリターン
    str="${str//$'\r'/\\r}"
    echo "$str"
}

save_status() {
    local issue_number="$1"
    local status="$2"
    local session_name="${3:-}"
    local error_message="${4:-}"

    # ディレクトリ初期化
    init_status_dir

    local status_dir
    status_dir="$(get_status_dir)"
    local status_file="${status_dir}/${issue_number}.json"
    local timestamp
    timestamp="$(date -u +"%Y-%m-%dT%H:%M:%SZ")"

    # JSONを構築
    local json
    if command -v jq &>/dev/null; then
        json="$(build_json_with_jq "$issue_number" "$status" "$session_name" "$timestamp" "$error_message")"
    else
        json="$(build_json_fallback "$issue_number" "$status" "$session_name" "$timestamp" "$error_message")"
    fi

    echo "$json" > "$status_file"
    log_debug "Saved status for issue #$issue_number: $status"
}

find_orphaned_statuses() {
    local status_dir
    status_dir="$(get_status_dir)"

    if [[ ! -d "$status_dir" ]]; then
        return 0
    fi

    local worktree_base
    worktree_base="$(get_config worktree_base_dir)"

    for status_file in "$status_dir"/*.json; do
        [[ -f "$status_file" ]] || continue
        local issue_number
        issue_number="$(basename "$status_file" .json)"

        # 対応するworktreeが存在するか確認
        local has_worktree=false
        for dir in "$worktree_base"/issue-"${issue_number}"-*; do
            if [[ -d "$dir" ]]; then
                has_worktree=true
                break
            fi
        done

        # worktreeが存在しない場合は孤立
        if [[ "$has_worktree" == "false" ]]; then
            echo "$issue_number"
        fi
    done
}

cleanup_issue() {
    local issue_number="$1"

    # worktreeを削除
    local worktree
    if worktree="$(find_worktree_by_issue "$issue_number")"; then
        remove_worktree "$worktree" true
    fi

    # ステータスファイルを削除
    remove_status "$issue_number"

    log_info "Cleaned up issue #$issue_number"
}

# --- named there, not shown ---

log_debug() { :; }
log_info() { echo "$*"; }
get_config() { echo .worktrees; }
get_status_dir() { echo "$(get_config worktree_base_dir)/.status"; }
init_status_dir() { mkdir -p "$(get_status_dir)"; }

set_status() { save_status "$1" "$2" "pi-issue-$1" "${3:-}"; }
load_status() { cat "$(get_status_dir)/$1.json"; }

# One member of a status file, by jq or without it.
member_of() {
    local file
    file="$(get_status_dir)/$1.json"
    [[ -f "$file" ]] || return 0
    if command -v jq &>/dev/null; then
        jq -r --arg name "$2" '.[$name] // ""' "$file"
    else
        sed -n "s/^ *\"$2\": \"\(.*\)\",\{0,1\}\$/\1/p" "$file"
    fi
}
get_status() {
    local status
    status="$(member_of "$1" status)"
    echo "${status:-unknown}"
}
get_error_message() { member_of "$1" error_message; }

list_all_statuses() {
    local status_file issue_number
    for status_file in "$(get_status_dir)"/*.json; do
        issue_number="$(basename "$status_file" .json)"
        printf '%s\t%s\n' "$issue_number" "$(get_status "$issue_number")"
    done
}
list_issues_by_status() { list_all_statuses | awk -F '\t' -v wanted="$1" '$2 == wanted { print $1 }'; }
remove_status() { rm -f "$(get_status_dir)/$1.json"; }

find_worktree_by_issue() {
    local dir
    for dir in "$(get_config worktree_base_dir)"/issue-"$1"-*; do
        if [[ -d "$dir" ]]; then echo "$dir"; return 0; fi
    done
    return 1
}
remove_worktree() { rm -r "$1"; }

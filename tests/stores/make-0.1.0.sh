#!/usr/bin/env bash
# make-0.1.0.sh PAWL FOLDER: makes the stores in tests/stores/0.1.0/ with the binary of 0.1.0, each a workspace as a
# crash or a day's work left it. Beside the files there is `pawl.sql`, the database, and `answers.txt`, what that binary
# said of it. In the files' names `dot.` stands for a dot at the beginning. store_versions_test.cc opens them with this pawl and asks the same.
set -euo pipefail
pawl=$(readlink -f -- "$1") out=$2
HOME=$(mktemp -d)
trap 'rm -r "$HOME"' EXIT
export HOME PAWL_ACTOR=ann GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org \
  GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

stories='{"project": "shop", "stories": [
  {"id": "US-1", "title": "Reset a password", "priority": 1, "status": "pending"},
  {"id": "US-2", "title": "Show the basket", "status": "pending"}]}'
loop='{"active": true, "iteration": 3, "max_iterations": 50, "prompt": "mend it", "session_id": "s", "started_at": "2026-01-02T03:04:05.000Z"}'
review='---
pr_owner: "octo"
pr_repo: "cat"
pr_number: 7
head_sha: "abc123"
started: "2026-01-02T03:04:05Z"
updated: "2026-01-02T03:04:05Z"
mode: "full"
focus: ""
self_review: false
---

## Chunk Plan

| Chunk | Files | LOC | Status |
|-------|-------|-----|--------|
| 1 | a.ts | 1 | reviewed |
| 2 | b.ts | 2 | pending |

## Findings

### 🟡 Recommended Slow loop

**File:** `a.ts:1` | **Category:** bug | **Confidence:** 90/100
**Marked for GitHub:** true

It is slow.

## Comments by File

```json
{}
```
'

begin() {
  local name=$1
  place=/tmp/pawl-store-$name && rm -rf "$place"
  mkdir -p "$place/.git/objects" "$place/.git/refs/heads"
  echo 'ref: refs/heads/main' >"$place/.git/HEAD"
  cd "$place"
}
p() { "$pawl" "$@" >/dev/null 2>&1 || true; }

# keep NAME: what is there, as text.
keep() {
  local to=$out/$1 file
  rm -rf -- "$to" && mkdir -p -- "$to/files"
  for question in "log --json" "story list --json" "issue list --json" "ralph show --json" \
    "review status --json" "review finding list --json"; do
    cp -a "$place" "$place.asked" && cd "$place.asked"
    # shellcheck disable=SC2086 # words
    printf '## %s\n%s\n' "$question" "$("$pawl" $question 2>/dev/null)" >>"$to/answers.txt" || true
    cd / && rm -rf "$place.asked"
  done
  cd "$place"
  sqlite3 .pawl/pawl.db 'PRAGMA application_id' 'PRAGMA user_version' 'PRAGMA page_size' |
    { read -r a; read -r v; read -r s; printf 'PRAGMA page_size=%s;\nPRAGMA application_id=%s;\nPRAGMA user_version=%s;\n' "$s" "$a" "$v"; } >"$to/pawl.sql"
  sqlite3 .pawl/pawl.db .dump | grep -v '^PRAGMA foreign_keys' >>"$to/pawl.sql"
  find . -type f ! -path './.git/*' ! -name 'pawl.db*' ! -name gate ! -path './.pawl/.gitignore' -print0 |
    while IFS= read -r -d '' file; do
      local name=${file#./} # a .gitignore would hide its neighbours from git
      name=$(sed 's#\(^\|/\)\.#\1dot.#g' <<<"$name")
      mkdir -p "$(dirname -- "$to/files/$name")" && cp -- "$file" "$to/files/$name"
    done
  cd / && rm -rf "$place"
}

# One look finds edits of four families, in one operation.
begin mixed
mkdir -p .omc .review-buddy .worktrees/.status
printf '%s' "$stories" >prd.json
printf '%s' "$loop" >.omc/ralph-state.json
printf '%s' "$review" >.review-buddy/review-buddy-state.md
p init
p issue set 1 running
p story move US-1 committed --branch us-1
sed -i 's/Show the basket/Show the cart/' prd.json
sed -i 's/"iteration": 3/"iteration": 4/' .omc/ralph-state.json
sed -i 's/"running"/"complete"/' .worktrees/.status/1.json
sed -i 's/It is slow/It is very slow/' .review-buddy/review-buddy-state.md
p status
p story drop US-2
p review toggle 1
keep mixed

# Killed after the commit and before the exchange: the file shows what it showed before, the staged file waits.
begin killed
p issue set 1 running
p issue set 2 running
strace -f -o /dev/null -e trace=renameat2 -e inject=renameat2:signal=KILL:when=1 "$pawl" issue set 1 complete >/dev/null 2>&1 || true
keep killed

# A status that no file may have is left standing (outside = "flag").
begin flagged
printf 'outside = "flag"\n' >pawl.toml
printf '%s' "$stories" >prd.json
p init
p issue set 1 running
sed -i 's/"running"/"done"/' .worktrees/.status/1.json
sed -i '/US-1/s/"pending"/"finished"/' prd.json
p status
keep flagged

# git brought another version of the list.
begin git
rm -rf .git && git init -q -b main .
printf '%s' "$stories" >prd.json && git add prd.json && git commit -qm one
git checkout -q -b other && sed -i 's/Reset a password/Set a password/' prd.json && git commit -qam two && git checkout -q main
p init
p story move US-1 committed --branch us-1
git add -A . ':!.pawl' && git commit -qm three && git checkout -q -f other
p status
keep git

# An agent is at work on an issue, in a worktree and a session of its own.
begin running
rm -rf .git && git init -q -b main . && printf '.worktrees\n.pawl\n' >.gitignore && git add . && git commit -qm one
export TMUX_TMPDIR=$(mktemp -d) SHELL=/bin/sh
unset TMUX
p issue run 5 --title 'Say hello' -- sh -c 'echo ready; exec tail -f /dev/null'
rm -rf .worktrees/issue-5-say-hello
keep running
tmux kill-server || true
rm -rf "$TMUX_TMPDIR"

#!/usr/bin/env bash
# Starts `pawl practice`, asks it for everything it has, and holds the answers against GitHub's description of its API.
# Usage: run.sh PAWL FOLDER — the folder gets the npm packages and the record; it is never the source tree.
set -euo pipefail
if [ $# -ne 2 ]; then
  echo "usage: $0 PAWL FOLDER" >&2
  exit 2
fi
pawl=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cp "$here/package.json" "$folder/package.json"
if [ ! -d "$folder/node_modules/ajv" ]; then
  (cd "$folder" && npm install --silent --no-audit --no-fund --ignore-scripts)
fi
record=$folder/record.jsonl
rm -f "$record"
coproc SERVER { exec "$pawl" practice --json --world "$here/world.json" --record "$record"; }
server=$SERVER_PID
trap 'kill "$server" 2>/dev/null || true' EXIT
read -r line <&"${SERVER[0]}"
node "$here/drive.mjs" "$line"
kill "$server"
wait "$server" || true
node "$here/check.mjs" "$folder" "$record"

#!/usr/bin/env bash
# The index and the portal on a current release of ClickHouse, of which Debian has none: on its engine as a library, behind
# the HTTP interface of one server. The same rows and answers as SQLite's. docs/testing.md says where the library is had.
# Usage: tests/clickhouse/today.sh LIBCHDB.SO
here=$(cd "$(dirname "$0")" && pwd)
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
export IOLITE_TOOLS
# shellcheck source=tests/e2e/checks.bash
. "$here/../e2e/checks.bash"
library_of_engine=${1:-}
[ -e "$library_of_engine" ] || skip "there is no libchdb.so '$library_of_engine'"
for name in python3 curl; do command -v $name >/dev/null || skip "there is no $name"; done
# shellcheck source=tests/e2e/centre.bash
. "$here/../e2e/centre.bash"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir "$work/engine"
engine=
# shellcheck disable=SC2317 # the trap calls it
server_remove() {
    [ -z "$engine" ] || kill -9 "$engine"
    wait "$engine"
} 2>/dev/null
trap 'server_remove; rm -rf "$work"' EXIT
request() { curl -sS --fail-with-body --noproxy '*' "http://127.0.0.1:$port/?database=$1" --data-binary "$2"; }
server_start() {
    python3 "$here/engine.py" "$library_of_engine" "$work/engine" "$port" >"$work/engine.out" 2>&1 &
    engine=$!
    until_true request default 'SELECT 1' >/dev/null 2>&1 || fail "the engine does not start: $(tail -n 3 "$work/engine.out")"
}
fresh() {
    request default "CREATE DATABASE $1" >&2
    printf 'clickhouse://127.0.0.1:%s/%s' "$port" "$1"
}
set_version() { request "${1##*/}" "INSERT INTO meta_kept VALUES ('schema', '$2', $((2 * $(date +%s%6N))), 0)"; }
make_version_3() {
    local table
    for table in job sched; do
        request "${1##*/}" "ALTER TABLE ${table}_kept DROP COLUMN missed"
        request "${1##*/}" "DROP TABLE $table"
        request "${1##*/}" "CREATE VIEW $table AS SELECT cluster, jobid FROM ${table}_kept FINAL"
    done
    set_version "$1" 3
}
small_store() { :; } # its disk is this machine's
server_start
echo "ClickHouse $(request default 'SELECT version()')"
# shellcheck source=tests/e2e/stores.bash
. "$here/../e2e/stores.bash"
check_all
hang() { kill -STOP "$engine"; }
hang_no_more() { kill -CONT "$engine"; }
rm -rf "$work/centre"
# shellcheck source=tests/e2e/serve_store.bash
. "$here/../e2e/serve_store.bash"
finish

#!/usr/bin/env bash
# Workflows that left a log per process: which logs are of one run, shown by merge --group and judged by diagnose --group.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
status 0 "$iolite" merge --group --json "$demo" "$seeds/trailer.darshan"
valid_json "merge --group --json"
status 2 "$iolite" merge --group
status 0 "$iolite" diagnose --group "$demo"

# The index makes the same rows of the logs of runs, whether they come at once or one by one, in any order, from any directory,
# under their names or in a bundle.
rows() { # store
    sqlite3 "$1" "SELECT identity, jobid, run_evidence FROM log ORDER BY identity; SELECT * FROM job ORDER BY jobid, owner, start;
        SELECT * FROM day_use ORDER BY day, owner, exename; SELECT * FROM day_steps ORDER BY day, logs; SELECT * FROM stale; SELECT SUM(waits) FROM run_log"
}
if command -v sqlite3 >/dev/null && "$tools/make-workflow" "$work/flow"; then
    status 0 "$iolite" index -q --store "$work/once.db" "$work/flow"
    rows "$work/once.db" >"$work/once"
    [ "$(sqlite3 "$work/once.db" 'SELECT jobid, logs FROM job ORDER BY jobid' | tr '\n' ' ')" = "3050.1700000000|5 3300|1 5001.1700000001|3 9000|1 " ] ||
        fail "jobs of two runs: $(sqlite3 "$work/once.db" 'SELECT jobid, logs FROM job')"
    same_as_once() { cmp -s "$work/once" <(rows "$1") || fail "$2: $(diff "$work/once" <(rows "$1") | head -n 3)"; }
    for order in "1 2 3" "3 2 1" "2 3 1"; do
        rm -f "$work/passes.db"*
        for day in $order; do status 0 "$iolite" index -q --store "$work/passes.db" "$work/flow/$day"; done
        same_as_once "$work/passes.db" "passes $order"
    done
    mkdir "$work/growing"
    for log in "$work"/flow/*/*; do
        cp "$log" "$work/growing"
        status 0 "$iolite" index -q --store "$work/grown.db" "$work/growing"
    done
    same_as_once "$work/grown.db" "a growing directory"
    status 0 "$iolite" index -q --again --store "$work/grown.db" "$work/growing"
    same_as_once "$work/grown.db" "read again"
    status 0 "$iolite" archive pack --output "$work/flow.bundle" "$work/flow/1"
    status 0 "$iolite" index -q --store "$work/bundled.db" "$work/flow.bundle"
    status 0 "$iolite" index -q --store "$work/bundled.db" "$work/flow/2" "$work/flow/3"
    same_as_once "$work/bundled.db" "in a bundle"
    status 0 "$iolite" index -q --copy "$work/once.db" "$work/copied.db"
    same_as_once "$work/copied.db" "copied"
    # With pseudonyms as without.
    (umask 077 && echo key >"$work/key")
    status 0 "$iolite" index -q --key-file "$work/key" --store "$work/keyed.db" "$work/flow/3"
    status 0 "$iolite" index -q --key-file "$work/key" --store "$work/keyed.db" "$work/flow/2" "$work/flow/1"
    [ "$(sqlite3 "$work/keyed.db" 'SELECT jobid, logs FROM job ORDER BY jobid' | tr '\n' ' ')" = "3050.1700000000|5 3300|1 5001.1700000001|3 9000|1 " ] ||
        fail "jobs with pseudonyms: $(sqlite3 "$work/keyed.db" 'SELECT jobid, logs FROM job')"
    ! sqlite3 "$work/keyed.db" .dump | grep -e scheduler.json -e "'n1" || fail "names are left in a store of pseudonyms"
    # The site file may say otherwise, also later.
    echo '{"group_logs": "never"}' >"$work/never.json"
    status 0 "$iolite" index -q --again --site "$work/never.json" --store "$work/grown.db" "$work/growing"
    [ "$(sqlite3 "$work/grown.db" 'SELECT COUNT(*), SUM(logs) FROM job')" = "10|10" ] || fail "runs are left where logs are not grouped"
fi

runs=$corpus/workflow
if [ ! -d "$runs/run1" ] || ! command -v python3 >/dev/null; then finish; fi

# groups DIRECTORY: "34 run1, 34 run2" for two groups with all logs of a run each.
groups() {
    "$iolite" merge --group --json "$1" | python3 -c '
import json, os, sys
document = json.load(sys.stdin)
run2 = set(os.listdir(sys.argv[1]))
texts = []
for group in document["groups"]:
    of = {"run2" if os.path.basename(log["path"]) in run2 else "run1" for log in group["logs"]}
    texts.append("%d %s" % (len(group["logs"]), "+".join(sorted(of))))
    assert all(log["evidence"] for log in group["logs"])
print(", ".join(sorted(texts)))' "$runs/run2"
}
[ "$(groups "$runs")" = "34 run1, 34 run2" ] || fail "the two runs: $(groups "$runs")"

# In one folder, and at one time.
mkdir "$work/one" "$work/shifted"
cp "$runs"/run?/* "$work/one"
[ "$(groups "$work/one")" = "34 run1, 34 run2" ] || fail "in one folder: $(groups "$work/one")"
cp "$runs"/run1/* "$work/shifted"
for log in "$runs"/run2/*; do python3 tests/support/shift_job.py 13029 "$log" "$work/shifted/$(basename "$log")"; done
[ "$(groups "$work/shifted")" = "34 run1, 34 run2" ] || fail "at one time: $(groups "$work/shifted")"

# The index makes two jobs of them, unless the site file says otherwise.
jobs() { # directory options...
    local directory=$1
    shift
    rm -f "$work/index.db"
    "$iolite" index -q --store "$work/index.db" "$@" "$directory" >"$work/out" 2>"$work/err" || return
    "$iolite" jobs --store "$work/index.db" --json | python3 -c 'import json, sys; d = json.load(sys.stdin); print(len(d["jobs"] if "jobs" in d else d))'
}
if "$iolite" index -q --store "$work/index.db" "$demo" 2>/dev/null; then
    [ "$(jobs "$work/shifted")" = 2 ] || fail "the index makes $(jobs "$work/shifted") jobs of two runs"
    echo '{"group_logs": "never"}' >"$work/site.json"
    [ "$(IOLITE_SITE_CONFIG=$work/site.json jobs "$work/shifted")" -gt 10 ] || fail "group_logs is not heeded"
fi

status 0 "$iolite" diagnose --group "$runs/run1"
has "34 processes"
lacks "alone"
! ls -d "${TMPDIR:-/tmp}"/iolite-groups-* >/dev/null 2>&1 || fail "merged logs are left behind"
finish

#!/usr/bin/env bash
# Workflows that left a log per process: which logs are of one run, shown by merge --group and judged by diagnose --group.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
status 0 "$iolite" merge --group --json "$demo" "$seeds/trailer.darshan"
valid_json "merge --group --json"
status 2 "$iolite" merge --group
status 0 "$iolite" diagnose --group "$demo"
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

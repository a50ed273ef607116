#!/usr/bin/env bash
# Public logs of one job before and after a change, measured by others: what is advised must be what helped, and what
# their records refute must not be said.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"

twins=$corpus/twins
[ -d "$twins" ] || skip "no twins in $corpus"

# read_log NAME: findings of WARN and HIGH, one per line: level, id, best cost in seconds, actions of the advice.
read_log() {
    log=$(find "$twins" -name "snyder_$1*.darshan" | grep -v -- "${2:-^$}" | head -n 1)
    "$iolite" diagnose --json "$log" >"$work/out" 2>"$work/err" || fail "$1: diagnose"
    python3 - "$work/out" >"$work/found" <<'END'
import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["level"] in ("high", "warn", "HIGH", "WARN"):
        cost = f["cost"]["lost_s"] if f.get("cost") else 0
        print(f["level"].lower(), f["id"], round(cost, 2), ",".join(a["action"] for a in f.get("advice", [])))
END
}

# said ID ACTION LOW HIGH: the first finding, an action that it advises, and what it costs.
said() {
    awk -v id="$1" -v action="$2" -v low="$3" -v high="$4" 'NR == 1 {
        ok = $2 == id && index("," $4 ",", "," action ",") && $3 >= low && $3 <= high } END { exit !ok }' "$work/found" ||
        fail "$(basename "$log"): $1 with $2 for $3 to $4 s does not stand first: $(cat "$work/found")"
}

# unsaid PATTERN: no warning of that id.
unsaid() { ! awk '{ print $2 }' "$work/found" | grep -qE "$1" || fail "$(basename "$log"): $(grep -E "$1" "$work/found")"; }

# 4.18 s with 128 stats by each of 128 ranks, 2.0 s without.
read_log fidgetspinnerA
said posix.stat.heavy stat_once 1.1 4.2
unsaid 'balance|straggler|mpiio.absent'
"$iolite" diagnose "$log" | grep -q 'I/O time unknown' && fail "fidgetspinnerA: the time of ranks is known"
read_log fidgetspinnerB
unsaid .

# 23.1 s collectively, 11.3 s independently: the same bytes, the same stripes.
for name in warpdriveA helloworld; do
    read_log "$name"
    said mpiio.wait independent 6 24
    unsaid 'collective.none|aggregators'
done
read_log warpdriveB
unsaid .

# 61 s independently, 12 s collectively, both on one OST: a wider stripe is not what helped.
read_log h5-block-chunk coll
said lustre.contention hdf5_collective 25 60
unsaid 'stripe|balance|align'
read_log h5-block-chunk-coll
unsaid 'collective.none|hdf5.indep|contention'

finish

#!/usr/bin/env bash
# iolite compare by time: groups of runs with a planted difference and without, single runs, damaged logs; what may be
# claimed and what not.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
tool=${IOLITE_TOOLS:-}/make-runs
[ -x "$tool" ] || exit 77
runs=$work/runs
mkdir "$runs"
"$tool" "$runs" || fail "make-runs"
cd "$runs" || exit 1

fits() { [ "$(wc -L <"$work/out")" -le 80 ] || fail "$1: $(wc -L <"$work/out") columns"; }
first() { [[ $(head -n 1 "$work/out") == "$1"* ]] || fail "the first line is: $(head -n 1 "$work/out")"; }
# No word about which is better.
claims_nothing() { ! grep -qiE 'faster|slower|explains' "$work/out" || fail "$1: a claim"; }

# A published pair, one run each: facts, and no claim of any kind
status 0 "$iolite" compare ior-before.darshan ior-after.darshan
first "One run each: no claim. Seen: run time 465 s -> 2 s"
grep -qE '^POSIX writes +262,144 -> 256 ' "$work/out" || fail "the number of writes is a fact"
grep -qE '^syncs +262,144 -> 256 ' "$work/out" || fail "the number of syncs is a fact"
has "Several things changed at once (number and size of requests, syncs)"
has "to which of them a change in time is"
has "as its advice predicted (sync_once): syncs 262,144 -> 256"
claims_nothing "one run each"
fits "one run each"
cp "$work/out" "$work/pair"
for form in "--by-time ior-before.darshan ior-after.darshan" "-- ior-before.darshan ior-after.darshan" \
    "ior-before.darshan -- ior-after.darshan" "ior-before.darshan ior-after.darshan --"; do
    # shellcheck disable=SC2086 # these are words
    status 0 "$iolite" compare $form
    cmp -s "$work/out" "$work/pair" || fail "another answer: $form"
done

# With the usual variation of the site: whether it is more than two deviations, but still no claim
echo '{"site": {"load": [1, {"x": 2}]}, "history": {"runs": 9, "other": null, "log_rate_sd": 0.08}}' >context
status 0 "$iolite" compare --context context ior-before.darshan ior-after.darshan
tr '\n' ' ' <"$work/out" >"$work/line"
grep -q 'x292: more than twice the usual run-to-run variation (8.3%, 9 earlier runs)' "$work/line" || fail "history"
claims_nothing "history"
status 0 "$iolite" compare --context context plain-1.darshan again-1.darshan
tr '\n' ' ' <"$work/out" >"$work/line"
grep -q 'not more than twice the usual run-to-run variation' "$work/line" || fail "within the usual"
for few in '{"history": {"runs": 4, "log_rate_sd": 0.08}}' '{"history": {"runs": 9}}' '{}' '{"history": 3}'; do
    echo "$few" >context
    status 0 "$iolite" compare --context context ior-before.darshan ior-after.darshan
    cmp -s "$work/out" "$work/pair" || fail "a context that says nothing: $few"
done
for no in '[]' '{"history": 3' '"'; do
    echo "$no" >context
    status 3 "$iolite" compare --context context ior-before.darshan ior-after.darshan
    grep -q 'context: not a JSON object' "$work/err" || fail "a context that is none: $no"
done
status 3 "$iolite" compare --context nowhere ior-before.darshan ior-after.darshan

# A planted difference
status 0 "$iolite" compare plain-*.darshan -- buffered-*.darshan
first "B is faster: run time 100 s -> 45.1 s (-55%; 95%: -57% to -53%)."
has "Welch's t, 5 and 5 runs: p <0.001 (Holm, "
has "The program did something differently: number and size of requests."
grep -qE '^fixed .* writes to shared files' "$work/out" || fail "a finding was fixed"
has "in 5 of 5 runs of A, 0 of 5 of B"
lacks "(collective_write)" # there are fewer writes, but none of them is collective
fits "a planted difference"
status 0 "$iolite" compare buffered-*.darshan -- plain-*.darshan
first "B is slower: run time 45.1 s -> 100 s (x2.22; 95%: x2.13 to x2.31)."
grep -qE '^new .* writes to shared files' "$work/out" || fail "a finding is new"

# One thing changed, as an advice had foretold
status 0 "$iolite" compare synced-*.darshan -- unsynced-*.darshan
has "as its advice predicted (sync_once): syncs 64,000 -> 64"
tr '\n' ' ' <"$work/out" >"$work/line"
grep -q 'the only change in behaviour that the logs show: it explains the gain' "$work/line" || fail "the explanation"

# None planted
status 0 "$iolite" compare plain-*.darshan -- again-*.darshan
first "Not distinguishable from chance: run time 100 s -> 101 s (+1%; 95%: -3% to"
has "did the same I/O on both sides"
claims_nothing "no difference"

# One run several times is one run
status 0 "$iolite" compare plain-1.darshan plain-1.darshan plain-1.darshan -- buffered-[123].darshan
first "Too few runs (1 and 3): no claim."
has "! 2 logs of A are the same run as another: a run counts once."
cp plain-1.darshan twin.darshan
status 0 "$iolite" compare plain-*.darshan twin.darshan -- again-*.darshan
has "! 1 log of A is the same run as another: a run counts once."
status 0 "$iolite" compare plain-1.darshan twin.darshan
has "! 1 run of B is in A too."

# For scripts
status 1 "$iolite" compare --fail-on-regression buffered-*.darshan -- plain-*.darshan
status 0 "$iolite" compare --fail-on-regression plain-*.darshan -- buffered-*.darshan
status 0 "$iolite" compare --fail-on-regression plain-*.darshan -- again-*.darshan
status 0 "$iolite" compare --fail-on-regression ior-after.darshan ior-before.darshan
grep -q 'nothing can be called a regression' "$work/err" || fail "a question that cannot be answered"

# Two runs are too few; other sizes and programs are named
status 0 "$iolite" compare small-*.darshan -- plain-*.darshan
first "Too few runs (2 and 5): no claim."
has "! The number of processes differs: 32 in A, 64 in B."
claims_nothing "two runs"
status 0 "$iolite" compare plain-*.darshan -- other-*.darshan
has '! These are different programs: A ran heat3d, B ran <b>solver\x1b[31m.'
! grep -q '[[:cntrl:]]' "$work/out" || fail "control characters"
status 0 "$iolite" compare plain-*.darshan small-*.darshan -- again-*.darshan
has "! The runs of A differ among themselves"

# Damaged and missing logs: named, left out, the rest is compared
head -c -40 plain-2.darshan >cut.darshan
status 3 "$iolite" compare plain-1.darshan cut.darshan plain-3.darshan plain-4.darshan -- again-*.darshan
first "Not distinguishable from chance"
has "! 1 of 4 logs of A is damaged; left out of all figures."
grep -q '^iolite: cut.darshan' "$work/err" || fail "the damaged log is not named"
status 3 "$iolite" compare plain-*.darshan nowhere -- again-*.darshan
first "Not distinguishable from chance"
status 3 "$iolite" compare --fail-on-regression buffered-*.darshan cut.darshan -- plain-*.darshan
first "B is slower"
status 3 "$iolite" compare cut.darshan plain-1.darshan
has "only what could be read counts"
status 3 "$iolite" compare nowhere -- plain-1.darshan
lines 0
grep -q 'no log of A could be read' "$work/err" || fail "nothing on one side"

# JSON
status 0 "$iolite" compare --json plain-*.darshan -- buffered-*.darshan
valid_json "compare --json"
cp "$work/out" "$work/json"
status 0 "$iolite" compare plain-*.darshan --json -- buffered-*.darshan
cmp -s "$work/out" "$work/json" || fail "options between the logs"
status 0 "$iolite" compare -o answer.json plain-*.darshan -- buffered-*.darshan
lines 0
cmp -s answer.json "$work/json" || fail "-o answer.json"
status 0 "$iolite" compare --json other-*.darshan -- ior-before.darshan
valid_json "compare --json with hostile names"
if command -v jq >/dev/null; then
    jq -e '.schema == "iolite.comparison/1" and .verdict.claim == "faster" and .verdict.metric == "run_time" and
        (.metrics | map(select(.metric == "run_time"))[0] | .a.n == 5 and .test.significant and
            .test.welch.ratio < 0.5 and .test.mann_whitney.exact and .test.p_holm >= .test.p) and
        (.metrics | map(select(.metric == "writes"))[0] | .fact and .test == null and .delta == -639360) and
        (.findings | map(select(.state == "fixed")) | length) == 1 and
        (.a.runs | length) == 5 and (.changed | length) == 1' "$work/json" >/dev/null || fail "figures in JSON"
fi

# HTML: one file, nothing from outside, nothing from a log acts in it
status 0 "$iolite" compare -o page.html plain-*.darshan -- other-*.darshan
lines 0
cp page.html "$work/out"
has "<h1"
has "&lt;b&gt;solver"
lacks "<b>solver"
lacks "<script"
! grep -qE '(src|href)=' page.html || fail "something from outside"
[ "$(grep -o '<circle' page.html | wc -l)" -ge 60 ] || fail "a dot for every run"
status 4 "$iolite" compare -o nowhere/page.html plain-1.darshan again-1.darshan

# Wrong use
status 2 "$iolite" compare plain-1.darshan
status 2 "$iolite" compare --fail-on-regression plain-1.darshan plain-2.darshan plain-3.darshan
status 2 "$iolite" compare plain-1.darshan -- plain-2.darshan -- plain-3.darshan
status 2 "$iolite" compare - -- - plain-1.darshan
status 2 "$iolite" compare --by-time --by-counters plain-1.darshan plain-2.darshan
status 2 "$iolite" compare --by-counters plain-1.darshan plain-2.darshan -- plain-3.darshan
status 2 "$iolite" compare --by-counters --fail-on-regression plain-1.darshan plain-2.darshan
status 2 "$iolite" compare --top -- plain-1.darshan plain-2.darshan
"$iolite" compare - plain-2.darshan <plain-1.darshan >"$work/out" || fail "from standard input"
status 1 "$iolite" compare --by-counters plain-1.darshan -- plain-2.darshan
if [ -w /dev/full ]; then
    "$iolite" compare plain-1.darshan plain-2.darshan >/dev/full 2>/dev/null
    [ $? = 4 ] || fail "a full disk is trouble"
fi

# Anything against anything
for log in "$seeds"/*.darshan "$corpus"/logs/*.darshan; do
    [ -f "$log" ] || continue
    "$iolite" compare "$log" "$demo" >"$work/out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "compare with $log" ;; esac
    fits "$log"
    claims_nothing "$log"
done
finish

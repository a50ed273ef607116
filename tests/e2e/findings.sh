#!/usr/bin/env bash
# iolite diagnose in its native mode: forms of output, options, bad rules, and what must and must not be found in real
# logs.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
export XDG_CONFIG_HOME=$work/config HOME=$work # no rules of the user's own

# Forms of output, for every kind of log there is
for log in "$seeds"/*.darshan; do
    "$iolite" diagnose --snippets --details "$log" >"$work/out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "diagnose $log" ;; esac
    ! LC_ALL=C grep -q $'[\001-\010\013-\037\177]' "$work/out" || fail "control characters: $log"
    "$iolite" diagnose "$log" >"$work/out" 2>/dev/null
    [ "$(wc -L <"$work/out")" -le 80 ] || fail "$log: $(wc -L <"$work/out") columns"
    ! grep -q ' $' "$work/out" || fail "$log: blanks at the end of a line"
    "$iolite" diagnose --json "$log" >"$work/out" 2>/dev/null
    valid_json "diagnose --json $log"
    "$iolite" diagnose --format sarif "$log" >"$work/out" 2>/dev/null
    valid_json "diagnose --format sarif $log"
done
status 0 "$iolite" diagnose --width 50 "$demo"
[ "$(wc -L <"$work/out")" -le 50 ] || fail "--width 50: $(wc -L <"$work/out") columns"
status 0 "$iolite" diagnose --json "$demo" "$demo"
valid_json "two logs"
status 0 "$iolite" diagnose --ndjson "$demo" "$demo"
[ "$(grep -c '"schema":"iolite.finding/1"\|"schema": "iolite.finding/1"' "$work/out")" = "$(wc -l <"$work/out")" ] ||
    fail "--ndjson: not a finding a line"
status 0 "$iolite" diagnose --csv --wide "$demo" "$demo"
lines 3
[ "$(awk -F, '{print NF}' "$work/out" | sort -u | wc -l)" = 1 ] || fail "--wide: rows of different length"
status 0 "$iolite" diagnose --csv "$demo"
[ "$(head -n 1 "$work/out" | cut -d, -f1-5)" = log,job,id,alias,level ] || fail "head of --csv"
status 0 "$iolite" diagnose -o "$work/findings.json" "$demo"
cp "$work/findings.json" "$work/out"
valid_json "-o findings.json"

# The same log, the same bytes
for _ in 1 2; do
    "$iolite" diagnose --json --details "$demo" | grep -v '"elapsed_s"' >>"$work/twice"
done
half=$(($(wc -l <"$work/twice") / 2))
cmp -s <(head -n "$half" "$work/twice") <(tail -n "$half" "$work/twice") || fail "two runs differ"

# Selection, thresholds, exit status
status 0 "$iolite" diagnose --only 'posix.mix' --ids "$demo"
has "posix.mix:"
lacks "job.io.share:"
status 0 "$iolite" diagnose --skip 'posix.*,S01' --ids "$demo"
lacks "posix.mix:"
status 0 "$iolite" diagnose --min-level warn --json "$demo"
lacks '"level": "info"'
status 0 "$iolite" diagnose --fail-on high --only posix.mix "$demo"
status 1 "$iolite" diagnose --fail-on info "$demo"
status 0 "$iolite" diagnose --set posix.small.count=1 --list-thresholds
grep -q 'posix.small.count *1  (command line)' "$work/out" || fail "--set is not listed"
status 2 "$iolite" diagnose --set no.such=1 "$demo"
status 2 "$iolite" diagnose --set posix.small.count=many "$demo"
status 2 "$iolite" diagnose --fail-on bad "$demo"
status 2 "$iolite" diagnose --format bad "$demo"
status 2 "$iolite" diagnose --json --csv "$demo"
status 2 "$iolite" diagnose --explain no.such
status 2 "$iolite" diagnose --nodes x "$demo"
status 3 "$iolite" diagnose "$work/nothing"

# The rules themselves
status 0 "$iolite" diagnose --explain P05
has "posix.small.read"
has "\$posix.small.ratio = 0.1"
status 0 "$iolite" diagnose --list-rules
has "mpiio.aggregators.funnel"
status 0 "$iolite" diagnose --list-rules --json
valid_json "--list-rules --json"
status 0 "$iolite" diagnose --list-rules --format markdown
sed '1,/^## Rules$/d' docs/rules.md | diff -q - <(echo; cat "$work/out") >/dev/null ||
    fail "docs/rules.md is not what --list-rules --format markdown says"
status 2 "$iolite" diagnose --format markdown "$demo"
status 0 "$iolite" diagnose --list-variables
has "small_writes"

# Rules of a site: good ones work, bad ones are reported with their line and skipped
cat >"$work/site.rules" <<'END'
rule site.any v1
  layer job
  scope job
  when  nprocs >= $site.least
  level warn
  title "{nprocs} processes"
end
threshold site.least = 1 "processes"
rule site.later v1
  layer job
  when  nprocs >= $site.least
  title "later"
end
set posix.small.count = 5
END
status 0 "$iolite" diagnose --rules "$work/site.rules" --ids "$demo"
grep -q 'site.rules:4: no threshold is called .site.least; rule site.any is left out' "$work/err" ||
    fail "no message about line 4"
has "site.later: later"
mkdir -p "$work/config/iolite"
echo "set posix.small.count = 7" >"$work/config/iolite/insight.rules"
status 0 "$iolite" diagnose --list-thresholds
grep -q 'posix.small.count *7  (user)' "$work/out" || fail "the user's file is not read"
status 0 "$iolite" diagnose --config "$work/site.rules" --list-thresholds
grep -q 'posix.small.count *5 ' "$work/out" || fail "--config does not win over the user's file"
rm "$work/config/iolite/insight.rules"
status 4 "$iolite" diagnose --rules "$work/nothing" "$demo"

# A context document
echo '{"history": {"runs": 20, "rate_p10": 1, "ops_median": 1, "mean_request_median": 1}}' >"$work/context.json"
status 0 "$iolite" diagnose --context "$work/context.json" --ids "$demo"
has "history.changed:"
echo '{"site": {"load": null, "system": null}, "x": [1e12, -2.5E-3], "history":
  {"runs": 2e1, "rate_p10": 1e0, "ops_median": 1, "mean_request_median": 1.0e+0}}' >"$work/context.json"
status 0 "$iolite" diagnose --context "$work/context.json" --ids "$demo"
has "history.changed:"
status 3 "$iolite" diagnose --context "$work/nothing" "$demo"
for no in 'hello' '[1]' '{"history": {"runs": 20' '{"a": 01}' '{"a": 1,}' '{} x' ''; do
    printf '%s' "$no" >"$work/context.json"
    status 3 "$iolite" diagnose --context "$work/context.json" "$demo"
    grep -q 'context.json: not a JSON object' "$work/err" || fail "no message about the context $no"
    status 3 "$iolite" report --context "$work/context.json" --output "$work/page.html" "$demo"
done

# Real logs
if [ ! -d "$corpus/logs" ]; then
    [ "$failures" = 0 ] || finish
    echo "no real logs: what must be found in them was not looked at" >&2
    check_documents || exit 1
    exit 77
fi

# found LOG: "id level" of every finding
found() {
    "$iolite" diagnose --ndjson "$corpus/logs/$1.darshan" 2>/dev/null |
        sed 's/.*"id": *"\([^"]*\)".*"level": *"\([^"]*\)".*/\1 \2/' >"$work/found"
    [ -s "$work/found" ] || fail "$1: nothing at all"
}
must() { grep -q "^$2" "$work/found" || fail "$1: no $2"; }
must_not() { ! grep -qE "^$2" "$work/found" || fail "$1: $(grep -E "^$2" "$work/found")"; }

# A log that was cut: nothing left of it, and half of its POSIX records
for bytes in 5000 200000; do
    head -c "$bytes" "$corpus/logs/sample-badost.darshan" >"$work/cut.darshan"
    status 3 "$iolite" diagnose "$work/cut.darshan"
    tr '\n' ' ' <"$work/out" | tr -s ' ' >"$work/line"
    grep -q 'WARN The log is damaged: data of 3 modules is missing' "$work/line" || fail "cut at $bytes: no data.partial"
    grep -q '! The log is damaged: .*LUSTRE and STDIO cannot be read' "$work/line" || fail "cut at $bytes: no sentence"
    grep -q 'no file I/O' "$work/line" && fail "cut at $bytes: called empty"
    status 3 "$iolite" diagnose --min-level high --only 'stdio.*' "$work/cut.darshan"
    grep -q 'Nothing serious was found\.' "$work/out" && fail "cut at $bytes: called clean"
    status 3 "$iolite" report --json "$work/cut.darshan"
    tr -d ' \n' <"$work/out" >"$work/line"
    grep -q '"damaged_modules":\["POSIX","LUSTRE","STDIO"\]' "$work/line" || fail "cut at $bytes: not in the page"
    grep -q '"unreadable_modules":\[[^]]*"LUSTRE","STDIO"\]' "$work/line" || fail "cut at $bytes: called readable"
done

found skew-autobench-ior
must skew-autobench-ior mpiio.aggregators.ok
must_not skew-autobench-ior 'posix\.small\.|posix\.meta\.time'
status 0 "$iolite" diagnose --json --only mpiio.aggregators.ok "$corpus/logs/skew-autobench-ior.darshan"
grep -qE '"aggregators": *56(\.0[0-9]*)?[,}]|"aggregators": *55\.99' "$work/out" ||
    fail "skew-autobench-ior: aggregators are not 56"
grep -qE '"excess_s": *332\.6' "$work/out" || fail "skew-autobench-ior: the excess is not 332.6 s"

found partial_data_dxt
must partial_data_dxt posix.redundant.read
must partial_data_dxt posix.small.read
must partial_data_dxt data.partial
must_not partial_data_dxt 'mpiio\.async'
status 0 "$iolite" diagnose --json --only posix.redundant.read "$corpus/logs/partial_data_dxt.darshan"
grep -qE '"redundant_read": *999999[,}]' "$work/out" || fail "partial_data_dxt: not 999999 bytes"

found dxt
must dxt "data.time.implausible warn"
must_not dxt '[a-z.]+ high'

for log in "$corpus"/logs/snyder_python3_*.darshan; do
    name=$(basename "$log" .darshan)
    found "$name"
    must_not "$name" 'mpiio\.absent'
    bytes=$(awk -F'\t' -v name="$name" '$1 == name { print $3 }' "$corpus/expected/metrics.tsv" 2>/dev/null)
    [ "${bytes:-0}" -lt 1000000000 ] || grep -qE '^(posix.redundant.read|dl.epoch.reread)' "$work/found" ||
        fail "$name: $bytes bytes were read again, and nothing says so"
done

for log in "$corpus"/logs/mpi-io-test*.darshan; do
    name=$(basename "$log" .darshan)
    found "$name"
    must_not "$name" '[a-z.]+ (warn|high)'
    must_not "$name" 'posix\.balance\.time'
done

found sample-badost
must sample-badost "lustre.ost.slow high"
must_not sample-badost 'posix\.balance\.ranks'
"$iolite" diagnose "$corpus/logs/sample-badost.darshan" >"$work/findings"
grep '^HIGH' "$work/findings" | head -n 1 | grep -q 'OST 14 is slow: 85 files' || fail "sample-badost: OST 14 is not named first"
# Its file is on all 24 OSTs that the file system has.
"$iolite" diagnose "$corpus/logs/example.darshan" >"$work/findings"
grep -q 'more storage targets' "$work/findings" && fail "example: more OSTs than there are"
found sample-goodost
must_not sample-goodost '[a-z.]+ (warn|high)'
found empty_log
must empty_log "job.io.none info"
finish

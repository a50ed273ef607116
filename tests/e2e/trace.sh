#!/usr/bin/env bash
# iolite trace: the same operations in five forms, and what happens without a trace.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"

operations=$("$iolite" dump --csv -c DXT_WRITES -c DXT_READS "$demo" | awk -F, 'NR > 1 { n += $5 } END { print n }')
[ "$operations" -gt 0 ] || fail "the demo has no trace"
status 0 "$iolite" trace "$demo"
lines $((operations + 1))
status 0 "$iolite" trace --csv "$demo"
lines $((operations + 1))
[ "$(awk -F, 'NF != 14' "$work/out" | wc -l)" = 0 ] || fail "CSV fields"
status 0 "$iolite" trace --ndjson "$demo"
lines "$operations"
status 0 "$iolite" trace --json "$demo"
valid_json "trace"
[ "$(grep -c '"op":' "$work/out")" = "$operations" ] || fail "operations in JSON"
status 0 "$iolite" trace --chrome "$demo"
valid_json "chrome"
[ "$(grep -c '"ph":"X"' "$work/out")" = "$operations" ] || fail "operations in the Chrome form"
has '"traceEvents":'
has '"process_name"'
has '"rank 0 ('
has '"thread_name"'

# Threads
status 0 "$iolite" trace --csv "$seeds/dxt-posix-v2-be-3.41.darshan"
[ -n "$(sed -n 2p "$work/out" | cut -d, -f11)" ] || fail "thread identities"
status 0 "$iolite" trace --csv "$seeds/dxt-posix-v1-3.10.darshan"
[ -z "$(sed -n 2p "$work/out" | cut -d, -f11)" ] || fail "no thread identities"

# Filters
count() { "$iolite" trace --ndjson "$@" "$demo" 2>/dev/null | wc -l; }
[ $(($(count -m POSIX) + $(count -m DXT_MPIIO))) = "$operations" ] || fail "modules"
[ "$(count -r 0:1000)" = "$operations" ] || fail "ranks"
[ "$(count -f '*result.3')" -gt 0 ] || fail "files"
status 0 "$iolite" trace -f nothing "$demo"
grep -q "passes the filters" "$work/err" || fail "a note on filters"
status 2 "$iolite" trace -m STDIO "$demo"
status 2 "$iolite" trace --json --chrome "$demo"
status 2 "$iolite" trace --chrome "$demo" "$demo"
status 2 "$iolite" trace
status 3 "$iolite" trace "$work/nothing"

# Logs without a trace
plain=$seeds/posix-v4-3.41.darshan
status 0 "$iolite" trace "$plain"
grep -q "no traced operations in .*without --trace, or .*stdio are not traced" "$work/err" || fail "a note on tracing"
for form in --json --chrome; do
    status 0 "$iolite" trace $form "$plain"
    valid_json "no trace, $form"
done
status 0 "$iolite" trace --csv "$plain"
lines 1
status 0 "$iolite" trace --json "$plain" "$demo"
valid_json "two logs"

for log in "$seeds"/*.darshan; do
    for form in --json --chrome; do
        "$iolite" trace $form "$log" >"$work/out" 2>/dev/null
        case $? in 0 | 3) ;; *) fail "trace $form $log" ;; esac
        valid_json "trace $form $log"
    done
done
"$iolite" trace "$demo" | head -n 1 >/dev/null || fail "a closed pipe is no error"

# Real logs: the operations are those of darshan-dxt-parser, which prints times with four decimals.
if [ -d "$corpus/expected" ]; then
    for log in "$corpus"/logs/*.darshan; do
        "$iolite" trace "$log" 2>/dev/null | awk 'NR > 1 { print $4, $5, $6, $7, $1, $2 }' >"$work/got"
        zcat "$corpus/expected/$(basename "$log" .darshan).dxt.txt.gz" |
            awk '/^ *X_/ { print $2, $3, $5, $6, $7, $8 }' >"$work/expected"
        paste -d' ' "$work/got" "$work/expected" | awk '
            function far(a, b) { return a - b > 6e-5 || b - a > 6e-5 }
            NF != 12 || $1 != $7 || $2 != $8 || $3 != $9 || $4 != $10 || far($5, $11) || far($6, $12) { exit 1 }' ||
            fail "operations of $log"
    done
fi
finish

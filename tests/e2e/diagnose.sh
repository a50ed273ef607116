#!/usr/bin/env bash
# iolite diagnose and iolite metrics: forms of output, bad input, and real logs against what is known of them.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"

fits_80_columns() {
    [ "$(wc -L <"$work/out")" -le 80 ] || fail "$1: $(wc -L <"$work/out") columns"
    ! grep -q '[[:cntrl:]]' "$work/out" || fail "$1: control characters"
    ! grep -q ' $' "$work/out" || fail "$1: blanks at the end of a line"
}

status 0 "$iolite" diagnose --mode compat "$demo"
fits_80_columns demo
has "critical issue"
has "OPERATIONS"
status 0 "$iolite" diagnose --mode compat --json "$demo"
has '"mode": "compat"'
has '"codes": ['

for log in "$seeds"/*.darshan; do
    "$iolite" diagnose --mode compat "$log" >"$work/out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "diagnose $log" ;; esac
    fits_80_columns "$log"
    "$iolite" diagnose --mode compat --json "$log" >"$work/out" 2>/dev/null
    valid_json "diagnose --json $log"
    "$iolite" metrics "$log" >"$work/out" 2>/dev/null
    fits_80_columns "metrics $log"
    "$iolite" metrics --json "$log" >"$work/out" 2>/dev/null
    valid_json "metrics --json $log"
done

# Several logs, some of which are none
status 0 "$iolite" diagnose --mode compat "$demo" "$demo"
[ "$(grep -c 'critical issue' "$work/out")" = 2 ] || fail "two logs"
status 3 "$iolite" diagnose --mode compat --json "$demo" "$work/nothing" "$demo"
valid_json "diagnose --json of two logs"
[ "$(grep -c '"codes"' "$work/out")" = 2 ] || fail "two logs as JSON"
status 3 "$iolite" diagnose "$work/nothing"
status 3 "$iolite" metrics "$work/nothing"
HOME=$work/nobody status 2 "$iolite" diagnose
status 2 "$iolite" diagnose --mode other "$demo"
status 2 "$iolite" metrics
status 2 "$iolite" metrics --json --csv "$demo"

# A rule that does not exist would let every job pass: it is refused, in both modes
for mode in native compat; do
    for glob in posix.smal.read 'P99,posix.small.*' 'nothing.*' ''; do
        status 2 "$iolite" diagnose --mode $mode --fail-on info --only "$glob" "$demo"
        status 2 "$iolite" diagnose --mode $mode --skip "$glob" "$demo"
    done
    status 0 "$iolite" diagnose --mode $mode --only 'POSIX.small.*,p06' --skip 'posix.*' "$demo"
done
grep -q 'no rule is called' <("$iolite" diagnose --only P99 "$demo" 2>&1) || fail "which rule is not there"
status 2 "$iolite" diagnose --nodes 0 "$demo"
status 2 "$iolite" report -o - --nodes 0 "$demo"

# Without a file there is nothing to say about I/O, not a column of dashes with a "no" in it
head -c 1700 "$demo" >"$work/cut.darshan"
"$iolite" metrics "$work/cut.darshan" >"$work/out" 2>/dev/null
has "nothing more is known"
! grep -q -- ' -$\|selected' "$work/out" || fail "metrics without records"

# One line of CSV a log, all with as many fields
status 0 "$iolite" metrics --csv "$demo" "$seeds/mapped.darshan"
lines 3
[ "$(awk -F, '{print NF}' "$work/out" | sort -u | wc -l)" = 1 ] || fail "metrics --csv: rows of different length"

# Real logs
codes=$corpus/expected/insight_codes.tsv metrics=$corpus/expected/metrics.tsv
if [ ! -f "$codes" ] || [ ! -f "$metrics" ]; then
    [ "$failures" = 0 ] || finish
    echo "no real logs: their codes and metrics were not compared" >&2
    check_documents || exit 1
    exit 77
fi

# codes_of LOG: "P10x2 ... high/warn/recommendations" in the order of evaluation
codes_of() {
    "$iolite" diagnose --mode compat --json "$1" 2>/dev/null | awk '
        /"codes": \[/ { inside = 1; next }
        inside && /\]/ { inside = 0 }
        inside { gsub(/[ ",]/, ""); if (!($0 in count)) order[++n] = $0; count[$0]++ }
        /"high":|"warn":|"recommendations":/ { gsub(/[ ",]/, ""); split($0, pair, ":"); total[pair[1]] = pair[2] }
        END {
            for (i = 1; i <= n; i++) printf("%s%s ", order[i], (count[order[i]] > 1 ? "x" count[order[i]] : ""))
            print total["high"] "/" total["warn"] "/" total["recommendations"]
        }'
}

compared=0
while IFS=$'\t' read -r name _ _ _ expected totals _; do
    [ "$name" != log ] || continue
    got=$(codes_of "$corpus/logs/$name.darshan")
    wanted="$(printf '%s' "$expected" | sed 's/×/x/g') $totals"
    [ "$got" = "$wanted" ] || fail "$name: $got instead of $wanted"
    compared=$((compared + 1))
done <"$codes"
[ "$compared" -gt 0 ] || fail "no codes in $codes"

# metrics_of LOG: the columns of the table, doubles with six digits and "-" for what is not known
metrics_of() {
    "$iolite" metrics --csv "$1" 2>/dev/null | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        function six(name) { return $at[name] == "" ? "-" : sprintf("%.6g", $at[name]) }
        { print $at["processes"], $at["redundant_read_bytes"], $at["redundant_read_files"],
              $at["redundant_write_bytes"], six("meta_ratio_posix"), six("meta_s_per_proc"),
              six("meta_s_rank_max_lo"), six("meta_s_rank_max_hi"),
              $at["small_shared_indep_writes_strict"], $at["random_reads"] "/" $at["random_writes"],
              six("effective_ranks"), six("time_excess") }'
}

compared=0
while IFS=$'\t' read -r name rest; do
    [ "$name" != log ] || continue
    got=$(metrics_of "$corpus/logs/$name.darshan")
    wanted=$(printf '%s' "$rest" | sed 's/–/-/g' | tr '\t' ' ')
    [ "$got" = "$wanted" ] || fail "$name: $got instead of $wanted"
    compared=$((compared + 1))
done <"$metrics"
[ "$compared" -gt 0 ] || fail "no metrics in $metrics"
finish

#!/usr/bin/env bash
# Counts the instructions of the usual jobs with callgrind and compares them with their budgets.
# Usage: bench/instructions.sh BIN-DIRECTORY. Needs valgrind and a corpus of real logs (IOLITE_CORPUS).
# Instruction counts repeat exactly on one machine, so a change of one percent is a change of the code.
set -euo pipefail
bin=${1:?usage: bench/instructions.sh BIN-DIRECTORY}
logs=${IOLITE_CORPUS:-$(dirname "${BASH_SOURCE[0]}")/../../shared/corpus}/logs

if ! command -v valgrind >/dev/null; then
    echo "skipped: there is no valgrind"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

count() { # command...: millions of instructions
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$@" >"$work/stdout" 2>"$work/stderr" || {
        cat "$work/stderr" >&2
        return 1
    }
    sed -n 's/^totals: //p' "$work/out" | head -n 1
}

row='%-62s %14s %14s %7s\n'
# The format is ours, not the user's.
# shellcheck disable=SC2059
print() { printf "$row" "$@"; }

measure() { # budget-in-millions log command options...
    local millions=$1 log=$2 command=$3 counted
    shift 3
    local what="$command $* $log"
    if [ ! -r "$logs/$log" ]; then
        print "$what" skipped "$millions M" -
        return
    fi
    if ! counted=$(count "$bin/$command" "$@" "$logs/$log"); then
        print "$what" failed "$millions M" -
        status=1
        return
    fi
    print "$what" "$(awk -v n="$counted" 'BEGIN { printf "%.1f M", n / 1e6 }')" "$millions M" \
        "$(awk -v n="$counted" -v m="$millions" 'BEGIN { printf "%.2f", n / 1e6 / m }')"
    [ "$counted" -le $((millions * 1000000)) ] || status=1
}

print "what" "instructions" "budget" "ratio"
measure 180 sample-badost.darshan darshan-parser --base
measure 20 sample-badost.darshan darshan-parser --total --perf
measure 250 partial_data_dxt.darshan darshan-dxt-parser --show-incomplete
[ -d "$logs" ] || echo "There are no real logs here; IOLITE_CORPUS says where some are."
exit "$status"

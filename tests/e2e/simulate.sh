#!/usr/bin/env bash
# The end of a job with simulated ranks: each sends its four messages, and the log has all files.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
simulate=$IOLITE_TOOLS/simulate
[ -x "$simulate" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export TMPDIR=$work

# simulated RANKS FILES own|shared RECORDS MESSAGES
simulated() {
    local folder=$work/$1-$2-$3
    mkdir "$folder"
    timeout 120 "$simulate" "$1" "$2" "$3" "$folder" >"$work/line" 2>"$work/said" ||
        { fail "$1 $2 $3: $(head -n 2 "$work/said")"; return; }
    read -r ranks messages _ <"$work/line"
    [ "$ranks $messages" = "$1 $5" ] || fail "$1 $2 $3: $(cat "$work/line")"
    "$iolite" check "$folder"/*.darshan >"$work/checked" 2>&1 || fail "$1 $2 $3: $(head -n 2 "$work/checked")"
    grep -q " $4 records" "$work/checked" || fail "$1 $2 $3: not $4 records: $(cat "$work/checked")"
}
simulated 70 2 shared 4 276
simulated 70 2 own 280 276
# Two writers: sizes, two orders and an answer of the second.
IOLITE_AGGREGATORS=2 simulated 70 3 own 420 280
[ -z "$(find "$work" -name '*.mapped')" ] || fail "left behind: $(find "$work" -name '*.mapped')"
finish

#!/usr/bin/env bash
# A job that ends by MPI_Abort under a bare preload: every time the ranks leave their mapped files and no logs, whoever
# came how far, and they become one log that knows ranks and world.
# Usage: aborts.sh PROGRAM LAUNCHER...
# shellcheck source=tests/mpi/ended.bash
. "$(dirname "$0")/ended.bash"
shift
export IOLITE_LOG_DIR=$work/logs
field() { "${iolite%/*}/darshan-parser" "$1" | sed -n "s/^# \(metadata: \)\?$2\( =\|:\) //p"; }
for round in 1 2 3 4 5; do
    fresh_folders
    timeout -k 5 60 "$@" -n 4 env LD_PRELOAD="$library" "$program" "$work/files" >"$work/out" 2>"$work/err"
    [ $? != 124 ] || fail "round $round: the job does not end"
    # A launcher may be gone before its ranks are, and what a process still holds is not touched.
    for ((i = 0; i < 100; i++)); do
        grep -qsF "$work/files" /proc/[0-9]*/cmdline || break
        sleep 0.1
    done
    [ -z "$(ls -A "$work/logs")" ] || fail "round $round: logs of single ranks: $(ls "$work/logs")"
    [ "$(find "$work/records" -name '*.mapped' | wc -l)" = 4 ] || fail "round $round: $(ls "$work/records")"
    status 0 timeout 60 "$iolite" merge --leftovers
    lines 1
    log=$(cat "$work/out")
    status 0 "$iolite" check "$log"
    [ "$(field "$log" nprocs)" = 4 ] || fail "round $round: $(field "$log" nprocs) ranks"
    [ -n "$(field "$log" mpi_world)" ] || fail "round $round: no world"
    [ -z "$(field "$log" missing_ranks)" ] || fail "round $round: missing: $(field "$log" missing_ranks)"
    for rank in 0 1 2 3; do
        status 0 "$iolite" dump --csv -r $rank "$log"
        has "files/own.$rank"
    done
    [ -z "$(ls -A "$work/records")" ] || fail "round $round: left: $(ls "$work/records")"
done
finish

#!/usr/bin/env bash
# An MPI program that knows what it did (expected.h), recorded: there is one log of the job, and it says the same, traced
# and not traced.
# usage: io.sh program ranks launcher...
# shellcheck source=tests/mpi/recorded.bash
. "$(dirname "$0")/recorded.bash"
ranks=$2
recorded "$1" "${@:3}"
mkdir "$work/records"

# record LABEL VARIABLE...: runs the program on all ranks. Its log goes to $log.
record() {
    local label=$1
    shift
    rm -rf "$work/files" "$work/logs"
    mkdir "$work/files"
    timeout 240 "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" \
        IOLITE_MMAP_DIR="$work/records" "$@" "$program" "$work/files" >"$work/out" 2>"$work/err" ||
        fail "$label: the program failed: $(head -n 5 "$work/err")"
    log=$(find "$work/logs" -type f 2>/dev/null)
    [ -f "$log" ] || fail "$label: not one log: $log"
    [ -z "$(ls -A "$work/records")" ] || fail "$label: left behind: $(ls -A "$work/records")"
}

# compare HOW: the log has what the ranks say.
compare() {
    status 0 "$iolite" check "$log"
    status 0 "$iolite" dump --json "$log"
    cp "$work/out" "$work/dump"
    python3 "$(dirname "$0")/check.py" "$work/dump" "$work/files" "$@" || fail "the log says something else ($*)"
}

record traced IOLITE_TRACE=1
compare operations
record "not traced" IOLITE_VERBOSE=0
compare counts
finish

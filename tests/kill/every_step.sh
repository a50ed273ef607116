#!/usr/bin/env bash
# A program, and `iolite run`, killed at one system call after the other: at any moment there is a whole log, or the
# records from which one can be made, and never a part of a log under any name.
# Usage: tests/kill/every_step.sh
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
kill_at=$IOLITE_TOOLS/kill-at
[ -x "$kill_at" ] && [ -e "$library" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export IOLITE_LIBRARY=$library HOME=$work IOLITE_MMAP_DIR=$work/records
fresh() { rm -rf "$work"/{records,logs,files}; mkdir "$work"/{records,logs,files}; }
# Where files without a name cannot be had, a part of a log has to have one.
fresh
(cd "$work/logs" && python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)') 2>/dev/null || exit 77

# look STEP: what is there after a death at this step.
look() {
    local found=0 log
    for log in "$work"/logs/*; do
        [ -e "$log" ] || continue
        "$iolite" check "$log" >"$work/out" 2>&1 || fail "$what, step $1: $log: $(head -n 2 "$work/out")"
        ! "$iolite" dump --csv "$log" 2>/dev/null | grep -q written.dat || found=1
    done
    IOLITE_LOG_DIR=$work/logs "$iolite" merge --leftovers >"$work/out" 2>"$work/err"
    while IFS= read -r log; do
        ! "$iolite" dump --csv "$log" 2>/dev/null | grep -q written.dat || found=1
    done <"$work/out"
    if [ $found = 0 ] && [ -s "$work/files/done" ]; then
        fail "$what, step $1: neither a log nor records: $(ls "$work/logs" "$work/records")"
    fi
}

# steps FROM EACH COMMAND...: deaths from a step on (negative: counted from the last), EACH steps apart.
steps() {
    local from=$1 each=$2 calls step
    shift 2
    fresh
    "$kill_at" 0 "$work/calls" "$@" >/dev/null 2>&1
    calls=$(cat "$work/calls")
    [ "$calls" -gt 20 ] || fail "$what: only $calls system calls"
    [ "$from" -gt 0 ] || from=$((calls + from))
    for ((step = from > 1 ? from : 1; step <= calls; step += each)); do
        fresh
        "$kill_at" $step "$work/calls" "$@" >/dev/null 2>&1
        look $step
    done
}
# The second file tells that the first is written, and that from then on it must not get lost.
script='echo x >"$0/written.dat"; echo x >"$0/done"; : <"$0/done"'

what="a program"
steps -60 1 env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" bash -c "$script" "$work/files"
what="iolite run"
steps -240 4 "$iolite" run -d "$work/logs" -- bash -c "$script" "$work/files"
finish

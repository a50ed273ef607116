#!/usr/bin/env bash
# Forked children whose first I/O comes from two threads at once, again and again, beside processes that keep the machine
# busy: none of them crashes or hangs, and all of them leave their records.
# Usage: tests/faults/forks.sh REPEATS BUSY
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
repeats=${1:-3} busy=${2:-0}
program=$(cd "$IOLITE_TOOLS" && pwd -P)/hazards/fork_child_threads_first
[ -x "$program" ] || exit 77
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$work"' EXIT
for ((i = 0; i < busy; i++)); do
    (while :; do :; done) &
    pids+=($!)
done
mkdir "$work/here"
cd "$work/here" || exit 1
for ((i = 0; i < repeats; i++)); do
    rm -f ../log.darshan
    status 0 timeout 300 "$iolite" run -q -o ../log.darshan -- "$program"
    status 0 "$iolite" dump --csv ../log.darshan
    [ "$(awk -F, '/POSIX/ && /out.dat/ { n++ } END { print n + 0 }' "$work/out")" -ge 1 ] ||
        fail "round $i: no records of out.dat"
    [ $failures = 0 ] || break
done
finish

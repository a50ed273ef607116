#!/usr/bin/env bash
# Forked children whose first I/O comes from two threads at once, again and again, beside processes that keep the machine
# busy: none of them crashes or hangs, and all of them leave their records.
# Usage: tests/faults/forks.sh REPEATS CHILDREN BUSY
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
repeats=${1:-3} children=${2:-200} busy=${3:-0}
program=$(cd "$IOLITE_TOOLS" && pwd -P)/hazards/fork_child_threads_first
[ -x "$program" ] || exit 77
iolite=$(realpath "$iolite")
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
    status 0 timeout 600 "$iolite" run -q -o ../log.darshan -- "$program" "$children"
    status 0 "${iolite%/*}/darshan-parser" ../log.darshan
    writes=$(awk -F '\t' '$4 == "POSIX_WRITES" && $6 ~ /out.dat$/ { n += $5 } END { print n + 0 }' "$work/out")
    [ "$writes" = $((40 * children + 10)) ] || fail "round $i: $writes writes"
    [ $failures = 0 ] || break
done
echo "$i rounds of $children children"
finish

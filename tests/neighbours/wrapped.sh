#!/usr/bin/env bash
# Programs that tools start or are linked into: fakeroot, fakechroot, faketime, eatmydata, stdbuf, valgrind, gdb, and programs
# built with -finstrument-functions, --wrap and a profiler of MPI. What the program prints and how it ends is the same.
# shellcheck source=tests/neighbours/neighbours.bash
. "$(dirname "$0")/neighbours.bash"
seen="1 10 5 1"

# under NAME COUNTS COMMAND...: the tool is started with Iolite preloaded, and under `iolite run`.
under() {
    local name=$1 expected=$2
    shift 2
    command -v "$1" >/dev/null || { echo "left out: there is no $1" >&2; return; }
    once without "$@"
    [ "$(cat "$work/without.status")" = 0 ] || { echo "left out: $name does not run here: $(head -n 2 "$work/without.err")" >&2; return; }
    emptied "$work/logs"
    once preloaded env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" "$@"
    same "$name" preloaded out status
    emptied "$work/logs"
    once run "$iolite" run -q -o "$work/logs/run.darshan" -- "$@"
    same "$name" run out status
    [ "$expected" = - ] || recorded "$name" run "$work/logs" "$work/files/data" "$expected"
}
under stdbuf "$seen" stdbuf -oL "$program" data
under eatmydata "$seen" eatmydata "$program" data
under faketime "$seen" faketime "2020-12-24 20:30:00" "$program" data
under "faketime of a command" - faketime "2020-12-24 20:30:00" date +%Y-%m-%d
under fakeroot "$seen" fakeroot "$program" data
under "fakeroot, files of root" - fakeroot sh -c 'echo x >f && chown 0:0 f && stat -c "%u %g" f && id -u'
under fakechroot "$seen" fakechroot "$program" data
under "fakechroot and fakeroot" - fakechroot fakeroot sh -c 'echo x >f && cat f && id -u'
under valgrind "$seen" valgrind -q --error-exitcode=9 "$program" data
# shellcheck disable=SC2016  # the shell that is started expands it
command -v gdb >/dev/null &&
    under gdb - sh -c 'gdb -batch -nx -ex "set confirm off" -ex run --args "$1" data | sed "s/process [0-9]*/process/"' sh "$program"

# Linked in. The tool's report is compared, too.
built instrumented program.c -finstrument-functions -Wl,--wrap=write -DLINKED "$here/tracer.c" -ldl
export TRACER_REPORT=report
under "instrumented functions" "$seen" "$work/instrumented" data
[ "$(cat "$work/files/report")" = "functions 1 0 writes 0 wrapped 10" ] || fail "the tool saw $(cat "$work/files/report")"
unset TRACER_REPORT

# A profiler of MPI, linked and preloaded before and behind.
for abi in openmpi mpich; do
    compile=$(command -v mpicc.$abi) start=$(command -v mpiexec.$abi || command -v mpirun.$abi) || true
    if [ -z "$compile" ] || [ -z "$start" ] || [ ! -e "$(dirname "$library")/libiolite-mpi-$abi.so" ]; then
        echo "left out: there is no $abi" >&2
        continue
    fi
    if ! "$compile" -o "$work/parallel-$abi" "$here/parallel.c" >"$work/cc" 2>&1 ||
        ! "$compile" -shared -fPIC -o "$work/libprofiler-$abi.so" "$here/profiler.c" >"$work/cc" 2>&1 ||
        ! "$compile" -o "$work/profiled-$abi" "$here/parallel.c" "$here/profiler.c" >"$work/cc" 2>&1; then
        fail "$abi: cannot build: $(head -n 3 "$work/cc")"
        continue
    fi
    launch=("$start" -n 2)
    [ $abi != openmpi ] || launch=("$start" --allow-run-as-root --oversubscribe -n 2)
    profiler=$work/libprofiler-$abi.so
    once without "${launch[@]}" "$work/profiled-$abi" data
    [ "$(cat "$work/without.status")" = 0 ] || { echo "left out: $abi does not start here" >&2; continue; }
    for order in "$library" "$library:$profiler" "$profiler:$library"; do
        which=parallel-$abi
        [ "$order" != "$library" ] || which=profiled-$abi
        emptied "$work/logs"
        once with "${launch[@]}" env LD_PRELOAD="$order" IOLITE_LOG_DIR="$work/logs" "$work/$which" data
        sort -o "$work/with.out" "$work/with.out"
        sort -o "$work/without.out" "$work/without.out"
        same "a profiler of $abi" with out status
        log=$(find "$work/logs" -name '*.darshan' | head -n 1)
        [ -n "$log" ] || { fail "a profiler of $abi, ${order//"$work"/.}: there is no log"; continue; }
        got=$("$iolite" dump --csv "$log" | awk -F, '$4 == "MPIIO_COLL_WRITES" { n += $5 } END { print n + 0 }')
        [ "$got" = 6 ] || fail "a profiler of $abi, ${order//"$work"/.}: $got collective writes, not 6"
    done
done
finish

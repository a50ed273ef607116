#!/usr/bin/env bash
# iolite merge --leftovers: what killed programs left becomes logs, what belongs together in one, and nothing is taken
# from programs that live.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -e "$library" ] || exit 77
library=$(realpath "$library")
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}" JOB_ID
work=$(cd "$work" && pwd -P)
logs=$work/logs records=$work/records
mkdir "$logs" "$records" "$work/home"
export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_LOG_DIR=$logs IOLITE_MMAP_DIR=$records
living=()
trap '[ ${#living[@]} -eq 0 ] || kill -KILL "${living[@]}" 2>/dev/null; rm -rf "$work"' EXIT

field() { "${iolite%/*}/darshan-parser" "$1" | sed -n "s/^# \(metadata: \)\?$2\( =\|:\) //p"; }
left() { find "$records" -name '*.mapped' | wc -l; }
# killed NAME: a program that writes a file and is killed.
killed() { LD_PRELOAD=$library bash -c 'echo x >"$0"; kill -KILL $$' "$work/$1.dat" 2>/dev/null; }
# ended PID: waits until it is dead, or a zombie; it may outlive a parent that it kills.
ended() {
    local state
    for _ in {1..1000}; do
        state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)
        [[ ${state:-X} = [XZ] ]] && return
        sleep 0.01
    done
}
fresh() { rm -rf "$logs" "$records"; mkdir "$logs" "$records"; }

# Jobs, programs without one, and runs are kept apart.
SLURM_JOB_ID=771 killed one
SLURM_JOB_ID=771 killed two
SLURM_JOB_ID=772 killed three
killed four
SLURM_JOB_ID=771 "$iolite" run -- bash -c 'echo x >"$0"; echo $$ >"${0%dat}pid"; kill -STOP $$' "$work/five.dat" >/dev/null 2>&1 &
is_stopped() { grep -q '^State:.*stopped' "/proc/$1/status"; }
until_true is_stopped $!
kill -KILL $!
ended "$(cat "$work/five.pid")"
[ "$(left)" = 5 ] || fail "$(left) mapped files of five killed programs"
status 0 "$iolite" merge --leftovers
lines 4
[ "$(left)" = 0 ] || fail "left: $(ls -R "$records")"
for log in "$logs"/*; do
    "$iolite" check "$log" >/dev/null 2>&1 || fail "not sound: $log"
    "$iolite" dump --csv "$log" | grep -o "$work/[a-z]*\.dat" | sort -u | sed 's/.*\///; s/\.dat//' | tr '\n' ' '
    echo "$(field "$log" jobid)"
done | sed 's/^four .*/four/' | sort >"$work/out"
printf '%s\n' five\ 771 four 'one two 771' 'three 772' | sort >"$work/expected"
cmp -s "$work/out" "$work/expected" || fail "logs of leftovers: $(cat "$work/out")"

# With a name they are side by side.
fresh
SLURM_JOB_ID=1 killed one
SLURM_JOB_ID=2 killed two
status 0 "$iolite" merge --leftovers -o "$work/all.darshan"
[ "$(field "$work/all.darshan" jobid)-$(field "$work/all_2.darshan" jobid)" = 1-2 ] || fail "logs under one name"

# A file that is gone when it is opened was that of a process that has just ended, with a log of its own: no error.
if strace -f -o /dev/null true 2>/dev/null; then
    for open in 2 3; do # the first tells what it is, the second whose, the third is for the records
        fresh
        killed one
        killed two
        gone=$(find "$records" -name '*.mapped' | head -n 1)
        status 0 env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/calls" -P "$gone" -e trace=openat -e "inject=openat:error=ENOENT:when=$open+" \
            "$iolite" merge --force -o "$work/rest.darshan" "$records"
        grep -q INJECTED "$work/calls" || fail "$gone is not opened $open times"
        [ ! -s "$work/err" ] || fail "said: $(cat "$work/err")"
    done
fi

# A program that has closed all its descriptors lives, and keeps its records; its child does not keep them for it.
fresh
LD_PRELOAD=$library bash -c 'echo x >"$0"; for ((fd = 3; fd < 1024; fd++)); do eval "exec $fd>&-"; done
    sleep 1000 & echo $! >"$0.child"; echo >"$0.ready"; wait' "$work/live.dat" >/dev/null 2>&1 &
program=$!
living+=("$program")
until_true [ -e "$work/live.dat.ready" ]
child=$(cat "$work/live.dat.child")
living+=("$child")
status 0 "$iolite" merge --leftovers
lines 0
[ "$(left)" = 1 ] || fail "the records of a living program are gone"
kill -KILL $program
wait $program 2>/dev/null
kill -0 "$child" || fail "the child is gone too"
status 0 "$iolite" merge --leftovers
lines 1
[ "$(left)" = 0 ] || fail "a child keeps the records of its parent"
kill -KILL "$child"

# A setting that says where mapped files are: nobody looks elsewhere.
fresh
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    env -u IOLITE_MMAP_DIR SLURM_JOB_ID=4242 LD_PRELOAD="$library" bash -c 'echo x >"$0"; echo $$ >"$0.pid"; kill -KILL $$' \
        "$work/elsewhere.dat" 2>/dev/null
    set -- /dev/shm/iolite-job-"$(id -u)"-4242-*/iolite-*-"$(cat "$work/elsewhere.dat.pid")"-*.mapped
    [ -e "$1" ] || fail "nothing in /dev/shm"
    status 0 "$iolite" merge --leftovers --job 4242
    lines 0
    [ -e "$1" ] || fail "a file outside of the directory that was set is gone"
    rm -rf "${1%/*}"
fi

# Another PID namespace, as of a container with the same /dev/shm: what is there lives under numbers that mean nothing here.
if unshare -r -p -f --mount-proc true 2>/dev/null; then
    fresh
    LD_PRELOAD='' unshare -r -p -f --mount-proc bash -c '
        LD_PRELOAD=$1 bash -c "echo x >\"\$0\"; kill -KILL \$\$" "$0.killed" 2>/dev/null
        LD_PRELOAD=$1 exec bash -c "echo x >\"\$0\"; echo >\"\$0.ready\"; sleep 1000; :" "$0"' \
        "$work/inside.dat" "$library" >/dev/null 2>&1 &
    program=$!
    until_true [ -e "$work/inside.dat.ready" ]
    [ "$(left)" = 2 ] || fail "$(left) mapped files of another namespace"
    status 0 "$iolite" merge --leftovers
    lines 0
    [ "$(left)" = 2 ] || fail "$(left) mapped files of another namespace are left: $(ls "$IOLITE_MMAP_DIR")"
    pkill -KILL -P $program
    wait $program 2>/dev/null

    # A run is one, whatever namespaces its processes are in.
    fresh
    status 0 "$iolite" run -o "$work/spaces.darshan" -- unshare -r -p -f --mount-proc bash -c \
        'bash -c "echo x >\"\$0\"; kill -KILL \$\$" "$0" 2>/dev/null; exit 0' "$work/within.dat"
    status 0 "$iolite" dump --csv "$work/spaces.darshan"
    has within.dat
    [ "$(left)" = 0 ] || fail "a run leaves what its processes in a namespace left"
fi
finish

#!/usr/bin/env bash
# Kills one rank of an MPI job, all of them, or its launcher, at random moments of `iolite run -- mpirun`, and looks at
# what is left: always a sound log with the ranks' records, and never a process that does not end.
# Usage: tests/kill/mpi_kill.sh LAUNCHER WORKER [MOMENTS] [SEED]. LAUNCHER may be several words.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
read -ra launcher <<<"$1"
worker=$2
moments=${3:-10}
RANDOM=${4:-1}
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -e "$library" ] && [ -x "$worker" ] && command -v "${launcher[0]}" >/dev/null || exit 77
library=$(realpath "$library")
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_MMAP_DIR=$work/records TMPDIR=$work/tmp
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 IOLITE_FINALIZE_TIMEOUT=5
export OMPI_MCA_btl_vader_backing_directory=$TMPDIR # killed jobs leave something there
deadline=60 # seconds, for what takes two; on a machine that does other things as well
logs=$work/logs
mkdir "$HOME" "$TMPDIR"

# The shell has a word to say about each death; failures go past it.
exec 3>&2 2>/dev/null
fail() {
    echo "FAIL: $*" >&3
    failures=$((failures + 1))
}

# start HOW ROUNDS: in a session of its own. A process that inherits descriptors holds a lock, so that one can wait for all; launchers
# close them in the ranks, which have left their numbers.
start() {
    rm -rf "$work/files" "$IOLITE_MMAP_DIR" "$logs"
    mkdir "$work/files" "$IOLITE_MMAP_DIR"
    ranks=$((RANDOM % 3 + 2))
    (
        flock -s 9
        exec setsid "$iolite" run --log-dir "$logs" -- "${launcher[@]}" -n $ranks "$worker" "$work/files" "$2" \
            >"$work/out" 2>"$work/err" </dev/null
    ) 9>"$work/lock" &
    started=$!
    what="moment $moment, $1, $ranks ranks"
}

# gone PID: it has ended, whether somebody has asked for its status or not.
gone() { case $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) in '' | Z | X) ;; *) return 1 ;; esac }

ranks_gone() {
    local rank tries=0
    for ((rank = 0; rank < ranks; rank++)); do
        until gone "$(pid_of $rank)"; do
            tries=$((tries + 1))
            [ $tries -lt $((deadline * 50)) ] || return 1
            sleep 0.02
        done
    done
}

everyone_gone() {
    flock -w $deadline -x "$work/lock" true && ranks_gone && return
    fail "$what: some processes do not end: $(ps -o pid,args --sid "$started" | tail -n +2 | head -n 5)"
    kill -KILL -- -"$started"
    kill_all_ranks
    return 1
}

# all_ready: every rank has written something.
all_ready() {
    local rank tries=0
    for ((rank = 0; rank < ranks; rank++)); do
        until [ -e "$work/files/ready.$rank" ]; do
            tries=$((tries + 1))
            [ $tries -lt $((deadline * 50)) ] && sleep 0.02 && continue
            fail "$what: rank $rank never writes: $(head -n 2 "$work/err")"
            return 1
        done
    done
}

a_moment() { sleep "$(printf '0.%03d' $((RANDOM % 300)))"; }
pid_of() { cat "$work/files/pid.$1"; }
kill_all_ranks() { for ((rank = 0; rank < ranks; rank++)); do kill -KILL "$(pid_of $rank)"; done; }

# strike HOW: who has to die.
strike() {
    case $1 in
    rank | end) kill -KILL "$(pid_of $((RANDOM % ranks)))" ;;
    ranks) kill_all_ranks ;;
    launcher) kill -KILL "$(tr -d ' ' <"/proc/$started/task/$started/children")" ;;
    iolite) kill -KILL "$started" ;;
    esac
}

# Where nobody is left who would end the ranks, they go on, with Iolite and without.
end_orphans() {
    [ "$1" = launcher ] && flock -w 3 -x "$work/lock" true && return
    a_moment
    kill -KILL -- -"$started"
    kill_all_ranks
}

# sound LOG: it can be read, and knows the ranks and what they wrote. Ranks that were killed before their first record
# was there are reported; here all have written.
sound() {
    local log=$1 got
    "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$what: $(head -n 2 "$work/checked")"
    got=$("${iolite%/*}/darshan-parser" "$log" | awk -F '\t' -v dir="$work/files" '
        sub(/^# nprocs: /, "") { processes = $0 }
        $4 == "POSIX_BYTES_WRITTEN" && $5 > 0 && index($6, dir) == 1 { files[$6] = 1; own += $6 ~ /\/own\.[0-9]*$/ }
        END { print processes, own + 0, ((dir "/shared") in files) }')
    [ "$got" = "$ranks $ranks 1" ] || fail "$what: processes, own files and the shared one: $got in $log"
    ! grep -q missing_ranks <("$iolite" dump --json "$log") || fail "$what: ranks are missing"
}

# The log that has ranks in it. What ended after `iolite run` did is in one of its own, and they complete each other.
mpi_log() {
    local log found=()
    for log in "$logs"/*.darshan; do
        if "$iolite" dump --json "$log" | grep -q mpi_world; then found+=("$log"); fi
    done
    [ ${#found[@]} -gt 0 ] || return
    [ ${#found[@]} -gt 1 ] || { echo "${found[0]}"; return; }
    "$iolite" merge --output "$logs/whole.darshan" "${found[@]}" && echo "$logs/whole.darshan"
}

# judge: the log is there, whoever made it.
judge() {
    local found
    mkdir -p "$logs"
    if [ -n "$(ls -A "$IOLITE_MMAP_DIR")" ]; then
        case $1 in
        launcher | iolite) ;;
        *) fail "$what: left: $(ls -A "$IOLITE_MMAP_DIR")" ;;
        esac
        "$iolite" merge --output "$logs/left.darshan" "$IOLITE_MMAP_DIR"/iolite-run-* 2>"$work/err" ||
            fail "$what: $(cat "$work/err")"
    fi
    found=$(mpi_log)
    if [ -f "$found" ]; then sound "$found"; else fail "$what: logs: $(ls "$logs"); $(head -n 3 "$work/err")"; fi
}

# "end": a rank, when the job comes to its end and the ranks write their log.
ways=(rank ranks launcher iolite end nobody)
for ((moment = 0; moment < moments; moment++)); do
    way=${ways[moment % ${#ways[@]}]}
    case $way in
    nobody) start "$way" 200 && all_ready ;;
    end) start "$way" $((RANDOM % 100)) && all_ready && strike "$way" ;;
    *) start "$way" 0 && all_ready && a_moment && strike "$way" ;;
    esac
    case "$way" in launcher | iolite) end_orphans "$way" ;; esac
    everyone_gone && judge "$way"
    wait
done
finish

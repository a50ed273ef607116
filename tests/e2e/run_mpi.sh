#!/usr/bin/env bash
# iolite run with MPI jobs inside: each job has its log, and what else ran has another one beside it if it did something.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
tools=$IOLITE_TOOLS
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_MMAP_DIR=$work/records TMPDIR=$work/tmp
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5
logs=$work/logs
mkdir "$HOME" "$TMPDIR" "$IOLITE_MMAP_DIR" "$work/files"
tested=0

# field LOG KEY: from the head of the log.
field() { "${iolite%/*}/darshan-parser" "$1" | sed -n "s/^# \(metadata: \)\?$2\( =\|:\) //p"; }
# sound LOG RANKS
sound() {
    "$iolite" check "$1" >"$work/checked" 2>&1 || fail "$what: $(head -n 2 "$work/checked")"
    [ "$(field "$1" nprocs)" = "$2" ] || fail "$what: $(field "$1" nprocs) processes instead of $2"
    [ "$(stat -c %a "$1")" = 400 ] || fail "$what: mode $(stat -c %a "$1")"
}
nothing_left() { [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "$what: left: $(ls -A "$IOLITE_MMAP_DIR")"; }

for abi in openmpi mpich; do
    worker=$tools/mpi-worker.$abi
    [ -x "$worker" ] && command -v mpirun.$abi >/dev/null || continue
    tested=$((tested + 1))
    what=$abi

    # A job alone: the launcher is not worth a log.
    rm -rf "$logs"
    status 0 "$iolite" run --json --log-dir "$logs" -- mpirun.$abi -n 3 "$worker" "$work/files" 20
    cp "$work/err" "$work/out"
    valid_json "run of an MPI job"
    lacks other_logs
    sound "$logs"/* 3
    [ -n "$(field "$logs"/* mpi_world)" ] || fail "$what: no mpi_world"
    nothing_left

    # A script with work of its own and two jobs.
    rm -rf "$logs"
    cat >"$work/script" <<END
head -c 1000 /dev/zero >$work/files/input
cat $work/files/input $work/files/input >/dev/null
mpirun.$abi -n 2 $worker $work/files 20
mpirun.$abi -n 3 $worker $work/files 20
END
    status 0 "$iolite" run --json --log-dir "$logs" -- sh "$work/script"
    cp "$work/err" "$work/out"
    valid_json "run of a script with MPI jobs"
    has other_logs
    first=$(sed -n 's/^ *"log": "\(.*\)",$/\1/p' "$work/err")
    others=${first%.darshan}_others.darshan
    [ "$(find "$logs" -type f | wc -l)" = 3 ] || fail "$what: logs: $(ls "$logs")"
    sound "$first" 2
    [ "$(field "$first" linked_log)" = "${others##*/}" ] || fail "$what: the log of the job does not name the other"
    [ "$(field "$others" linked_log)" = "${first##*/}" ] || fail "$what: the other log does not name that of the job"
    second=$logs/$(field "$others" linked_log_2)
    sound "$second" 3
    [ "$(field "$second" mpi_world)" != "$(field "$first" mpi_world)" ] || fail "$what: two jobs are one"
    "$iolite" dump --csv "$others" >"$work/out"
    has "$work/files/input"
    lacks "$work/files/own.0"
    "$iolite" dump --json "$others" | grep '"command"' >"$work/out"
    ! grep -q "\"$worker" "$work/out" || fail "$what: ranks are in the log of other processes"
    COLUMNS=80 status 0 "$iolite" show "$first"
    has "Of the same run: "
    nothing_left

    # The same under a name that was given: the logs are side by side.
    rm -rf "$logs" "$work"/files/*
    mkdir "$logs"
    status 0 "$iolite" run -q -o "$logs/x.darshan" -- sh "$work/script"
    [ ! -s "$work/err" ] || fail "$what: said: $(head -n 2 "$work/err")"
    [ "$(ls "$logs" | tr '\n' ' ')" = "x.darshan x_2.darshan x_others.darshan " ] || fail "$what: logs: $(ls "$logs")"
    sound "$logs/x.darshan" 2
    sound "$logs/x_2.darshan" 3
    [ "$(field "$logs/x_others.darshan" linked_log_2)" = x_2.darshan ] || fail "$what: links of the others"
    # All logs of an earlier run make way. One line says where the log is, also where each rank has a run.
    cp -f "$logs/x.darshan" "$work/before"
    status 0 "$iolite" run -o "$logs/x.darshan" -- mpirun.$abi -n 2 "$worker" "$work/files" 20
    grep -q "^iolite: the log is $logs/x.darshan" "$work/err" && [ "$(grep -c iolite "$work/err")" = 1 ] ||
        fail "$what: said: $(head -n 2 "$work/err")"
    cmp -s "$logs/x.darshan.old" "$work/before" || fail "$what: the earlier log is not kept"
    [ -e "$logs/x_2.darshan.old" ] && [ -e "$logs/x_others.darshan.old" ] && [ ! -e "$logs/x_2.darshan" ] ||
        fail "$what: logs: $(ls "$logs")"
    sound "$logs/x.darshan" 2
    status 0 mpirun.$abi -n 2 "$iolite" run -d "$logs/each" -- "$worker" "$work/files" 20
    [ "$(grep -c iolite "$work/err")" = 1 ] || fail "$what: $(grep -c iolite "$work/err") lines of two ranks"
    nothing_left

    # Time of a job begins with the job, not with the run or the jobs before it; how far into the run that is, it says.
    rm -rf "$logs" "$work"/files/*
    mkdir "$logs"
    cat >"$work/script" <<END
sleep 2
date +%s >$work/files/first
mpirun.$abi -n 2 $worker $work/files 20
sleep 2
date +%s >$work/files/second
exec mpirun.$abi -n 3 sh -c 'cat /dev/null; exec "\$@"' sh $worker $work/files 20
END
    began=$(date +%s)
    status 0 "$iolite" run -o "$logs/x.darshan" -- sh "$work/script"
    for log in x:first:2 x_2:second:3; do
        IFS=: read -r name which ranks <<<"$log"
        sound "$logs/$name.darshan" "$ranks"
        [ "$(field "$logs/$name.darshan" start_time)" -ge "$(cat "$work/files/$which")" ] ||
            fail "$what: the $which job begins before itself"
        offset=$(field "$logs/$name.darshan" run_offset)
        [ "${offset%.*}" -ge $(($(cat "$work/files/$which") - began - 1)) ] || fail "$what: offset $offset of the $which job"
    done
    nothing_left

    # Killed, with a run of its own: the ranks are there, and what they did.
    rm -rf "$logs" "$work"/files/*
    "$iolite" run --log-dir "$logs" -- sh -c 'sleep 2; date +%s >"$0/before"; exec "$@"' "$work/files" \
        mpirun.$abi -n 2 "$worker" "$work/files" 0 >/dev/null 2>"$work/err" &
    for ((tries = 0; tries < 3000; tries++)); do
        if [ -e "$work/files/ready.0" ] && [ -e "$work/files/ready.1" ]; then break; fi
        sleep 0.02
    done
    for rank in 0 1; do kill -KILL "$(cat "$work/files/pid.$rank")" 2>/dev/null; done
    wait $!
    sound "$logs"/*_mpi-worker.*_1.darshan 2
    [ "$(field "$logs"/*_mpi-worker.*_1.darshan exe)" = "$worker $work/files 0" ] || fail "$what: $(field "$logs"/* exe)"
    [ "$(field "$logs"/*_mpi-worker.*_1.darshan start_time)" -ge "$(cat "$work/files/before")" ] || fail "$what: time of a killed job"
    [ -n "$(field "$logs"/*_mpi-worker.*_1.darshan run_offset)" ] || fail "$what: no offset of a killed job"
    status 0 "$iolite" show "$logs"/*_mpi-worker.*_1.darshan
    has "of 2 was killed by signal 9 (SIGKILL) at "
    status 0 "$iolite" diagnose "$logs"/*_mpi-worker.*_1.darshan
    has "of 2 was killed by signal 9 (SIGKILL) at "
    nothing_left

    # Without its plugin the ranks are processes like others, and the run says so, once.
    rm -rf "$logs" "$work/blind"
    mkdir "$work/blind"
    cp "$library" "$work/blind"
    IOLITE_LIBRARY=$work/blind/libiolite.so status 0 "$iolite" run --log-dir "$logs" -- \
        mpirun.$abi -n 2 "$worker" "$work/files" 20
    [ "$(grep -c "no plugin for it: $work/blind/libiolite-mpi-$abi.so" "$work/err")" = 1 ] ||
        fail "$what: no word about the plugin that is not there: $(cat "$work/err")"
    [ -z "$(field "$(find "$logs" -name '*.darshan')" mpi_world)" ] || fail "$what: recorded without a plugin"
    nothing_left
done
[ $tested -gt 0 ] || exit 77
finish

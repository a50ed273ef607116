#!/usr/bin/env bash
# iolite merge and darshan-merge: what processes left becomes the log of their job.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/writing.bash
. "$(dirname "$0")/writing.bash"
merge=$IOLITE_BIN/darshan-merge
ranks=6
modules=POSIX,MPI-IO,STDIO,H5F,H5D,PNETCDF_FILE,PNETCDF_VAR,LUSTRE,DFS

plan=(--ranks "$ranks" --files 20 --shared 3 --modules "$modules" --heatmap)
"$tools/genlog" "${plan[@]}" --values real --layout mapped "$work/mpi"
"$tools/genlog" "${plan[@]}" --layout per-process "$work/plain"

# records MODULE RANK LOG: how many there are
records() { "$iolite" dump --ndjson -m "$1" -r "$2" "$3" | wc -l; }

# MPI: files of all ranks become one record, the rest stays.
status 0 "$iolite" merge -o "$work/job" "$work/mpi"
lines 0
listed "$work/job" --names
for module in POSIX STDIO H5D LUSTRE; do
    [ "$(records $module -1 "$work/job")" = 3 ] || fail "shared records of $module"
    [ "$(records $module 0:99 "$work/job")" = 20 ] || fail "records of single ranks of $module"
done
[ "$(records HEATMAP 0:99 "$work/job")" = $ranks ] || fail "heat maps"
[ "$(field "$work/job" nprocs)" = $ranks ] || fail "processes of the merged job"

# Sums over the merged log are those over its inputs.
sum() { awk -F ': ' -v counter="total_$1" '$1 == counter { n += $2 } END { printf "%.0f\n", n }'; }
for input in "$work"/mpi/*.darshan; do "$parser" --total "$input"; done >"$work/inputs"
"$parser" --total "$work/job" >"$work/merged"
for counter in POSIX_OPENS POSIX_BYTES_WRITTEN MPIIO_BYTES_WRITTEN STDIO_WRITES DFS_BYTES_WRITTEN; do
    [ "$(sum $counter <"$work/inputs")" != 0 ] || fail "$counter is 0 in the inputs"
    [ "$(sum $counter <"$work/inputs")" = "$(sum $counter <"$work/merged")" ] || fail "sum of $counter"
done

# The order of the inputs does not matter, nor does their form.
for input in "$work"/mpi/*.darshan; do
    "$iolite" convert "$input" "$work/$(basename "$input" .darshan).zlib" || fail "convert $input"
done
status 0 "$iolite" merge -o "$work/from-zlib" "$work"/*.zlib
cmp -s "$work/job" "$work/from-zlib" || fail "another log from compressed inputs"
rm -f "$work"/*.zlib

status 0 "$iolite" merge --no-reduce -o "$work/kept" "$work/mpi"
[ "$(records POSIX 0:99 "$work/kept")" = $((20 + 3 * ranks)) ] || fail "--no-reduce"
listed "$work/kept" --names

# Without MPI: a rank is a process in order of its start.
status 0 "$iolite" merge -o "$work/run" "$work/plain"
listed "$work/run" --names
[ "$(records POSIX -1 "$work/run")" = 0 ] || fail "processes without MPI share no record"
[ "$(records POSIX 0:99 "$work/run")" = $((20 + 3 * ranks)) ] || fail "records of processes"
[ "$(field "$work/run" nprocs)" = $ranks ] || fail "number of processes"
status 0 "$iolite" merge --reduce -o "$work/run-reduced" "$work/plain"
[ "$(records POSIX -1 "$work/run-reduced")" = 3 ] || fail "--reduce"
listed "$work/run-reduced" --names

# One job of several; its end.
status 0 "$iolite" merge --job 4711 --end-time 1700000100 -o "$work/one-job" "$work/mpi" "$demo"
[ "$(field "$work/one-job" nprocs)" = $ranks ] || fail "--job"
[ "$(field "$work/one-job" end_time)" = 1700000100 ] || fail "--end-time"
listed "$work/one-job" --names

# What cannot be read is named, and the rest is merged.
mkdir "$work/damaged"
cp "$work"/mpi/*.darshan "$work/damaged"
set -- "$work"/damaged/*.darshan
head -c 20000 "$2" >"$work/cut" && cat "$work/cut" >"$2"
echo "not a log" >"$3"
status 3 "$iolite" merge -o "$work/rest" "$work/damaged"
grep -qF "$2" "$work/err" || fail "the cut input is not named"
grep -qF "$3" "$work/err" || fail "the foreign input is not named"
listed "$work/rest"
[ "$(records POSIX 0:99 "$work/rest")" -gt 0 ] || fail "nothing is left of damaged inputs"
status 3 "$iolite" merge -o "$work/nothing" "$3"
[ ! -e "$work/nothing" ] || fail "a log out of nothing"

# As darshan-merge
status 0 "$merge" --output "$work/d" "$work"/mpi/*.darshan
listed "$work/d" --names --one-stream
[ "$(records POSIX 0:99 "$work/d")" = $((20 + 3 * ranks)) ] || fail "darshan-merge copies"
status 0 "$merge" --shared-redux --job-end-time 1700000200 --output "$work/redux" "$work"/mpi/*.darshan
listed "$work/redux" --names --one-stream
[ "$(records POSIX -1 "$work/redux")" = 3 ] || fail "--shared-redux"
[ "$(field "$work/redux" end_time)" = 1700000200 ] || fail "--job-end-time"
status 255 "$merge" --output "$work/d" "$work"/mpi/*.darshan # it exists
status 1 "$merge" "$work"/mpi/*.darshan

# Seed logs: every module in one merge, of both byte orders and of all versions.
status 0 "$iolite" merge -o "$work/seeds" \
    "$seeds"/{every-module-none-be-3.41,demo,mapped,mapped-be,trailer,posix-v1-3.00}.darshan
listed "$work/seeds"

# An input that comes through a pipe, alone and beside another.
status 0 "$iolite" merge -o "$work/piped" - <"$demo"
[ "$(field "$work/piped" jobid)" = "$(field "$demo" jobid)" ] || fail "a log from a pipe"
cat "$work/mpi/"*0.darshan | "$iolite" merge -o "$work/piped2" - "$demo" 2>"$work/err" || fail "a pipe beside a file"

# An input whose job record is damaged gives its records and nothing else; its job is not known.
cp "$demo" "$work/jobless"
printf 'XXXXXXXX' | dd of="$work/jobless" bs=1 seek=1330 conv=notrunc 2>/dev/null
status 3 "$iolite" merge -o "$work/adopted" "$work/jobless" "$demo"
for key in exe jobid start_time; do
    [ "$(field "$work/adopted" $key)" = "$(field "$demo" $key)" ] || fail "$key of a job with a damaged input"
done
status 3 "$iolite" merge --job "$(field "$demo" jobid)" -o "$work/adopted2" "$work/jobless" "$demo"
grep -q jobless "$work/err" || fail "a damaged input is left out without being named"

# What is asked for and is not there.
status 3 "$iolite" merge --job 4 -o "$work/none" "$demo"
grep -q 'no input is of job 4' "$work/err" || fail "no word of other jobs"
status 255 "$merge" --output "$work/strict" "$demo" "$work/nowhere"
[ ! -e "$work/strict" ] || fail "darshan-merge left a log of what it could read"

# Records that are not known cannot be merged: their log is left alone, and the others are merged.
for log in unassigned-slots invalid-module-versions; do
    cp "$seeds/$log.darshan" "$work/unknown"
    status 3 "$iolite" merge -o "$work/slots-only" "$work/unknown"
    [ ! -e "$work/slots-only" ] || fail "$log: a merged log without its unknown records"
    status 3 "$iolite" merge -o "$work/$log.merged" "$demo" "$work/unknown"
    grep -q 'slot .* does not know' "$work/err" || fail "$log: no word of unknown records"
    cmp -s "$seeds/$log.darshan" "$work/unknown" || fail "$log: the input of a merge was touched"
    status 255 "$merge" --output "$work/slots-strict" "$demo" "$work/unknown"
done

# A run of Iolite that was killed: its folder has a spool, the list of its processes and mapped files.
"$tools/genlog" --ranks $ranks --files 12 --shared 1 --modules POSIX,STDIO --layout run --heatmap "$work/folder"
cp "$seeds/mapped-iolite.darshan" "$work/folder/iolite-0-700-0.mapped"
: >"$work/folder/iolite-0-701-0.mapped" # killed before it began
status 0 "$iolite" merge -o "$work/killed" "$work/folder"
lines 0
listed "$work/killed"
status 1 "$iolite" check "$work/killed" # operations were lost
[ "$(field "$work/killed" nprocs)" = $((ranks + 1)) ] || fail "processes of a run"
[ "$(records POSIX 0:99 "$work/killed")" = $((12 + ranks + 1)) ] || fail "records of a run"
[ "$(records DXT_POSIX 0:99 "$work/killed")" = 1 ] || fail "traced operations of a killed process"
status 0 "$iolite" show "$work/killed"
has "$((ranks + 1)) processes"
has "Lost: 3 traced operations, 1 updates"
status 0 "$iolite" dump --json "$work/killed"
valid_json "dump of a run"
has '"processes": ['
has '"command": "/opt/app/bin/worker --number 1 of many"'
has '"trace_lost": 3'
status 0 "$iolite" merge -o "$work/from-spool" "$work/folder/spool"
[ "$(field "$work/from-spool" nprocs)" = $ranks ] || fail "a spool alone"
status 0 "$iolite" merge -o "$work/joined" "$work/killed" "$work/from-spool"
[ "$(field "$work/joined" nprocs)" = $((2 * ranks + 1)) ] || fail "two runs in one log"
status 0 "$iolite" dump --json "$work/joined"
[ "$(grep -c '"pid":' "$work/out")" = $((2 * ranks + 1)) ] || fail "processes of two runs"
status 2 "$iolite" merge -o "$work/folder/spool" "$work/folder"
truncate -s -5000 "$work/folder/spool"
status 3 "$iolite" merge -o "$work/cut-spool" "$work/folder"
grep -q "$work/folder/spool" "$work/err" || fail "the damaged spool is not named"
listed "$work/cut-spool"
[ "$(field "$work/cut-spool" nprocs)" = $((ranks + 1)) ] || fail "processes that lost their records still count"

# What killed programs of a job left on the node; it goes where logs go. Without a job it would be what all others left,
# who may be other tests.
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
if [ -e "$library" ] && grep -q copy_file_range "$library"; then
    library=$(realpath "$library")
    export IOLITE_MMAP_DIR=$work/records IOLITE_LOG_DIR=$work/left-logs IOLITE_LIBRARY=$library
    mkdir "$IOLITE_MMAP_DIR"
    # killed JOB [run]: a program that writes and is killed; with "run", `iolite run` is killed, and the program with it.
    killed() {
        local script='echo some >"$0"; cat "$0" >/dev/null'
        if [ "${2:-}" = run ]; then
            SLURM_JOB_ID=$1 "$iolite" run -- bash -c "$script; echo \$\$ >\"\$0.pid\"; kill -STOP \$\$" "$work/written.$1" &
            until_true grep -q '^State:.*stopped' "/proc/$!/status"
            kill -9 $!
            wait $!
            until_true is_over "$(cat "$work/written.$1.pid")"
        else
            SLURM_JOB_ID=$1 LD_PRELOAD=$library bash -c "$script; kill -9 \$\$" "$work/written.$1"
        fi
    } >/dev/null 2>&1
    is_over() { ! grep -q '^State:.*[^Z] (' "/proc/$1/status"; }
    killed 4001
    killed 4002
    killed 4003 run
    status 0 "$iolite" merge --leftovers --job 4001
    lines 1
    log=$(cat "$work/out")
    case $log in "$IOLITE_LOG_DIR"/*_bash_id4001-*.darshan) ;; *) fail "a log of leftovers is called $log" ;; esac
    listed "$log"
    [ "$(field "$log" jobid)" = 4001 ] || fail "leftovers of job $(field "$log" jobid) instead of 4001"
    status 0 "$iolite" merge --leftovers --job 4001
    lines 0
    status 0 "$iolite" merge --leftovers --job 4003 -o "$work/killed-run"
    [ "$(field "$work/killed-run" nprocs)" = 2 ] || fail "processes of a run that was killed"
    [ -z "$(find "$IOLITE_MMAP_DIR" -name 'iolite-run-*')" ] || fail "the directory of a run stays"
    [ "$(find "$IOLITE_MMAP_DIR" -name '*.mapped' | wc -l)" = 1 ] || fail "what another job left is gone"
    status 0 "$iolite" merge --leftovers --job 4002 --force -o "$work/killed-run"
    [ "$(field "$work/killed-run" jobid)" = 4002 ] || fail "leftovers of the last job"
    [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "left: $(ls -A "$IOLITE_MMAP_DIR")"
    # A run that goes on makes its log itself, whoever of its processes was killed.
    SLURM_JOB_ID=4004 "$iolite" run --output "$work/own-run" -- bash -c '
        bash -c "echo some >\"\$0\"; kill -9 \$\$" "$1"
        env -u LD_PRELOAD "$0" merge --leftovers --job 4004 --output "$2"' \
        "$iolite" "$work/written.4004" "$work/stolen" >/dev/null 2>&1
    [ ! -e "$work/stolen" ] || fail "a run that is under way was taken for a leftover"
    "$parser" "$work/own-run" | grep -q "$work/written.4004" || fail "the log of a run with a killed process"
    unset IOLITE_MMAP_DIR IOLITE_LOG_DIR IOLITE_LIBRARY
fi

# Usage
status 2 "$iolite" merge "$demo"
status 2 "$iolite" merge -o "$work/x"
status 2 "$iolite" merge --reduce --no-reduce -o "$work/x" "$demo"
status 2 "$iolite" merge --job x -o "$work/x" "$demo"
status 2 "$iolite" merge -o "$work/job" "$work/job" "$demo" # one of the inputs
finish

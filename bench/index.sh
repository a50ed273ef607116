#!/usr/bin/env bash
# How fast logs of a made-up centre get into the index, what a second run costs, and how long questions take. Questions that
# have a goal in CPU seconds, for a year with a million logs (LOGS 1000000), show it; where one is missed, this ends with 1.
#   bench/index.sh BIN TOOLS [LOGS]
set -euo pipefail
bin=$1 tools=$2 logs=${3:-100000}
work=$(mktemp -d "${TMPDIR:-/tmp}/iolite-bench-index.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset IOLITE_STORE

echo "Making $logs logs."
"$tools/make-centre" --logs "$logs" --months 12 --large 0 --broken 0 "$work/centre"
export IOLITE_SITE_CONFIG=$work/centre/site.json
find "$work/centre/logs" -type f -exec cat {} + >/dev/null # warm

# Seconds of wall time, of CPU time, and the most memory in KiB.
measured() { "$tools/measure" 1 "$@"; }

read -r wall_one cpu_one memory_one <<<"$(measured "$bin/iolite" index -q -j 1 --store "$work/one.db")"
read -r wall_two cpu_two memory_two <<<"$(measured "$bin/iolite" index -q -j 2 --store "$work/two.db")"
read -r wall_again _ _ <<<"$(measured "$bin/iolite" index -q -j 2 --store "$work/two.db")"
awk -v n="$logs" -v w1="$wall_one" -v c1="$cpu_one" -v m1="$memory_one" -v w2="$wall_two" -v c2="$cpu_two" -v m2="$memory_two" -v again="$wall_again" '
BEGIN {
    printf "1 thread   %8.0f logs per second, %8.0f per CPU second, %4d MiB\n", n / w1, n / c1, m1 / 1024
    printf "2 threads  %8.0f logs per second, %8.0f per CPU second, %4d MiB\n", n / w2, n / c2, m2 / 1024
    printf "2 threads against 1: %.2f times as fast\n", w1 / w2
    printf "second run, nothing new: %.2f s\n", again
}'
"$bin/iolite" index -q --store "$work/two.db" --accounting "$work/centre/sacct.txt" --accounting "$work/centre/entries.txt"
job=$("$bin/iolite" jobs --store "$work/two.db" --csv --columns job -n 1 | tail -n 1)
missed=0
answered() { # what, seconds, CPU seconds, KiB, goal in CPU seconds or nothing
    local verdict=
    [ -z "$5" ] || verdict="  goal $5"
    if [ -n "$5" ] && awk -v cpu="$3" -v goal="$5" 'BEGIN { exit cpu <= goal }'; then
        verdict+=", missed"
        missed=1
    fi
    printf '%-40s %7.3f s, %7.3f CPU s  %4d MiB%s\n' "$1" "$2" "$3" "$((${4%.*} / 1024))" "$verdict"
}
while IFS='|' read -r goal question; do
    # shellcheck disable=SC2086
    read -r wall cpu memory <<<"$("$tools/measure" 3 "$bin/iolite" $question --store "$work/two.db")"
    answered "$question" "$wall" "$cpu" "$memory" "$goal"
done <<END
0.5|rank
0.5|rank --per user
0.5|rank --per user --by cost
0.5|rank --per program
0.5|rank --per program --by meta_time
0.5|rank --per fs
0.5|rank --per triple
0.5|rank --per account
0.5|rank --per job
0.5|rank --per finding --by cost
0.5|rank --per user --limit-fs scratch
0.5|jobs --finding posix.small.write
0.01|find --job $job
|jobs
|jobs --sort read
|fleet
END
# A batch system's list that did not change
"$tools/make-centre" --logs 98500 --lists-only "$work/lists"
read_list=("$bin/iolite" index -q --store "$work/lists.db" --accounting "$work/lists/sacct.txt" "$work/lists") # and no logs
"${read_list[@]}"
read -r wall cpu memory <<<"$("$tools/measure" 3 "${read_list[@]}")"
answered "list of $(($(wc -l <"$work/lists/sacct.txt") - 1)) jobs, unchanged" "$wall" "$cpu" "$memory" 0.2
du -m "$work/two.db" | awk '{ printf "size of the index: %d MiB\n", $1 }'

# Into servers: one thread, client's CPU time only. Each in a shell of its own, with a folder that goes with it.
into() { # name
    (
        name=$1
        # shellcheck disable=SC2317
        skip() { echo "$name: skipped: $1"; exit 0; }
        # shellcheck disable=SC2030
        export iolite=$bin/iolite work=$work/$1 IOLITE_STORE_FSYNC=on no_proxy='*'
        mkdir "$work"
        set +eu
        # shellcheck source=/dev/null
        . "$folder/../tests/e2e/$1.bash"
        store=$(fresh bench)
        read -r wall cpu memory <<<"$("$tools/measure" 1 "$iolite" index -q -j 1 --store "$store")"
        awk -v name="$1" -v n="$logs" -v w="$wall" -v c="$cpu" -v m="$memory" -v c1="$cpu_one" 'BEGIN {
            printf "%-11s %7.0f logs per second, %8.0f per CPU second of the client (%.2f of SQLite), %4d MiB\n", name, n / w, n / c, c1 / c, m / 1024 }'
        for question in "rank" "rank --per account" "rank --per triple" "jobs" "fleet"; do
            # shellcheck disable=SC2086
            read -r wall _ <<<"$("$tools/measure" 1 "$iolite" $question --store "$store")"
            printf '  %-38s %6.2f s\n' "$question" "$wall"
        done
        [ "$name" != clickhouse ] || many_files
    )
}
# Records of files, ten million of them by repeating those that are there, and questions about all
many_files() {
    local here total=0 times i start end
    columns="mount_id, name, name_hex, ranks, bytes_read, bytes_written, reads, writes, opens, io_time, made, ver, gone"
    here=$(request 0 bench 'SELECT COUNT(*) FROM file')
    times=$((10000000 / here + 1))
    for i in 0 1; do
        request "$i" bench "INSERT INTO file_kept (log_id, record, $columns) SELECT log_id, concat(record, toString(k)), $columns FROM file_kept ARRAY JOIN range($times) AS k"
    done
    total=$(request 0 bench 'SELECT COUNT(*) FROM file')
    for question in "SELECT mount_id, COUNT(*), SUM(bytes_read), SUM(io_time) FROM file GROUP BY mount_id ORDER BY mount_id" \
        "SELECT name, COUNT(*) AS n, SUM(bytes_written) FROM file GROUP BY name ORDER BY n DESC, name LIMIT 10"; do
        start=$(date +%s%N)
        request 0 bench "$question" >/dev/null
        end=$(date +%s%N)
        printf '  %-38s %6.2f s\n' "$total files by ${question:7:8}" "$(awk -v t=$((end - start)) 'BEGIN { print t / 1e9 }')"
    done
}
folder=$(cd "$(dirname "$0")" && pwd)
into postgresql
into clickhouse

# With ranks of MPI
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for launcher in "mpirun.openmpi --oversubscribe --bind-to none" mpirun.mpich; do
    command -v "${launcher%% *}" >/dev/null || continue
    # shellcheck disable=SC2086,SC2031
    read -r wall _ <<<"$(measured $launcher -n 2 "$bin/iolite" index -q -j 1 --store "$work/${launcher%% *}.db")" || continue
    awk -v name="${launcher%% *}" -v w1="$wall_one" -v w="$wall" 'BEGIN { printf "2 ranks, %s: %.2f times as fast as 1 thread\n", name, w1 / w }'
done
[ "$missed" = 0 ]

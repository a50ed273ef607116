#!/usr/bin/env bash
# What a job's log is like around its counters: name, mode, order of records, which of them are combined, modules without
# data, and what is said on standard error by all ranks together.
# usage: job.sh program launcher...
# shellcheck source=tests/mpi/recorded.bash
. "$(dirname "$0")/recorded.bash"
recorded "$@"
mkdir "$work/pids"

# record RANKS WHAT VARIABLE...: runs the program. Its log goes to $log, its records to $work/records: module, rank, file.
record() {
    local ranks=$1 what=$2
    shift 2
    rm -rf "$work/files" "$work/logs"
    mkdir "$work/files"
    timeout 120 "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" \
        IOLITE_MMAP_DIR="$work" LOGNAME=ana "$@" "$program" "$work/files" "$what" "$work/pids/first" \
        >"$work/out" 2>"$work/said" || fail "$what: the program failed: $(head -n 5 "$work/said")"
    log=$(find "$work/logs" -type f 2>/dev/null)
    [ -f "$log" ] || fail "$what: not one log: $log"
    status 0 "$iolite" check "$log"
    status 0 "${iolite%/*}/darshan-parser" "$log"
    awk -F '\t' '$1 == "POSIX" {print $2, $3, $6}' "$work/out" | uniq | grep -F " $work/files/" >"$work/records"
}

# value RANK FILE COUNTER
value() {
    awk -F '\t' -v rank="$1" -v file="$work/files/$2" -v counter="$3" \
        '$2 == rank && $4 == counter && $6 == file {print $5}' "$work/out"
}

# expect WHAT IT_IS IT_SHOULD_BE
expect() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

record 4 writes
expect mode "$(stat -c %a "$log")" 400
[[ $(basename "$log") =~ ^ana_job_id[0-9]+-$(<"$work/pids/first")_[0-9]+-[0-9]+-[0-9]+-[0-9]+_1\.darshan$ ]] ||
    fail "the name has not the process id of rank 0: $log"
expect "bytes of a shared file" "$(value -1 zeta POSIX_BYTES_WRITTEN)" 4000
expect "opens of a shared file" "$(value -1 zeta POSIX_OPENS)" 4
expect "variance of 4000, 0, 0, 0" "$(value -1 zeta POSIX_F_VARIANCE_RANK_BYTES)" 3000000.000000
expect "ranks of a file that one leaves out" "$(awk '$3 ~ /most$/ {printf "%s ", $1}' "$work/records")" "0 1 2 "
# rank by rank, each by id; those of all ranks come behind those of the first
awk '{print ($1 < 0 ? 0.5 : $1), $2, $3}' "$work/records" >"$work/in_order"
sort -k 1,1g -k 2,2n "$work/in_order" | diff - "$work/in_order" || fail "records are in another order"
expect "combined records" "$(grep -c '^-1 ' "$work/records")" 2
# the ranks have counted their nodes, so that nobody has to guess
status 0 "$iolite" diagnose "$log"
has "4 processes, 1 node, run time"

record 4 writes DARSHAN_DISABLE_SHARED_REDUCTION=1
expect "records of each rank" "$(grep -c '/zeta$' "$work/records")" 4
expect "a record of a rank" "$(value 0 zeta POSIX_BYTES_WRITTEN)" 4000
expect "the order of use" "$(awk '$1 == 1 {sub(/.*\//, "", $3); printf "%s ", $3}' "$work/records")" \
    "zeta own.10 own.11 own.12 alpha most "

record 1 writes
expect "ranks of a job of one" "$(cut -d ' ' -f 1 "$work/records" | sort -u)" -1

# a heat map that is empty has a place and a version
record 2 opens
python3 - "$log" <<'END' || fail "HEATMAP is not in the header"
import struct, sys
header = open(sys.argv[1], "rb").read(1328)
at, length = struct.unpack_from("<QQ", header, 48 + 16 * 15)
version, = struct.unpack_from("<I", header, 1072 + 4 * 15)
sys.exit(not (at > 1328 and length == 0 and version == 1))
END

# rank 0 speaks for all
record 3 writes DARSHAN_RANK_EXCLUDE=none DARSHAN_INTERNAL_TIMING=1 IOLITE_VERBOSE=1
expect "complaints" "$(grep -c '^iolite: DARSHAN_RANK_EXCLUDE' "$work/said")" 1
expect "times" "$(sed -n 's/^\(#*darshan:[^\t]*\t[^\t]*\)\t[0-9.<>a-z]*$/\1/p' "$work/said" | tr '\t\n' '= ')" \
    "#darshan:<op>=<nprocs> darshan:init=3 #darshan:<op>=<nprocs> darshan:log_open=3 darshan:job_write=3 \
darshan:hash_write=3 darshan:header_write=3 darshan:POSIX_shutdown=3 darshan:STDIO_shutdown=3 \
darshan:HEATMAP_shutdown=3 darshan:core_shutdown=3 "

# no place takes the log: it is said why not the one that was asked for, and the records stay where they are
mkdir "$work/left"
touch "$work/taken"
timeout 120 "${launcher[@]}" -n 2 env LD_PRELOAD="$library" IOLITE_LOG_FILE="$work/taken" HOME=/dev/null \
    IOLITE_MMAP_DIR="$work/left" "$program" "$work/files" writes "$work/pids/first" >"$work/out" 2>"$work/said" ||
    fail "without a place the program fails: $(head -n 5 "$work/said")"
expect "words about the place" "$(grep -c "^iolite: cannot write $work/taken (File exists); .* $work/left/" "$work/said")" 1
status 0 "$iolite" merge -o "$work/merged" "$work"/left/*
status 0 "${iolite%/*}/darshan-parser" "$work/merged"
has "# nprocs: 2"
expect "bytes of a merged file" "$(value -1 zeta POSIX_BYTES_WRITTEN)" 4000

# the launcher is given the library as well: it leaves no log of its own, and neither do its copies that become ranks
rm -rf "$work/logs"
timeout 120 env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work" \
    "${launcher[@]}" -n 2 "$program" "$work/files" writes "$work/pids/first" >"$work/out" 2>"$work/said" ||
    fail "with a preloaded launcher the program fails: $(head -n 5 "$work/said")"
expect "logs of a preloaded launcher's job" "$(find "$work/logs" -type f | wc -l)" 1
finish

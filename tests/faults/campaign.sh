#!/usr/bin/env bash
# Makes each system call that the runtime makes for itself fail, one after the other, and then all from one on: whatever
# happens, programs print and leave what they always do, and end as they always do.
# Usage: tests/faults/campaign.sh MOST [PROGRAM HOW]: at most MOST of a program's calls are tried, evenly spread; all
# programs in all ways, or one (small, cat, python) in one (preloaded, run), so that they can be tried beside each other.
# A try is the run itself and few processes more: there are some hundreds of them.
: "${IOLITE_BIN:=$PWD/build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/../e2e/programs.bash"
most=${1:-40}
only=${2:-all}
read -ra ways <<<"${3:-preloaded run}"
faulty=$(cd "$tools" && pwd -P)/libiolite-faults.so # the runtime, built with IOL_FAULTS
[ -e "$faulty" ] && [ -x "$tools/faults-small" ] || exit 77
export IOLITE_MMAP_DIR=$work/mapped
counts=$work/counts
runs=0

data=$(seq 1 500)
expected_out='' expected_err='' expected_status='' expected_files=''
got_out='' got_err='' got_status='' got_files=''

# load VARIABLE FILE: without a process for it.
load() { IFS= read -r -d '' "$1" <"$2" || true; }

# once HOW FAULTS...: one run of $program, which is $images processes, with these settings of the faults. Output, files
# and status are in $got_*.
once() {
    local how=$1
    shift
    local faults=("$@" IOL_FAULT_COUNT="$counts")
    rm -rf "$logs" "$work/mapped" "$counts" "$HOME" "$here"
    mkdir "$logs" "$work/mapped" "$HOME" "$here"
    cd "$here" || return
    echo "$data" >data
    case $how in
    plain) timeout 30 "${program[@]}" ;;
    preloaded) timeout 30 env "${faults[@]}" IOLITE_LOG_DIR="$logs" LD_PRELOAD="$faulty" "${program[@]}" ;;
    run)
        timeout 30 env "${faults[@]}" IOLITE_LIBRARY="$faulty" "$iolite" run -q --log-dir "$logs" -- "${program[@]}"
        ;;
    esac >"$work/got.out" 2>"$work/got.err" </dev/null
    got_status=$?
    got_files=$(cksum ./*)
    cd "$work" || return
    load got_out "$work/got.out"
    load got_err "$work/got.err"
    runs=$((runs + 1))
    [ ! -e "$counts" ] || remove_leftovers
}

# A process that could not remove its records, or not keep them where it should, leaves them in the usual places.
remove_leftovers() {
    local pid
    while read -r pid _; do rm -f /dev/shm/iolite-*-"$pid"-*.mapped /tmp/iolite-*-"$pid"-*.mapped; done <"$counts"
}

# compare LABEL LINES: the run was like the one without Iolite, and printed at most LINES lines of its own.
compare() {
    local part expected_part got_part line rest='' said=0
    while IFS= read -r line; do
        if [[ $line == "iolite: "* ]]; then said=$((said + 1)); else rest+=$line$'\n'; fi
    done <"$work/got.err"
    got_err=$rest
    for part in out status files err; do
        expected_part=expected_$part got_part=got_$part
        [ "${!expected_part}" = "${!got_part}" ] || fail "$1: $part differs:" \
            "$(diff <(echo "${!expected_part}") <(echo "${!got_part}") | head -n 3 | tr '\n' ';')"
    done
    [ "$said" -le "$2" ] || fail "$1: $said lines said: $(head -n 3 "$work/got.err" | tr '\n' ';')"
}

# What there is of logs can be read; under `iolite run` there is one, even if no process could say anything.
logs_readable() { # LABEL HOW
    local all=("$logs"/*.darshan)
    [ -e "${all[0]}" ] || all=()
    if [ ${#all[@]} -gt 0 ]; then
        "$iolite" check "${all[@]}" >"$work/checked" 2>&1
        [ $? -le 1 ] || fail "$1: a log that is not sound: $(head -n 2 "$work/checked" | tr '\n' ';')"
    fi
    [ "$2" != run ] || [ ${#all[@]} = 1 ] || fail "$1: ${#all[@]} logs"
}

# How many processes left something of their own, in whatever place.
kept() { find "$logs" "$HOME" "$work/mapped" -name '*.darshan' -o -name '*.mapped' | wc -l; }

# try LABEL HOW FAULTS...
try() {
    local label=$1 how=$2 lines=1
    shift 2
    [ "$how" = run ] || lines=$images
    once "$how" "$@"
    compare "$label, $how, $*" "$lines"
    logs_readable "$label, $how, $*" "$how"
    # No log is lost without a word, unless the program has closed its standard error, as cat does, or nothing works.
    [ "$how" = run ] || [ "${program[0]}" = cat ] || [[ $1 == *FROM* ]] || [ "$(kept)" -ge "$expected" ] ||
        grep -q '^iolite: ' "$work/got.err" || fail "$label, $how, $*: a log is lost without a word"
}

# campaign NAME IMAGES COMMAND...
campaign() {
    local name=$1 how total step n tried=0
    [ "$only" = all ] || [ "$only" = "$name" ] || return 0
    images=$2
    shift 2
    program=("$@")
    once plain
    # shellcheck disable=SC2034  # compare reads them by name
    expected_out=$got_out expected_err=$got_err expected_status=$got_status expected_files=$got_files
    for how in "${ways[@]}"; do
        once "$how" IOL_FAULT_AT=0
        compare "$name, $how, without faults" 0
        expected=$(kept)
        total=$(awk '$2 > most { most = $2 } END { print most + 0 }' "$counts" 2>/dev/null)
        [ "${total:-0}" -gt 5 ] || { fail "$name, $how: only ${total:-0} calls counted"; continue; }
        step=$(((total + most - 1) / most))
        tried=0
        for ((n = 1; n <= total; n += step)); do
            try "$name" "$how" IOL_FAULT_AT=$n
            try "$name" "$how" IOL_FAULT_FROM=$n
            # Interrupted for ever is no fault that exists; and the kind of error matters less than the place.
            if [ $((tried++ % 5)) = 0 ]; then
                try "$name" "$how" IOL_FAULT_AT=$n IOL_FAULT_ERRNO=4
                try "$name" "$how" IOL_FAULT_AT=$n IOL_FAULT_ERRNO=12
                try "$name" "$how" IOL_FAULT_FROM=$n IOL_FAULT_ERRNO=13
            fi
        done
        echo "$name, $how: $total calls, $tried places tried"
    done
}

campaign small 4 "$(cd "$tools" && pwd -P)/faults-small" .
campaign cat 1 cat data
python=/usr/bin/python3
[ -x $python ] || python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$python" ]; then
    campaign python 1 "$python" -S -E -c 'import os
with open("data") as a, open("copy", "w") as b: b.write(a.read())
fd = os.open("raw", os.O_RDWR | os.O_CREAT); print(os.write(fd, b"x" * 1000), os.pread(fd, 10, 5), os.listdir("."))'
fi
echo "$runs runs"
finish

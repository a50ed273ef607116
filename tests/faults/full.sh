#!/usr/bin/env bash
# The file system of the mapped records fills up after every n-th page: the program does what it always does, and either
# all of its records are in the log, or `show` and `check` both say that some are missing.
# Usage: tests/faults/full.sh STEP [LAUNCHER PROGRAM]: every STEP-th number of pages; with a launcher one rank of a job
# is without room. Needs the right to mount, which users have in a namespace of their own.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
if [ "${INSIDE:-}" != yes ]; then
    for way in "unshare -m" "unshare -rm"; do
        # shellcheck disable=SC2086
        if $way mount -t tmpfs tmpfs /mnt 2>/dev/null; then INSIDE=yes exec $way "$0" "$@"; fi
    done
    echo "skipped: nothing can be mounted here"
    exit 77
fi
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
step=${1:-7} files=300 ranks=3
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
plain=$(realpath "$IOLITE_TOOLS")/faults-full parser=$(realpath "$IOLITE_BIN")/darshan-parser
read -ra launcher <<<"${2:-}"
program=${3:-$plain}
[ -e "$library" ] && [ -x "$program" ] || exit 77
[ -z "${launcher[*]}" ] || command -v "${launcher[0]}" >/dev/null || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_FINALIZE_TIMEOUT=20
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
small=$work/small logs=$work/logs
mkdir "$small" "$HOME" "$work/files" "$work/tmp" "$work/shm"
mount -t tmpfs tmpfs /dev/shm || exit 77 # what goes there instead, and is killed, is gone with this namespace
saved=0 partial=0

# room PAGES: so much is there for records; where it is too little for any, they go to the next place.
room() {
    rm -rf "$logs"
    mkdir "$logs"
    umount "$small" 2>/dev/null
    mount -t tmpfs -o "size=$(($1 * 4096))" tmpfs "$small" || exit 77
}

# judge LABEL WANTED: of the log; WANTED files of the program have to be in it.
judge() {
    local log found whole shown
    log=$(find "$logs" -name '*.darshan' | head -n 1)
    [ -n "$log" ] || { fail "$1: there is no log"; return; }
    found=$("$parser" --show-incomplete "$log" 2>/dev/null | grep -o 'file-of-some-length[.0-9]*' | sort -u | wc -l)
    "$iolite" check "$log" >"$work/checked" 2>&1
    whole=$?
    [ $whole -le 1 ] || fail "$1: check ends with $whole: $(head -n 3 "$work/checked" | tr '\n' ';')"
    "$iolite" show "$log" >"$work/shown" 2>&1
    shown=1
    grep -q -e '^ *Complete: ' "$work/shown" && shown=0
    # The killed process is named instead, in a complete log.
    grep -q 'did not end by itself' "$work/shown" && ! grep -q -e Incomplete -e Damaged -e folded "$work/shown" && shown=0
    [ $whole = $shown ] || fail "$1: show says $shown, check says $whole: $(tail -n 3 "$work/shown" | tr '\n' ';')"
    [ "$found" -ge "$2" ] || [ $whole = 1 ] || fail "$1: $found of $2 files, and the log is complete"
    if [ "$found" -ge "$2" ]; then saved=$((saved + 1)); else partial=$((partial + 1)); fi
}

# unharmed LABEL STATUS: of the run before this.
unharmed() {
    [ "$got" = "$2" ] || fail "$1: status $got instead of $2: $(head -n 3 "$work/err" | tr '\n' ';')"
    [ "$2" != 0 ] || [ "$(cat "$work/out")" = "done" ] || fail "$1: other output: $(head -n 3 "$work/out")"
    [ ! -s "$work/err" ] || fail "$1: on standard error: $(head -n 3 "$work/err" | tr '\n' ';')"
}

alone() { # PAGES
    local trace
    for trace in 0 1; do
        room "$1"
        timeout 60 env IOLITE_TRACE=$trace IOLITE_MMAP_DIR="$small" IOLITE_LOG_DIR="$logs" LD_PRELOAD="$library" \
            "$plain" "$work/files" $files >"$work/out" 2>"$work/err"
        got=$?
        unharmed "$1 pages, trace $trace" 0
        judge "$1 pages, trace $trace" $files
        [ -z "$(ls -A "$small")" ] || fail "$1 pages, trace $trace: left behind: $(ls "$small")"
    done
}

through_run() { # PAGES
    room "$1"
    IOLITE_MMAP_DIR=$small timeout 60 "$iolite" run -q --log-dir "$logs" -- "$plain" "$work/files" $files \
        >"$work/out" 2>"$work/err"
    got=$?
    : >"$work/err" # what `run` says of its own is for others to judge
    unharmed "$1 pages, run" 0
    judge "$1 pages, run" $files
}

killed() { # PAGES
    room "$1"
    { (IOLITE_MMAP_DIR=$small IOLITE_LOG_DIR=$logs LD_PRELOAD=$library exec "$plain" "$work/files" $files kill); } \
        >"$work/out" 2>/dev/null
    [ -n "$(ls -A "$small")" ] || return # it had to go to another place
    "$iolite" merge -o "$logs/merged.darshan" "$small"/*.mapped >"$work/out" 2>&1 ||
        { fail "$1 pages, killed: merge: $(head -n 2 "$work/out" | tr '\n' ';')"; return; }
    judge "$1 pages, killed" $files
}

# One rank of the job has little room, the others have enough.
of_a_job() { # PAGES
    room "$1"
    cat >"$work/rank" <<END
#!/bin/sh
rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
if [ "\$rank" = 1 ]; then export IOLITE_MMAP_DIR=$small; else export IOLITE_MMAP_DIR=$work/shm; fi
export LD_PRELOAD=$library
exec "$program" "$work/files" $files
END
    chmod +x "$work/rank"
    IOLITE_LOG_DIR=$logs TMPDIR=$work/tmp timeout 120 "${launcher[@]}" -n $ranks "$work/rank" >"$work/out" 2>"$work/err"
    got=$?
    unharmed "$1 pages, job" 0
    judge "$1 pages, job" $((ranks * files))
}

for ((pages = 6; pages < 100; pages += step)); do
    if [ -n "${launcher[*]}" ]; then
        of_a_job $pages
    else
        alone $pages
        through_run $pages
        killed $pages
    fi
done
umount "$small"
echo "all records: $saved, some, and the log says so: $partial"
finish

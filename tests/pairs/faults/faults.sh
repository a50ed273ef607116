#!/usr/bin/env bash
# faults.sh PROGRAM [NAME...] -- LAUNCHER...: runs each program of faults.c, or those that are named, on the slow storage of
# the pairs, and demands that its fault is the first finding above INFO. With ROMIO in Open MPI too, whose hints they use.
# shellcheck source=tests/pairs/ranks.bash
. "$(dirname "$0")/../ranks.bash"
program=$1
shift
chosen "$@"
[ -x "$program" ] || skip "there is no $program"
need_storage "$(dirname "$program")/../../storage.so"
choose_romio
launcher+=(${romio+"${romio[@]}"})

# judge NAME RANKS FINDING
judge() {
    rm -rf "$work/files" "$work/logs"
    mkdir "$work/files"
    timeout 240 "${launcher[@]}" -n "$2" env LD_PRELOAD="$library:$storage" STORAGE="$work/files" \
        IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work" "$program" "$1" "$work/files" >"$work/out" 2>"$work/err" \
        </dev/null || {
        fail "$1: $(head -n 3 "$work/err")"
        return
    }
    status 0 "$iolite" diagnose --json "$work"/logs/*.darshan
    sed -n -E 's/^ *\{"schema":"iolite.finding[^"]*","id":"([^"]*)".*"level":"(high|warn)".*"title":"([^"]*)".*/\1 \2 \3/p' \
        "$work/out" >"$work/found"
    [ "$(head -n 1 "$work/found" | cut -d ' ' -f 1)" = "$3" ] || fail "$1: $3 is not first: $(cat "$work/found")"
}

"$program" >"$work/list"
while read -r name ranks finding; do
    [ ${#names[@]} = 0 ] || [[ " ${names[*]} " == *" $name "* ]] || continue
    judge "$name" "$ranks" "$finding"
done <"$work/list"
finish

#!/usr/bin/env bash
# Iolite beside other preloaded libraries that wrap the same calls, in both orders and under `iolite run`: the program does
# what it does without Iolite, the neighbour sees what it sees without it, and Iolite sees the program's calls.
# shellcheck source=tests/neighbours/neighbours.bash
. "$(dirname "$0")/neighbours.bash"
built libdarshan.so standin.c -shared -fPIC -ldl
built libcrash.so crash_handler.c -shared -fPIC
built libtracer.so tracer.c -shared -fPIC -ldl
seen="1 10 5 1"

# beside NAME LIBRARY COUNTS REPORT ARGUMENTS...: REPORT is a file that the neighbour writes, or "-".
beside() {
    local name=$1 other=$2 expected=$3 report=$4 order
    shift 4
    once without env LD_PRELOAD="$other" "$program" data "$@"
    [ "$report" = - ] || cp "$work/files/$report" "$work/without.report" 2>/dev/null || fail "$name leaves no report by itself"
    for order in "$library:$other" "$other:$library" run; do
        local where=behind command=(env LD_PRELOAD="$order" IOLITE_LOG_DIR="$work/logs" "$program" data "$@")
        [ "$order" != "$library:$other" ] || where=before
        emptied "$work/logs"
        if [ "$order" = run ]; then
            where=run
            command=(env LD_PRELOAD="$other" "$iolite" run -q -o "$work/logs/run.darshan" -- "$program" data "$@")
        fi
        once $where "${command[@]}"
        same "$name" $where out err status
        if [ "$report" != - ]; then
            # The neighbour is in `iolite` itself, too, which has a report of its own.
            grep -qxF "$(cat "$work/without.report")" "$work/files/$report" ||
                fail "$name, $where: it saw '$(cat "$work/files/$report")', not '$(cat "$work/without.report")'"
        fi
        if [ "$expected" != - ]; then
            [ "$where" = run ] || [ "${1:-}" != crash ] || "$iolite" merge -q --leftovers -o "$work/logs/left.darshan" >/dev/null 2>&1
            recorded "$name" $where "$work/logs" "$work/files/data" "$expected"
        fi
    done
}
STANDIN_REPORT=report beside "a stand-in of libdarshan" "$work/libdarshan.so" "$seen" report
TRACER_REPORT=report beside "a tracer" "$work/libtracer.so" "$seen" report
beside "a crash handler" "$work/libcrash.so" "$seen" -
beside "a crash handler that is needed" "$work/libcrash.so" - - crash
grep -q "crash handler: saw the signal" "$work/run.err" || fail "the crash handler did not see the crash"

# One with a DIR and a regex_t of its own, linked into the program or preloaded: what one of its functions made goes to another
# of them, also where Iolite calls them, and a setting that excludes programs is obeyed.
built libown.so own_types.c -shared -fPIC
built lister own_types.c -DPROGRAM -rdynamic
for linked in "" "$work/libown.so"; do
    once without env LD_PRELOAD="$linked" "$work/lister"
    emptied "$work/logs"
    for expression in . 'no program of this name'; do
        once behind env LD_PRELOAD="$library${linked:+:$linked}" IOLITE_LOG_DIR="$work/logs" IOLITE_APP_EXCLUDE="$expression" "$work/lister"
        same "types of its own" behind out err status
    done
done

# Those that distributions have. A missing one is not a failure.
with_library() { # NAME FILE VARIABLE=VALUE
    local found
    found=$(find /usr/lib /lib /usr/libexec -name "$2" 2>/dev/null | head -n 1)
    [ -n "$found" ] || { echo "left out: there is no $2" >&2; return; }
    export "${3?}"
    beside "$1" "$found" "$seen" -
    unset "${3%%=*}"
}
with_library libfaketime libfaketime.so.1 "FAKETIME=2020-12-24 20:30:00"
with_library libeatmydata "libeatmydata.so*" EATMYDATA_TEST=1
with_library stdbuf libstdbuf.so _STDBUF_O=L
finish

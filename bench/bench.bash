# What bench/runtime.sh and bench/short.sh share: where things are, how a line is printed, whether a budget is kept, and how
# instructions are counted. To be sourced with BIN-DIRECTORY TOOL-DIRECTORY. Ends with 0 if there is no library.
# shellcheck shell=bash disable=SC2034 # who sources it uses these
set -euo pipefail
: "${2:?usage: $0 BIN-DIRECTORY TOOL-DIRECTORY}"
bin=$(cd "$1" && pwd -P)
tools=$(cd "$2" && pwd -P)
library=$bin/../lib/libiolite.so
rounds=${BENCH_ROUNDS:-31}
[ -e "$library" ] || { echo "skipped: there is no $library"; exit 0; }
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD

# Not in /dev/shm: files there are not recorded.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" "$work/logs"
status=0
export IOLITE_LOG_DIR=$work/logs

print() { printf '%-52s %12s %12s %12s  %s\n' "$@"; }
calculate() { awk "BEGIN { printf \"$1\", $2 }"; }

# verdict MEASURED LIMIT: $mark is "ok" or "OVER", which is status 1; nothing without a limit (-).
verdict() {
    mark=
    [ "$2" != - ] || return 0
    mark=ok
    if awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; then
        mark=OVER
        status=1
    fi
}

# with_iolite HOW COMMAND...: plain, preloaded (on), switched off, traced, or under `iolite run`.
with_iolite() {
    local how=$1
    shift
    case $how in
    plain) "$@" ;;
    on) LD_PRELOAD=$library "$@" ;;
    off) IOLITE_DISABLE=1 LD_PRELOAD=$library "$@" ;;
    where) IOLITE_WHERE=1 LD_PRELOAD=$library "$@" ;;
    traced) IOLITE_TRACE=1 LD_PRELOAD=$library "$@" ;;
    run) "$bin/iolite" run --log-dir "$work/logs" -- "$@" ;;
    esac
}

# count HOW COMMAND...: instructions of a whole program.
count() {
    with_iolite "$1" valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "${@:2}" \
        >"$work/stdout" 2>"$work/stderr" || {
        cat "$work/stderr" >&2
        return 1
    }
    sed -n 's/^totals: //p' "$work/callgrind" | head -n 1
}

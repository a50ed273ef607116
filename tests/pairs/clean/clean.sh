#!/usr/bin/env bash
# clean.sh [--load N] PROGRAM RANKS LAUNCHER...: each of the sound programs in PROGRAM, recorded, has no finding above INFO.
# With --load N, N processes keep the machine busy meanwhile.
# shellcheck source=tests/pairs/ranks.bash
. "$(dirname "$0")/../ranks.bash"
load=0
if [ "$1" = --load ]; then
    load=$2
    shift 2
fi
program=$1 ranks=$2
shift 2
launcher=("$@")
[ -x "$program" ] || skip "there is no $program"

busy=()
for ((i = 0; i < load; i++)); do
    timeout 3000 sh -c 'while :; do :; done' &
    busy+=($!)
done
[ "$load" = 0 ] || trap 'kill "${busy[@]}" 2>/dev/null; rm -rf "$work"' EXIT

for name in $("$program"); do
    rm -rf "$work/files" "$work/logs"
    mkdir "$work/files"
    timeout 120 "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work" \
        "$program" "$name" "$work/files" >"$work/out" 2>"$work/err" || fail "$name: $(head -n 3 "$work/err")"
    status 0 "$iolite" diagnose --json "$work"/logs/*.darshan
    sed -n -E 's/^ *\{"schema":"iolite.finding[^"]*","id":"([^"]*)".*"level":"(high|warn)".*"title":"([^"]*)".*/\2 \1 \3/p' \
        "$work/out" >"$work/found"
    [ ! -s "$work/found" ] || fail "$name is sound, and yet: $(cat "$work/found")"
done
finish

#!/usr/bin/env bash
# What `iolite live` costs a node: processor time of a minute with 1,000 recorded processes that each hold a file open, at rest
# and writing once a second, in parts of one core. Usage: bench/live.sh BIN-DIRECTORY TOOL-DIRECTORY. Status 1 if a budget is
# exceeded. LIVE_SECONDS=60 and LIVE_PROCESSES=1000 can be changed.
# shellcheck source=bench/bench.bash
. "$(dirname "$0")/bench.bash"
seconds=${LIVE_SECONDS:-60} processes=${LIVE_PROCESSES:-1000}
[ -x "$tools/holders" ] || { echo "skipped: holders was not built"; exit 0; }
export IOLITE_MMAP_DIR=$work/maps
mkdir "$IOLITE_MMAP_DIR"
mount=$(df --output=target /dev/shm 2>/dev/null | tail -n 1)
[ "$mount" != /dev/shm ] || { IOLITE_MMAP_DIR=$(mktemp -d /dev/shm/bench-live.XXXXXX) && trap 'rm -rf "$work" "$IOLITE_MMAP_DIR"' EXIT; }

# cpu_of PID: seconds of processor time so far, in nanoseconds' steps. One thread does all of it.
cpu_of() { awk '{ printf "%.9f", $1 / 1e9 }' "/proc/$1/schedstat"; }

measure_live() { # WHAT LIMIT PERIOD...
    local what=$1 limit=$2 before after part resident service seen
    shift 2
    mkfifo "$work/hold"
    exec 9<>"$work/hold"
    "$bin/iolite" run --quiet --log-dir "$work/logs" -- "$tools/holders" "$processes" "$work/files" "$@" <"$work/hold" >"$work/held" &
    until grep -q 'all hold' "$work/held" 2>/dev/null; do sleep 0.2; done
    "$bin/iolite" live --textfile "$work/live.prom" --jobs 50 &
    service=$!
    # The first looks open the files, and are not what a node has all day.
    until [ "$(sed -n 's/^iolite_live_processes //p' "$work/live.prom" 2>/dev/null || echo 0)" -ge "$processes" ]; do sleep 0.2; done
    sleep 6
    before=$(cpu_of "$service")
    sleep "$seconds"
    after=$(cpu_of "$service")
    resident=$(awk '/^VmRSS/ { printf "%.0f MB", $2 / 1024 }' "/proc/$service/status")
    seen=$(sed -n 's/^iolite_live_processes //p' "$work/live.prom")
    kill "$service"
    wait "$service" || true
    echo over >&9 # nobody reads it: that it is there ends them all
    exec 9>&-
    rm "$work/hold" "$work/live.prom"
    wait
    part=$(calculate %.3f "100 * ($after - $before) / $seconds")
    verdict "$part" "$limit"
    print "$what" "$seen" "$part %" "$limit %" "$resident $mark"
}

print "a minute of iolite live" "processes" "of a core" "at most" ""
measure_live "processes that hold a file open" 1
measure_live "processes that write once a second" 1 1000
exit "$status"

#!/usr/bin/env bash
# Every allocator that a distribution has, before Iolite, behind it, and linked: their first allocation opens and reads
# files while they hold their lock, and comes to our wrappers before Iolite has started. The program must do the same as
# with the allocator alone, and its records must be there.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
[ -e "$library" ] || exit 77
command -v cc >/dev/null || {
    echo "skipped: there is no compiler" >&2
    exit 77
}
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD
export HOME=$work/home IOLITE_MMAP_DIR=$work/records DMALLOC_OPTIONS=
mkdir "$HOME" "$IOLITE_MMAP_DIR"
program=$work/program
cc -O1 -o "$program" "$(dirname "$0")/../allocators/program.c" -pthread || fail "the program cannot be compiled"

allocators=(libjemalloc.so.2 libtcmalloc.so.4 libtcmalloc_debug.so.4 libtcmalloc_minimal.so.4
    libtcmalloc_minimal_debug.so.4 libtcmalloc_and_profiler.so.4 libmimalloc.so.2.0 libmimalloc.so.3
    libtbbmalloc_proxy.so.2 libdmallocth.so.5 libhoard.so libnedmalloc.so.0 libsnmalloc.so)

# run PRELOAD COMMAND...: in an empty directory; what it printed, its status and its files are kept in $work/result.
run() {
    local preload=$1
    shift
    emptied "$work/here"
    (
        cd "$work/here" || exit
        LD_PRELOAD=$preload timeout -k 1 30 "$@" 2>&1
        echo "status $?"
        sha256sum -- *.dat *.txt
    ) >"$work/result" 2>&1
}

# compare LABEL: the last run was as the allocator alone, nothing is left, and what it wrote is in the logs.
compare() {
    cmp -s "$work/plain" "$work/result" || fail "$1: $(diff "$work/plain" "$work/result" | head -n 5)"
    [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "$1: left behind: $(ls -A "$IOLITE_MMAP_DIR")"
    local log written=0
    for log in "$work"/logs/*; do
        "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$1: $(head -n 2 "$work/checked")"
        "$iolite" dump --csv "$log" >"$work/csv"
        written=$((written + $(awk -F, '/POSIX_BYTES_WRITTEN|STDIO_BYTES_WRITTEN/ && /(part[0-9]|child|lines)\.(dat|txt)/ {
            for (i = 1; i < NF; i++) if ($i ~ /_BYTES_WRITTEN$/) sum += $(i + 1) } END { print sum + 0 }' "$work/csv")))
    done
    [ "$written" = "$2" ] || fail "$1: $written bytes are recorded instead of $2"
    rm -rf "$work/logs"
}

tried=0
# all_ways NAME PROGRAM ALLOCATOR THREADS...: through `run`, and preloaded before and behind the allocator. The command
# itself is left without: it may have a sanitizer.
all_ways() {
    local name=$1 with=$3 threads expected label
    for threads in "${@:4}"; do
        label="$name, $threads threads"
        expected=$((threads * 5000 + 5000 + $(seq 0 999 | sed 's/.*/line & of many/' | wc -c)))
        run "$with" "$2" "$threads"
        grep -q '^status 0$' "$work/result" || {
            echo "$label: left out, it does not work by itself: $(head -n 1 "$work/result")" >&2
            continue
        }
        mv "$work/result" "$work/plain"
        tried=$((tried + 1))
        run "" "$iolite" run -q --log-dir "$work/logs" -- env LD_PRELOAD="$library${with:+ $with}" "$2" "$threads"
        compare "$label, run" "$expected"
        IOLITE_LOG_DIR=$work/logs run "$with $library" "$2" "$threads"
        compare "$label, preloaded behind it" "$expected"
        IOLITE_LOG_DIR=$work/logs run "$library $with" "$2" "$threads"
        compare "$label, preloaded before it" "$expected"
    done
}

all_ways "libc's" "$program" "" 1 4
for allocator in "${allocators[@]}"; do
    path=$(cc "-print-file-name=$allocator")
    [ "$path" != "$allocator" ] || continue
    all_ways "$allocator" "$program" "$path" 1 4
    cc -O1 -o "$work/linked" "$(dirname "$0")/../allocators/program.c" -pthread -Wl,--no-as-needed "$path" &&
        all_ways "$allocator, linked" "$work/linked" "" 4
done
[ "$tried" -gt 2 ] || echo "there is no other allocator here" >&2

# A server that is linked with one: what it appends to its file is recorded.
if command -v redis-check-rdb >/dev/null && command -v redis-cli >/dev/null; then
    ln -s "$(command -v redis-check-rdb)" "$work/redis-server"
    status 0 timeout 60 "$iolite" run --log-dir "$work/logs" -- "$work/redis-server" --version
    has "Redis server"
    status 0 "$iolite" doctor -- "$work/redis-server" --version
    has "will be recorded"
    rm -rf "$work/logs"
    timeout 60 "$iolite" run -q --log-dir "$work/logs" -- "$work/redis-server" --port 0 --unixsocket "$work/socket" \
        --dir "$work" --appendonly yes --save '' >"$work/server" 2>&1 &
    server=$!
    for ((i = 0; i < 300; i++)); do
        redis-cli -s "$work/socket" ping >/dev/null 2>&1 && break
        sleep 0.1
    done
    redis-cli -s "$work/socket" set gem iolite >"$work/answer"
    redis-cli -s "$work/socket" shutdown >"$work/answer" 2>&1
    wait "$server" || fail "redis-server: status $?: $(tail -n 3 "$work/server")"
    "$iolite" dump --csv -f '*.aof' -c POSIX_WRITES "$work"/logs/* >"$work/out"
    grep -q 'POSIX_WRITES,[1-9]' "$work/out" || fail "redis-server: nothing that it wrote is recorded"
fi
finish

#!/usr/bin/env bash
# A redis server (whose allocator is jemalloc), plain and recorded, under its own benchmark: the same data afterwards, and
# again when the server has read its files.
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
for name in redis-server redis-cli redis-benchmark; do command -v $name >/dev/null || skip "there is no $name"; done
patience=120
socket=$work/socket
cli=(timeout 20 redis-cli -s "$socket")

start() {
    serve "$1" redis-server --port 0 --unixsocket "$socket" --dir "$here" --appendonly yes --enable-debug-command yes
    until_true "${cli[@]}" ping || give_up "$label, $1: the server does not answer: $(tail -n 3 "$work/server.out")"
}
tell() { "${cli[@]}" debug digest && "${cli[@]}" dbsize && "${cli[@]}" lrange list 0 -1; }

rewritten() { "${cli[@]}" info persistence | grep aof_rewrite_in_progress:0; }

# session HOW
session() {
    local how=$1
    fresh
    start "$how"
    timeout 100 redis-benchmark -s "$socket" -q -n 5000 -c 20 -t set,get,incr,lpush,rpop,sadd,hset,mset >"$work/out" 2>&1 ||
        fail "$label, $how: redis-benchmark: $(tail -n 3 "$work/out")"
    "${cli[@]}" del mylist myset >/dev/null # what the benchmark draws by lot
    { seq -f 'set key:%g value' 1 2000; seq -f 'rpush list %g' 1 500; } | "${cli[@]}" >/dev/null
    "${cli[@]}" bgrewriteaof >/dev/null # a child that writes
    until_true rewritten || fail "$label, $how: the child does not end"
    tell >"$work/$how.output"
    "${cli[@]}" shutdown save
    ended 0
    start plain
    tell >>"$work/$how.output"
    "${cli[@]}" shutdown save
    ended 0
}

label=redis
session plain
session recorded
the_same
done_with

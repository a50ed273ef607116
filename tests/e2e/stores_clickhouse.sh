#!/usr/bin/env bash
# The index on a real ClickHouse cluster of two shards: the same rows and answers as SQLite's; a dead shard is an error and
# never a short answer.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/clickhouse.bash
. "$(dirname "$0")/clickhouse.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
# shellcheck source=tests/e2e/stores.bash
. "$(dirname "$0")/stores.bash"

check_all

# Both shards have their part, and one server without a cluster does too
for i in 0 1; do
    [ "$(request "$i" first 'SELECT COUNT(*) FROM log_kept')" -gt 20 ] || fail "shard $i has no part of the logs"
done
request 0 default 'CREATE DATABASE single'
single="clickhouse://127.0.0.1:${http[0]}/single"
index "$single" 2>/dev/null
same_rows "$single" "one server"
status 4 "$iolite" index -q --store "clickhouse://127.0.0.1:${http[0]}/nowhere?cluster=centre" "$demo"
status 4 "$iolite" index -q --store "clickhouse://127.0.0.1:${http[0]}/default?cluster=centre" "$demo"
says 'it must name all of them' "a server that is left out"

# An indexer that ends after it wrote what the batch system says of jobs: before the jobs that follow from it, or before it has
# marked their days. The next one does what is left, although no row of the list has changed.
halfway=$(fresh halfway)
status 0 "$iolite" index -q --store "$halfway" --accounting /dev/null
for table in job stale; do
    for i in 0 1; do request "$i" halfway "RENAME TABLE ${table}_kept TO ${table}_away"; done
    status 4 "$iolite" index -q --store "$halfway" "${all[@]}"
    for i in 0 1; do request "$i" halfway "RENAME TABLE ${table}_away TO ${table}_kept"; done
done
to_the_end "$halfway" "an indexer that ended between a list and its jobs"

# Killed indexers and servers, and a shard that is dead before, while and after something is written
store=$(fresh killed)
status 0 "$iolite" index -q --store "$store" --accounting /dev/null
kill_indexers "$store" "${IOLITE_KILLS:-1}"
kill_servers "$store" "${IOLITE_SERVER_KILLS:-0}"
shard_stop 1
for command in rank jobs fleet "find --broken" "rank --per account"; do
    # shellcheck disable=SC2086
    status 4 timeout 100 "$iolite" $command --store "$store"
    says 'the answer would not be whole' "$command with a dead shard"
done
status 4 timeout 100 "$iolite" index -q --store "$store" "${all[@]}"
says 'a server of the cluster' "index with a dead shard"
shard_start 1
# Servers that take connections and then hang
kill -STOP "${pids[@]}"
for command in rank "index -q $demo"; do
    # shellcheck disable=SC2086
    IOLITE_STORE_TIMEOUT=1 status 4 timeout 60 "$iolite" $command --store "$store"
    says 'Timeout was reached\|timed out' "$command with servers that hang"
done
kill -CONT "${pids[@]}"
"$iolite" index -q --store "$store" "${all[@]}" 2>/dev/null &
indexer=$!
sleep 0.3
shard_stop 0
wait $indexer
shard_start 0
to_the_end "$store" "killed indexers and dead shards"
finish

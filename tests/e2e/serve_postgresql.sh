#!/usr/bin/env bash
# iolite serve on a real PostgreSQL server: every endpoint against its document, and who sees what.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/postgresql.bash
. "$(dirname "$0")/postgresql.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
# A table that somebody else holds: the server itself ends what waits for it.
sql() { "${who[@]}" "$binaries/psql" -qAt -d "$store" -c "$1"; }
hang() {
    sql "BEGIN; LOCK TABLE job, meta; SELECT pg_sleep(600)" >/dev/null 2>&1 &
    until_true sh -c '[ "$("$@")" = 2 ]' - "${who[@]}" "$binaries/psql" -qAt -d "$store" \
        -c "SELECT COUNT(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation IN ('job'::regclass, 'meta'::regclass) AND granted"
}
hang_no_more() {
    until_true sh -c '[ "$("$@")" = 0 ]' - "${who[@]}" "$binaries/psql" -qAt -d "$store" \
        -c "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%'"
    sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid != pg_backend_pid()" >/dev/null
    wait $!
}
# shellcheck source=tests/e2e/serve_store.bash
. "$(dirname "$0")/serve_store.bash"
finish

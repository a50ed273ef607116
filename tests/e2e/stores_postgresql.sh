#!/usr/bin/env bash
# The index on a real PostgreSQL server: the same rows and answers as SQLite's, and what a server may do to an indexer.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/postgresql.bash
. "$(dirname "$0")/postgresql.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
# shellcheck source=tests/e2e/stores.bash
. "$(dirname "$0")/stores.bash"

check_all
store=$(fresh killed)
kill_indexers "$store" "${IOLITE_KILLS:-2}"
kill_servers "$store" "${IOLITE_SERVER_KILLS:-1}"
to_the_end "$store" "killed indexers and servers"

# One partition per month of the logs
months=$("${who[@]}" "$binaries/psql" -At -d "$(url first)" -c "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'log'::regclass")
[ "$months" -gt 2 ] || fail "logs of all months are in $months partitions"
# Nobody may write, and nobody is there
"${who[@]}" "$binaries/psql" -q -d "$(url first)" -c "CREATE ROLE reader LOGIN" -c "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
reader="postgresql://reader@/first?host=$server"
status 0 "$iolite" rank --store "$reader"
cp "$demo" "$work/new.darshan"
status 4 "$iolite" index -q --store "$reader" "$work/new.darshan"
says 'may not do that' "a user without rights"
# Two writers that wait for each other: the server undoes one of them, which writes again
yields=$(fresh yields)
status 0 "$iolite" index -q --store "$yields" "$demo"
"${who[@]}" "$binaries/psql" -q -d "$yields" -c "CREATE SEQUENCE tries" \
    -c "CREATE FUNCTION yield() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF nextval(''tries'') = 1 THEN RAISE SQLSTATE ''40P01''; END IF; RETURN NEW; END'" \
    -c "CREATE TRIGGER yields BEFORE INSERT ON place FOR EACH ROW EXECUTE FUNCTION yield()"
cp "$demo" "$work/yields.darshan"
status 0 "$iolite" index -q --store "$yields" "$work/yields.darshan"
[ "$("${who[@]}" "$binaries/psql" -At -d "$yields" -c "SELECT last_value FROM tries")" = 2 ] || fail "a writer that was undone did not write again"
# Two that read the same lists: the first to write waits inside its statement until the other waits for it, or has read all
# lists to their end. What the other has noted of jobs is not to be lost.
lists=$(fresh lists)
status 0 "$iolite" index -q --store "$lists" --accounting /dev/null
"${who[@]}" "$binaries/psql" -q -d "$lists" -c "CREATE SEQUENCE turns" -c "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
    IF nextval(''turns'') > 1 THEN RETURN NULL; END IF;
    LOOP
        EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE locktype = ''advisory'' AND NOT granted);
        EXIT WHEN (SELECT COUNT(*) FROM meta WHERE name LIKE ''list %'' AND value LIKE ''% %'') = 3;
        PERFORM pg_sleep(0.02);
    END LOOP;
    RETURN NULL;
END'" -c "CREATE TRIGGER lingers BEFORE INSERT ON sched FOR EACH STATEMENT EXECUTE FUNCTION linger()"
index "$lists" 2>/dev/null &
index "$lists" 2>/dev/null
wait $!
[ "$("${who[@]}" "$binaries/psql" -At -d "$lists" -c "SELECT last_value FROM turns")" -gt 1 ] || fail "nobody wrote notes"
same_rows "$lists" "two readers of one list"
# A server that takes a connection and then hangs
cp "$demo" "$work/hangs.darshan"
"${who[@]}" "$binaries/psql" -q -d "$(url copy)" -c "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(100); RETURN NEW; END'" \
    -c "CREATE TRIGGER hangs BEFORE INSERT ON place FOR EACH ROW EXECUTE FUNCTION hang()"
IOLITE_STORE_TIMEOUT=1 status 4 timeout 60 "$iolite" index -q --store "$(url copy)" "$work/hangs.darshan"
says 'has not answered for 6 s' "a server that hangs"
# The server does not notice that its client gave up: it would hold the table's lock to the end of its sleep.
"${who[@]}" "$binaries/psql" -q -d "$(url copy)" -c "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'copy'" \
    -c "DROP TRIGGER hangs ON place" >"$work/out"
same_rows "$(url copy)" "after a server that hung"
"${who[@]}" "$binaries/psql" -q -d "$(url postgres)" -c "CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
status 3 "$iolite" index -q --store "$(url latin)" "$demo"
says 'needs UTF8' "a database of another encoding"
server_stop
status 4 timeout 60 "$iolite" index -q --store "$(url first)" "$demo"
says 'PostgreSQL cannot be reached' "a server that is not there"
finish

#!/usr/bin/env bash
# A PostgreSQL server, plain and recorded, under pgbench: what is in the tables afterwards, asked by SQL, is the same, and
# the server ends in order and finds its files sound.
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
for initdb in /usr/lib/postgresql/*/bin/initdb "$(command -v initdb)"; do [ ! -x "$initdb" ] || break; done
[ -x "$initdb" ] || skip "there is no PostgreSQL server"
PATH=$(dirname "$initdb"):$PATH
for name in postgres pgbench psql; do command -v $name >/dev/null || skip "there is no $name"; done
patience=280
user=()
if [ "$(id -u)" = 0 ]; then # it refuses to be root's
    user=(setpriv --reuid nobody --regid nogroup --clear-groups)
    "${user[@]}" test -x "$iolite" -a -r "$library" || skip "ordinary users cannot get at $iolite"
fi
chmod 755 "$work"
mkdir -m 1777 "$work/place" "$logs"
export PGHOST=$work/place PGUSER=ana PGDATABASE=postgres HOME=$work/place

questions='select aid, abalance from pgbench_accounts where abalance <> 0 order by aid;
select * from pgbench_tellers order by tid; select * from pgbench_branches order by bid;
select tid, bid, aid, delta from pgbench_history order by 1, 2, 3, 4; select count(*) from pgbench_accounts;'

up() { until_true psql -c 'select 1' || give_up "$label: the server does not answer: $(tail -n 3 "$work/server.out")"; }
down() {
    "${user[@]}" pg_ctl -D "$work/place/data" -m fast -w stop >/dev/null || fail "$label: does not stop"
    ended 0
}

# session HOW: the work, the questions, and once more after the server was started again.
session() {
    local how=$1
    rm -rf "$work/place/data"
    "${user[@]}" initdb -D "$work/place/data" -U ana -A trust -E UTF8 --locale=C --no-sync >"$work/out" ||
        fail "initdb: $(tail -n 3 "$work/out")"
    serve as_user "$how" postgres -D "$work/place/data" -k "$work/place" -c listen_addresses= -c full_page_writes=on
    up
    pgbench -q -i -s 2 >"$work/out" 2>&1 || fail "$label, $how: pgbench -i: $(tail -n 3 "$work/out")"
    pgbench -n -c 4 -j 2 -t 250 --random-seed=7 >"$work/out" 2>&1 || fail "$label, $how: pgbench: $(tail -n 3 "$work/out")"
    psql -qAt <<<"$questions" >"$work/$how.output"
    down
    serve as_user plain postgres -D "$work/place/data" -k "$work/place" -c listen_addresses=
    up
    psql -qAt <<<"$questions" >>"$work/$how.output"
    down
}
as_user() {
    local how=$1
    shift
    "$how" "${user[@]}" "$@"
}

label=PostgreSQL
session plain
session recorded
the_same
"$iolite" show "$logs"/*.darshan >"$work/out" 2>&1 || fail "no log of the server: $(ls "$logs")"
done_with

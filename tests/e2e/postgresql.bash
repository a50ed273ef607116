# A PostgreSQL server of our own, without a port: in a temporary folder, as an ordinary user. To be sourced by who has $work,
# $iolite and skip; ends with them.
# shellcheck disable=SC2154 # who sources this has them
initdb=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -n 1)
[ -x "$initdb" ] || skip "PostgreSQL is not here"
"$iolite" rank --store postgresql://127.0.0.1:1/x 2>"$work/err"
! grep -q 'is not on this machine' "$work/err" || skip "libpq is not here"
binaries=$(dirname "$(readlink -f "$initdb")")
# PostgreSQL refuses root. The folder's name must be short, for the socket in it.
who=() user=$(id -un)
if [ "$(id -u)" = 0 ]; then
    user=$(id -un postgres 2>/dev/null || echo nobody)
    who=(env -C / setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups)
fi
server=$(mktemp -d /tmp/pg.XXXXXX)
chown "$user" "$server"
server_remove() {
    "${who[@]}" "$binaries/pg_ctl" -D "$server/data" -m immediate stop >/dev/null 2>&1
    umount "$server/small" 2>/dev/null
    rm -rf "$server"
}
trap 'server_remove; rm -rf "$work"' EXIT
"${who[@]}" env -u LC_ALL "$binaries/initdb" -A trust -N -E UTF8 --locale=C -U tester -D "$server/data" >"$work/out" 2>&1 || skip "initdb: $(tail -n 2 "$work/out")"

server_start() {
    "${who[@]}" "$binaries/pg_ctl" -D "$server/data" -l "$server/log" -w -t 60 \
        -o "-k $server -c listen_addresses= -c fsync=${IOLITE_STORE_FSYNC:-off} -c max_connections=20 -c shared_buffers=16MB" start >/dev/null 2>&1
}
server_stop() { # as kill -9 of all its processes: nothing is written any more
    "${who[@]}" "$binaries/pg_ctl" -D "$server/data" -m immediate -w stop >/dev/null 2>&1
}
url() { printf 'postgresql://tester@/%s?host=%s' "$1" "$server"; }
make_version_3() {
    "${who[@]}" "$binaries/psql" -q -d "$1" -c "ALTER TABLE job DROP COLUMN missed" -c "ALTER TABLE sched DROP COLUMN missed" \
        -c "DROP INDEX job_by_lost" -c "DROP INDEX job_by_bytes" -c "CREATE INDEX job_lost ON job (lost)"
    set_version "$1" 3
}
set_version() { "${who[@]}" "$binaries/psql" -q -d "$1" -c "UPDATE meta SET value = '$2' WHERE name = 'schema'"; }
fresh() {
    "${who[@]}" "$binaries/psql" -q -d "$(url postgres)" -c "CREATE DATABASE $1" >&2
    url "$1"
}
small_store() { # tables on a disk of their own, so that the server itself goes on when it is full
    mkdir "$server/small"
    mount -t tmpfs -o size=4m none "$server/small" 2>/dev/null || return
    chown "$user" "$server/small"
    "${who[@]}" "$binaries/psql" -q -d "$(url postgres)" -c "CREATE TABLESPACE small LOCATION '$server/small'" \
        -c "CREATE DATABASE small TABLESPACE small" >&2
    url small
}
enlarge() { mount -o remount,size=1g "$server/small"; }
server_start || skip "PostgreSQL does not start: $(tail -n 3 "$server/log" 2>/dev/null)"

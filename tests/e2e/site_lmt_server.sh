#!/usr/bin/env bash
# LMT on a real MariaDB server: the same series, bit by bit, as from SQLite; a copy of a time as an SQLite file; jobs from a
# server; and passwords that come from the environment or a file of one's own and are never shown.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
tools=$PWD/tests/site
python=/usr/bin/python3
$python -c 'import sqlite3' 2>/dev/null || skip "no SQLite in Python"
export PATH=$PATH:/usr/sbin
for name in mariadbd mariadb-install-db mariadb; do command -v $name >/dev/null || skip "there is no $name"; done
user=()
[ "$(id -u)" = 0 ] && user=(--user=root) # the temporary folder is nobody else's
mkdir "$work/data"
timeout 60 mariadb-install-db --no-defaults --auth-root-authentication-method=normal "${user[@]}" --datadir="$work/data" >"$work/log" 2>&1 ||
    skip "MariaDB makes no database here: $(tail -n 1 "$work/log")"
port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
timeout 300 mariadbd --no-defaults "${user[@]}" --datadir="$work/data" --socket="$work/data/s" --port="$port" --bind-address=127.0.0.1 >"$work/log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$work"' EXIT
root=(mariadb --no-defaults --socket="$work/data/s" --user=root --batch)
for ((i = 0; i < 300; i++)); do
    "${root[@]}" -e 'SELECT 1' >/dev/null 2>&1 && break
    sleep 0.1
done
"${root[@]}" -e 'SELECT 1' >/dev/null 2>&1 || skip "MariaDB does not start here: $(tail -n 1 "$work/log")"

start=1517126400
$python "$tools/make_lmt.py" "$work/lmt.sqlite3" 4 61 $start
{
    echo "CREATE DATABASE filesystem_fs; CREATE DATABASE jobs; USE filesystem_fs;"
    $python "$tools/lmt_to_mysql.py" "$work/lmt.sqlite3"
    echo "USE jobs; CREATE TABLE summary (stepid VARCHAR(64) PRIMARY KEY, hostname VARCHAR(16), start INT, completion INT, numnodes INT);"
    echo "INSERT INTO summary VALUES ('7.onyx', 'onyx', 1000, 2000, 4), ('8.onyx', 'onyx', 1500, 2500, 2), ('9.ruby', 'ruby', 1000, 2000, 9);"
    for host in localhost 127.0.0.1; do
        echo "CREATE USER reader@$host IDENTIFIED BY 'secret-word'; GRANT SELECT ON *.* TO reader@$host;"
    done
} | "${root[@]}" || fail "the database could not be filled"
address=mysql://reader@127.0.0.1:$port/filesystem_fs
unset "${!IOLITE_LMT@}" "${!IOLITE_JOBSDB@}"

# Who we are
status 3 "$iolite" collect lmt $address
grep -q 'libmariadb is not' "$work/err" && skip "$(cat "$work/err")"
grep -qi 'denied' "$work/err" || fail "without a password: $(head -n 1 "$work/err")"
status 2 "$iolite" collect lmt "mysql://reader:secret-word@127.0.0.1:$port/filesystem_fs"
! grep -q secret-word "$work/err" || fail "a password in a message"
echo secret-word >"$work/password"
chmod 644 "$work/password"
export IOLITE_LMT_PASSWORD_FILE=$work/password
status 2 "$iolite" collect lmt $address
grep -q 'others can read' "$work/err" || fail "a password file that others can read: $(head -n 1 "$work/err")"
chmod 600 "$work/password"
status 0 "$iolite" collect lmt $address
has '"fs-OST0003"'
has '"2018-01-28 08:05:00"'
unset IOLITE_LMT_PASSWORD_FILE
export IOLITE_LMT_PASSWORD=secret-word IOLITE_JOBSDB_PASSWORD=secret-word
status 3 "$iolite" collect lmt mysql://reader@127.0.0.1:$port/nothing
! grep -q secret-word "$work/err" || fail "a password in a message"
IOLITE_LMT_HOST=127.0.0.1:$port IOLITE_LMT_USER=reader IOLITE_LMT_DB=filesystem_fs status 0 "$iolite" collect lmt
has '"mds1"'
status 0 "$iolite" collect lmt "mysql://reader@localhost/filesystem_fs?socket=$work/data/s"

# A copy of a time is what the SQLite form is, and can be kept beside it
range=(--start "@$start" --end @$((start + 120)))
status 0 "$iolite" collect lmt $address "${range[@]}" -o "$work/copy.sqlite"
status 0 "$iolite" collect lmt $address "${range[@]}" -o "$work/copy.sqlite"
status 0 "$iolite" collect lmt "$work/lmt.sqlite3" "${range[@]}" -o "$work/other.sqlite"
$python - "$work/copy.sqlite" "$work/other.sqlite" "$work/copy.sqlite" <<'END' || fail "the copies differ"
import sqlite3, sys
a, b = (sqlite3.connect(path) for path in sys.argv[1:3])
for table in ("TIMESTAMP_INFO", "OST_INFO", "OST_DATA", "OSS_DATA", "MDS_DATA", "MDS_OPS_DATA", "OPERATION_INFO"):
    rows = [sorted(map(tuple, db.execute(f"SELECT * FROM {table}"))) for db in (a, b)]
    assert rows[0] == rows[1] and rows[0], table
assert a.execute("SELECT count(*) FROM TIMESTAMP_INFO").fetchone()[0] == 25
assert a.execute("SELECT typeof(READ_BYTES) FROM OST_DATA LIMIT 1").fetchone()[0] == "integer"
assert b"secret-word" not in open(sys.argv[3], "rb").read()
END
status 0 "$iolite" collect lmt $address "${range[@]}" --limit 3 -o "$work/few.sqlite"
[ "$($python -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM OST_DATA").fetchone()[0])' "$work/few.sqlite")" = 3 ] ||
    fail "a limit is not kept"

# Jobs
status 0 "$iolite" collect jobsdb mysql://reader@127.0.0.1:$port/jobs --host onyx --start @1900 --end @2200 --job 7
has '"numjobs": 2'
has '"numnodes": 6'
has '"start": 1000'
status 0 "$iolite" collect jobsdb mysql://reader@127.0.0.1:$port/jobs --host onyx --start @1900 --end @2200 -o "$work/jobs.sqlite"
status 0 "$iolite" collect jobsdb "$work/jobs.sqlite" --start @1900 --end @2200
has '"numjobs": 2'

# Series: from the server as from the file
whole=(--start "@$start" --end @$((start + 300)))
if "$iolite" collect lmt $address "${whole[@]}" -o "$work/server.hdf5" 2>"$work/err"; then
    status 0 "$iolite" collect lmt "$work/lmt.sqlite3" "${whole[@]}" -o "$work/file.hdf5"
    for dataset in datatargets/readbytes datatargets/writebytes fullness/bytes dataservers/cpuload mdtargets/opens; do
        status 0 "$iolite" traffic --dataset $dataset "$work/server.hdf5"
        cp "$work/out" "$work/series"
        status 0 "$iolite" traffic --dataset $dataset "$work/file.hdf5"
        cmp -s "$work/out" "$work/series" || fail "$dataset: another series than from SQLite"
    done
    # A server that goes away leaves what is there alone
    cp "$work/server.hdf5" "$work/before.hdf5"
    kill $server
    wait $server 2>/dev/null
    status 3 "$iolite" collect lmt $address "${whole[@]}" -o "$work/server.hdf5"
    cmp -s "$work/server.hdf5" "$work/before.hdf5" || fail "an archive changed without a server"
else
    grep -q 'HDF5 library is not' "$work/err" || fail "archiving: $(head -n 1 "$work/err")"
fi
finish

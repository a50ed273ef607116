#!/usr/bin/env bash
# Who may read an index: its owner and its group, and they can although they may only read it.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
umask 022
mkdir "$work/logs" "$work/var"
cp "$demo" "$work/logs/ana_heat3d_id918273_3-4-7-99_1.darshan"
status 0 "$iolite" index -q --store "$work/var/index.db" "$work/logs"
for file in index.db index.db-wal index.db-shm; do
    [ -e "$work/var/$file" ] || fail "$file did not stay"
    [ "$(stat -c %a "$work/var/$file")" = 640 ] || fail "$file has mode $(stat -c %a "$work/var/$file")"
done

# Without the right to write: neither the files nor the directory, and root without its privileges either.
chmod 0440 "$work/var"/*
chmod 0550 "$work/var"
trap 'chmod -R u+w "$work/var"; rm -rf "$work"' EXIT
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set '-dac_override,-dac_read_search')
! ${plain+"${plain[@]}"} touch "$work/var/new" 2>/dev/null || fail "this test could write"
status 0 ${plain+"${plain[@]}"} "$iolite" jobs --json --columns job,user --store "$work/var/index.db"
has '"user":"ana"'

# Beside a writer that has not ended
chmod u+w "$work/var" "$work/var"/*
if command -v python3 >/dev/null; then
    python3 - "$work/var/index.db" <<'PY' &
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
db.execute("UPDATE job SET account = 'unfinished'")
open(sys.argv[1] + ".ready", "w").close()
while not __import__("os").path.exists(sys.argv[1] + ".done"):
    time.sleep(0.02)
PY
    writer=$!
    until_true test -e "$work/var/index.db.ready"
    chmod 0440 "$work/var"/index.db*
    status 0 ${plain+"${plain[@]}"} "$iolite" jobs --json --columns job,user,account --store "$work/var/index.db"
    has '"user":"ana"'
    lacks unfinished
    touch "$work/var/index.db.done"
    wait "$writer"
fi
finish

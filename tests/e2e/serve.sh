#!/usr/bin/env bash
# iolite serve: every endpoint against its document, who sees what, the server as a service, hostile requests, and that no log
# that was accepted is lost by a kill. `serve.sh --long` has more combinations and more kills.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/make-centre" ] || skip "make-centre was not built"
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err" || skip "there is no libmicrohttpd"
here=$(cd "$(dirname "$0")/../serve" && pwd)
combinations=300 kills=3 limit=250
[ "${1-}" != --long ] || combinations=10000 kills=50 limit=1200

"$tools/make-centre" --logs 150 --large 0 --broken 30 "$work/centre"
# Series of a file system, where HDF5 is: five minutes of four targets
series=()
if python3 -B "$here/../site/make_lmt.py" "$work/lmt.sqlite3" 4 61 1517126400 2>/dev/null &&
    "$iolite" collect lmt "$work/lmt.sqlite3" --start @1517126400 --end @1517126700 --init-start @1517126400 \
        --init-end @1517126700 -o "$work/series-2018-01-28.hdf5" 2>/dev/null; then
    series=(1517126400 1517126700)
    sed -i "s|\"cluster\"|\"hdf5_files\": {\"scratch\": \"$work/series-%Y-%m-%d.hdf5\"}, \"cluster\"|" "$work/centre/site.json"
fi
sed -i 's|"cluster"|"alerts": {"rules": [{"name": "large", "when": "bytes > 1M"}]}, "cluster"|' "$work/centre/site.json"
"$iolite" index -q --store "$work/index.db" --site "$work/centre/site.json" --accounting "$work/centre/sacct.txt" \
    --accounting "$work/centre/entries.txt"

# A log with another's job id and number in it, under one's own name, does not open the other's job.
mkdir "$work/forged"
cp "$demo" "$work/forged/ana_heat3d_id918273_3-4-7-99_1.darshan"
"$iolite" convert --drop "*input.0" "$demo" "$work/forged/eve_heat3d_id918273_3-4-7-98_1.darshan"
status 0 "$iolite" index -q --store "$work/forged.db" "$work/forged"
for user in ana eve; do
    status 0 "$iolite" jobs --json --user "$user" --columns job,user,logs --store "$work/forged.db"
    has "\"user\":\"$user\",\"logs\":1"
done

# shellcheck source=tests/e2e/portal.bash
. "$(dirname "$0")/portal.bash"
store=$work/index.db
trap '[ -z "$portal" ] || kill -9 "$portal" 2>/dev/null; rm -rf "$work"' EXIT
start() { start_portal --request-log "$work/requests.log" "$@"; }
run() { # what command...
    local what=$1
    shift
    timeout "$limit" "$@" || fail "$what: status $?"
}

people
ingest=$(token_of ingest)

start
run values python3 -B "$here/values.py" "$address" "$token" "$iolite" "$store"
run contract python3 -B "$here/contract.py" "$address" "$token" "$log" ${series+"${series[@]}"}
run leaks python3 -B "$here/leaks.py" "$address" "$token" "$ingest" "$combinations" "${users[@]}"
run "staff at work" python3 -B "$here/staff_work.py" "$address" "$(token_of staff:ben)" "${users[0]}" "${users[1]}" "$work/state"
# What is muted in the portal is not sent.
"$iolite" alert --dry-run --since 2026-01 --site "$work/centre/site.json" --store "$store" >"$work/alerts" 2>/dev/null
rule=$(sed -n 's/^1\. \([^ ]*\) .*/\1/p' "$work/alerts")
printf '{"made": 1, "by": "ben", "action": "mute", "rule": "%s", "until": 4000000000}\n' "$rule" >"$work/notes"
status 0 "$iolite" alert --dry-run --since 2026-01 --site "$work/centre/site.json" --store "$store" --notes "$work/notes"
lacks "$rule ("
printf '{"made": 2, "action": "unmute", "rule": "%s"}\n' "$rule" >>"$work/notes"
status 0 "$iolite" alert --dry-run --since 2026-01 --site "$work/centre/site.json" --store "$store" --notes "$work/notes"
has "$rule ("
status 0 "$iolite" alert --dry-run --since 2026-01 --site "$work/centre/site.json" --store "$store" --notes "$work/nothing"
has "$rule ("
status 3 "$iolite" alert --dry-run --since 2026-01 --site "$work/centre/site.json" --store "$store" --notes "$work"
stop_portal
nginx=()
[ ! -x /usr/sbin/nginx ] || nginx=(/usr/sbin/nginx "$work")
start --timeout 2 --host portal.example
run "heads with two meanings" python3 -B "$here/smuggle.py" "$address" "$token" ${nginx+"${nginx[@]}"}
stop_portal
start --timeout 3
run hostile python3 -B "$here/hostile.py" "$address" "$token" "$portal" "$log" "$demo"
stop_portal
# A question that never ends
start --limit-seconds 1
run "a limit of time" python3 -B "$here/limit.py" "$address" "$token" fine
python3 - "$work/index.db" <<'END' || fail "no endless question"
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=60) as db:
    db.execute("ALTER TABLE job RENAME TO job_kept")
    db.execute("CREATE VIEW job AS SELECT * FROM job_kept WHERE (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n) > 0")
END
run "a limit of time" python3 -B "$here/limit.py" "$address" "$token" late
python3 - "$work/index.db" <<'END' || fail "the endless question stays"
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=60) as db:
    db.execute("DROP VIEW job")
    db.execute("ALTER TABLE job_kept RENAME TO job")
END
stop_portal
# The same for names of file systems alone: one user asks for them, others go on
start --limit-seconds 0
python3 - "$work/index.db" <<'END' || fail "no endless names"
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=60) as db:
    db.execute("ALTER TABLE mount RENAME TO mount_kept")
    db.execute("CREATE VIEW mount AS SELECT * FROM mount_kept WHERE (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n) > 0")
END
run "a user who asks for too much" python3 -B "$here/stall.py" "$address" "$token" "${users[0]}" "${users[1]}"
python3 - "$work/index.db" <<'END' || fail "the endless names stay"
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=60) as db:
    db.execute("DROP VIEW mount")
    db.execute("ALTER TABLE mount_kept RENAME TO mount")
END
stop_portal
start --limit-seconds 1
run "after the limit of time" python3 -B "$here/limit.py" "$address" "$token" fine
stop_portal
run service python3 -B "$here/service.py" "$iolite" "$work" "$demo"
run kills python3 -B "$here/kill.py" "$iolite" "$work" "$kills" "$demo" "$log"
! grep -i 'sanitizer\|runtime error' "$work/serve.err" || fail "a sanitizer has something to say"
finish

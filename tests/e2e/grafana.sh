#!/usr/bin/env bash
# The dashboards in examples/grafana: every question to the API is asked of a real server, every expression of a real Prometheus that
# holds what the server and `iolite live` export, and no metric is named that nobody exports.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/make-centre" ] || skip "make-centre was not built"
[ -x "$tools/holders" ] || skip "holders was not built"
own_home
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err" || skip "there is no libmicrohttpd"
here=$(cd "$(dirname "$0")/../serve" && pwd)
boards=$(cd "$(dirname "$0")/../../examples/grafana" && pwd)
# shellcheck source=tests/e2e/portal.bash
. "$(dirname "$0")/portal.bash"
database='' program=''
trap 'kill -9 ${portal:+"$portal"} ${program:+"$program"} ${database:+"$database"} 2>/dev/null; rm -rf "$work"' EXIT

# A centre with logs, a file system with series where HDF5 is, and a job that runs
"$tools/make-centre" --logs 40 --large 0 --broken 2 "$work/centre"
SERIES=
if python3 -B "$here/../site/make_lmt.py" "$work/lmt.sqlite3" 4 61 1517126400 2>/dev/null &&
    "$iolite" collect lmt "$work/lmt.sqlite3" --start @1517126400 --end @1517126700 --init-start @1517126400 \
        --init-end @1517126700 -o "$work/series-2018-01-28.hdf5" 2>/dev/null; then
    SERIES=1
    sed -i "s|\"cluster\"|\"hdf5_files\": {\"scratch\": \"$work/series-%Y-%m-%d.hdf5\"}, \"cluster\"|" "$work/centre/site.json"
fi
store=$work/index.db
"$iolite" index -q --store "$store" --site "$work/centre/site.json" --accounting "$work/centre/sacct.txt"
mkdir "$work/held-files"
mkfifo "$work/hold"
exec 9<>"$work/hold"
start_portal --request-log "$work/requests.log"
python3 - "$address" "$token" >"$work/job" <<'END' || fail "no job to ask about"
import json, sys, urllib.request
request = urllib.request.Request(sys.argv[1] + "/api/v1/jobs?has_log=1&limit=1&sort=-lost_s", headers={"Authorization": "Bearer " + sys.argv[2]})
job = json.load(urllib.request.urlopen(request))["items"][0]
print(job["cluster"], job["jobid"], job["user"])
END
read -r CLUSTER JOB OWNER <"$work/job"
SLURM_JOB_ID=$JOB "$iolite" run --quiet --log-dir "$work/logs" -- "$tools/holders" 2 "$work/held-files" 10 <&9 >"$work/held" &
program=$!
until_true test -s "$work/held"
(umask 077 && token_of live:n1 >"$work/n1.token")
status 0 "$iolite" live --textfile "$work/live.prom" --jobs 1000 --count 2 --interval 0.1 --push "$address" --token-file "$work/n1.token" --host n1
sed -i "s/user=\"$(id -un)\"/user=\"$OWNER\"/" "$work/live.prom" # the one who asks is not the one who tests
python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/metrics", headers={"Authorization": "Bearer " + sys.argv[2]})).read().decode(), end="")' \
    "$address" "$token" >"$work/serve.prom"

# A Prometheus with ten minutes of both
NOW=$(date +%s) prometheus=
if has_commands prometheus promtool; then
    python3 -B "$here/samples.py" "$NOW" "$work/serve.prom" "$work/live.prom" >"$work/samples"
    status 0 promtool tsdb create-blocks-from openmetrics "$work/samples" "$work/database"
    echo 'global: {}' >"$work/prometheus.yml"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/database" --web.listen-address="127.0.0.1:$port" \
        >"$work/prometheus.log" 2>&1 &
    database=$!
    prometheus=http://127.0.0.1:$port
    until_true python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + "/-/ready")' "$prometheus"
else
    echo "not tried: there is no Prometheus; names of metrics are compared"
fi
export CLUSTER JOB OWNER SERIES NOW FS=scratch FROM=1517126400 TO=1517126700
python3 -B "$here/grafana.py" "$address" "$token" "$work/serve.prom,$work/live.prom" "$prometheus" "$boards"/*.json || fail "dashboards"
echo over >&9
wait "$program"
[ -z "$database" ] || { kill "$database" && wait "$database"; }
stop_portal
finish

#!/usr/bin/env bash
# Pages of 100 jobs from `iolite serve` on one processor, beside nginx with a file of the same bytes on the same processor; then
# another user's list of jobs while twelve clients ask for the most expensive answers, and every page in Chromium, if it is
# there. Exit status is 1 if the slowest hundredth takes ten times as long as the median, memory grows under load, the other
# user waits for over half a second, or a page is slow (web/bench/pages.mjs).
#   bench/serve.sh BIN TOOLS [LOGS]
set -euo pipefail
bin=$1 tools=$2 logs=${3:-100000} status=0
for tool in wrk /usr/sbin/nginx taskset; do
    command -v "$tool" >/dev/null || { echo "bench serve needs $tool" >&2; exit 4; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/iolite-bench-serve.XXXXXX")
pids=()
# shellcheck disable=SC2317 # called by the trap
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT
unset IOLITE_STORE

echo "Making and indexing $logs logs."
"$tools/make-centre" --logs "$logs" --large 0 --broken 0 "$work/centre"
# Series of the servers, where HDF5 is
if "$tools/make-series" --days 30 --targets 200 "$work/centre/series"; then
    python3 - "$work/centre" <<'END'
import sys
site = open(sys.argv[1] + "/site.json").read()
series = open(sys.argv[1] + "/series/series.json").read()
open(sys.argv[1] + "/site.json", "w").write(site.replace('"cluster"', series + '"cluster"', 1))
END
fi
"$bin/iolite" index -q --store "$work/index.db" --site "$work/centre/site.json" --accounting "$work/centre/sacct.txt"

# The first processor serves, the last one asks.
last=$(($(nproc) - 1))
taskset -c 0 "$bin/iolite" serve --store "$work/index.db" --site "$work/centre/site.json" --state "$work/state" \
    --request-log "$work/requests" >"$work/url" &
server=$!
pids+=("$server")
for _ in $(seq 600); do
    [ -s "$work/url" ] && break
    sleep 0.1
done
url=$(sed 's|/?token=.*||' "$work/url") token=$(sed 's|.*token=||' "$work/url")
python3 - "$url" "$token" "$work" <<'END'
import json, sys, urllib.request
url, token, work = sys.argv[1:]
ask = urllib.request.Request(url + "/api/v1/jobs?limit=100", headers={"Authorization": "Bearer " + token})
body = urllib.request.urlopen(ask).read()
open(work + "/page.json", "wb").write(body)
cursor = json.loads(body)["next"]
open(work + "/second", "w").write(cursor or "")
END
cat >"$work/nginx.conf" <<END
worker_processes 1; daemon off; pid $work/nginx.pid; error_log $work/nginx.log; user root;
events { worker_connections 1024; }
http { access_log $work/nginx.access; default_type application/json; server { listen 127.0.0.1:0; root $work; } }
END
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
sed -i "s|listen 127.0.0.1:0|listen 127.0.0.1:$port|" "$work/nginx.conf"
[ "$(id -u)" = 0 ] || sed -i 's| user root;||' "$work/nginx.conf"
chmod 755 "$work"
taskset -c 0 /usr/sbin/nginx -c "$work/nginx.conf" -p "$work" 2>/dev/null &
pids+=($!)
sleep 1

resident() { awk '/VmRSS/ {printf "%d", $2 / 1024}' "/proc/$server/status"; }
load() { # label connections address
    taskset -c "$last" wrk -t 1 -c "$2" -d "${SECONDS_EACH:-5}s" --latency -H "Authorization: Bearer $token" "$3" >"$work/wrk"
    awk -v label="$1" -v connections="$2" '
        function ms(text) { return text ~ /us$/ ? text / 1000 : text ~ /ms$/ ? text + 0 : text * 1000 }
        $1 == "50%" { p50 = ms($2) } $1 == "99%" { p99 = ms($2) } /Requests\/sec/ { rate = $2 } /Non-2xx/ { bad = $NF }
        END {
            printf "%-44s %3d connections %8.0f/s   p50 %8.2f ms   p99 %8.2f ms%s\n", label, connections, rate, p50, p99,
                bad ? "   " bad " REFUSED" : ""
            exit bad || p99 > 10 * p50
        }' "$work/wrk" || status=1
}
echo "A page is $(wc -c <"$work/page.json") bytes."
load "nginx, the same bytes as a file" 16 "http://127.0.0.1:$port/page.json"
status=0 # what nginx does is not ours
load "latest jobs" 16 "$url/api/v1/jobs?limit=100" # also warms up
before=$(resident)
load "latest jobs" 16 "$url/api/v1/jobs?limit=100"
load "second page" 16 "$url/api/v1/jobs?limit=100&cursor=$(cat "$work/second")"
load "most time lost" 16 "$url/api/v1/jobs?limit=100&sort=-lost_s"
load "a search" 16 "$url/api/v1/jobs?limit=100&q=user03"
load "a search without a hit" 4 "$url/api/v1/jobs?limit=100&q=zzzz"
load "the page without script" 16 "$url/"
load "latest jobs" 256 "$url/api/v1/jobs?limit=100"
after=$(resident)
echo "memory: $before MiB before, $after MiB after"
[ "$after" -lt $((2 * before + 64)) ] || status=1

# One of the staff asks with twelve clients for what is most expensive; a user looks at their jobs.
owner=$(awk -F'|' 'NR > 1 {print $3}' "$work/centre/sacct.txt" | sort | uniq -c | sort -rn | awk 'NR == 1 {print $2}')
mine=$("$bin/iolite" serve --state "$work/state" --make-token "user:$owner" 2>/dev/null)
python3 -B "$(dirname "$0")/stalls.py" "$url" "$token" "$mine" || status=1

browser=$(command -v chromium || true) web=$(cd "$(dirname "$0")/../web" && pwd)
if [ -n "$browser" ] && [ -d "$web/node_modules" ]; then
    node "$web/bench/pages.mjs" "$url/?token=$token" || status=1
else
    echo "pages in a browser: not tried, there is no Chromium, or no packages of web/ (./dev web)"
fi
exit "$status"

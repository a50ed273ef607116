#!/usr/bin/env bash
# Every mapping that is shipped, against a real Prometheus and a real VictoriaMetrics that scrape two file systems: each dataset has
# an answer, and only that of the file system that was asked for.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
python=/usr/bin/python3
command -v $python >/dev/null || skip "there is no $python"
unset IOLITE_SITE_CONFIG
mappings=$PWD/packaging/mappings
"$iolite" collect prometheus http://127.0.0.1:1 --mapping "$mappings/lustre_exporter.json" --start @1000 --end @2000 -o "$work/none" >/dev/null 2>"$work/err"
! grep -q 'libcurl is not' "$work/err" || skip "there is no libcurl"
$python -B tests/site/two_file_systems.py "$work/exporter" &
daemons=($!)
trap 'kill "${daemons[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT
until_true test -e "$work/exporter" || finish
cat >"$work/scrape.yml" <<END
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs: [{job_name: servers, static_configs: [{targets: ["127.0.0.1:$(cat "$work/exporter")"]}]}]
END
# The times of the first and the last sample, with at least four between them
cat >"$work/range.py" <<'END'
import json, sys, time, urllib.request
now = int(time.time())
query = f"{sys.argv[1]}/api/v1/query_range?query=gpfs_perf_read_bytes_total%7Bfs=%22scratch%22%7D&start={now - 900}&end={now}&step=1"
points = json.load(urllib.request.urlopen(query))["data"]["result"][0]["values"]
times = [int(t) for t, _ in points]
assert times[-1] - times[0] >= 6
print(times[0] + 1, times[0] + 5)
END

# start_server NAME: its address goes into $url, how it is asked into $asked; false if it is not here.
start_server() {
    local port
    command -v "$1" >/dev/null || return 1
    port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    if [ "$1" = prometheus ]; then
        set -- "$1" --config.file="$work/scrape.yml" --storage.tsdb.path="$work/$1" --web.listen-address=127.0.0.1:"$port"
    else
        # It shows a sample only some time after it was taken, and repeats the one before till then.
        set -- "$1" -promscrape.config="$work/scrape.yml" -storageDataPath="$work/$1" -httpListenAddr=127.0.0.1:"$port" -search.latencyOffset=1ms
    fi
    "$@" >"$work/server.log" 2>&1 &
    daemons+=($!)
    url=http://127.0.0.1:$port
    until_true $python "$work/range.py" "$url" || finish
    read -r start end < <($python "$work/range.py" "$url")
    asked=(--live "prometheus=$url" --start "@$start" --end "@$end" --step 1)
}

# What the servers of the other file system have in their names, or nothing of theirs
check_mappings() {
    local mapping dataset fs count=0
    for mapping in "$mappings"/*.json; do
        while read -r dataset; do
            for fs in scratch project; do
                status 0 "$iolite" traffic "${asked[@]}" --mapping "$mapping" --fs $fs --dataset "$dataset" --json
                $python - "$work/out" $fs <<'END' || fail "$server: $(basename "$mapping") $dataset of $fs: $(tr -d ' \n' <"$work/out" | cut -c1-200)"
import json, sys
got, fs = json.load(open(sys.argv[1])), sys.argv[2]
step, other = {"scratch": (1000, "project"), "project": (7, "scratch")}[fs]
assert got["columns"] and not any(other in name for name in got["columns"])
values = [value for row in got["values"] for value in row if value is not None]
assert values and all(value % step == 0 for value in values) and any(values)
END
                count=$((count + 1))
            done
        done < <($python -c 'import json, sys
skipped = {"dataservers/cpuload", "dataservers/memfree", "dataservers/memtotal", "dataservers/degraded"}
print(*(name for name in json.load(open(sys.argv[1]))["datasets"] if name not in skipped), sep="\n")' "$mapping")
    done
    [ $count -gt 60 ] || fail "$server: only $count questions were asked"
}

tested=
for server in prometheus victoria-metrics; do
    start_server $server || continue
    tested=yes
    check_mappings
    # A job on each of them
    for fs in scratch project; do
        status 0 "$iolite" job --json "${asked[@]}" --mapping "$mappings/lustrefs-exporter.json" --fs $fs
        sed -n 's/.*"fs_tot_bytes_written": *\([0-9.]*\).*/\1/p' "$work/out" >"$work/written.$fs"
        [ -s "$work/written.$fs" ] || fail "$server: no bytes written on $fs"
    done
    ! cmp -s "$work/written.scratch" "$work/written.project" || fail "$server: two file systems have the same totals"
    # Without a file system, both; a name that is a pattern is none
    status 0 "$iolite" traffic "${asked[@]}" --mapping "$mappings/lustre_exporter.json" --dataset datatargets/readbytes --json
    has scratch-OST0000
    has project-OST0001
    status 3 "$iolite" traffic "${asked[@]}" --mapping "$mappings/lustre_exporter.json" --fs '.*' --dataset datatargets/readbytes --json
done
[ -n "$tested" ] || skip "there is neither prometheus nor victoria-metrics"
finish

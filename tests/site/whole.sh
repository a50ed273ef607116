#!/usr/bin/env bash
# The whole picture on one machine, with nothing made up: two jobs under Slurm, whose accounting is in MariaDB, write to a
# file system that moves a fixed number of bytes per second and counts them by job; Prometheus scrapes its counters. Asked
# by its number alone, the disturbed job's share and the disturber's name come out; without the disturber they do not.
# Usage: tests/site/whole.sh COUNTING_FS
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}"
root=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/e2e/checks.bash
. "$root/../e2e/checks.bash"
# shellcheck source=tests/slurm/cluster.bash
. "$root/../slurm/cluster.bash"
counting=${1:-}
export PATH=$PATH:/usr/sbin
for name in slurmctld slurmd slurmdbd munged sbatch sacct mariadbd mariadb-install-db prometheus setpriv fusermount3 python3; do
    command -v $name >/dev/null || skip "there is no $name"
done
[ "$(id -u)" = 0 ] || skip "only root can start a batch system"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
[ -e "$library" ] || skip "libiolite.so is not built"
[ -x "$counting" ] || skip "built without FUSE"
[ -c /dev/fuse ] || skip "there is no /dev/fuse"
id munge >/dev/null 2>&1 || skip "there is no user munge"
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!SLURM_@}" LD_PRELOAD
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
# munged is somebody else and wants every folder above its own to be open and nobody else's
folder=$(TMPDIR=/tmp mktemp -d)
chmod 755 "$folder"
mkdir -m 755 "$folder"/{munge,data,state,spool.n1,fs,logs,prom,out}
daemons=()
stop() {
    [ -z "${SLURM_CONF:-}" ] || timeout 10 scancel --user=root >/dev/null 2>&1
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    fusermount3 -qu "$folder/fs" 2>/dev/null
    wait
    rm -rf "$folder" "$work"
}
trap stop EXIT
free_ports 5

# The file system, its exporter, Prometheus ------------------------------------------------------------------------------
"$counting" 20000000 "$folder/fs" -f -o fsname=testfs >/dev/null 2>&1 &
daemons+=($!)
until_true test -e "$folder/fs/stats" || skip "FUSE does not mount here"
python3 -B "$root/exporter.py" "$folder/exporter" "$folder/fs/stats" 2>/dev/null &
daemons+=($!)
until_true test -e "$folder/exporter" || give_up "the exporter does not start"
cat >"$folder/prometheus.yml" <<END
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs: [{job_name: lustre, static_configs: [{targets: ["127.0.0.1:$(cat "$folder/exporter")"]}]}]
END
prometheus --config.file="$folder/prometheus.yml" --storage.tsdb.path="$folder/prom" --web.listen-address=127.0.0.1:"${ports[0]}" \
    >"$folder/prometheus.log" 2>&1 &
daemons+=($!)
prometheus_url=http://127.0.0.1:${ports[0]}

# Slurm with accounting --------------------------------------------------------------------------------------------------
start_accounting onyx "$folder" "${ports[1]}" "${ports[2]}" "${ports[3]}"
cat >>"$folder/slurm.conf" <<END
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[4]} CPUs=8
PartitionName=all Nodes=n1 Default=YES State=UP MaxTime=INFINITE
END
export SLURM_CONF=$folder/slurm.conf
slurmdbd -D >"$folder/dbd.out" 2>&1 &
daemons+=($!)
until_true sacctmgr -i show cluster || give_up "slurmdbd does not start: $(tail -n 2 "$folder/slurmdbd.log" "$folder/dbd.out" 2>/dev/null)"
sacctmgr -i add cluster onyx >/dev/null 2>&1
sacctmgr -i add account all >/dev/null 2>&1
sacctmgr -i add user root account=all >/dev/null 2>&1
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D -N n1 >/dev/null 2>&1 &
daemons+=($!)
idle() { [ "$(sinfo -h -N -o %t 2>/dev/null)" = idle ]; }
until_true idle || give_up "the node does not come up: $(tail -n 2 "$folder/ctld.log")"

# Jobs -----------------------------------------------------------------------------------------------------------------
echo "LOGPATH $folder/logs" >"$folder/iolite.conf"
IOLITE_CONFIG=$folder/iolite.conf "$iolite" mk-log-dirs >/dev/null 2>&1 || fail "no directories for logs"
cat >"$folder/victim.sh" <<END
#!/bin/bash
IOLITE_CONFIG=$folder/iolite.conf $iolite run dd if=/dev/zero of=$folder/fs/victim bs=1M count=60
END
cat >"$folder/disturber.sh" <<END
#!/bin/bash
for i in 1 2 3; do dd if=/dev/zero of=$folder/fs/disturber.\$i bs=1M & done
wait
END
state() { sacct -X -n -P -j "$1" -o State; }
ended() { [ "$(state "$1")" = COMPLETED ]; }
submit() { sbatch --parsable -n 1 -o "$folder/out/%j" "$folder/$1.sh"; }
# Whether what Prometheus answers is true now
prometheus_says() {
    python3 - "$prometheus_url" "$1" <<'END'
import json, sys, urllib.parse, urllib.request
with urllib.request.urlopen(sys.argv[1] + "/api/v1/query?query=" + urllib.parse.quote(sys.argv[2]), timeout=10) as answer:
    sys.exit(not json.load(answer)["data"]["result"])
END
}
# It has seen the counters after a point in time, and in this second case also that nobody writes any more
scraped() { prometheus_says "max(timestamp(lustre_write_bytes_total)) > $1"; }
quiet() { scraped "$1" && prometheus_says 'max(changes(lustre_write_bytes_total[3s])) == 0'; }
written() { grep -q "job_write_bytes.*jobid=\"$1\"} [1-9]" "$folder/fs/stats"; }
disturber=$(submit disturber) || give_up "no job can be submitted"
until_true written "$disturber" || give_up "the disturber does not write: $(cat "$folder/out/$disturber")"
disturbed=$(submit victim)
until_true ended "$disturbed" || give_up "the disturbed job does not end: $(state "$disturbed") $(cat "$folder/out/$disturbed")"
scancel "$disturber"
gone() { state "$disturber" | grep -q CANCELLED; }
until_true gone || give_up "the disturber does not go: $(state "$disturber")"
until_true quiet "$(date +%s)" || give_up "the disturber is gone, but bytes are still written"
alone=$(submit victim)
until_true ended "$alone" || give_up "the job that is alone does not end: $(state "$alone")"
until_true scraped "$(date +%s)" || give_up "Prometheus does not see the end of the job"

# Questions --------------------------------------------------------------------------------------------------------------
cat >"$folder/mapping.json" <<'END'
{"step": 1, "datasets": {
  "datatargets/writebytes": {"query": "lustre_write_bytes_total{fs=\"$fs\"}", "kind": "counter", "column": "{target}", "units": "bytes"},
  "datatargets/readbytes": {"query": "lustre_read_bytes_total{fs=\"$fs\"}", "kind": "counter", "column": "{target}", "units": "bytes"},
  "jobs/writebytes": {"query": "lustre_job_write_bytes_total", "kind": "counter", "column": "{jobid}", "units": "bytes"}}}
END
cat >"$folder/site.json" <<END
{"mount_to_fsname": {"^$folder/fs": "testfs"}, "lmt_timestep": 1, "darshan_log_dirs": "$folder/logs", "jobinfo_jobid_providers": ["slurm"],
 "live_sources": {"testfs": {"source": "prometheus", "input": "$prometheus_url", "mapping": "mapping.json", "step": 1}}}
END
status 0 "$iolite" collect slurm --job "$disturbed"
has '"state": "COMPLETED"'
has "\"jobidraw\": \"$disturbed\""
status 0 "$iolite" job --site "$folder/site.json" --json "$disturbed"
cp "$work/out" "$folder/disturbed.json"
python3 - "$folder/disturbed.json" "$disturber" <<'END' || fail "the disturbed job: $(grep 'coverage\|jobstats' "$folder/disturbed.json")"
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 1, len(rows)
row = rows[0]
assert row["_file_system"] == "testfs" and row["darshan_app"].endswith("dd"), row
assert row["coverage_factor_bw"] < 0.6, row["coverage_factor_bw"]
assert row["jobstats_others"].startswith(f"job {sys.argv[2]} "), row["jobstats_others"]
assert row["coverage_factor_jobstats"] < 0.6, row
assert 0.8 < row["jobstats_log_share"] < 1.3, row["jobstats_log_share"]
END
status 0 "$iolite" job --site "$folder/site.json" "$disturbed"
has "others used the file system at the same time"
has "job $disturber ("
status 0 "$iolite" job --site "$folder/site.json" "$alone"
lacks "others used the file system"
lacks "job $disturber ("
log=$(find "$folder/logs" -name "*_id${disturbed}*")
status 0 "$iolite" diagnose --json --site "$folder/site.json" "$log"
has '"outside.contention"'
has "The program is not to blame"
log=$(find "$folder/logs" -name "*_id${alone}*")
status 0 "$iolite" diagnose --json --site "$folder/site.json" "$log"
lacks '"outside.contention"'
lacks "not to blame"
finish

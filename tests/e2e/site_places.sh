#!/usr/bin/env bash
# The site file leads to the data: listings of a day, an hour or a pattern, records of jobs and nodes, servers that a mapping
# file names. Where it says nothing, the tools of this machine are asked.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
python=/usr/bin/python3
command -v $python >/dev/null || skip "there is no $python"
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
unset IOLITE_SITE_CONFIG
cd "$work" || exit 1

# Health of a file system: from the listings of the site file, under the name that servers use
mkdir site bin
full() { printf 'BEGIN %d\nsnx1-OST0000_UUID 1000 %d 100 50%% /s[OST:0]\nsnx1-OST0001_UUID 1000 400 100 50%% /s[OST:1]\n' "$1" "$2"; }
held() {
    echo "BEGIN $1"
    for i in 0 1 2 3; do printf '%3d UP osc snx1-OST%04x-osc-ffff 8dbd 5 10.0.0.%d@tcp\n' $i $i $((i < $2 ? 9 : i)); done
}
{ full 1000 500; full 2000 600; } >site/df.1970-01-01
{ held 1000 0; held 2000 2; } >site/map.1970-01-01
cat >site/site.json <<'END_SITE'
{"timezone": "UTC", "fsname_to_backend_name": {"scratch": "snx1"}, "mount_to_fsname": {"^/": "scratch"},
 "lfsstatus_fullness_files": "df.%Y-%m-%d", "lfsstatus_map_files": "map.%Y-%m-%d"}
END_SITE
status 0 "$iolite" ost --json --site site/site.json --fs scratch --at @1500
has '"ost_most_full_kib": 500'
has '"ost_overloaded_oss_count": 0'
status 0 "$iolite" ost --json --fullness --site site/site.json --fs scratch --at @2500
has '"ost_most_full_kib": 600'
lacks overloaded
cp out fullness
status 0 "$iolite" ost --json --ost-fullness site/df.1970-01-01 --fs snx1 --at @2500
cmp -s out fullness || fail "the site file leads to another listing than the one in it"
status 0 "$iolite" ost --json --failovers --site site/site.json --fs scratch --at @2500
has '"ost_overloaded_osts": "OST0000, OST0001"'
has '"ost_overloaded_servers": '
lacks '"ost_count"'
status 3 "$iolite" ost --json --site site/site.json --fs other --at @2500
# ... or from the tools, which know only how things are now
printf '#!/bin/sh\n/bin/cat %s/live-df\n' "$work" >bin/lfs
printf '#!/bin/sh\n/bin/cat %s/live-map\n' "$work" >bin/lctl
chmod +x bin/*
full 0 700 | grep -v BEGIN >live-df
held 0 0 | grep -v BEGIN >live-map
tools() { PATH=$work/bin:$PATH "$@"; }
status 0 tools "$iolite" ost --json --fs snx1
has '"ost_most_full_kib": 700'
has '"ost_overloaded_oss_count": 0'
status 0 tools "$iolite" ost --fs snx1
has "fullest OST    70% full (OST0000)"
status 3 tools "$iolite" ost --fs snx1 --at @1000
rm bin/lctl
PATH=$work/bin status 0 "$iolite" ost --json --fs snx1
grep -q 'lctl cannot be run' err || fail "an absent program goes by in silence: $(cat err)"
PATH=$work/none status 3 "$iolite" ost --fs snx1
status 2 "$iolite" ost
# Occupancy by server, with the map of the time of the log
log=$seeds/lustre-v2-be-3.41.darshan
when=$("$iolite" job --json "$log" 2>/dev/null | sed -n 's/.*"darshan_start_time": \([0-9]*\).*/\1/p')
"$iolite" ost --json "$log" >"$work/osts" 2>/dev/null
if grep -q '"median"' osts; then
    $python - osts "$when" >"site/map.$(date -u -d "@$when" +%Y-%m-%d)" <<'END_MAP'
import json, sys
print("BEGIN", int(sys.argv[2]) - 60)
for ost in json.load(open(sys.argv[1]))["per_ost"]:
    print(f"  0 UP osc snx1-OST{int(ost):04x}-osc-ffff 8dbd 5 10.0.0.77@tcp")
END_MAP
    status 0 "$iolite" ost --json --site site/site.json "$log"
    has '"10.0.0.77"'
fi

# Files of a day by the hour and by a pattern: no input has to be named, and questions need no archive
mkdir site/gpfs
perf() { # FILE MINUTE VALUE
    printf 'Legend:\n 1: n1|GPFSNSDDisk|lun1|gpfs_nsdds_bytes_read\n 2: n1|CPU|cpu_user\n 3: n1|CPU|cpu_sys\n\nRow           Timestamp gpfs_nsdds_bytes_read cpu_user cpu_sys\n' >"$1"
    printf '  1 1970-01-01-%s:00 %21d %8s %7s\n' "$2" "$3" 10 5 >>"$1"
}
perf site/gpfs/a.00.txt 00:11 600
perf site/gpfs/b.00.txt 00:12 300
perf site/gpfs/a.01.txt 01:01 50
cat >site/gpfs.json <<'END_SITE'
{"timezone": "UTC", "mmperfmon_output_files": {"project": "gpfs/*.%H.txt", "home": "gpfs/none.%H.txt"}, "mmperfmon_lun_map": {"^lun": "datatarget"}}
END_SITE
status 0 "$iolite" collect mmperfmon --site site/gpfs.json --fs project --start @0 --end @7200
for time in 660 720 3660; do has "\"$time\""; done
status 0 "$iolite" job --json --site site/gpfs.json --fs project --start @600 --end @720
has '"fs_tot_bytes_read": 900'
has '"fs_max_oss_cpu": 15'
! grep -q outside err || fail "what else a dump holds is not reported: $(cat err)"
status 0 "$iolite" job --json --site site/gpfs.json --fs home --start @600 --end @720
lacks fs_tot_bytes_read
if "$iolite" collect mmperfmon --site site/gpfs.json --fs project --start @0 --end @7200 -o project.hdf5 2>err; then
    status 0 "$iolite" traffic project.hdf5 --dataset datatargets/readbytes --csv
    [ "$(grep -c ',[0-9]' out)" = 3 ] || fail "another number of samples than in the site's files: $(cat out)"
else
    grep -q 'HDF5 library is not' err || fail "an archive of the site's files: $(head -n 1 err)"
fi
status 2 "$iolite" collect mmperfmon --start @0 --end @7200

# Sources of the site file: relative paths start at it, and mapping files know step and server
printf '#Time,Time_usec,ProducerName,fs_name,ost,read_bytes.sum,write_bytes.sum\n' >site/ost.csv
for i in 0 1 2 3; do echo "$((1000 + 20 * i)).0,0,oss1,a,a-OST0000,0,$((100 * i))"; done >>site/ost.csv
echo '{"live_sources": {"a": {"source": "ldms", "input": "ost.csv", "step": 20}}}' >site/live.json
status 0 "$iolite" job --json --site site/live.json --fs a --start @1000 --end @1060
has '"fs_tot_bytes_written": 300'
$python -B "$OLDPWD/tests/site/replay.py" "$work/port" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
until_true test -e port
cat >site/onyx.json <<END_SITE
{"url": "http://127.0.0.1:$(cat port)/good", "step": 15, "fs": ["onyx"], "datasets": {
  "datatargets/writebytes": {"query": "bytes_total{fs=\"\$fs\"}", "kind": "counter", "column": "{asked}", "units": "bytes"}}}
END_SITE
echo '{"prometheus_sources": ["onyx.json"], "fsname_to_backend_name": {"onyx": "snx9"}}' >site/prometheus.json
range=(--start @1770134400 --end @1770134430)
"$iolite" job --json --site site/prometheus.json --fs onyx "${range[@]}" >out 2>err || fail "a Prometheus server of the site: $(head -n 1 err)"
if ! grep -q 'libcurl is not' err; then
    has '"fs_tot_bytes_written": 150'
    status 0 "$iolite" traffic --site site/prometheus.json --fs onyx --dataset datatargets/writebytes "${range[@]}" --json
    has 'bytes_total{fs=\"snx9\"}'
    has '"step": 15'
    status 0 "$iolite" job --json --site site/prometheus.json --fs other "${range[@]}"
    lacks fs_tot_bytes_written
    if "$iolite" collect prometheus --mapping site/onyx.json "${range[@]}" -o prometheus.hdf5 2>err; then
        status 0 "$iolite" traffic --dataset datatargets/writebytes prometheus.hdf5 --json
        has '"step": 15'
    else
        grep -q 'HDF5 library is not' err || fail "the mapping's server and step: $(head -n 1 err)"
    fi
fi

# Records of many jobs: each row is about its own, and what is not asked for is left out
cat >"./jobs" <<'END_JOBS'
JobIDRaw|JobID|User|Start|End|NodeList
1|1|ada|1000|2000|n[1-2]
1.batch|1.batch||1000|1900|n1
2|2|lin|1500|2500|n1
3|900_7|ada|3000|Unknown|n2
4|4|ada|Unknown|2500|None assigned
END_JOBS
ids() { sed -n 's/.*"jobidraw": "\(.*\)".*/\1/p' out | tr '\n' ' '; }
for question in "--job 1=1 1.batch " "--job 900=3 " "--user lin=2 " "--user ada=1 1.batch 3 4 " "--start @1950 --end @1960=1 1.batch 2 " "--start @2600 --end @4000=3 " "--job 77="; do
    # shellcheck disable=SC2086
    status 0 "$iolite" collect slurm jobs ${question%%=*}
    [ "$(ids)" = "${question#*=}" ] || fail "${question%%=*}: $(ids)"
done
printf 'node,switch,group\nn1,0,0\nn2,3,4\n' >nodes.csv
status 0 "$iolite" job --json --fs f --node-map nodes.csv --job-record jobs 1 2
[ "$(sed -n 's/.*"topology_job_max_radius": \([0-9.]*\).*/\1/p' out | tr '\n' ' ')" = "2.5 0 " ] || fail "nodes of other jobs count: $(grep radius out)"
# A log has its own id, whatever else is in the table; the only record there is stands for it
id=$("$iolite" job --json "$demo" | sed -n 's/.*"_jobid": "\(.*\)".*/\1/p')
status 0 "$iolite" job --json --job-record jobs "$demo"
has "\"_jobid\": \"$id\""
sed -n '1p;4p' jobs >one
status 0 "$iolite" job --json --job-record one --node-map nodes.csv "$demo"
has '"_jobid": "2"'
has '"topology_job_max_radius": 0'
# Nodes come from whom the site file names
sed "s/^1|1|/$id|$id|/" jobs >site/jobs
echo '{"job_records": {"source": "slurm", "input": "jobs"}}' >site/nodes.json
status 0 "$iolite" job --json --site site/nodes.json --node-map nodes.csv "$demo"
has '"topology_job_max_radius": 2.5'
printf '#!/bin/sh\nexit 1\n' >bin/sacct
chmod +x bin/sacct
status 0 tools "$iolite" job --json --node-map nodes.csv "$demo"
grep -q "the nodes of job $id are not known" err || fail "a job without nodes goes by in silence: $(cat err)"
# The same jobs as JSON of old and new releases, and of PBS
cat >jobs.json <<'END_JOBS'
{"jobs": [{"job_id": 3, "array": {"job_id": 900, "task_id": {"set": true, "infinite": false, "number": 7}}, "name": "post", "user": "ada", "allocation_nodes": 1,
  "nodes": "n2", "time": {"start": 3000, "end": {"set": false, "infinite": false, "number": 0}, "elapsed": 60},
  "steps": [{"step": {"id": 0}, "nodes": {"range": "n2"}, "tasks": {"count": 8}, "time": {"start": 3001, "end": 3050}},
            {"step": {"id": {"job_id": 3, "step_id": "batch"}}, "time": {"start": 3000, "end": 3060}},
            {"step": {"id": "3.1"}, "time": {"start": 3000, "end": 3060}}]}]}
END_JOBS
status 0 "$iolite" collect slurm jobs.json
[ "$(ids)" = "3 3.0 3.1 3.batch " ] || fail "ids of steps: $(ids)"
has '"jobid": "900_7"'
has '"jobname": "post"'
has '"ntasks": "8"'
has '"end": null'
echo '{"Jobs": {"5.pbs": {"Job_Name": "wrf", "Job_Owner": "ada@login1", "queue": "workq", "job_state": "F", "stime": 1000, "obittime": 1600, "exec_host": "n1/0*8"}}}' >qstat.json
status 0 "$iolite" collect pbs qstat.json --user ada
has '"user": "ada"'
has '"partition": "workq"'
status 0 "$iolite" collect pbs qstat.json --user lin
lacks wrf

# Counters of logs: by lists and patterns, layouts in the old form and in their own
status 0 "$iolite" collect darshan "$demo" --module POSIX,stdio --counter 'BYTES_*,POSIX_OPENS'
has '"BYTES_WRITTEN"'
has '"OPENS"'
lacks '"READS"'
lacks '"mpiio"'
status 0 "$iolite" collect darshan "$log" --module lustre
for key in STRIPE_WIDTH OST_ID_0 NUM_COMPONENTS COMP1_STRIPE_COUNT COMP1_POOL_NAME COMP1_FLAGS; do has "\"$key\""; done
# A part of a file that is not there yet has no OSTs; where a log knows of none that is, all count
"$iolite" collect darshan "$log" --module lustre --counter STRIPE_WIDTH | grep -q '"STRIPE_WIDTH":1}' || fail "OSTs of a part that is not there yet"
"$iolite" collect darshan "$seeds/lustre-unused-components.darshan" --module lustre --counter STRIPE_WIDTH | grep -q '"STRIPE_WIDTH":3}' || fail "a log without flags"
finish

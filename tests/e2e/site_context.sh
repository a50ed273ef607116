#!/usr/bin/env bash
# Findings with context: what the site knows names causes outside the program, with their numbers, and says whether the
# program is to blame; straight from live sources too. With job_stats: which part of a job's bytes its log holds.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
unset IOLITE_SITE_CONFIG IOLITE_STORE

# job_stats: half of what the servers saw of the job is in its log, and another job moved three times as much
"$iolite" job --json "$demo" >"$work/row" || fail "a job of a log"
id=$(sed -n 's/.*"_jobid": "\([0-9]*\)".*/\1/p' "$work/row")
number() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$work/row"; }
bytes=$(($(number darshan_tot_bytes_read_posix) + $(number darshan_tot_bytes_written_posix)))
cat >"$work/stats" <<END
job_stats:
- job_id:          $id
  snapshot_time:   1000
  read_bytes:      { samples: 1, unit: bytes, min: 1, max: 1, sum: $bytes }
  write_bytes:     { samples: 1, unit: bytes, min: 1, max: 1, sum: $bytes }
- job_id:          "other.99:n1"
  snapshot_time:   1000
  write_bytes:     { samples: 1, unit: bytes, min: 1, max: 1, sum: $((6 * bytes)) }
END
status 0 "$iolite" job --json --fs f --job-stats "$work/stats" "$demo"
has '"jobstats_log_share": 0.5'
has '"coverage_factor_jobstats": 0.25'
has "\"jobstats_bytes\": $((2 * bytes))"
has '"jobstats_others": "job other.99:n1 (75%)"'
status 0 "$iolite" job --fs f --job-stats "$work/stats" "$demo"
has "Its log holds 50% of that"
has "job other.99:n1 (75%)"
echo '{"jobid_pattern": "[0-9]+"}' >"$work/site.json"
status 0 "$iolite" job --site "$work/site.json" --json --fs f --job-stats "$work/stats" "$demo"
has '"jobstats_others": "job 99 (75%)"'

# The site file leads to all of it, and to diagnose. Listings are of the day of the job.
cat >"$work/site.json" <<'END'
{"mount_to_fsname": {".*": "f"}, "fsname_to_backend_name": {"f": "f"}, "job_stats_files": "stats", "md_files": "mdstat",
 "lfsstatus_fullness_files": "df", "lfsstatus_map_files": "map"}
END
printf 'obdfilter.f-OST0001.degraded=1\nobdfilter.f-OST0002.degraded=0\n' >"$work/mdstat"
for i in 0 1 2 3; do
    printf 'f-OST%04x_UUID 1000 %d 10 50%% /f[OST:%d]\n' $i $((i == 3 ? 970 : 400)) $i
done >"$work/df"
for i in 0 1 2 3 4 5; do printf '%3d UP osc f-OST%04x-osc-ffff 8dbd 5 10.0.0.%d@tcp\n' $i $i $((i < 4 ? i : 4)); done >"$work/map"
status 0 "$iolite" context --site "$work/site.json" "$demo"
valid_json context
has '"coverage": 0.25'
has '"rebuilds": 1'
has '"fullest": 0.97'
has '"failover_osts": 2'
has '"other_jobs": 1'
has '"oss": "10.0.0.4"'
cp "$work/out" "$work/context.json"
status 0 "$iolite" diagnose --set site.io_share=0 --site "$work/site.json" "$demo"
cp "$work/out" "$work/direct"
has "Only 25% of what the servers moved while the job ran was its own"
has "One array of disks lacked a disk"
has "The fullest OST was 97% full"
has "2 OSTs were on servers that had taken over"
lacks "There is no data from the servers"
status 0 "$iolite" diagnose --set site.io_share=0 --context "$work/context.json" "$demo"
cmp -s "$work/out" "$work/direct" || fail "the document and the site file give different findings"
status 0 "$iolite" diagnose "$demo"
lacks "arrays of disks"
has "There is no data from the servers"
status 0 "$iolite" report --set site.io_share=0 --site "$work/site.json" -o "$work/report.html" "$demo"
grep -q 'was its own' "$work/report.html" || fail "the report does not name what is outside"
# A site that cannot be asked is a message, and the findings stay
echo '{"mount_to_fsname": {".*": "f"}, "live_sources": {"f": {"source": "lmt", "input": "nowhere.sqlite"}}}' >"$work/bad.json"
status 0 "$iolite" diagnose --site "$work/bad.json" "$demo"
has "There is no data from the servers"
check_documents || fail "JSON that is none"

# The made-up day with its slow OST, and the same straight from a live source
holistic=$corpus/holistic/inputs
if [ -f "$holistic/site.json" ]; then
    sed "s#\"inputs/#\"$holistic/#g" "$holistic/site.json" >"$work/day.json"
    if "$iolite" context --site "$work/day.json" "$holistic/sample.darshan" >"$work/out" 2>"$work/err" && grep -q slow_ost "$work/out"; then
        has '"slow_ost": 20'
        has '"shared_osts": 0'
        status 0 "$iolite" diagnose --site "$work/day.json" "$holistic/sample.darshan"
        has "OST 20 moved less than half of what the others did"
    fi
    status 0 env TZ=America/Los_Angeles "$iolite" job --live "lmt=$holistic/snx11025_2018-01-28.sqlite3" --fs x --start 2018-01-28T00:00:00 --end 2018-01-28T00:05:00 --json
    cp "$work/out" "$work/live"
    if TZ=America/Los_Angeles "$iolite" collect lmt "$holistic/snx11025_2018-01-28.sqlite3" --start 2018-01-28T00:00:00 --end 2018-01-28T00:05:00 -o "$work/2018.hdf5" 2>/dev/null; then
        echo '{"timezone": "America/Los_Angeles", "hdf5_files": {"x": "%Y.hdf5"}}' >"$work/site.json"
        status 0 "$iolite" job --site "$work/site.json" --fs x --start 2018-01-28T00:00:00 --end 2018-01-28T00:05:00 --json
        cmp -s "$work/out" "$work/live" || fail "a live source gives another row than its archive"
    fi
    echo "{\"timezone\": \"America/Los_Angeles\", \"live_sources\": {\"x\": {\"source\": \"lmt\", \"input\": \"$holistic/snx11025_2018-01-28.sqlite3\"}}}" >"$work/site.json"
    status 0 "$iolite" job --site "$work/site.json" --fs x --start 2018-01-28T00:00:00 --end 2018-01-28T00:05:00 --json
    cmp -s "$work/out" "$work/live" || fail "the site file's live source gives another row"
fi
finish

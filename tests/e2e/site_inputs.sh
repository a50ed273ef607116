#!/usr/bin/env bash
# Inputs of connectors: every form of compression gives the same, and bad ones give a clear message and bounded memory.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
cd "$work" || exit 1
# Sanitizers want more room than there is.
(ulimit -v 8000000 && "$iolite" --version) >/dev/null 2>&1 && ulimit -v 8000000

# One listing, packed in every way that this machine can
mkdir day
for i in 0 1 2 3; do
    printf 'fs-OST%04x_UUID 1000 %d00 100 50%% /scratch[OST:%d]\n' $i $((i + 1)) $i
done >day/df.txt
printf 'filesystem_summary: 1 2 3 4%% /scratch\n\nfs-OST0009_UUID : inactive device\n' >>day/df.txt
status 0 "$iolite" collect lfs-df day/df.txt
valid_json "lfs-df"
has '"used_kib": 400'
cp out plain.json
for tool in gzip bzip2 xz zstd; do
    command -v $tool >/dev/null || continue
    $tool -c day/df.txt >packed
    "$iolite" collect lfs-df packed >out 2>err
    if grep -q 'this build cannot decompress' err; then continue; fi
    cmp -s out plain.json || fail "$tool: another tree, $(head -n 1 err)"
    head -c 60 packed >"cut"
    "$iolite" collect lfs-df cut >out 2>err
    case $? in 0 | 3) ;; *) fail "$tool: a cut file ends with something else than 0 or 3" ;; esac
    grep -q cut err || fail "$tool: no word about a cut file"
done

# Collections: a directory, a tar file, a compressed one
mkdir -p dump/nid1
printf '\n- Intel SSD DC P3608 Series CVF123-1 -\n\nTemperature : 28 Celsius\nDataUnitsRead : 0x10\nEmpty : \n' >dump/nid1/a.txt
printf 'nothing of an SSD\n' >dump/nid1/b.txt
status 0 "$iolite" collect isdct dump
grep -q 'no serial number' err || fail "a file without a serial number goes by in silence"
has '"temperature_unit": "Celsius"'
has '"data_units_read_bytes": 8192000'
grep -v timestamp out >tree.json
tar cf dump.tar dump && gzip -c dump.tar >dump.tgz
for form in dump.tar dump.tgz; do
    status 0 "$iolite" collect isdct $form
    grep -v timestamp out | cmp -s - tree.json || fail "$form: another tree"
done
# smartctl and nvme: sizes, hours and times from where they are; devices of two nodes with one name are two
mkdir -p smart/nid1 smart/nid2
echo '{"data_units_written": 2000, "power_on_hours": 100, "percent_used": 3}' >smart/nid1/nvme0.json
echo '{"data_units_written": 4000, "power_on_hours": 100, "percent_used": 4}' >smart/nid2/nvme0.json
echo '{"serial_number": "S1", "user_capacity": {"bytes": 1024000}, "local_time": {"time_t": 1770134400}, "power_on_time": {"hours": 240},
 "nvme_smart_health_information_log": {"data_units_written": 20}}' >smart/nid1/s1.json
echo '{"serial_number": "A9", "user_capacity": {"bytes": 51200}, "power_on_time": {"hours": 24}, "logical_block_size": 512,
 "ata_smart_attributes": {"table": [{"name": "Total_LBAs_Written", "raw": {"value": 1000}}]}}' >smart/nid2/a9.json
status 0 "$iolite" ssd smart --csv
grep -q '^S1,nid1,10240000,10,1,' out || fail "drive writes of an NVMe device: $(grep S1 out)"
grep -q '^A9,nid2,512000,10,10,' out || fail "drive writes of a SATA device: $(grep A9 out)"
grep -q '^nid1:nvme0,nid1,1024000000,' out && grep -q '^nid2:nvme0,nid2,2048000000,' out || fail "devices of two nodes: $(cat out)"
status 0 "$iolite" ssd smart
lacks nan
status 0 "$iolite" collect isdct smart/nid1/s1.json
has '"timestamp": 1770134400'
status 0 "$iolite" ssd dump -o wear.svg
grep -q '</svg>' wear.svg || fail "no picture of wear"
status 2 "$iolite" ssd dump dump -o wear.svg
head -c 700 dump.tar >cut.tar
status 3 "$iolite" collect isdct cut.tar
grep -q 'ends too early' err || fail "a cut tar file: $(head -n 1 err)"

# A tar file where one text is expected: its members one after the other; JSON only alone
printf 'BEGIN 100\nfs-OST0000_UUID 10 5 5 50%% /s[OST:0]' >first.txt
printf 'BEGIN 200\nfs-OST0000_UUID 10 6 4 60%% /s[OST:0]\n' >second.txt
tar czf days.tgz first.txt second.txt
status 0 "$iolite" collect lfs-df days.tgz
has '"used_kib":5'
has '"used_kib":6'
echo '{"7": {"jobidraw": "7", "start": "2026-02-03T08:00:00Z"}}' >job.json
tar cf job.tar job.json
status 0 "$iolite" collect slurm job.tar
has '"jobidraw": "7"'
cp job.json other.json
tar cf jobs.tar job.json other.json
status 3 "$iolite" collect slurm jobs.tar
grep -q 'several JSON' err || fail "a tar file of JSON: $(head -n 1 err)"
mkdir hollow && tar cf hollow.tar hollow
status 3 "$iolite" collect lfs-df hollow.tar

# What is missing, is a directory, or is something else
status 3 "$iolite" collect lctl nothing
grep -q 'nothing: No such file' err || fail "a missing file: $(head -n 1 err)"
status 3 "$iolite" collect lctl day
status 2 "$iolite" collect isdct
status 2 "$iolite" collect no-such-source day/df.txt
status 0 "$iolite" collect
has "mmperfmon"
printf '{"a": [1, 2' >broken.json
for source in slurm collectd prometheus esnet globus-es; do
    status 3 "$iolite" collect $source broken.json
    [ -s err ] || fail "$source: no word about broken JSON"
done
status 3 "$iolite" collect slurm day/df.txt
printf 'not a database' >text.sqlite
status 3 "$iolite" collect jobsdb text.sqlite
status 3 "$iolite" collect lmt text.sqlite
printf '{"status":"error","error":"exceeded maximum resolution"}' >error.json
status 3 "$iolite" collect prometheus error.json
grep -q 'exceeded maximum resolution' err || fail "what Prometheus says is lost"

# Answers of Prometheus of every kind
printf '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"job":"a"},"value":[1770134400.5,"7"]},{"metric":{},"value":[1770134400,"NaN"]}]}}' >vector.json
status 0 "$iolite" collect prometheus vector.json
has '[1770134400.5,7]'
has '[1770134400,null]'
printf '{"status":"success","data":{"resultType":"scalar","result":[1770134400,"42.5"]}}' >scalar.json
status 0 "$iolite" collect prometheus scalar.json
[ "$(grep -c '"metric"' out)" = 1 ] || fail "a number is one series"
has '[1770134400,42.5]'

# Duplicates, times that are wrong, numbers that are too large
printf 'JobIDRaw|Start|End|NodeList\n7|2026-02-03T08:00:00|Unknown|n[1-2]\n7|2026-02-03T09:00:00|None|n[1-999999999999]\n8|x|y|None assigned\n9\n' >"jobs"
status 0 "$iolite" collect slurm jobs
grep -q 'job 7 comes twice' err || fail "a job that comes twice goes by in silence"
valid_json "slurm"
has '"end": null'
printf 'BEGIN 100\nfs-OST0000_UUID 10 5 5 50%% /s[OST:0]\nBEGIN 200\nfs-OST0000_UUID 10 6 4 60%% /s[OST:0]\nBEGIN x\nBEGIN 99999999999999999999999\n' >blocks
status 0 "$iolite" ost --json --ost-fullness blocks --fs fs --at @150
has '"ost_actual_timestamp": 100'
has '"ost_next_timestamp": 200'
status 0 "$iolite" ost --json --ost-fullness blocks --fs fs --at @900
has '"ost_actual_timestamp": 200'
lacks 'ost_next_timestamp'
status 3 "$iolite" ost --json --ost-fullness blocks --fs other --at @900
printf -- '- job_id: 1\n  read_bytes: { samples: 1, unit: bytes, sum: 99999999999999999999999999 }\n  write_bytes: { samples\n' >stats
status 0 "$iolite" collect job-stats stats
valid_json "job-stats"
# Several targets add up, but one that saw nothing has no smallest request; sizes of requests, as newer servers print them
cat >stats <<'END'
obdfilter.fs-OST0000.job_stats=
job_stats:
- job_id:          7
  snapshot_time:   1770135012.348 secs.nsecs
  write_bytes:     { samples: 2, unit: bytes, min: 10, max: 20, sum: 30, hist: { 4K: 1, 8K: 1 } }
obdfilter.fs-OST0001.job_stats=
job_stats:
- job_id:          7
  snapshot_time:   1770135013.5 secs.nsecs
  write_bytes:     { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }
obdfilter.fs-OST0002.job_stats=
job_stats:
- job_id:          7
  write_bytes:     { samples: 1, unit: bytes, min: 40, max: 40, sum: 40, hist: { 8K: 1 } }
END
status 0 "$iolite" collect job-stats stats
for text in '"min": 10' '"max": 40' '"sum": 70' '"samples": 3' '"4K":1,"8K":2' '"snapshot_time": 1770135013.5'; do has "$text"; done

# LDMS: headings of their own, found beside the rows; directories with several schemas; commas in quotes
mkdir ldms
printf '#Time,Time_usec,ProducerName,ost,read_bytes.sum\n' >ldms/lustre_ost.HEADER.100
printf '100.5,500000,h,OST0000,7\n' >ldms/lustre_ost.100
printf '#Time_msec,ProducerName,job_id\n200500,h,"a,b"\n' >ldms/jobs.csv
status 0 "$iolite" collect ldms ldms/lustre_ost.100
has '"read_bytes.sum": 7'
status 0 "$iolite" collect ldms ldms
has '"read_bytes.sum": 7'
has '"job_id": "a,b"'
has '"Time": 200.5'
cp out cache.json
tar cf ldms.tar ldms/lustre_ost.HEADER.100 ldms/lustre_ost.100
status 0 "$iolite" collect ldms ldms.tar
has '"read_bytes.sum": 7'
status 0 "$iolite" collect ldms cache.json
cmp -s out cache.json || fail "LDMS: another tree from its JSON"

# A gigabyte of nothing is not kept
if command -v gzip >/dev/null; then
    head -c 100000000 /dev/zero | gzip -1 >part.gz
    for i in {1..12}; do cat part.gz; done >bomb.gz
    status 3 "$iolite" collect lctl bomb.gz
    grep -q 'more than 1 GiB' err || fail "a bomb: $(head -n 1 err)"
    rm bomb.gz
fi

# Caches are read as what they were made from, and logs and databases may be compressed too
printf '#Time,Time_usec,ProducerName,ost,read_bytes.sum\n100.5,0,h,OST0000,7\n' >ldms.csv
printf '{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__": "m"}, "values": [[1, "2.5"], [2, "NaN"]]}]}}' >answer.json
printf '0 UP osc fs-OST0000-osc-f u 5 10.0.0.1@tcp\n1 UP osc fs-OST0001-osc-f u 5 10.0.0.2@tcp\n2 UP osc fs-OST0002-osc-f u 5 10.0.0.2@tcp\n' >devices
cp "$demo" demo.darshan
for input in "ldms ldms.csv" "prometheus answer.json" "failover devices" "darshan demo.darshan"; do
    status 0 "$iolite" collect "${input% *}" "${input#* }"
    cp out cache.json
    status 0 "$iolite" collect "${input% *}" cache.json
    cmp -s out cache.json || fail "${input% *}: another tree from its own JSON"
    for tool in gzip xz zstd; do
        command -v $tool >/dev/null || continue
        $tool -c "${input#* }" >packed
        "$iolite" collect "${input% *}" packed >out 2>err
        grep -q 'this build cannot decompress' err || cmp -s out cache.json || fail "${input% *}, $tool: another tree: $(head -n 1 err)"
    done
done
status 0 "$iolite" collect darshan cache.json --module stdio
lacks '"posix"'
if command -v sqlite3 >/dev/null || /usr/bin/python3 -c 'import sqlite3' 2>/dev/null; then
    /usr/bin/python3 - <<'END'
import sqlite3
db = sqlite3.connect("jobs.sqlite")
db.execute("CREATE TABLE summary (stepid PRIMARY KEY, hostname, start, completion, numnodes)")
db.execute("INSERT INTO summary VALUES ('7.h', 'h', 100, 200, 3)")
db.commit()
END
    "$iolite" collect jobsdb jobs.sqlite --job 7 --host h >plain.json 2>err
    grep -q 'no SQLite' err || {
        gzip -c jobs.sqlite >packed
        status 0 "$iolite" collect jobsdb packed --job 7 --host h
        cmp -s out plain.json || fail "a compressed database"
        # A database that is cut off, inside a page too, gives no answer rather than one without some of its rows
        size=$(wc -c <jobs.sqlite)
        for ((kept = size - 1; kept > 0; kept -= 1500)); do
            head -c $kept jobs.sqlite >cut.sqlite
            status 3 "$iolite" collect jobsdb cut.sqlite --start @0 --end @1000 --host h
            gzip -c cut.sqlite >packed
            status 3 "$iolite" collect jobsdb packed --start @0 --end @1000 --host h
        done
        gzip -c jobs.sqlite >whole.gz
        head -c $(($(wc -c <whole.gz) - 9)) whole.gz >packed
        status 3 "$iolite" collect jobsdb packed --start @0 --end @1000 --host h
        grep -q 'packed: the compressed database is not whole' err || fail "a cut compressed database: $(cat err)"
        status 0 "$iolite" index --store whole.db "$seeds/demo.darshan"
        head -c $(($(wc -c <whole.db) - 100)) whole.db >cut.db
        status 4 "$iolite" rank cut.db
        grep -q 'cut off' err || fail "a store that is cut off: $(cat err)"
    }
fi

# What can be read of a damaged log is used and called a part; the others count as they are
head -c $(($(wc -c <"$seeds/demo.darshan") * 9 / 10)) "$seeds/demo.darshan" >cut.darshan
cp "$seeds/demo.darshan" one.darshan
cp "$seeds/demo.darshan" two.darshan
for question in "collect darshan" "job --json" "job -j 2 --csv" "bad-ost --json" "bad-ost --by-file" "ost --json" "umami --json" "correlate --json"; do
    logs=(cut.darshan)
    case $question in umami* | correlate*) logs=(one.darshan cut.darshan two.darshan) ;; esac
    # shellcheck disable=SC2086
    status 3 "$iolite" $question "${logs[@]}"
    [ -s out ] || fail "$question: no answer from what there is"
    grep -q '^iolite: partial: cut.darshan' err || fail "$question: a damaged log is not called a part: $(cat err)"
done
for question in umami correlate; do
    status 3 "$iolite" $question --json one.darshan no.darshan two.darshan
    [ -s out ] || fail "$question: one log that is not there takes the answer away"
    status 3 "$iolite" $question --json no.darshan
    [ ! -s out ] || fail "$question: an answer from nothing"
done
status 3 "$iolite" bad-ost --by-file one.darshan no.darshan

# A job that ends, or starts, when clocks show a time for the second time
printf '%s\n' 'JobIDRaw|Submit|Start|End|NodeList' '1|2026-11-01T01:20:00|2026-11-01T01:30:00|2026-11-01T01:10:00|n1' \
    '2|2026-11-01T01:50:00|2026-11-01T01:05:00|2026-11-01T01:40:00|n1' >fold.txt
for form in fold.txt fold.json; do
    TZ=America/Los_Angeles status 0 "$iolite" collect slurm fold.txt -o fold.json
    TZ=America/Los_Angeles status 0 "$iolite" job 1 2 --job-record $form --fs x --json
    tr -dc '0-9 ' <out | tr -s ' ' | grep -q '1793524200 1793521800 1 1793526000 1793523900 2' || fail "jobs when clocks go back ($form): $(cat out)"
done

# Who took OSTs over, and who gave them away; a listing without OSTs says nothing about that
printf '%s UP osc fs-OST%s-osc-f u 5 10.0.0.%s@tcp\n' 0 0000 1 1 0001 1 2 0002 2 3 0003 2 4 0004 3 5 0005 4 6 0006 4 7 0007 4 >moved
status 0 "$iolite" ost --json --ost-map moved --fs fs
has '"ost_overloaded_servers": "10.0.0.4"'
has '"ost_giving_servers": "10.0.0.3"'
has '"ost_overloaded_osts": "OST0005, OST0006, OST0007"'
status 0 "$iolite" ost --ost-map moved --fs fs
has 'Servers with fewer: 10.0.0.3'
printf '7 UP mdc fs-MDT0000-mdc-f u 5 10.0.0.1@tcp\n' >no-osts
status 3 "$iolite" collect failover no-osts
grep -q 'no OST of fs' err || fail "a listing without OSTs: $(head -n 1 err)"

# A tar file that ends too early gives the files that are whole, and says so
mkdir cut-dump
printf 'Legend:\n 1: h|CPU|cpu_user\n\nRow           Timestamp cpu_user\n  1 2019-01-11-10:00:00      0.2\n' >cut-dump/a.txt
cp cut-dump/a.txt cut-dump/b.txt
tar cf whole.tar cut-dump/a.txt cut-dump/b.txt
head -c 1560 whole.tar >cut.tar
status 3 "$iolite" collect mmperfmon cut.tar
has '"cpu_user": 0.2'
grep -q '^iolite: partial: .*too early' err || fail "a cut tar file: $(head -n 1 err)"

# The hour that comes twice: times of caches say which one they mean, rows of a table go on
(
    export TZ=America/Los_Angeles
    printf 'JobIDRaw|Start|End|NodeList\n1|1509868800|1509872400|n1\n' >twice
    status 0 "$iolite" collect slurm twice
    has '"start": "2017-11-05T01:00:00"'
    has '"end": "2017-11-05T01:00:00-0800"'
    cp out cache.json
    status 0 "$iolite" collect slurm cache.json
    cmp -s out cache.json || fail "a time in the hour that comes twice is another one when it is read again"
    printf 'Legend:\n 1: h|CPU|cpu_user\n\nRow           Timestamp cpu_user\n' >rows
    printf '  1 2017-11-05-01:30:00      0.1\n  2 2017-11-05-01:00:00      0.2\n  3 2017-11-05-01:30:00      0.3\n  4 2017-11-05-02:00:00      0.4\n' >>rows
    status 0 "$iolite" collect mmperfmon rows
    for time in 1509870600 1509872400 1509874200 1509876000; do has "\"$time\""; done
    exit $failures
) || failures=$((failures + 1))

# Jobs by the names that people know: tasks of arrays, parts of a job, PBS with its server; from any scheduler's records
cat >sacct.txt <<'END'
NodeList|JobID|State|End|Start|JobIDRaw|
n[01-03]|12_4|CANCELLED by 12|2024-03-31T03:30:00Z|2024-03-31T01:30:00Z|15|
x5|20+0|COMPLETED|1711850000|1711840000|20|
END
cat >accounting <<'END'
03/20/2017 02:00:01;S;123.srv;user=ada jobname=wrf start=1490000867 exec_host=n1/0*32+n2/0*32
03/20/2017 02:10:01;E;123.srv;user=ada account="my project" start=1490000867 exec_host=n1/0*32+n2/0*32 end=1490001467
03/20/2017 02:12:01;E;124[7].srv;user=bob start=1490000900 exec_host=n3/1 end=1490001000
03/20/2017 02:12:02;L;license;floating license hour:3
END
echo '{"Jobs": {"55.srv": {"job_state": "F", "stime": "Sun Oct 27 01:30:00 2024", "resources_used": {"walltime": "03:00:05"}},
 "56.srv": {"job_state": "R", "stime": "Sun Oct 27 01:30:00 2024", "resources_used": {"walltime": "00:10:00"}}}}' >qstat.json
while read -r record job begin end; do
    status 0 "$iolite" job --json --fs f --job-record "$record" "$job"
    has "\"_datetime_start\": $begin"
    has "\"_datetime_end\": $end"
done <<'END'
sacct.txt 12_4 1711848600 1711855800
sacct.txt 15 1711848600 1711855800
sacct.txt 20+0 1711840000 1711850000
accounting 123.srv 1490000867 1490001467
accounting 124[7] 1490000900 1490001000
qstat.json 55.srv 1729992600 1730003405
END
status 3 "$iolite" job --json --fs f --job-record qstat.json 56
status 3 "$iolite" job --json --fs f --job-record sacct.txt 12_5
status 3 "$iolite" job --json --fs f --job-record day/df.txt 12
status 3 "$iolite" collect slurm qstat.json
grep -q 'pbs' err || fail "qstat's JSON is taken for Slurm's: $(head -n 1 err)"
status 0 "$iolite" collect pbs accounting
has '"account": "my project"'

# Inputs of another kind, to every connector: a file of users, an empty one, another encoding, noise, foreign JSON
mkdir other
cp /etc/passwd other/users
: >other/empty
printf '\377\376r\0o\0o\0t\0\n\0' >other/utf16
head -c 3000 "$iolite" | tr '\000' '\001' >other/noise
echo '{"a": 1}' >other/foreign.json
printf 'name|size\nx|1\n' >other/table
for connector in $("$iolite" collect --json | tr ',' '\n' | sed -n 's/^[{ ]*"\([a-z-]*\)": *".*/\1/p'); do
    for input in other/*; do
        inputs=("$input")
        if [ "$connector" = topology ]; then inputs+=("$input"); fi
        status 3 "$iolite" collect "$connector" "${inputs[@]}"
        [ ! -s out ] || fail "$connector takes $input: $(head -n 3 out)"
        [ -s err ] || fail "$connector refuses $input without a word"
    done
done
status 3 "$iolite" collect lctl other/users
grep -q "expected .*lctl dl -t.*begins with 'root" err || fail "what was expected is not said: $(cat err)"
# Right inputs in which there is nothing are no error
printf 'Personalities : \nunused devices: <none>\n' >mdstat
status 0 "$iolite" collect md mdstat
printf 'JobIDRaw|Start|End\n' >sacct.none
status 0 "$iolite" collect slurm sacct.none

# A listing that was cut within a line is partial, and is not archived
for i in 0 1 2 3; do
    printf '%3d UP osc fs-OST%04x-osc-ffff8800 8dbdc7f6-052f 5 10.1.2.%d@o2ib\n' $i $i $i
done >devices
status 0 "$iolite" collect lctl devices
head -c 200 devices >devices.cut
status 3 "$iolite" collect lctl devices.cut
has OST0001
grep -q 'end of its last line is missing' err || fail "a cut listing is not called partial: $(cat err)"
mkdir kept
status 3 "$iolite" collect lctl devices.cut --archive-dir kept
[ -z "$(ls -A kept)" ] || fail "half a listing is archived"

# Places that cannot work are named before anything is read
status 4 "$iolite" collect lctl devices --archive-dir "$work/nowhere"
grep -q 'there is no such directory' err || fail "an archive that is not there: $(cat err)"
for connector in lmt jobsdb; do
    status 3 "$iolite" collect $connector kept
    grep -q 'this is a directory; expected a database' err || fail "a directory as a database: $(cat err)"
done

# Tables of jobs
printf '_datetime_start,_jobid,darshan_app,darshan_agg_perf_by_slowest_posix\n1,a,x,5\n2,b,x,inf\n3,"c ""q"",",x,1e999\n4,d,x,7\n' >table.csv
status 0 "$iolite" umami table.csv
has "Performance"
status 0 "$iolite" umami --json table.csv
valid_json "umami"
status 3 "$iolite" umami day/df.txt
status 3 "$iolite" umami --app nobody table.csv
status 0 "$iolite" umami -o picture.svg table.csv
grep -q '</svg>' picture.svg || fail "no picture"
status 0 "$iolite" correlate --json table.csv
valid_json "correlate"
printf '_datetime_start,_jobid,x,y,darshan_app,darshan_agg_perf_by_slowest_posix\n1,p,1,1,a,5\n2,q,2,8,a,6\n3,r,3,27,a,7\n4,s,4,1000,a,8\n' >curve.csv
status 0 "$iolite" correlate --metrics x,y --json curve.csv
valid_json "correlate, own metrics"
has '"x": {'
status 0 "$iolite" correlate --metrics y --method spearman --json curve.csv
has '"significant": true'
status 0 "$iolite" correlate --metrics y --method pearson --json curve.csv
has '"significant": false'
status 0 "$iolite" correlate --metrics y,x curve.csv
grep -q '^y  *' out || fail "a metric that was named is not in the table"
lacks "Average MDS"
status 0 "$iolite" correlate --metrics y curve.csv -o curve.svg
grep -q '>y<' curve.svg || fail "a metric that was named is not in the picture"
status 2 "$iolite" correlate --method kendall curve.csv
status 2 "$iolite" correlate --metrics nothing curve.csv
status 2 "$iolite" umami --job z table.csv
status 2 "$iolite" job
status 3 "$iolite" job nothing
status 2 "$iolite" job --start yesterday --end now --fs f
status 0 "$iolite" bad-ost --json "$demo"
valid_json "bad-ost"
status 0 "$iolite" ost --json "$demo"
valid_json "ost"
check_documents || fail "JSON that is none"
# A job of 0 s is not one that has not ended: in the index it ends when it began, and without a log there is no time to ask about
printf '%s\n' 'JobIDRaw|User|State|Submit|Start|End|NNodes|AllocCPUS' '77|ana|COMPLETED|1000|1000|1000|1|4' '78|ana|RUNNING|1000|1000|Unknown|1|4' >instant.txt
status 3 "$iolite" job 77 --job-record instant.txt --fs x
grep -q 'job 77 ran for less than a second' "$work/err" || fail "a job of 0 s: $(cat "$work/err")"
status 3 "$iolite" job 78 --job-record instant.txt --fs x
grep -q 'has not ended' "$work/err" || fail "a job that runs: $(cat "$work/err")"
status 0 "$iolite" index -q --store instant.db --accounting instant.txt
status 0 "$iolite" jobs --store instant.db --columns job,run --csv
grep -qx '77,0' "$work/out" || fail "the run time of a job of 0 s: $(cat "$work/out")"
grep -qx '78,' "$work/out" || fail "the run time of a job that runs: $(cat "$work/out")"
finish

#!/usr/bin/env bash
# Time series files: archiving twice changes nothing, parts of a day come together, killed writers leave whole files, and
# what does not fit is refused. `site_series.sh --long` kills fifty times.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
tools=$PWD/tests/site
python=/usr/bin/python3
$python -c 'import h5py, sqlite3' 2>/dev/null || { echo "python3-h5py is not here"; exit 77; }
kills=6
[ "${1:-}" = --long ] && kills=50
start=1517126400
$python "$tools/make_lmt.py" "$work/lmt.sqlite3" 4 61 $start || { echo "no SQLite in Python"; exit 77; }
archive() { # OUT FROM TO: seconds behind the start
    "$iolite" collect lmt "$work/lmt.sqlite3" --start @$((start + $2)) --end @$((start + $3)) --init-start @$start --init-end @$((start + 300)) -o "$1"
}
digest() { $python "$tools/digest.py" "$1" >"$2" || fail "h5py does not read $1"; }
archive "$work/once.hdf5" 0 300 2>"$work/err" || {
    grep -q 'HDF5 library is not' "$work/err" && { echo "no HDF5 library"; exit 77; }
    grep -q 'no SQLite' "$work/err" && { echo "built without SQLite"; exit 77; }
    fail "archiving: $(head -n 2 "$work/err")"
}
digest "$work/once.hdf5" "$work/once.json"
$python - "$work/once.json" <<'END' || fail "what was archived is not what the counters say"
import json, sys
got = json.load(open(sys.argv[1]))
assert got["datatargets/readbytes"]["column_sums"] == [60 * 4096.0 * (k + 1) for k in range(4)]
assert got["datatargets/writebytes"]["total"] == 2 * 60 * 4096 * 10
assert got["mdtargets/opens"]["total"] == 600 and got["datatargets/readbytes"]["missing"] == 0
END

# Network traffic is data of its own: LMT's routers, LDMS' counters of interfaces
$python - "$work/lmt.sqlite3" "$work/net.csv" $start <<'END'
import shutil, sqlite3, sys
shutil.copy(sys.argv[1], sys.argv[1] + ".net")
db = sqlite3.connect(sys.argv[1] + ".net")
db.execute("CREATE TABLE ROUTER_INFO (ROUTER_ID, ROUTER_NAME, HOSTNAME)")
db.execute("CREATE TABLE ROUTER_DATA (ROUTER_ID, TS_ID, BYTES, PCT_CPU)")
db.execute("INSERT INTO ROUTER_INFO VALUES (1, 'lnet1', '')")
db.executemany("INSERT INTO ROUTER_DATA VALUES (1, ?, ?, 5)", [(ts + 1, 700 * ts) for ts in range(61)])
db.commit()
with open(sys.argv[2], "w") as file:
    print("#Time,Time_usec,ProducerName,rx_bytes#hsn0,tx_bytes#hsn0,rx_bytes#lo", file=file)
    for i in range(4):
        print(f"{int(sys.argv[3]) + 10 * i}.0,0,nid1,{100 * i},{300 * i},{i}", file=file)
END
status 0 "$iolite" collect lmt "$work/lmt.sqlite3.net" --start @$start --end @$((start + 300)) -o "$work/routers.hdf5"
digest "$work/routers.hdf5" "$work/routers.json"
status 0 "$iolite" collect ldms "$work/net.csv" --start @$start --end @$((start + 30)) -o "$work/net.hdf5"
digest "$work/net.hdf5" "$work/net.json"
$python - "$work/routers.json" "$work/net.json" <<'END' || fail "network traffic"
import json, sys
routers, net = (json.load(open(path)) for path in sys.argv[1:])
assert routers["network/bytes"]["total"] == 60 * 700, routers["network/bytes"]
assert net["network/inbytes"]["column_sums"] == [300.0] and net["network/outbytes"]["total"] == 900, net
END

# A core that is idle is measured, though rounding makes that more than 100 percent
cat >"$work/idle.json" <<'END'
[[{"_id": "a", "_source": {"@timestamp": "2018-01-28T08:00:01Z", "hostname": "bb1", "plugin": "cpu", "plugin_instance": "0", "type_instance": "idle", "value": 100.00000000000001}},
  {"_id": "b", "_source": {"@timestamp": "2018-01-28T08:00:11Z", "hostname": "bb1", "plugin": "cpu", "plugin_instance": "0", "type_instance": "idle", "value": 100.5}},
  {"_id": "c", "_source": {"@timestamp": "2018-01-28T08:00:12Z", "hostname": "bb1", "plugin": "cpu", "plugin_instance": "1", "type_instance": "idle", "value": 50}}]]
END
status 0 "$iolite" collect collectd "$work/idle.json" --start @$start --end @$((start + 30)) -o "$work/idle.hdf5"
digest "$work/idle.hdf5" "$work/idle.digest"
$python - "$work/idle.digest" <<'END' || fail "idle cores"
import json, sys
load = json.load(open(sys.argv[1]))["dataservers/cpuload"]
assert load["missing"] == 1 and load["total"] == 25, load
END

# Databases of other releases, and with rubbish in them: a table that is missing is left out, and what is no number, below zero or
# beyond 64 bits is a sample that is missing, so that nothing is counted that was not moved
changed() { # SQL
    cp "$work/lmt.sqlite3" "$work/changed.sqlite3"
    $python -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()' "$work/changed.sqlite3" "$1"
    rm -f "$work/changed.hdf5"
    status 0 "$iolite" collect lmt "$work/changed.sqlite3" --start @$start --end @$((start + 300)) -o "$work/changed.hdf5"
    digest "$work/changed.hdf5" "$work/changed.json"
}
for value in NULL "'rubbish'" -5 1e300; do
    changed "UPDATE OST_DATA SET READ_BYTES = $value WHERE TS_ID % 7 = 0"
    $python - "$work/changed.json" "$work/once.json" <<'END' || fail "a counter of $value"
import json, sys
got, once = (json.load(open(path))["datatargets/readbytes"] for path in sys.argv[1:])
assert got["total"] == once["total"] and got["missing"] == 4 * 8, got
END
done
changed "DROP TABLE MDS_OPS_DATA"
grep -q 'MDS_OPS_DATA.*left out' "$work/err" || fail "a missing table goes by in silence"
$python - "$work/changed.json" "$work/once.json" <<'END' || fail "a missing table takes the others with it"
import json, sys
got, once = (json.load(open(path)) for path in sys.argv[1:])
assert "mdtargets/opens" not in got and got["datatargets/readbytes"] == once["datatargets/readbytes"]
END
cp "$work/lmt.sqlite3" "$work/changed.sqlite3"
$python -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); [db.execute("DROP TABLE " + name) for name in ("OST_DATA", "OSS_DATA", "MDS_DATA", "MDS_OPS_DATA")]' "$work/changed.sqlite3"
status 3 "$iolite" collect lmt "$work/changed.sqlite3" --start @$start --end @$((start + 300)) -o "$work/none.hdf5"

# A part of the time again, into a file that is there: it covers what it covers
cp "$work/once.hdf5" "$work/part.hdf5"
status 0 "$iolite" collect lmt "$work/lmt.sqlite3" --start @$((start + 100)) --end @$((start + 200)) -o "$work/part.hdf5"
digest "$work/part.hdf5" "$work/part.json"
cmp -s "$work/part.json" "$work/once.json" || fail "archiving a part of the time again changes something"
status 3 "$iolite" collect lmt "$work/lmt.sqlite3" --start @$((start + 200)) --end @$((start + 400)) -o "$work/part.hdf5"
grep -q 'covers other times' "$work/err" || fail "a time outside of the file: $(head -n 1 "$work/err")"
digest "$work/part.hdf5" "$work/part.json"
cmp -s "$work/part.json" "$work/once.json" || fail "a file is damaged by what does not fit"

# Again, and in parts that overlap and come in any order: the same values and attributes, but for `updated`
cp "$work/once.hdf5" "$work/twice.hdf5"
status 0 archive "$work/twice.hdf5" 0 300
status 0 archive "$work/twice.hdf5" 100 200
for part in "200 300" "0 120" "100 210" "0 300"; do
    # shellcheck disable=SC2086
    status 0 archive "$work/parts.hdf5" $part
done
for file in twice parts; do
    digest "$work/$file.hdf5" "$work/$file.json"
    cmp -s "$work/once.json" "$work/$file.json" || fail "$file: other values than archiving once"
done
status 0 archive "$work/gap.hdf5" 0 100
status 0 archive "$work/gap.hdf5" 200 300
digest "$work/gap.hdf5" "$work/gap.json"
$python - "$work/gap.json" <<'END' || fail "what was not archived is not missing"
import json, sys
assert json.load(open(sys.argv[1]))["datatargets/readbytes"]["missing"] == 4 * 20
END

# New targets get new columns, by name
$python "$tools/make_lmt.py" "$work/more.sqlite3" 6 61 $start
status 0 "$iolite" collect lmt "$work/more.sqlite3" --start @$start --end @$((start + 300)) -o "$work/twice.hdf5"
digest "$work/twice.hdf5" "$work/more.json"
$python - "$work/more.json" <<'END' || fail "columns of new targets"
import json, sys
got = json.load(open(sys.argv[1]))["datatargets/readbytes"]
assert got["columns_with_data"] == [f"fs-OST{k:04x}" for k in range(6)], got["columns_with_data"]
assert got["column_sums"] == [60 * 4096.0 * (k + 1) for k in range(6)]
END

# What does not fit is refused, and the file stays as it is
cp "$work/once.hdf5" "$work/before.hdf5"
status 3 "$iolite" collect lmt "$work/lmt.sqlite3" --start @$start --end @$((start + 300)) --step 10 -o "$work/once.hdf5"
grep -q 'another time step' "$work/err" || fail "another step: $(head -n 1 "$work/err")"
status 3 "$iolite" collect lmt "$work/lmt.sqlite3" --start @$((start + 300)) --end @$((start + 600)) -o "$work/once.hdf5"
grep -q 'covers other times' "$work/err" || fail "another range: $(head -n 1 "$work/err")"
status 2 "$iolite" collect lmt "$work/lmt.sqlite3" --start @$((start + 300)) --end @$start -o "$work/once.hdf5"
cmp -s "$work/before.hdf5" "$work/once.hdf5" || fail "a refused commit changed the file"
head -c 3000 "$work/once.hdf5" >"$work/cut.hdf5"
status 3 archive "$work/cut.hdf5" 0 300
[ "$(stat -c %s "$work/cut.hdf5")" = 3000 ] || fail "a damaged file was replaced"
status 3 "$iolite" traffic "$work/cut.hdf5"
status 3 "$iolite" traffic "$work/lmt.sqlite3"
status 3 "$iolite" traffic "$work/nothing.hdf5"

# Without the library there is a reason, and everything else works
status 3 env IOLITE_HDF5=/nonexistent.so "$iolite" traffic "$work/once.hdf5"
grep -q 'HDF5 library is not on this machine' "$work/err" || fail "no reason without HDF5"
status 0 env IOLITE_HDF5=/nonexistent.so "$iolite" collect lmt "$work/lmt.sqlite3"

# Killed writers: the file is whole at any time, and the next run finishes the work
for ((i = 0; i < kills; i++)); do
    archive "$work/killed.hdf5" $((i % 3 * 100)) $((i % 3 * 100 + 100)) 2>/dev/null &
    sleep "0.0$((RANDOM % 4))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ ! -e "$work/killed.hdf5" ] || digest "$work/killed.hdf5" "$work/killed.json"
done
status 0 archive "$work/killed.hdf5" 0 300
digest "$work/killed.hdf5" "$work/killed.json"
cmp -s "$work/once.json" "$work/killed.json" || fail "killed writers: other values than archiving once"

# A directory with a file per day: up to now, over midnight, without duplicates, one archiver at a time
now=$(date +%s)
$python "$tools/make_lmt.py" "$work/live.sqlite3" 2 4321 $((now - now % 3600 - 18000))
mkdir "$work/archive"
live() { "$iolite" collect lmt "$work/live.sqlite3" --archive-dir "$work/archive" --name fs --max-age 1 --trail 0; }
status 0 live
cp -r "$work/archive" "$work/archived"
status 0 live
total=0
for file in "$work"/archive/*/fs.hdf5; do
    digest "$file" "$work/day.json"
    cmp -s "$file" "$work/archived/${file#"$work"/archive/}" || fail "nothing new, and $file changed"
    total=$((total + $($python -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["datatargets/readbytes"]["total"]))' "$work/day.json")))
done
# Five hours lie behind now, or a little more where the clock went on
hours=$(((total / 4096 / 3) / 720))
[ $hours = 5 ] || [ $hours = 6 ] || fail "$hours hours archived instead of 5"
[ $((total % (4096 * 3))) = 0 ] || fail "part of a step was archived"
exec 9>"$work/archive/fs.schedule.lock"
if flock -n 9; then
    status 4 live
    grep -q 'another archiver' "$work/err" || fail "a second archiver: $(head -n 1 "$work/err")"
fi
exec 9>&-
echo '{"start": ' >"$work/archive/fs.schedule"
status 0 live
# Hours are not given up because there is no place for their files
mkdir "$work/blocked"
blocked() { "$iolite" collect lmt "$work/live.sqlite3" --archive-dir "$work/blocked" --name fs --max-age 1 --trail 0; }
for ((back = 0; back < 3; back++)); do : >"$work/blocked/$(date -d "@$((now - back * 86400))" +%Y-%m-%d)"; done
for _ in 1 2 3 4 5 6; do status 4 blocked; done
! grep -q "left out" "$work/err" || fail "an hour without a place for its file is left out"
rm -f "$work"/blocked/2*
status 0 blocked
for file in "$work"/blocked/*/fs.hdf5; do
    digest "$file" "$work/day.json"
    total=$((total - $($python -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["datatargets/readbytes"]["total"]))' "$work/day.json")))
done
[ $total -le 0 ] || fail "hours without a place for their files were given up"
midnight=$((start - start % 86400 + 86400))
$python "$tools/make_lmt.py" "$work/night.sqlite3" 1 121 $((midnight - 300))
status 0 "$iolite" collect lmt "$work/night.sqlite3" --archive-dir "$work/archive" --name night --start @$((midnight - 300)) --end @$((midnight + 300))
[ "$(find "$work/archive" -name night.hdf5 | wc -l)" = 2 ] || fail "a range over midnight is not in two files"
# Two days beside each other and together, in the unit that is asked for
nights=("$work"/archive/*/night.hdf5)
[ ${#nights[@]} = 2 ] || fail "${#nights[@]} files of a night instead of 2"
status 0 "$iolite" traffic --json "${nights[@]}"
$python - "$work/out" <<'END' || fail "two days together: $(cut -c1-300 "$work/out")"
import json, sys
files = json.load(open(sys.argv[1]))
total = files.pop("combined")
assert len(files) == 2 and total["read_bytes"] == sum(day["total"]["read_bytes"] for day in files.values()) > 0
END
status 0 "$iolite" traffic --bins 1 --unit mibs "${nights[@]}"
has "All 2 files"
has " MiB"
lacks " GiB"
# The last second of a day is its end
status 0 "$iolite" collect lmt "$work/night.sqlite3" --archive-dir "$work/archive" --name late --start @$((midnight - 300)) --end @$((midnight - 1))
ls "$work"/archive/*/late.hdf5 >/dev/null || fail "a range that ends at 23:59:59 is not archived"
status 0 "$iolite" traffic --json --dataset datatargets/readbytes "$work"/archive/*/night.hdf5
has '"missing": '

# A gap over the boundary of two hours, and samples that are rarer than steps: what was counted meanwhile is not lost
noon=$((midnight - 43200))
$python "$tools/make_lmt.py" "$work/gap.sqlite3" 2 4321 $((noon - 3600))
$python - "$work/gap.sqlite3" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("DELETE FROM OST_DATA WHERE OST_ID = 0 AND TS_ID BETWEEN 600 AND 1600")  # from 10 minutes before one hour until after the next
db.execute("DELETE FROM OST_DATA WHERE OST_ID = 1 AND TS_ID % 12 != 6")
db.execute("DELETE FROM MDS_OPS_DATA WHERE TS_ID BETWEEN 2100 AND 2200")
db.commit()
END
for ((hour = -1; hour < 5; hour++)); do
    status 0 "$iolite" collect lmt "$work/gap.sqlite3" --archive-dir "$work/archive" --name gap --start @$((noon + hour * 3600)) --end @$((noon + hour * 3600 + 3600))
done
$python - "$work"/archive/*/gap.hdf5 <<'END' || fail "what was counted during a gap is lost"
import sys, h5py
with h5py.File(sys.argv[1]) as file:
    read, opens = file["datatargets/readbytes"][:], file["mdtargets/opens"][:]
    columns = [name.decode() for name in file["datatargets/readbytes"].attrs["columns"]]
totals = dict(zip(columns, read.sum(axis=0)))
assert totals["fs-OST0000"] == 4320 * 4096, totals  # the sample after the last step is there
assert totals["fs-OST0001"] == (4314 - 6) // 12 * 12 * 2 * 4096, totals
assert opens.sum() == 4320 * 10, opens.sum()
END

# Hour by hour from dated files of the site: those of each hour, and an hour without a file is no error
$python - "$work" <<'END'
import sys, time
now, days = int(time.time()) // 60 * 60, {}
for end in range(now - 4 * 3600, now + 1800, 60):
    days.setdefault(time.strftime("%Y-%m-%d", time.gmtime(end)), []).append(time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime(end)))
for day, times in days.items():
    with open(f"{sys.argv[1]}/gpfs-{day}.txt", "w") as file:
        print("Legend:\n 1: nsd1|GPFSNSDDisk|ddn1|gpfs_nsdds_bytes_read\n\nRow           Timestamp gpfs_nsdds_bytes_read", file=file)
        for row, at in enumerate(times, 1):
            print(f"{row:3} {at}                   100", file=file)
print(now - 4 * 3600, file=open(f"{sys.argv[1]}/gpfs-first", "w"))
END
echo '{"timezone": "UTC", "mmperfmon_output_files": {"g": "gpfs-%Y-%m-%d.txt"}, "mmperfmon_lun_map": {"^ddn": "datatarget"}}' >"$work/gpfs.json"
gpfs=(collect mmperfmon --site "$work/gpfs.json" --fs g)
status 0 "$iolite" "${gpfs[@]}" --archive-dir "$work/archive" --name gpfs --max-age 2 --trail 0
[ ! -s "$work/err" ] || fail "dated files hour by hour: $(cat "$work/err")"
$python - "$work/archive/gpfs.schedule" "$work/gpfs-first" "$work"/archive/*/gpfs.hdf5 <<'END' || fail "dated files hour by hour: other values than those of the files"
import json, sys, h5py
end, first = json.load(open(sys.argv[1]))["start"], int(open(sys.argv[2]).read())
total = sum(h5py.File(path)["datatargets/readbytes"][:].sum() for path in sys.argv[3:])
assert total == 100 * (end - first + 60) / 60 and total > 100 * 180, (total, end, first)
END
status 3 "$iolite" "${gpfs[@]}" --start @1500000000 --end @1500003600 -o "$work/none.hdf5"
grep -q 'no file of mmperfmon' "$work/err" || fail "no file for that time: $(cat "$work/err")"

# Days when the clock changes have 25, 24.5 or 23 hours, and each sample its own step
changing_day() { # what zone day after first-second samples steps
    local -x TZ=$2
    $python "$tools/make_lmt.py" "$work/day.sqlite3" 1 "$(($6 + 1))" "$5"
    status 0 "$iolite" collect lmt "$work/day.sqlite3" --start "$3" --end "$4" -o "$work/day.hdf5"
    digest "$work/day.hdf5" "$work/day.json"
    $python - "$work/day.json" "$6" "$7" <<'END' || fail "$1"
import json, sys
got, samples, steps = json.load(open(sys.argv[1]))["datatargets/readbytes"], int(sys.argv[2]), int(sys.argv[3])
assert got["shape"] == [steps, 1] and got["total"] == samples * 4096 and got["missing"] == steps - samples, got
END
    rm "$work"/day.*
}
changing_day "an hour that comes twice" America/Los_Angeles 2017-11-05 2017-11-06 1509867000 2160 18000
changing_day "half an hour that comes twice" Australia/Lord_Howe 2025-04-06 2025-04-07 1743858000 2160 17640
changing_day "a day without an hour" America/Los_Angeles 2017-03-12 2017-03-13 1489309200 1440 16560

# Two writers at once
archive "$work/both.hdf5" 0 150 &
first=$!
archive "$work/both.hdf5" 150 300 || fail "the second writer"
wait $first || fail "the first writer"
digest "$work/both.hdf5" "$work/both.json"
cmp -s "$work/once.json" "$work/both.json" || fail "two writers at once: values are lost"
# What is in a file: versions of its own before that of the file, units, shapes and times; also of a file that is compressed
/usr/bin/python3 - "$work/versions.hdf5" <<'END' || fail "h5py"
import sys, h5py, numpy
with h5py.File(sys.argv[1], "w") as file:
    file.attrs["version"], file.attrs["start"], file.attrs["end"] = "1", 1000, 1020
    group = file.create_group("datatargets")
    group.attrs["source"] = "lmt"
    group["timestamps"] = numpy.arange(1000, 1020, 5)
    for name, version in (("readbytes", None), ("writebytes", b"None"), ("readrates", "2"), ("writerates", "")):
        matrix = group.create_dataset(name, data=numpy.ones((4, 3)))
        matrix.attrs["columns"], matrix.attrs["units"] = [b"a", b"b"], "bytes/sec"
        if version is not None: matrix.attrs["version"] = version
    file["other/deeper/list"] = numpy.ones(7, dtype="f4")
    file["loop"] = h5py.SoftLink("/")
END
status 0 "$iolite" collect tts "$work/versions.hdf5"
/usr/bin/python3 - "$work/out" <<'END' || fail "what is in a file"
import json, sys
got = json.load(open(sys.argv[1]))
assert got["/"] == {"kind": "file", "layout": "tts", "version": "1", "start": 1000, "end": 1020}, got["/"]
assert got["datatargets"] == {"kind": "group", "source": "lmt", "version": "1"}, got["datatargets"]
versions = {name: row["version"] for name, row in got.items() if row["kind"] == "dataset" and name.startswith("datatargets")}
assert versions == {"datatargets/readbytes": "1", "datatargets/writebytes": "1", "datatargets/readrates": "2",
                    "datatargets/writerates": "1", "datatargets/timestamps": "1"}, versions
matrix = got["datatargets/readrates"]
assert matrix == {"kind": "dataset", "version": "2", "units": "bytes/sec", "rows": 4, "columns": 3, "named_columns": 2,
                  "start": 1000, "end": 1020, "step": 5}, matrix
assert got["other/deeper/list"]["rows"] == 7
END
cp "$work/out" "$work/contents"
status 0 "$iolite" collect tts --csv "$work/versions.hdf5"
grep -q '^datatargets/readrates,dataset,2,' "$work/out" || fail "versions as a table: $(head -n 3 "$work/out")"
gzip -c "$work/versions.hdf5" >"$work/versions.gz"
status 0 "$iolite" collect tts "$work/versions.gz"
cmp -s "$work/out" "$work/contents" || fail "a compressed file: $(head -n 1 "$work/err")"
status 0 "$iolite" traffic --json --dataset datatargets/readbytes "$work/versions.gz"
has '"units": "bytes"'
status 0 "$iolite" collect tts "$work/versions.gz" "$work/versions.hdf5"
has "\"$work/versions.gz\""
status 3 "$iolite" collect tts "$0"
status 2 "$iolite" collect tts
finish

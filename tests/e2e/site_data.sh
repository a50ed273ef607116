#!/usr/bin/env bash
# Data of a site: connectors, time series and analyses against what was recorded with the reference, one check per file.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
holistic=$corpus/holistic
[ -d "$holistic/expected" ] || { echo "no recorded values at $holistic"; exit 77; }
command -v python3 >/dev/null || { echo "python3 compares, and is not here"; exit 77; }
tools=$PWD/tests/site
export TZ=America/Los_Angeles
unset IOLITE_SITE_CONFIG
cd "$holistic" || exit 77

"$iolite" collect jobsdb inputs/sample_nersc_jobsdb.sqlite3 2>&1 >/dev/null | grep -q 'no SQLite' && { echo "built without SQLite"; exit 77; }

# compared EXPECTED [OPTIONS]: the output of the last command has the recorded values.
compared() {
    local expected=$1 got=$work/got.${1##*.}
    shift
    cp "$work/out" "$got"
    python3 "$tools/compare.py" "expected/$expected" "$got" --corrections expected/corrections.json "$@" >"$work/differences" 2>&1 ||
        fail "$expected: $(tail -n 5 "$work/differences")"
}

# Connectors
status 0 "$iolite" collect failover inputs/lctl-dl-t.txt.gz
compared lctl_failovers.json
status 0 "$iolite" collect topology inputs/sample.xtdb2proc.gz inputs/sample.slurm
compared topology.json
status 0 "$iolite" collect mmperfmon inputs/mmperfmon-usage.txt.gz
compared mmperfmon_usage.json
status 0 "$iolite" collect mmperfmon inputs/mmperfmon.tgz --metric cpu_user --csv
compared mmperfmon_metric.csv --key timestamp --ignore ''
status 0 "$iolite" collect isdct inputs/sample_nersc_isdct.tgz --csv
units=(--ignore temperature --ignore endurance_analyzer --ignore smart_thermal_throttle_status_throttle_status)
for key in temperature endurance_analyzer smart_thermal_throttle_status_throttle_status; do units+=(--ignore "${key}_unit"); done
compared isdct.csv --key serial_number "${units[@]}" --ignore bootloader
python3 - "$work/out" <<'END' || fail "temperatures and endurance are no numbers with a unit"
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    assert float(row["temperature"]) > 0 and row["temperature_unit"] == "Celsius", row["serial_number"]
    assert float(row["endurance_analyzer"]) > 0 and row["endurance_analyzer_unit"] == "years", row["serial_number"]
END
status 0 "$iolite" collect darshan inputs/sample.darshan --perf
compared darshan_perf_sample.json
# A sum of what the writer did not know (-1) is not known; and what the name of a log says
status 0 "$iolite" collect darshan inputs/darshanlogs/2017/3/20/glock_vpicio_uni_id4478544_3-20-7667-18385393005962577517_1.darshan --total
python3 - "$work/out" <<'END' || fail "unknown sums, and the name of a log: $(head -c 300 "$work/out")"
import json, sys
log = json.load(open(sys.argv[1]))
stdio, posix = log["counters"]["stdio"]["_total"], log["counters"]["posix"]["_total"]
assert stdio["FDOPENS"] is None and posix["DUPS"] is None and stdio["OPENS"] == 129, (stdio, posix)
assert log["log_name"] == {"user": "glock", "program": "vpicio_uni", "jobid": "4478544", "month": 3, "day": 20, "seconds": 7667,
                           "node_hash": "18385393005962577517", "write_seconds": 1}, log["log_name"]
END
status 0 "$iolite" collect darshan inputs/sample-goodost.darshan --module posix --counter BYTES_READ --counter BYTES_WRITTEN
compared darshan_base_filter.json
status 0 "$iolite" collect globus-es inputs/globuslogs.json.gz --csv
compared globus_es.csv
status 0 "$iolite" collect globus inputs/globuslogs.txt.gz
compared globuslogs_txt.json --ignore PROG --ignore NL.EVNT
status 0 "$iolite" collect hpss-ftp inputs/hpssftplog.txt.gz
compared hpssftplog.json
status 0 "$iolite" collect jobsdb inputs/sample_nersc_jobsdb.sqlite3 --host edison --start @1489999000 --end @1490002600 --job 4478544
python3 - "$work/out" <<'END' || fail "jobsdb.json"
import json, sys
expected, got = json.load(open("expected/jobsdb.json")), json.load(open(sys.argv[1]))
window = expected["1489999000-1490002600"]
assert all(abs(got[key] - window[key]) < 1e-9 * window[key] for key in window), got
assert [got["start"], got["end"]] == expected["startend_4478544"], got
END
status 0 "$iolite" collect jobsdb inputs/sample_nersc_jobsdb.sqlite3 --host edison --start @1490000867 --end @1490000988
python3 - "$work/out" <<'END' || fail "jobsdb.json, the second window"
import json, sys
window, got = json.load(open("expected/jobsdb.json"))["1490000867-1490000988"], json.load(open(sys.argv[1]))
assert all(abs(got[key] - window[key]) < 1e-9 * window[key] for key in window), got
END

# What tools print, written back and read again, gives the same tree
for listing in "slurm made-up/sacct_parsable2.txt" "nodes sample.xtdb2proc.gz" "lctl lctl-dl-t.txt.gz" \
    "lctl sample_ost-map.txt.gz" "lfs-df lfs-df.txt.gz" "lfs-df sample_ost-fullness.txt.gz"; do
    source=${listing% *}
    status 0 "$iolite" collect "$source" "inputs/${listing#* }"
    cp "$work/out" "$work/tree"
    status 0 "$iolite" collect "$source" "inputs/${listing#* }" --native
    cp "$work/out" "$work/native"
    status 0 "$iolite" collect "$source" "$work/native"
    cmp -s "$work/out" "$work/tree" || fail "$listing: another tree from its own text"
    status 0 "$iolite" collect "$source" "$work/tree"
    cmp -s "$work/out" "$work/tree" || fail "$listing: another tree from its JSON"
done
grep -q '^snx11035-OST0001_UUID .* 72% /scratch2\[OST:1\]$' "$work/native" || fail "lfs df is printed in another form"

# Archives and telegraf
status 0 "$iolite" collect hpss-daily inputs/hpss_daily.txt
python3 - "$work/out" <<'END' || fail "the daily report of the archive"
import json, sys
got = json.load(open(sys.argv[1]))
assert got["date"] == "2018-08-09"
host = got["archive"]["io totals by client host"]["edison"]
assert (host["users"], host["io_gb"], host["w_ops"], host["host"]) == (15, 52499.4, 10555, "edison")
assert got["archive"]["migration purge report"]["8"]["migtimesecs"] == 13 * 3600 + 44 * 60 + 23
assert got["archive"]["tape drive report"][1]["mounttimesecs"] == 10 * 86400 + 9 * 3600 + 34 * 60 + 44
assert len(got["hpss"]["largest users"]) == 13 and got["hpss"]["largest users"][0]["io_gb"] == 6371.3
END
status 0 "$iolite" collect hsi inputs/hsilog.txt.gz
python3 - "$work/out" <<'END' || fail "the log of HSI and HTAR"
import json, sys
got = json.load(open(sys.argv[1]))
assert len(got["hsi"]) == 61 and len(got["htar"]) == 1, (len(got["hsi"]), len(got["htar"]))
tar = got["htar"][0]
assert (tar["bytes"], tar["bytes_sec"], tar["cos_id"], tar["account_id"]) == (58178668032, 146472000.0, 5, 58888)
assert all("dest_path" not in row for row in got["hsi"] if row["opname"] == "FU")
END
status 0 "$iolite" collect influx inputs/made-up/telegraf_lustre2.lp
python3 - "$work/out" <<'END' || fail "telegraf's lines"
import json, sys
got = json.load(open(sys.argv[1]))
assert got[0]["write_bytes"] == 1000000000 and got[0]["time"] == 1770134400 and got[1]["jobid"] == "910001" and got[2]["statfs"] == 4002
END
status 0 "$iolite" collect lmt inputs/snx11025_2018-01-28.sqlite3 --start 2018-01-28T00:00:00 --end 2018-01-28T00:01:00 -o "$work/minute.sqlite"
python3 - "$work/minute.sqlite" inputs/snx11025_2018-01-28.sqlite3 <<'END' || fail "a minute of LMT's database"
import sqlite3, sys
part, whole = (sqlite3.connect(path) for path in sys.argv[1:])
for table in ("OST_DATA", "OSS_DATA", "MDS_DATA", "MDS_OPS_DATA", "TIMESTAMP_INFO"):
    expected = set(whole.execute(f"SELECT * FROM {table} WHERE TS_ID IN (SELECT TS_ID FROM TIMESTAMP_INFO WHERE TIMESTAMP BETWEEN '2018-01-28 00:00:00' AND '2018-01-28 00:01:00')"))
    assert set(part.execute(f"SELECT * FROM {table}")) == expected and expected, table
END

# Time series
digest() {
    /usr/bin/python3 "$tools/digest.py" "$1" >"$work/out" 2>/dev/null || fail "h5py does not read $1"
}
have_h5py=yes
/usr/bin/python3 -c 'import h5py' 2>/dev/null || have_h5py=
have_hdf5=yes
"$iolite" collect lmt inputs/snx11025_2018-01-28.sqlite3 --start 2018-01-28T00:00:00 --end 2018-01-28T00:05:00 -o "$work/lmt.hdf5" 2>"$work/err" || {
    have_hdf5=
    grep -q 'HDF5 library is not on this machine' "$work/err" || fail "archiving: $(head -n 2 "$work/err")"
}
if [ $have_hdf5 ]; then
    status 0 "$iolite" collect tts inputs/versions_test.hdf5
    python3 - "$work/out" <<'END' || fail "versions of the file, a group and its datasets"
import json, sys
got = {name: row["version"] for name, row in json.load(open(sys.argv[1])).items()}
assert got == {"/": "global", "a": "group", "a/b": "dataset_b", "a/c": "dataset_c", "a/d": "global"}, got
END
fi
if [ $have_hdf5 ] && [ $have_h5py ]; then
    digest "$work/lmt.hdf5"
    compared archive_lmt.json
    status 0 "$iolite" collect lmt inputs/lmtdb-reset.sqlite3 --start 2018-04-18 --end 2018-04-19 -o "$work/reset.hdf5"
    digest "$work/reset.hdf5"
    # The two datasets of the target that restarts have values of their own.
    compared archive_lmt_reset.json --ignore datatargets/readbytes --ignore datatargets/writebytes
    python3 - "$work/out" <<'END' || fail "archive_lmt_reset.json: the target that restarts"
import json, sys
got = json.load(open(sys.argv[1]))
for key, value in json.load(open("expected/corrections.json"))["archive_lmt_reset.json"].items():
    if key != "note":
        dataset, figure = key.rsplit(".", 1)
        assert got[dataset][figure] == value, (key, got[dataset][figure])
END
    status 0 "$iolite" collect collectd inputs/sample_collectdes-full.json.gz --start 2017-12-13T00:00:00 --end 2017-12-13T01:00:00 \
        --nodes 288 --devices 4 -o "$work/collectd.hdf5"
    digest "$work/collectd.hdf5"
    compared archive_collectd.json
    status 0 "$iolite" collect mmperfmon inputs/mmperfmon.2019-05-15-micro.tgz --site inputs/site.json --start 2019-05-15 --end 2019-05-16 \
        -o "$work/mmperfmon.hdf5"
    digest "$work/mmperfmon.hdf5"
    cpu=(); for group in dataservers mdservers; do for key in cpuload cpusys cpuuser; do cpu+=(--ignore "$group/$key"); done; done
    compared archive_mmperfmon.json --ignore units "${cpu[@]}"
    # Of the loads everything but the values: these are percent, and the load is user plus system time.
    python3 - "$work/out" <<'END' || fail "archive_mmperfmon.json: loads of servers"
import json, math, sys
expected, got = json.load(open("expected/archive_mmperfmon.json")), json.load(open(sys.argv[1]))
for group in ("dataservers", "mdservers"):
    for key in ("cpuload", "cpusys", "cpuuser"):
        a, b = expected[f"{group}/{key}"], got[f"{group}/{key}"]
        for figure in ("shape", "missing", "missing_per_column", "columns_with_data", "rows_with_data", "n_named_columns", "negatives"):
            assert a[figure] == b[figure], (group, key, figure)
    user, system = (expected[f"{group}/{key}"]["total"] / 100 for key in ("cpuuser", "cpusys"))
    assert math.isclose(got[f"{group}/cpuload"]["total"], user + system, rel_tol=1e-9), group
END
fi

# Slow OSTs
status 1 "$iolite" bad-ost inputs/sample-badost.darshan
cmp -s "$work/out" expected/bad_ost_bad.txt || fail "bad_ost_bad.txt"
status 1 "$iolite" bad-ost --p-value 2 --coefficient -1 --json inputs/sample-badost.darshan
compared bad_ost_bad_all.json
status 0 "$iolite" bad-ost --p-value 0.01 --json inputs/sample-goodost.darshan
compared bad_ost_good_p01.json
status 0 "$iolite" bad-ost --json inputs/sample.darshan
compared bad_ost_single_file.json
status 0 "$iolite" bad-ost --by-file inputs/sample-goodost.darshan
python3 -c 'import json, sys
json.dump(sorted(json.load(open(sys.argv[1])), key=lambda row: row["file"]), open(sys.argv[2], "w"))' "$work/out" "$work/sorted"
cp "$work/sorted" "$work/out"
compared bad_ost_perfile_good.json
status 0 "$iolite" ost --json --ost-map inputs/lctl-dl-t.txt.gz --fs snx11025 inputs/sample-goodost.darshan
compared ost_oss_goodost.json
for time in 2017-03-20T010000 2017-03-20T020747; do
    status 0 "$iolite" ost --json --ost-fullness inputs/sample_ost-fullness.txt.gz --fs snx11035 --at "${time:0:13}:${time:13:2}:${time:15:2}"
    compared fullness_$time.json
done
status 0 "$iolite" ost --json --ost-fullness inputs/sample_ost-fullness.txt.gz --fs snx11025 --at '2017-03-20 12:00:00'
compared fullness_snx11025.json
status 0 "$iolite" ost --json --ost-map inputs/sample_ost-map.txt.gz --fs snx11035 --at 2017-03-20T02:07:47
compared failure_2017-03-20T020747.json --extra
status 0 "$iolite" ost --ost-fullness inputs/sample_ost-fullness.txt.gz --ost-map inputs/sample_ost-map.txt.gz --fs scratch2 --site inputs/site.json
has "fullest OST    83% full (OST0006)"
has "Taken over: OST0002, OST0003"

# Traffic
if [ $have_hdf5 ]; then
    status 0 "$iolite" traffic inputs/snx11025_2018-01-28.hdf5
    cmp -s "$work/out" expected/tts_lmt.txt || fail "tts_lmt.txt"
    status 0 "$iolite" traffic --json --by-column inputs/snx11025_2018-01-28.hdf5
    compared tts_lmt_columns.json
    status 0 "$iolite" traffic inputs/sample_tokiots.hdf5
    cmp -s "$work/out" expected/tts_collectd.txt || fail "tts_collectd.txt"
    status 0 "$iolite" traffic --bins 12 inputs/snx11025_2018-01-28.h5lmt
    cmp -s "$work/out" expected/h5lmt_lmt.txt || fail "h5lmt_lmt.txt"
    # The legacy file of the same five minutes has the same amounts, at the end of each step
    for dataset in datatargets/readbytes datatargets/writebytes mdtargets/opens; do
        status 0 "$iolite" traffic --dataset $dataset --json inputs/snx11025_2018-01-28.hdf5
        cp "$work/out" "$work/new.json"
        status 0 "$iolite" traffic --dataset $dataset --json inputs/snx11025_2018-01-28.h5lmt
        cp "$work/out" "$work/old.json"
        python3 - "$work/new.json" "$work/old.json" <<'END' || fail "$dataset: the legacy file and the new one differ"
import json, sys
new, old = ([sum(v or 0 for v in row) for row in json.load(open(path))["values"]] for path in sys.argv[1:])
assert len(old) == len(new) + 1 and all(abs(a - b) <= 0.005 * max(a, b) for a, b in zip(new, old[1:]))
END
    done
    status 0 "$iolite" traffic --bins 5 --json inputs/snx11025_2018-01-28.hdf5
    compared h5lmt_tts.json
    for dataset in /dataservers/cpuload /datatargets/readbytes /datatargets/writerates /mdtargets/openrates; do
        status 0 "$iolite" traffic --site inputs/site.json --relative-to cwd --fs scratch2 --dataset $dataset --start @1490079580 --end @1490079620 --json
        python3 - "$work/out" $dataset <<'END' || fail "stitch.json $dataset"
import json, sys
expected, got = json.load(open("expected/stitch.json"))[sys.argv[2]], json.load(open(sys.argv[1]))
assert got["index"] == expected["index"] and len(got["columns"]) == expected["n_columns"]
assert got["columns"][:3] == expected["columns"]
for a, b in zip(expected["first3cols"], got["values"]):
    for x, y in zip(a, b[:3]):
        assert x == y or (x is not None and y is not None and abs(x - y) <= 1e-9 * abs(x)), (x, y)
END
    done
fi

# Jobs
site=(--site inputs/site.json --relative-to cwd)
known=(--node-map inputs/sample.xtdb2proc.gz --job-record inputs/sample.slurm --jobs-db inputs/sample_nersc_jobsdb.sqlite3 --job-host edison
    --ost-fullness inputs/sample_ost-fullness.txt.gz --ost-map inputs/sample_ost-map.txt.gz)
if [ $have_hdf5 ]; then
    status 0 "$iolite" job "${site[@]}" --json "${known[@]}" inputs/sample.darshan
    compared job_sample_full.json --extra
    has '"coverage_factor_bw"'
    status 0 "$iolite" job "${site[@]}" --json "${known[@]}" --start 2017-03-20T02:07:47 --end 2017-03-20T02:09:43 --fs scratch2
    compared job_nodarshan_most.json --extra
    status 0 "$iolite" job "${site[@]}" --csv inputs/sample.darshan inputs/sample-2.darshan
    python3 - "$work/out" <<'END' || fail "job_two.csv"
import csv, json, math, sys
expected, got = (list(csv.DictReader(open(path))) for path in ("expected/job_two.csv", sys.argv[1]))
corrections = json.load(open("expected/corrections.json"))["job_two.csv"]
for log, a, b in zip(("sample.darshan", "sample-2.darshan"), expected, got):
    a.update({key: str(value) for key, value in corrections[log].items()})
    for key, value in a.items():
        try:
            same = math.isclose(float(value), float(b[key]), rel_tol=1e-9)
        except ValueError:
            same = value == b[key]
        assert same, (log, key, value, b.get(key))
assert len(expected) == len(got) and list(expected[0])[:4] == list(got[0])[:4]
END
    status 0 "$iolite" job "${site[@]}" "${known[@]}" inputs/sample.darshan
    has "97% of that was this job's"
    has "written to snx11035-OST0014 as to the"
fi
status 0 "$iolite" job "${site[@]}" --json inputs/noposix.darshan
compared job_noposix.json --extra

status 0 "$iolite" job "${site[@]}" --find-logs --start 2017-03-20 --end 2017-03-21
sort "$work/out" >"$work/sorted"
sort expected/find_date.txt | cmp -s - "$work/sorted" || fail "find_date.txt"
status 0 "$iolite" job "${site[@]}" --find-logs --start 2017-03-20 --end 2017-03-21 --job 447854
lines 0
if [ $have_hdf5 ]; then
    status 0 "$iolite" job "${site[@]}" --json --job-record inputs/sample.slurm 4478544
    [ "$(grep -c '"_jobid": "4478544"' "$work/out")" = 2 ] || fail "a job's id does not lead to its two logs"
fi

# One day is enough, a job's number too, and what is in the logs comes along
status 0 "$iolite" job "${site[@]}" --find-logs --start 2017-03-20
lines 2
status 0 "$iolite" job "${site[@]}" --find-logs --job 4478544 --job-record inputs/sample.slurm
lines 2
status 0 "$iolite" job "${site[@]}" --find-logs --start 2017-03-20 --load total,perf
python3 - "$work/out" <<'END' || fail "what is in the logs that were found"
import json, sys
logs = json.load(open(sys.argv[1]))
assert len(logs) == 2 and all("_perf" in log["counters"]["posix"] and "_total" in log["counters"]["posix"] for log in logs.values())
END
if [ $have_hdf5 ]; then
    status 0 "$iolite" traffic --bins 2 --unit mibs --start 2018-01-28T00:00:00 --end 2018-01-28T00:01:00 inputs/snx11025_2018-01-28.hdf5
    has '2018-01-28 00:00:30-00:00:55       729.03     17707.80'
    status 0 "$iolite" collect influx inputs/made-up/telegraf_lustre2.lp --start @1770134400 --end @1770134460 -o "$work/influx.hdf5"
fi

# SSDs
status 0 "$iolite" ssd --json inputs/sample_nersc_isdct-1.json.gz inputs/sample_nersc_isdct.json.gz
compared isdct_compare.json
status 0 "$iolite" ssd inputs/sample_nersc_isdct-1.json.gz inputs/sample_nersc_isdct.json.gz
cmp -s "$work/out" expected/isdct_compare_summary.txt || fail "isdct_compare_summary.txt: $(diff "$work/out" expected/isdct_compare_summary.txt | head -n 5)"

# Series of jobs
status 0 "$iolite" umami --json --app hacc_io_write --start 2017-12-07 --end 2017-12-21 inputs/sample_summary.csv.gz
compared umami_hacc_write.json --extra
status 0 "$iolite" umami --app hacc_io_write --start 2017-12-07 --end 2017-12-21 inputs/sample_summary.csv.gz
has "worst quarter (394)"
status 0 "$iolite" correlate --json --start 2017-02-14 --end 2018-02-15 --least-gib 1 inputs/cori_knl_summaries.csv.gz
compared correlation_ior.json --extra
# All of the published table, with its marks
python3 - "$work/out" <<'END' || fail "the correlation table is not the published one"
import json, sys
table = json.load(open(sys.argv[1]))
columns = ["ior_fpp_write", "hacc_io_write_fpp_write", "ior_fpp_read", "hacc_io_read_fpp_read"]
published = {
    "coverage_factor_bw": ["+0.3954*", "+0.3944*", "+0.4881*", "+0.3987*"],
    "coverage_factor_opens": ["+0.3006*", "+0.3551*", "+0.2034", "+0.1503"],
    "fs_ave_mds_cpu": ["-0.2241", "-0.2081", "+0.0408", "+0.0369"],
    "fs_ave_oss_cpu": ["+0.5131*", "+0.3266*", "+0.1999", "+0.0659"],
    "fs_max_mds_cpu": ["-0.2226", "-0.2438", "-0.0249", "+0.0068"],
    "fs_max_oss_cpu": ["+0.1091", "-0.0124", "-0.0700", "-0.0995"],
    "fshealth_ost_most_full_pct": ["-0.1834", "-0.1553", "+0.1211", "+0.0697"],
    "fshealth_ost_overloaded_oss_count": ["-0.4304*", "-0.4209*", "-0.1064", "-0.0677"],
    "topology_job_avg_radius": ["-0.0140", "+0.0301", "+0.3510*", "+0.4061*"],
}
for metric, cells in published.items():
    for column, cell in zip(columns, cells):
        got = table[column][metric]
        text = f"{got['coefficient']:+.4f}" + ("*" if got["significant"] else "")
        assert text == cell, (metric, column, text, cell)
        assert 295 <= got["n"] <= 318, (metric, column, got["n"])
END

finish

#!/usr/bin/env bash
# Questions straight from dumps, with no archive and no store: which series of a dump a mapping means, LDMS' schemas, what
# else was unusual about a run, and pictures.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
python=/usr/bin/python3
command -v $python >/dev/null || skip "there is no $python"
unset IOLITE_SITE_CONFIG
mappings=packaging/mappings

# value DATASET COLUMN ROW: of the series in the last output
series() { # SOURCE=INPUT DATASET [OPTIONS]
    status 0 "$iolite" traffic --live "$1" --dataset "$2" --start @1000 --end @1060 --json "${@:3}"
}
value() { # COLUMN ROW EXPECTED
    $python - "$work/out" "$@" <<'END' || fail "$*: $(tr -d ' \n' <"$work/out" | cut -c1-300)"
import json, sys
got, column, row, expected = json.load(open(sys.argv[1])), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
assert got["values"][row][got["columns"].index(column)] == expected
END
}

# A dump with several metrics, file systems and operations: each dataset takes what its query selects, and no more
$python - "$work/dump.json" <<'END'
import json, sys
def series(metric, first, step, **labels):
    return {"metric": {"__name__": metric, **labels}, "values": [[1000 + 15 * i, str(first + step * i)] for i in range(6)]}
ost, mdt = {"component": "ost", "target": "a-OST0000"}, {"component": "mdt", "target": "a-MDT0000"}
result = [series("lustre_read_bytes_total", 0, 10, operation="read", **ost), series("lustre_write_bytes_total", 5, 20, operation="write", **ost),
          series("lustre_stats_total", 0, 1, operation="open", **mdt), series("lustre_stats_total", 0, 3, operation="close", **mdt),
          series("lustre_stats_total", 0, 7, operation="open", **ost), series("lustre_capacity_kilobytes", 4, 0, **ost),
          series("gpfs_perf_read_bytes_total", 9, 100, fs="project", instance="nsd1:9303"),
          series("gpfs_perf_read_bytes_total", 9, 999, fs="home", instance="nsd1:9303"),
          series("gpfs_perf_operations_total", 0, 6, fs="project", operation="opens", instance="nsd1:9303"),
          series("gpfs_perf_operations_total", 0, 8, fs="project", operation="reads", instance="nsd1:9303")]
json.dump({"status": "success", "data": {"resultType": "matrix", "result": result}}, open(sys.argv[1], "w"))
END
lustre=(--mapping "$mappings"/lustrefs-exporter.json --step 15)
series "prometheus=$work/dump.json" mdtargets/opens "${lustre[@]}"
value a-MDT0000 1 1
lacks a-OST0000
series "prometheus=$work/dump.json" mdtargets/closes "${lustre[@]}"
value a-MDT0000 1 3
series "prometheus=$work/dump.json" datatargets/writerates "${lustre[@]}"
value a-OST0000 0 "$(echo 20 | $python -c 'print(float(input()) * (1 / 15))')"
series "prometheus=$work/dump.json" fullness/bytestotal "${lustre[@]}"
value a-OST0000 0 4096
series "prometheus=$work/dump.json" datatargets/readbytes --mapping "$mappings"/gpfs_exporter.json --step 15 --fs project
value nsd1:project 2 100
lacks home
series "prometheus=$work/dump.json" mdtargets/opens --mapping "$mappings"/gpfs_exporter.json --step 15 --fs project
value nsd1:project 2 6
# Selectors in full
cat >"$work/own.json" <<'END'
{"datasets": {
  "mdtargets/opens": {"query": "lustre_stats_total{component!~\"o.*\", operation=~\"op|open\", }", "kind": "counter", "column": "{target}", "units": "ops"},
  "mdtargets/closes": {"query": "lustre_stats_total{component!='ost',operation=\"close\"} * 10", "kind": "counter", "column": "{target}", "units": "ops"},
  "mdtargets/links": {"query": "lustre_stats_total{operation", "kind": "counter", "column": "{target}", "units": "ops"}}}
END
series "prometheus=$work/dump.json" mdtargets/opens --mapping "$work/own.json" --step 15
value a-MDT0000 1 1
lacks a-OST0000
series "prometheus=$work/dump.json" mdtargets/closes --mapping "$work/own.json" --step 15
value a-MDT0000 1 30
status 3 "$iolite" traffic --live "prometheus=$work/dump.json" --dataset mdtargets/links --mapping "$work/own.json" --start @1000 --end @1060 --step 15 --json
# Every mapping that is shipped has what is needed to ask a server
$python - "$mappings"/*.json <<'END' || fail "a mapping file"
import json, sys
for path in sys.argv[1:]:
    for name, rule in json.load(open(path))["datasets"].items():
        assert rule["kind"] in ("counter", "gauge", "rate") and "{" in rule["column"] and rule["query"].count('"') % 2 == 0, (path, name)
        assert name.split("/")[0] in ("datatargets", "mdtargets", "dataservers", "mdservers", "fullness", "network", "jobs"), (path, name)
END

# LDMS: metadata, processors, memory; what belongs to jobs is no traffic of targets
cat >"$work/mdt.csv" <<'END'
#Time,Time_usec,ProducerName,fs_name,mdt,open,close,mknod,statfs
1000.0,0,mds1,a,a-MDT0000,10,5,0,2
1020.0,0,mds1,a,a-MDT0000,14,6,3,2
1040.0,0,mds1,a,a-MDT0000,15,9,3,7
END
series "ldms=$work/mdt.csv" mdtargets/statfss --step 20
value a-MDT0000 1 5
series "ldms=$work/mdt.csv" mdtargets/mknods --step 20
value a-MDT0000 0 3
cat >"$work/procstat.csv" <<'END'
#Time,Time_usec,ProducerName,user,nice,sys,idle,iowait
1000.0,0,oss1,100,0,100,1000,0
1020.0,0,oss1,110,0,120,1060,10
1040.0,0,oss1,150,0,170,1070,10
END
series "ldms=$work/procstat.csv" dataservers/cpuload --step 20
value oss1 1 30
value oss1 2 90
cat >"$work/jobs.csv" <<'END'
#Time,Time_usec,ProducerName,fs_name,ost,job_id,read_bytes.sum,write_bytes.sum
1000.0,0,oss1,a,a-OST0000,77,0,1000
1000.0,0,oss1,a,a-OST0001,77,0,50
1000.0,0,oss1,a,a-OST0000,78,0,0
1020.0,0,oss1,a,a-OST0000,77,0,4000
1020.0,0,oss1,a,a-OST0001,77,0,1050
1020.0,0,oss1,a,a-OST0000,78,0,1000
END
status 3 "$iolite" traffic --live "ldms=$work/jobs.csv" --dataset datatargets/writebytes --start @1000 --end @1060 --step 20 --json
printf 'JobIDRaw|Start|End|NodeList\n77|1000|1040|n1\n' >"$work/sacct.txt"
TZ=UTC status 0 "$iolite" job --live "ldms=$work/jobs.csv" --step 20 --fs a --job-record "$work/sacct.txt" --json 77
$python - "$work/out" <<'END' || fail "what servers counted for a job: $(grep jobstats "$work/out")"
import json, sys
row = json.load(open(sys.argv[1]))[0]
assert row["jobstats_bytes"] == 4000 and row["jobstats_total_bytes"] == 5000 and "78 (20%)" in row["jobstats_others"]
END

# Two file systems, one of which is asked and the other is not: what one answers is not taken for the other
cat >"$work/site.json" <<END
{"live_sources": {"a": {"source": "prometheus", "input": "$work/dump.json", "mapping": "$PWD/$mappings/lustrefs-exporter.json", "step": 15}},
 "mount_to_fsname": {"^/": "other"}}
END
status 0 "$iolite" job --site "$work/site.json" --json --start @1000 --end @1060 --fs a
has '"fs_tot_bytes_written": 80'
status 0 "$iolite" job --site "$work/site.json" --json --fs other "$demo"
lacks fs_tot_bytes_written

# UMAMI and what else was unusual, against a computation of its own
$python tests/site/make_summaries.py "$work/table.csv"
status 0 "$iolite" umami "$work/table.csv" --job 5044 --contributors bad
has "Maximum OSS CPU Load (%)"
[ "$(LC_ALL=C.UTF-8 wc -L <"$work/out")" -le 80 ] || fail "lines of more than 80 columns"
for way in bad good; do
    for extreme in "" --extreme; do
        # shellcheck disable=SC2086
        status 0 "$iolite" umami "$work/table.csv" --job 5044 --contributors $way $extreme --json
        $python - "$work/table.csv" "$work/out" $way "$extreme" <<'END' || fail "contributors $way $extreme"
import csv, json, math, sys
rows, got, way, extreme = list(csv.DictReader(open(sys.argv[1]))), json.load(open(sys.argv[2]))["contributors"], sys.argv[3], sys.argv[4]
def column(key, scale=1): return [float(row[key]) / scale if row[key] else math.nan for row in rows]
times, speed = column("_datetime_start"), column("darshan_agg_perf_by_slowest_posix", 1024)
def moving(i, days):
    near = [v for t, v in zip(times, speed) if abs(t - times[i]) <= days * 43200]
    return sum(near) / len(near)
above = [moving(i, 14) > moving(i, 49) for i in range(len(rows))]
bounds = [0]
for i in range(1, len(rows)):
    if above[i] != above[i - 1] and i - bounds[-1] >= 7: bounds.append(i)
if len(rows) - bounds[-1] < 7 and len(bounds) > 1: bounds.pop()
bounds.append(len(rows))
first, last = next((a, b) for a, b in zip(bounds, bounds[1:]) if a <= 44 < b)
assert got["region_runs"] == last - first and got["region_start"] == times[first], (got, first, last)
def quantile(values, share):
    at = (len(values) - 1) * share
    low = int(at)
    return values[low] if low + 1 >= len(values) else values[low] + (values[low + 1] - values[low]) * (at - low)
for metric in got["metrics"]:
    values, good = {"performance": (speed, True), "max_oss_cpu": (column("fs_max_oss_cpu"), False), "ave_mds_cpu": (column("fs_ave_mds_cpu"), False)}[metric["metric"]]
    region = sorted(v for v in values[first:last] if not math.isnan(v))
    low = good == (way == "bad")
    cutoff = quantile(region, (0 if low else 1) if extreme else (0.25 if low else 0.75))
    test = (lambda v: v == cutoff) if extreme else (lambda v: v < cutoff) if low else (lambda v: v > cutoff)
    matching = sum(map(test, region))
    assert math.isclose(metric["cutoff"], cutoff) and metric["matching"] == matching and metric["observations"] == len(region), metric
    assert metric["matches"] == test(values[44]) and math.isclose(metric["p"], matching / len(region)) and math.isclose(metric["random_p"], 1 / (last - first)), metric
END
    done
done
status 2 "$iolite" umami "$work/table.csv" --contributors ugly
# Logs will do instead of a table
for name in a b c; do cp "$demo" "$work/$name.darshan"; done
status 0 "$iolite" umami "$work"/[abc].darshan --json
$python -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["timestamps"]) == 3' "$work/out" || fail "logs are no series of jobs"
status 0 "$iolite" correlate "$work/table.csv" "$work/a.darshan"
has "(a) bench_shared_read"

# Many jobs at once: several processes give what one gives, in the order of the operands, and go on where one cannot be read
many=()
for ((i = 0; i < 40; i++)); do many+=("$work/a.darshan" "$seeds/demo.darshan"); done
many[17]=$work/none.darshan
for form in --csv --json; do
    status 3 "$iolite" job -j 1 $form "${many[@]}"
    cp "$work/out" "$work/one"
    status 3 "$iolite" job -j 3 $form "${many[@]}"
    cmp -s "$work/out" "$work/one" || fail "several processes give other rows ($form)"
    grep -q none.darshan "$work/err" || fail "no word about a log that is not there"
done
[ "$(wc -l <"$work/one")" -gt 79 ] || fail "rows are lost"

# Pictures are well-formed
status 0 "$iolite" umami "$work/table.csv" -o "$work/umami.svg"
status 0 "$iolite" correlate "$work/table.csv" -o "$work/correlate.svg"
[ ! -f "$corpus/holistic/inputs/sample-badost.darshan" ] || status 0 "$iolite" ost "$corpus/holistic/inputs/sample-badost.darshan" -o "$work/ost.svg"
status 0 "$iolite" traffic --live "prometheus=$work/dump.json" "${lustre[@]}" --dataset datatargets/writerates --start @1000 --end @1060 -o "$work/heat.svg"
$python - "$work"/*.svg <<'END' || fail "a picture is no XML, or has no colours for a dark page"
import sys, xml.dom.minidom
for path in sys.argv[1:]:
    assert xml.dom.minidom.parse(path).documentElement.tagName == "svg"
    assert "prefers-color-scheme:dark" in open(path).read(), path
END
finish

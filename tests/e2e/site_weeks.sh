#!/usr/bin/env bash
# Volumes by day, week and month: series and SSD dumps, in bytes and capacities, growth against what was written, and days
# without data as gaps.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
tools=$PWD/tests/site
python=/usr/bin/python3
$python -c 'import sqlite3, json' 2>/dev/null || skip "no SQLite in Python"
cd "$work" || exit 1
# Two days of 2026, Sunday and Monday, so two weeks, and one after a gap; each has 5 minutes of samples
for day in 2026-02-01 2026-02-02 2026-02-04; do
    start=$(date -u -d $day +%s)
    $python "$tools/make_lmt.py" $day.sqlite3 2 61 "$start"
    $python - $day.sqlite3 $day <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE OST_DATA SET KBYTES_USED = ?", (100 if sys.argv[2].endswith("1") else 160,))
db.commit()
END
    mkdir $day
    "$iolite" collect lmt $day.sqlite3 --start @"$start" --end @$((start + 300)) -o $day/f.hdf5 2>err || {
        grep -q 'HDF5 library is not\|no SQLite' err && skip "$(cat err)"
        fail "archiving: $(head -n 1 err)"
    }
    device() { echo "\"$1\": {\"node_name\": \"n\", \"data_units_read_bytes\": $2, \"data_units_written_bytes\": $3}"; }
    case $day in
    *1) echo "{$(device A 1000 2000), $(device B 10 10)}" ;;
    *) echo "{$(device A 1500 4000), $(device C 7 7)}" ;;
    esac >ssd-$day.json
done
cat >site.json <<'END'
{"timezone": "UTC", "hdf5_files": {"f": "%Y-%m-%d/f.hdf5"}, "isdct_files": {"bb": "ssd-%Y-%m-%d.json"}, "fs_capacity_bytes": {"f": 1000000, "bb": 1000}}
END
range=(--site site.json --start 2026-02-01 --end 2026-02-04)
status 0 "$iolite" traffic --by day --json "${range[@]}"
valid_json days
$python - out <<'END' || fail "volumes of days: $(tr -d '\n ' <out)"
import json, sys
weeks = json.load(open(sys.argv[1]))
read = 60 * 4096 * 3
day = weeks["f"]["bins"]["2026-02-01"]
assert day["read_bytes"] == read and day["written_bytes"] == 2 * read, day
assert abs(day["written_capacities"] - 2 * read / 1e6) < 1e-12
assert day["growth_bytes"] == 0 and weeks["f"]["total"]["growth_bytes"] == 2 * 60 * 1024
assert weeks["f"]["days_missing"] == 1 and weeks["f"]["total"]["read_write_ratio"] == 0.5
assert abs(weeks["f"]["total"]["growth_per_written"] - 2 * 60 * 1024 / (4 * read)) < 1e-12
assert list(weeks["bb"]["bins"]) == ["2026-02-02"]
assert weeks["bb"]["bins"]["2026-02-02"]["written_bytes"] == 2000 and weeks["bb"]["bins"]["2026-02-02"]["read_bytes"] == 500
assert weeks["bb"]["total"]["drive_writes_per_week"] == 14
END
status 0 "$iolite" traffic --by week --json "${range[@]}" --fs f
has '"2026-W05"'
has '"2026-W06"'
lacks '"bb"'
status 0 "$iolite" traffic --by month "${range[@]}"
has '2026-02'
has 'f, 1 days without data'
status 0 "$iolite" traffic --by week "${range[@]}" -o weeks.svg
grep -q '</svg>' weeks.svg && grep -q 'prefers-color-scheme:dark' weeks.svg || fail "no picture for light and dark"
status 0 "$iolite" traffic --by day --site site.json --start 2026-01-30 --end 2026-02-07 -o days.svg
for day in 01 02 03 04; do grep -q ">2026-02-$day<" days.svg || fail "February $day is not in the picture"; done
! grep -q '>2026-01-31<\|>2026-02-05<' days.svg || fail "days before the first and after the last are in the picture"
status 2 "$iolite" traffic --by year "${range[@]}"
status 2 "$iolite" traffic --by week --site site.json
status 3 "$iolite" traffic --by week "${range[@]}" --fs nobody
check_documents || fail "JSON that is none"
finish

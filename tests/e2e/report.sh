#!/usr/bin/env bash
# iolite report: the file and the document behind it, on generated and real logs, against show and diagnose.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
cd "$work" || exit 1
case $corpus in /*) ;; *) corpus=$OLDPWD/$corpus ;; esac

# The file: named after the log, here, and said on standard error
status 0 "$iolite" report "$demo"
[ -s demo_report.html ] || fail "no demo_report.html"
grep -q 'demo_report.html' err || fail "the name of the report is not reported"
[ ! -s out ] || fail "a report into a file prints something"
[ "$(stat -c %a demo_report.html)" = 644 ] || fail "a report has mode $(stat -c %a demo_report.html)"
status 0 "$iolite" report -o other.html "$demo"
[ -s other.html ] || fail "-o does not name the file"
status 0 "$iolite" report -o - "$demo"
has '<!doctype html>'
has '</html>'
lacks 'other.html'
status 0 "$iolite" report -o other.html - <"$demo"

# Nothing is fetched, and nothing but our own blocks is script
grep -qE '(src|href)="?(https?:)?//' other.html && fail "the report refers to elsewhere"
[ "$(grep -o '<script' other.html | wc -l)" = "$(grep -o '</script>' other.html | wc -l)" ] || fail "script elements"

# Wrong use and trouble
HOME=$work/nobody status 2 "$iolite" report
status 2 "$iolite" report "$demo" "$demo"
status 2 "$iolite" report --files x "$demo"
status 2 "$iolite" report --names none "$demo"
status 2 "$iolite" report --include_names a --exclude_names b "$demo"
status 2 "$iolite" report --exclude_names '(' "$demo"
status 3 "$iolite" report "$work/nothing"
status 4 "$iolite" report -o "$work/no/such/place.html" "$demo"
status 4 "$iolite" report -o /dev/full/x "$demo"
echo old >kept.html
status 3 "$iolite" report -o kept.html "$work/nothing"
[ "$(cat kept.html)" = old ] || fail "a report that failed has replaced another file"
if [ -w /dev/full ]; then status 4 sh -c "'$iolite' report -o - '$demo' >/dev/full"; fi

# A damaged log gives a report that says so
head -c $(($(stat -c %s "$demo") * 2 / 3)) "$demo" >cut.darshan
status 3 "$iolite" report cut.darshan
[ -s cut_report.html ] || fail "no report of a damaged log"
grep -q 'What could not be read' cut_report.html || fail "the report does not tell of damage"

# Every generated log, also hostile ones
for log in "$seeds"/*.darshan; do
    "$iolite" report --json "$log" >out 2>/dev/null
    case $? in 0 | 3) ;; *) fail "report --json $log" ;; esac
    valid_json "report --json $log"
    "$iolite" report -o page.html "$log" >out 2>err
    case $? in 0 | 3) ;; *) fail "report $log" ;; esac
    [ "$(grep -o '<script' page.html | wc -l)" = "$(grep -o '</script' page.html | wc -l)" ] ||
        fail "$log: script elements"
    case $(basename "$log") in
    no-records*) grep -q 'There is nothing to report' page.html || fail "$log: no message" ;;
    esac
done

# Some of the files, and files without their names
status 0 "$iolite" report --json --files 1 "$demo"
has '"rows":1,'
status 0 "$iolite" report --json --exclude_names '.*' "$demo"
valid_json "report without files"
has '"files": {"total":0,'
status 0 "$iolite" report --json --names hash "$demo"
valid_json "report --names hash"
lacks checkpoint.dat
status 0 "$iolite" report --json "$demo"
has '"schema": "iolite.page/1"'
has checkpoint.dat

command -v python3 >/dev/null || finish

# Figures are those of the other commands
cat >agree.py <<'END'
import json, subprocess, sys
iolite, log = sys.argv[1:]
def ask(*words):
    return json.loads(subprocess.run([iolite, *words, "--json", log], capture_output=True).stdout)
page, show, diagnosis = ask("report"), ask("show"), ask("diagnose")
def same(what, a, b):
    if a != b: sys.exit(f"{what}: {a} instead of {b}")
def near(what, a, b):
    if abs(a - b) > 1e-6 * max(1, abs(b)): sys.exit(f"{what}: {a} instead of {b}")
def tables(value, path):
    if isinstance(value, dict):
        if isinstance(value.get("columns"), dict):
            for key, column in value["columns"].items(): same(f"{path}.{key} has rows", len(column), value["rows"])
        for key, inner in value.items(): tables(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value: tables(inner, path)
tables(page, "page")
same("modules", page["modules"], show["modules"])
same("processes", page.get("processes"), show.get("processes"))
del page["diagnosis"]["elapsed_s"], diagnosis["elapsed_s"]
same("diagnosis", page["diagnosis"], diagnosis)
near("I/O time", page["cost"]["io_time"], diagnosis["io"]["time"])
for way in ("bytes_read", "bytes_written"):
    near(way + " by file system", sum(place[way] for place in page["filesystems"]), diagnosis["io"][way])
    left = page["files"]["left_out"][way]
    near(way + " by file", sum(page["files"]["columns"][way]) + left, diagnosis["io"][way])
modules = {module["name"]: module for module in show["modules"]}
for layer in page["cost"]["layers"]:
    if layer["module"] not in modules: continue
    module, slowest = modules[layer["module"]], layer["slowest"]
    near(layer["module"] + " slowest", slowest["read"] + slowest["write"] + slowest["meta"], module["time"])
    near(layer["module"] + " mean read", layer["mean"]["read"] * max(1, page["job"]["processes"]), module["read_time"])
for sizes in page["sizes"]:
    module = modules[sizes["module"]]
    if not sizes["estimated"]: near("bytes by size", sum(sizes["read_bytes"]), module["bytes_read"])
names = {row: name for row, name in enumerate(page["files"]["columns"]["name"])}
for row, indices in enumerate(page["files"]["columns"]["findings"]):
    for index in indices:
        if index >= len(diagnosis["findings"]): sys.exit(f"{names[row]} has finding {index}")
END
agree() { python3 agree.py "$iolite" "$1" >out 2>err || fail "$1: $(tail -n 1 err)"; }
agree "$demo"

if [ ! -d "$corpus/logs" ]; then
    [ "$failures" = 0 ] || finish
    echo "no real logs: their reports were not compared" >&2
    check_documents || exit 1
    exit 77
fi
for log in "$corpus"/logs/*.darshan; do agree "$log"; done
finish

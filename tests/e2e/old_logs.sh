#!/usr/bin/env bash
# Logs of Darshan 1.x and 2.x: every command takes them, conversion changes no value, and what they do not know is unknown.
# Where there are real ones, darshan-parser prints what the parser of their release prints, to the byte.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "no python3"
parser=$IOLITE_BIN/darshan-parser
"$tools/make-old" "$work/old" || give_up "make-old"
log=$work/old/user_app-2.06-be_id180936_3-13-25600-77_1.darshan.gz
first=$work/old/user_app-1.21-be_id180936_3-13-25600-77_1.darshan.gz

# Every command -----------------------------------------------------------------------------------------------------

for command in show dump metrics diagnose check; do status 0 "$iolite" $command "$log"; done
status 0 "$iolite" report "$log" -o "$work/report.html"
status 0 "$iolite" compare "$log" "$first"
status 0 env LC_ALL=C.UTF-8 "$iolite" show --files "$log"
has "…checkpoint.0001"
status 0 "$iolite" show "$log"
has "A log of Darshan 2.x (version 2.06, compressed with gzip)"
status 0 "$iolite" dump --csv "$log"
has "POSIX,-1,11,POSIX_FILENOS,-1,…checkpoint.0001,/scratch,gpfs"
has "POSIX,0,13,POSIX_BYTES_READ,4096,log" # used through streams only, and kept
status 0 "$iolite" show "$first"
has "job 180936" # of the name: the log has none
status 0 "$iolite" show - <"$first"
has "unknown job"
mkdir "$work/folder"
cp "$first" "$work/folder"
status 0 "$iolite" diagnose "$work/folder"
has "job 180936"
has "A log of Darshan 1.x (version 1.21"

status 0 "$iolite" diagnose --json - <"$first"
has '"job_id": null'
# In the index too, in whatever order copies come; logs of which no job is known are not of one.
if command -v sqlite3 >/dev/null; then
    mkdir "$work/nameless"
    cp "$first" "$work/nameless/a.darshan.gz"
    cp "$work"/old/*1.22-be* "$work/nameless/b.darshan.gz"
    jobs() { sqlite3 "$work/$1.db" "SELECT CASE WHEN jobid LIKE 'unknown-%' THEN 'unknown' ELSE jobid END, logs, owner FROM job ORDER BY jobid, owner" | tr '\n' ' '; }
    status 0 "$iolite" index -q --store "$work/one.db" "$work/nameless"
    [ "$(jobs one)" = "unknown|1|uid:4279 unknown|1|uid:4279 " ] || fail "jobs without an id: $(jobs one)"
    status 0 "$iolite" index -q --store "$work/one.db" "$work/folder"
    status 0 "$iolite" index -q --store "$work/two.db" "$work/folder" "$work/nameless"
    status 0 "$iolite" index -q --store "$work/three.db" "$work/folder"
    status 0 "$iolite" index -q --store "$work/three.db" "$work/nameless"
    for store in one two three; do
        [ "$(jobs $store)" = "180936|1|user unknown|1|uid:4279 " ] || fail "a job whose name a copy tells, $store: $(jobs $store)"
    done
    status 0 "$iolite" index -q --again --store "$work/one.db" "$work/nameless" "$work/folder"
    [ "$(jobs one)" = "180936|1|user unknown|1|uid:4279 " ] || fail "read again: $(jobs one)"
fi

# What the version lacks is null, in records and in totals; so is how far files reach in a layer without offsets.
unknown() { # command: the counters that are null, those that are -1
    "$iolite" "$1" --json "$first" | python3 -c '
import json, sys
modules = json.load(sys.stdin)["modules"]
posix = next(m for m in modules if m["name"] == "POSIX")
counters = posix["totals"] if sys.argv[1] == "show" else posix["records"][0]["counters"]
print(sorted(name for name, value in counters.items() if value is None), [n for n, v in counters.items() if v == -1])' "$1"
}
for command in show dump; do
    unknown $command >"$work/out"
    has "'POSIX_DUPS'"
    has "'POSIX_F_CLOSE_START_TIMESTAMP'"
    has "'POSIX_F_MAX_READ_TIME'"
    has "'POSIX_RENAME_SOURCES'"
    has " []"
    lacks "'POSIX_OPENS'"
done
status 0 "$iolite" check "$work"/old/*
! grep -q -v -e ': sound' -e '^  read:' "$work/out" || fail "check: $(grep -v -e ': sound' -e '^  read:' "$work/out" | head -n 1)"

# The text of their parser --------------------------------------------------------------------------------------------

status 0 "$parser" --all "$first"
has "# WARNING: version 1.21 log format does not support the following parameters:"
has "# jobid: 0"
grep -q $'^-1\t11\tCP_HDF5_OPENS\t0\t...points.0001\tUNKNOWN\tUNKNOWN$' "$work/out" || fail "a counter that 1.21 does not have is no 0 in its text"
status 0 "$parser" --file-list "$log"
has "# Per-file summary of I/O activity."
lacks "CP_POSIX_OPENS"
status 0 "$parser" "$log"
grep -q $'^3\t12\tCP_DEVICE\t10\t...input.txt\t/home\tnfs$' "$work/out" || fail "no line of counters, or another mount"
status 1 "$parser" --file-list "$demo"

# Conversion ----------------------------------------------------------------------------------------------------------

pairs=()
convert_all() {
    local file to
    for file in "$@"; do
        to=$work/converted-$(basename "$file")
        status 0 "$iolite" convert "$file" "$to"
        pairs+=("$file" "$to")
    done
}
convert_all "$work"/old/*
if [ -d "$corpus/old/logs" ]; then convert_all "$corpus"/old/logs/*; fi
python3 tests/support/old_values.py "${pairs[@]}" >"$work/out" || fail "values: $(grep -A 3 -v ' 0 differ' "$work/out" | head -n 4)"
status 0 "$iolite" check "${pairs[1]}"

# Merging keeps what they were, where their files lay, and what has no place in records ------------------------------------

second=$work/old/user_app-2.06-le_id180936_3-13-25600-77_1.darshan.gz
status 0 "$iolite" merge -o "$work/merged.darshan" "$log" "$second"
status 0 "$iolite" show "$work/merged.darshan"
has "Made from a log of Darshan 2.x (version 2.06)"
has "Files that were opened as streams (fopen): "
status 0 "$iolite" dump --csv "$work/merged.darshan"
has "…checkpoint.0001,/scratch,gpfs"
status 0 "$iolite" merge -o "$work/both.darshan" "$work/merged.darshan" "$first"
status 0 "$iolite" show "$work/both.darshan"
has "Made from a log of Darshan 1.x (version 1.21)"
has "Files that were opened as streams (fopen): "

# Damage ----------------------------------------------------------------------------------------------------------------

head -c 200 "$log" >"$work/cut.darshan.gz"
status 3 "$iolite" show "$work/cut.darshan.gz"
printf '2.06' | gzip >"$work/short.gz"
status 3 "$iolite" show "$work/short.gz"
head -c 100000000 /dev/zero | gzip -9 >"$work/zeros.gz"
status 3 "$iolite" show "$work/zeros.gz"

# Real ones ---------------------------------------------------------------------------------------------------------------

for expected in "$corpus"/old/expected/*.parser.txt.gz; do
    [ -e "$expected" ] || break
    real=$corpus/old/logs/$(basename "$expected" .parser.txt.gz)
    "$parser" --all "$real" >"$work/out" || fail "darshan-parser $real: status $?"
    gzip -dc "$expected" | cmp -s - "$work/out" || fail "the text of $real is another"
done

# Dialects without a version of their own, and leftover memory between records: 0 damaged.
for real in "$corpus"/unusual/*.darshan "$corpus"/workflow/*/*.darshan; do
    [ -e "$real" ] || break
    "$iolite" check "$real" >"$work/out"
    [ $? -le 1 ] || fail "$(head -n 2 "$work/out")"
done
for real in "$corpus"/unusual/e2e_*.darshan; do
    [ -e "$real" ] || break
    status 0 "$iolite" check --json "$real"
    tr -d ' \n' <"$work/out" >"$work/flat"
    grep -qF '{"name":"LUSTRE","records":192}' "$work/flat" || fail "$real has no 192 layouts"
done
finish

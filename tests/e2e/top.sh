#!/usr/bin/env bash
# iolite top: what running programs have done so far, seen from outside, whatever else lies around.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
unset "${!IOLITE_@}" "${!DARSHAN_@}"
command -v python3 >/dev/null || exit 77
export IOLITE_MMAP_DIR=$work/maps
mkdir "$IOLITE_MMAP_DIR" "$work/data"

# Other programs may be recorded here at the same time: all checks are about those whose command line has $work in it.
status 0 "$iolite" top --interval 0.1 --filter "$work"
lacks " python3 "

# A program that does what is known, says so, and waits until somebody writes to the pipe.
cat >"$work/writer.py" <<'END'
import os, sys
fd = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
for i in range(7):
    os.write(fd, b"x" * 1000)
for i in range(200):
    open(f"{sys.argv[1]}.{i}", "w").close()
open(sys.argv[2], "w").close()
os.read(0, 1)
END
mkfifo "$work/hold"
exec 9<>"$work/hold"
for name in a b; do
    "$iolite" run --quiet --log-dir "$work/logs" -- /usr/bin/env python3 "$work/writer.py" "$work/data/$name" \
        "$work/ready.$name" <&9 &
done
while [ ! -e "$work/ready.a" ] || [ ! -e "$work/ready.b" ]; do sleep 0.05; done

# Beside them: a mapped file of a program that is dead, damaged ones, and things that are none.
cp "$IOLITE_MMAP_DIR"/iolite-run-*/*.mapped "$IOLITE_MMAP_DIR/" 2>/dev/null
for file in "$IOLITE_MMAP_DIR"/iolite-*.mapped; do
    head -c 5000 "$file" >"$IOLITE_MMAP_DIR/iolite-short.mapped"
    head -c 9000 "$file" >"$IOLITE_MMAP_DIR/iolite-shorter.mapped"
done
echo nonsense >"$IOLITE_MMAP_DIR/iolite-nonsense.mapped"
mkdir "$IOLITE_MMAP_DIR/iolite-directory.mapped" "$IOLITE_MMAP_DIR/iolite-run-empty"
mkfifo "$IOLITE_MMAP_DIR/iolite-pipe.mapped"

status 0 "$iolite" top --json --interval 0.1
valid_json "top --json"
cp "$work/out" "$work/look.json"
python3 - "$work/look.json" "$work" <<'END' || fail "the figures of two writers"
import json, sys
look = json.load(open(sys.argv[1]))
ours = lambda kind: [x for x in look[kind] if sys.argv[2] in x.get("command", x.get("name"))]
writers = ours("processes")
assert len(writers) == 2, look["processes"]
for p in writers:
    layer = [l for l in p["layers"] if l["module"] == "POSIX"][0]["total"]
    assert layer["bytes_written"] >= 7000 and layer["writes"] >= 7, layer
    assert p["per_second"]["bytes_written"] == 0 and p["trend"] == "steady", p
    assert p["run"] != "0", p
assert len(ours("jobs")) == 2 and all(j["total"]["bytes_written"] >= 7000 for j in ours("jobs")), look["jobs"]
job_of_run = {j["run"]: j["job_id"] for j in look["jobs"]}
assert all(p["job_id"] == job_of_run[p["run"]] for p in writers), look["jobs"]
assert look["interval"] > 0 and ours("files") == [], look["files"]  # all are at rest
END

# As text: no line is wider than a terminal; filter, order and one process alone.
status 0 "$iolite" top --interval 0.1 --filter "$work" --sort pid
[ "$(grep -c ' python3 ' "$work/out")" = 2 ] || fail "two writers: $(cat "$work/out")"
awk 'length($0) > 80 { exit 1 }' "$work/out" || fail "a line is wider than 80 columns"
status 0 "$iolite" top --interval 0.1 --filter "$work/nobody"
grep -qE 'Nothing fits the filter|No recorded program runs here' "$work/out" || fail "no word on an empty table"
pid=$(python3 -c 'import json, sys
print([p["pid"] for p in json.load(open(sys.argv[1]))["processes"] if sys.argv[2] in p["command"]][0])' "$work/look.json" "$work")
status 0 "$iolite" top --interval 0.1 --pid "$pid"
has "POSIX"
status 0 "$iolite" top --interval 0.1 --jobs
has "PROCS"

# What cannot be read counts as long as the process in its name lives. (Others may be at it while we look.)
unreadable() {
    for _ in {1..50}; do
        status 0 "$iolite" top --json --interval 0.1
        python3 -c 'import json, sys; sys.exit(not eval(sys.argv[2], json.load(open(sys.argv[1]))))' "$work/out" "$1" &&
            return
    done
    fail "not $1: $(grep unreadable "$work/out")"
}
status 0 "$iolite" top --json --interval 0.1
before=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["unreadable"])' "$work/out")
echo nonsense >"$IOLITE_MMAP_DIR/iolite-0000000000000000-99999999-1.mapped"
unreadable "unreadable == $before"
echo nonsense >"$IOLITE_MMAP_DIR/iolite-0000000000000000-$$-1.mapped"
unreadable "unreadable == $before + 1"
status 0 "$iolite" top --interval 0.1
has "that cannot be read"
rm "$IOLITE_MMAP_DIR/iolite-0000000000000000-$$-1.mapped"

# A stream ends after as many looks as were asked for, and with its reader.
status 0 "$iolite" top --ndjson --interval 0.1 --count 3
lines 3
"$iolite" top --ndjson --interval 0.1 | head -n 1 >"$work/first" || fail "the reader of a stream went away"

# On a terminal: keys, and the screen is given back.
if command -v script >/dev/null; then
    printf 'jl?tq' | script -qec "stty cols 80 rows 24; '$iolite' top" "$work/screen" >/dev/null || fail "keys on a terminal"
    grep -q '?1049l' "$work/screen" || fail "the screen was not given back"
    grep -q 'PROGRAM' "$work/screen" || fail "nothing on the screen"
    # A filter that comes in one piece: its letters are not commands, and an arrow is not Escape.
    {
        printf '/nob\033[Aody j q\r'
        for _ in {1..200}; do
            grep -q 'only nobody j q' "$work/typed" 2>/dev/null && break
            sleep 0.05
        done
        printf q
    } | script -qfec "stty cols 80 rows 24; '$iolite' top" "$work/typed" >/dev/null
    grep -q 'only nobody j q' "$work/typed" || fail "a filter that is typed fast"
fi

# When they end they are gone.
printf xx >&9
wait
status 0 "$iolite" top --interval 0.1 --filter "$work"
lacks " python3 "

status 2 "$iolite" top --interval 0
status 2 "$iolite" top --sort size
status 2 "$iolite" top something
finish

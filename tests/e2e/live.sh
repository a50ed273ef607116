#!/usr/bin/env bash
# iolite live: jobs of running programs with what they did so far, for Prometheus and as JSON, whatever else lies around: files
# that were made up, programs that end or are killed meanwhile, and clients that do not behave.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "python3 is not there"
own_home
here=$(cd "$(dirname "$0")/../serve" && pwd)
mkdir "$work/data"

# Programs that do what is known, say so, and end when there is something on standard input: three processes of a batch job,
# two of which hold a file open through another descriptor than it was opened with, and a program that goes on writing.
[ -x "$tools/holders" ] || skip "holders was not built"
cp "$tools/holders" "$work/odd\"name"
mkfifo "$work/hold.a" "$work/hold.b"
exec 8<>"$work/hold.a" 9<>"$work/hold.b"
mkdir "$work/data/a" "$work/data/b"
# Other programs may be recorded here at the same time: all checks are about these two jobs.
a=$((4711000000 + $$)) b=$((4712000000 + $$))
SLURM_JOB_ID=$a "$iolite" run --quiet --log-dir "$work/logs" -- "$work/odd\"name" 2 "$work/data/a" <&8 >"$work/held.a" &
runner=$!
SLURM_JOB_ID=$b "$iolite" run --quiet --log-dir "$work/logs" -- "$tools/holders" 1 "$work/data/b" 10 <&9 >"$work/held.b" &
until_true test -s "$work/held.a"
until_true test -s "$work/held.b"

# Each look is a line.
status 0 "$iolite" live --ndjson --count 2 --interval 0.1
lines 2
tail -n 1 "$work/out" >"$work/look.json"
python3 - "$work/look.json" "$work" "$a" "$b" <<'END' || fail "the figures of two jobs"
import json, os, pwd, sys
look, work = json.load(open(sys.argv[1])), sys.argv[2]
ours = [job for job in look["jobs"] if job["job_id"] in sys.argv[3:]]
assert len(ours) == 2 and look["processes"] >= 5 and look["interval"] > 0, look
other, one = ours  # the busiest first
assert one["job_id"] == sys.argv[3], ours
assert one["exe"] == 'odd"name' and one["uid"] == os.getuid(), one
assert one["user"] == pwd.getpwuid(os.getuid()).pw_name, one
assert one["processes"] == 3 and one["open_files"] == 3 and one["files"] == 3, one
assert one["total"]["bytes_written"] == 2 * 4096 + 9 and one["total"]["writes"] == 3, one
assert one["per_second"] == dict.fromkeys(one["per_second"], 0), one
files = {file["name"]: file for file in one["busiest"]}
assert files[work + "/data/a/0"]["open"] and files[work + "/data/a/1"]["total"]["bytes_written"] == 4096, one
assert "findings" not in one, look
assert other["exe"] == "holders" and other["processes"] == 2 and other["total"]["bytes_written"] > 4096, other
END

# For Prometheus: sums of the node, and no more jobs than were asked for.
status 0 "$iolite" live --textfile "$work/none.prom" --count 1
! grep -q -e job_id "$work/none.prom" 2>/dev/null || fail "jobs in metrics that nobody asked for"
grep -q '^iolite_live_processes [1-9]' "$work/none.prom" || fail "no sum of processes"
status 0 "$iolite" live --textfile "$work/one.prom" --jobs 1 --count 1
[ "$(grep -c '^iolite_live_job_processes{' "$work/one.prom")" = 1 ] || fail "more jobs than asked for"
status 0 "$iolite" live --textfile "$work/all.prom" --jobs 1000 --count 1
grep -qF 'iolite_live_job_written_bytes_total{job_id="'"$a"'",user="'"$(id -un)"'",exe="odd\"name"} 8201' "$work/all.prom" ||
    fail "a job in metrics: $(grep "$a" "$work/all.prom")"
if command -v promtool >/dev/null; then
    promtool check metrics <"$work/all.prom" >"$work/promtool" 2>&1 || fail "promtool: $(cat "$work/promtool")"
fi

# Over HTTP, beside clients that send rubbish, half a request, or nothing; rates follow what a program does.
"$iolite" live --listen 127.0.0.1:0 --jobs 1000 --interval 0.1 2>"$work/url" &
service=$!
trap 'kill -9 "$service" 2>/dev/null; rm -rf "$work"' EXIT
until_true test -s "$work/url"
python3 -B "$here/live_door.py" "$(head -n 1 "$work/url")" || fail "/metrics over HTTP"
metric() { python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$(head -n 1 "$work/url")"; }
shows() { metric >"$work/metrics" && grep -q -e "$1" "$work/metrics"; } # a reader that stops early would end the writer
until_true shows '^iolite_live_job_processes{job_id="'"$a"'",.*} 3$'
until_true shows '^iolite_live_written_bytes_total [1-9]'

# Files that were made up: each number of the head takes odd values, while a lock says that the file is in use.
python3 -B "$here/live_forged.py" "$iolite" "$IOLITE_MMAP_DIR" "$a" "$b" || fail "files that were made up"
until_true shows '^iolite_live_job_processes{job_id="'"$b"'",.*} 2$' || fail "the service did not outlive them"

# Who was killed is gone, also where nobody is left to clean up after it, and so is who ended.
kill -9 "$runner" && wait "$runner" 2>/dev/null
for pid in $(pgrep -f "^$work/odd.name "); do kill -9 "$pid"; done
without() { metric >"$work/metrics" && ! grep -q "job_id=\"$1\"" "$work/metrics"; }
until_true without "$a"
! without "$b" || fail "a job that was not killed"
echo over >&9
until_true without "$b"
kill "$service"
wait "$service" || fail "it ended with $?"

status 2 "$iolite" live
status 2 "$iolite" live --ndjson --interval 0
status 2 "$iolite" live --ndjson somewhere
status 2 "$iolite" live --push http://localhost:1
echo secret >"$work/open.token" && chmod 644 "$work/open.token"
status 3 "$iolite" live --push http://localhost:1 --token-file "$work/open.token" --count 1
grep -q 'others can read it' "$work/err" || fail "a token that everybody can read"
status 3 "$iolite" live --push nowhere --token-file "$work/open.token" --count 1
status 4 "$iolite" live --listen nowhere --count 1
finish

#!/usr/bin/env bash
# Live sources: Elasticsearch's pages over HTTP as from a dump, programs of schedulers, servers behind a socket; and what
# happens if they are absent, fail, hang up in the middle or want to know who asks.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/replay.bash
. "$(dirname "$0")/replay.bash"
python=/usr/bin/python3
command -v $python >/dev/null || skip "there is no $python"
unset "${!IOLITE_ES@}" "${!IOLITE_SLURM@}"
cat >"$work/pages.json" <<'END'
[[{"_id": "a", "_source": {"@timestamp": "2026-02-03T08:00:05.000Z", "hostname": "bb1", "plugin": "disk", "plugin_instance": "nvme0n1", "collectd_type": "disk_octets", "read": 10.5, "write": 3}}],
 [{"_id": "b", "_source": {"@timestamp": "2026-02-03T08:00:15.000Z", "hostname": "bb1", "plugin": "disk", "plugin_instance": "nvme0n1", "collectd_type": "disk_octets", "read": 20.5, "write": 4}}]]
END
pages=$work/pages.json
[ -f "$corpus/holistic/inputs/sample_collectdes-part.json.gz" ] && pages=$corpus/holistic/inputs/sample_collectdes-part.json.gz
replay "$pages"
range=(--start @1513152000 --end @1513155600)

# Elasticsearch
"$iolite" collect collectd "$base/es/cori-collectd-2026" "${range[@]}" --host bb >"$work/live" 2>"$work/err" || {
    grep -q 'libcurl is not' "$work/err" && skip "$(cat "$work/err")"
    fail "Elasticsearch: $(head -n 1 "$work/err") $(tail -n 1 "$work/server")"
}
status 0 "$iolite" collect collectd "$pages"
cmp -s "$work/live" "$work/out" || fail "other pages than in the dump"
status 0 "$iolite" collect collectd "$base/es/cori-collectd-2026" "${range[@]}" --type memory
[ "$(tr -d ' \n' <"$work/out")" = "[]" ] || fail "no documents are not an empty list"
status 2 "$iolite" collect collectd "$base/es/cori-collectd-2026"
status 2 "$iolite" collect collectd "$base/es/cori-collectd-2026" "${range[@]}" --type disks
# The archiver asks for each hour by itself; wrong usage is no failed attempt
mkdir "$work/es"
status 0 "$iolite" collect collectd "$base/es/cori-collectd-2026" --archive-dir "$work/es" --max-age 0.2
grep -q '"attempts": 0' "$work/es/collectd.schedule" || fail "hours of Elasticsearch: $(cat "$work/es/collectd.schedule")"
rm "$work/es/collectd.schedule"
for _ in 1 2 3 4 5 6; do status 2 "$iolite" collect collectd "$base/es/cori-collectd-2026" --type disks --archive-dir "$work/es" --max-age 0.2; done
! grep -q "left out" "$work/err" || fail "wrong usage makes the archiver leave an hour out"
status 3 "$iolite" collect collectd "$base/es-late/cori-collectd-2026" "${range[@]}"
grep -q 'partial: .*out of time' "$work/err" || fail "a late answer goes by in silence: $(head -n 1 "$work/err")"
cmp -s "$work/live" "$work/out" || fail "what there is of a late answer is lost"
status 3 "$iolite" collect collectd "$base/es-broken/cori-collectd-2026" "${range[@]}"
[ "$pages" != "$work/pages.json" ] || has '"_id": "a"'
grep -q 'no more memory' "$work/err" || fail "what the server says is lost: $(head -n 1 "$work/err")"
status 3 "$iolite" collect collectd "$base/es-closed/cori-collectd-2026" "${range[@]}"
grep -q 'who are you' "$work/err" || fail "what the server says is lost: $(head -n 1 "$work/err")"
IOLITE_ES_USER=reader IOLITE_ES_PASSWORD=secret-word status 0 "$iolite" collect collectd "$base/es-closed/cori-collectd-2026" "${range[@]}"
IOLITE_ES_USER=reader IOLITE_ES_PASSWORD=secret-word status 3 "$iolite" collect collectd "$base/es-broken/cori-collectd-2026" "${range[@]}"
! grep -q secret-word "$work/err" || fail "a secret in a message"
status 3 "$iolite" collect collectd http://127.0.0.1:1/index "${range[@]}"

# Programs: what they print is taken, how they are called is right, and their absence is named
mkdir "$work/bin"
cat >"$work/bin/sacct" <<'END'
#!/bin/sh
[ "$SLURM_TIME_FORMAT" = %s ] || exit 9
echo "$@" >"$CALLED"
echo 'JobIDRaw|Start|End|NodeList|State'
echo '77|1000|1600|n[1-2]|COMPLETED'
echo '77.batch|1000|1500|n1|COMPLETED'
END
cat >"$work/bin/qstat" <<'END'
#!/bin/sh
echo "$@" >"$CALLED"
echo '{"Jobs": {"5.pbs": {"Job_Name": "wrf", "job_state": "F", "stime": 1000, "obittime": 1600, "exec_host": "n1/0*8+n2/0*8"}}}'
exit 3
END
chmod +x "$work"/bin/*
export CALLED=$work/called
with() { PATH=$work/bin:$PATH "$@"; }
status 0 with "$iolite" collect slurm --job 77
has '"start": "1970-01-01T00:16:40"'
has '"n2"'
grep -q -- '--jobs=77' "$work/called" || fail "sacct is not asked for the job: $(cat "$work/called")"
status 0 with "$iolite" collect slurm --start @1000 --end @2000 --user ada
grep -q -- '--allusers --user=ada --starttime=1970-01-01T00:16:40 --endtime=' "$work/called" || fail "sacct is asked for another time: $(cat "$work/called")"
status 3 with "$iolite" collect pbs --job 5
has '"end": 1600'
grep -q 'partial: qstat ended with status 3' "$work/err" || fail "a program that fails goes by in silence"
grep -q -- '-x -f -F json 5' "$work/called" || fail "qstat is called in another way: $(cat "$work/called")"
PATH=$work/none status 3 "$iolite" collect slurm --job 77
grep -q 'sacct cannot be run here' "$work/err" || fail "an absent program is not named: $(head -n 1 "$work/err")"
# Health listings of a day, one after the other
printf '#!/bin/sh\necho "fs-OST0000_UUID 1000 ${FULL:-500} 500 50%% /s[OST:0]"\n' >"$work/bin/lfs"
chmod +x "$work/bin/lfs"
mkdir "$work/health"
status 0 with "$iolite" collect lfs-df --archive-dir "$work/health" --name fullness
FULL=700 status 0 with "$iolite" collect lfs-df --archive-dir "$work/health" --name fullness
listing=$(ls "$work"/health/*/fullness.txt)
[ "$(grep -c '^BEGIN [0-9]*$' "$listing")" = 2 ] || fail "two listings: $(cat "$listing")"
status 0 "$iolite" ost --json --ost-fullness "$listing" --fs fs
has '"ost_most_full_kib": 700'
PATH=$work/none status 3 "$iolite" collect lfs-df --archive-dir "$work/health" --name fullness
[ "$(grep -c BEGIN "$listing")" = 2 ] || fail "a listing that is none was kept"
status 2 "$iolite" collect pbs --archive-dir "$work/health"
# A program that runs out of time: what it printed is used, but for the half of a line, and its children end with it
mkdir "$work/hangs"
cat >"$work/bin/lfs" <<'END'
#!/bin/sh
echo "fs-OST0000_UUID 1000 500 500 50% /s[OST:0]"
printf 'fs-OST0001_UUID 1000 500 500 50%% /s[OST:1'
sleep 600 &
echo $! >"$CALLED"
wait
END
status 3 with "$iolite" collect lfs-df --timeout 4
has '"OST0000"'
lacks OST0001
grep -q 'partial: lfs: it ran out of time' "$work/err" || fail "no word about a program that hangs: $(head -n 1 "$work/err")"
gone() { ! kill -0 "$(cat "$CALLED")" 2>/dev/null; }
until_true gone
status 3 with "$iolite" collect lfs-df --timeout 1 --archive-dir "$work/health" --name fullness
[ "$(grep -c BEGIN "$listing")" = 2 ] || fail "half a listing was kept"
printf '#!/bin/sh\necho "{\\"Jobs\\": {\\"5.pbs\\": {\\"stime\\": 1000}, \\"6.pbs\\": {\\"stime\\": 20"\nexec sleep 600\n' >"$work/hangs/qstat"
chmod +x "$work/hangs/qstat"
PATH=$work/hangs:$PATH status 3 "$iolite" collect pbs --timeout 4
has '"start": 1000'
lacks '"6'
# One that closes its output and does not end, and one that prints nothing
printf '#!/bin/sh\necho "fs-OST0000_UUID 1000 500 500 50%% /s[OST:0]"\nexec >&-\nexec sleep 600\n' >"$work/bin/lfs"
status 3 with "$iolite" collect lfs-df --timeout 4
has '"OST0000"'
printf '#!/bin/sh\nexec sleep 600\n' >"$work/bin/lfs"
status 3 with "$iolite" collect lfs-df --timeout 1
[ ! -s "$work/out" ] || fail "an answer from nothing"
status 2 with "$iolite" collect lfs-df --timeout never
# A job by its number alone
status 0 with "$iolite" job --json --fs f 77
has '"_datetime_start": 1000'
has '"_datetime_end": 1600'
PATH=$work/none status 3 "$iolite" job --json --fs f 77
grep -q 'slurm.*cannot be run' "$work/err" || fail "which schedulers were asked is not said: $(head -n 1 "$work/err")"
echo '{"jobinfo_jobid_providers": ["pbs", "slurm"]}' >"$work/site.json"
status 0 with "$iolite" job --site "$work/site.json" --json --fs f 77
has '"_datetime_end": 1600'
echo '{"jobinfo_jobid_providers": ["oracle"]}' >"$work/site.json"
status 3 with "$iolite" job --site "$work/site.json" --json --fs f 77
grep -q oracle "$work/err" || fail "an unknown provider is not named"

# A server behind a socket, as slurmrestd is
cat >"$work/rest.py" <<'END'
import http.server, json, socketserver, sys
class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        good = self.path == "/slurmdb/v0.0.38/job/77" and self.headers.get("X-SLURM-USER-TOKEN") == "secret-word"
        body = json.dumps({"jobs": [{"job_id": 77, "nodes": "n[1-2]", "time": {"start": 1000, "end": 1600}, "state": {"current": "COMPLETED"}}]}).encode()
        self.send_response(200 if good else 401)
        self.end_headers()
        self.wfile.write(body if good else b"no")
    def address_string(self): return "unix"
    def log_message(self, *_): pass
class Unix(socketserver.UnixStreamServer):
    def get_request(self): return (self.socket.accept()[0], ("unix", 0))
Unix(sys.argv[1], Server).serve_forever()
END
$python "$work/rest.py" "$work/rest.socket" 2>/dev/null &
rest=$!
servers+=("$rest")
for ((i = 0; i < 100; i++)); do
    [ -S "$work/rest.socket" ] && break
    sleep 0.1
done
IOLITE_SLURM_TOKEN=secret-word status 0 "$iolite" collect slurm "unix:$work/rest.socket:/slurmdb/v0.0.38/job/77"
has '"start": "1970-01-01T00:16:40"'
IOLITE_SLURM_TOKEN=other-word status 3 "$iolite" collect slurm "unix:$work/rest.socket:/slurmdb/v0.0.38/job/77"
grep -q 'status 401' "$work/err" || fail "a refusal is not reported: $(head -n 1 "$work/err")"
! grep -q other-word "$work/err" || fail "a secret in a message"
finish

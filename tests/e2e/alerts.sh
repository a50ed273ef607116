#!/usr/bin/env bash
# Alerts: rules over jobs, users and history; each target hears of a thing once; dry runs send nothing; what failed is tried
# again; nobody but the targets hears anything; names from logs do no harm.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
make=$tools/make-centre
[ -x "$make" ] || skip "no make-centre"
"$make" --logs 300 --large 0 --broken 0 --months 1 "$work/centre" || fail "make-centre"
"$iolite" index -q --store "$store" --site "$work/centre/site.json" "$work/centre/logs" 2>/dev/null
october=(--since 2026-10-01 --until 2026-10-31 --store "$store" --site "$work/site.json")

cat >"$work/sendmail" <<END
#!/bin/sh
[ "\$*" = "-i -t" ] || exit 9
cat >>"$work/mails"
END
cat >"$work/pager" <<END
#!/bin/sh
cat >>"$work/pages"
echo "what it prints is not output"
END
chmod +x "$work/sendmail" "$work/pager"
site() { # TARGETS [MORE]
    cat >"$work/site.json" <<END
{"cluster": "demo", "alerts": {"sendmail": "$work/sendmail", "most": 500, ${2:-} "rules": [
  {"name": "small-files", "when": "finding(\"*\") and bytes > 0 and not match1"},
  {"name": "volume", "per": "user", "when": "bytes > 1G and jobs >= 2", "fix": "Talk to them."},
  {"name": "never", "when": "match1 and bytes > 1P"}], "targets": [$1]}}
END
}

# Without targets: a report, and nothing else
site ""
status 0 "$iolite" alert --dry-run "${october[@]}"
has "small-files"
has "Talk to them."
lacks "never"
status 0 "$iolite" alert --json --dry-run "${october[@]}"
valid_json "alert --json"
status 0 "$iolite" alert --sent "${october[@]}"
lines 0

# Mail, a command and a file: each once
targets="{\"mail\": \"staff@example.org\"}, {\"command\": [\"$work/pager\"]}, {\"file\": \"$work/alerts.txt\"}"
site "$targets"
status 0 "$iolite" alert --dry-run "${october[@]}"
has "To: mail staff@example.org"
[ ! -e "$work/mails" ] && [ ! -e "$work/pages" ] && [ ! -e "$work/alerts.txt" ] || fail "a dry run sends something"
status 0 "$iolite" alert "${october[@]}"
lacks "what it prints"
grep -q '^To: staff@example.org$' "$work/mails" || fail "no mail"
grep -q '^Subject: Iolite: [0-9]* alerts$' "$work/mails" || fail "no subject: $(head -n 3 "$work/mails")"
grep -q 'volume (bytes > 1G and jobs >= 2)' "$work/pages" || fail "the command got no alert"
cmp -s "$work/pages" "$work/alerts.txt" || fail "the file has another text than the command"
[ "$(grep -c '^To: ' "$work/mails")" = 1 ] || fail "more than one mail"
! grep -q 'user0.*@' "$work/mails" || fail "a user was notified"
sent=$("$iolite" alert --sent "${october[@]}" | wc -l)
[ "$sent" -gt 10 ] || fail "only $sent rows in the audit"
"$iolite" alert --sent --json "${october[@]}" >"$work/out"
valid_json "alert --sent --json"
status 0 "$iolite" alert "${october[@]}"
[ "$(grep -c '^To: ' "$work/mails")" = 1 ] || fail "the same was sent twice"
grep -q 'nothing new' "$work/err" || fail "nothing new is not reported"

# Looked at as it was before: what was sent since does not count
status 0 "$iolite" alert --dry-run "${october[@]}"
has "volume"

# Muted: by rule, user and program; the others go on
rm -f "$work/mails"
site "{\"mail\": \"others@example.org\"}"
status 0 "$iolite" alert --mute small-files --reason "known" "${october[@]}"
status 0 "$iolite" alert "${october[@]}"
grep -q volume "$work/mails" || fail "other rules are muted too"
! grep -q small-files "$work/mails" || fail "a muted rule was sent"
status 0 "$iolite" alert --mute small-files --days 0 "${october[@]}"
status 0 "$iolite" alert "${october[@]}"
grep -q small-files "$work/mails" || fail "a rule stays muted"

# What fails is in the audit, and tried again
site "{\"command\": [\"$work/missing\"]}"
status 4 "$iolite" alert "${october[@]}"
grep -q 'No such file' "$work/err" || fail "a missing command is not reported: $(cat "$work/err")"
status 0 "$iolite" alert --sent "${october[@]}"
has "failed"
cp "$work/pager" "$work/missing"
rm -f "$work/pages"
status 0 "$iolite" alert "${october[@]}"
grep -q volume "$work/pages" || fail "what failed was not tried again"

# A command that hangs is ended with what it started
cat >"$work/hangs" <<END
#!/bin/sh
sleep 1000 &
echo \$! >"$work/hangs.pid"
wait
END
chmod +x "$work/hangs"
site "{\"command\": [\"$work/hangs\"]}" '"seconds": 1,'
status 4 "$iolite" alert "${october[@]}"
grep -q 'took longer than 1 s' "$work/err" || fail "a command that hangs: $(cat "$work/err")"
until_true sh -c "! kill -0 $(cat "$work/hangs.pid") 2>/dev/null"

# Secrets in the address of a web hook are not shown, and not kept
export HOOK_SECRET=hush
# A password in its address is neither shown nor kept, wherever it comes from
site '{"webhook": "http://staff:hunter2@127.0.0.1:1/"}'
for how in --dry-run --json; do
    status 3 "$iolite" alert $how "${october[@]}"
    ! grep -q hunter2 "$work/out" "$work/err" || fail "the password of a web hook is shown ($how)"
    grep -q 'a password does not belong' "$work/err" || fail "a web hook with a password: $(cat "$work/err")"
done
site '{"webhook": "http://${HOOK_USER}@127.0.0.1:1/"}'
HOOK_USER=staff:hunter2 status 4 "$iolite" alert "${october[@]}"
! grep -q hunter2 "$work/out" "$work/err" || fail "the password of a web hook comes from the environment and is shown"
grep -q 'a password does not belong' "$work/err" || fail "a web hook with a password: $(cat "$work/err")"
site '{"webhook": "http://127.0.0.1:1/${HOOK_SECRET}"}'
status 4 "$iolite" alert "${october[@]}"
"$iolite" alert --sent --json "${october[@]}" >>"$work/err"
grep -q 'webhook' "$work/err" || fail "a web hook that is not there"
! grep -q 'hush' "$work/err" || fail "a secret is shown: $(grep -m 1 hush "$work/err")"

# Names that would mean something to a shell, a header or a terminal
mkdir "$work/odd"
odd=$'x`touch pwned`$(touch pwned);touch pwned|&\nBcc: everybody\e[2J'
for i in 1 2 3; do
    log=$(find "$work/centre/logs" -name '*.darshan' | sort | sed -n "$((40 * i))p")
    name=$(basename "$log")
    cp "$log" "$work/odd/${odd}_${name#*_}"
done
"$iolite" index -q --store "$work/odd.db" --site "$work/centre/site.json" "$work/odd" 2>/dev/null
site "{\"mail\": \"staff@example.org\"}, {\"command\": [\"$work/pager\"]}, {\"mail_users\": \"{user}@example.org\"}"
sed -i 's/"bytes > 1G and jobs >= 2"/"jobs >= 1"/' "$work/site.json"
rm -f "$work/mails"
(cd "$work" && "$iolite" alert --store "$work/odd.db" --site "$work/site.json" --since 2026-10-01 --until 2026-10-31) >"$work/out" 2>"$work/err"
grep -q 'Bcc: everybody' "$work/mails" || fail "the odd user is not in the mail: $(head -n 3 "$work/err")"
! grep -q '^Bcc' "$work/mails" || fail "a name became a header"
! grep -q $'\e' "$work/mails" || fail "a name reaches the terminal"
[ "$(grep -c '^To: ' "$work/mails")" = 1 ] || fail "a name became an address"
[ ! -e "$work/pwned" ] || fail "a name reached a shell"

# A message holds a limited number; the rest comes with the next
rm -f "$work/mails"
site "{\"mail\": \"few@example.org\"}"
sed -i 's/"most": 500/"most": 3/' "$work/site.json"
status 0 "$iolite" alert "${october[@]}"
[ "$(grep -c '^[0-9]*\. ' "$work/mails")" = 3 ] || fail "not three alerts"
grep -q '^and [0-9]* more' "$work/mails" || fail "the rest is not counted"

# Users: only if the site file says so, each of his own
rm -f "$work/mails"
site "{\"mail_users\": \"{user}@example.org\"}"
status 0 "$iolite" alert "${october[@]}"
user=$(sed -n 's/^To: \(user[0-9]*\)@example.org$/\1/p' "$work/mails" | head -n 1)
[ -n "$user" ] || fail "no user was notified"
awk -v user="$user" '/^To: / { own = ($2 == user "@example.org") } own && /^   user / && $2 !~ "^" user "[,:]" { bad = 1 } END { exit bad }' \
    "$work/mails" || fail "$user hears of others"

# A web hook
if [ -x /usr/bin/python3 ]; then
    /usr/bin/python3 - "$work" <<'END' &
import http.server, json, sys
work = sys.argv[1]
class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(work + "/hooked", "wb") as file: file.write(body)
        self.send_response(204 if self.path == "/good" else 500)
        self.end_headers()
    def log_message(self, *args): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
server.timeout = 20
with open(work + "/port.new", "w") as file: file.write(str(server.server_port))
import os; os.rename(work + "/port.new", work + "/port")
for i in range(2): server.handle_request()
END
    for ((i = 0; i < 100; i++)); do
        [ -e "$work/port" ] && break
        sleep 0.1
    done
    export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1 HOOK_PORT
    HOOK_PORT=$(cat "$work/port")
    site "{\"webhook\": \"http://127.0.0.1:\${HOOK_PORT}/bad\"}"
    "$iolite" alert "${october[@]}" >"$work/out" 2>"$work/err"
    got=$?
    if ! grep -q 'libcurl is not' "$work/err"; then
        [ $got = 4 ] || fail "a web hook that fails: $got"
        grep -q 'status 500' "$work/err" || fail "why is not reported: $(cat "$work/err")"
        site "{\"webhook\": \"http://127.0.0.1:\${HOOK_PORT}/good\"}"
        status 0 "$iolite" alert "${october[@]}"
        cp "$work/hooked" "$work/out"
        valid_json "web hook"
        has '"alerts"'
    else
        kill %% 2>/dev/null
    fi
    wait
fi

# Slower than usual: against runs of the half year before the period and those of the period before it; not against older ones,
# not against what another user or another number of processes did, not against runs that start at the same time.
if /usr/bin/python3 -c 'import sqlite3' 2>/dev/null; then
    cp "$store" "$work/slow.db"
    /usr/bin/python3 - "$work/slow.db" <<'END' || fail "no made-up history"
import calendar, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.row_factory = sqlite3.Row
like = dict(db.execute("SELECT * FROM job WHERE logs > 0 AND bytes_read + bytes_written > 1000000 ORDER BY jobid LIMIT 1").fetchone())
db.execute("DELETE FROM job")
def run(number, day, rate, second=0, **other):
    start = calendar.timegm((day // 10000, day // 100 % 100, day % 100, 12, 0, second)) * 1000000
    row = {**like, "jobid": str(number), "day": day, "start": start, "ended": start + 3600000000, "owner": "ana", "exename": "heat",
           "nprocs": 64, "bytes_read": 0, "bytes_written": 10**9, "io_time": int(10**15 / rate), **other}
    db.execute(f"INSERT INTO job ({','.join(row)}) VALUES ({','.join('?' * len(row))})", list(row.values()))
for i in range(9): run(100 + i, 20260310 + i, 10**9)  # older
for i in range(4): run(200 + i, 20260910 + i, 10**6)
for i in range(2): run(300 + i, 20261005 + i, 10**6)
for i in range(9): run(400 + i, 20260920 + i, 10**9, owner="eve")
for i in range(9): run(500 + i, 20260920 + i, 10**9, nprocs=128)
for i in range(3): run(601 + i, 20261008, 10**6 // (i + 1), second=7)  # an array
run(600, 20261010, 10**5)
db.commit()
END
    cat >"$work/site.json" <<'END'
{"cluster": "demo", "alerts": {"rules": [{"name": "slower", "when": "slowdown > 9 and slowdown < 11 and earlier_runs == 9"},
  {"name": "array", "when": "earlier_runs == 6 and slowdown > 0.9 and slowdown < 3.1"}, {"name": "old", "when": "slowdown > 100"}]}}
END
    status 0 "$iolite" alert --json --dry-run --since 2026-10-01 --until 2026-10-31 --store "$work/slow.db" --site "$work/site.json"
    /usr/bin/python3 - "$work/out" <<'END' || fail "slower than usual: $(cat "$work/out")"
import json, sys
rows = json.load(open(sys.argv[1]))
rows = rows["alerts"] if isinstance(rows, dict) else rows
assert {(row["rule"], row["jobs"]) for row in rows} == {("slower", 1), ("array", 3)}, rows
assert all(row["user"] == "ana" for row in rows), rows
END
fi

# Wrong site files
site ""
sed -i 's/bytes > 1P/byte > 1P/' "$work/site.json"
status 3 "$iolite" alert "${october[@]}"
grep -q "'never': at character" "$work/err" || fail "a wrong condition is not reported: $(cat "$work/err")"
site "{\"command\": [\"sh\", \"-c\"]}"
status 3 "$iolite" alert "${october[@]}"
site "{\"mail\": \"a@b\\nBcc: everybody\"}"
status 3 "$iolite" alert "${october[@]}"
status 2 "$iolite" alert something "${october[@]}"
status 0 "$iolite" alert --list-fields
has "lost_node_hours"
finish

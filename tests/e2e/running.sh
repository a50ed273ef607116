#!/usr/bin/env bash
# Running jobs in the portal: what nodes send with `iolite live --push`, who may send and who sees what of it, states that are
# made up, findings on demand, and a user's own programs without any set-up.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/holders" ] || skip "holders was not built"
own_home
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err" || skip "there is no libmicrohttpd"
here=$(cd "$(dirname "$0")/../serve" && pwd)
# shellcheck source=tests/e2e/portal.bash
. "$(dirname "$0")/portal.bash"
mkdir -p "$work/centre" "$work/none" "$work/data"
echo '{"cluster": "test"}' >"$work/centre/site.json"
store=$work/index.db service='' program=''
status 0 "$iolite" index -q --store "$store" "$work/none"
trap 'kill -9 ${portal:+"$portal"} ${service:+"$service"} ${program:+"$program"} 2>/dev/null; rm -rf "$work"' EXIT

start_portal --request-log "$work/requests.log"
python3 -B "$here/running.py" "$address" "$token" "$(token_of live:n1)" "$(token_of live:n2)" "$(token_of ingest)" \
    "$(token_of user:ana)" "$(token_of user:bob)" || fail "states that nodes send"
status 2 "$iolite" serve --state "$work/state" --make-token live

# A real node and a real program
mkfifo "$work/hold"
exec 9<>"$work/hold"
job=$((4713000000 + $$)) # other programs may be recorded here at the same time
SLURM_JOB_ID=$job "$iolite" run --quiet --log-dir "$work/logs" -- "$tools/holders" 2 "$work/data" 10 <&9 >"$work/held" &
program=$!
until_true test -s "$work/held"
(umask 077 && token_of live:n3 >"$work/n3.token")
"$iolite" live --push "$address" --token-file "$work/n3.token" --host n3 --interval 0.1 2>"$work/live.err" &
service=$!
cat >"$work/shows.py" <<'END'
# shows.py ADDRESS TOKEN PATH CONDITION: whether a condition holds of an answer, which is a text or, in the API, what JSON says.
import json, sys, urllib.request
address, token, path, condition = sys.argv[1:]
request = urllib.request.Request(address + path, headers={"Authorization": "Bearer " + token})
text = urllib.request.urlopen(request).read().decode()
sys.exit(not eval(condition, {"text": text, "answer": json.loads(text) if path.startswith("/api/") else None}))
END
shows() { python3 "$work/shows.py" "$address" "$token" "$1" "$2"; }
until_true shows "/api/v1/running?user=$(id -un)&limit=1000" "'$job' in [job['jobid'] for job in answer['items']]"
shows /api/v1/running/test/"$job" "'$work/data/0' in [file['name'] for file in answer['busiest']]" || fail "no busiest files"
shows /api/v1/running/test/"$job" 'answer["findings"] is None' || fail "findings that nobody asked for"
until_true shows '/api/v1/running/test/'"$job"'?findings=1' 'isinstance(answer["findings"], list)'
kill "$service"
wait "$service" || fail "iolite live ended with $?: $(cat "$work/live.err")"

# A token of another host is refused, and that is said once.
status 0 "$iolite" live --push "$address" --token-file "$work/n3.token" --host n4 --count 3 --interval 0.1
[ "$(grep -c 'status 403' "$work/err")" = 1 ] || fail "a token of another host: $(cat "$work/err")"
stop_portal

# On a laptop: the server looks at the user's own programs itself.
: >"$work/url"
"$iolite" serve >"$work/url" 2>>"$work/serve.err" &
portal=$!
until_true test -s "$work/url"
address=$(sed 's|/?token=.*||' "$work/url") token=$(sed 's|.*token=||' "$work/url")
shows '/api/v1/running?limit=1000' "[job['write_bps'] > 0 for job in answer['items'] if job['jobid'] == '$job'] == [True]" || fail "no own program"
shows '/api/v1/running/local/'"$job"'?findings=1' 'isinstance(answer["findings"], list)' || fail "no findings of the own program"
shows /running/local/"$job" "'$work/data/0' in text" || fail "no page of the own program"
shows /metrics '"\niolite_running_jobs 0\n" not in text and "\niolite_running_jobs " in text' || fail "no sum in the metrics"
echo over >&9
wait "$program"
until_true shows '/api/v1/running?limit=1000' "'$job' not in [job['jobid'] for job in answer['items']]"
stop_portal
! grep -i 'sanitizer\|runtime error' "$work/serve.err" || fail "a sanitizer has something to say"
finish

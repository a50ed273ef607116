#!/usr/bin/env bash
# /mcp of iolite serve: both revisions of the protocol over HTTP, pages of other origins and other names of the server are
# refused, wrong and large messages, and that nobody reads a log or sees a job of another.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/make-centre" ] || skip "make-centre was not built"
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err" || skip "there is no libmicrohttpd"
"$tools/make-centre" --logs 60 --large 0 --broken 0 --months 1 "$work/centre"
"$iolite" index -q --store "$work/index.db" --site "$work/centre/site.json" --accounting "$work/centre/sacct.txt" "$work/centre/logs"
# shellcheck source=tests/e2e/portal.bash
. "$(dirname "$0")/portal.bash"
# shellcheck disable=SC2034 # portal.bash has it
store=$work/index.db
trap '[ -z "$portal" ] || kill -9 "$portal" 2>/dev/null; rm -rf "$work"' EXIT
people
# shellcheck disable=SC2154 # people sets users, start_portal address and token
start_portal --host portal.example
timeout 200 python3 -B tests/serve/assistants.py "$address" "$token" "$(token_of ingest)" "${users[@]}" || fail "/mcp: status $?"
stop_portal
finish

# shellcheck shell=bash disable=SC2154 # who sources it has these
# What the tests of `iolite serve` on servers share: the same contract and the same secrets as with SQLite, on a small centre.
# To be sourced after checks.bash, the server's script and centre.bash; the server's script has server_remove and fresh.
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/make-centre" ] || skip "make-centre was not built"
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err" || skip "there is no libmicrohttpd"
export no_proxy='*' NO_PROXY='*'
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../serve" && pwd)
"$tools/make-centre" --logs 40 --large 0 --broken 30 "$work/centre"
store=$(fresh portal)
"$iolite" index -q --store "$store" --site "$work/centre/site.json" --accounting "$work/centre/sacct.txt" \
    --accounting "$work/centre/entries.txt"
# shellcheck source=tests/e2e/portal.bash
. "$(dirname "${BASH_SOURCE[0]}")/portal.bash"
people
trap '[ -z "$portal" ] || kill -9 "$portal" 2>/dev/null; server_remove; rm -rf "$work"' EXIT
start_portal
timeout 200 python3 "$here/values.py" "$address" "$token" "$iolite" "$store" || fail "values: status $?"
timeout 200 python3 "$here/contract.py" "$address" "$token" "$log" || fail "contract: status $?: $(grep -v "^{" "$work/serve.err" | sort -u | tail -n 5)"
timeout 200 python3 "$here/leaks.py" "$address" "$token" "$(token_of ingest)" 30 "${users[@]}" || fail "leaks: status $?: $(grep -v "^{" "$work/serve.err" | sort -u | tail -n 5)"
stop_portal
# A store that hangs: the time of an answer is limited, and what was asked ends there too.
start_portal --limit-seconds 1
timeout 100 python3 "$here/limit.py" "$address" "$token" fine || fail "before the store hangs"
hang
timeout 100 python3 "$here/limit.py" "$address" "$token" late || fail "while the store hangs"
hang_no_more
timeout 100 python3 "$here/limit.py" "$address" "$token" fine || fail "after the store hung"
stop_portal

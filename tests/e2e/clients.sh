#!/usr/bin/env bash
# Public programs of others, from npm's registry, use what we offer: clients of the Model Context
# Protocol, and readers of Arrow and Parquet. `./dev clients` puts
# them into build/npm; without them there is nothing to test.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
command -v node >/dev/null || skip "no node"
packages=$IOLITE_BIN/../npm
[ -d "$packages/node_modules/@modelcontextprotocol/client" ] || skip "no clients: ./dev clients fetches them"
"$iolite" index --store "$work/index.db" "$demo" >/dev/null 2>&1 || skip "built without SQLite"
portal='' address=()
trap '[ -z "$portal" ] || kill -9 "$portal" 2>/dev/null; rm -rf "$work"' EXIT
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
if ! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err"; then
    "$iolite" serve --store "$work/index.db" --state "$work/state" >"$work/url" 2>"$work/err" &
    portal=$!
    until_true test -s "$work/url"
    address=("$(sed 's|/?token=.*||' "$work/url")" "$(sed 's|.*token=||' "$work/url")")
fi
(cd "$packages" && node "$root/tests/clients/mcp.mjs" "$iolite" "$seeds" "$work/index.db" ${address+"${address[@]}"}) >"$work/out" 2>&1 || fail "mcp: $(head -n 12 "$work/out")"

# The conformance suite needs a newer Node than most of the machines that we test on have: node@22 of npm's registry will do
newer=''
for candidate in node "$packages/node_modules/.bin/node"; do
    [ -n "$newer" ] || [ "$("$candidate" -p 'Number(process.versions.node.split(".")[0]) >= 22' 2>/dev/null)" != true ] || newer=$candidate
done
if [ -z "$portal" ] || [ -z "$newer" ] || [ ! -d "$packages/node_modules/@modelcontextprotocol/conformance" ]; then
    echo "left out: the conformance suite (it takes a server, Node from 22 on, and ./dev clients)" >&2
else
    (cd "$packages" && "$newer" "$root/tests/clients/conformance.mjs" "${address[@]}") >"$work/out" 2>&1 || fail "conformance: $(grep -v ': passed$' "$work/out" | head -n 30)"
    [ "$(grep -c ': passed$' "$work/out")" = 6 ] || fail "conformance: scenarios are missing: $(cat "$work/out")"
fi
[ -z "$portal" ] || { kill "$portal"; wait "$portal" || fail "the server ended with $?"; portal=""; }

mkdir "$work/tables"
table() { # NAME COMMAND...: the table in three forms
    local name=$1 form
    shift
    for form in csv arrow parquet; do "$iolite" "$@" --$form >"$work/tables/$name.$form" 2>/dev/null || [ $? -lt 4 ] || fail "$* --$form"; done
}
for log in "$seeds"/{demo,every-module-none-be-3.41,dxt-posix-v2-be-3.41,hostile-names,no-records}.darshan; do
    name=$(basename "$log" .darshan)
    table "dump-$name" dump "$log"
    table "trace-$name" trace "$log"
done
table two dump "$demo" "$seeds/processes.darshan"
table jobs jobs --store "$work/index.db"
table board rank --store "$work/index.db"
table rank rank --store "$work/index.db" --per fs
table job job "$demo"
printf 'JobIDRaw|Start|End|NodeList|User\n77|2025-11-06T12:10:00|2025-11-06T12:20:00|nid[1-4]|ada\n' >"$work/sacct.txt"
table slurm collect slurm "$work/sacct.txt"
table darshan collect darshan "$demo"
for form in csv arrow parquet; do
    option=("--$form")
    [ $form != csv ] || option=()
    status 0 "$iolite" fleet --store "$work/index.db" --export "$work/fleet.$form" --key k ${option+"${option[@]}"}
    for name in file_systems files findings jobs logs modules; do cp "$work/fleet.$form/$name.$form" "$work/tables/fleet-$name.$form"; done
done
(cd "$packages" && node "$root/tests/clients/tables.mjs" "$work/tables") >"$work/out" 2>&1 || fail "tables: $(grep -m 2 Error "$work/out")"
finish

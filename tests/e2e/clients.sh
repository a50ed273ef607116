#!/usr/bin/env bash
# Public programs of others, from npm's registry, use what we offer: clients of the Model Context Protocol. `./dev clients` puts
# them into build/npm; without them there is nothing to test.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
command -v node >/dev/null || skip "no node"
packages=$IOLITE_BIN/../npm
[ -d "$packages/node_modules/@modelcontextprotocol/client" ] || skip "no clients: ./dev clients fetches them"
"$iolite" index --store "$work/index.db" "$demo" >/dev/null 2>&1 || skip "built without SQLite"
(cd "$packages" && node "$root/tests/clients/mcp.mjs" "$iolite" "$seeds" "$work/index.db") >"$work/out" 2>&1 || fail "mcp: $(head -n 12 "$work/out")"
finish

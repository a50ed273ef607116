#!/usr/bin/env bash
# portal.sh BIN DIRECTORY: the last page of demo.sh, the portal of its made-up centre. On a terminal one key starts it, and it
# prints the address to open; elsewhere the command that does so is the last word.
set -euo pipefail
[ $# = 2 ] || { echo "usage: portal.sh BIN DIRECTORY" >&2; exit 2; }
echo
echo "The portal of the made-up centre; this command prints the address to open:"
echo "    $1/iolite serve --store $2/centre/index.db \\"
echo "        --site $2/centre/site.json"
[ -t 0 ] && [ -t 1 ] || exit 0
echo
echo "Press Enter to start it now, or any other key to end the demo."
key=
IFS= read -r -s -n 1 key || exit 0
[ -z "$key" ] || exit 0
exec "$1/iolite" serve --store "$2/centre/index.db" --site "$2/centre/site.json"

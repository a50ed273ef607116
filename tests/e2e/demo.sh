#!/usr/bin/env bash
# The demo tells its story: both versions of the program leave the same files, the problems of the first are found, those
# of the second are gone. (`./dev demo` does the same with more runs.)
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
[ -e "$(dirname "$iolite")/../lib/libiolite.so" ] && command -v cc >/dev/null || exit 77
demo_directory=$(cd "$(dirname "$0")/../../examples/demo" && pwd)

status 0 env DEMO_RUNS=1 "$demo_directory/demo.sh" "$(dirname "$iolite")" "$work/demo"
has "to the byte"
has "sources.txt were read again"
has "1,572,864 of 1,572,864 writes are below 1 MiB"
has "history.csv is opened 122,880 times"
fixed=$(grep -c "^fixed" "$work/out")
[ "$fixed" = 3 ] || fail "$fixed of 3 problems are reported as fixed"
has "iolite fleet --mode native"
has "The same in a browser"
lacks "It is missing"
tree=$(cd "$(dirname "$iolite")/../.." && pwd) # paths are as long as they are
long=$(grep -vF -e "$work" -e "$tree" "$work/out" | wc -L)
[ "$long" -le 80 ] || fail "a line of $long columns"

status 0 "$iolite" diagnose --min-level warn "$work/demo/after-1.darshan"
has "Nothing serious was found"
finish

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
if compgen -G '/usr/lib*/*/libdw.so.1' >/dev/null; then
    has "at heat_before.c:32 write_checkpoint"
    has "if (write(file, &plate"
else
    has "at main in heat" # symbols alone, where the functions of the loop are inlined
fi
fixed=$(grep -c "^fixed" "$work/out")
[ "$fixed" = 3 ] || fail "$fixed of 3 problems are reported as fixed"
has "iolite fleet --mode native"
has "prints the address to open"
[ "$(tail -n 1 "$work/out")" = "        --site $work/demo/centre/site.json" ] || fail "it does not end with the portal: $(tail -n 3 "$work/out")"
lacks "It is missing"
# What the overview shows of the made-up centre is there.
sed -n '/<!-- fleet -->/,/<!-- .fleet -->/p' docs/overview.md | grep -v -e '^<!--' -e '^```' -e '^$' >"$work/shown"
[ -s "$work/shown" ] || fail "the overview shows nothing of the centre"
while IFS= read -r line; do has "$line"; done <"$work/shown"
tree=$(cd "$(dirname "$iolite")/../.." && pwd) # paths are as long as they are
long=$(grep -vF -e "$work" -e "$tree" "$work/out" | wc -L)
[ "$long" -le 80 ] || fail "a line of $long columns"

status 0 "$iolite" diagnose --min-level warn "$work/demo/after-1.darshan"
has "Nothing serious was found"

# On a terminal, Enter starts the portal, and the address that it prints can be opened; any other key ends the demo.
has_commands script curl || { echo "without the key: no script(1) or curl" >&2; finish; }
mkfifo "$work/keys"
on_terminal() {
    : >"$work/terminal"
    script -q -f -e -c "'$demo_directory/portal.sh' '$(dirname "$iolite")' '$work/demo'" /dev/null <"$work/keys" >"$work/terminal" 2>&1 &
    terminal=$!
    exec 8>"$work/keys"
    until_true grep -q "Press Enter" "$work/terminal"
}
on_terminal
printf '\r' >&8
until_true grep -q 'token=' "$work/terminal"
address=$(grep -o 'http://[^[:space:]]*' "$work/terminal" | head -n 1)
curl -s -L -c "$work/cookies" -o "$work/page" "$address" && grep -qi '<!doctype html' "$work/page" || fail "'$address' cannot be opened: $(tail -n 3 "$work/terminal")"
printf '\003' >&8
wait $terminal
exec 8>&-
on_terminal
printf 'x' >&8
wait $terminal || fail "another key: status $?"
exec 8>&-
! grep -q 'http://' "$work/terminal" || fail "another key starts the portal"
finish

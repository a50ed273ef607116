#!/usr/bin/env bash
# The oldest system that Iolite is built on: Debian 11, with CMake 3.18, gcc 10 and glibc 2.31, and nothing but the packages that
# docs/install.md calls needed. The three lines of that page, without an option; what is installed records a program there, says
# what it did, is loaded here, and is removed again.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/roots/roots.bash
. "$source_tree/tests/roots/roots.bash"
roots=$IOLITE_ROOTS
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD CFLAGS "${!CMAKE_@}"
IOLITE_ROOTS=$roots
packages=$(sed -n 's/^| Debian 11, [^|]*| \([^|]*\) |.*/\1/p' "$source_tree/docs/install.md")
[ -n "$packages" ] || give_up "docs/install.md does not say what Debian 11 needs"
# shellcheck disable=SC2086 # they are words
base=$(root_of bullseye plain $packages) || exit $?
root=$work/root
root_copy "$base" "$root"
inside() { root_run "$root" -- env -i PATH=/usr/bin:/bin HOME=/root "$@"; }
mkdir "$root/tree"
tar -C "$source_tree" --exclude=./build --exclude=./.git --exclude=./web/node_modules -c . | tar -C "$root/tree" -x

in_tree() { inside sh -c 'cd /tree && exec "$@"' - "$@"; }
lines=$(awk '/^```/ { if (code++) exit; next } code' "$source_tree/docs/install.md")
[ "$(wc -l <<<"$lines")" = 3 ] || give_up "docs/install.md does not begin with three lines"
while IFS= read -r line; do
    # shellcheck disable=SC2086 # they are words
    status 0 in_tree nice $line
done <<<"$lines"
status 0 inside /opt/iolite/bin/iolite run -q -o /tmp/log.darshan -- cp /etc/passwd /tmp/copy
status 0 inside /opt/iolite/bin/iolite show /tmp/log.darshan
has /tmp/copy
built=$root/opt/iolite/lib/libiolite.so
"$source_tree/tests/libc/floor.sh" cc readelf "$built" || fail "it cannot be loaded everywhere"
IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$built status 0 cp "$0" "$work/copy"
[ "$(find "$work/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "nothing is recorded here"
status 0 in_tree cmake --build build --target uninstall
[ ! -e "$root/opt/iolite" ] || fail "uninstall leaves $(find "$root/opt/iolite" | head -n 5)"
finish

#!/usr/bin/env bash
# The oldest system that Iolite is built on: Debian 11, with CMake 3.18, gcc 10 and glibc 2.31. What is built there records a program
# there, says what it did, and is loaded here.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/roots/roots.bash
. "$source_tree/tests/roots/roots.bash"
roots=$IOLITE_ROOTS
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD CFLAGS "${!CMAKE_@}"
IOLITE_ROOTS=$roots
base=$(root_of bullseye build gcc libc6-dev cmake ninja-build zlib1g-dev libdeflate-dev) || exit $?
root=$work/root
root_copy "$base" "$root"
inside() { root_run "$root" -- env -i PATH=/usr/bin:/bin HOME=/root "$@"; }
mkdir "$root/tree"
tar -C "$source_tree" --exclude=./build --exclude=./.git --exclude=./web/node_modules -c . | tar -C "$root/tree" -x

status 0 inside cmake -S /tree -B /tree/build -G Ninja -DIOLITE_TESTS=OFF
status 0 inside nice cmake --build /tree/build --target product
status 0 inside /tree/build/bin/iolite run -q -o /tmp/log.darshan -- cp /etc/passwd /tmp/copy
status 0 inside /tree/build/bin/iolite show /tmp/log.darshan
has /tmp/copy
"$source_tree/tests/libc/floor.sh" cc readelf "$root/tree/build/lib/libiolite.so" || fail "it cannot be loaded everywhere"
IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$root/tree/build/lib/libiolite.so status 0 cp "$0" "$work/copy"
[ "$(find "$work/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "nothing is recorded here"
finish

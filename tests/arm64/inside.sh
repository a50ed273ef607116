#!/bin/sh
# inside.sh TREE BUILD LIST: in the arm64 root, runs the tests of the list: "unit NAME" and "hazard NAME SOURCE". Hazards are run
# by their driver, first without Iolite and then with it: both by qemu. One line each, and 1 if one failed.
tree=$1 build=$2 failed=0 passed=0 skipped=0
export IOLITE_BIN="$build/bin" IOLITE_SEEDS="$build/seeds" IOLITE_TOOLS="$build/tests" TMPDIR=/tmp HOME=/tmp TZ=UTC LC_ALL=C
cd "$tree" || exit 4
while read -r kind name source; do
    case $kind in
    unit) timeout 600 "$build/tests/$name" >/tmp/said 2>&1 ;;
    hazard) timeout 300 "$build/tests/hazard-driver" "$build/tests/hazards/$name" "$source" >/tmp/said 2>&1 ;;
    esac
    status=$?
    case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "FAIL: $kind $name, status $status"
        tail -n 12 /tmp/said
        ;;
    esac
done <"$3"
echo "arm64: $passed passed, $skipped skipped, $failed failed"
[ $failed = 0 ]

#!/usr/bin/env bash
# What libiolite-log promises to programs that are linked with it: every function that a release had is still there.
# tests/abi/libiolite-log.symbols lists them; a new one is added to the list in the same change, and none is removed.
set -u -o pipefail
export LC_ALL=C
library=${IOLITE_BIN:?}/../lib/libiolite-log.so
[ -e "$library" ] || { echo "skipped: there is no $library"; exit 77; }
command -v nm >/dev/null || { echo "skipped: there is no nm"; exit 77; }
there=$(nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | grep '^iol_' | sort)
if ! changes=$(diff tests/abi/libiolite-log.symbols <(printf '%s\n' "$there")); then
    echo "FAIL: the functions of libiolite-log are not those of tests/abi/libiolite-log.symbols:"
    printf '%s\n' "$changes"
    exit 1
fi

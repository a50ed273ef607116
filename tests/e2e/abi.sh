#!/usr/bin/env bash
# What the libraries promise to programs that are linked with them: every function that a release had is still there.
# tests/abi/LIBRARY.symbols lists them; a new one is added to the list in the same change, and none is removed.
set -u -o pipefail
export LC_ALL=C
command -v nm >/dev/null || { echo "skipped: there is no nm"; exit 77; }
status=0
for library in libiolite-log libiolite-site; do
    file=${IOLITE_BIN:?}/../lib/$library.so
    [ -e "$file" ] || { echo "FAIL: there is no $file"; status=1; continue; }
    there=$(nm -D --defined-only "$file" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | grep '^iol_' | sort)
    changes=$(diff "tests/abi/$library.symbols" <(printf '%s\n' "$there")) && continue
    echo "FAIL: the functions of $library are not those of tests/abi/$library.symbols:"
    printf '%s\n' "$changes"
    status=1
done
exit $status

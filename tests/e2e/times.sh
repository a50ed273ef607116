#!/usr/bin/env bash
# Times in logs are as fine as they mean something, and as fine as the clock with IOLITE_EXACT_TIMES, whoever writes the
# log: the process itself, `iolite run`, or `iolite merge`, which leaves times alone that are in a log already.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -e "$library" ] || exit 77
library=$(realpath "$library")
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD ASAN_OPTIONS "${!SLURM_@}" JOB_ID
export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR" "$work/files"
for i in {1..20}; do echo "$i" >"$work/files/$i"; done
program=(cat "$work"/files/*)

# stamps LOG: how many points in time the log has, and how many of them are finer than 2^-20 s; the order of first and last
# is what it was.
stamps() {
    "$iolite" dump --json "$1" | grep -oE '"[A-Z0-9_]+_TIMESTAMP":[-0-9.e]+' | awk -F: '
        { all++; units = $2 * 1048576; fine += units != int(units) }
        /OPEN_START/ { start = $2 }
        /OPEN_END/ { backwards += $2 < start }
        END { print (all > 20 ? "many" : "few"), (fine > 0 ? "fine" : "rounded"), backwards + 0 }'
}
expect() { # WHAT LOG EXPECTED
    "$iolite" check "$2" >"$work/checked" 2>&1 || fail "$1: $(head -n 2 "$work/checked")"
    [ "$(stamps "$2")" = "many $3 0" ] || fail "$1: $(stamps "$2"), not many $3 0"
}

for exact in 0 1; do
    name=$([ $exact = 0 ] && echo rounded || echo fine)
    IOLITE_EXACT_TIMES=$exact "$iolite" run -o "$work/run.$exact" -- "${program[@]}" >"$work/out" || fail "run: status $?"
    expect "run, exact $exact" "$work/run.$exact" "$name"
    IOLITE_EXACT_TIMES=$exact IOLITE_LOG_FILE=$work/alone.$exact LD_PRELOAD=$library "${program[@]}" >"$work/out" ||
        fail "alone: status $?"
    expect "alone, exact $exact" "$work/alone.$exact" "$name"
    "$iolite" merge -o "$work/merged.$exact" "$work/alone.$exact" >"$work/out" || fail "merge: status $?"
    expect "merged, exact $exact" "$work/merged.$exact" "$name"
done
[ "$(wc -c <"$work/alone.0")" -lt "$(wc -c <"$work/alone.1")" ] || fail "rounded times make no smaller log"
finish

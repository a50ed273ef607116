#!/usr/bin/env bash
# darshan-diff: only what differs, as the lines of darshan-parser; its exit status says nothing about differences.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
diff=$IOLITE_BIN/darshan-diff
plain=$seeds/every-module-none-be-3.41.darshan

# A log does not differ from itself: an empty line an id is all.
for log in "$seeds"/*.darshan; do
    "$diff" "$log" "$log" >"$work/out" 2>"$work/err"
    case $? in 0 | 255) ;; *) fail "darshan-diff $log" ;; esac
    ! grep -q . "$work/out" || fail "$log differs from itself: $(grep -m 1 . "$work/out")"
done
status 0 "$diff" "$demo" "$demo"
ids=$("$IOLITE_BIN/darshan-parser" "$demo" | grep '^[A-Z]' | grep -v '^HEATMAP' | cut -f3 | sort -u | wc -l)
lines "$ids"

# The same records in another form
status 0 "$iolite" convert --none "$demo" "$work/none"
status 0 "$diff" "$demo" "$work/none"
lines "$ids"

# One counter: the first 1001 of the file is POSIX_OPENS of the first record. The seed is not compressed and big-endian.
place=$(grep -obUaP '\x00\x00\x00\x00\x00\x00\x03\xe9' "$plain" | head -n 1 | cut -d: -f1)
cp "$plain" "$work/changed"
chmod u+w "$work/changed"
printf '\x07' | dd of="$work/changed" bs=1 seek=$((place + 7)) conv=notrunc 2>/dev/null
status 0 "$diff" "$plain" "$work/changed"
grep . "$work/out" >"$work/got"
id=$("$IOLITE_BIN/darshan-parser" "$plain" | grep -m 1 POSIX_OPENS | cut -f3)
printf '%s POSIX\t0\t%s\tPOSIX_OPENS\t%s\t/scratch/data/first.dat\t\t\n' - "$id" 1001 + "$id" 775 >"$work/expected"
cmp -s "$work/got" "$work/expected" || fail "one changed counter: $(cat "$work/got")"
grep -q LUSTRE "$work/err" || fail "no word on LUSTRE"

# Files of one side: all counters, with one prefix; an empty line only for ids of the first log
status 0 "$iolite" convert --drop '*result.3' "$demo" "$work/dropped"
counters=$("$IOLITE_BIN/darshan-parser" "$demo" | grep '^POSIX' | grep -c 'result\.3')
status 0 "$diff" "$demo" "$work/dropped"
[ "$(grep -c '^- POSIX.*result\.3' "$work/out")" = "$counters" ] || fail "a file that is gone"
[ "$(grep -c '^+' "$work/out")" = 0 ] || fail "lines of the second log"
[ "$(grep -c '^$' "$work/out")" = "$ids" ] || fail "empty lines"
cp "$work/out" "$work/gone"
status 0 "$diff" "$work/dropped" "$demo"
[ "$(grep -c '^+ POSIX.*result\.3' "$work/out")" = "$counters" ] || fail "a file that is new"
[ "$(grep -c '^$' "$work/out")" = $((ids - 1)) ] || fail "empty lines for new ids"
cmp -s <(grep '^-' "$work/gone" | cut -c3- | sort) <(grep '^+' "$work/out" | cut -c3- | sort) || fail "gone is not new"
[ "$(grep . "$work/out" | awk -F'\t' 'NF != 8' | wc -l)" = 0 ] || fail "eight columns"

# The lines are those of darshan-parser without mount point and type.
cmp -s <(grep '^+' "$work/out" | cut -c3- | cut -f1-6 | sort) \
    <("$IOLITE_BIN/darshan-parser" "$demo" | grep 'result\.3' | grep -v '^LUSTRE' | cut -f1-6 | sort) || fail "other lines"

# The job, and record versions that differ
status 0 "$diff" "$seeds/posix-v3-3.10.darshan" "$seeds/posix-v4-3.41.darshan"
grep -q 'POSIX.*different versions' "$work/err" || fail "no word on versions"
status 0 "$diff" "$demo" "$plain"
has "- # nprocs: 8"
has "+ # exe:  /opt/app/bin/solver"

# Wrong use, and logs that cannot be read
status 1 "$diff"
status 1 "$diff" "$demo"
status 1 "$diff" "$demo" "$demo" "$demo"
status 255 "$diff" "$demo" "$work/nothing"
status 255 "$diff" "$work/nothing" "$demo"
"$diff" - "$demo" <"$demo" >"$work/out" || fail "from standard input"
! grep -q . "$work/out" || fail "standard input differs"
"$diff" "$demo" "$plain" | head -n 1 >/dev/null || fail "a closed pipe is no error"

# Real logs against themselves and each other
if [ -d "$corpus/logs" ]; then
    before=$demo
    for log in "$corpus"/logs/*.darshan; do
        status 0 "$diff" "$log" "$log"
        ! grep -q . "$work/out" || fail "$log differs from itself"
        status 0 "$diff" "$before" "$log"
        before=$log
    done
fi
finish

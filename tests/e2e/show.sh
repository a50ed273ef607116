#!/usr/bin/env bash
# iolite show: one screen, whatever the log; the same facts as JSON.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"

fits_a_screen() {
    [ "$(wc -l <"$work/out")" -le 24 ] || fail "$1: $(wc -l <"$work/out") lines"
    [ "$(wc -L <"$work/out")" -le 80 ] || fail "$1: $(wc -L <"$work/out") columns"
    ! grep -q '[[:cntrl:]]' "$work/out" || fail "$1: control characters"
}

status 0 "$iolite" show "$demo"
fits_a_screen demo
has "heat3d"
has "8 processes"
has "MPI-IO"
has "checkpoint.dat"
has "Complete"
! grep -q '[^ -~]' "$work/out" || fail "more than ASCII in the C locale"

# The overview shows what is printed.
LC_ALL=C.UTF-8 "$iolite" show "$demo" >"$work/out"
sed -n '/<!-- transcript -->/,/<!-- .transcript -->/p' docs/overview.md | sed '1,4d' | sed '/^```$/,$d' | diff - "$work/out" ||
    fail "the overview shows another screen"

for log in "$seeds"/*.darshan; do
    "$iolite" show "$log" >"$work/out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "show $log" ;; esac
    fits_a_screen "$log"
    "$iolite" show --json "$log" >"$work/out" 2>/dev/null
    valid_json "show --json $log"
done

# A wider terminal has room for longer names.
if command -v script >/dev/null; then
    timeout 60 script -qec "stty cols 120 -onlcr; NO_COLOR=1 exec '$iolite' show '$demo'" /dev/null </dev/null >"$work/out" 2>/dev/null
    [ "$(grep '^FILES BY TIME' "$work/out" | tr -d '\r' | wc -L)" = 120 ] || fail "files do not use the width of the terminal"
fi

# How many files, and which logs
status 0 "$iolite" show --top 1 "$demo"
[ "$(grep -c /scratch/ana/run7/ "$work/out")" = 1 ] || fail "--top 1"
status 0 "$iolite" show --top 100 "$demo"
[ "$(grep -c /scratch/ana/run7/ "$work/out")" -gt 10 ] || fail "--top 100"
status 2 "$iolite" show --top many "$demo"
HOME=$work/nobody status 2 "$iolite" show
status 3 "$iolite" show "$work/nothing"
status 3 "$iolite" show "$work/nothing" "$demo"
has "heat3d"
status 0 "$iolite" show "$demo" "$seeds/mapped.darshan"
has "$seeds/mapped.darshan"
has "Unfinished"
"$iolite" show - <"$demo" >"$work/out" || fail "from standard input"
has "heat3d"

# JSON
status 0 "$iolite" show --json "$demo"
for key in path version job run_time mounts modules totals performance files top_files access_sizes quality; do
    has "\"$key\":"
done
status 0 "$iolite" show --json "$demo" "$demo"
valid_json "two logs"
[ "$(head -c 1 "$work/out")" = "[" ] || fail "two logs are an array"

# Names that want to act on the terminal. The seed is not compressed, so its bytes can be changed in place.
sed 's/first/\x1b[3m\xff/g' "$seeds/every-module-none-be-3.41.darshan" >"$work/hostile"
status 0 "$iolite" show "$work/hostile"
has '\x1b[3m\xff'
fits_a_screen hostile
status 0 "$iolite" show --json "$work/hostile"
has '"name_hex"'
valid_json hostile

# Quality
status 0 "$iolite" show "$seeds/incomplete.darshan"
has "Incomplete"
status 0 "$iolite" show "$seeds/posix-v4-3.20.darshan"
has "3.2.0"
head -c 40000 "$demo" >"$work/cut"
status 3 "$iolite" show "$work/cut"
has "Damaged"
[ -s "$work/err" ] || fail "damage is not explained"

# Readers that go away, and full disks
"$iolite" show --top 1000 "$demo" | head -n 1 >/dev/null || fail "a closed pipe is no error"
if [ -w /dev/full ]; then
    "$iolite" show "$demo" >/dev/full 2>/dev/null
    [ $? = 4 ] || fail "a full disk is trouble"
fi

# Real logs: the totals are those of darshan-parser, but for values that it is known to get wrong.
if [ -d "$corpus/expected" ] && command -v jq >/dev/null; then
    for log in "$corpus"/logs/*.darshan; do
        status 0 "$iolite" show "$log"
        fits_a_screen "$log"
        "$iolite" show --json "$log" | jq -r '.modules[] | select(.performance) | .totals | to_entries[] |
            select(.key | test("_F_|RENAMED_FROM|MAX_READ_TIME_SIZE") | not) | "total_\(.key): \(.value)"' >"$work/got"
        zcat "$corpus/expected/$(basename "$log" .darshan).parser.txt.gz" |
            grep '^total_' | grep -Ev '_F_|RENAMED_FROM|MAX_READ_TIME_SIZE' >"$work/expected"
        cmp -s "$work/got" "$work/expected" || fail "totals of $log"
    done
fi

# Counts have commas, also beside words, in every command.
if [ -e "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}" ]; then
    mkdir "$work/pieces" "$work/records"
    seq 1200 | IOLITE_MMAP_DIR=$work/records "$iolite" run -q -o "$work/many.darshan" -- split -a 3 -l 1 - "$work/pieces/x" ||
        fail "1,200 files"
    status 0 "$iolite" show --files --top 5 "$work/many.darshan"
    grep -q "and 1,19[0-9] more files" "$work/out" || fail "files that are not listed, in commas"
    status 0 "$iolite" check "$work/many.darshan"
    grep -q "1,20[0-9] records" "$work/out" || fail "records, in commas"
    status 0 "$iolite" compare --top 5 "$work/many.darshan" "$work/many.darshan" "$work/many.darshan"
    grep -q "and 1,19[0-9] more files" "$work/out" || fail "files that are not listed, in commas"
fi
finish

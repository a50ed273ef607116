#!/usr/bin/env bash
# iolite compare --by-counters: one page on what differs, and everything as JSON; the exit status says whether something
# does.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
plain=$seeds/every-module-none-be-3.41.darshan

fits_a_page() {
    [ "$(wc -l <"$work/out")" -le 45 ] || fail "$1: $(wc -l <"$work/out") lines"
    [ "$(wc -L <"$work/out")" -le 80 ] || fail "$1: $(wc -L <"$work/out") columns"
    ! grep -q '[[:cntrl:]]' "$work/out" || fail "$1: control characters"
}

# Nothing differs, whatever the form
status 0 "$iolite" compare --by-counters "$demo" "$demo"
has "Nothing differs"
fits_a_page "demo with itself"
status 0 "$iolite" convert --none --annotate note=again "$demo" "$work/again"
status 0 "$iolite" compare --by-counters "$demo" "$work/again"
for log in "$seeds"/*.darshan; do
    "$iolite" compare --by-counters "$log" "$log" >"$work/out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "$log differs from itself" ;; esac
    has "Nothing differs"
done

# Anything against anything
for log in "$seeds"/*.darshan; do
    "$iolite" compare --by-counters "$demo" "$log" >"$work/out" 2>/dev/null
    case $? in 0 | 1 | 3) ;; *) fail "compare with $log" ;; esac
    fits_a_page "$log"
    "$iolite" compare --by-counters --json "$log" "$demo" >"$work/out" 2>/dev/null
    valid_json "compare --json $log"
done

# A file is gone, or new
status 0 "$iolite" convert --drop '*checkpoint.dat' "$demo" "$work/dropped"
status 1 "$iolite" compare --by-counters "$demo" "$work/dropped"
fits_a_page dropped
grep -q 'checkpoint.dat .* only in A$' "$work/out" || fail "only in A"
grep -q '^MPI-IO *only in A' "$work/out" || fail "a layer that is gone"
lacks "JOB"
status 1 "$iolite" compare --by-counters "$work/dropped" "$demo"
grep -q 'checkpoint.dat .* only in B$' "$work/out" || fail "only in B"

# One counter: the first 1001 of the file is POSIX_OPENS. The seed is not compressed and big-endian.
place=$(grep -obUaP '\x00\x00\x00\x00\x00\x00\x03\xe9' "$plain" | head -n 1 | cut -d: -f1)
cp "$plain" "$work/changed"
chmod u+w "$work/changed"
printf '\x07\xd2' | dd of="$work/changed" bs=1 seek=$((place + 6)) conv=notrunc 2>/dev/null
status 1 "$iolite" compare --by-counters "$plain" "$work/changed"
[ "$(grep -c '^[A-Z_]*_[A-Z_]* ' "$work/out")" = 1 ] || fail "more than one counter"
grep -q '^POSIX_OPENS .*+[0-9.]*%$' "$work/out" || fail "no change of POSIX_OPENS"
lacks "FILES BY"
status 1 "$iolite" compare --by-counters --json "$plain" "$work/changed"
[ "$(grep -c '"differs": *true' "$work/out")" = 2 ] || fail "one counter and the whole"
grep '"POSIX_OPENS"' "$work/out" | grep -q '"delta":1001' || fail "the delta of POSIX_OPENS"

# How much is listed
status 1 "$iolite" compare --by-counters --top 1 "$demo" "$plain"
[ "$(grep -c ' only in [AB]$' "$work/out")" = 1 ] || fail "--top 1"
has "more files that differ"
status 1 "$iolite" compare --by-counters --top 1000 "$demo" "$plain"
[ "$(grep -c ' only in [AB]$' "$work/out")" -gt 10 ] || fail "--top 1000"
lacks "more files"
status 1 "$iolite" compare --by-counters -n 0 "$demo" "$plain"
lacks "FILES BY"
status 2 "$iolite" compare --by-counters --top some "$demo" "$plain"

# JSON
status 1 "$iolite" compare --by-counters --json "$demo" "$plain"
for key in a b differs job exe processes run_time layers only_in time delta ratio bytes_per_second files counters errors; do
    has "\"$key\":"
done
if command -v jq >/dev/null; then
    jq -e '
        (.layers | map(select(.module == "POSIX"))[0] | .time | .b - .a == .delta) and
        (.files | map(.only_in) | unique == ["a", "b"]) and
        (.counters | map(select(.differs | not) | .delta) | all(. == 0 or . == null))' "$work/out" >/dev/null || fail "figures in JSON"
fi

# Wrong use, unreadable and damaged input
status 2 "$iolite" compare --by-counters "$demo"
status 2 "$iolite" compare --by-counters "$demo" "$demo" "$demo"
status 2 "$iolite" compare --by-counters - -
status 3 "$iolite" compare --by-counters "$demo" "$work/nothing"
status 3 "$iolite" compare --by-counters --json "$work/nothing" "$work/neither"
[ "$(wc -l <"$work/err")" = 2 ] || fail "both logs are missing"
head -c 40000 "$demo" >"$work/cut"
status 3 "$iolite" compare --by-counters "$demo" "$work/cut"
has "Damaged"
has "LAYER"
"$iolite" compare --by-counters - "$demo" <"$demo" >"$work/out" || fail "from standard input"
"$iolite" compare --by-counters --top 1000 "$demo" "$demo" | head -n 1 >/dev/null || fail "a closed pipe is no error"
if [ -w /dev/full ]; then
    "$iolite" compare --by-counters "$demo" "$plain" >/dev/full 2>/dev/null
    [ $? = 4 ] || fail "a full disk is trouble"
fi

# Names that want to act on the terminal
sed 's/first/\x1b[3m\xff/g' "$plain" >"$work/hostile"
status 1 "$iolite" compare --by-counters "$demo" "$work/hostile"
has '\x1b[3m\xff'
fits_a_page hostile

# Three logs and more, file by file, with the columns of show --files
# row NAME: its columns, of the file or label that begins a line.
row() { sed -n "s|^ *$1  *||p" "$work/out" | tail -n 1 | tr -s ' '; }
status 0 "$iolite" show --files "$demo"
fits_a_page "the files of a log"
all=$(row 'all files') file=$(row /scratch/ana/run7/result.6)
[ "$file" = "16 MiB 0 B 16 MiB 483 ms 16 0" ] || fail "a file: $file"
[ "$all" = "262 MiB 128 MiB 134 MiB 5.25 s 2,656 0" ] || fail "all files: $all"
[ "$(wc -l <"$work/out")" = 20 ] || fail "every file has its row"
status 0 "$iolite" show --files --top 2 "$demo"
has "and 16 more files"
[ "$(row 'all files')" = "$all" ] || fail "the sums are over all files, shown or not"
status 0 "$iolite" compare --top 8 "$demo" "$plain" "$demo"
fits_a_page "three logs"
[ "$(row A)" = "$all" ] && [ "$(row C)" = "$all" ] || fail "the sums of three logs: $(row A), $(row C)"
grep -A 3 -F /scratch/ana/run7/result.6 "$work/out" >"$work/block"
[ "$(sed -n 's/^  B *//p' "$work/block" | tr -s ' ')" = "- - - - - -" ] || fail "B does not have the file"
[ "$(sed -n 's/^  C *//p' "$work/block" | tr -s ' ')" = "$file" ] || fail "C has the file"
status 0 "$iolite" compare --json "$demo" "$plain" "$demo" "$demo"
valid_json "four logs"
[ "$(grep -o '"calls":2000,' "$work/out" | wc -l)" = 3 ] || fail "a file of three of four logs"
status 3 "$iolite" compare "$demo" "$plain" "$work/nothing"
status 3 "$iolite" compare "$demo" "$plain" "$work/cut"
has "all files"
status 2 "$iolite" compare --context "$demo" "$demo" "$plain" "$demo"

# Real logs against themselves and each other
if [ -d "$corpus/logs" ]; then
    before=$demo
    for log in "$corpus"/logs/*.darshan; do
        status 0 "$iolite" compare --by-counters "$log" "$log"
        status 1 "$iolite" compare --by-counters "$before" "$log"
        fits_a_page "$log"
        before=$log
    done
fi
finish

#!/usr/bin/env bash
# Files of every kind: compressed logs in a tree, logs that were being written, and what is no log at all, of which a directory
# gives a summary by cause.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
mkdir -p "$work/tree/deep" "$work/mixed" "$work/left"

# Compressed ------------------------------------------------------------------------------------------------------------

gzip -c "$demo" >"$work/tree/a.darshan.gz"
bzip2 -c "$seeds/trailer.darshan" >"$work/tree/deep/b.darshan.bz2" 2>/dev/null || gzip -c "$seeds/trailer.darshan" >"$work/tree/deep/b.darshan.gz"
"$tools/make-old" "$work/tree/old" || give_up "make-old"
old=$(find "$work/tree/old" -type f | wc -l)
if status 0 "$iolite" index --store "$work/index.db" "$work/tree" && ! grep -q 'no stores' "$work/err"; then
    cat "$work/out" "$work/err" >"$work/both"
    # Logs of one job and command with the same names are copies of each other, whatever their form.
    counted=$(sed -n 's/^\([0-9]*\) new logs, 0 files as before, \([0-9]*\) copies.*/\1 + \2/p' "$work/both")
    [ $((counted)) = $((old + 2)) ] || fail "index: $(head -n 3 "$work/both"), of $((old + 2)) files"
    status 0 "$iolite" jobs --store "$work/index.db" --json
    has '"180936"'
fi
status 0 "$iolite" diagnose "$work/tree/a.darshan.gz"

# Being written -----------------------------------------------------------------------------------------------------------

cp "$demo" "$work/left/user_app_id7_1-1-1-1.darshan_partial"
head -c 5000 /dev/zero >"$work/left/user_app_id8_1-1-1-1.darshan_partial"
cp "$seeds/mapped.darshan" "$work/left/user_app_id7_mmap-log-99-0.darshan"
status 1 "$iolite" check "$seeds/mapped.darshan"
status 0 "$iolite" check "$work/left/user_app_id7_1-1-1-1.darshan_partial"
status 0 "$iolite" merge -o "$work/merged.darshan" "$work/left"
status 0 "$iolite" check "$work/merged.darshan"

# No logs ---------------------------------------------------------------------------------------------------------------------

echo 'all: build' >"$work/Makefile"
printf '%100s' '' >"$work/demo.bytes"
for i in $(seq 1 40); do cp "$work/Makefile" "$work/mixed/$i.darshan"; done
cp "$demo" "$work/mixed/sound.darshan"
head -c 2000 "$demo" >"$work/mixed/cut.darshan"
status 3 "$iolite" show "$work/Makefile"
[ "$(wc -l <"$work/err")" = 1 ] || fail "more than a line for a Makefile"
status 3 "$iolite" check "$work/mixed"
has "42 files, of them 1 sound log"
[ "$(wc -l <"$work/err")" -le 8 ] || fail "check: $(wc -l <"$work/err") lines for 41 files of two kinds"
grep -q '37 more files: not a Darshan log' "$work/err" || fail "no summary by cause"
for command in "merge -o $work/none.darshan" "index --store $work/mixed.db"; do
    # shellcheck disable=SC2086
    "$iolite" $command "$work/mixed" >"$work/out" 2>"$work/err"
    grep -q 'no stores' "$work/err" && continue
    [ "$(wc -l <"$work/err")" -le 14 ] || fail "$command: $(wc -l <"$work/err") lines for 41 files of two kinds"
    grep -q '37 more files: not a Darshan log' "$work/err" || fail "$command: no summary by cause"
done
# Causes that differ in a number only are one.
mkdir "$work/lengths"
for i in $(seq 1 40); do head -c "$i" "$work/demo.bytes" >"$work/lengths/$i.darshan"; done
status 3 "$iolite" check "$work/lengths"
grep -q 'more files: not a Darshan log (only N bytes)' "$work/err" || fail "files of 40 lengths: $(tail -n 1 "$work/err")"
[ "$(wc -l <"$work/err")" -le 10 ] || fail "check: $(wc -l <"$work/err") lines for files of 40 lengths"
status 3 "$iolite" diagnose "$work/mixed"
[ "$(wc -l <"$work/err")" -le 12 ] || fail "diagnose: $(wc -l <"$work/err") lines for 41 files"
# So it is with logs that were cut, of which each has several errors.
mkdir "$work/cut"
for i in $(seq 1 40); do head -c $((1400 + i)) "$demo" >"$work/cut/$i.darshan"; done
status 3 "$iolite" diagnose "$work/cut"
causes=$(sed -e 's/.*at offset [0-9]*: //' -e 's/.*more files*: //' -e 's/[0-9][0-9]*/N/g' "$work/err" | sort -u | wc -l)
[ "$(wc -l <"$work/err")" -le $((4 * causes)) ] || fail "diagnose: $(wc -l <"$work/err") lines for $causes causes"
grep -q '^iolite: 37 more files: ' "$work/err" || fail "diagnose: no summary by cause of logs that were cut: $(tail -n 1 "$work/err")"
finish

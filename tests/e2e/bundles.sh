#!/usr/bin/env bash
# Bundles: logs packed, read from the bundle by every command, restored byte by byte, purged; with two archivers at once, a
# full disk, damage, and a kill at any moment.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
make=$tools/make-centre
[ -x "$make" ] || skip "no make-centre"
"$make" --logs 60 --large 30 --broken 20 --months 1 "$work/centre" || fail "make-centre"
logs=$work/centre/logs
# Half of them as Iolite writes them.
i=0
find "$logs" -name '*.darshan' | sort | while IFS= read -r log; do
    i=$((i + 1))
    [ $((i % 2)) = 0 ] && "$iolite" convert --force "$log" "$work/iolite.darshan" 2>/dev/null &&
        cp "$work/iolite.darshan" "$log"
done
head -c 3000 /dev/urandom >"$logs/noise.darshan"
: >"$logs/empty.darshan"
cp "$demo" "$logs/a #1 name.darshan"
long=$(printf '%0247d' 0).darshan # as a name alone it is as long as names may be; behind that of a bundle it is longer
cp "$demo" "$logs/$long"
mkdir "$work/kept" "$work/again"
bundle=$work/kept/day.bundle

# Packed: smaller by half, nothing removed
cp -a "$logs" "$work/originals"
"$iolite" archive pack -q -o "$bundle" "$logs" --json >"$work/out" 2>"$work/err" ||
    { grep -q 'has no zstd' "$work/err" && skip "this build has no zstd"; } || fail "pack: $(cat "$work/err")"
valid_json "archive pack --json"
diff -r "$logs" "$work/originals" >/dev/null || fail "packing changed the originals"
packed=$(stat -c %s "$bundle")
whole=$(find "$logs" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
[ $((packed * 2)) -le "$whole" ] || fail "$packed bytes are more than half of $whole"
[ "$(stat -c %a "$bundle")" = 400 ] || fail "the mode of a bundle"
status 0 "$iolite" archive list "$bundle"
lines "$(find "$logs" -type f | wc -l)"
status 0 "$iolite" archive list --json "$bundle"
valid_json "archive list --json"
has '"form":"recipe"'
has '"form":"columns"'
status 0 "$iolite" archive verify "$bundle"

# It never replaces one that is there
sum=$(cksum <"$bundle")
status 4 "$iolite" archive pack -o "$bundle" "$logs"
[ "$(cksum <"$bundle")" = "$sum" ] || fail "a bundle was replaced"

# Restored: every byte, mode and time
status 0 "$iolite" archive restore "$bundle" -o "$work/again"
diff -r "$work/originals" "$work/again" || fail "restored logs differ"
times() { (cd "$1" && find . -type f -printf '%p %s %m %T@\n' | sort); }
cmp -s <(times "$work/originals") <(times "$work/again") || fail "restored logs have other times or modes"
status 3 "$iolite" archive restore "$bundle" -o "$work/again"
grep -q 'File exists' "$work/err" || fail "restoring over files is not refused"
status 0 "$iolite" archive restore "$bundle" "noise.darshan" -o "$work/one"
[ "$(ls "$work/one")" = noise.darshan ] || fail "one log was to be restored"
status 3 "$iolite" archive restore "$bundle" "nothing" -o "$work/one"

# Every command reads a log from the bundle, as from the file
small=$(cd "$logs" && find . -name '*.darshan' -size -8k -size +1k -path '*/*/*' | sort | sed -n '3s/^..//p')
large=$(cd "$logs" && find . -name '*.darshan' -size +300k | sort | sed -n '1s/^..//p')
for name in "$small" "$large" "a #1 name.darshan" "$long"; do
    for command in show check "dump --csv" "metrics --csv" "diagnose --format csv" "darshan-parser --total" trace; do
        # shellcheck disable=SC2086
        "$iolite" $command "$logs/$name" >"$work/from_file" 2>/dev/null
        before=$?
        # shellcheck disable=SC2086
        "$iolite" $command "$bundle#$name" >"$work/from_bundle" 2>"$work/err"
        [ $? = $before ] || fail "$command of $name: another status: $(cat "$work/err")"
        cmp -s <(grep -v 'day.bundle\|centre/logs\|compression\|^# .* bytes\|region' "$work/from_file") \
            <(grep -v 'day.bundle\|centre/logs\|compression\|^# .* bytes\|region' "$work/from_bundle") ||
            fail "$command of $name says something else from the bundle"
    done
    status 0 "$iolite" compare --by-counters "$logs/$name" "$bundle#$name"
    status 0 "$iolite" report -o "$work/page.html" "$bundle#$name"
    status 0 "$iolite" convert --force "$bundle#$name" "$work/converted.darshan"
    status 0 "$iolite" compare --by-counters "$logs/$name" "$work/converted.darshan"
done
status 3 "$iolite" show "$bundle#nothing"
grep -q "there is no log 'nothing' in this bundle" "$work/err" || fail "a name that is not there: $(cat "$work/err")"
status 3 "$iolite" show "$bundle"
grep -q 'BUNDLE#NAME' "$work/err" || fail "a bundle is taken for a log"
"$iolite" diagnose --format csv --wide "$bundle" 2>/dev/null | wc -l >"$work/of_bundle"
"$iolite" diagnose --format csv --wide "$logs" 2>/dev/null | wc -l >"$work/of_tree"
cmp -s "$work/of_bundle" "$work/of_tree" || fail "a bundle does not stand for all of its logs"
# A file of that very name wins.
cp "$demo" "$work/x#y.darshan"
status 0 "$iolite" show "$work/x#y.darshan"

# The index: the same from the bundle, and nothing twice
"$iolite" index -q --store "$work/tree.db" "$logs" 2>/dev/null
"$iolite" index -q --store "$work/bundle.db" "$work/kept" 2>/dev/null
"$iolite" jobs --csv -n 1000 --store "$work/tree.db" >"$work/tree.csv"
"$iolite" jobs --csv -n 1000 --store "$work/bundle.db" >"$work/bundle.csv"
cmp -s "$work/tree.csv" "$work/bundle.csv" || fail "the index of the bundle is another"
[ "$(wc -l <"$work/tree.csv")" -gt 10 ] || fail "there is hardly anything in the index"
"$iolite" index -q --store "$work/tree.db" "$work/kept" 2>/dev/null
"$iolite" jobs --csv -n 1000 --store "$work/tree.db" >"$work/both.csv"
cmp -s "$work/tree.csv" "$work/both.csv" || fail "bundled logs are counted twice"
status 0 "$iolite" index --json --store "$work/bundle.db" "$work/kept"
has '"added": 0'
user=$(basename "$small" | cut -d_ -f1)
status 0 "$iolite" find --store "$work/bundle.db" --user "$user"
has "$bundle#$small"
"$iolite" show "$(head -n 1 "$work/out")" >/dev/null 2>&1 || fail "what find prints cannot be opened"

# Totals: the same sums and times in a log that is as small for a large job as for a small one
for name in "$small" "$large"; do
    status 0 "$iolite" convert --force --totals "$bundle#$name" "$work/totals.darshan"
    [ "$(stat -c %s "$work/totals.darshan")" -lt 4096 ] || fail "totals take $(stat -c %s "$work/totals.darshan") bytes"
    "$iolite" check "$work/totals.darshan" >"$work/out" 2>&1 || { [ $? = 1 ] && [ "$name" = "$large" ]; } || fail "totals: $(cat "$work/out")"
    sums() { "$iolite" darshan-parser --total --perf "$1" | grep '^total_\(POSIX\|STDIO\)\|agg_perf' | grep -v 'SLOWEST\|FASTEST'; }
    cmp -s <(sums "$logs/$name") <(sums "$work/totals.darshan") || fail "totals of $name are others"
done
status 2 "$iolite" convert --totals --keep x "$demo" "$work/totals2.darshan"

# Damage: one byte in a log costs that log, and verifying says so
cp "$bundle" "$work/damaged.bundle"
chmod 600 "$work/damaged.bundle"
middle=$((packed / 2))
byte=$(dd if="$work/damaged.bundle" bs=1 skip=$middle count=1 status=none | od -An -tu1 | tr -d ' ')
# shellcheck disable=SC2059
printf "\\x$(printf '%02x' $((byte ^ 1)))" | dd of="$work/damaged.bundle" bs=1 seek=$middle conv=notrunc status=none
status 3 "$iolite" archive verify "$work/damaged.bundle"
grep -q 'damaged' "$work/err" || fail "damage is not reported"
rm -rf "$work/rest"
status 3 "$iolite" archive restore "$work/damaged.bundle" -o "$work/rest"
missing=$(diff -rq "$work/originals" "$work/rest" | grep -vc 'never')
[ "$missing" = 1 ] || fail "one damaged byte cost $missing logs"

# Wherever the byte is: it is reported, no log comes back wrong, and at most one is missing
mkdir "$work/few"
find "$work/originals" -name '*.darshan' -size -8k | sort | head -n 40 | while IFS= read -r log; do cp -p "$log" "$work/few"; done
status 0 "$iolite" archive pack -q -o "$work/few.bundle" "$work/few"
bytes=$(stat -c %s "$work/few.bundle")
for ((i = 0; i < ${IOLITE_DAMAGES:-8}; i++)); do
    rm -rf "$work/rest"
    cp "$work/few.bundle" "$work/damaged.bundle"
    chmod 600 "$work/damaged.bundle"
    at=$(((bytes - 1) * i / (${IOLITE_DAMAGES:-8} - 1)))
    byte=$(dd if="$work/damaged.bundle" bs=1 skip=$at count=1 status=none | od -An -tu1 | tr -d ' ')
    # shellcheck disable=SC2059
    printf "\\x$(printf '%02x' $((byte ^ 65)))" | dd of="$work/damaged.bundle" bs=1 seek=$at conv=notrunc status=none
    status 3 "$iolite" archive verify -q "$work/damaged.bundle"
    "$iolite" archive restore -q "$work/damaged.bundle" -o "$work/rest" 2>/dev/null
    ! diff -rq "$work/few" "$work/rest" | grep -q differ || fail "byte $at: a log comes back wrong"
    [ "$(diff -rq "$work/few" "$work/rest" | wc -l)" -le 1 ] || fail "byte $at of $bytes costs more than one log"
    head -c "$at" "$work/few.bundle" >"$work/cut.bundle"
    status 3 "$iolite" archive verify -q "$work/cut.bundle"
done

# Purged: a dry run first; only what the bundle holds; a log that was written since stays
echo more >>"$logs/noise.darshan"
status 0 "$iolite" archive purge --bundle "$bundle" "$logs"
grep -q 'Nothing was done' "$work/err" || fail "no dry run"
[ -f "$logs/$small" ] || fail "a dry run removed something"
status 0 "$iolite" archive purge --bundle "$bundle" --older-than 30 --remove "$logs"
[ -f "$logs/$small" ] || fail "what is not old enough was removed"
status 0 "$iolite" archive purge --bundle "$bundle" --remove "$logs"
[ "$(find "$logs" -type f)" = "$logs/noise.darshan" ] || fail "after purging: $(find "$logs" -type f | head -n 3)"
status 0 "$iolite" archive purge --older-than 30 "$bundle"
grep -q 'would remove 0 files' "$work/err" || fail "a new bundle is not old"
cp -p "$bundle" "$work/kept/old.bundle"
status 0 "$iolite" archive purge --older-than 0 --remove "$work/kept/old.bundle"
[ ! -e "$work/kept/old.bundle" ] || fail "an old bundle stays"

# Large logs take long to pack, and have shown what they can.
find "$work/originals" -size +300k -delete

# Two at once: one works, the other says so, and no log is lost
rm -rf "$work/two" "$logs"
cp -a "$work/originals" "$logs"
mkdir "$work/two"
exec 8>"$work/two/.iolite-archive.lock"
flock 8
status 4 "$iolite" archive pack -o "$work/two/a.bundle" "$logs"
grep -q 'another archiver is at work' "$work/err" || fail "two archivers: $(cat "$work/err")"
[ ! -e "$work/two/a.bundle" ] || fail "two archivers at once"
exec 8>&-
"$iolite" archive pack -q --remove -o "$work/two/a.bundle" "$logs" 2>/dev/null &
"$iolite" archive pack -q --remove -o "$work/again/b.bundle" "$logs" 2>/dev/null
wait
for one in "$work/two/a.bundle" "$work/again/b.bundle"; do
    [ ! -e "$one" ] || "$iolite" archive restore -q "$one" -o "$work/whole" 2>/dev/null
done
mkdir -p "$work/whole"
cp -an "$logs/." "$work/whole/"
diff -r "$work/originals" "$work/whole" >/dev/null || fail "two archivers lost a log"

# Killed at any moment: originals, or a bundle that holds them
RANDOM=11
for ((i = 0; i < ${IOLITE_KILLS:-5}; i++)); do
    rm -rf "$logs" "$work/two" "$work/whole"
    cp -a "$work/originals" "$logs"
    mkdir "$work/two"
    { timeout -s KILL "0.$(printf '%02d' $((RANDOM % 90)))" "$iolite" archive pack -q --remove -o "$work/two/a.bundle" "$logs" 2>/dev/null; } 2>/dev/null
    mkdir "$work/whole"
    if [ -e "$work/two/a.bundle" ]; then
        status 0 "$iolite" archive verify -q "$work/two/a.bundle"
        "$iolite" archive restore -q "$work/two/a.bundle" -o "$work/whole"
    fi
    cp -an "$logs/." "$work/whole/"
    diff -r "$work/originals" "$work/whole" >/dev/null || fail "a killed archiver lost a log"
done

# A full disk: a limit on file sizes is one
rm -rf "$logs" "$work/two"
cp -a "$work/originals" "$logs"
mkdir "$work/two"
(trap '' XFSZ; ulimit -f 10; "$iolite" archive pack --remove -o "$work/two/a.bundle" "$logs") >"$work/out" 2>"$work/err"
[ $? = 4 ] || fail "a full disk: $(cat "$work/err")"
grep -q 'cannot write' "$work/err" || fail "a full disk is not reported: $(cat "$work/err")"
[ -z "$(ls "$work/two")" ] || fail "a full disk leaves $(ls "$work/two")"
diff -r "$work/originals" "$logs" >/dev/null || fail "a full disk cost a log"

status 2 "$iolite" archive
status 2 "$iolite" archive nothing
status 2 "$iolite" archive pack "$logs"
status 2 "$iolite" archive purge "$logs"
finish

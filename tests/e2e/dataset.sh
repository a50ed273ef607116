#!/usr/bin/env bash
# A data set that can be published: tables and logs under keyed pseudonyms, every column described, no name left.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
make=$tools/make-centre
[ -x "$make" ] || skip "no make-centre"
"$make" --logs 60 --large 0 --broken 0 --months 1 "$work/centre" || fail "make-centre"
"$iolite" index -q --files all --store "$store" --site "$work/centre/site.json" \
    --accounting "$work/centre/sacct.txt" "$work/centre/logs" 2>/dev/null
echo secret >"$work/key"
at=(--store "$store" --site "$work/centre/site.json")
status 0 "$iolite" fleet "${at[@]}" --key-file "$work/key" --export "$work/set" --logs

# Every table has its header, every column its description
for file in jobs logs modules file_systems files findings columns; do
    [ -s "$work/set/$file.csv" ] || fail "no $file.csv"
    [ "$(wc -l <"$work/set/$file.csv")" -gt 5 ] || fail "$file.csv is empty"
    while IFS= read -r column; do
        [ "$file" = columns ] || grep -q "^$file.csv,.*,$column,\(value\|pseudonym\),." "$work/set/columns.csv" ||
            fail "$file.csv: $column is not described"
    done < <(head -n 1 "$work/set/$file.csv" | tr ',' '\n')
    awk -F, 'NR == 1 { n = NF } NF != n && !/"/ { bad = 1 } END { exit bad }' "$work/set/$file.csv" || fail "$file.csv: rows of other lengths"
done
[ "$(wc -l <"$work/set/logs.csv")" = 61 ] || fail "not 60 logs in the table"
[ "$(find "$work/set/logs" -name 'log-*.darshan' | wc -l)" = 60 ] || fail "not 60 logs"

# No name of a user, program, account, path or host is left, in tables and in logs
find "$work/centre/logs" -name '*.darshan' | sed 's|.*/||' >"$work/names"
{
    sed 's/_.*//' "$work/names"
    sed 's/^[^_]*_\(.*\)_id[0-9]*-.*/\1/' "$work/names"
    sed -n 's/.*_id\([0-9]*\)-.*/\1/p' "$work/names"
    "$iolite" jobs "${at[@]}" --csv -n 1000 --columns account | tail -n +2
    "$iolite" dump --csv "$(find "$work/centre/logs" -name '*.darshan' | head -n 1)" | cut -d, -f6 | grep / | sort -u
} | awk 'length($0) > 3' | sort -u >"$work/secrets"
[ "$(wc -l <"$work/secrets")" -gt 50 ] || fail "hardly any name to look for"
cat "$work/set"/*.csv >"$work/all"
for log in "$work/set/logs"/*.darshan; do
    "$iolite" dump --csv "$log" >>"$work/all" 2>/dev/null
    "$iolite" show "$log" >>"$work/all"
done
! grep -wFf "$work/secrets" "$work/all" >"$work/found" || fail "left: $(head -n 2 "$work/found")"
! find "$work/set/logs" -printf '%f\n' | grep -qwFf "$work/secrets" || fail "a name of a log"

# Sums are the same; a log of the set is the row of its name
bytes() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { s += $c } END { printf "%.0f\n", s }' "$1"; }
"$iolite" jobs "${at[@]}" --csv -n 1000 --columns bytes_written >"$work/jobs.csv" 2>/dev/null
[ "$(bytes "$work/set/logs.csv" bytes_written)" -gt 0 ] || fail "no bytes"
[ "$(bytes "$work/set/logs.csv" bytes_written)" = "$(bytes "$work/set/jobs.csv" bytes_written)" ] || fail "jobs and logs have other sums"
log=$(tail -n 1 "$work/set/logs.csv" | cut -d, -f1)
[ -f "$work/set/logs/$log.darshan" ] || fail "no log $log"

# The same key, the same names; another key, others
status 0 "$iolite" fleet "${at[@]}" --key-file "$work/key" --export "$work/again"
cmp -s "$work/set/jobs.csv" "$work/again/jobs.csv" || fail "the same key gives other names"
[ ! -e "$work/again/logs" ] || fail "logs that nobody asked for"
status 0 "$iolite" fleet "${at[@]}" --export "$work/other"
! grep -qFf <(cut -d, -f1 "$work/set/logs.csv" | tail -n +2) "$work/other/logs.csv" || fail "another key gives the same names"

# A period; a directory that is not empty; logs from a bundle
status 0 "$iolite" fleet "${at[@]}" --until 2026-10-10 --export "$work/part"
[ "$(wc -l <"$work/part/logs.csv")" -lt 61 ] || fail "the period does not matter"
status 4 "$iolite" fleet "${at[@]}" --export "$work/part"
status 2 "$iolite" fleet "${at[@]}" --logs
mkdir "$work/kept"
if "$iolite" archive pack -q --remove -o "$work/kept/all.bundle" "$work/centre/logs" 2>/dev/null; then
    "$iolite" index -q --store "$store" --site "$work/centre/site.json" "$work/centre/logs" "$work/kept" 2>/dev/null
    status 0 "$iolite" fleet "${at[@]}" --key-file "$work/key" --export "$work/bundled" --logs
    diff -r "$work/set/logs" "$work/bundled/logs" >/dev/null || fail "logs of a bundle are others"
fi
finish

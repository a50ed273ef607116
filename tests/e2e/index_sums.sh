#!/usr/bin/env bash
# Sums of days that are complete are made while later logs are still read. They must be the same as if all had been made at the
# end, also of a day that another log comes for after its sums were made.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
[ -x "$tools/make-centre" ] || skip "no make-centre"
command -v sqlite3 >/dev/null || skip "no sqlite3 to look into the index with"
"$tools/make-centre" --logs 9000 --large 0 --broken 0 --months 2 "$work/centre" || fail "make-centre"
export IOLITE_SITE_CONFIG=$work/centre/site.json

# A log of the first day that is found last
first=$(find "$work/centre/logs" -name '*.darshan' | sort | head -1)
mkdir "$work/centre/logs/zzz"
mv "$first" "$work/centre/logs/zzz/"

# A writer that takes the mark of a day away notes how many logs there are by then
mkdir "$work/nothing"
status 0 "$iolite" index -q --store "$store" "$work/nothing"
sqlite3 "$store" <<'SQL'
CREATE TABLE noted (day, logs);
CREATE TRIGGER note AFTER DELETE ON stale BEGIN INSERT INTO noted VALUES (old.day, (SELECT MAX(log_id) FROM log)); END;
SQL
status 0 "$iolite" index -q -j 2 --store "$store"
early=$(sqlite3 "$store" 'SELECT COUNT(*) FROM noted WHERE logs < (SELECT COUNT(*) FROM log)')
[ "$early" -ge 5 ] || fail "only $early days were summed up before the last log came"
twice=$(sqlite3 "$store" 'SELECT COUNT(*) FROM (SELECT day FROM noted GROUP BY day HAVING COUNT(*) > 1)')
[ "$twice" = 1 ] || fail "$twice days were summed up more than once, not the one that got another log"
[ "$(sqlite3 "$store" 'SELECT COUNT(*) FROM stale')" = 0 ] || fail "days are left"

# All of them again, at once
normal "$store" >"$work/early"
sqlite3 "$store" 'INSERT INTO stale SELECT DISTINCT day FROM log; DELETE FROM day_use; DELETE FROM day_fs; DELETE FROM day_cost'
status 0 "$iolite" index -q --store "$store" "$work/nothing"
normal "$store" >"$work/late"
cmp "$work/early" "$work/late" || fail "sums that were made early differ"

# Whatever is ranked by, the sums of a user and program are read in the order in which they stand, and nothing but them. A store
# of the time before gets the indexes for this with the next run.
sqlite3 "$store" "DROP INDEX day_use_by_owner; DROP INDEX day_fs_by_owner; UPDATE meta SET value = '4' WHERE name = 'schema'"
status 0 "$iolite" index -q --store "$store" "$work/nothing"
measures=$(dirname "$0")/../../site/query/measures.def
plans() { # table, keys, pattern of what a measure is made of
    local measure count=0
    while read -r measure; do
        count=$((count + 1))
        sqlite3 "$store" "EXPLAIN QUERY PLAN SELECT $2, SUM(bytes_read), SUM(bytes_written), SUM(logs), SUM($measure) FROM $1 GROUP BY $2" >"$work/plan"
        [ "$(grep -c 'USING COVERING INDEX' "$work/plan")-$(grep -c 'B-TREE' "$work/plan")" = 1-0 ] || fail "$1 by $measure: $(cat "$work/plan")"
    done < <(sed -n "s/^MEASURE([a-z_]*, $3.*/\\1/p" "$measures" | grep -v meta_ratio)
    [ "$count" -gt 7 ] || fail "only $count measures of $1"
}
plans day_use "owner, exename" '"\([^"]*\)"'
plans day_fs "owner, exename, fs" '[^,]*, "\([^"]*\)"'
finish

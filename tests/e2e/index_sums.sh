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
finish

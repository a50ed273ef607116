#!/usr/bin/env bash
# An index over years: a list of jobs that did not change is not read again, and of one that did only what changed; rows expire
# and their sums stay; what was removed is not found.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v sqlite3 >/dev/null || skip "no sqlite3"
unset "${!IOLITE_@}"
export HOME=$work
store=$work/index.db
here=$PWD
cd "$work" || exit 1
ask() { sqlite3 "$store" "$1"; }
now=$(date +%s)
list() {
    echo 'JobIDRaw|User|State|Submit|Start|End|NNodes|AllocCPUS'
    for id in 1 2 3; do echo "$id|ana|$1|$((now - 300))|$((now - 200))|$((now - 100))|1|4"; done
    echo "4|ana|COMPLETED|$((now - 300))|$((now - 200))|$((now - 100))|1|4"
}
list RUNNING >sacct.txt
mkdir logs
status 0 "$iolite" index --store "$store" --accounting sacct.txt logs
grep -q '^4 jobs and 0 notes' "$work/err" || fail "the list: $(cat "$work/err")"
# Job 1 is taken out behind its back: the same list does not bring it back, and another one does. Job 4, which did not change,
# stays away.
ask "DELETE FROM job WHERE jobid IN ('1', '4')"
status 0 "$iolite" index --store "$store" --accounting sacct.txt logs
grep -q '^4 jobs and 0 notes' "$work/err" || fail "the same list: $(cat "$work/err")"
[ "$(ask "SELECT group_concat(jobid) FROM (SELECT jobid FROM job ORDER BY jobid)")" = 2,3 ] || fail "a list that did not change was read"
list COMPLETED >sacct.txt
status 0 "$iolite" index -q --store "$store" --accounting sacct.txt logs
[ "$(ask "SELECT group_concat(jobid) FROM (SELECT jobid FROM job ORDER BY jobid)")" = 1,2,3 ] || fail "a list that changed: $(ask 'SELECT jobid FROM job')"
[ "$(ask "SELECT DISTINCT state FROM job")" = COMPLETED ] || fail "states: $(ask 'SELECT DISTINCT state FROM job')"
# Read again means lists too: what was lost comes back. So it is with a list whose reading did not come to its end.
status 0 "$iolite" index -q --store "$store" --again --accounting sacct.txt logs
[ "$(ask "SELECT COUNT(*) FROM job")" = 4 ] || fail "a list that is read again: $(ask 'SELECT jobid FROM job')"
ask "DELETE FROM sched WHERE jobid = '3'; UPDATE meta SET value = 'begun' WHERE name LIKE 'list %'"
status 0 "$iolite" index -q --store "$store" --accounting sacct.txt logs
[ "$(ask "SELECT COUNT(*) FROM sched")" = 4 ] || fail "a list that was begun is taken for one that was read"
# A note again is the same note.
echo "2 entry=preloaded missed=static:app" >notes.txt
for _ in 1 2; do status 0 "$iolite" index -q --store "$store" --accounting notes.txt logs; done
[ "$(ask "SELECT entry FROM job WHERE jobid = '2'")" = preloaded ] || fail "the note: $(ask "SELECT * FROM sched")"

# What is older than a year goes, from every table of rows; sums stay, and so they do when the tree is read again.
cp "$demo" logs/old.darshan
began=$("${iolite%/*}/darshan-parser" "$demo" | sed -n 's/^# start_time: //p')
python3 "$here/tests/support/shift_job.py" "$((now - 86400 - began))" "$demo" logs/new.darshan || fail "no second log"
python3 "$here/tests/support/shift_job.py" "$((now - 86400 * 800 - began))" "$demo" logs/old.darshan || fail "no third log"
status 0 "$iolite" index -q --store "$store" logs
[ "$(ask 'SELECT COUNT(*) FROM log')-$(ask 'SELECT SUM(logs) FROM day_use')" = 2-2 ] || fail "not two logs"
# answers FILE: what is asked of sums, by day and over all years
answers() {
    for question in rank "rank --per user --by cost" "rank --per account" "rank --per finding" "fleet --json" "fleet --days --since $(date -d '-900 days' +%Y-%m-%d)"; do
        # shellcheck disable=SC2086
        "$iolite" $question --store "$store"
    done >"$1" 2>&1
}
answers before
status 0 "$iolite" index --store "$store" --expire 365 logs
grep -q '^1 log expired' "$work/err" || fail "nothing expired: $(cat "$work/err")"
rows() { for table in log log_module log_fs file; do ask "SELECT COUNT(DISTINCT log_id) FROM $table"; done | paste -sd-; }
[ "$(rows)" = 1-1-1-1 ] || fail "rows of logs: $(rows)"
[ "$(ask 'SELECT SUM(logs) FROM day_use')" = 2 ] || fail "sums went: $(ask 'SELECT SUM(logs) FROM day_use')"
answers after
cmp -s before after || fail "answers changed when rows expired: $(diff before after | head -n 5)"
for again in "" --again; do
    # shellcheck disable=SC2086
    status 0 "$iolite" index -q --store "$store" $again logs
    [ "$(rows)" = 1-1-1-1 ] || fail "an expired log came back ($again): $(rows)"
    [ "$(ask 'SELECT SUM(logs) FROM day_use')" = 2 ] || fail "sums changed ($again): $(ask 'SELECT SUM(logs) FROM day_use')"
done
# Jobs that the batch system still lists do not come back either, nor what is noted of them; one that began since stays.
old=$((now - 86400 * 800))
{
    list COMPLETED
    echo "5|ana|COMPLETED|$((old - 100))|$old|$((old + 100))|1|4"
    echo "6|ana|COMPLETED|$old|$((now - 400))|$((now - 300))|1|4"
} >sacct.txt
echo "7 start=$old end=$((old + 9)) entry=preloaded status=COMPLETED" >notes.txt
status 0 "$iolite" index --store "$store" --accounting sacct.txt --accounting notes.txt logs
grep -q '^6 jobs and 0 notes' "$work/err" || fail "a list with expired jobs: $(cat "$work/err")"
[ "$(ask "SELECT group_concat(jobid) FROM (SELECT jobid FROM sched WHERE jobid > 4 ORDER BY jobid)")" = 6 ] || fail "expired jobs: $(ask 'SELECT jobid FROM sched')"
[ "$(ask "SELECT COUNT(*) FROM job WHERE jobid IN ('5', '7')")" = 0 ] || fail "expired jobs are listed again"
# What is noted of a job that no list names expires with it.
ask "UPDATE meta SET value = '0' WHERE name = 'expired_before'"
status 0 "$iolite" index -q --store "$store" --again --accounting notes.txt logs
[ "$(ask "SELECT COUNT(*) FROM sched WHERE jobid = '7'")" = 1 ] || fail "the note of an old job is not there"
status 0 "$iolite" index -q --store "$store" --expire 365 logs
[ "$(ask "SELECT COUNT(*) FROM sched WHERE jobid = '7'")" = 0 ] || fail "the note of an expired job stays"
status 2 "$iolite" index -q --store "$store" --expire never logs

# Logs of one run that differ only in modules without sums are logs of their own: no other is taken for a copy of the first.
of_one_run=("$seeds"/{lustre-v2-be-3.41,heatmap-v1-be-3.41,dxt-posix-v2-be-3.41,dxt-mpiio-v3-3.41}.darshan)
status 0 "$iolite" index -q --files all --store "$work/kinds.db" "${of_one_run[@]}"
[ "$(sqlite3 "$work/kinds.db" 'SELECT COUNT(DISTINCT modules) FROM log')" = 4 ] || fail "modules: $(sqlite3 "$work/kinds.db" 'SELECT modules FROM log')"

# What is no list of jobs is refused, and does not count as read; a row that was cut off is left out.
cp /etc/passwd passwd.txt
iconv -t UTF-16 passwd.txt >utf16.txt
echo '{"error": "not found"}' >error.json
for wrong in passwd.txt utf16.txt error.json "$demo"; do
    status 3 "$iolite" index -q --store "$store" --accounting "$wrong" logs
    grep -q 'expected jobs as' "$work/err" || fail "$wrong: $(cat "$work/err")"
done
printf '\n  \n' >blank.txt
status 0 "$iolite" index -q --store "$store" --accounting blank.txt --accounting /dev/null logs
{
    list COMPLETED
    printf '11|ana|COMPLETED|%d' "$((now - 300))"
} >cut.txt
status 0 "$iolite" index --store "$store" --accounting cut.txt logs
grep -q '^4 jobs and 0 notes from cut.txt; 1 lines make no sense' "$work/err" || fail "a list that was cut off: $(cat "$work/err")"
[ "$(ask "SELECT COUNT(*) FROM sched WHERE jobid = '11'")-$(ask "SELECT COUNT(*) FROM meta WHERE value = 'begun'")" = 0-0 ] || fail "half a row was taken"

# A file that is gone since is not found.
job=$(ask 'SELECT jobid FROM log')
status 0 "$iolite" find --store "$store" --job "$job"
lines 1
rm logs/new.darshan
status 0 "$iolite" find --store "$store" --job "$job"
lines 0
finish

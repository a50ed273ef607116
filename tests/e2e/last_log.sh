#!/usr/bin/env bash
# Without an operand, show, diagnose and report take the last log of this user, and say which; find lists the own ones. From the
# places that logs go to, without a store and without an option.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
work=$(cd "$work" && pwd -P)
cd "$work" || exit 1
export LOGNAME=ana
for command in show diagnose report; do
    status 2 "$iolite" $command
    grep -q 'there is none of yours' "$work/err" || fail "$command: $(cat "$work/err")"
done
# In the home, two days; the later log counts, whatever its day is called.
tree=$HOME/.local/share/iolite/logs
mkdir -p "$tree/2026/9/30" "$tree/2026/10/1"
cp "$demo" "$tree/2026/9/30/ana_first_id1-1_9-30-1-1_1.darshan"
cp "$demo" "$tree/2026/10/1/ana_second_id2-2_10-1-1-1_1.darshan"
last=$tree/2026/10/1/ana_second_id2-2_10-1-1-1_1.darshan
status 0 "$iolite" show
grep -qF "the last log is $last" "$work/err" || fail "show: $(cat "$work/err")"
status 0 "$iolite" diagnose
grep -qF "the last log is $last" "$work/err" || fail "diagnose: $(cat "$work/err")"
status 0 "$iolite" report
[ -s ana_second_id2-2_10-1-1-1_1_report.html ] || fail "report: $(ls)"
status 0 "$iolite" diagnose --list-rules
! grep -q 'the last log' "$work/err" || fail "a question about rules is about a log"
# The site's tree, with a later one.
mkdir -p site/"$(date +%Y/%-m/%-d)"
cp "$demo" site/"$(date +%Y/%-m/%-d)"/ana_third_id3-3_1-1-1-1_1.darshan
touch -d '2 hours' site/*/*/*/*.darshan
IOLITE_LOG_PATH=$work/site status 0 "$iolite" show
grep -q 'the last log is .*ana_third' "$work/err" || fail "the site's tree: $(cat "$work/err")"
IOLITE_LOG_PATH=$work/site status 0 "$iolite" find
has ana_third
lines 1
# Files of others do not count.
if [ "$(id -u)" = 0 ]; then
    chown 64201 site/*/*/*/*.darshan
    IOLITE_LOG_PATH=$work/site status 0 "$iolite" show
    grep -qF "the last log is $last" "$work/err" || fail "another's log: $(cat "$work/err")"
fi
finish

#!/usr/bin/env bash
# Without an operand, show, diagnose and report take the last log of this user, and say which; find lists the own ones. From the
# places that logs go to, without a store and without an option. So does `iolite serve`, and shows no log of another user.
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
# Not what only has the name of a log: a directory, or a link to anything
mkdir site/"$(date +%Y/%-m/%-d)"/ana_directory_id3-3_1-1-1-2_1.darshan
ln -s /etc/passwd site/"$(date +%Y/%-m/%-d)"/ana_link_id3-3_1-1-1-3_1.darshan
IOLITE_LOG_PATH=$work/site status 0 "$iolite" find
has ana_third
lines 1
rm -r site/*/*/*/ana_directory_* site/*/*/*/ana_link_*
# The portal shows them with no option, and of the site's tree nothing that is another's.
if command -v python3 >/dev/null; then
    cp "$seeds/dfs-v1-3.41.darshan" site/*/*/*/ana_third_id3-3_1-1-1-1_1.darshan
    if [ "$(id -u)" = 0 ]; then
        mkdir -p site/2026/10/2
        cp "$seeds/daos-v1-3.41.darshan" site/2026/10/2/eva_fourth_id4-4_10-2-1-1_1.darshan
        chown 64201 site/2026/10/2/eva_fourth_id4-4_10-2-1-1_1.darshan
    fi
    IOLITE_LOG_PATH=$work/site XDG_DATA_HOME=$work/data "$iolite" serve --interval 1 >url 2>serve.err &
    portal=$!
    until_true test -s url
    shown() { # number of logs
        python3 - "$(cat url)" "$1" <<'END'
import json, sys, urllib.request as request
address, token = sys.argv[1].split("/?token=")
asked = request.Request(address + "/api/v1/jobs", headers={"Authorization": "Bearer " + token})
rows = json.load(request.build_opener(request.ProxyHandler({})).open(asked))["items"]
sys.exit(sum(row["logs"] for row in rows) != int(sys.argv[2]) or any(row["user"] == "eva" for row in rows))
END
    }
    until_true shown 2 || fail "the portal does not show the log in the site's tree: $(cat serve.err)"
    # A log of today that comes while it runs
    cp "$seeds/apxc-v1-3.21.darshan" site/"$(date +%Y/%-m/%-d)"/ana_fifth_id5-5_1-1-1-1_1.darshan
    until_true shown 3 || fail "the portal does not show a new log: $(cat serve.err)"
    kill $portal
    wait $portal
    XDG_DATA_HOME=$work/data status 0 "$iolite" find --broken
    lines 0
    rm -f site/*/*/*/*fifth*
    touch -d "2 hours" site/*/*/*/*third*
fi
# Files of others do not count.
if [ "$(id -u)" = 0 ]; then
    chown 64201 site/*/*/*/*.darshan
    IOLITE_LOG_PATH=$work/site status 0 "$iolite" show
    grep -qF "the last log is $last" "$work/err" || fail "another's log: $(cat "$work/err")"
fi
finish

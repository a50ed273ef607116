#!/usr/bin/env bash
# iolite mk-log-dirs: the whole dated tree, usable by everybody, and what was there stays.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
unset "${!IOLITE_@}" "${!DARSHAN_@}"
year=$(date +%Y)
mkdir "$work/logs"

status 0 "$iolite" mk-log-dirs "$work/logs"
[ "$(find "$work/logs" -mindepth 3 -type d | wc -l)" = 744 ] || fail "days: $(find "$work/logs" -mindepth 3 | wc -l)"
[ -d "$work/logs/$((year + 1))/2/31" ] || fail "no last of February next year"
[ "$(stat -c %a "$work/logs/$year/1/1")" = 1777 ] || fail "mode of a day"
[ "$(stat -c %a "$work/logs/$year/1")" = 755 ] || fail "mode of a month"

# A second time nothing is made, and nothing of the site's own choice is undone.
chmod 700 "$work/logs/$year/1/1"
status 0 "$iolite" mk-log-dirs "$work/logs"
[ "$(stat -c %a "$work/logs/$year/1/1")" = 700 ] || fail "it changed a directory that was there"
grep -q ' 0 directories' "$work/err" || fail "it made some again: $(cat "$work/err")"

# The settings name the place; mode and years can be chosen; the umask does not matter.
mkdir "$work/site"
(umask 077 && IOLITE_LOG_PATH=$work/site "$iolite" mk-log-dirs --years 1 --mode 0775 2>/dev/null) || fail "by the settings"
[ "$(find "$work/site" -mindepth 3 -type d | wc -l)" = 372 ] || fail "one year"
[ "$(stat -c %a "$work/site/$year/12/31")" = 775 ] || fail "the mode given"

# A job finds its place there.
IOLITE_LOG_PATH=$work/site status 0 "$iolite" run -- cat "$0"
compgen -G "$work/site/$year/*/*/*.darshan" >/dev/null || fail "no log in the tree"

# As the older script.
mkdir "$work/older"
ln -s "$iolite" "$work/darshan-mk-log-dirs.pl"
DARSHAN_LOGPATH=$work/older status 0 "$work/darshan-mk-log-dirs.pl"
[ "$(stat -c %a "$work/older/$year/1/1")" = 755 ] || fail "mode under the older name"

# Nowhere, not there, not a number.
status 2 "$iolite" mk-log-dirs
status 4 "$iolite" mk-log-dirs "$work/absent"
status 4 "$iolite" mk-log-dirs "$0"
status 2 "$iolite" mk-log-dirs --mode rwx "$work/logs"
status 2 "$iolite" mk-log-dirs --years 0 "$work/logs"
finish
